"""A server in a folder of its own, watched from outside: its files, its log, its memory."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.toys import serving
from tests.toys.places import ROOT

PASSPHRASE = "correct horse battery"
CANARY = "this stands in a file that nobody may read"
OTHERS = "others"  # a finished experiment of somebody else
CODE = ("app", "assets", "core", "pages", "tests")  # nobody may write there
DEEP = "1/2/3/4"  # names with a few ../ lead to a place in the folder, where they are found
TRACEBACK = re.compile(r"Traceback \(most recent call last\):\n((?:[ \t].*\n|\n)*)(.*)")
CAUSE = ("\n\nDuring handling of", "\n\nThe above exception was")  # another traceback follows
FRAME = re.compile(rf'File "{ROOT}/((?:app|core|pages)/[^"]+)", line \d+, in (.*)')


def megabytes(process: int, line: str = "VmRSS") -> float:
    """The memory that a process holds; with VmHWM the most that it ever held."""
    told = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(told.partition(f"{line}:")[2].split()[0]) / 1024


Stamp = tuple[int, int]  # the size of a file, and when it was last written


def stamp(path: Path) -> Stamp:
    """What changes when somebody writes to a file."""
    about = path.stat()
    return about.st_size, about.st_mtime_ns


@dataclass
class Sandbox:
    """A running server, and what it may not touch."""

    folder: Path
    address: str
    process: int
    before: dict[Path, Stamp]
    is_open: bool = False  # to others on the network, whose visitors may start no experiment
    _read: int = 0  # bytes of the log

    @property
    def data(self) -> Path:
        """The only folder in which the server may write, besides that of temporary files."""
        return self.folder / DEEP / "data"

    def new_tracebacks(self) -> list[str]:
        """The errors whose tracebacks came into the log since the last look at it."""
        with (self.folder / "log").open("rb") as log:
            log.seek(self._read)
            text = log.read()
        self._read += len(text)
        found = TRACEBACK.finditer(text.decode("utf-8", "replace"))
        return [
            f"{one[2][:500]} ({_place(one[1])})"
            for one in found
            if not one.string.startswith(CAUSE, one.end())
        ]

    @property
    def peak(self) -> float:
        """The most memory that the server ever held, in megabytes."""
        return megabytes(self.process, "VmHWM")

    def touched(self) -> list[Path]:
        """Files that were made, changed or taken away where nobody may, since the last look."""
        now = guarded(self.folder, self.is_open)
        differing, self.before = {*now.items()} ^ {*self.before.items()}, now
        return sorted({path for path, _ in differing})


def _place(frames: str) -> str:
    """Where in our code an error came up."""
    ours = FRAME.findall(frames)
    return f"{ours[-1][1]} of {ours[-1][0]}" if ours else "outside our code"


def guarded(folder: Path, is_open: bool) -> dict[Path, Stamp]:
    """The program, what is around the data folder, and experiments that others may not touch."""
    data = folder / DEEP / "data"
    free = (data, folder / "temporary", folder / "log", folder / "home" / ".streamlit")
    around = (path for place in (folder, *map(ROOT.joinpath, CODE)) for path in files(place))
    found = [path for path in around if not any(map(path.is_relative_to, free))]
    found += [
        path for path in files(data / "experiments") if is_open or path.name.startswith(OTHERS)
    ]
    return {path: stamp(path) for path in found}


def files(folder: Path) -> Iterator[Path]:
    """All files below a folder, without what Python compiles."""
    return (
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )


@contextmanager
def sandbox(folder: Path, *, is_open: bool = False) -> Iterator[Sandbox]:
    """Serve the app with everything that it may write in one folder."""
    data = folder / DEEP / "data"
    for path in (data / "experiments", folder / "home", folder / "temporary"):
        path.mkdir(parents=True)
    bundled = ROOT / "assets" / "experiments" / "sentiment.results.jsonl"
    shutil.copy(bundled, data / "experiments" / f"{OTHERS}.results.jsonl")
    for path in (data, folder / "home"):
        (path / "canary").write_text(CANARY, encoding="utf-8")
    before = guarded(folder, is_open)
    places = {
        "SWAPSCOPE_DATABASE": f"sqlite:///{data / 'studies.sqlite'}",
        "SWAPSCOPE_EXPERIMENTS": str(data / "experiments"),
        "SWAPSCOPE_PASSPHRASE": PASSPHRASE,
        "HOME": str(folder / "home"),
        "STREAMLIT_LOGGER_ENABLE_RICH": "false",  # tracebacks as Python writes them
        "XDG_CACHE_HOME": str(data / "cache"),
        "XDG_DATA_HOME": str(data),
        "TMPDIR": str(folder / "temporary"),
    }
    with serving.process(is_open=is_open, log=folder / "log", **places) as (address, process):
        yield Sandbox(folder, address, process, before, is_open)
