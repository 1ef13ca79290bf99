"""Backups hold everything, and a damaged one changes nothing."""

import hashlib
import json
import threading
from pathlib import Path

import pytest

from core.errors import InputError
from core.study import access, drafts, dump, exports, migrations, monitoring, organising, rating
from core.study.creating import create
from core.study.database import Database
from core.study.rating import GivenAnswer
from tests.toys.small_study import small
from tests.toys.study import plan, start, tokens


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
