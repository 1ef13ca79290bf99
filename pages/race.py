"""Race: several searches on one sentence, compared at equal queries."""

from functools import partial

import streamlit as st

from app.race import board, cards, standings
from app.race import lanes as race
from app.shared import charts, choices, glossary, jobs, pickers
from app.shared.question import ask, stop_if_empty
from core import CoreError
from core.search import registered
from core.spreadsheet import csv_text

PLOT = {"displayModeBar": False}
POLL = 0.5  # seconds between two looks at a race that runs

st.markdown(
    "**Which search needs the fewest questions?** All attack the same sentence; move the slider to "
    "see each of them after the same number of queries to the victim."
)
glossary.show("victim", "substitute", "query", "request", "score", "limit")
try:
    with st.container(key="form_race"):
        question = ask()
        stop_if_empty(question)
        cells = st.columns([4, 1.4, 1.4], vertical_alignment="bottom")
        options, excluded = choices.for_space(question.space)
        first = registered(choices.RACE)
        searches = pickers.several(
            cells[0], "Searches, two to four", options, "race", first, race.MOST, choices.title
        )
        seeds = pickers.number(cells[1], "Seeds, if random", race.SEEDS, "seeds", 1, 30)
        budget = pickers.number(cells[2], "Budget, queries", race.BUDGET, "budget", 1, 100_000)
        if excluded:
            st.caption(excluded)
        if len(searches) < 2:
            st.info("Pick two to four searches; they start at once.")
            st.stop()
    race.check(searches, seeds, budget)
    wanted = question, searches, seeds, budget
    busy = any(lane.busy for lane in race.watch(jobs.session_jobs("race"), *wanted))
except CoreError as error:
    st.error(pickers.plain(str(error)))
    st.stop()


def show() -> None:
    """Everything about the race; drawn again and again while it runs."""
    held = jobs.session_jobs("race")
    lanes = race.watch(held, *wanted)
    st.container(key="first_headline").markdown(f"#### {standings.headline(lanes)}")
    for lane, cell in zip(lanes, st.columns(len(lanes)), strict=True):
        cards.card(cell, lane, held, question, seeds, budget)
    data = board.board_data(question.space, lanes, question.spec.max_changed)
    data["at"] = board.opened(data["id"])
    requests = pickers.switch(st.container(), "Count requests, as the paper does", "requests")
    score, words = st.container(key="first_curves").columns([3, 2])
    cursor = data["most"] if data["at"] is None else min(data["at"], data["most"])
    lines = standings.curves(lanes, requests=requests, cursor=cursor)
    level = (question.threshold, f"{question.kind.reached} above") if question.threshold else None
    axis = {"requests": requests, "cursor": cursor, "end": standings.end(lanes, requests)}
    figure = charts.race(lines, title="best score so far", level=level, **axis)
    score.plotly_chart(figure, width="stretch", key="race.curves", config=PLOT)
    most = question.space.allowed(question.spec.max_changed)
    figure = charts.race(
        standings.changes(question.space, lanes, requests=requests),
        title="words changed",
        level=(most, f"limit: {most}"),
        whole=True,
        **axis,
    )
    words.plotly_chart(figure, width="stretch", key="race.changes", config=PLOT)
    st.caption(standings.LEGEND)
    board.board(data, key="race.board", on_move=board.moved)
    pickers.address("at", "" if data["at"] is None else str(data["at"]))
    st.html(standings.table_html(standings.table(question.space, lanes)))
    st.caption(standings.MEDIANS)
    rows, files = standings.results(question.space, lanes), st.container(horizontal=True)
    # While it runs, the next look drops the file.
    save = partial(files.download_button, on_click="ignore", disabled=busy)
    table = partial(csv_text, rows, raw=pickers.raw_cells("race"))
    save("Results (CSV)", table, "race.csv", key="race.csv")
    text = partial(standings.as_json, question, rows, budget)
    save("Results (JSON)", text, "race.json", key="race.json")
    if busy and not any(lane.busy for lane in lanes):
        st.rerun()  # the race is over: stop looking


st.fragment(show, run_every=POLL if busy else None)()
