"""A step in plain words, as it can be told of any search."""

import numpy as np

from core.narrate import generations
from core.narrate.certificates import NOTHING, local_optimum
from core.narrate.moment import Moment
from core.narrate.words import NOUNS, count, place
from core.objective import Status

WHY = {"budget": "the budget was spent", "cancelled": "it was stopped"}


def of(moment: Moment) -> str:
    """A step by its kind alone."""
    step = moment.step
    match step.kind:
        case "start":
            return start(moment)
        case "rank":
            return ranked(moment)
        case "init":
            return generations.first(moment)
        case "generation":
            return generations.batch(moment, "tried")
        case "stop":
            return local_optimum(moment.space, step) or NOTHING
    return best_move(moment)


def start(moment: Moment) -> str:
    """The original is scored."""
    done = " It reaches the goal already." if moment.step.current.success else ""
    return f"The original sentence {moment.rules.measure.verb} {moment.now}.{done}"


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
    return f"{_taken(moment)}.{moment.reached}"


def best_of_all_moves(moment: Moment) -> str:
    """The move that a search took after comparing all, with the best of every other kind."""
    return f"{_taken(moment)}{_rivals(moment)}.{moment.reached}"


def next_in_order(moment: Moment, order: str, bar: str) -> str:
    """A word that was next, and its substitute; words were passed over that miss the bar."""
    tried = moment.tried
    sentence = f"{order}: {move(moment)}"
    if tried.chosen is None:
        return f"{sentence}.{moment.reached}"
    moves = moment.step.tried.moves
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
    return f"{sentence}.{moment.reached}"


def order_is_through(moment: Moment) -> str:
    """A search with a fixed order of words has come to its end."""
    missed = " and the goal is not reached" if moment.rules.reached else ""
    return f"Every word has had its turn; {moment.rules.measure.name} is {moment.now}{missed}."


def interrupted(moment: Moment, status: Status, *, scored: bool) -> str:
    """The search might not go on."""
    sentence = f"The search ends because {WHY.get(status, 'it was cut short')}."
    best = f"The best sentence so far {moment.rules.measure.verb} {moment.now}."
    return f"{sentence} {best}" if scored else sentence


def answer(moment: Moment, *, scored: bool) -> str:
    """What the attack hands back."""
    space, step = moment.space, moment.step
    score = f"{moment.rules.measure.noun} {moment.now}, " if scored else ""
    changed = len(space.changed(step.current.state))
    return (
        f"The answer: {changed} of {count(len(space.choices), 'word')} changed, {score}"
        f"{count(step.queries, 'query', 'queries')}."
    )


def move(moment: Moment) -> str:
    """What a step changed, and what that did to the score."""
    what = place(moment.space, moment.tried.before.state, moment.step.current.state)
    return f"{what} {moment.change}"


def _taken(moment: Moment) -> str:
    return f"{NOUNS[moment.step.kind].capitalize()} {move(moment)}"


def _rivals(moment: Moment) -> str:
    step, tried = moment.step, moment.tried
    rivals = tried.rivals(step.kind)
    if not rivals:
        return "; it was the only move there was"
    scores = {kind: float(tried.scores[number]) for kind, number in rivals.items()}
    if step.kind not in rivals:
        (first, score), *more = ((NOUNS[kind], moment.written(s)) for kind, s in scores.items())
        rest = "".join(f", the best {noun} {score}" for noun, score in more)
        return f"; the best {first} would have given {score}{rest}"
    what = place(moment.space, tried.before.state, step.tried.moves[rivals[step.kind]])
    if scores[step.kind] == step.current.score:
        return f"; {what} would have given the same, but comes later"
    return f"; the next best, {what}, would have given {moment.written(scores[step.kind])}"
