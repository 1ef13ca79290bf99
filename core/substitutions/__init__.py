"""Where substitutes come from, by name; what a substitution is says ``protocol``."""

from collections.abc import Callable, Sequence

from core.package_files import MINILM
from core.registry import Entry
from core.substitutions import toy
from core.substitutions.embedding import Embedding
from core.substitutions.inflection import Inflection
from core.substitutions.lexicon import missing
from core.substitutions.plausible import Plausible
from core.substitutions.protocol import FILE, Column, Constraint, Substitute, Substitution
from core.substitutions.sememe import Sememe
from core.substitutions.synonym import Synonym
from core.substitutions.table import OwnTable


def _entry(
    make: Callable[..., Substitution], about: str, tables: Sequence[str] | None, **card: str
) -> Entry[Substitution]:
    """An entry for a substitution that needs word tables besides those of every lexicon.

    ``tables`` is None if it needs no lexicon at all.
    """

    def lacking() -> str:
        return "" if tables is None else missing(tables, ["nltk", "lemminflect"])

    return Entry(make, about, card, lacking)


PLAUSIBLE_TABLES = ("neighbours", "wordnet", "forms", "exclusions")

SUBSTITUTIONS: dict[str, Entry[Substitution]] = {
    "toy": _entry(
        toy.load, "Toy: synonyms of about fifty words, chosen by hand.", None,
        source="a list written for this project",
    ),
    "synonym": _entry(
        Synonym, "WordNet synonyms, re-inflected", ["wordnet", "forms"],
        paper="PWWS (Ren et al., 2019)", source="WordNet 3.0",
    ),
    "sememe": _entry(
        Sememe, "words with the same sememes", ["sememes", "wordnet", "forms"],
        paper="Sememe+PSO (Zang et al., 2020)", source="HowNet if converted, else WordNet 3.0",
    ),
    "embedding": _entry(
        Embedding, "neighbours in word vectors", ["neighbours", "wordnet", "forms"],
        paper="GA (Alzantot et al., 2018), TextFooler (Jin et al., 2020)",
        source="counter-fitted vectors (Mrkšić et al., 2016)",
    ),
    "plausible": Entry(
        Plausible,
        "harmless and close swaps from a thesaurus of our own, in the sense of the sentence",
        {"source": "a thesaurus written and read for this project; WordNet 3.0"},
        lambda: missing(PLAUSIBLE_TABLES, ["nltk"]) or MINILM.missing(),
    ),
    "inflection": _entry(
        Inflection, "other inflections of the word", [],
        paper="Morpheus (Tan et al., 2020)", source="LemmInflect",
    ),
    "table": _entry(
        OwnTable, "your own table (CSV: word,substitute)", None,
        source="a file of yours", file=FILE,
    ),
}  # fmt: skip

__all__ = ["FILE", "SUBSTITUTIONS", "Column", "Constraint", "Substitute", "Substitution"]
