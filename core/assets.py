"""The files that come with the project, and the folder for what its user makes."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from core.errors import ResourceMissingError

FOLDER = Path(__file__).resolve().parents[1] / "assets"


def data_folder() -> Path:
    """The user's data folder of this system."""
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "swapscope"


def shown(path: Path) -> str:
    """A path as a message names it: from the project's folder, if it is inside."""
    root = FOLDER.parent
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def read_json(name: str) -> Any:
    """Read a bundled JSON file; a missing or damaged one is named together with the fix."""
    path = FOLDER / name
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResourceMissingError(
            f"assets/{name} is missing or damaged ({error}); "
            f"restore it with: git checkout assets/{name}"
        ) from error
