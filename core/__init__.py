"""Swapscope's engine: word-level attacks as traces of a search; never imports the interface."""

from core.attack import Attack, AttackResult
from core.errors import CoreError, InputError, ResourceMissingError
from core.goals import function_goal, targeted, untargeted
from core.objective import Candidate, Candidates, Goal, Objective, Step
from core.search import SEARCHES, Search
from core.space import SearchSpace, State
from core.substitutions import SUBSTITUTIONS
from core.substitutions.protocol import Column, Substitute, Substitution
from core.victims import VICTIMS, Victim

__all__ = [
    "SEARCHES",
    "SUBSTITUTIONS",
    "VICTIMS",
    "Attack",
    "AttackResult",
    "Candidate",
    "Candidates",
    "Column",
    "CoreError",
    "Goal",
    "InputError",
    "Objective",
    "ResourceMissingError",
    "Search",
    "SearchSpace",
    "State",
    "Step",
    "Substitute",
    "Substitution",
    "Victim",
    "function_goal",
    "targeted",
    "untargeted",
]
