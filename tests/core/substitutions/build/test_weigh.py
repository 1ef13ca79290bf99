"""The two lexicons of sememes, side by side."""

import gc
import gzip
import json
import zipfile
from pathlib import Path

import pytest

from core.substitutions.build import sources, weigh, wordnet
from tests.toys.tiny_wordnet import BAD, MOVIE, READER, write_wordnet


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
