"""Proofs: that no sentence of a space reaches the goal, or the fewest words that do.

A search finds a sentence that flips a victim, or none; then nobody knows whether there is one. A
prover looks for one with 1, 2 ... changed words, and leaves out only what it is certain about.
"""

from core.prove.claim import (
    Claim,
    Effort,
    Look,
    Proof,
    ProofStep,
    Verdict,
    claim_about,
    claim_of,
    count_text,
    counts_of,
    words_text,
)
from core.prove.optimum import Optimum, optimum
from core.prove.proving import Prover, prove, prover_of, proving

__all__ = [
    "Claim",
    "Effort",
    "Look",
    "Optimum",
    "Proof",
    "ProofStep",
    "Prover",
    "Verdict",
    "claim_about",
    "claim_of",
    "count_text",
    "counts_of",
    "optimum",
    "prove",
    "prover_of",
    "proving",
    "words_text",
]
