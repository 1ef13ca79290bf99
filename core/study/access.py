"""Who may do what: unguessable links for raters, one passphrase for the organiser.

Wrong passphrases slow down, and nobody is ever locked out: whoever has the right one gets in after
a wait that grows with the own mistakes, and hardly with those of others.
"""

import hashlib
import hmac
import os
import secrets
import time
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import require
from core.study import hashing
from core.study.database import Database
from core.study.tables import Organiser, WrongTries

ENVIRONMENT: Final = "SWAPSCOPE_PASSPHRASE"
TOKEN_BYTES: Final = 24  # 192 bits
SHORTEST: Final = 8
SHORTEST_ON_A_NETWORK: Final = 12
LONGEST: Final = 1_000
LONGEST_WAIT: Final = 60.0  # seconds that a session waits after several wrong tries
LONGEST_SHARED_WAIT: Final = 5.0  # of an address, which may be that of a whole class
REMEMBERED: Final = 3_600.0  # seconds after the last wrong try
MOST_SOURCES: Final = 10_000  # sessions and addresses that are remembered
LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none is taken for another
_SETUP_CODE: Final = "".join(secrets.choice(LETTERS) for _ in range(8))  # 40 bits


def new_token() -> str:
    """A link's secret part; only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """What is stored of a token: it needs no salt, because nobody can guess 192 random bits."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def setup_code() -> str:
    """What the terminal shows and the first organiser of an open server types; one per process."""
    return f"{_SETUP_CODE[:4]}-{_SETUP_CODE[4:]}"


def setup_code_fits(typed: str) -> bool:
    """Compare in constant time; small letters, spaces and the hyphen do not matter."""
    letters = "".join(letter for letter in typed[:LONGEST].upper() if letter.isalnum())
    return hmac.compare_digest(letters.encode("utf-8", "replace"), _SETUP_CODE.encode())


def passphrase_is_set(database: Database) -> bool:
    """Whether there is a passphrase, from the environment or stored."""
    return overridden() or _stored(database) is not None


def overridden() -> bool:
    """Whether the environment's passphrase is the one that counts."""
    return bool(os.environ.get(ENVIRONMENT))


def check_passphrase(passphrase: str, shortest: int = SHORTEST) -> None:
    """Refuse a new passphrase that is too short or too long."""
    require(len(passphrase) >= shortest, f"Use at least {shortest} characters.")
    require(len(passphrase) <= LONGEST, f"Use at most {LONGEST:,} characters.")


def set_passphrase(database: Database, passphrase: str) -> None:
    """Set the passphrase at first use; it cannot be overwritten this way."""
    check_passphrase(passphrase)
    hashed = hashing.new_hash(passphrase)
    with database.writing() as session:
        changed = session.execute(
            update(Organiser).where(Organiser.passphrase.is_(None)).values(passphrase=hashed)
        )
        fresh = changed.rowcount == 1  # type: ignore[attr-defined]
    require(fresh, "A passphrase is set already. Enter that one.")


def replace_passphrase(database: Database, passphrase: str) -> None:
    """Set another passphrase, whatever was stored before: for whoever has the database anyway."""
    check_passphrase(passphrase)
    hashed = hashing.new_hash(passphrase)
    with database.writing() as session:
        session.execute(update(Organiser).values(passphrase=hashed))


def passphrase_fits(
    database: Database, passphrase: str, address: str = "", session: str = ""
) -> bool:
    """Judge a try that was counted by ``count_try`` and has waited; a right one forgets the count.

    The environment's passphrase replaces the stored one.
    """
    chosen = os.environ.get(ENVIRONMENT)
    stored = hashing.hash_in_memory(chosen) if chosen else _stored(database)
    if stored is None or len(passphrase) > LONGEST:
        return False
    right = hashing.fits(passphrase, stored, _network(address))
    if right:
        forget_tries_of(database, address, session)
    return right


def count_try(database: Database, address: str, session: str, now: float | None = None) -> float:
    """Count a try before it is judged; gives the seconds that it has to wait first.

    It counts as wrong until it turns out right, and a session's next try waits for the one before,
    so that many at once are not quicker than one after the other. An address, which many people
    may share, waits less, and never for the tries of others to be judged.
    """
    now = time.time() if now is None else now
    with database.writing() as rows:
        own, shared = _sources(_salt(rows), address, session)
        rows.execute(delete(WrongTries).where(WrongTries.at < now - REMEMBERED))
        own_wrong, own_at = _wrong_tries(rows, own, now)
        shared_wrong, shared_at = _wrong_tries(rows, shared, now)
        pause = min(LONGEST_WAIT, 2.0 ** min(own_wrong, 6)) if own_wrong else 0.0
        shared_pause = min(LONGEST_SHARED_WAIT, float(shared_wrong))
        due = max(now, own_at + pause, min(shared_at, now) + shared_pause)
        rows.merge(WrongTries(source=own, wrong=own_wrong + 1, at=due))
        rows.merge(WrongTries(source=shared, wrong=shared_wrong + 1, at=now))
        rows.flush()
        _forget_oldest(rows)
    return due - now


def forget_tries(database: Database) -> int:
    """Nobody has to wait any more; gives how many sessions and addresses had wrong tries."""
    with database.writing() as rows:
        known = rows.scalar(select(func.count()).select_from(WrongTries)) or 0
        rows.execute(delete(WrongTries))
    return known


def forget_tries_of(database: Database, address: str, session: str) -> None:
    """What was typed turned out right: this session and address begin anew."""
    with database.writing() as rows:
        sources = _sources(_salt(rows), address, session)
        rows.execute(delete(WrongTries).where(WrongTries.source.in_(sources)))


def _stored(database: Database) -> str | None:
    with database.reading() as session:
        return session.get_one(Organiser, 1).passphrase


def _salt(rows: Session) -> str:
    """The salt of this database, made when it is first needed.

    It holds the organiser's row, so that tries are counted one after the other.
    """
    organiser = rows.get_one(Organiser, 1, with_for_update=True)
    organiser.salt = organiser.salt or secrets.token_hex(16)
    return organiser.salt


def _sources(salt: str, address: str, session: str) -> tuple[str, str]:
    """The session and the address as they are stored: neither can be read from the database."""

    def hashed(text: str) -> str:
        return hmac.new(bytes.fromhex(salt), text.encode("utf-8", "replace"), "sha256").hexdigest()

    return hashed(f"session {session}"), hashed(f"address {_network(address)}")


def _network(address: str) -> str:
    """The part of an address that its owner cannot choose: of IPv6 the first 64 bits."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address):
        if known.ipv4_mapped is not None:
            return str(known.ipv4_mapped)
        return str(ip_network((int(known), 64), strict=False))
    return str(known)


def _wrong_tries(rows: Session, source: str, now: float) -> tuple[int, float]:
    """How many, and when the last one was judged or will be."""
    known = rows.get(WrongTries, source)
    return (known.wrong, known.at) if known else (0, now)


def _forget_oldest(rows: Session) -> None:
    known = rows.scalar(select(func.count()).select_from(WrongTries)) or 0
    if known > MOST_SOURCES:
        oldest = select(WrongTries.source).order_by(WrongTries.at).limit(known - MOST_SOURCES)
        rows.execute(delete(WrongTries).where(WrongTries.source.in_(oldest)))
