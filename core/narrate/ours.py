"""Steps of Swift and of LS-label in plain words."""

from core.narrate.evaluated import Evaluated
from core.narrate.words import count, figures, listed, place
from core.objective import Step
from core.space import SearchSpace


def proposal(space: SearchSpace, step: Step, tried: Evaluated) -> str:
    """Swift asks for a sentence that its model proposes."""
    asked, before = step.tried[-1], tried.before
    score, best = figures(asked.score, before.score)
    words, old = len(space.changed(asked.state)), len(space.changed(before.state))
    told = f"The model proposes {place(space, space.origin, asked.state)}: "
    if asked.success and before.success:
        return f"{told}the goal is still reached, with {count(words, 'changed word')}, not {old}."
    if asked.success:
        return f"{told}{score}. The goal is reached with {count(words, 'changed word')}."
    if before.success:
        stays = f"the sentence with {count(old, 'changed word')} stays"
        return f"{told}{score}, which misses the goal; {stays}."
    if step.current.state == asked.state:
        return f"{told}{score}, the best so far."
    return f"{told}{score}, which is not above {best}."


def alone(step: Step) -> str:
    """Swift asks for every substitute alone."""
    return (
        f"Only a sentence beyond the limit has succeeded. Back at the original, each of "
        f"{count(len(step.tried), 'substitute')} was tried alone, and the model learnt from it."
    )


def succeeded(kinds: set[str], *, beyond: bool) -> str:
    """Swift ends with a success."""
    if beyond:
        return "No sentence within the limit succeeded: the one beyond it is the answer."
    if "rank" in kinds:
        return "Local search within the limit has succeeded: the search ends."
    return "The model sees no likely success with fewer changed words: the search ends."


def looked(step: Step) -> str:
    """LS-label looks at the original."""
    done = " It is the wanted one already." if step.current.success else ""
    return f"The label of the original is looked at; this search never sees a score.{done}"


def singles(space: SearchSpace, step: Step) -> str:
    """LS-label tries substitutes one at a time."""
    tried = count(len(step.tried), "substitute")
    if not step.current.success:
        return f"{tried} tried alone: none changes the label."
    return (
        f"{tried} tried alone: {place(space, space.origin, step.current.state)} changes the label."
    )


def drawn(space: SearchSpace, step: Step) -> str:
    """LS-label draws sentences with hidden words, and puts words in until one has none."""
    words = count(len(space.changed(step.current.state)), "changed word")
    return (
        f"{count(len(step.tried), 'sentence')} looked at: drawn with words changed or hidden, then "
        f"words put in, then restored. The best of this round changes the label with {words}."
    )


def kept(space: SearchSpace, step: Step, tried: Evaluated) -> str:
    """LS-label takes a move that keeps the label changed."""
    pairs = list(enumerate(zip(tried.before.state, step.current.state, strict=True)))
    back = [i for i, (old, new) in pairs if old and not new]
    other = [
        f"{space.choices[i][old]} → {space.choices[i][new]}"
        for i, (old, new) in pairs
        if new and old != new
    ]
    done = [f"restoring {listed([space.choices[i][0] for i in back])}"] if back else []
    done += [f"exchanging {listed(other)}"] if other else []
    left = count(len(space.changed(step.current.state)), "changed word")
    told = listed(done)
    gain = f"with {left}" if back else "and the sentence is nearer to the original"
    return f"{told[:1].upper()}{told[1:]} keeps the label changed, {gain}."


def settled(step: Step) -> str:
    """LS-label ends."""
    if not step.current.success:
        looked = count(len(step.tried), "sentence")
        return f"{looked} looked at; none without a hidden word changes the label."
    return (
        "No word can be restored, and none brought nearer to the original, "
        "without losing the changed label: the search ends."
    )
