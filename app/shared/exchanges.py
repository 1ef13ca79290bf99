"""Which exchanges local search tries: the same choice on every page that runs it."""

from functools import partial
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.shared import pickers
from core import SEARCHES
from core.options import configure
from core.space import Exchange

NAMES: Final[dict[Exchange, str]] = {"same": "same word", "any": "any pair"}
KEY: Final = "exchange"
_OLD: Final = {"any two words": "any"}  # how Theory's links named it


def choose(place: DeltaGenerator, *, in_address: bool = True) -> Exchange:
    """Exchanges within a word, or between any two as in the paper."""
    if (linked := st.query_params.get(KEY)) in _OLD:
        st.query_params[KEY] = _OLD[linked]
    names = {str(key): name for key, name in NAMES.items()}
    pick = partial(pickers.pick, in_address=in_address)
    found = pick(place, "Exchange", list(names), KEY, names.__getitem__)
    return next(key for key in NAMES if key == found)


def settings_with_exchange(
    place: DeltaGenerator, search: str, settings: tuple[str, ...]
) -> tuple[str, ...]:
    """The settings of a search with the exchange that is chosen, if it makes any."""
    usual = getattr(SEARCHES[search], KEY, None)
    if usual is None:
        return settings
    pickers.start(KEY, getattr(configure(SEARCHES[search](), settings), KEY))
    chosen = choose(place, in_address=False)
    others = [text for text in settings if text.partition("=")[0] != KEY]
    wanted = (*others, *([] if chosen == usual else [f"{KEY}={chosen}"]))
    if wanted != settings:
        pickers.set_settings("search_option", search, *wanted)
    return wanted
