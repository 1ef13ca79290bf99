"""The parts of pages that run in the browser: a script, its style and its HTML under one name."""

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from core import bundle


def component(name: str) -> ComponentRenderer:
    """The component of assets/scripts whose script exports ``mount`` and its name."""
    return st.components.v2.component(
        f"swapscope_{name}",
        html=bundle.fragment(f"{name}.html"),
        css=bundle.style(f"{name}.css"),
        js=bundle.script(f"{name}.js", last=f"export default mount{name.capitalize()};"),
    )
