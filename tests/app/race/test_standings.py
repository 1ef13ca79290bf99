"""What a race shows of its lanes: sentences, curves, tables."""

import csv
import io
import json
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np
import pytest

from app.race import board, standings
from app.race.lanes import Lane, Run
from app.shared import charts
from core import SEARCHES, Attack, trace
from core.goals import function_goal, probabilities
from core.objective import Goal
from core.victims import toy
from tests.toys.cases import E1
from tests.toys.racing import SPACE, TEXT, asked, finished, lane_of, toy_attack


def test_the_headline_compares_the_medians_of_all_seeds(lanes: list[Lane]) -> None:
    local, swarm = lanes[0], Lane("pso", lanes[1].runs[::-1])
    first, counts = local.first.queries, [run.queries for run in swarm.runs]
    middle = median(counts)
    assert middle != counts[0]  # the seed that is drawn is not the usual one
    assert standings.headline([local, swarm]) == (
        f"Queries spent until a search reaches the goal: Local search {first}; "
        f"PSO {middle} ({min(counts)} to {max(counts)}), {middle / first:.1f} times as many."
    )


def test_no_figure_is_told_before_all_seeds_have_ended(lanes: list[Lane]) -> None:
    *done, last = lanes[1].runs
    under_way = Lane("pso", (*done, replace(last, status="running", result=None)))
    assert standings.headline([lanes[0], under_way]) == "The searches are running …"
    assert standings.progress_text(under_way) == "PSO: 4 of 5 seeds done"
    row = standings.table(SPACE, [under_way])[0]
    assert (row["success"], row["queries"], row["seconds"]) == ("4 of 5 seeds done", "", "")


def test_a_card_tells_of_all_seeds(lanes: list[Lane]) -> None:
    counts = [run.queries for run in lanes[1].runs]
    assert standings.progress_text(lanes[1]) == (
        f"PSO: reaches the goal with 5 of 5 seeds, {median(counts)} "
        f"({min(counts)} to {max(counts)}) queries"
    )


def test_seeds_that_fail_count_as_needing_the_most(lanes: list[Lane]) -> None:
    lost = [replace(run, status="budget") for run in lanes[1].runs]
    some = Lane("pso", (*lost[:1], *lanes[1].runs[1:]))
    assert " with 4 of 5 seeds" in standings.headline([lanes[0], some])
    few = Lane("pso", (*lost[:4], lanes[1].runs[4]))
    assert standings.headline([few, lanes[0]]).endswith("; PSO succeeds with 1 of 5 seeds.")


def test_the_headline_tells_of_failures_and_of_too_many_words(lanes: list[Lane]) -> None:
    short = lane_of("ga", [toy_attack("ga", budget=5).run()])
    over = lane_of("sgs", [toy_attack("sgs", max_changed=0.0).run()])
    assert over.first.status == "over_limit"
    told = standings.headline([short, over, lanes[0]])
    assert told.startswith("Queries spent until a search reaches the goal: Local search ")
    assert "GA spends its budget without reaching the goal" in told
    assert "SGS reaches the goal, but with more words than allowed: no success" in told
    assert standings.headline([short, over]) == "No search reaches the goal."
    assert standings.table(SPACE, [over])[0]["success"].endswith(": no success")
    (line,) = standings.curves([over], requests=False, cursor=1)
    assert line.flip is None


def test_the_seconds_of_a_recording_are_not_compared(lanes: list[Lane]) -> None:
    known = Lane("ls", (replace(lanes[0].first, recorded=True),))
    assert standings.table(SPACE, [known])[0]["seconds"] == "recorded"
    assert standings.table(SPACE, lanes)[0]["seconds"] != "recorded"
    (row,) = standings.results(SPACE, [known])
    assert row["seconds"] is row["victim_seconds"] is None


@pytest.mark.parametrize("requests", [False, True])
def test_curves_are_the_traces_own(lanes: list[Lane], requests: bool) -> None:
    for lane, line in zip(
        lanes, standings.curves(lanes, requests=requests, cursor=30), strict=True
    ):
        curve = trace.curve(lane.first.steps)
        assert line.x.tolist() == (curve.requests if requests else curve.queries).tolist()
        assert line.y.tolist() == curve.best.tolist()
        now = trace.at_queries(lane.first.steps, 30)
        assert line.now == (now.requests if requests else now.queries, now.best.score)
        assert line.flip is not None
        assert line.flip[1] >= 0.5


def test_the_flip_is_where_the_first_success_was_tried() -> None:
    attack = toy_attack("ls")
    (line,) = standings.curves([lane_of("ls", [attack.run()])], requests=False, cursor=1)
    texts: list[str] = []
    goal = attack.goal

    def ask(inputs: list[str]) -> Any:
        texts.extend(inputs)
        return goal.ask(inputs)

    watched = Goal(goal.prepare, ask, goal.judge, goal.verify)
    Attack(attack.space, watched, attack.search).run()
    flips = probabilities(toy.load(), texts)[:, 0] > 0.5
    assert line.flip is not None
    assert line.flip[0] == int(np.argmax(flips)) + 1


def test_the_band_covers_the_middle_of_the_finished_seeds(lanes: list[Lane]) -> None:
    single, several = standings.curves(lanes, requests=False, cursor=1)
    assert single.band is None
    band = several.band
    assert band is not None
    at = len(band.x) // 2
    values = []
    for run in lanes[1].runs:
        curve = trace.curve(run.steps)
        values.append(
            max(b for q, b in zip(curve.queries, curve.best, strict=True) if q <= band.x[at])
        )
    assert band.low[at] == pytest.approx(np.percentile(values, 10))
    assert band.high[at] == pytest.approx(np.percentile(values, 90))


def test_words_changed_are_those_of_what_a_search_holds(lanes: list[Lane]) -> None:
    line = standings.changes(SPACE, lanes, requests=False)[0]
    steps = lanes[0].first.steps
    assert line.x.tolist() == [step.queries for step in steps]
    assert line.y.tolist() == [len(SPACE.changed(step.current.state)) for step in steps]


def test_the_table_has_medians_over_seeds(lanes: list[Lane]) -> None:
    rows = standings.table(SPACE, [*lanes, Lane("ga", (Run(0, "running"), Run(1, "waiting")))])
    assert rows[0]["success"] == "yes"
    assert rows[0]["queries"] == f"{lanes[0].first.queries}"
    wins = sum(run.status == "success" for run in lanes[1].runs)
    assert rows[1]["success"] == f"{wins} of 5 seeds"
    counts = [run.queries for run in lanes[1].runs]
    assert rows[1]["queries"] == f"{median(counts):,.0f} ({min(counts)} to {max(counts)})"
    assert (rows[2]["success"], rows[2]["queries"]) == ("0 of 2 seeds done", "")
    html = standings.table_html([{"<b>": "a & b"}])
    assert "&lt;b&gt;" in html
    assert "a &amp; b" in html


def test_the_table_counts_successes_by_level(lanes: list[Lane]) -> None:
    assert not [name for name in standings.table(SPACE, lanes)[0] if name.startswith("with ")]
    names = ["harmless: x", "close: y"]
    reasons = tuple(("", *(names[at % 2] for at in range(len(c) - 1))) for c in SPACE.choices)
    found = standings.table(replace(SPACE, reasons=reasons), lanes)
    harmless = [int(row["with harmless words"]) for row in found]
    close = [int(row["with close words"]) for row in found]
    assert close == [len(lane.wins) for lane in lanes]
    assert all(one <= other for one, other in zip(harmless, close, strict=True))
    assert sum(harmless) < sum(close)


def test_an_error_is_shown_as_it_is() -> None:
    lane = Lane("ls", (Run(0, "error", error="The service does not answer."),))
    assert standings.progress_text(lane) == "Local search: The service does not answer."


def test_the_downloads_have_every_run() -> None:
    question = asked()
    lanes = finished(question)
    rows = standings.results(question.space, lanes)
    assert [(row["search"], row["seed"]) for row in rows] == [
        ("ls", 0),
        *(("pso", seed) for seed in range(4)),
        *(("ga", seed) for seed in range(4)),
    ]
    told = json.loads(standings.as_json(question, rows, 500))
    assert (told["text"], told["victim"], told["reference"]) == (TEXT, "toy", ["positive"])
    assert told["runs"] == rows
    text = io.StringIO()
    csv.DictWriter(text, rows[0]).writerows(rows)
    assert text.getvalue().count(rows[0]["text"]) >= 1


def test_function_goals_have_no_flip() -> None:
    result = Attack(E1.space, function_goal(E1.f), SEARCHES["ls"]()).run()
    (line,) = standings.curves([lane_of("ls", [result])], requests=False, cursor=1)
    assert line.flip is None


def test_a_search_that_sees_only_labels_has_a_grey_curve_and_tells_no_score() -> None:
    lanes = [lane_of(key, [toy_attack(key).run()]) for key in ("ls", "ls-label")]
    seeing, unseeing = standings.curves(lanes, requests=False, cursor=1)
    assert seeing.colour != charts.GREY == unseeing.colour
    assert "sees no score" in unseeing.name
    shown = board.board_data(SPACE, lanes, 0.25)["lanes"]
    assert [told["unseen"] for told in shown] == [False, True]
    under_way = [Lane(lane.search, (replace(lane.first, status="running"),)) for lane in lanes]
    assert ["score" in standings.progress_text(lane) for lane in under_way] == [True, False]


def test_the_figure_draws_every_part(lanes: list[Lane]) -> None:
    lines = standings.curves(lanes, requests=False, cursor=40)
    figure = charts.race(lines, title="score", end=200, cursor=40, level=(0.5, "flips"))
    named = [part.name for part in figure.data if part.name]
    assert named == ["Local search", "PSO"]
    assert [part.line.dash for part in figure.data if part.name] == ["solid", "dash"]
    assert sum(part.fill == "tonexty" for part in figure.data) == 1
    assert sum(part.marker.symbol == "star" for part in figure.data) == 2
    assert [shape.x0 for shape in figure.layout.shapes] == [0, 40]
    assert figure.layout.annotations[0].text == "flips"
    plain = charts.race(lines, title="score", end=200, cursor=40, requests=True)
    assert plain.layout.shapes == ()
    assert "repeated" in plain.layout.xaxis.title.text
