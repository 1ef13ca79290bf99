"""Size of the house: ``python -m tests.tools.measure_house [--root CHECKOUT]``.

Counts the imports that stand at the top level of a module, those for types alone too. A chain is a
path of modules in which each imports the next; modules that import each other in a circle count
one by one.
"""

import argparse
import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.toys.places import ROOT

LAYERS = ("core", "app", "pages")
Graph = dict[str, set[str]]


def module_name(path: Path, root: Path) -> str:
    """``core/search/__init__.py`` is ``core.search``."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(module: str) -> str:
    """The package of a module, else the module itself: core.search, core.text, pages."""
    parts = module.split(".")
    return "pages" if parts[0] == "pages" else ".".join(parts[:2])


def _top_level(body: Iterable[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            yield from _top_level(
                [n for n in ast.walk(node) if isinstance(n, ast.stmt) and n is not node]
            )


def imports(root: Path) -> Graph:
    """What each module of core, app and pages imports of them."""
    files = {
        module_name(p, root): p for layer in LAYERS for p in sorted((root / layer).rglob("*.py"))
    }
    graph: Graph = {}
    for module, path in files.items():
        wanted: set[str] = set()
        for node in _top_level(ast.parse(path.read_text(encoding="utf-8")).body):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif node.module and not node.level:
                below = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted |= below
                if below - set(files):
                    wanted.add(node.module)
        graph[module] = (wanted & set(files)) - {module}
    return graph


def by_room(graph: Graph) -> Graph:
    """The same between rooms."""
    rooms: Graph = {room(module): set() for module in graph}
    for module, wanted in graph.items():
        rooms[room(module)] |= {room(name) for name in wanted} - {room(module)}
    return rooms


def _reached(graph: Graph) -> Graph:
    reached: Graph = {}
    for start in graph:
        seen: set[str] = set()
        todo = [start]
        while todo:
            new = graph[todo.pop()] - seen
            seen |= new
            todo += new
        reached[start] = seen
    return reached


def circles(graph: Graph) -> list[frozenset[str]]:
    """Largest groups of modules that each lead to all others."""
    reached = _reached(graph)
    groups = {frozenset({b for b in reached[a] if a in reached[b]}) for a in graph}
    return sorted((group for group in groups if group), key=sorted)


def longest_chain(graph: Graph) -> list[str]:
    """The longest chain of imports, from the module nobody imports down."""
    home = {name: group for group in circles(graph) for name in group}
    groups = {name: home.get(name, frozenset({name})) for name in graph}

    @cache
    def below(group: frozenset[str]) -> tuple[str, ...]:
        further = {groups[name] for member in group for name in graph[member]} - {group}
        return (*sorted(group), *longest(map(below, further)))

    def longest(chains: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        return max(chains, key=lambda chain: (len(chain), chain), default=())

    return list(longest(map(below, set(groups.values()))))


def sizes(root: Path) -> dict[str, tuple[int, int]]:
    """Files and lines of Python in each layer and in tests."""
    found: dict[str, tuple[int, int]] = {}
    for layer in (*LAYERS, "tests"):
        paths = [p for p in (root / layer).rglob("*.py") if "node_modules" not in p.parts]
        lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in paths)
        found[layer] = len(paths), lines
    return found


def mirrored(root: Path) -> tuple[int, int]:
    """How many modules have tests of their name, in their room or above it; and of how many."""
    modules = [path for layer in LAYERS for path in (root / layer).rglob("*.py")]
    named = [path for path in modules if not path.stem.startswith("__")]
    places = ((path, (root / "tests" / path.relative_to(root)).parents) for path in named)
    found = [
        path
        for path, above in places
        if any(
            (folder / f"test_{path.stem}.py").exists() for folder in above if root in folder.parents
        )
    ]
    return len(found), len(named)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree to measure")
    root = parser.parse_args().root
    for layer, (files, lines) in sizes(root).items():
        print(f"{layer:6} {files:4} files {lines:6} lines")
    print("{} of {} modules have tests of their name".format(*mirrored(root)))
    graph = imports(root)
    for title, kept in (("files", graph), ("rooms", by_room(graph))):
        cycles, chain = circles(kept), longest_chain(kept)
        print(f"\n{title}: {len(cycles)} import cycles, longest chain {len(chain)}")
        for cycle in cycles:
            print("  cycle: " + ", ".join(sorted(cycle)))
        print("  " + " -> ".join(chain))


if __name__ == "__main__":
    main()
