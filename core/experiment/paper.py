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


def scenario_of(plan: Plan, victim: str, method: str) -> Mapping[str, Any] | None:
    """The paper's scenario that a plan of this name repeats, or else one of a victim like its."""
    known = [row for row in rows("scenarios") if row["substitution"] == method]
    named = [row for row in known if row["plan"] == plan.name]
    return next(iter(named or [row for row in known if row["here"] == victim]), None)


def beside(line: ScenarioLine, plan: Plan) -> Beside | None:
    """The paper's row for a result, or None if the paper has no such scenario."""
    methods = {choice.name: choice.method for choice in plan.substitutions}
    searches = {choice.name: choice.method for choice in plan.searches}
    method = methods[line.scenario.substitution]
    scenario = scenario_of(plan, line.scenario.victim, method)
    if scenario is None:
        return None
    wanted = {name: scenario[name] for name in ("data", "victim", "substitution")}
    success = _find("success", wanted | {"search": searches[line.search]})
    if success is None:
        return None
    return Beside(line, success, tuple(_differences(line, plan, success, scenario)))


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
    success: Mapping[str, Any],
    scenario: Mapping[str, Any],
) -> list[str]:
    victim, method = line.scenario.victim, scenario["substitution"]
    card = VICTIMS[victim].card if victim in VICTIMS else {}
    accuracy = card.get("held_out", {}).get("accuracy")
    here = f"{victim} here" + (f" ({accuracy:.2%} on held-out rows)" if accuracy else "")
    found = [
        f"victim: the paper's {scenario['victim']} ({scenario['performance']} % on its test "
        f"set) there, {here}",
        f"data: {scenario['attacked']:,} inputs of the test set of {scenario['data']} there, "
        f"{line.attacked:,} of {plan.data.name} here",
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
