"""The project's own promises: layers, names, README."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import core
from tests.toys.places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAY_IMPORT = {"core": {"core"}, "app": {"core", "app"}, "pages": {"core", "app", "pages"}}


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_each_layer_imports_only_what_is_below_it(layer: str) -> None:
    for path in (ROOT / layer).rglob("*.py"):
        assert imported(path) & {"core", "app", "pages"} <= MAY_IMPORT[layer]
        if layer == "core":
            assert not imported(path) & {"streamlit", "plotly"}


def test_no_test_file_imports_another() -> None:
    other = re.compile(r"^\s*(from|import) tests(\.(?!toys\b|tools\b)|\b.*\btest_)", re.MULTILINE)
    for path in (ROOT / "tests").rglob("*.py"):
        assert not other.search(path.read_text(encoding="utf-8")), f"{path}: helpers are in toys"


def test_the_public_names_are_sorted_and_there() -> None:
    assert sorted(core.__all__, key=lambda name: (not name.isupper(), name)) == core.__all__
    assert all(hasattr(core, name) for name in core.__all__)


def test_the_readme_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0] == "start 0.002 1 tried, 1 queries"
    assert done.stdout.splitlines()[-1].startswith("success A quaint and often very odd film")


def test_the_readme_names_searches_and_folders_that_are_there() -> None:
    (table,) = re.findall(r"## Searches\n(.*?)\n\n[^|\n]", README, flags=re.DOTALL)
    named = re.findall(r"^\| `(.*?)` \|", table, flags=re.MULTILINE)
    assert len(named) > 9
    assert set(named) <= set(core.SEARCHES)
    for folder in ("core", "app", "pages", "assets", "tests"):
        assert f"`{folder}/" in CONTRIBUTING


def test_importing_core_is_light() -> None:
    code = "import sys, core; print([m for m in ('torch', 'pandas', 'nltk') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
