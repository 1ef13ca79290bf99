"""WordNet synonyms as in PWWS (Ren et al., 2019).

Departs from PWWS unless ``strict``: synonyms are re-inflected like the word they replace (PWWS
keeps only those that happen to carry its tag), only senses and parts of speech that are usual for
both words count, and stop words, contractions and names are left alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.substitutions.columns import column, is_fit, refusal, stem
from core.substitutions.entities import Entities, swap
from core.substitutions.morphology import inflect, part_of, readings
from core.substitutions.protocol import Column
from core.substitutions.tagging import tag
from core.substitutions.wordnet import Sense, wordnet
from core.text import remembered, split

# How usual a sense must be for the word and for its synonym, compared with the most usual sense of
# each. Rare senses of a word serve only where its usual ones have no synonym.
STAGES = ((0.1, 0.05), (0.0, 0.1))
BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being"})
PART = 0.2  # how usual a part of speech must be for the synonym


@dataclass(frozen=True)
class Synonym:
    """Words of the same WordNet sense."""

    strict: bool = field(default=False, metadata={"help": "PWWS to the letter: no re-inflection"})
    entities: Entities | None = None

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        find = _strict if self.strict else _inflecting
        columns = tuple(find(word, own) for word, own in zip(words, tag(words), strict=True))
        return columns if self.entities is None else swap(words, columns, self.entities)


@remembered(1 << 14)
def _inflecting(word: str, own: str) -> Column:
    if note := refusal(word, own) or ("" if part_of(own) else f"part of speech {own}"):
        return Column(note=note)
    lexicon = wordnet()
    reading = next(readings(stem(word)[0].lower(), own, lexicon.entries), None)
    if reading is None:
        return Column(note="not in WordNet")

    def found(own_sense: float, other_sense: float) -> Iterator[tuple[str, str]]:
        for sense in lexicon.senses(reading.entry, own_sense):
            for name in sense.words:
                entry = f"{name}.{reading.part}"
                usual = lexicon.means(entry, sense) >= other_sense
                if entry == reading.entry or not usual or lexicon.share(entry) < PART:
                    continue
                form = inflect(entry, reading.tag)
                if is_fit(form, name):
                    yield form, _reason(sense)

    stages = (column(word, found(*stage), "no synonym in WordNet") for stage in STAGES)
    return max(stages, key=lambda stage: bool(stage.substitutes))


@remembered(1 << 14)
def _strict(word: str, own: str) -> Column:
    parts = "nvar" if own == "CC" else part_of(own)
    if not parts:
        return Column(note=f"part of speech {own}")
    lexicon = wordnet()
    entries = [r for r in readings(word.lower(), own, lexicon.entries) if r.part in parts]
    lemmas = {reading.lemma for reading in entries}
    if word.lower() in BE:
        return Column(note="a form of be")
    if not entries:
        return Column(note="not in WordNet")

    def found() -> Iterator[tuple[str, str]]:
        for reading in entries:
            for sense in lexicon.senses(reading.entry):
                for name in sense.words:
                    first = split(name.replace("_", " ")).words[:1]
                    if first and first[0].lower() not in lemmas and tag(first)[0] == own:
                        yield first[0], _reason(sense)

    return column(word, found(), f"no synonym is tagged {own}")


def _reason(sense: Sense) -> str:
    return f"{sense.name}: {sense.gloss}"
