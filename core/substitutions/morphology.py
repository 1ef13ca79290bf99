"""Inflected forms: which word a form belongs to, and which form of another word agrees with it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from core.substitutions.lexicon import table, unpack
from core.substitutions.vocabulary import usage
from core.substitutions.wordnet import wordnet

PARTS = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}
BASE = {"n": "NN", "v": "VB", "a": "JJ", "r": "RB"}
TAGS = ("NNS", "VBD", "VBG", "VBN", "VBZ", "JJR", "JJS", "RBR", "RBS")  # as build.forms stores them


class Reading(NamedTuple):
    """A form read as an inflection of a word: ``went`` is the VBD of ``go``, a verb."""

    lemma: str
    part: str
    tag: str

    @property
    def entry(self) -> str:
        """The key of the word in the lexicons, such as ``go.v``."""
        return f"{self.lemma}.{self.part}"


def part_of(tag: str) -> str:
    """The part of speech of a Penn tag: n, v, a, r, or nothing."""
    return PARTS.get(tag[:2], "")


@cache
def _forms() -> tuple[Mapping[tuple[str, str], str], Mapping[str, Sequence[Reading]]]:
    stored = table("forms")
    preferred: dict[tuple[str, str], str] = {}
    readings: dict[str, list[Reading]] = defaultdict(list)
    tags = [TAGS[number] for number in stored["tags"].tolist()]
    for entry, tag, form in zip(
        unpack(stored["entries"]), tags, unpack(stored["forms"]), strict=True
    ):
        lemma, part = entry.rsplit(".", 1)
        preferred.setdefault((entry, tag), form)
        readings[form].append(Reading(lemma, part, tag))
    return preferred, readings


def readings(word: str, tag: str, lexicon: Mapping[str, object]) -> Iterator[Reading]:
    """Read a word as an entry of the lexicon, the readings that fit its tag best first.

    Taggers confuse VBD with VBN and JJ with VBG; so after the exact tag come the other tags of the
    same part of speech, and then, for words the lexicon knows only otherwise, the other parts.
    """
    part = part_of(tag)
    wanted = "VB" if tag == "VBP" else tag

    def order(reading: Reading) -> tuple[bool, float, bool, int]:
        other = reading.part != part
        doubt = -wordnet().share(reading.entry) if other else 0.0
        return other, doubt, reading.tag != wanted, _rank(reading.lemma)

    found = [*_forms()[1].get(word, ())]
    # People and police are plurals without an ending; men belongs to man.
    plural = tag == "NNS" and not word.endswith("s") and not any(r.tag == "NNS" for r in found)
    found += [Reading(word, own, BASE[own]) for own in "vra"]
    found.append(Reading(word, "n", "NNS" if plural else "NN"))
    yield from sorted((reading for reading in found if reading.entry in lexicon), key=order)


def lemmas(form: str) -> frozenset[str]:
    """The words that a form in lower case may be an inflection of."""
    return frozenset(reading.lemma for reading in _forms()[1].get(form, ()))


def is_plural(word: str) -> bool:
    """Whether the word is the plural of one in use; WordNet has ``roads`` as a word too.

    Opera, the plural of opus, and physics are none: their singulars are rare.
    """
    limit = 4 * _rank(word) + 2_000 if word.endswith("s") else _rank(word)
    return any(
        reading.tag == "NNS" and _rank(reading.lemma) < limit
        for reading in _forms()[1].get(word, ())
    )


def _rank(word: str) -> int:
    used = usage().get(word)
    return used.rank if used else len(usage())


@lru_cache(maxsize=1 << 16)
def inflect(entry: str, tag: str) -> str:
    """The form of an entry that carries the tag, or nothing if it has none that is in use."""
    lemma, part = entry.rsplit(".", 1)
    if tag == BASE[part]:
        return "" if tag == "NN" and is_plural(lemma) else lemma
    return _forms()[0].get((entry, tag), "")


def inflect_phrase(phrase: str, part: str, tag: str) -> str:
    """The form of several words that carries the tag: the one in brackets is inflected.

    ``[take] in`` gives ``took in``; a phrase of fixed form has only the base one.
    """
    before, bracket, rest = phrase.partition("[")
    if not bracket:
        return phrase if tag == BASE[part] else ""
    head, _, behind = rest.partition("]")
    if head == "be" and tag in ("VB", "VBD"):
        return ""  # are or is, was or were: the form would hang on the subject
    form = inflect(f"{head}.{part}", tag)
    return f"{before}{form}{behind}" if form else ""
