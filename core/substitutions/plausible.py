"""Swaps that a person would hardly notice, on a ladder of levels; each candidate says its level.

1 harmless: listed in the thesaurus, where three readers found that it says the same, in the sense
  that the word most likely has here; and a few function words.
2 close: listed there, but one reader saw a slight difference; or, for words that the thesaurus
  does not have, a WordNet synonym that is a near neighbour in the counter-fitted vectors too, and
  that the encoder sees almost as the word itself.
3 near: a WordNet synonym or a neighbour, for every word.

A substitute may have several words, and may replace several (``very funny``). Words in a fixed
phrase stay, nothing is swapped for a name, and ``a`` and ``an`` are swapped with their word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.errors import require
from core.substitutions.articles import with_articles
from core.substitutions.blocked import is_blocked
from core.substitutions.columns import column, refusal, stem
from core.substitutions.embedding import Embedding, cosine
from core.substitutions.exclusions import (
    is_excluded,
    is_modifying_participle,
    is_part_of_name,
    phrase_of,
)
from core.substitutions.morphology import BASE, Reading, inflect, inflect_phrase, readings
from core.substitutions.protocol import Column, Substitute
from core.substitutions.senses import likeness, margin, steadiness
from core.substitutions.synonym import Synonym
from core.substitutions.tagging import tag
from core.substitutions.thesaurus import fixed_phrase, thesaurus
from core.substitutions.wordnet import wordnet

LEVELS = {1: "harmless", 2: "close", 3: "near"}
SURE = 0.035  # how much likelier a sense must be for a harmless swap
LIKELY = 0.02  # ... and for a close one
NEIGHBOUR = 0.7  # the least cosine of a close synonym
STEADY = 0.65  # how alike the encoder must see a close synonym
STRONGER = ("very ", "really ", "extremely ")  # words before others that are words of their own
WIDEST = 3  # words that are swapped together
# Function words that say the same in any sentence.
FUNCTION = {
    **{"although": "though", "though": "although", "until": "till", "till": "until"},
    **{"toward": "towards", "towards": "toward", "amid": "amidst", "amidst": "amid"},
    **{"among": "amongst", "amongst": "among", "nobody": "no-one", "upon": "on"},
    **{"everybody": "everyone", "everyone": "everybody", "anybody": "anyone"},
    **{"anyone": "anybody", "somebody": "someone", "someone": "somebody"},
}
PARTICLES = frozenset(
    ["up", "off", "in", "out", "over", "back", "down", "away", "on", "apart", "together"]
)
Found = tuple[str, str]  # a form and its reason


@dataclass(frozen=True)
class Plausible:
    """Harmless, close and near swaps, up to a level."""

    level: int = field(default=2, metadata={"help": "1 harmless, 2 close, 3 near"})

    def __post_init__(self) -> None:
        require(self.level in LEVELS, "The level is 1 (harmless), 2 (close) or 3 (near).")

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        tags = tag(words)
        spans = list(_spans(words, tags))
        phrases = {place: span.reading.lemma for span in spans for place in span.kept}
        related = _related(words, tags, self.level) if self.level > 1 else {}
        columns = []
        for place, own in enumerate(tags):
            note = _note(words, place, own, phrases.get(place, ""))
            listed = [] if note else [*_listed(words, place, tags, self.level)]
            found = [] if note else [*listed, *related.get(place, ())]
            single = column(words[place], found, note or "none is known")
            here = (span for span in spans if span.place == place)
            wide = [one for span in here for one in _wide(words, span, self.level)]
            joined = (*single.substitutes, *wide)
            columns.append(Column(joined, "" if joined else single.note))
        return with_articles(words, columns)


@dataclass(frozen=True)
class Span:
    """Several words that the thesaurus has as one entry."""

    place: int
    size: int
    reading: Reading

    @property
    def kept(self) -> range:
        """The words that are swapped only together: in ``very funny`` each may be swapped alone."""
        end = self.place + self.size
        apart = self.reading.lemma.startswith(STRONGER)
        return range(end, end) if apart else range(self.place, end)


def _reading(word: str, own: str) -> Reading | None:
    return next(readings(stem(word)[0].lower(), own, thesaurus()), None)


def _note(words: Sequence[str], place: int, own: str, phrase: str) -> str:
    """Why a word stays whatever is known of it, or nothing."""
    word = words[place]
    if word.lower() in FUNCTION:
        return ""
    if note := refusal(word, own):
        return note
    if is_part_of_name(words, place):
        return "proper name"
    if not phrase and (reading := _reading(word, own)):
        phrase = fixed_phrase(words, place, reading.entry)
    return f'part of "{phrase}"' if phrase else ""


def _listed(words: Sequence[str], place: int, tags: Sequence[str], level: int) -> Iterator[Found]:
    """What the thesaurus offers for the sense that the word has here, the surest first."""
    word = words[place]
    if other := FUNCTION.get(word.lower()):
        yield other, "harmless: the same function"
        return
    reading = _reading(word, tags[place])
    if reading is None:
        return
    before_pronoun = tags[place + 1 : place + 2] == ("PRP",)
    for synonym, reason in _of_sense(words, place, reading.entry, level):
        last = synonym.rsplit(" ", 1)[-1]
        if " " in synonym and before_pronoun and last in PARTICLES:
            continue  # they took it in, not: they took in it
        if form := _inflected(synonym, reading):
            yield form, reason


def _of_sense(words: Sequence[str], place: int, entry: str, level: int) -> Iterator[Found]:
    """The synonyms of an entry in the sense that it has here, not inflected."""
    senses = thesaurus()[entry]
    near = likeness(words, place, entry)
    for own_level, least in ((1, SURE), (2, LIKELY)):
        if own_level > level:
            return
        listed = [s.harmless if own_level == 1 else (*s.harmless, *s.close) for s in senses]
        for synonym in dict.fromkeys(name for names in listed for name in names):
            fitting = [number for number, names in enumerate(listed) if synonym in names]
            if margin(near, fitting) >= least:
                likeliest = max(fitting, key=near.__getitem__)
                yield synonym, f"{LEVELS[own_level]}: {senses[likeliest].gloss}"


def _inflected(synonym: str, reading: Reading) -> str:
    if " " in synonym or "[" in synonym:
        return inflect_phrase(synonym, reading.part, reading.tag)
    return inflect(f"{synonym}.{reading.part}", reading.tag)


def _spans(words: Sequence[str], tags: Sequence[str]) -> Iterator[Span]:
    """Where the thesaurus has several words as one entry."""
    for place, own in enumerate(tags):
        for size in range(2, min(WIDEST, len(words) - place) + 1):
            written = [word.lower() for word in words[place : place + size]]
            for reading in _readings_of_several(written, own):
                if not fixed_phrase(words, place, reading.entry):
                    yield Span(place, size, reading)


def _readings_of_several(written: Sequence[str], own: str) -> Iterator[Reading]:
    """Several words as entries of the thesaurus; of a verb only the first is inflected."""
    whole = [Reading(" ".join(written), part, BASE[part]) for part in "arn"]
    if own.startswith("VB"):
        for first in readings(written[0], own, wordnet().entries):
            whole.append(Reading(" ".join([first.lemma, *written[1:]]), "v", first.tag))
            break
    yield from (reading for reading in whole if reading.entry in thesaurus())


def _wide(words: Sequence[str], span: Span, level: int) -> Iterator[Substitute]:
    """What may stand for several words, at the first of them."""
    for synonym, reason in _of_sense(words, span.place, span.reading.entry, level):
        form = _inflected(synonym, span.reading)
        if form and not is_blocked(form):
            yield Substitute(form, reason, span.size)


def _related(words: Sequence[str], tags: Sequence[str], level: int) -> dict[int, list[Found]]:
    """Candidates of the other substitutions by place: the close ones, then the near ones."""
    synonyms = Synonym()(words)
    close = _steady(words, [
        (place, one.word, one.reason)
        for place, found in enumerate(synonyms)
        if _reading(words[place], tags[place]) is None
        for one in _allowed(words, place, tags[place], found)
        if (cosine(_base(words[place]), _base(one.word)) or 0.0) >= NEIGHBOUR
    ])  # fmt: skip
    related: dict[int, list[Found]] = {place: [] for place in range(len(words))}
    for place, form, reason in close:
        related[place].append((form.lower(), f"{LEVELS[2]}: {reason}"))
    if level > 2:
        for found in (synonyms, Embedding()(words)):
            for place, near in enumerate(found):
                for one in _allowed(words, place, tags[place], near):
                    related[place].append((one.word.lower(), f"{LEVELS[3]}: {one.reason}"))
    return related


def _allowed(words: Sequence[str], place: int, own: str, found: Column) -> Iterator[Substitute]:
    """Candidates that are no opposite, none of the same kind, of a word in no phrase."""
    reading = next(readings(_base(words[place]), own, wordnet().entries), None)
    if not found.substitutes or reading is None or phrase_of(words, place):
        return
    if not is_modifying_participle(words[place], own):
        yield from (one for one in found.substitutes if not is_excluded(reading, _base(one.word)))


def _steady(
    words: Sequence[str], found: Sequence[tuple[int, str, str]]
) -> list[tuple[int, str, str]]:
    """The candidates that the encoder sees almost as the word itself."""
    alike = steadiness(words, [(place, form) for place, form, _ in found])
    return [one for one, near in zip(found, alike, strict=True) if near >= STEADY]


def _base(word: str) -> str:
    return stem(word)[0].lower()
