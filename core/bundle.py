"""One text from the small files of assets/scripts, for a component or a page that stands alone.

A browser cannot follow ``import`` in a script that comes as text. So the modules that a file
imports are put before it, each once, without the words ``import`` and ``export``; they then share
their names. JavaScript is read only as its formatter writes it: what begins at the left edge is at
the top level, where one statement begins on each line. What has another form than those known
here, or could be misread, is refused. Comments and indentation are left out: a bundle travels to
the browser again and again.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.assets import FOLDER as ASSETS
from core.errors import ResourceMissingError, require

FOLDER: Final = ASSETS / "scripts"

_IMPORT: Final = re.compile(
    r'^import \{\s*((?:\w+,\s*)*\w+,?)\s*\} from "\./([\w-]+\.js)";\n', re.MULTILINE
)
_DECLARED: Final = re.compile(
    r"^(export )?((?:async )?function\*? |class |const |let )(\w+)(?=[ (;])", re.MULTILINE
)
_INSIDE: Final = re.compile(r"$|\s|//|[})\]]")  # how a line goes on, or ends what a line began
_STYLE_IMPORT: Final = re.compile(r'^@import "\./([\w-]+\.css)";\n', re.MULTILINE)
_COMMENT: Final = re.compile(r"^\s*//.*\n|^\s+", re.MULTILINE)
_STYLE_COMMENT: Final = re.compile(r"\s*/\*.*?\*/|^\s+", re.MULTILINE | re.DOTALL)
_END_OF_ELEMENT: Final = re.compile(r"</(?:script|style)|<!--", re.IGNORECASE)


@dataclass(frozen=True)
class _Part:
    """A file without its imports: the names it takes from other files, and those it declares."""

    text: str
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    declared: tuple[str, ...] = ()
    exported: tuple[str, ...] = ()


def script(entry: str, last: str = "") -> str:
    """A module and all that it imports, as one script; ``last`` is a line to put at its end."""
    parts = _in_order(entry, _module)
    home: dict[str, str] = {}
    for name, part in parts.items():
        for variable in part.declared:
            require(
                variable not in home,
                f"{home.get(variable)} and {name} both declare {variable}; the modules of a bundle "
                "share their names, so give one of them another name.",
            )
            home[variable] = name
    return "".join([*(part.text for part in parts.values()), f"{last}\n"])


def style(entry: str) -> str:
    """A style sheet and all that it imports, as one."""
    return "".join(part.text for part in _in_order(entry, _sheet).values())


def fragment(name: str) -> str:
    """A piece of a page."""
    return _read(name)


def declarations(sheet: str, selector: str) -> str:
    """What a style sheet says of a selector, as the ``style`` of an element."""
    rules = re.findall(rf"^{re.escape(selector)} \{{([^}}]*)\}}", _read(sheet), re.MULTILINE)
    require(len(rules) == 1, f"{sheet} must have one rule for {selector}, not {len(rules)}.")
    return " ".join(rules[0].split())


def meaning_colour(name: str) -> str:
    """A colour with a meaning, as the scripts' style sheet has it."""
    found = re.findall(rf"^  --{re.escape(name)}: (#\w+);", _read("colours.css"), re.MULTILINE)
    require(len(found) == 1, f"colours.css must have one colour {name}, not {len(found)}.")
    return str(found[0])


def _in_order(entry: str, read: Callable[[str], _Part]) -> dict[str, _Part]:
    """Each file by its name, after those that it imports."""
    parts: dict[str, _Part] = {}

    def add(name: str, importers: tuple[str, ...]) -> None:
        circle = " imports ".join((*importers, name))
        require(name not in importers, f"{circle}; files cannot import each other in a circle.")
        if name in parts:
            return
        part = read(name)
        for other, names in part.imports:
            add(other, (*importers, name))
            missing = [each for each in names if each not in parts[other].exported]
            require(not missing, f"{name} imports {', '.join(missing)}, not exported by {other}.")
        parts[name] = part

    add(entry, ())
    return parts


def _module(name: str) -> _Part:
    """A module of JavaScript."""
    text = _read(name)
    imports = tuple(
        (other, tuple(re.findall(r"\w+", names))) for names, other in _IMPORT.findall(text)
    )
    text = _IMPORT.sub("", text)
    found = _DECLARED.findall(text)
    text = _DECLARED.sub(r"\2\3", text)
    for line in text.splitlines():
        _check(name, line)
    return _Part(
        _COMMENT.sub("", text),
        imports,
        tuple(variable for _, _, variable in found),
        tuple(variable for exported, _, variable in found if exported),
    )


def _check(name: str, line: str) -> None:
    """Refuse a line that a bundle cannot have, or that could be misread."""
    require(
        bool(_INSIDE.match(line) or _DECLARED.match(line)),
        f'{name} has "{line}" at its top level; it may have imports of the form '
        'import { name } from "./file.js", functions, classes, and one const or let at a time, '
        "each exported under its own name or not at all.",
    )
    if line.lstrip().startswith("//"):
        return
    require(
        not re.search(r"\b(?:import|export)\b", line),
        f'{name} has "{line.strip()}"; imports and exports belong to the top level.',
    )
    require(
        line.count("`") % 2 == 0 and "/*" not in line,
        f'{name} has "{line.strip()}"; a text must end on its line, and a comment begins with //.',
    )


def _sheet(name: str) -> _Part:
    """A style sheet."""
    text = _read(name)
    imports = tuple((other, ()) for other in _STYLE_IMPORT.findall(text))
    text = _STYLE_COMMENT.sub("", _STYLE_IMPORT.sub("", text))
    require("@import" not in text, f'{name} must import in the form @import "./file.css";')
    return _Part(text, imports)


def _read(name: str) -> str:
    """A file of the folder; it must fit between the tags of an element."""
    try:
        text = (FOLDER / name).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ResourceMissingError(
            f"assets/scripts/{name} is missing or damaged ({error}); "
            f"restore it with: git checkout assets/scripts/{name}"
        ) from error
    tag = _END_OF_ELEMENT.search(text)
    require(tag is None, f"{name} has {tag and tag[0]}, which would end it inside a page.")
    return text
