"""A step with all that it takes to describe it."""

from dataclasses import dataclass

from core.narrate.evaluated import Evaluated
from core.objective import Candidate, Step
from core.space import SearchSpace


@dataclass(frozen=True, eq=False)
class Moment:
    """A step of a trace in its surroundings."""

    space: SearchSpace
    step: Step
    tried: Evaluated
    last: Step  # the step before; the step itself if it is the first
    own: tuple[Candidate, ...] = ()  # the best sentence each member of a population had before
