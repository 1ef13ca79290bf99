"""The order of the tests."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
# Files that wait long for servers, browsers and processes: at the end of a run one of them would
# leave the other workers with nothing to do.
FIRST = ("server", "browser", "core/study/test_load.py", "core/experiment", "core/quality", "app")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        within = item.path.relative_to(HERE)
        known = (n for n, name in enumerate(FIRST) if within.is_relative_to(name))
        return next(known, len(FIRST))

    items.sort(key=place)
