"""Files that leave the app and come back: exports, imports, backups, the demonstration."""

import csv
import hashlib
import io
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text, update

from core.errors import InputError
from core.study import (
    access,
    demonstration,
    drafts,
    dump,
    exports,
    migrations,
    monitoring,
    organising,
    rating,
)
from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.demonstration import demonstrate, remove_demonstration
from core.study.design import Design
from core.study.items import Item
from core.study.judgements import judged_items
from core.study.rating import GivenAnswer
from core.study.report import latex_table, methods_paragraph, shown
from core.study.results import Estimate, results
from core.study.tables import Assignment, Rating
from core.study.wording import Wording
from tests.toys.memory import refusal
from tests.toys.study import LABELS, plan, rate_all, start, tokens


def small(database: Database) -> str:
    """A study with ratings of two raters, a correction, and one of them excluded."""
    study = create(database, plan())
    one, other, *_ = tokens(database, study)
    rate_all(database, one, "positive", 3)
    rate_all(database, other, "negative", 1)
    last = rating.visit(database, one).previous
    task = rating.visit(database, one, last).task
    assert task is not None
    rating.save(database, one, task, GivenAnswer("negative", 0), 2.0)
    second = monitoring.rater_progress(database, study)[1]
    organising.exclude(database, second.id, "asked to leave")
    return study


def rows(content: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content)))


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


def test_the_latex_table_and_the_paragraph_have_the_real_numbers(database: Database) -> None:
    study = small(database)
    about, table = monitoring.study(database, study), results(judged_items(database, study))
    latex = latex_table(about, table)
    assert latex.index("original input &") < latex.rindex(r"\midrule") < latex.index("ls &")
    assert r"\begin{tabular}" in latex
    assert "by 1 rater." in latex
    assert "a tie counts as not valid" in latex
    assert r"Percep. & Ties \\" in latex
    assert "simulated" not in latex
    told = methods_paragraph(about, table, monitoring.rater_progress(database, study))
    assert told.startswith("In all, 1 rater gave 4 ratings of 4 items (")
    assert "Each had a random order of their own (seed 1), and nobody saw two variants" in told
    assert "0 of 1 attention check as" in told
    assert "Left out: 1 rater (asked to leave)." in told
    assert "They answered on " in told
    assert told.count("cannot be computed") == 2  # all coefficients in one sentence, and a note
    empty = create(database, plan("50 % & more_{x}\\~^"))
    nothing = results(judged_items(database, empty))
    about = monitoring.study(database, empty)
    assert r"50 \% \& more\_\{x\}\textbackslash{}\textasciitilde{}\textasciicircum{}" in (
        latex_table(about, nothing)
    )
    assert "0 raters gave 0 ratings" in methods_paragraph(about, nothing, [])


def test_the_table_tells_of_ties_and_the_paragraph_of_tests_victims_and_days(
    sqlite: Database,
) -> None:
    items = tuple(
        Item(f"{method} {n}", "positive", f"s{n}", method, victim="bert")
        for method in ("ls", "pso")
        for n in range(6)
    )
    design = Design(2, 2, gap=1)
    study = create(sqlite, StudyPlan("Ties", LABELS, items, design=design))
    one, other = tokens(sqlite, study)
    rate_all(sqlite, one)
    start(sqlite, other)
    while task := rating.visit(sqlite, other).task:
        lost = task.text.startswith("pso")
        rating.save(sqlite, other, task, GivenAnswer(LABELS[not lost], 1 if lost else 3), 1.0)
    with sqlite.writing() as session:  # the first answer of the study
        first = select(Assignment.id).where(Assignment.position == 1).limit(1).scalar_subquery()
        session.execute(
            update(Rating).where(Rating.assignment_id == first).values(rated_at=1_700_000_000)
        )
    about, table = monitoring.study(sqlite, study), results(judged_items(sqlite, study))
    latex = latex_table(about, table)
    assert "pso & 6 & 0.0 [0.0, 0.0] & 2.00 [2.00, 2.00] & 6 \\\\\n" in latex
    assert "by 2 raters." in latex
    told = methods_paragraph(about, table, monitoring.rater_progress(sqlite, study))
    assert told.startswith("The adversarial examples attack bert. In all, 2 raters gave 24 ratings")
    assert "with variants of one source at least 1 place apart." in told
    assert "They answered from 14 November 2023 to " in told
    assert (
        "On the 6 sources with both ls and pso, only ls is valid on 6 and only pso on 0: a "
        "difference of +100.0 points (exact McNemar test, two-sided p = 0.0625)."
    ) in told
    assert "corrected by Holm's method" in told
    assert "Raters tie on 6 items" in told


def test_numbers_are_shown_with_their_interval() -> None:
    assert shown(None) == "--"
    assert shown(Estimate(0.5, None, None), 100, 1) == "50.0"
    assert shown(Estimate(2.0, 1.5, 2.25)) == "2.00 [1.50, 2.25]"


def test_a_backup_holds_everything_and_can_change_the_kind_of_database(
    database: Database, tmp_path: Path
) -> None:
    study = small(database)
    before = exports.study_json(database, study)
    links = tokens(database, study)
    file = tmp_path / "backup.ndjson"
    written = dump.backup(database, file)
    other = Database(f"sqlite:///{tmp_path / 'other.sqlite'}")
    assert dump.restore(other, file) == written
    after = json.loads(exports.study_json(other, study))
    expected = json.loads(before)
    for part in ("study", "labels", "items", "raters", "assignments", "ratings", "corrections"):
        key = json.dumps
        if part == "study":
            assert after[part] == expected[part]
        else:
            assert sorted(map(key, after[part])) == sorted(map(key, expected[part]))
    assert rating.visit(other, links[0]).stage == "done"  # links go on working
    with pytest.raises(InputError, match="holds 1 studies"):
        dump.restore(other, file)
    organising.remove(database, study)
    create(database, plan("Later"))
    dump.restore(database, file, replace=True)
    assert [one.name for one in monitoring.studies(database)] == ["A study"]
    other.close()


def test_a_backup_of_the_first_schema_is_brought_up_to_date(
    sqlite: Database, tmp_path: Path
) -> None:
    create(sqlite, plan())
    file = tmp_path / "backup.ndjson"
    dump.backup(sqlite, file)
    lines = [json.loads(line) for line in file.read_text().splitlines()[:-1]]
    lines[0]["version"] = 1
    for line in lines:
        for column in ("open_hash", "open_places", "replaces_id", "salt"):
            line.pop(column, None)
    body = b"".join(dump._line(line) for line in lines)
    digest = hashlib.sha256(body).hexdigest()
    file.write_bytes(body + dump._line({"sha256": digest}))
    dump.restore(sqlite, file, replace=True)
    assert [one.open_places for one in monitoring.studies(sqlite)] == [None]
    with sqlite.reading() as session:
        assert migrations.version(session.connection()) == len(migrations.MIGRATIONS)


def test_a_backup_is_consistent_while_raters_work(database: Database, tmp_path: Path) -> None:
    study = create(database, plan(sources=12))
    links = tokens(database, study)
    for link in links:
        start(database, link)
    stop = threading.Event()

    def work(link: str) -> None:
        while not stop.is_set() and (task := rating.visit(database, link).task):
            rating.save(database, link, task, GivenAnswer("positive", 1), 1.0)

    threads = [threading.Thread(target=work, args=(link,)) for link in links[:3]]
    for thread in threads:
        thread.start()
    for number in range(3):
        file = tmp_path / f"{number}.ndjson"
        dump.backup(database, file)
        other = Database(f"sqlite:///{tmp_path / f'{number}.sqlite'}")
        dump.restore(other, file)  # the rules of the schema hold, or this fails
        other.close()
    stop.set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(
    "fault",
    [
        *("cut", "changed", "newer", "other", "text", "column", "missing"),
        *("list", "row", "number", "table", "nested"),
    ],
)
def test_a_damaged_backup_changes_nothing(sqlite: Database, tmp_path: Path, fault: str) -> None:
    create(sqlite, plan())
    file = tmp_path / "backup.ndjson"
    dump.backup(sqlite, file)
    lines = file.read_bytes().splitlines(keepends=True)

    def signed(body: list[bytes]) -> bytes:
        whole = b"".join(body)
        return whole + dump._line({"sha256": hashlib.sha256(whole).hexdigest()})

    content = {
        "cut": b"".join(lines[:-3]),
        "changed": b"".join(lines).replace(b"Rater 1", b"Rater 9"),
        "newer": signed([lines[0].replace(b'"version": ', b'"version": 9'), *lines[1:-1]]),
        "other": signed([b'{"format": "other", "version": 1}\n']),
        "text": b"hello\n",
        "column": signed([lines[0], b'{"table": "studies", "id; DROP TABLE items": 1}\n']),
        "list": signed([lines[0], b'{"table": "studies", "id": ["x"]}\n']),
        "row": signed([lines[0], b"[1]\n"]),
        "number": signed([lines[0], b'{"table": "studies", "id": ' + b"9" * 30 + b"}\n"]),
        "table": signed([lines[0], b'{"table": ["studies"]}\n']),
        "nested": signed([lines[0], b'{"table": ' + b"[" * 100_000 + b"\n"]),
        "missing": None,
    }[fault]
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    with pytest.raises(InputError):
        dump.restore(sqlite, file, replace=True)
    assert [one.name for one in monitoring.studies(sqlite)] == ["A study"]


def test_a_backup_that_cannot_be_written_is_a_sentence(sqlite: Database, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Could not write"):
        dump.backup(sqlite, tmp_path / "no" / "folder.ndjson")


def test_a_backup_keeps_the_draft_and_forgets_wrong_passphrases(
    database: Database, tmp_path: Path
) -> None:
    drafts.save(database, {"name": "Not yet created"})
    access.count_try(database, "192.0.2.1", "a session", 0.0)
    file = tmp_path / "backup.ndjson"
    dump.backup(database, file)
    assert "wrong_tries" not in file.read_text()
    drafts.drop(database)
    dump.restore(database, file)
    assert drafts.read(database, ["name"])["name"][1] == "Not yet created"
    assert access.forget_tries(database) == 0


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


def test_the_demonstration_is_there_once_marked_and_removable(database: Database) -> None:
    study = demonstrate(database)
    assert demonstrate(database) == study
    (about,) = monitoring.studies(database)
    assert about.simulated
    assert "simulated" in about.name
    assert (about.expected, about.done) == (126, 126)
    raters = monitoring.rater_progress(database, study)
    assert all(rater.name.startswith("Simulated") for rater in raters)
    assert [rater.number for rater in raters if not rater.checks_right] == [demonstration.CARELESS]
    table = results(judged_items(database, study))
    assert [line.group for line in table.rows] == ["ls", "pso", "original input"]
    assert "simulated" in methods_paragraph(about, table, raters)
    assert "simulated" in latex_table(about, table)
    assert {row["simulated"] for row in rows(exports.long_csv(database, study))} == {"1"}
    own = create(database, plan())
    remove_demonstration(database)
    remove_demonstration(database)
    assert [one.id for one in monitoring.studies(database)] == [own]
    with database.reading() as session:
        assert session.execute(text("SELECT COUNT(*) FROM ratings")).scalar() == 0


def test_the_demonstration_is_the_same_every_time(sqlite: Database, tmp_path: Path) -> None:
    other = Database(f"sqlite:///{tmp_path / 'other.sqlite'}")
    tables = [results(judged_items(one, demonstrate(one))) for one in (sqlite, other)]
    assert tables[0] == tables[1]
    assert len(demonstration.plan().items) == 40
    other.close()


@pytest.mark.parametrize(
    "wrong",
    [{"scale": ("a",)}, {"scale": ("a", "a", "b", "c", "d")}, {"consent": " "}, {"title": ""}],
    ids=str,
)
def test_wording_that_raters_could_not_use_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Wording(**wrong)
