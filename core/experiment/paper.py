"""The paper's own figures beside a result for the same scenario, with what differs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from core import assets
from core.experiment.metrics import ScenarioLine
from core.experiment.plan import Plan
from core.experiment.tables import ReportTable, plain, shown
from core.search import search_named
from core.substitutions import SUBSTITUTIONS
from core.victims import VICTIMS

_VICTIMS: Final[
    Mapping[str, tuple[str, str]]
] = {  # the data and the victim of the paper's scenario
    "bilstm-sst2": ("SST-2", "BiLSTM"),
    "minilm-sst2": ("SST-2", "BERT"),
    "bilstm-imdb": ("IMDB", "BiLSTM"),
    "lstm-imdb": ("IMDB", "LSTM"),
    "cnn-imdb": ("IMDB", "Word-CNN"),
    "lstm-mr": ("MR", "Word-LSTM"),
    "cnn-mr": ("MR", "Word-CNN"),
    "minilm-mr": ("MR", "BERT"),
    "wordcnn-ag": ("AG's News", "Word-CNN"),
    "charcnn-ag": ("AG's News", "Char-CNN"),
    "dnn-snli": ("SNLI", "DNN"),
    "infersent-snli": ("SNLI", "Infersent"),
    "esim-snli": ("SNLI", "ESIM"),
    "minilm-snli": ("SNLI", "BERT"),
}
_LEXICONS: Final = {
    "sememe": "HowNet",
    "synonym": "WordNet with named entities",
    "embedding": "counter-fitted vectors",
    "inflection": "LemmInflect",
}


@dataclass(frozen=True)
class Beside:
    """A result, the paper's row for the same scenario, and what is not the same."""

    line: ScenarioLine
    paper: Mapping[str, Any]
    differs: tuple[str, ...]


def rows(name: str) -> list[dict[str, Any]]:
    """A table of the paper: success, quality, transfer, training or scenarios."""
    found: list[dict[str, Any]] = assets.read_json(f"paper/{name}.json")["rows"]
    return found


def beside(line: ScenarioLine, plan: Plan) -> Beside | None:
    """The paper's row for a result, or None if the paper has no such scenario."""
    methods = {choice.name: choice.method for choice in plan.substitutions}
    searches = {choice.name: choice.method for choice in plan.searches}
    data, victim = _VICTIMS.get(line.scenario.victim, ("", ""))
    wanted = {"data": data, "victim": victim, "substitution": methods[line.scenario.substitution]}
    success = _find("success", wanted | {"search": searches[line.search]})
    if success is None:
        return None
    scenario = _find("scenarios", wanted) or {}
    return Beside(line, success, tuple(_differences(line, plan, wanted, success, scenario)))


def beside_table(found: list[Beside]) -> ReportTable:
    """Results and the paper's rows under each other."""
    rows = []
    for each in found:
        here = [shown(name, each.line.values[name]) for name in ("success", "requests")]
        printed = [_printed(each.paper, name) for name in ("success", "requests")]
        what = f"{each.paper['data']}, {each.paper['victim']}, {each.paper['substitution']}"
        rows.append(tuple(map(plain, ("here", what, each.line.search, *here))))
        rows.append(tuple(map(plain, ("paper", what, str(each.paper["search"]), *printed))))
    head = ("Whose", "Scenario", "Search", "Success (%)", "Requests")
    return ReportTable("Beside the paper", head, tuple(rows))


def _find(table: str, wanted: Mapping[str, str]) -> dict[str, Any] | None:
    return next((row for row in rows(table) if wanted.items() <= row.items()), None)


def _differences(
    line: ScenarioLine,
    plan: Plan,
    wanted: Mapping[str, str],
    success: Mapping[str, Any],
    scenario: Mapping[str, Any],
) -> list[str]:
    victim, method = line.scenario.victim, wanted["substitution"]
    card = VICTIMS[victim].card if victim in VICTIMS else {}
    accuracy = card.get("held_out", {}).get("accuracy")
    here = f"{victim} here" + (f" ({accuracy:.2%} on held-out rows)" if accuracy else "")
    source = plan.data.file or plan.data.hub or f"the bundled {plan.data.bundled} sentences"
    found = [
        f"victim: the paper's {wanted['victim']} ({scenario.get('performance')} % on its test "
        f"set) there, {here}",
        f"data: {scenario.get('attacked'):,} inputs of the test set of {wanted['data']} there, "
        f"{line.attacked:,} of {source} here",
        f"substitutes: {_LEXICONS[method]} there, {SUBSTITUTIONS[method].card['source']} here",
    ]
    if success["goal"] != line.scenario.goal:
        found.append(f"goal: {success['goal']} there, {line.scenario.goal} here")
    if success["success_sd"] is not None:
        found.append(f"runs: 10 there, {line.runs} here")
    if differs := search_named(success["search"]).card.beside_paper:
        found.append(differs)
    if plan.limits.budget:
        found.append(f"budget: none there, {plan.limits.budget:,} distinct queries here")
    if plan.limits.enforced == "constraint":
        found.append("modification limit: checked on the answer there, during the search here")
    if plan.limits.modification != 0.25:
        found.append(f"modification limit: 25 % there, {plan.limits.modification:.0%} here")
    return found


def _printed(row: Mapping[str, Any], name: str) -> str:
    deviation = row[f"{name}_sd"]
    form = ".2f" if name == "success" else ""
    written = f"{row[name]:{form}}"
    return written if deviation is None else f"{written}±{deviation:{form}}".replace("±0.", "±.")
