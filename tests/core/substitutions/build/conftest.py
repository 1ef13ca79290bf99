"""What the build of the lexicon reads, in miniature."""

import pytest

from core.substitutions.build import wordnet
from tests.toys.tiny_wordnet import READER


@pytest.fixture
def relations() -> wordnet.Relations:
    return wordnet.Relations(READER)
