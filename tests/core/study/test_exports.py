"""Files that leave the app and come back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.study import (
    exports,
    monitoring,
    organising,
)
from core.study.creating import create
from core.study.database import Database
from core.study.judgements import judged_items
from core.study.results import Estimate, results
from tests.toys.before import BEFORE, old_study
from tests.toys.memory import refusal
from tests.toys.small_study import rows, small
from tests.toys.study import plan


def test_the_long_table_has_every_rating_also_of_excluded_raters(database: Database) -> None:
    study = small(database)
    found = rows(exports.long_csv(database, study))
    assert len(found) == 12
    assert {row["rater"] for row in found} == {"1", "2"}
    assert {row["excluded"] for row in found} == {"", "asked to leave"}
    (corrected,) = [row for row in found if row["corrections"] == "1"]
    assert (corrected["label"], corrected["score"]) == ("negative", "0")
    assert {row["kind"] for row in found} >= {"practice", "check", "adversarial"}
    assert corrected["rated_at"].endswith("+00:00")


def test_the_wide_table_has_one_line_an_item(database: Database) -> None:
    found = rows(exports.wide_csv(database, small(database)))
    assert len(found) == 6
    assert {row["rater_1_score"] for row in found} == {"3", "0"}
    assert "rater_2_score" not in found[0]


def test_no_spreadsheet_runs_what_people_wrote_unless_raw_cells_are_wanted(
    sqlite: Database,
) -> None:
    content = json.loads(exports.study_json(sqlite, small(sqlite)))
    for item in content["items"]:
        item |= {"text": f"=cmd {item['number']}", "method": "@SUM(1)", "source": "+x"}
    study = exports.import_json(sqlite, json.dumps(content), "-2+3")
    for make in (exports.long_csv, exports.wide_csv):
        for raw, mark in ((False, "'"), (True, "")):
            for row in rows(make(sqlite, study, raw=raw)):
                assert row["text"].startswith(f"{mark}=cmd")
                assert (row["method"], row["source"]) == (f"{mark}@SUM(1)", f"{mark}+x")
                assert row.get("study", f"{mark}-2+3") == f"{mark}-2+3"


def test_an_export_recreates_the_study_without_its_links(database: Database) -> None:
    study = small(database)
    content = exports.study_json(database, study)
    data = json.loads(content)
    assert data["study"]["design"] == {"per_item": 2, "raters": 6, "seed": 1, "gap": None}
    assert "token" not in content
    again = exports.import_json(database, content, "Again")
    assert results(judged_items(database, again)) == results(judged_items(database, study))
    assert rows(exports.wide_csv(database, again)) == rows(exports.wide_csv(database, study))
    strip = [{**row, "study": ""} for row in rows(exports.long_csv(database, again))]
    assert strip == [{**row, "study": ""} for row in rows(exports.long_csv(database, study))]
    copied, original = (monitoring.rater_progress(database, one) for one in (again, study))
    assert [r.code for r in copied] == [r.code for r in original]
    assert not any(rater.linked for rater in copied)
    later = json.loads(exports.study_json(database, again))
    assert {k: len(v) for k, v in later.items() if isinstance(v, list) and k != "events"} == {
        k: len(v) for k, v in data.items() if isinstance(v, list) and k != "events"
    }
    with pytest.raises(InputError, match="another name"):
        exports.import_json(database, content)


def broken(content: str, change: str) -> str:
    data = json.loads(content)
    if change == "double":
        data["ratings"].append(data["ratings"][0])
    elif change == "label":
        data["ratings"][0]["label"] = "neutral"
    elif change == "stranger":
        data["ratings"][0]["rater_id"] = data["raters"][2]["id"]
    elif change == "unknown":
        data["ratings"][0]["rater_id"] = "nobody"
    elif change == "column":
        data["items"][0]["colour"] = "red"
    elif change == "format":
        data["format"] = "other"
    elif change == "scale":
        data["study"]["wording"]["scale"] = ["one"]
    return json.dumps(data)


@pytest.mark.parametrize(
    "change", ["double", "label", "stranger", "unknown", "column", "format", "scale"]
)
def test_a_tampered_export_is_refused_whole(database: Database, change: str) -> None:
    content = broken(exports.study_json(database, small(database)), change)
    with pytest.raises(InputError):
        exports.import_json(database, content, "Again")
    assert len(monitoring.studies(database)) == 1


@pytest.mark.parametrize("content", ["", "{}", "[]", "null", "[" * 100_000])
def test_what_is_no_export_is_a_sentence(sqlite: Database, content: str) -> None:
    with pytest.raises(InputError, match="not an exported study"):
        exports.import_json(sqlite, content)


TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "a time that no clock shows": lambda data: data["study"].update(created_at=1e300),
    "a number no database keeps": lambda data: data["study"].update(closes_at=10**400),
    "a text for a time": lambda data: data["raters"][0].update(seen_at="yesterday"),
    "a text for a number": lambda data: data["items"][0].update(number="first"),
    "a switch for a number": lambda data: data["assignments"][0].update(position=True),
    "a list for a text": lambda data: data["items"][0].update(text=["x"]),
    "nothing for a text": lambda data: data["events"][0].update(detail=None),
    "no id": lambda data: data["events"][0].pop("id"),
    "half a character": lambda data: data["items"][0].update(text="\ud800"),
    "an item no study has": lambda data: data["items"][0].update(text="x" * 10_001),
    "half a rater": lambda data: data["study"]["design"].update(per_item=1.5),
    "more raters than a page counts": lambda data: data["study"]["design"].update(per_item=10**9),
    "a point of the scale": lambda data: data["study"]["wording"].update(scale=[1, 2, 3, 4, 5]),
    "a study in a list": lambda data: data.update(study=[data["study"]]),
    "ratings that are none": lambda data: data.update(ratings=7),
    "nesting": lambda data: data.update(more=json.loads("[" * 50 + "]" * 50)),
}


@pytest.mark.parametrize("fault", TAMPERED)
def test_an_export_that_would_break_a_page_is_refused_whole(sqlite: Database, fault: str) -> None:
    content = json.loads(exports.study_json(sqlite, small(sqlite)))
    TAMPERED[fault](content)
    refusal(lambda: exports.import_json(sqlite, json.dumps(content), "Again"), 20)
    assert len(monitoring.studies(sqlite)) == 1


def test_an_export_of_millions_of_objects_takes_no_memory(sqlite: Database) -> None:
    content = b'{"format": "swapscope-study-1", "study": [' + b"{}," * 3_000_000 + b"{}]}"
    said = refusal(lambda: exports.import_json(sqlite, content), 60)
    assert "lists and objects; move it by python -m core study backup" in said


def test_an_export_keeps_who_replaced_whom_and_an_old_one_without_it_is_imported(
    database: Database,
) -> None:
    study = create(database, plan())
    first, *_ = monitoring.rater_progress(database, study)
    organising.replace_rater(database, first.id, "in a hurry")
    content = json.loads(exports.study_json(database, study))
    content["raters"].reverse()  # in any order
    again = exports.import_json(database, json.dumps(content), "Again")
    assert [rater.replaces for rater in monitoring.rater_progress(database, again)] == [
        *[""] * 6,
        "Rater 1",
    ]
    (there, *_) = monitoring.rater_progress(database, again)
    with pytest.raises(InputError, match="Exclude Rater 7 first"):
        organising.include(database, there.id)
    for rater in content["raters"]:
        del rater["replaces_id"]
    old = exports.import_json(database, json.dumps(content), "Old")
    assert [rater.replaces for rater in monitoring.rater_progress(database, old)] == [""] * 7
    for wrong in (content["items"][0]["id"], "nobody"):
        content["raters"][0]["replaces_id"] = wrong
        with pytest.raises(InputError):
            exports.import_json(database, json.dumps(content), "Wrong")
    assert len(monitoring.studies(database)) == 3


def test_the_tables_of_a_study_written_before_are_the_same(tmp_path: Path) -> None:
    database, study = old_study(tmp_path)
    for write, name in ((exports.long_csv, "long"), (exports.wide_csv, "wide")):
        assert rows(write(database, study)) == rows((BEFORE / f"study.{name}.csv").read_text())
    found = results(judged_items(database, study)).rows
    database.close()
    valid = {"ga, synonym": 0.0, "ls": 1.0, "pso, synonym": 0.0, "original input": 1.0}
    assert {row.group: row.valid for row in found} == {
        group: Estimate(value, None, None) for group, value in valid.items()
    }
    for row in found:  # an item each, rated once
        assert (row.items, row.rated, row.ratings, row.ties) == (1, 1, 1, 0)
        assert (row.score, row.distribution) == (Estimate(3.0, None, None), (0, 0, 0, 1, 0))
