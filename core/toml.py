"""Files that people write by hand: what is in them is checked key by key."""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeAlias

from core.errors import InputError, first_line

ValueType: TypeAlias = type | tuple[type, ...]

NUMBER: Final = (int, float)
SWITCH_OR_NUMBER: Final = (bool, int, float)
_NAMES: Final[Mapping[ValueType, str]] = {
    str: "a text in quotes",
    list: "a list",
    dict: "a table",
    int: "a whole number",
    bool: "true or false",
    NUMBER: "a number",
    SWITCH_OR_NUMBER: "true, false or a number",
    (str, int): "a text in quotes or a whole number",
    (list, dict): "a list or a table",
    (list, int): "a list or a whole number",
    (str, dict): "a text in quotes or a table",
}


def read_toml(
    path: Path, name: str = "", remedy: str = "correct it and try again"
) -> dict[str, Any]:
    """The content of a file; one that cannot be read is refused with the reason and a remedy."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # wrong TOML and wrong UTF-8 are ValueErrors
        reason = error.strerror if isinstance(error, OSError) else first_line(error)
        raise InputError(f"{name or path} cannot be read ({reason}); {remedy}.") from None


def check_table(table: Mapping[str, Any], kinds: Mapping[str, ValueType], where: str) -> None:
    """Refuse unknown keys, naming the nearest right one, and values of a wrong kind."""
    for key, value in table.items():
        if key not in kinds:
            near = get_close_matches(key, kinds, n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"use {', '.join(kinds)}."
            raise InputError(f'{where} has the unknown key "{key}"; {hint}')
        check_kind(value, kinds[key], f"{where}: {key}")


def check_kind(value: object, kind: ValueType, what: str) -> None:
    """Refuse a value of a wrong kind; true and false are no numbers."""
    switch = isinstance(value, bool) and kind not in (bool, SWITCH_OR_NUMBER)
    if switch or not isinstance(value, kind):
        raise InputError(f"{what} must be {_NAMES[kind]}, not {value!r}.")
