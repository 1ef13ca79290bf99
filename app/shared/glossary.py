"""The words of this app, each with its meaning, to be read where it stands."""

from collections.abc import Mapping
from html import escape
from typing import Final

import streamlit as st

GLOSSARY: Final[Mapping[str, str]] = {
    "victim": "the model under attack",
    "substitute": "a word that may take the place of another one; "
    "a word's substitutes are its column",
    "sememe": "a smallest part of meaning; words with the same ones may stand in for each other",
    "query": "a distinct text that the victim was asked about",
    "request": "a text that a search asked for, repeated ones too: the paper's count",
    "score": "what a search maximises; for a classifier 1 minus the probability of the true label",
    "limit": "the largest share of words that a success may change, 25 % as in the paper",
    "level": "how plausible a substitute is: 1 harmless, 2 close, 3 near, 4 any; "
    "a ladder tries the strictest first",
    "|V|": "the number of all substitutes of a sentence together",
    "certificate": "what a finished search can vouch for: of which sentence, and in which "
    "neighbourhood",
}
STYLE: Final = """<style>
.words { position: relative; margin: 0; font-size: .875rem; }
.words dfn { font-style: normal; cursor: help; text-decoration: underline dotted; }
.words dfn span { display: none; position: absolute; z-index: 9; left: 0; top: 100%;
  max-width: min(28rem, 100%); padding: .4rem .7rem; border-radius: 6px;
  color: #fff; background: #343a40; }
.words dfn:hover span, .words dfn:focus span { display: block; }
</style>"""


def show(*words: str) -> None:
    """Words with a dotted line; each tells its meaning when it is touched or pointed at."""
    st.html(STYLE + html(*words))


def html(*words: str) -> str:
    parts = (
        f'<dfn tabindex="0">{escape(word)}<span role="tooltip">'
        f"{escape(word)}: {escape(GLOSSARY[word])}</span></dfn>"
        for word in words
    )
    return f'<p class="words">Words used here: {", ".join(parts)}</p>'
