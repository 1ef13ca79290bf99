"""Encode the senses of the thesaurus: python -m core.substitutions.build.glosses."""

from core.substitutions.senses import build

if __name__ == "__main__":
    build()
