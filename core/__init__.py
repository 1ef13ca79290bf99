"""Swapscope's engine: word-level attacks as traces of a search. Never imports the user interface."""

from core.attack import Attack, AttackResult, Status
from core.errors import CoreError, InputError, ResourceMissingError
from core.goals import function_goal, targeted, untargeted
from core.objective import Candidate, Candidates, Goal, Objective, Step
from core.search import SEARCHES, Search
from core.space import Moves, SearchSpace, State
from core.substitutions import Column, Substitute, Substitution
from core.victims import Victim
