"""The entry of the app: streamlit run app/main.py."""

import sys
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # streamlit puts app/, not the project, on the path
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from app.shared import loaders  # noqa: E402
from app.theory import by_hand  # noqa: E402

PAGES = ROOT / "pages"
ICON = str(ROOT / "assets" / "icon.svg")
HOUR = 3_600


@st.fragment(run_every=HOUR)
def draw_again_after_a_lost_connection() -> None:
    """Nothing to see: Streamlit draws a page anew after a break only if a part of it repeats.

    A server that was started anew knows nothing of a page before it has drawn it once: without
    this, the first click after a break would be lost.
    """


if "a" in st.query_params:  # a rating link: raters see nothing else
    st.set_page_config(page_title="Rating", page_icon=ICON, layout="centered")
    draw_again_after_a_lost_connection()
    rate = PAGES / "rate.py"
    # Twice, because Streamlit serves the first page at / only: at the address that was asked for
    # too, whichever it is, so that a token opens the same page everywhere.
    page_name = PurePosixPath(unquote(urlsplit(st.context.url or "").path)).name or "rate"
    paths = dict.fromkeys(("rating", page_name))
    pages = [st.Page(rate, title="Rating", url_path=path) for path in paths]
    st.navigation(pages, position="hidden").run()
    st.stop()

TITLES = {
    "lattice": "Lattice",
    "step": "Step through",
    "race": "Race",
    "results": "Results",
    "theory": "Theory",
    "booth": "Booth",
    "organise": "Organise a study",
}

# Less empty space on top; the accent colour is readable as text on dark.
STYLE = """<style>
.stMainBlockContainer { padding-top: 4rem; }
.name { margin: 0; }
[data-testid="stSliderThumbValue"] p, button[data-selected="true"] p {
  color: light-dark(#2b44ad, #b9c6ff);
}
</style>"""

NAME = (
    '<p class="name"><b>Swapscope</b> shows how language models are fooled by small changes of '
    "words, and how such attacks are searched for.</p>"
)

st.set_page_config(page_title="Swapscope", page_icon=ICON, layout="wide")
st.html(STYLE)
st.html(NAME)
draw_again_after_a_lost_connection()
loaders.configured_victims()
by_hand.restore()
# No sections: on a phone Streamlit draws them as a list that screen readers cannot follow.
st.navigation(
    [
        st.Page(PAGES / f"{name}.py", title=title, default=name == "lattice")
        for name, title in TITLES.items()
    ],
    position="top",
).run()
