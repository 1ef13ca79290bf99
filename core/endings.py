"""What becomes of an attack, in one sentence for each status: read it after the attack's name."""

from typing import Final

from core.objective import Candidate, Status
from core.space import SearchSpace

REACHED: Final = "reaches the goal"  # where a goal does not say it in its own words
TOO_MANY: Final = "but with more words than allowed: no success"
_ENDINGS: Final = {
    "success": "{}",
    "over_limit": f"{{}}, {TOO_MANY}",
    "failed": "does not reach the goal",
    "budget": "spends its budget without reaching the goal",
    "skipped": "finds nothing to attack: the original reaches the goal",
    "cancelled": "is cancelled",
    "waiting": "is waiting",
    "running": "is running",
    "error": "breaks off",
}
_ENDLESS: Final = {"failed": "comes to its own end", "budget": "spends its budget"}


def ending(status: str, reached: str = REACHED) -> str:
    """What becomes of an attack with this status.

    ``reached`` is what its goal calls a success; empty for a goal that is never reached.
    """
    if not reached and status in _ENDLESS:
        return _ENDLESS[status]
    return _ENDINGS[status].format(reached or REACHED)


def status_of(space: SearchSpace, answer: Candidate, allowed: int) -> Status:
    """Whether a sentence is a success: beyond the limit of changed words it is none."""
    if not answer.success:
        return "failed"
    return "over_limit" if len(space.changed(answer.state)) > allowed else "success"
