"""The paper's figures beside those measured here."""

import pytest

from core.experiment import paper
from core.experiment.metrics import Scenario, ScenarioLine, Value
from core.experiment.tables import Part
from tests.toys.experiment import plan


def test_the_papers_figures_are_all_there() -> None:
    sizes = {"success": 58, "quality": 36, "transfer": 12, "training": 8, "scenarios": 26}
    assert {name: len(paper.rows(name)) for name in sizes} == sizes
    sums = {  # of the columns in the paper's LaTeX; "attacked" is also in its text
        "success": {
            "success": 4009.33,
            "success_sd": 2.96,
            "requests": 43518.9,
            "requests_sd": 303,
        },
        "quality": {"modification": 304.71, "ipw": 0.1986428, "perplexity": 8700.07},
        "transfer": {"accuracy": 798.35},
        "training": {"without": 712.48, "change": -39.13},
        "scenarios": {"performance": 2139.07, "attacked": 75_909},
    }
    for name, columns in sums.items():
        found = {key: sum(row[key] or 0 for row in paper.rows(name)) for key in columns}
        assert found == pytest.approx(columns, rel=1e-9), name
    ls = {
        (r["data"], r["victim"], r["substitution"]): r
        for r in paper.rows("success")
        if r["search"] == "ls"
    }
    rivals = [r for r in paper.rows("success") if r["search"] not in ("ls", "greedy")]
    worse = [
        r for r in rivals if ls[r["data"], r["victim"], r["substitution"]]["success"] < r["success"]
    ]
    assert len(rivals) == 26
    assert [(r["data"], r["victim"]) for r in worse] == [("IMDB", "BERT")]  # LS loses once


def line(victim: str, substitution: str, search: str, goal: str = "targeted") -> ScenarioLine:
    values = {"success": Value(0.9), "requests": Value(300.0)}
    return ScenarioLine(Scenario(victim, substitution, goal), search, 80, 3, {}, values)


def test_a_result_stands_beside_the_papers_row_with_what_differs() -> None:
    what = plan(
        victims=["bilstm-sst2"],
        substitutions=["sememe", "inflection"],
        searches=["ls", "pso"],
        limits={"budget": 5000, "enforced": "constraint", "modification": 0.2},
    )
    found = paper.beside(line("bilstm-sst2", "sememe", "pso", "untargeted"), what)
    assert found is not None
    assert (found.paper["success"], found.paper["requests"]) == (93.71, 1269)
    said = " / ".join(found.differs)
    assert "the paper's BiLSTM (83.75 % on its test set) there, bilstm-sst2 here (83.03%" in said
    assert "1,180 inputs of the test set of SST-2 there, 80 of the bundled sentiment" in said
    assert "substitutes: HowNet there, HowNet if converted, else WordNet" in said
    assert "goal: targeted there, untargeted here" in said
    assert "runs: 10 there, 3 here" in said
    assert "v_max" in said
    assert "budget: none there, 5,000 distinct queries here" in said
    assert "during the search here" in said
    assert "25 % there, 20% here" in said
    ours = paper.beside(line("bilstm-sst2", "sememe", "ls"), what)
    assert ours is not None
    assert len(ours.differs) == 6
    table = paper.beside_table([found, ours])
    assert [cell[0].text for cell in table.rows[1]] == [
        *("paper", "SST-2, BiLSTM, sememe", "pso", "93.71±.17", "1269±13"),
    ]
    assert [cell[0].text for cell in table.rows[3]][3:] == ["94.07", "295"]
    bert = paper.beside(line("minilm-snli", "sememe", "pso"), what)
    assert bert is not None
    assert paper.beside_table([bert]).rows[1][3] == (Part("76.39±.20"),)  # not ±.2
    assert paper.beside(line("bilstm-sst2", "inflection", "ls"), what) is None
    gone = plan(substitutions=["sememe"], searches=["ls"])
    assert paper.beside(line("somebody-elses", "sememe", "ls"), gone) is None


def test_a_plan_of_the_paper_says_which_row_it_repeats() -> None:
    parts = {
        "victims": ["bidaf-squad"],
        "substitutions": ["inflection"],
        "searches": ["ls", "sgs"],
        "goals": ["f1"],
        "data": {"held_out": "squad2-answerable"},
    }
    elmo = paper.beside(
        line("bidaf-squad", "inflection", "sgs", "f1"), plan(name="squad-elmo", **parts)
    )
    own = paper.beside(line("bidaf-squad", "inflection", "ls", "f1"), plan(name="mine", **parts))
    assert elmo is not None
    assert own is not None
    assert (elmo.paper["victim"], elmo.paper["success"]) == ("ELMo-BiDAF", 11.28)
    assert (own.paper["victim"], own.paper["requests"]) == ("GloVe-BiDAF", 61)
    assert "80 of held-out rows of squad2-answerable here" in " / ".join(elmo.differs)
    assert "goal: loss or BLEU there, f1 here" in elmo.differs
