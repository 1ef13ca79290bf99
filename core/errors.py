"""What can go wrong, as sentences a user can act on.

CoreError
├── InputError            the user gave something that cannot be used
└── ResourceMissingError  a file or package is not there; says how to get it
"""


class CoreError(Exception):
    """Base of every error that is shown as one line, without a traceback."""


class InputError(CoreError):
    """The input cannot be used; the message says why and what to do."""


class ResourceMissingError(CoreError):
    """A part is not available here; the message names the file and the fix."""


def require(fine: bool, message: str) -> None:
    """Refuse a setting with a sentence."""
    if not fine:
        raise InputError(message)


def first_line(error: Exception) -> str:
    """The first line of an error's message, to be put inside a sentence."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
