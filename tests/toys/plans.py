"""A small plan as plain data."""

from collections.abc import Mapping
from typing import Any

SMALL: Mapping[str, Any] = {
    "name": "small",
    "victims": ["toy"],
    "substitutions": ["toy"],
    "searches": ["ls"],
    "data": {"bundled": "sentiment"},
}


def with_(**changes: Any) -> dict[str, Any]:
    return {**SMALL, **changes}
