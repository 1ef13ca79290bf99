"""Settings of a part from texts such as ``exchange=any``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from types import NoneType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

from core.errors import InputError
from core.registry import find

T = TypeVar("T")

DIGITS: Final = 18  # of a number in an address, at most
_SWITCH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


@dataclass(frozen=True)
class Choice:
    """A substitution or a search by name, with its options and constraints."""

    method: str
    options: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """How tables call it."""
        settings = (*self.options, *self.constraints)
        return f"{self.method} ({', '.join(settings)})" if settings else self.method


def configure(part: T, texts: Sequence[str]) -> T:
    """The same part with some settings changed; an unknown name or a wrong value is named."""
    changes = settings(part, texts)
    return replace(part, **changes) if changes else part  # type: ignore[type-var]


def ignored(part: Any, texts: Sequence[str]) -> list[str]:
    """A sentence for each setting that was given up, with the reason; old links still have it."""
    retired: Mapping[str, str] = getattr(part, "retired_settings", {})
    names = dict.fromkeys(text.partition("=")[0] for text in texts)
    return [f"The setting {name} is ignored: {retired[name]}." for name in names if name in retired]


def settings(part: Any, texts: Sequence[str]) -> dict[str, Any]:
    """What texts change in a part, by the names its settings have today."""
    renamed: Mapping[str, str] = getattr(part, "renamed_settings", {})
    retired: Mapping[str, str] = getattr(part, "retired_settings", {})
    hints = get_type_hints(type(part)) if is_dataclass(part) else {}
    known = {
        field.name: hints[field.name]
        for field in (fields(part) if hints else ())
        if _is_simple(hints[field.name])
    }
    changes = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f'"{text}" is not a setting; write it as NAME=VALUE.')
        name = renamed.get(name, name)
        if name not in retired:
            changes[name] = _convert(find(known, name, "setting"), name, value)
    return changes


def _is_simple(kind: Any) -> bool:
    return get_origin(kind) is Literal or set(get_args(kind) or (kind,)) <= {
        *(bool, int, float, str, NoneType)
    }


def _convert(kind: Any, name: str, value: str) -> Any:
    if get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
        raise InputError(f"{name} is one of: {', '.join(get_args(kind))}; not {value}.")
    kinds = get_args(kind) or (kind,)
    if NoneType in kinds and value.lower() == "none":
        return None
    try:
        return _SWITCH[value.lower()] if bool in kinds else kinds[0](value)
    except (KeyError, ValueError, TypeError):
        raise InputError(f'{name}: "{value}" is not a value that fits.') from None
