"""One shape for everything that can be chosen by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Generic, TypeVar

from core.errors import InputError, ResourceMissingError

T = TypeVar("T")


def _nothing() -> str:
    return ""


@dataclass(frozen=True)
class Entry(Generic[T]):
    """A part that can be chosen by name; call the entry to make the part."""

    make: Callable[..., T]
    about: str
    card: Mapping[str, Any] = field(default_factory=dict)
    missing: Callable[[], str] = _nothing  # why it cannot be made here and how to fix it, or ""

    def __call__(self, **options: Any) -> T:
        if reason := self.missing():
            raise ResourceMissingError(reason)
        return self.make(**options)


def find(registry: Mapping[str, T], key: str, what: str) -> T:
    """Look a key up, and name the nearest one when it is not there."""
    if key in registry:
        return registry[key]
    near = get_close_matches(key, registry, n=1)
    hint = f'Did you mean "{near[0]}"?' if near else f"Choose one of: {', '.join(registry)}."
    raise InputError(f'There is no {what} "{key}". {hint}')
