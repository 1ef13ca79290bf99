"""A card for each search of a race: how far it is, and its buttons."""

from streamlit.delta_generator import DeltaGenerator

from app.race import lanes as race
from app.race import standings
from app.race.lanes import Lane
from app.shared import pickers
from app.shared.jobs import Job, Jobs
from app.shared.question import Question


def card(
    place: DeltaGenerator, lane: Lane, jobs: Jobs[Job], question: Question, seeds: int, budget: int
) -> None:
    """Progress and Cancel while it runs, and the way to its trace once it has ended."""
    row, name, progress_text = (
        place.container(border=True),
        lane.search,
        standings.progress_text(lane),
    )
    if lane.busy:
        row.progress(standings.share(lane, budget), pickers.plain(progress_text))
    else:
        row.markdown(pickers.plain(progress_text))
    tools, which = row.container(horizontal=True), (jobs, question, name, seeds, budget)
    if lane.busy:
        tools.button("Cancel", key=f"race.cancel.{name}", on_click=race.cancel, args=which)
    elif any(run.status in ("cancelled", "error") for run in lane.runs):
        tools.button("Run again", key=f"race.again.{name}", on_click=race.again, args=which)
    if lane.first.over and tools.button(
        "Open in Step through",
        key=f"race.open.{name}",
        on_click=lambda: pickers.put(search=name, seed=lane.first.seed),
    ):
        pickers.go_to("step")
