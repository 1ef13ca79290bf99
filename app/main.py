"""The entry of the app: streamlit run app/main.py."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # streamlit puts app/, not the project, on the path
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from app import loaders  # noqa: E402

st.set_page_config(
    page_title="Swapscope", page_icon=str(ROOT / "assets" / "icon.svg"), layout="wide"
)
loaders.configured_victims()
st.navigation(
    [
        st.Page(ROOT / "pages" / "lattice.py", title="Lattice", default=True),
        st.Page(ROOT / "pages" / "attack.py", title="Attack"),
    ],
    position="top",
).run()
