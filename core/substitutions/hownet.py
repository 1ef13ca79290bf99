"""Convert a user's own HowNet, read by OpenHowNet, to the form of the bundled sememe lexicon.

``python -m core.substitutions.hownet [FOLDER]`` does it once. HowNet comes as pickle files, which
can run code when they are read; so they are checked to be plain data first, and later runs read
only the converted table.
"""

import argparse
import contextlib
import io
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from core.errors import CoreError, InputError, ResourceMissingError
from core.substitutions.build.sememes import save
from core.substitutions.build.tagger import PlainUnpickler
from core.substitutions.build.wordnet import is_word
from core.substitutions.sememe import CONVERT, converted

SOURCE = "HowNet by OpenHowNet"
PICKLES = ("sememe_all", "HowNet_dict_complete")
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def check(folder: Path) -> None:
    """Make sure that the HowNet files are there and are nothing but data."""
    for name in PICKLES:
        path = folder / "resources" / name
        if not path.exists():
            raise ResourceMissingError(
                f"{path} is missing; fetch HowNet with "
                "`python -c 'import OpenHowNet; OpenHowNet.download()'`."
            )
        try:
            PlainUnpickler(io.BytesIO(path.read_bytes())).load()
        except Exception as error:
            raise InputError(
                f"{path} is not a plain HowNet file ({error}); fetch it again."
            ) from None


def read(folder: Path) -> Any:
    """OpenHowNet's dictionary over a folder, without the line it prints."""
    try:
        import OpenHowNet
        from OpenHowNet import Download
    except ImportError:
        raise ResourceMissingError(
            "HowNet needs OpenHowNet; install it with `pip install OpenHowNet==2.0`."
        ) from None
    Download.OPENHOWNET_RESOURCE_PATH = str(folder)
    with contextlib.redirect_stdout(io.StringIO()):
        return OpenHowNet.HowNetDict()


def entries(dictionary: Any) -> dict[str, list[tuple[frozenset[str], bool]]]:
    """The sememe sets of every sense of every one-word English entry."""
    found: dict[str, list[tuple[frozenset[str], bool]]] = defaultdict(list)
    for sense in dictionary.sense_dic.values():
        word, part = sense.en_word.strip().lower(), PARTS.get(sense.en_grammar)
        sememes = frozenset(sememe.en for sememe in sense.sememes)
        if part and sememes and is_word(word):
            found[f"{word}.{part}"].append((sememes, True))
    return dict(sorted(found.items()))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=CONVERT, description=__doc__.split("\n")[0])
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path.home() / ".openhownet", help="HowNet's folder"
    )
    folder = parser.parse_args(arguments).folder
    try:
        check(folder)
        described = entries(read(folder))
    except CoreError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    save(converted(), f"{SOURCE} ({len(described):,} entries)", described)
    sys.stdout.write(f"{len(described):,} entries written to {converted()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
