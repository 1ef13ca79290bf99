"""A plan in a small TOML file, checked key by key.

name = "sst2"
victims = ["bilstm-sst2"]
substitutions = ["sememe", { method = "synonym", constraints = ["stop-words"] }]
                                      # or { method = "plausible", levels = [1, 2, 3, 4] }
goals = ["untargeted"]                # or "targeted", or "targeted=LABEL"; the first if left out
proofs = true                         # prove what falls and what is safe; or seconds for each proof
searches = ["ls", { method = "pso", seeds = 3, options = { population = 30 } }]

[data]
file = "dev.tsv"                      # relative to this file; or bundled = "sentiment";
text = "content"                      # or hub = "org/name" with split and subset
reference = "label"                   # what is right; or label = "..."; a number for a file
context = { premise = "premise" }     # without header; context: what stays fixed, for pairs
                                      # and for questions: { passage = "passage" }
labels = ["negative", "positive"]     # names of the classes 0, 1, ..., or a table from what the
                                      # file says to the victim's names
# file = "dev-v2.0.json"              # a file of SQuAD is read as rows with the columns question,
                                      # passage, title, answers (none where the passage does not
                                      # tell) and answers_or_none ("no answer" there)
# held_out = "mr"                     # rows that the bundled victims were not trained on; core run
                                      # needs --data and the folder that training takes
# file = "test.en"                    # two files with one sentence per line: the texts and the
# parallel = "test.fr"                # references
[limits]
words = [10, 100]
modification = 0.25
enforced = "post-check"               # checked once on the answer; or "constraint"
budget = 5000                         # most distinct queries of an attack
rows = 100                            # a sample of the rows, drawn with sample_seed
sample_seed = 0
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from core.errors import require
from core.experiment.data import Limits, Source, source_of
from core.experiment.plan import SEEDS, Plan, SearchChoice, choice_of, search_of
from core.ladder import PLAUSIBLE, at_level
from core.options import Choice
from core.prove.claim import SECONDS
from core.search import search_named
from core.toml import NUMBER, SWITCH_OR_NUMBER, ValueType, check_kind, check_table, read_toml

_PLAN: Final[Mapping[str, ValueType]] = {
    "name": str,
    "victims": list,
    "substitutions": list,
    "searches": list,
    "goals": list,
    "proofs": SWITCH_OR_NUMBER,
    "data": dict,
    "limits": dict,
}
_DATA: Final[Mapping[str, ValueType]] = {
    **dict.fromkeys(("file", "parallel", "bundled", "held_out", "hub", "subset", "split"), str),
    **dict.fromkeys(("text", "reference", "label", "premise"), (str, int)),
    "context": dict,
    "labels": (list, dict),
}
_LIMITS: Final[Mapping[str, ValueType]] = {
    "words": list,
    "modification": NUMBER,
    "enforced": str,
    **dict.fromkeys(("budget", "rows", "sample_seed"), int),
}
_SUBSTITUTION: Final[Mapping[str, ValueType]] = {
    "method": str,
    "options": dict,
    "constraints": list,
    "levels": list,
}
_SEARCH: Final[Mapping[str, ValueType]] = {"method": str, "options": dict, "seeds": (list, int)}


def read_plan(path: Path) -> Plan:
    return make_plan(read_toml(path), f"The plan {path.name}")


def make_plan(content: Mapping[str, Any], where: str = "The plan") -> Plan:
    """A plan from what a TOML file or a form says."""
    check_table(content, _PLAN, where)
    for key in ("name", "data", "victims", "substitutions", "searches"):
        require(key in content, f'{where} does not say "{key}"; add it.')
    substitutions = (
        choice for each in content["substitutions"] for choice in _substitution(each, where)
    )
    searches = (_search(each, where) for each in content["searches"])
    plan = Plan(
        content["name"],
        _source(content["data"], f"[data] of {_lower(where)}"),
        _texts(content["victims"], f"{where}: victims"),
        tuple(substitutions),
        tuple(searches),
        _texts(content.get("goals", []), f"{where}: goals"),
        _limits(content.get("limits", {}), f"[limits] of {_lower(where)}"),
        _seconds(content.get("proofs", False)),
    )
    plan.check_names()
    return plan


def _source(table: Mapping[str, Any], where: str) -> Source:
    check_table(table, _DATA, where)
    labels = table.get("labels", {})
    pairs = labels.items() if isinstance(labels, dict) else enumerate(labels)
    named = tuple((str(value), str(label)) for value, label in pairs)
    for column in table.get("context", {}).values():
        check_kind(column, (str, int), f"{where}: each of context")
    return source_of({**table, "labels": named})


def _limits(table: Mapping[str, Any], where: str) -> Limits:
    check_table(table, _LIMITS, where)
    rest = {key: value for key, value in table.items() if key != "words"}
    words = table.get("words", [Limits.shortest, Limits.longest])
    require(len(words) == 2, f"{where}: words is {words}; give two numbers, [fewest, most].")
    for number in words:
        check_kind(number, int, f"{where}: each of words")
    return Limits(*words, **rest)


def _seconds(proofs: bool | float) -> float:
    """How long each proof may take; 0 if nothing is to be proved."""
    return SECONDS * proofs if isinstance(proofs, bool) else float(proofs)


def _substitution(given: object, where: str) -> tuple[Choice, ...]:
    """A substitution, or one for each of its levels."""
    table = _table(given, _SUBSTITUTION, f"{where}: substitution")
    _texts(table.get("constraints", []), f"{where}: constraints")
    choice = choice_of(table)
    require(
        "levels" not in table or choice.method == PLAUSIBLE,
        f'{where}: only "{PLAUSIBLE}" has levels.',
    )
    for level in table.get("levels", ()):
        check_kind(level, int, f"{where}: each of levels")
    return tuple(at_level(choice, level) for level in table.get("levels", ())) or (choice,)


def _search(given: object, where: str) -> SearchChoice:
    table = _table(given, _SEARCH, f"{where}: search")
    seeds = table.get("seeds", SEEDS if search_named(table["method"]).card.randomised else 1)
    listed = list(range(seeds)) if isinstance(seeds, int) else seeds
    for seed in listed:
        check_kind(seed, int, f"{where}: each of seeds")
    require(
        bool(listed) and len(set(listed)) == len(listed),
        f"{where}: seeds is {seeds}; give a number of runs, at least 1, or a list of different "
        "numbers.",
    )
    return search_of(table, listed)


def _table(given: object, kinds: Mapping[str, ValueType], where: str) -> Mapping[str, Any]:
    """A part given by its name alone, or as a table with ``method``."""
    check_kind(given, (str, dict), where)
    table = {"method": given} if isinstance(given, str) else given
    assert isinstance(table, dict)
    check_table(table, kinds, where)
    require("method" in table, f'{where} does not say "method"; add it.')
    return table


def _texts(values: Sequence[object], where: str) -> tuple[str, ...]:
    for value in values:
        check_kind(value, str, f"each of {_lower(where)}")
    return tuple(map(str, values))


def _lower(where: str) -> str:
    return where[:1].lower() + where[1:]
