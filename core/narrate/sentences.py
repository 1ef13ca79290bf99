"""A step of a single-sentence search in plain words."""

from collections.abc import Sequence

import numpy as np

from core.attack import Status
from core.narrate.ending import WHY
from core.narrate.evaluated import ONE_WORD, Evaluated
from core.narrate.words import NOUNS, change, count, figures, listed, place
from core.objective import Floats, Step
from core.search.ranked import importance, softmax
from core.space import NONE, SearchSpace

REACHED = " The goal is reached."


def start(step: Step) -> str:
    """The original is scored."""
    (score,) = figures(step.current.score)
    done = " It reaches the goal already." if step.current.success else ""
    return f"The original sentence scores {score}.{done}"


def best_move(space: SearchSpace, step: Step, tried: Evaluated, *, rivals: bool) -> str:
    """The move a search took and, if it compares them all, the best of every other kind."""
    told = f"{NOUNS[step.kind].capitalize()} {_move(space, step, tried)}"
    return f"{told}{_rivals(space, step, tried) if rivals else ''}.{_reached(step)}"


def _rivals(space: SearchSpace, step: Step, tried: Evaluated) -> str:
    others = [(kind, tried.best(kind)) for kind in ONE_WORD if kind != step.kind]
    best = {NOUNS[kind]: float(tried.scores[i]) for kind, i in others if i is not None}
    if best:
        pairs = zip(best, figures(*best.values()), strict=True)
        (noun, score), *more = pairs
        rest = "".join(f", the best {noun} {score}" for noun, score in more)
        return f"; the best {noun} would have given {score}{rest}"
    second = tried.best(step.kind, but=tried.chosen)
    if second is None:
        return "; it was the only move there was"
    what = place(space, tried.before.state, step.tried.moves[second])
    if tried.scores[second] == step.current.score:
        return f"; {what} would have given the same, but comes later"
    (score,) = figures(float(tried.scores[second]))
    return f"; the next best, {what}, would have given {score}"


def rank(space: SearchSpace, step: Step, tried: Evaluated, search: str) -> str:
    """Which words come first, and why."""
    hidden = tried.of("hide")
    if not len(hidden):
        return f"{count(len(step.tried), 'sentence')} scored, one substitute at a time."
    told = f"Each of {count(len(hidden), 'word')} was hidden in turn"
    if search == "sbgs":
        told += f" and each of {count(space.elements, 'substitute')} tried alone"
        weights = softmax(tried.gains[hidden]) * _best_gains(space, step, tried)
    else:
        weights = importance(step.tried[: len(hidden)], tried.before.score)
    order = [int(p) for p in np.argsort(-weights, kind="stable") if space.counts[p]]
    if not order:
        return f"{told}; no word has substitutes."
    names = [f"{space.choices[p][0]} (word {p + 1})" for p in order[:3]]
    return f"{told}. First in the order: {listed(names)}."


def _best_gains(space: SearchSpace, step: Step, tried: Evaluated) -> Floats:
    """What the best substitute of each word gains alone."""
    gains = np.full(len(space.choices), -np.inf)
    single = tried.of("insert")
    np.maximum.at(gains, step.tried.moves.position[single], tried.gains[single])
    return gains


def ordered_move(
    space: SearchSpace, step: Step, tried: Evaluated, search: str, *, turned: bool
) -> str:
    """A word that was next in its order, and its substitute."""
    order = "Next in the order"
    if search == "sgs":
        order = "From the right" if turned else "From the left"
    told = f"{order}: {_move(space, step, tried)}"
    if search == "sbgs" or tried.chosen is None:
        return f"{told}. It is not asked whether it helps.{_reached(step)}"
    moves = step.tried.moves
    column = moves.base == moves.base[tried.chosen]  # each word was tried in a sweep of its own
    size = int(np.count_nonzero(column))
    if size == 1:
        told += ", by its only substitute"
    elif tried.scores[tried.chosen] == tried.scores[column].max():
        told += f", the best of its {size} substitutes"
    else:
        told += f", the first of its {size} substitutes that reaches the goal"
    if passed := len(set(moves.position[~column].tolist())):
        bar = "above the original's score" if search == "ibgs" else "higher"
        told += f". Before it {count(passed, 'word')} had no substitute that scores {bar}"
    return f"{told}.{_reached(step)}"


def out_of_turns(step: Step, search: str, *, turned: bool) -> str:
    """A search with a fixed order has come to its end."""
    (score,) = figures(step.current.score)
    if search == "sgs":
        if not turned:
            return f"The pass from the left is finished and reaches the goal: {score}."
        return f"Both passes are finished; the better sentence of the two scores {score}."
    return f"Every word has had its turn; the score is {score} and the goal is not reached."


def goes_on(step: Step) -> str:
    """A part of a search has come to its end."""
    (score,) = figures(step.current.score)
    return f"No move that was tried here gains any more: {score}. This is not yet the answer."


def interrupted(step: Step, status: Status, *, scored: bool = True) -> str:
    """The search might not go on."""
    (score,) = figures(step.current.score)
    told = f"The search ends because {WHY.get(status, 'it was cut short')}."
    return f"{told} The best sentence so far scores {score}." if scored else told


def answer(space: SearchSpace, step: Step, *, scored: bool = True) -> str:
    """What the attack hands back."""
    score = f"score {figures(step.current.score)[0]}, " if scored else ""
    changed = len(space.changed(step.current.state))
    return (
        f"The answer: {changed} of {count(len(space.choices), 'word')} changed, {score}"
        f"{count(step.queries, 'query', 'queries')}."
    )


def turn(steps: Sequence[Step]) -> int:
    """The first step of the pass from the right: its words are tried in falling order."""
    last = -1
    for number, step in enumerate(steps):
        moves = step.tried.moves
        for position in moves.position[(moves.position != NONE) & (moves.choice == 1)].tolist():
            if position <= last:
                return number
            last = position
    return len(steps)


def _move(space: SearchSpace, step: Step, tried: Evaluated) -> str:
    what = place(space, tried.before.state, step.current.state)
    return f"{what} {change(tried.before.score, step.current.score)}"


def _reached(step: Step) -> str:
    return REACHED if step.current.success else ""
