"""Parts that are loaded once a server: the only place with Streamlit caches."""

import streamlit as st

from core import assets
from core.substitutions import SUBSTITUTIONS, Substitution
from core.victims import VICTIMS, Victim


@st.cache_resource(show_spinner="Loading the victim …")
def victim(key: str) -> Victim:
    """A victim, shared by all sessions."""
    return VICTIMS[key]()


@st.cache_resource(show_spinner="Loading the substitutes …")
def substitution(key: str) -> Substitution:
    """A substitution, shared by all sessions."""
    return SUBSTITUTIONS[key]()


@st.cache_data
def examples() -> dict[str, str]:
    """The bundled sentences by title."""
    return {example["title"]: example["text"] for example in assets.read_json("examples.json")}
