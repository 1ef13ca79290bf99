"""Swaps that a person would hardly notice, on a ladder of levels; each candidate says its level.

1 harmless: listed in the thesaurus, where three readers found that it says the same, in the sense
  that the word most likely has here; and a few function words.
2 close: listed there, but one reader saw a slight difference; or, for words that the thesaurus
  does not have, a WordNet synonym that is a near neighbour in the counter-fitted vectors too.
3 near: a WordNet synonym or a neighbour, for every word.

Words in a fixed phrase stay, ``a`` and ``an`` stay right, and nothing is swapped for a name.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import regex

from core.errors import require
from core.substitutions.columns import column, refusal, stem
from core.substitutions.embedding import Embedding, cosine
from core.substitutions.morphology import Reading, inflect, readings
from core.substitutions.protocol import Column
from core.substitutions.senses import likeness, margin
from core.substitutions.synonym import Synonym
from core.substitutions.tagging import tag
from core.substitutions.thesaurus import fixed_phrase, thesaurus

LEVELS = {1: "harmless", 2: "close", 3: "near"}
SURE = 0.035  # how much likelier a sense must be for a harmless swap
NEIGHBOUR = 0.7  # the least cosine of a close synonym
# Function words that say the same in any sentence.
FUNCTION = {
    **{"although": "though", "though": "although", "until": "till", "till": "until"},
    **{"toward": "towards", "towards": "toward", "amid": "amidst", "amidst": "amid"},
    **{"among": "amongst", "amongst": "among", "nobody": "no-one", "upon": "on"},
    **{"everybody": "everyone", "everyone": "everybody", "anybody": "anyone"},
    **{"anyone": "anybody", "somebody": "someone", "someone": "somebody"},
}
_CLOSED = regex.compile(r"(?!hour|honest|hono|heir)[^aeiou]|eu|one|once|uni(?!n|m)|us(e|u)|ut", 2)
Found = tuple[str, str]  # a form and its reason


@dataclass(frozen=True)
class Plausible:
    """Harmless, close and near swaps, up to a level."""

    level: int = field(default=2, metadata={"help": "1 harmless, 2 close, 3 near"})

    def __post_init__(self) -> None:
        require(self.level in LEVELS, "The level is 1 (harmless), 2 (close) or 3 (near).")

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        synonyms = Synonym()(words) if self.level > 1 else ()
        neighbours = Embedding()(words) if self.level > 2 else ()
        columns = []
        for place, (word, own) in enumerate(zip(words, tag(words), strict=True)):
            found = list(_listed(words, place, own, self.level))
            if synonyms and _reading(word, own) is None:
                found += _related(word, synonyms[place], 2)
            if neighbours:
                found += _related(word, synonyms[place], 3)
                found += _related(word, neighbours[place], 3)
            fitting = (one for one in found if _fits(words[place - 1] if place else "", one[0]))
            note = _note(words, place, own)
            columns.append(Column(note=note) if note else column(word, fitting, "none is known"))
        return tuple(columns)


def _reading(word: str, own: str) -> Reading | None:
    return next(readings(stem(word)[0].lower(), own, thesaurus()), None)


def _note(words: Sequence[str], place: int, own: str) -> str:
    """Why a word stays whatever is known of it, or nothing."""
    word = words[place]
    if word.lower() in FUNCTION:
        return ""
    if note := refusal(word, own):
        return note
    reading = _reading(word, own)
    phrase = fixed_phrase(words, place, reading.entry) if reading else ""
    return f'part of "{phrase}"' if phrase else ""


def _listed(words: Sequence[str], place: int, own: str, level: int) -> Iterator[Found]:
    """What the thesaurus offers for the sense that the word has here, the surest first."""
    word = words[place]
    if other := FUNCTION.get(word.lower()):
        yield other, "harmless: the same function"
        return
    reading = _reading(word, own)
    if reading is None or refusal(word, own):
        return
    senses = thesaurus()[reading.entry]
    near = likeness(words, place, reading.entry)
    for own_level, least in ((1, SURE), (2, 0.0)):
        if own_level > level:
            return
        listed = [s.harmless if own_level == 1 else (*s.harmless, *s.close) for s in senses]
        for synonym in dict.fromkeys(name for names in listed for name in names):
            fitting = [number for number, names in enumerate(listed) if synonym in names]
            if margin(near, fitting) < least or " " in synonym:
                continue  # of another sense, or of several words, which no column can hold
            form = inflect(f"{synonym}.{reading.part}", reading.tag)
            likeliest = max(fitting, key=near.__getitem__)
            if form:
                yield form, f"{LEVELS[own_level]}: {senses[likeliest].gloss}"


def _related(word: str, found: Column, level: int) -> Iterator[Found]:
    """Candidates of another substitution; close ones must be near neighbours too."""
    for one in found.substitutes:
        near = cosine(stem(word)[0].lower(), stem(one.word)[0].lower())
        if level > 2 or (near or 0.0) >= NEIGHBOUR:
            yield one.word.lower(), f"{LEVELS[level]}: {one.reason}"


def _fits(before: str, form: str) -> bool:
    """Whether ``a`` or ``an`` before the word stays right."""
    closed = _CLOSED.match(form) is not None
    return before.lower() not in ("a", "an") or closed == (before.lower() == "a")
