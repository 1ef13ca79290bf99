"""Inflected forms: which word a form belongs to, and which form of another word agrees with it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from core.lexicon import table, unpack
from core.substitutions.wordnet import wordnet
from core.vocabulary import usage

PARTS = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}
BASE = {"n": "NN", "v": "VB", "a": "JJ", "r": "RB"}
TAGS = ("NNS", "VBD", "VBG", "VBN", "VBZ", "JJR", "JJS", "RBR", "RBS")  # as build.forms stores them


@dataclass(frozen=True)
class Reading:
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
def _forms() -> tuple[Mapping[tuple[str, str], str], Mapping[str, tuple[Reading, ...]]]:
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
    return preferred, {form: tuple(found) for form, found in readings.items()}


def readings(word: str, tag: str, lexicon: Mapping[str, object]) -> Iterator[Reading]:
    """Read a word as an entry of the lexicon, the readings that fit its tag best first.

    Taggers confuse VBD with VBN and JJ with VBG; so after the exact tag come the other tags of the
    same part of speech, and then, for words the lexicon knows only otherwise, the other parts.
    """
    part = part_of(tag)
    wanted = "VB" if tag == "VBP" else tag
    known = usage()

    def order(reading: Reading) -> tuple[bool, float, bool, int]:
        used = known.get(reading.lemma)
        other = reading.part != part
        doubt = -wordnet().share(reading.entry) if other else 0.0
        return other, doubt, reading.tag != wanted, used.rank if used else len(known)

    bases = [Reading(word, own, BASE[own]) for own in BASE]
    if tag == "NNS" and not word.endswith("s"):
        bases[0] = Reading(word, "n", "NNS")  # people, police: plurals without an ending
    found = (reading for reading in (*bases, *_forms()[1].get(word, ())))
    yield from sorted((reading for reading in found if reading.entry in lexicon), key=order)


@lru_cache(maxsize=1 << 16)
def inflect(entry: str, tag: str) -> str:
    """The form of an entry that carries the tag, or nothing if it has none that is in use."""
    lemma, part = entry.rsplit(".", 1)
    if tag == BASE[part]:
        return lemma
    return _forms()[0].get((entry, tag), "")
