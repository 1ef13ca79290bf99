"""The schema as numbered steps, each applied once, in SQL that SQLite and PostgreSQL both read.

All rules about the data live here, so that no fault of the program can break them: one rating for
each assignment, only by its own rater, only with a label and a score that the study has.
"""

from collections.abc import Callable

from sqlalchemy import Connection, inspect, text

from core.errors import InputError


def m001_first(connection: Connection) -> None:
    """Studies with their items, raters, assignments and ratings."""
    for statement in _FIRST:
        connection.execute(text(statement))


def m002_open_links(connection: Connection) -> None:
    """One link that hands out places."""
    connection.execute(text("ALTER TABLE studies ADD COLUMN open_hash TEXT"))
    connection.execute(
        text("ALTER TABLE studies ADD COLUMN open_places INTEGER NOT NULL DEFAULT 0")
    )
    connection.execute(text("CREATE UNIQUE INDEX studies_open ON studies (open_hash)"))


def m003_wrong_tries(connection: Connection) -> None:
    """Wrong passphrases slow down their session and address, and lock nobody out."""
    connection.execute(text("ALTER TABLE organiser ADD COLUMN salt TEXT"))
    connection.execute(
        text(
            """
            CREATE TABLE wrong_tries (
                source TEXT PRIMARY KEY,
                wrong INTEGER NOT NULL CHECK (wrong >= 1),
                at DOUBLE PRECISION NOT NULL
            )
            """
        )
    )
    connection.execute(text("CREATE INDEX wrong_tries_at ON wrong_tries (at)"))


def m004_replacements(connection: Connection) -> None:
    """Who has taken over whose place; so far only the log of events tells."""
    connection.execute(
        text(
            "ALTER TABLE raters ADD COLUMN replaces_id TEXT"
            " REFERENCES raters (id) DEFERRABLE INITIALLY DEFERRED"
        )
    )
    connection.execute(
        text(
            """
            UPDATE raters SET replaces_id = (
                SELECT MIN(before.id) FROM events
                JOIN raters AS before
                ON before.study_id = events.study_id AND before.name = events.detail
                WHERE events.rater_id = raters.id AND events.kind = 'replaces'
                HAVING COUNT(*) = 1
            )
            """
        )
    )


def m005_draft(connection: Connection) -> None:
    """The form for a new study, field by field."""
    connection.execute(
        text(
            """
            CREATE TABLE draft (
                name TEXT PRIMARY KEY,
                content TEXT NOT NULL,
                version TEXT NOT NULL
            )
            """
        )
    )


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    *(m001_first, m002_open_links, m003_wrong_tries, m004_replacements, m005_draft),
)


def version(connection: Connection) -> int:
    """How many steps the database has seen."""
    if not inspect(connection).has_table("migrations"):
        return 0
    return int(connection.execute(text("SELECT COUNT(*) FROM migrations")).scalar_one())


def migrate(connection: Connection, upto: int = len(MIGRATIONS)) -> None:
    """Apply the steps that are missing; a database from a newer Swapscope is left alone."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(72717)"))  # one server at a time
    done = version(connection)
    if done > len(MIGRATIONS):
        raise InputError(
            "The database was made by a newer Swapscope. Update Swapscope, "
            "or name another database in SWAPSCOPE_DATABASE."
        )
    if done == 0:
        connection.execute(
            text("CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        )
    for number, step in enumerate(MIGRATIONS[done:upto], start=done + 1):
        if connection.dialect.name == "postgresql":  # no table may change before what waits is done
            for mode in ("IMMEDIATE", "DEFERRED"):
                connection.execute(text(f"SET CONSTRAINTS ALL {mode}"))
        step(connection)
        connection.execute(
            text("INSERT INTO migrations (number, name) VALUES (:number, :name)"),
            {"number": number, "name": step.__name__},
        )


_FIRST = (
    """
    CREATE TABLE studies (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (name <> ''),
        state TEXT NOT NULL CHECK (state IN ('open', 'paused', 'closed')),
        wording TEXT NOT NULL,
        design TEXT NOT NULL,
        simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
        created_at DOUBLE PRECISION NOT NULL,
        closes_at DOUBLE PRECISION
    )
    """,
    """
    CREATE TABLE labels (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        name TEXT NOT NULL CHECK (name <> ''),
        position INTEGER NOT NULL,
        PRIMARY KEY (study_id, name),
        UNIQUE (study_id, position)
    )
    """,
    """
    CREATE TABLE items (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('adversarial', 'original', 'check', 'practice')),
        text TEXT NOT NULL CHECK (text <> ''),
        context TEXT NOT NULL,
        source TEXT NOT NULL,
        method TEXT NOT NULL,
        victim TEXT NOT NULL,
        label TEXT NOT NULL,
        score INTEGER CHECK (score IN (0, 1, 2, 3, 4)),
        feedback TEXT NOT NULL,
        trace TEXT NOT NULL,
        UNIQUE (study_id, number),
        UNIQUE (id, study_id),
        FOREIGN KEY (study_id, label) REFERENCES labels (study_id, name)
    )
    """,
    """
    CREATE TABLE raters (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        token_hash TEXT UNIQUE,
        code TEXT NOT NULL,
        consented_at DOUBLE PRECISION,
        ready_at DOUBLE PRECISION,
        seen_at DOUBLE PRECISION,
        excluded TEXT NOT NULL,
        UNIQUE (study_id, number),
        UNIQUE (id, study_id),
        CHECK (ready_at IS NULL OR consented_at IS NOT NULL)
    )
    """,
    """
    CREATE TABLE assignments (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL,
        rater_id TEXT NOT NULL,
        item_id TEXT NOT NULL,
        position INTEGER NOT NULL CHECK (position >= 1),
        UNIQUE (rater_id, item_id),
        UNIQUE (rater_id, position),
        UNIQUE (id, rater_id, study_id),
        FOREIGN KEY (rater_id, study_id) REFERENCES raters (id, study_id) ON DELETE CASCADE,
        FOREIGN KEY (item_id, study_id) REFERENCES items (id, study_id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE ratings (
        assignment_id TEXT PRIMARY KEY,
        rater_id TEXT NOT NULL,
        study_id TEXT NOT NULL,
        label TEXT NOT NULL,
        score INTEGER NOT NULL CHECK (score IN (0, 1, 2, 3, 4)),
        seconds DOUBLE PRECISION NOT NULL CHECK (seconds >= 0),
        rated_at DOUBLE PRECISION NOT NULL,
        revision INTEGER NOT NULL CHECK (revision >= 0),
        FOREIGN KEY (assignment_id, rater_id, study_id)
            REFERENCES assignments (id, rater_id, study_id) ON DELETE CASCADE,
        FOREIGN KEY (study_id, label) REFERENCES labels (study_id, name)
    )
    """,
    """
    CREATE TABLE corrections (
        assignment_id TEXT NOT NULL REFERENCES ratings (assignment_id) ON DELETE CASCADE,
        revision INTEGER NOT NULL,
        label TEXT NOT NULL,
        score INTEGER NOT NULL CHECK (score IN (0, 1, 2, 3, 4)),
        seconds DOUBLE PRECISION NOT NULL CHECK (seconds >= 0),
        rated_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (assignment_id, revision)
    )
    """,
    """
    CREATE TABLE events (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        rater_id TEXT,
        at DOUBLE PRECISION NOT NULL,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL,
        FOREIGN KEY (rater_id, study_id) REFERENCES raters (id, study_id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE organiser (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        passphrase TEXT,
        failures INTEGER NOT NULL CHECK (failures >= 0),
        locked_until DOUBLE PRECISION NOT NULL
    )
    """,
    "INSERT INTO organiser (id, passphrase, failures, locked_until) VALUES (1, NULL, 0, 0)",
    "CREATE INDEX assignments_item ON assignments (item_id)",
    "CREATE INDEX ratings_study ON ratings (study_id)",
    "CREATE INDEX events_study ON events (study_id, at)",
)
