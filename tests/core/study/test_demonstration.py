"""The study that shows how it all looks."""

from pathlib import Path

from sqlalchemy import text

from core.study import demonstration, exports, monitoring
from core.study.creating import create
from core.study.database import Database
from core.study.demonstration import demonstrate, remove_demonstration
from core.study.judgements import judged_items
from core.study.report import latex_table, methods_paragraph
from core.study.results import results
from tests.toys.small_study import rows
from tests.toys.study import plan


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
