"""The models under attack, by name."""

from core.errors import InputError
from core.registry import Entry
from core.victims.adapters.passages import reading
from core.victims.catalogue import bundled
from core.victims.protocol import ContextVictim, Victim, given


def _toy() -> Victim:
    from core.victims import toy

    return toy.load()


VICTIMS: dict[str, Entry[Victim]] = {
    "toy": Entry(
        _toy,
        "Toy: a linear bag-of-words scorer with hand-set weights; not a trained model.",
        {"task": "sentiment", "data": "none", "labels": ("negative", "positive"), "accuracy": None},
    ),
    **bundled(),
}
VICTIMS |= reading(VICTIMS)

_OWN = frozenset(VICTIMS)


def add_configured() -> None:
    """Add the victims of the file that SWAPSCOPE_VICTIMS names."""
    from core.victims.config import configured_victims

    configured = configured_victims()
    if taken := sorted(_OWN & set(configured)):
        raise InputError(f'The name "{taken[0]}" belongs to a bundled victim; choose another.')
    VICTIMS.update(configured)


__all__ = ["VICTIMS", "ContextVictim", "Victim", "add_configured", "given"]
