"""What a proof says, in words that need no mathematics."""

from core.prove import Proof, ProofStep, count_text, words_text


def before(counts: tuple[int, ...], words: int) -> str:
    """What a proof would be about."""
    return (
        f"{count_text(sum(counts))} sentences change at most {len(counts) - 1} of {words} words. "
        "A proof settles all of them, without a look at most."
    )


def progress(step: ProofStep) -> str:
    """How far a proof is."""
    safe = f"with up to {words_text(step.safe)} none is left" if step.safe > 0 else "it begins"
    return f"{step.nodes:,} sentences looked at; {safe}, now {words_text(step.words)} …"


def verdict(proof: Proof, reached: str) -> str:
    """What is certain, with what the attack does that succeeds, such as ``flips the label``."""
    if proof.verdict == "proved":
        return f"Proved: nothing that an attack may write {reached}."
    if proof.verdict == "open":
        safe = f"no {words_text(proof.safe)} can do it" if proof.safe > 0 else "nothing is certain"
        return f"Open: {safe}, but the proof ran out of time before it had settled more."
    if proof.changed == 0:
        return "The goal is reached before any swap."
    if proof.minimal:
        fewer = f"; {words_text(proof.safe)} never do" if proof.safe else ""
        return f"Proved: {words_text(proof.changed or 0)} can do it{fewer}."
    return f"{words_text(proof.changed or 0).capitalize()} can do it; whether fewer can is open."


def looked(proof: Proof) -> str:
    """How many sentences it took."""
    few = f"{proof.nodes:,} of {count_text(proof.sentences)} sentences looked at"
    return f"{few}, {proof.seconds:.2g} seconds, by {proof.prover}."
