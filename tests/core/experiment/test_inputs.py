"""Data sets: every kind of file, and a report of what was left out and why."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core import InputError
from core.experiment.data import BUNDLED, Limits, Source
from core.experiment.inputs import REASONS, Input, load
from core.tasks import TASKS
from core.tasks.answering import NO_ANSWER
from core.victims.recipes import LABELS
from tests.toys.rows import BAD, GOOD, read


def test_pairs_have_a_premise_that_is_kept_apart(tmp_path: Path) -> None:
    rows = [("neutral", "A man eats.", GOOD), ("neutral", " ", BAD), ("neutral", "Rain.", GOOD)]
    lines = [json.dumps(dict(zip(("label", "before", "text"), row, strict=True))) for row in rows]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    source = Source(file="a.jsonl", context=(("premise", "before"),))
    found = read(tmp_path, source, LABELS["snli"], pairs=True)
    assert found.used == (
        Input(1, GOOD, ("neutral",), {"premise": "A man eats."}),
        Input(3, GOOD, ("neutral",), {"premise": "Rain."}),
    )
    assert [skip.reason for skip in found.skipped] == ["empty"]
    with pytest.raises(InputError, match="read a premise beside the text; name its column"):
        read(tmp_path, Source(file="a.jsonl"), LABELS["snli"], pairs=True)


def messy_rows() -> list[tuple[bytes, str]]:
    """10,000 rows with what becomes of each."""
    rows = []
    for number in range(10_000):
        text = f"{GOOD} Number {number} of many that were written."
        row, fate = f"positive,{text}".encode(), "used"
        match number % 20:
            case 3:
                row, fate = f"positive,caf\xe9 {text}".encode("latin-1"), "encoding"
            case 5:
                row, fate = b"negative,   ", "empty"
            case 7:
                row, fate = f"meh,{text}".encode(), "label"
            case 9:
                row, fate = (
                    f"positive,{GOOD} Number 0 of many that were written.".encode(),
                    ("duplicate"),
                )
            case 11:
                row, fate = b"positive,Too short.", "too_short"
            case 13:
                row, fate = b"positive," + b"word " * 101, "too_long"
            case 15:
                row, fate = b"positive", "broken"
            case 17:
                row, fate = f"positive,\x00 {text}".encode(), "unusable"
        rows.append((row, fate))
    return rows


def test_ten_thousand_messy_rows_end_in_a_report(tmp_path: Path) -> None:
    rows = messy_rows()
    content = b"label,text\n" + b"\n".join(row for row, _ in rows) + b"\n"
    (tmp_path / "messy.csv").write_bytes(content)
    found = read(tmp_path, Source(file="messy.csv"))
    fates = {each.row: "used" for each in found.used}
    fates |= {skip.row: skip.reason for skip in found.skipped}
    assert [fates[number] for number in range(1, 10_001)] == [fate for _, fate in rows]
    assert Counter(fates.values()) == {
        "used": 6_000,
        **dict.fromkeys(("encoding", "empty", "label", "duplicate", "too_short", "too_long"), 500),
        "broken": 500,
        "unusable": 500,
    }
    report = found.report()
    assert report[0] == "10,000 rows read, 6,000 used."
    assert "500 skipped: the text is not valid UTF-8 (first: row 4)." in report
    about = REASONS["label"]
    assert f'500 skipped: {about} (first: row 8, "meh").' in report
    assert "500 skipped: the same text is in an earlier row (first: row 10, as row 1)." in report
    assert len(report) == 9


def test_a_sample_is_the_same_each_time_and_another_with_another_seed(tmp_path: Path) -> None:
    one = read(tmp_path, Source(bundled="sentiment"), limits={"rows": 10})
    same = read(tmp_path, Source(bundled="sentiment"), limits={"rows": 10})
    other = read(tmp_path, Source(bundled="sentiment"), limits={"rows": 10, "sample_seed": 1})
    assert one == same
    assert len(one.used) == len(other.used) == 10
    assert one.used != other.used
    assert Counter(skip.reason for skip in one.skipped) == {"not_drawn": 54}
    assert [each.row for each in one.used] == sorted(each.row for each in one.used)


@pytest.mark.parametrize(
    ("name", "data"), [("sentiment", "sst2"), ("news", "ag"), ("entailment", "snli")]
)
def test_the_bundled_sentences_fit_the_papers_rules(tmp_path: Path, name: str, data: str) -> None:
    found = read(tmp_path, Source(bundled=name), LABELS[data], pairs=name == "entailment")
    assert found.skipped == ()
    assert len(found.used) >= 60
    counts = Counter(each.reference_text for each in found.used)
    assert set(counts) == set(LABELS[data])
    assert len(set(counts.values())) == 1
    assert all(10 <= each.words <= 40 for each in found.used)
    assert all(bool(each.context) == (name == "entailment") for each in found.used)


@pytest.mark.parametrize(("name", "least"), [("questions", 30), ("captions", 40)])
def test_bundled_questions_and_sentences_to_translate(
    tmp_path: Path, name: str, least: int
) -> None:
    found = load(Source(bundled=name), Limits(), TASKS[BUNDLED[name]](()), tmp_path)
    assert found.skipped == ()
    assert len(found.used) >= least
    assert all(10 <= each.words <= 40 for each in found.used)
    if name == "questions":
        none = [each for each in found.used if each.reference == (NO_ANSWER,)]
        assert 5 <= len(none) < len(found.used) / 2
        assert all(len(each.context["passage"]) < 600 for each in found.used)
