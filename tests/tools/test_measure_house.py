"""What the measure of the house counts."""

from pathlib import Path

from tests.tools.measure_house import by_room, circles, imports, longest_chain, mirrored, sizes


def house(root: Path) -> Path:
    """Four layers, with a chain of four modules and a circle of two."""
    files = {
        "core/__init__.py": "",
        "core/low.py": "import os\n",
        "core/parts/__init__.py": "from core.low import x\n",
        "core/parts/one.py": "from core import parts\nfrom core.parts import two\n",
        "core/parts/two.py": "if 1:\n    from core.parts.one import x\n",
        "app/board.py": "def show():\n    from core.parts import one\n",
        "pages/race.py": "import app.board\nfrom core.parts import one, x\n",
        "tests/test_low.py": "assert True\n\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_imports_at_the_top_level_are_counted_and_those_in_functions_are_not(
    tmp_path: Path,
) -> None:
    graph = imports(house(tmp_path))
    assert graph["core.parts.one"] == {"core.parts", "core.parts.two"}
    assert graph["core.parts.two"] == {"core.parts.one"}
    assert graph["app.board"] == set()
    assert graph["pages.race"] == {"app.board", "core.parts", "core.parts.one"}


def test_the_longest_chain_goes_once_through_a_circle(tmp_path: Path) -> None:
    graph = imports(house(tmp_path))
    assert circles(graph) == [{"core.parts.one", "core.parts.two"}]
    chain = ["pages.race", "core.parts.one", "core.parts.two", "core.parts", "core.low"]
    assert longest_chain(graph) == chain
    assert longest_chain(by_room(graph)) == ["pages", "core.parts", "core.low"]


def test_files_and_lines_of_each_layer(tmp_path: Path) -> None:
    assert sizes(house(tmp_path)) == {
        "core": (5, 6),
        "app": (1, 2),
        "pages": (1, 2),
        "tests": (1, 2),
    }


def test_modules_with_tests_of_their_name(tmp_path: Path) -> None:
    root = house(tmp_path)
    assert mirrored(root) == (1, 5)  # core/low.py, by a test above its room
    (root / "tests/core/parts").mkdir(parents=True)
    (root / "tests/core/parts/test_two.py").touch()
    (root / "tests/app").mkdir()
    (root / "tests/app/test_one.py").touch()
    assert mirrored(root) == (2, 5)
