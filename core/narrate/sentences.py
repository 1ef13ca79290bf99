"""A step in plain words, as it can be told of any search."""

import numpy as np

from core.narrate import generations
from core.narrate.certificates import NOTHING, local_optimum
from core.narrate.moment import ONE_WORD, Moment
from core.narrate.words import NOUNS, change, count, figures, place, reached
from core.objective import Status, Step
from core.space import SearchSpace

WHY = {"budget": "the budget was spent", "cancelled": "it was stopped"}


def of(moment: Moment) -> str:
    """A step by its kind alone."""
    step = moment.step
    match step.kind:
        case "start":
            return start(step)
        case "rank":
            return ranked(moment)
        case "init":
            return generations.first(step)
        case "generation":
            return generations.batch(moment, "tried")
        case "stop":
            return local_optimum(moment.space, step) or NOTHING
    return best_move(moment)


def start(step: Step) -> str:
    """The original is scored."""
    (score,) = figures(step.current.score)
    done = " It reaches the goal already." if step.current.success else ""
    return f"The original sentence scores {score}.{done}"


def ranked(moment: Moment) -> str:
    """Sentences were scored that are no moves: with a word hidden, or with one substitute."""
    if hidden := len(moment.tried.of("hide")):
        return f"{hidden_words(hidden)}."
    return f"{count(len(moment.step.tried), 'sentence')} scored, one substitute at a time."


def hidden_words(number: int) -> str:
    """Words were hidden, one at a time."""
    return f"Each of {count(number, 'word')} was hidden in turn"


def best_move(moment: Moment) -> str:
    """The move that a search took."""
    return f"{_taken(moment)}.{reached(moment.step)}"


def best_of_all_moves(moment: Moment) -> str:
    """The move that a search took after comparing all, with the best of every other kind."""
    return f"{_taken(moment)}{_rivals(moment)}.{reached(moment.step)}"


def next_in_order(moment: Moment, order: str, bar: str) -> str:
    """A word that was next, and its substitute; words were passed over that miss the bar."""
    step, tried = moment.step, moment.tried
    sentence = f"{order}: {move(moment)}"
    if tried.chosen is None:
        return f"{sentence}.{reached(step)}"
    moves = step.tried.moves
    column = moves.base == moves.base[tried.chosen]  # each word was tried in a sweep of its own
    size = int(np.count_nonzero(column))
    if size == 1:
        sentence += ", by its only substitute"
    elif tried.scores[tried.chosen] == tried.scores[column].max():
        sentence += f", the best of its {size} substitutes"
    else:
        sentence += f", the first of its {size} substitutes that reaches the goal"
    if passed := len(set(moves.position[~column].tolist())):
        sentence += f". Before it {count(passed, 'word')} had no substitute that scores {bar}"
    return f"{sentence}.{reached(step)}"


def order_is_through(step: Step) -> str:
    """A search with a fixed order of words has come to its end."""
    (score,) = figures(step.current.score)
    return f"Every word has had its turn; the score is {score} and the goal is not reached."


def interrupted(step: Step, status: Status, *, scored: bool) -> str:
    """The search might not go on."""
    (score,) = figures(step.current.score)
    sentence = f"The search ends because {WHY.get(status, 'it was cut short')}."
    return f"{sentence} The best sentence so far scores {score}." if scored else sentence


def answer(space: SearchSpace, step: Step, *, scored: bool) -> str:
    """What the attack hands back."""
    score = f"score {figures(step.current.score)[0]}, " if scored else ""
    changed = len(space.changed(step.current.state))
    return (
        f"The answer: {changed} of {count(len(space.choices), 'word')} changed, {score}"
        f"{count(step.queries, 'query', 'queries')}."
    )


def move(moment: Moment) -> str:
    """What a step changed, and what that did to the score."""
    before, after = moment.tried.before, moment.step.current
    what = place(moment.space, before.state, after.state)
    return f"{what} {change(before.score, after.score)}"


def _taken(moment: Moment) -> str:
    return f"{NOUNS[moment.step.kind].capitalize()} {move(moment)}"


def _rivals(moment: Moment) -> str:
    step, tried = moment.step, moment.tried
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
    what = place(moment.space, tried.before.state, step.tried.moves[second])
    if tried.scores[second] == step.current.score:
        return f"; {what} would have given the same, but comes later"
    (score,) = figures(float(tried.scores[second]))
    return f"; the next best, {what}, would have given {score}"
