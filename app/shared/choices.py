"""Which searches, victims and substitutes there are to choose from, by names that say what."""

from typing import Final

from core import SEARCHES, VICTIMS, SearchSpace
from core.search import Card, search_named

RACE: Final = ("ls", "pso", "ga")
EXPERIMENT: Final = ("ls", "greedy", "pso")
LANDSCAPE: Final = "pso"  # whose way through the landscape is drawn

# By the two parts of a bundled victim's key: what it was trained on, and what it is.
GROUPS: Final = {
    "sst2": "Movie reviews",
    "mr": "Movie reviews (MR)",
    "imdb": "Long movie reviews",
    "ag": "News topics",
    "snli": "Does it follow?",
    "squad": "Questions on a passage",
    "squad2": "Questions, some without answer",
    "squad-passage": "Passages with a question",
    "squad2-passage": "Passages, some without answer",
    "multi30k": "English to French",
}
NETWORKS: Final = {
    "bilstm": "BiLSTM",
    "lstm": "LSTM",
    "cnn": "CNN",
    "minilm": "MiniLM",
    "wordcnn": "CNN over words",
    "charcnn": "CNN over letters",
    "dnn": "sums of word vectors",
    "infersent": "InferSent",
    "esim": "ESIM",
    "bidaf": "BiDAF",
    "transformer": "Transformer",
    "convs2s": "convolutions",
}
WORDS: Final = {
    "plausible": "Plausible words",
    "synonym": "Synonyms of WordNet",
    "sememe": "Words with the same sememes",
    "embedding": "Neighbours in word vectors",
    "inflection": "Other inflections",
    "table": "Your own table",
    "toy": "A small list",
}


def victims() -> list[str]:
    """The victims that can be loaded here, grouped by what they judge."""
    groups = list(GROUPS)
    here = [key for key, victim in VICTIMS.items() if not victim.missing()]
    return sorted(here, key=lambda key: (*groups, victim_group(key)).index(victim_group(key)))


def victim_group(victim: str) -> str:
    """What a bundled victim was trained on; nothing of another one."""
    data = victim.partition("-")[2]
    return data if data in GROUPS else ""


def victim_name(victim: str) -> str:
    """A victim in plain words with its key beside: Movie reviews, BiLSTM (bilstm-sst2)."""
    network, _, data = victim.partition("-")
    if data not in GROUPS:
        return victim
    return f"{GROUPS[data]}, {NETWORKS.get(network, network)} ({victim})"


def words_name(method: str) -> str:
    """Substitutes in plain words with their key beside."""
    return f"{WORDS[method]} ({method})" if method in WORDS else method


def card(search: str) -> Card:
    """What a search says about itself; a blank card for one that is not known here."""
    return search_named(search).card


def title(search: str) -> str:
    return card(search).title or search


def for_space(space: SearchSpace) -> tuple[list[str], str]:
    """The searches that can run on a space, and why one cannot."""
    cards = {key: search.card for key, search in SEARCHES.items()}
    why = (
        f"{card.title} is out: this sentence has {space.size:,} variants, and it stops at "
        f"{card.largest:,}."
        for card in cards.values()
        if not card.takes(space.size)
    )
    return [key for key, card in cards.items() if card.takes(space.size)], " ".join(why)


def for_any_space() -> list[str]:
    """The searches that can run on sentences of any length."""
    return [key for key, search in SEARCHES.items() if search.card.largest is None]
