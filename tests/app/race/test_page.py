"""The race: background jobs, what its views show, and the page in Streamlit's harness."""

import csv
import io
import json
import threading
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.race import board, standings
from app.race import lanes as race
from app.race.lanes import Lane, Run
from app.shared import charts, choices, traces
from app.shared.jobs import Computation, Job, Jobs
from app.shared.question import Question
from core import SEARCHES, Attack, AttackResult, InputError, SearchSpace, trace, untargeted
from core.goals import function_goal, probabilities
from core.objective import Floats, Goal
from core.options import Choice
from core.spec import AttackSpec
from core.substitutions import toy as toy_words
from core.tasks import task_of
from core.victims import toy
from tests.toys.cases import E1
from tests.toys.pages import harness

TEXT = "A charming and often very funny film, with a smart script and a warm, honest ending."
SEARCHES_RACED = ("ls", "pso", "ga")


def until(reached: Callable[[], object]) -> None:
    for _ in range(3_000):
        if reached():
            return
        time.sleep(0.02)
    pytest.fail("waited in vain")


def toy_attack(key: str = "ls", seed: int = 0, **options: Any) -> Attack:
    space = SearchSpace.from_text(TEXT, toy_words.load())
    goal = untargeted(toy.load(), space, "positive")
    return Attack(space, goal, SEARCHES[key](), seed=seed, **options)


class Gate:
    """A goal that lets a search ask once, and then holds it until it is opened."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked, self.open = threading.Event(), threading.Event()
        self.error = error

    def attack(self) -> Attack:
        attack = toy_attack("pso")
        inner = attack.goal
        first = [True]

        def ask(texts: Sequence[str]) -> Floats:
            if first and first.pop():
                return inner.ask(texts)
            self.asked.set()
            assert self.open.wait(20)
            if self.error:
                raise self.error
            return inner.ask(texts)

        goal = Goal(inner.prepare, ask, inner.judge, inner.verify)
        return Attack(attack.space, goal, attack.search)


def test_a_job_has_the_result_of_its_attack() -> None:
    ended: list[Job] = []
    job = Job(toy_attack(), ended.append)
    assert (job.steps, job.running, job.result) == ((), False, None)
    job.start()
    until(lambda: ended)
    expected = toy_attack().run()
    assert job.result == expected
    assert job.steps == expected.steps
    assert job.queries == expected.queries
    assert (job.running, job.error, ended) == (False, "", [job])


def test_a_running_job_shows_its_steps_and_stops_when_cancelled() -> None:
    gate = Gate()
    job = Job(gate.attack())
    job.start()
    job.start()  # a second start does nothing
    assert gate.asked.wait(20)
    assert [step.kind for step in job.steps] == ["start"]
    assert (job.queries, job.running) == (1, True)
    job.cancel()
    gate.open.set()
    until(lambda: job.result)
    assert job.result is not None
    assert job.result.status == "cancelled"
    assert [step.kind for step in job.result.steps] == ["start", "stop", "end"]


def test_a_job_cancelled_before_its_start_never_runs() -> None:
    job = Job(toy_attack())
    job.cancel()
    job.start()
    assert (job.running, job.result) == (False, None)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (InputError("The service does not answer."), "The service does not answer."),
        (RuntimeError("broken pipe"), "The search broke off: broken pipe. Start it again"),
    ],
)
def test_an_error_becomes_a_sentence(error: Exception, message: str) -> None:
    gate = Gate(error)
    job = Job(gate.attack())
    gate.open.set()
    job.start()
    until(lambda: job.error)
    assert job.error.startswith(message)
    assert not job.running


def test_a_computation_is_broken_off_between_two_steps() -> None:
    inside, gate = threading.Event(), threading.Event()

    def steps() -> Generator[int, None, str]:
        yield 1
        inside.set()
        assert gate.wait(20)
        yield 2
        yield 3
        return "done"

    task = Computation(steps())
    task.start()
    assert inside.wait(20)
    task.cancel()
    assert task.running
    gate.set()
    task.wait(20)
    assert (task.steps, task.running, task.result, task.error) == ((1, 2), False, None, "")


def test_a_job_begins_once_and_again_after_it_was_cancelled() -> None:
    def steps() -> Generator[int, None, str]:
        yield 1
        return "done"

    jobs = Jobs[Computation[int, str]]()
    first = jobs.begin("a", lambda: Computation(steps()))
    first.wait(20)
    assert first.result == "done"
    assert jobs.begin("a", lambda: Computation(steps())) is first
    assert jobs.get("a") is first
    jobs.cancel("a")
    second = jobs.begin("a", lambda: Computation(steps()))
    assert second is not first
    jobs.drop(lambda key: key == "a")
    assert jobs.get("a") is None
    assert second.cancelled


def test_jobs_that_nobody_wants_are_cancelled() -> None:
    jobs = Jobs[Job]()
    made = jobs.keep({"a": lambda: Job(toy_attack()), "b": lambda: Job(toy_attack())})
    kept = jobs.keep({"b": lambda: Job(toy_attack()), "c": lambda: Job(toy_attack())})
    assert kept["b"] is made["b"]
    assert (made["a"].cancelled, made["b"].cancelled, set(kept)) == (True, False, {"b", "c"})
    jobs.forget("b", "unknown")
    assert made["b"].cancelled
    assert jobs.keep({"b": lambda: Job(toy_attack())})["b"] is not made["b"]
    jobs.cancel()  # as when the tab is closed
    assert kept["c"].cancelled


def asked(text: str = TEXT) -> Question:
    space = SearchSpace.from_text(text, toy_words.load())
    victim = toy.load()
    start = probabilities(victim, [text])[0]
    spec = AttackSpec(text, "toy", Choice("toy"), Choice("ls")).settled(victim)
    found = Question(spec, task_of(victim), space, start)
    found.__dict__["victim"] = victim  # in place of the one that the server would load
    return found


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty store of traces."""
    monkeypatch.setattr(traces, "_traces", type(traces._traces)())


def finished(question: Question, searches: Sequence[str] = SEARCHES_RACED) -> list[Lane]:
    jobs = Jobs[Job]()
    lanes: list[Lane] = []

    def over() -> bool:
        lanes[:] = race.watch(jobs, question, list(searches), 4, 500)
        return not any(lane.busy for lane in lanes)

    until(over)
    return lanes


@pytest.mark.usefixtures("fresh")
def test_a_race_ends_with_the_results_of_its_attacks() -> None:
    lanes = finished(asked())
    assert [len(lane.runs) for lane in lanes] == [1, 4, 4]
    for lane in lanes:
        for run in lane.runs:
            expected = toy_attack(lane.search, run.seed, budget=500).run()
            assert run.result == expected
            assert (run.steps, run.status) == (expected.steps, expected.status)


@pytest.mark.usefixtures("fresh")
def test_what_has_ended_is_taken_from_the_store() -> None:
    finished(asked())
    jobs = Jobs[Job]()
    lanes = race.watch(jobs, asked(), list(SEARCHES_RACED), 4, 500)
    assert not any(lane.busy for lane in lanes)
    assert jobs.keep({}) == {}


@pytest.mark.usefixtures("fresh")
def test_a_cancelled_search_keeps_what_it_found_and_can_run_again() -> None:
    question, jobs = asked(), Jobs[Job]()
    question.__dict__["goal"] = slow(question.goal)
    race.watch(jobs, question, ["pso", "ga"], 3, 500)
    race.cancel(jobs, question, "pso", 3, 500)
    lanes: list[Lane] = []

    def settled() -> bool:
        lanes[:] = race.watch(jobs, question, ["pso", "ga"], 3, 500)
        return not lanes[0].busy

    until(settled)
    assert [run.status for run in lanes[0].runs] == ["cancelled"] * 3
    assert lanes[0].first.steps
    assert "cancelled" in standings.progress_text(lanes[0])
    assert not any(run.status == "cancelled" for run in lanes[1].runs)
    assert traces.known(question, "pso", 0, 500) is None
    race.again(jobs, question, "pso", 3, 500)
    lanes = race.watch(jobs, question, ["pso", "ga"], 3, 500)
    assert lanes[0].busy
    jobs.cancel()


def slow(goal: Goal) -> Goal:
    def ask(inputs: Any) -> Any:
        time.sleep(0.02)
        return goal.ask(inputs)

    return Goal(goal.prepare, ask, goal.judge, goal.verify)


@pytest.mark.usefixtures("fresh")
def test_the_first_seed_goes_ahead_of_the_others() -> None:
    question, jobs = asked(), Jobs[Job]()
    question.__dict__["goal"] = slow(question.goal)
    race.watch(jobs, question, ["pso", "ga"], 3, 500)
    lanes = race.watch(jobs, question, ["pso", "ga"], 3, 500)
    assert [run.status for run in lanes[0].runs] == ["running", "waiting", "waiting"]
    assert 0 <= standings.share(lanes[0], 500) < 0.5
    assert "0 of 3 seeds done" in standings.progress_text(lanes[0])
    assert standings.headline(lanes) == "The searches are running …"
    jobs.cancel()


def test_a_search_that_cannot_run_says_why() -> None:
    small, large = asked("I love this movie").space, SearchSpace.from_choices([["a", "b"]] * 40)
    assert choices.for_space(small) == (list(SEARCHES), "")
    names, why = choices.for_space(large)
    assert "exhaustive" not in names
    assert "1,099,511,627,776 variants" in why


def lane_of(key: str, results: Sequence[AttackResult]) -> Lane:
    return Lane(key, tuple(Run(n, r.status, r.steps, r.queries, r) for n, r in enumerate(results)))


@pytest.fixture(scope="module")
def lanes() -> list[Lane]:
    return [
        lane_of("ls", [toy_attack("ls").run()]),
        lane_of("pso", [toy_attack("pso", seed).run() for seed in range(5)]),
    ]


SPACE = toy_attack().space


def test_the_headline_compares_the_first_seeds(lanes: list[Lane]) -> None:
    first, second = (lane.first.queries for lane in lanes)
    assert standings.headline(lanes) == (
        f"Queries spent until a search reaches the goal: Local search {first}; PSO {second}, "
        f"{second / first:.1f} times as many."
    )


def test_the_headline_tells_of_failures_and_of_too_many_words(lanes: list[Lane]) -> None:
    short = lane_of("ga", [toy_attack("ga", budget=5).run()])
    over = lane_of("sgs", [toy_attack("sgs", max_changed=0.0).run()])
    assert over.first.status == "over_limit"
    told = standings.headline([lanes[0], short, over])
    assert "GA spends its budget without reaching the goal" in told
    assert "but too many words" in told
    assert standings.headline([short]) == "No search reaches the goal."


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


def test_all_count_the_words_that_may_change_alike() -> None:
    """0.58 * 50 is 28.999999999999996, and 58 % of 50 words are 29."""
    space = SearchSpace.from_choices([[f"a{at}", f"b{at}"] for at in range(50)])
    assert [space.allowed(share) for share in (0.58, 0.579, 0.0, 1.0)] == [29, 28, 0, 50]
    goal = function_goal(lambda state: float(sum(state)), lambda value: value >= 29)
    attack = Attack(space, goal, SEARCHES["ls"](), max_changed=0.58, hard_limit=True)
    result = attack.run()
    assert (result.status, sum(result.state)) == ("success", 29)
    assert board.board_data(space, [lane_of("ls", [result])], 0.58)["allowed"] == 29
    words = " ".join(["film"] * 50)
    app = done(page(text=words, limit=58, race=["ls", "greedy"]))
    figures = [json.loads(one.proto.spec) for one in app.get("plotly_chart")]
    told = [note["text"] for one in figures for note in one["layout"].get("annotations", [])]
    assert "limit: 29" in told


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


def test_the_board_shows_what_each_trace_holds(lanes: list[Lane]) -> None:
    data = board.board_data(SPACE, lanes, 0.25)
    json.dumps(data)
    assert data["most"] == max(lane.first.queries for lane in lanes)
    for lane, told in zip(lanes, data["lanes"], strict=True):
        assert told["population"] == (lane.search == "pso")
        for step, frame in zip(lane.first.steps, told["frames"], strict=True):
            words = [
                column["choices"][number]
                for column, number in zip(data["columns"], frame["state"], strict=True)
            ]
            expected = zip(SPACE.choices, step.current.state, strict=True)
            assert words == [column[choice] for column, choice in expected]
            assert frame["queries"] == step.queries
            for name, share in frame["shades"].items():
                at, number = map(int, name.split(","))
                choice = SPACE.choices[at].index(data["columns"][at]["choices"][number])
                has = sum(member.state[at] == choice for member in step.frontier)
                assert share == pytest.approx(has / len(step.frontier), abs=1e-3)


def test_the_table_has_means_over_seeds(lanes: list[Lane]) -> None:
    rows = standings.table(SPACE, [*lanes, Lane("ga", (Run(0, "running"), Run(1, "waiting")))])
    assert rows[0]["success"] == "yes"
    assert rows[0]["queries"] == f"{lanes[0].first.queries}"
    wins = sum(run.status == "success" for run in lanes[1].runs)
    assert rows[1]["success"] == f"{wins} of 5 seeds"
    counts = [run.queries for run in lanes[1].runs]
    assert rows[1]["queries"] == f"{np.mean(counts):,.0f} ± {np.std(counts, ddof=1):,.0f}"
    assert (rows[2]["success"], rows[2]["queries"]) == ("is running", "")
    html = standings.table_html([{"<b>": "a & b"}])
    assert "&lt;b&gt;" in html
    assert "a &amp; b" in html


def test_an_error_is_shown_as_it_is() -> None:
    lane = Lane("ls", (Run(0, "error", error="The service does not answer."),))
    assert standings.progress_text(lane) == "Local search: The service does not answer."


def page(**inputs: Any) -> AppTest:
    app = harness("race")
    small = {"victim": "toy", "words": "toy", "text": TEXT, "seeds": 2, "budget": 300}
    for key, value in {**small, **inputs}.items():
        app.session_state[key] = value
    app.run()
    return app


def done(app: AppTest) -> AppTest:
    until(lambda: not any(b.label == "Cancel" for b in app.run().button))
    assert not app.exception
    return app


def shown(app: AppTest) -> dict[str, Any]:
    (component,) = app.get("bidi_component")
    told: dict[str, Any] = json.loads(component.proto.json)
    return told


def text_of(app: AppTest) -> str:
    return " ".join(one.value for one in app.markdown)


def test_the_page_races_three_searches_to_the_end() -> None:
    app = done(page())
    assert "Queries spent until a search flips the label: Local search" in text_of(app)
    data = shown(app)
    assert [lane["search"] for lane in data["lanes"]] == list(SEARCHES_RACED)
    last = toy_attack("ls", budget=300).run().steps[-1]
    assert data["lanes"][0]["frames"][-1]["score"] == last.current.score
    assert [button.label for button in app.button] == ["Open in Step through"] * 3


def test_the_board_follows_the_cursor_of_a_link() -> None:
    app = page(**{"race.of": None})
    app = done(app)
    assert shown(app)["at"] is None
    app.session_state["race.at"] = 40
    app.run()
    assert shown(app)["at"] == 40
    assert app.query_params["at"] in ("40", ["40"])


def test_a_link_to_a_number_of_queries_that_is_none_is_harmless() -> None:
    app = harness("race")
    for key, value in {"victim": "toy", "words": "toy", "text": TEXT, "budget": 300}.items():
        app.session_state[key] = value
    app.query_params["at"] = "9" * 5_000
    app = done(app.run())
    assert shown(app)["at"] is None


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


def test_fewer_than_two_searches_are_asked_for() -> None:
    app = page(race=["ls"])
    assert "Pick two to four" in app.info[0].value


def test_a_bad_sentence_gets_a_sentence_back() -> None:
    assert "no words" in page(text="?!").error[0].value


def test_a_step_through_button_takes_search_and_seed_along() -> None:
    app = done(page())
    app.button(key="race.open.pso").click().run()
    assert (app.session_state["search"], app.session_state["seed"]) == ("pso", 0)


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
