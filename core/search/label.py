"""Local search that sees only the victim's top label (the paper's second open question)."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from core.errors import require
from core.narrate import Moment, sentences
from core.narrate.words import count, listed, place
from core.objective import Candidate, Objective, Step
from core.search.card import OWN_LIMIT, Card, pseudocode
from core.search.labels import DISTANCES, Distance, first_flip, growing, thinned
from core.search.protocol import Search
from core.search.ranked import put
from core.space import HIDDEN, Moves, SearchSpace, State

GUESSES = 16  # sentences of a walk that are worked out before they are needed


class Walk(NamedTuple):
    """A success with hidden words, and how long ago the walk began."""

    state: State | None = None
    steps: int = 0


@dataclass(frozen=True)
class LabelSearch(Search):
    """Local search by labels alone.

    Looks only at whether a sentence succeeds, never at its score. It replaces 1, 2, 3, ... random
    words until one does, restores the words that can go, and takes moves that keep the success:
    - restore a word; or restore one and exchange another; the sentence has one change less;
    - exchange a substitute for one that brings the sentence nearer to the original: more similar
      as a whole (``distance="similarity"``, by a sentence encoder, no query of the victim), or
      earlier in its column (``distance="column"``, without a second model).
    When no such move succeeds it has a local optimum of changed words, then of nearness. If that
    has more than one changed word, it tries every one-word change. If none succeeds it draws
    sentences: each word is hidden with a chance of ``hidden``, or else changed if it can be, and
    the label changes far more easily so. From a success it walks, with random words put in that
    keep the success, until no word is hidden, and goes on from the best of ``starts`` such
    sentences as before. As long as the result has more changed words than the attack allows it
    draws again, at most ``rounds`` times in all.
    """

    card: ClassVar[Card] = Card(
        title="LS-label",
        story="any sentence with another label, then fewer and nearer substitutes that keep it.",
        colour="#2b8a3e",
        dash="longdash",
        sees="labels",
        randomised=True,
        pseudocode=pseudocode(
            """
look at the label of the original                       # start
replace 1, 2, 3, ... random words until the label changes  # init
restore the words that it can do without                # thin, walk
until no such move keeps the label changed              # restore, nearer, stop
  restore a word                                        # restore, nearer
  or restore one and exchange another                   # restore, nearer
  or take a substitute that brings the sentence nearer to the original  # restore, nearer
if more than one word is changed, try each substitute alone  # alone
if none changes the label, draw sentences with words changed or hidden  # walk
  put in words that keep the label changed until none is hidden  # walk
  go to line 3; draw again if too many words are changed, 3 times at most  # walk, stop
return the sentence with the fewest changes             # end
"""
        ),
    )
    retired_settings: ClassVar[Mapping[str, str]] = OWN_LIMIT

    grown: int = 4  # sentences with more and more words replaced, until one is within the limit
    whole: int = 40  # sentences with every word replaced, where none of those succeeds
    draws: int = 2_200  # sentences drawn or walked through, at most
    starts: int = 3
    rounds: int = 4
    walk: int = 2  # steps for each substitute there is until a walk is given up
    hidden: float = 0.3
    distance: Literal["similarity", "column"] = "similarity"

    def __post_init__(self) -> None:
        for name in ("grown", "whole", "draws", "walk"):
            require(getattr(self, name) >= 0, f"{name} must not be negative.")
        require(self.starts >= 1 and self.rounds >= 1, "starts and rounds must be at least 1.")
        require(0 <= self.hidden <= 1, f"hidden is {self.hidden}; it must lie between 0 and 1.")
        require(self.distance in DISTANCES, 'distance must be "similarity" or "column".')

    def __call__(self, space: SearchSpace, objective: Objective, rng: Random) -> Iterator[Step]:
        distance = DISTANCES[self.distance](space)
        origin = objective.one(space.origin)
        yield objective.step("start", origin)
        if origin.success or not space.elements:
            return
        best = yield from self._grow(space, objective, origin, rng)
        if best:
            best = yield from self._shrink(space, objective, distance, best)
        if best is None or len(space.changed(best.state)) > 1:
            alone = objective.until_success(space.insertions(space.origin)).first_success()
            base, best = best or origin, alone or best
            yield objective.step("generation", best or origin, phase="alone", base=base)
            if alone:
                best = yield from self._shrink(space, objective, distance, alone)
            else:
                best = yield from self._restart(space, objective, distance, best, rng)
        yield objective.step("stop", best or origin)

    def _grow(
        self, space: SearchSpace, objective: Objective, origin: Candidate, rng: Random
    ) -> Generator[Step, None, Candidate | None]:
        """A success from more and more words replaced, then thinned; again if it is too large."""
        best = None
        for _ in range(self.grown):
            found = first_flip(objective, growing(space, objective.most, self.whole, rng))
            yield objective.step("init", best or found or origin)
            if found is None:
                break
            thin = thinned(space, objective, found, rng)
            best = min(best or thin, thin, key=lambda one: len(space.changed(one.state)))
            yield objective.step("generation", best, phase="thin", base=found)
            if len(space.changed(best.state)) <= max(1, objective.allowed):
                break
        return best

    def _restart(
        self,
        space: SearchSpace,
        objective: Objective,
        distance: Distance,
        best: Candidate | None,
        rng: Random,
    ) -> Generator[Step, None, Candidate | None]:
        """The best of several local optima, until one is within the limit."""

        def far(one: Candidate) -> tuple[int, float]:
            state = Moves.of([one.state], len(one.state))
            return int(state.changed[0]), float(distance(state)[0])

        most = max(1, objective.allowed)
        found = self._successes(space, objective, rng)
        for _ in range(self.rounds):
            current = None
            for success in islice(found, self.starts):
                thin = thinned(space, objective, success, rng)
                current = min(current or thin, thin, key=far)
                yield objective.step("generation", current, phase="walk")
            if current is None:
                break
            current = yield from self._shrink(space, objective, distance, current)
            best = min(best or current, current, key=far)
            if len(space.changed(best.state)) <= most:
                break
        return best

    def _successes(
        self, space: SearchSpace, objective: Objective, rng: Random
    ) -> Iterator[Candidate]:
        """Draw and walk; each success that hides no word, until all draws are used."""
        walk, guesses = Walk(), 0
        for _ in range(self.draws):
            if not guesses:
                objective.expect(self._without_success(space, objective.most, walk, rng))
                guesses = GUESSES
            walk, state = self._drawn(space, objective.most, walk, rng)
            answer = objective.one(state)
            guesses = 0 if answer.success else guesses - 1
            if answer.success and HIDDEN not in state:
                yield answer
                walk = Walk()
            elif answer.success:
                walk = Walk(answer.state, walk.steps)

    def _drawn(
        self, space: SearchSpace, most: int | None, walk: "Walk", rng: Random
    ) -> tuple["Walk", State]:
        """The next sentence of a walk, or a new one where there is none or it is given up."""
        if walk.state is None or walk.steps == self.walk * space.elements:
            return Walk(), random_or_hidden(space, most, self.hidden, rng)
        return Walk(walk.state, walk.steps + 1), stepped(space, walk.state, rng)

    def _without_success(
        self, space: SearchSpace, most: int | None, walk: "Walk", rng: Random
    ) -> Iterator[State]:
        """The sentences that are drawn next if none succeeds."""
        ahead = Random()
        ahead.setstate(rng.getstate())
        for _ in range(GUESSES):
            walk, state = self._drawn(space, most, walk, ahead)
            yield state

    def _shrink(
        self, space: SearchSpace, objective: Objective, distance: Distance, current: Candidate
    ) -> Generator[Step, None, Candidate]:
        """Take the first move that keeps the success, until none does."""
        while True:
            for moves in smaller_or_nearer(space, distance, current.state):
                found = objective.until_success(moves).first_success()
                if found:
                    break
            else:
                return current
            kind = space.kind(current.state, found.state)
            base, current = current, found
            phase = "nearer" if kind == "exchange" else "restore"
            yield objective.step(kind, current, phase=phase, base=base)

    @classmethod
    def describe(cls, moment: Moment) -> str:
        """Labels and words, never a score."""
        space, step = moment.space, moment.step
        match step.phase:
            case "start":
                sentence = "The label of the original is looked at; this search never sees a score."
                return sentence + (" It is the wanted one already." if step.current.success else "")
            case "init":
                looked = f"{count(len(step.tried), 'sentence')} with more and more words replaced"
                if not step.current.success:
                    return f"{looked}: none changes the label."
                words = count(len(space.changed(step.current.state)), "changed word")
                return f"{looked}: the last one, with {words}, changes the label."
            case "thin":
                words = count(len(space.changed(step.current.state)), "changed word")
                return f"Words that the changed label can do without are restored: {words} left."
            case "alone":
                tried = f"{count(len(step.tried), 'substitute')} tried alone"
                if not step.tried.successes.any():
                    return f"{tried}: none changes the label."
                swap = place(space, space.origin, step.current.state)
                return f"{tried}: {swap} changes the label."
            case "walk":
                words = count(len(space.changed(step.current.state)), "changed word")
                return (
                    f"{count(len(step.tried), 'sentence')} looked at: drawn with words changed or "
                    "hidden, then words put in, then restored. The best of this round changes the "
                    f"label with {words}."
                )
            case "restore" | "nearer":
                return _kept(space, moment.tried.before.state, step.current.state)
            case "stop" if step.current.success:
                return (
                    "No word can be restored, and none brought nearer to the original, "
                    "without losing the changed label: the search ends."
                )
            case "stop":
                looked = count(len(step.tried), "sentence")
                return f"{looked} looked at; none without a hidden word changes the label."
        return sentences.of(moment)


def _kept(space: SearchSpace, before: State, after: State) -> str:
    """A move that keeps the label changed."""
    pairs = list(enumerate(zip(before, after, strict=True)))
    back = [i for i, (old, new) in pairs if old and not new]
    other = [
        f"{space.choices[i][old]} → {space.choices[i][new]}"
        for i, (old, new) in pairs
        if new and old != new
    ]
    done = [f"restoring {listed([space.choices[i][0] for i in back])}"] if back else []
    done += [f"exchanging {listed(other)}"] if other else []
    left = count(len(space.changed(after)), "changed word")
    sentence = listed(done)
    gain = f"with {left}" if back else "and the sentence is nearer to the original"
    return f"{sentence[:1].upper()}{sentence[1:]} keeps the label changed, {gain}."


def random_or_hidden(space: SearchSpace, most: int | None, hidden: float, rng: Random) -> State:
    """A sentence with each word hidden, with a chance of ``hidden``, or else changed if it can be.

    A hard limit leaves only as many of them changed or hidden.
    """
    state = [
        HIDDEN if rng.random() < hidden else rng.randint(min(count, 1), count)
        for count in space.counts.tolist()
    ]
    if most is not None:
        changed = [index for index, choice in enumerate(state) if choice]
        for index in rng.sample(changed, max(0, len(changed) - most)):
            state[index] = 0
    return tuple(state)


def stepped(space: SearchSpace, state: State, rng: Random) -> State:
    """Another choice for one word, every second time a hidden one; none is hidden anew."""
    hidden = [index for index, choice in enumerate(state) if choice == HIDDEN]
    able = np.flatnonzero(space.counts).tolist()
    position = rng.choice(hidden if rng.random() < 0.5 else able)
    others = [c for c in range(int(space.counts[position]) + 1) if c != state[position]]
    return put(state, position, rng.choice(others))


def smaller_or_nearer(space: SearchSpace, distance: Distance, state: State) -> Iterator[Moves]:
    """One change less, then one change less and another exchanged, then nearer substitutes."""
    changed = space.changed(state)
    positions = np.array(changed, dtype=np.int32)
    restored = Moves.at(state, positions, np.zeros_like(positions))
    yield restored[np.argsort(distance(restored), kind="stable")]
    for gone in changed:
        for kept in changed:
            if kept != gone:
                column = space.column(state, kept)
                rest = np.full(len(column), gone, dtype=np.int32)
                yield Moves.at(state, column.position, column.choice, rest)
    for kept in changed:
        column = space.column(state, kept)
        far = distance(column)
        nearer = int((far < far[state[kept] - 1]).sum())
        yield column[np.argsort(far, kind="stable")[:nearer]]
