"""Tables of substitutes that visitors bring: kept in memory, and named by what they hold."""

from hashlib import blake2b
from typing import Final
from weakref import WeakValueDictionary

import streamlit as st

from app.shared import pickers
from core import SUBSTITUTIONS
from core.errors import CoreError, InputError, require
from core.substitutions.protocol import FILE
from core.substitutions.table import SHAPE, SubstituteTable, read

MOST_BYTES: Final = 200_000  # of one table: some ten thousand pairs
# Each visitor keeps one table; a link to it works for others while that visitor is here.
_tables: WeakValueDictionary[str, SubstituteTable] = WeakValueDictionary()


def needs_file(method: str) -> bool:
    """Whether a substitution is a table of the visitor's."""
    return FILE in SUBSTITUTIONS[method].card


def without_file(first: str) -> list[str]:
    """The substitutions that need no file, the one to start with first."""
    return [name for name in pickers.options(SUBSTITUTIONS, first) if not needs_file(name)]


def keep(data: bytes, name: str) -> str:
    """Keep the table of this visitor; gives the name by which links find it."""
    most = f"{MOST_BYTES // 1_000} kB"
    require(len(data) <= MOST_BYTES, f"{name} is larger than {most}; keep the words you need.")
    table, digest = read(data, name), blake2b(data, digest_size=8).hexdigest()
    _tables[digest] = st.session_state["own.table"] = _tables.get(digest, table)
    return digest


def find(options: tuple[str, ...]) -> SubstituteTable:
    """The table that the settings name; never a file of the server."""
    digest = options[-1].removeprefix(f"{FILE}=") if options else ""
    if table := _tables.get(digest):
        return table
    raise InputError(
        "The table of this link is not here any more; choose its file again."
        if digest
        else f"Choose your table above: {SHAPE}."
    )


def choose(method: str) -> None:
    """Let the visitor bring a table; its name becomes a setting of the substitution."""
    file = st.file_uploader(
        "Your table (CSV: word,substitute)", ["csv"], key="own.file", max_upload_size=1
    )
    if file is None or file.file_id == st.session_state.get("own.known"):
        return
    try:
        setting = f"{FILE}={keep(file.getvalue(), file.name)}"
    except CoreError as error:
        st.error(pickers.plain(str(error)))
        return
    st.session_state["own.known"] = file.file_id
    pickers.set_settings("substitution_option", method, setting)
