"""What becomes of an attack, in one sentence for each status: read it after the attack's name."""

from typing import Final

from core.attack import Trace
from core.errors import CoreError
from core.spec import AttackSpec

REACHED: Final = "reaches the goal"  # where a goal does not say it in its own words
_ENDINGS: Final = {
    "success": "{}",
    "over_limit": "{}, with too many words",
    "failed": "does not reach the goal",
    "budget": "spends its budget without reaching the goal",
    "skipped": "finds nothing to attack: the original reaches the goal",
    "cancelled": "is cancelled",
    "waiting": "is waiting",
    "running": "is running",
    "error": "breaks off",
}


def ending(status: str, reached: str = REACHED) -> str:
    """What becomes of an attack with this status; ``reached`` is what its goal calls a success."""
    return _ENDINGS[status].format(reached)


def ending_of(trace: Trace) -> str:
    """The same of a trace, whose goal may not be known here."""
    try:
        kind = AttackSpec.of_trace(trace).kind
    except CoreError:
        kind = None
    return ending(trace.result.status, kind.reached if kind else REACHED)
