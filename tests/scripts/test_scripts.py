"""The scripts of the pages: their own tests in node, their form, and what a browser gets of them.

By hand, in this folder: ``npm ci``, then ``npm test``, ``npm run lint`` and ``npm run format``.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import streamlit as st

from app.shared.components import component
from core import bundle

HERE = Path(__file__).parent
COMPONENTS = ("explore", "stepper", "board", "questions", "tour")
OLDEST = (20, 19)  # node that the tools run on
LINE = 100


def run(*command: str, text: str | None = None) -> str:
    """What a command prints; what it complains about is the test's message."""
    done = subprocess.run(command, cwd=HERE, input=text, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, (
        f"{' '.join(command)}\n{done.stdout[-8_000:]}{done.stderr[-8_000:]}"
    )
    return done.stdout


@pytest.fixture(scope="module")
def node() -> str:
    """Node, recent enough."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed: the scripts are not tested on their own")
    major, minor, _ = run(found, "--version").strip().removeprefix("v").split(".")
    if (int(major), int(minor)) < OLDEST:
        pytest.skip(f"node {major}.{minor} is too old for the tests of the scripts")
    return found


@pytest.fixture(scope="module")
def npm(node: str) -> str:
    """npm, with the tools in the versions of package-lock.json."""
    found = shutil.which("npm")
    if found is None:
        pytest.skip("npm is not installed: the scripts are not tested on their own")
    wanted = (HERE / "package-lock.json").read_text(encoding="utf-8")
    installed = HERE / "node_modules" / ".installed"
    if not installed.exists() or installed.read_text(encoding="utf-8") != wanted:
        run(found, "ci")
        installed.write_text(wanted, encoding="utf-8")
    return found


def test_the_scripts_own_tests_pass(npm: str) -> None:
    report = run(npm, "test", "--silent", "--", "--test-reporter=tap")
    counted = {name: int(number) for name, number in re.findall(r"^# (\w+) (\d+)$", report, re.M)}
    assert counted["pass"] == counted["tests"] > 0


def test_the_linter_finds_nothing(npm: str) -> None:
    run(npm, "run", "--silent", "lint")


def test_the_scripts_have_the_formatters_form(npm: str) -> None:
    run(npm, "run", "--silent", "check")


@pytest.mark.parametrize("folder", [bundle.FOLDER, HERE])
def test_lines_are_short(folder: Path) -> None:
    texts = [path for path in folder.iterdir() if path.suffix in {".js", ".css", ".html"}]
    assert texts
    for path in texts:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            assert len(line) <= LINE, f"{path.name}:{number}"


def test_the_tools_are_pinned_and_come_from_no_named_registry() -> None:
    package = (HERE / "package.json").read_text(encoding="utf-8")
    versions = re.findall(r'^    "[@\w/-]+": "([^"]+)",?$', package.partition("devDep")[2], re.M)
    assert len(versions) == 4
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
    lock = (HERE / "package-lock.json").read_text(encoding="utf-8")
    assert '"integrity"' in lock
    assert '"resolved"' not in lock


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_component_is_a_module_that_a_browser_can_load(
    node: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, str] = {}
    monkeypatch.setattr(st.components.v2, "component", lambda key, **parts: given.update(parts))
    component(name)
    mount = f"mount{name.capitalize()}"
    assert given["js"].endswith(f"export default {mount};\n")
    assert run(node, "--input-type=module", text=f"{given['js']}console.log(typeof {mount})") == (
        "function\n"
    )
    assert given["html"].startswith("<div class=")
    assert "@import" not in given["css"]


def test_the_shell_is_a_script_that_a_browser_can_load(node: str) -> None:
    script = bundle.script("shell.js", last="console.log(typeof startShell);")
    assert run(node, "--input-type=module", text=script) == "function\n"


def test_every_file_is_part_of_something() -> None:
    """A script or style sheet that nothing imports is a leftover."""
    folder = bundle.FOLDER
    entries = {"shell", *COMPONENTS}
    for ending in ("js", "css"):
        used = {f"{entry}.{ending}" for entry in entries}
        for path in folder.glob(f"*.{ending}"):
            used |= set(re.findall(r'"\./([\w-]+\.\w+)"', path.read_text(encoding="utf-8")))
        assert {path.name for path in folder.glob(f"*.{ending}")} == used
