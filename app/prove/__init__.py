"""Proofs on pages: whether any allowed swaps flip the victim, and the fewest that do."""
