"""A small synonym table written by hand, so that the engine runs without any lexicon."""

from core import assets
from core.substitutions.table import SubstituteTable


def load() -> SubstituteTable:
    """Read the hand-written table."""
    rows = assets.read_json("toy/synonyms.json")
    return SubstituteTable({word: tuple(found) for word, found in rows.items()}, "the toy table")
