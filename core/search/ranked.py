"""Searches that first rank the words by hiding them: SBGS (PWWS) and IBGS (TextFooler)."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np

from core.narrate import Moment, sentences
from core.narrate.words import count, listed
from core.objective import Candidates, Floats, Objective, Step
from core.search.card import Card, pseudocode
from core.search.protocol import Search
from core.space import SearchSpace, State


@dataclass(frozen=True)
class SaliencyGreedy(Search):
    """PWWS (Ren et al., 2019).

    Requests are ``1 + n + |V| + k`` for ``k`` substitutions, the honest count; the reference code
    halves its own. A word is hidden by its own index (the reference mixes two tokenisations), the
    first substitute wins a tie, and one with a negative gain is applied too. Every word is hidden,
    as in the paper, those without substitutes too: the softmax of saliency is over all of them.
    """

    card: ClassVar[Card] = Card(
        title="SBGS",
        story="the best substitute of each word, applied in the order of saliency times gain.",
        colour="#a8467f",
        dash="longdash",
        pseudocode=pseudocode(
            """
score the original                                      # start
saliency of a word ← the gain of hiding it              # rank
best substitute of each word ← the one that gains most  # rank
order the words by softmax(saliency) × gain             # rank
for each word in this order                             # insert, stop
  put in its best substitute                            # insert
  stop if the goal is reached
return the sentence                                     # end
"""
        ),
    )

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        current = objective.one(space.origin)
        yield objective.step("start", current)

        saliency = objective(space.hiding(space.origin)).scores - current.score
        positions = np.flatnonzero(space.counts).tolist()
        objective.expect(space.insertions(space.origin), sure=True)
        columns = [objective(space.column(space.origin, position)) for position in positions]
        chosen = [int(np.argmax(column.scores)) + 1 for column in columns]
        gain = np.array([column.scores.max() for column in columns]) - current.score
        priority = softmax(saliency / objective.goal.measure.largest)[positions] * gain
        yield objective.step("rank", current)

        order = np.argsort(-priority, kind="stable")
        states = [space.origin]
        for index in order:
            states.append(put(states[-1], positions[index], chosen[index]))
        objective.expect(states[1:])
        for state in states[1:]:
            candidate = objective.one(state)
            if not np.isfinite(candidate.score):  # one word more than a hard limit allows
                break
            current = candidate
            yield objective.step("insert", current)
            if current.success:
                return
        yield objective.step("stop", current)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """The order of the words, then one word after the other."""
        step, tried = moment.step, moment.tried
        match step.kind:
            case "rank":
                sentence = sentences.hidden_words(len(tried.of("hide")))
                sentence += f" and each of {count(moment.space.elements, 'substitute')} tried alone"
                hidden, alone = tried.of("hide"), tried.of("insert")
                gains = np.full(len(moment.space.choices), -np.inf)
                np.maximum.at(gains, step.tried.moves.position[alone], tried.gains[alone])
                saliency = tried.gains[hidden] / moment.rules.measure.largest
                return _order(moment.space, sentence, softmax(saliency) * gains)
            case "insert":
                sentence = f"Next in the order: {sentences.move(moment)}."
                return f"{sentence} It is taken without checking that it helps.{moment.reached}"
            case "stop":
                return sentences.order_is_through(moment)
        return sentences.of(moment)


@dataclass(frozen=True)
class ImportanceGreedy(Search):
    """TextFooler (Jin et al., 2020).

    A substitute is taken if it scores above the original text, not the current one, as in the
    original. Of several that reach the goal the first is taken, which is the nearest where the
    space lists the nearest first (the original takes the most similar sentence). When hiding a word
    reaches the goal its gain counts twice, which is the original's formula for two labels; with
    more labels the original adds the new label's own gain instead. Every word is hidden, as in the
    original, those without substitutes too, though they never have a turn (TextAttack leaves them
    out). The stop list, the similarity and the part-of-speech filter are constraints on the space,
    not on the search.
    """

    card: ClassVar[Card] = Card(
        title="IBGS",
        story="words in the order of importance, each with its best substitute in the text so far.",
        colour="#3d7f96",
        dash="dashdot",
        must_beat="original",
        pseudocode=pseudocode(
            """
score the original                                      # start
importance of a word ← the gain of hiding it            # rank
order the words by importance                           # rank
for each word in this order                             # stop
  e ← a substitute that reaches the goal, else the best # insert
  if e scores above the original sentence               # insert
    put e in                                            # insert
  stop if the goal is reached
return the sentence                                     # end
"""
        ),
    )

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        current = original = objective.one(space.origin)
        yield objective.step("start", current)

        gain = importance(objective(space.hiding(space.origin)), original.score)
        order = np.argsort(-gain, kind="stable")
        yield objective.step("rank", current)

        for position in order[space.counts[order] > 0]:
            column = objective(space.column(current.state, int(position)))
            best = column.first_success() or column.best()
            if best and (best.success or best.score > original.score):
                current = best
                yield objective.step("insert", current)
            if current.success:
                return
        yield objective.step("stop", current)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """The order of the words, then one word after the other."""
        step, tried = moment.step, moment.tried
        match step.kind:
            case "rank":
                hidden = len(tried.of("hide"))
                weights = importance(step.tried[:hidden], tried.before.score)
                return _order(moment.space, sentences.hidden_words(hidden), weights)
            case "insert":
                bar = "above the original's score"
                return sentences.next_in_order(moment, "Next in the order", bar)
            case "stop":
                return sentences.order_is_through(moment)
        return sentences.of(moment)


def _order(space: SearchSpace, sentence: str, weights: Floats) -> str:
    """Which words come first."""
    order = [int(p) for p in np.argsort(-weights, kind="stable") if space.counts[p]]
    if not order:
        return f"{sentence}; no word has substitutes."
    names = [f"{space.choices[p][0]} (word {p + 1})" for p in order[:3]]
    return f"{sentence}. First in the order: {listed(names)}."


def softmax(values: Floats) -> Floats:
    """Positive weights that sum to one."""
    weights = np.exp(values - values.max(initial=-np.inf))
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def importance(hidden: Candidates, original: float) -> Floats:
    """How much hiding each word raises the score, twice where it reaches the goal."""
    return np.asarray((hidden.scores - original) * np.where(hidden.successes, 2.0, 1.0))


def put(state: State, position: int, choice: int) -> State:
    """A state with one entry set."""
    return (*state[:position], choice, *state[position + 1 :])
