"""Parts that are loaded once a server: the only place with Streamlit caches."""

import streamlit as st

from core import CoreError, assets
from core.substitutions import SUBSTITUTIONS, Substitution
from core.victims import VICTIMS, Victim, add_configured, with_premise


def configured_victims() -> None:
    """Add the victims that whoever runs the app has set up; a wrong file is named on every page."""
    try:
        add_configured()
    except CoreError as error:
        st.error(str(error))


def victim(key: str, premise: str = "") -> Victim:
    """A victim, shared by all sessions; the one that is loading is named."""
    with st.spinner(f"Loading the victim {key} …"):
        return with_premise(_victim(key), premise)


def substitution(key: str) -> Substitution:
    """A substitution, shared by all sessions; the one that is loading is named."""
    with st.spinner(f"Loading the substitutes {key} …"):
        return _substitution(key)


@st.cache_resource(show_spinner=False)
def _victim(key: str) -> Victim:
    return VICTIMS[key]()


@st.cache_resource(show_spinner=False)
def _substitution(key: str) -> Substitution:
    return SUBSTITUTIONS[key]()


@st.cache_data
def examples() -> dict[str, str]:
    """The bundled sentences by title."""
    return {example["title"]: example["text"] for example in assets.read_json("examples.json")}
