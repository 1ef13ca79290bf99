"""Parts that are loaded once per server and shared by all sessions."""

from collections.abc import Mapping

import streamlit as st

from app.shared import own_tables
from core import CoreError
from core.constraints import constrained
from core.options import configure
from core.sharing import Shared
from core.study.database import Database, database_url
from core.substitutions import SUBSTITUTIONS
from core.substitutions.protocol import Substitution
from core.victims import VICTIMS, Victim, add_configured, given


def configured_victims() -> None:
    """Add the victims that whoever runs the app has set up; a wrong file is named on every page."""
    try:
        add_configured()
    except CoreError as error:
        st.error(str(error))


def victim(key: str, context: Mapping[str, str]) -> Victim:
    """A victim, shared by all sessions; the one that is loading is named."""
    with st.spinner(f"Loading the victim {key} …"):
        return given(_victim(key), context)


def substitution(
    key: str, options: tuple[str, ...] = (), constraints: tuple[str, ...] = ()
) -> Substitution:
    """A substitution, shared by all sessions; the one that is loading is named."""
    if own_tables.needs_file(key):
        return constrained(own_tables.find(options), constraints)
    with st.spinner(f"Loading the substitutes {key} …"):
        return constrained(configure(_substitution(key), options), constraints)


def studies() -> Database:
    """The database of studies, shared by all sessions."""
    return _studies(database_url())


@st.cache_resource(show_spinner=False)
def _studies(url: str) -> Database:
    return Database(url)


@st.cache_resource(show_spinner=False, on_release=Shared.close)
def _victim(key: str) -> Shared:
    return Shared(VICTIMS[key]())  # one worker for the attacks of all sessions


@st.cache_resource(show_spinner=False)
def _substitution(key: str) -> Substitution:
    return SUBSTITUTIONS[key]()
