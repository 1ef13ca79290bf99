"""The list of studies, and a running study: raters, links, pauses."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from app.shared import addresses, door
from app.shared.pickers import plain
from core import CoreError
from core.study import demonstration, exports, monitoring, organising
from core.study.database import Database
from core.study.monitoring import Overview, RaterProgress

POLL = 5.0  # seconds between two looks for new ratings
NEW = "New study"
STATES: dict[organising.StudyState, str] = {"open": "Go on", "paused": "Pause", "closed": "Close"}


def choose(database: Database) -> Overview | None:
    """Pick a study, or None for a new one; the demonstration is one click away."""
    studies = {study.id: study for study in monitoring.studies(database)}
    messages = st.container()  # always there: what follows keeps its place, and so stays open
    if message := st.session_state.pop("organise.message", None):
        messages.success(plain(message))
    if message := st.session_state.pop("organise.error", None):
        messages.error(plain(message))
    wanted = st.session_state.pop("organise.next", None)
    if wanted in studies:
        st.session_state["organise.study"] = wanted
    if st.session_state.get("organise.study") not in (*studies, NEW, None):
        del st.session_state["organise.study"]
    picked = st.selectbox(
        "Study",
        [*studies, NEW],
        format_func=lambda id: studies[id].name if id in studies else id,
        key="organise.study",
    )
    simulated = [id for id, study in studies.items() if study.simulated]
    demo = next((id for id in simulated if studies[id].name == demonstration.NAME), None)
    if picked in simulated:
        st.warning("The ratings of this study are simulated. They show what the page looks like.")
    if demo is None:
        button(
            "Show a demonstration study", "demo", lambda: _open(demonstration.demonstrate(database))
        )
    elif picked == demo:
        button(
            "Remove the demonstration study",
            "undemo",
            lambda: demonstration.remove_demonstration(database),
        )
    return studies.get(picked)


def live(database: Database, shown: Overview) -> None:
    """Look for new ratings now and then; the page is drawn anew only when there are some."""

    def look() -> None:
        now = {study.id: study for study in monitoring.studies(database)}.get(shown.id)
        if now != shown:
            st.rerun()

    st.fragment(look, run_every=POLL)()


def button(label: str, key: str, act: Callable[[], Any], done: str = "", **options: Any) -> None:
    """A button whose failure is a sentence on the page."""
    st.button(label, key=f"organise.{key}", on_click=attempt, args=(act, done), **options)


def attempt(act: Callable[[], Any], done: str = "") -> None:
    """Do it now, if the passphrase is known; tell on the next run what came of it."""
    if not door.has_entered():
        return
    try:
        act()
        if done:
            st.session_state["organise.message"] = done
    except CoreError as error:
        st.session_state["organise.error"] = str(error)


def _now(key: str, drawn: Any) -> Any:
    """What an input holds at the click, which may come before the page has drawn it anew."""
    return st.session_state.get(f"organise.{key}", drawn)


def _open(study: str) -> None:
    st.session_state["organise.next"] = study


def monitor(database: Database, study: Overview) -> None:
    """Progress, links and everything that keeps a study running."""
    row = st.container(horizontal=True)
    row.metric("State", study.state)
    row.metric("Ratings", f"{study.done:,} of {study.expected:,}")
    row.metric("Raters per item", study.design.per_item)
    raters = monitoring.rater_progress(database, study.id)
    st.dataframe(rater_rows(raters), hide_index=True, key="organise.raters")
    _links(database, study, raters)
    with st.expander("Pause, rename, exclude, replace, extend"):
        _steer(database, study, raters)
    with st.expander("Items and what happened"):
        st.dataframe(
            [
                {
                    "item": i.number,
                    "method": i.group,
                    "rated": i.rated,
                    "of": i.given,
                    "text": i.text,
                }
                for i in monitoring.item_progress(database, study.id)
            ],
            hide_index=True,
            key="organise.items.table",
        )
        log = monitoring.events(database, study.id)
        st.dataframe([{**event, "at": _time(event["at"])} for event in log], key="organise.events")


def rater_rows(raters: list[RaterProgress]) -> list[dict[str, Any]]:
    return [
        {
            "rater": rater.name,
            "done": f"{rater.done} of {rater.total}",
            "median seconds": None if rater.seconds is None else round(rater.seconds, 1),
            "checks right": f"{rater.checks_right} of {rater.checks}",
            "last seen": _time(rater.seen_at),
            "link": "given out" if rater.linked else "none",
            "code": rater.code,
            "excluded because": rater.excluded,
            "in place of": rater.replaces,
        }
        for rater in raters
    ]


def _time(seconds: Any) -> str:
    if seconds is None:
        return "never"
    return f"{datetime.fromtimestamp(float(seconds), UTC):%Y-%m-%d %H:%M} UTC"


def beside(name: str, query: str, page: str) -> str:
    """The address of another page of the app, beside this one."""
    parts = urlsplit(page)
    folder = parts.path.removesuffix("/organise").rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, f"{folder}/{name}", query, ""))


def _links(database: Database, study: Overview, raters: list[RaterProgress]) -> None:
    st.subheader("Links", anchor=False)
    st.caption("A link is shown once, here; only its hash is stored. A new one replaces the old.")
    names = {rater.id: rater.name for rater in raters if not rater.excluded}
    waiting = [rater.id for rater in raters if not rater.linked and rater.id in names]

    def give(chosen: list[str]) -> None:
        links = {names[id]: organising.new_link(database, id) for id in chosen}
        st.session_state["organise.links"] = (study.id, links)

    cells = st.columns(3, vertical_alignment="bottom")
    one = cells[0].selectbox(
        "Rater", names, format_func=names.__getitem__, key="organise.link.rater"
    )
    with cells[1]:
        button(
            "New link for this rater",
            "link.new",
            lambda: give([_now("link.rater", one)]),
            disabled=not names,
        )
    with cells[2]:
        button(
            "Revoke the link",
            "link.revoke",
            lambda: organising.revoke(database, _now("link.rater", one)),
            "The link does not work any more.",
            disabled=not names,
        )
    button(
        f"Links for all {len(waiting)} raters who have none",
        "link.all",
        lambda: give(waiting),
        disabled=not waiting,
    )

    def give_open() -> None:
        token = organising.open_link(database, study.id, int(_now("places", 1)))
        st.session_state["organise.links"] = (study.id, {"everybody": token})

    cells = st.columns(3, vertical_alignment="bottom")
    cells[0].number_input("Places of an open link", 1, 1000, 1, key="organise.places")
    with cells[1]:
        button("New open link", "link.open", give_open)
    with cells[2]:
        if study.open_places is not None:
            button(
                f"Close the open link ({study.open_places} places left)",
                "link.close",
                lambda: organising.close_open_link(database, study.id),
                "The open link is closed.",
            )
    owner, links = st.session_state.get("organise.links", ("", {}))
    if links and owner == study.id:
        _show_links(links)


def _show_links(tokens: Mapping[str, str]) -> None:
    """Links as others can open them; a single one as a code to scan, too."""
    page = st.context.url or ""
    shared = addresses.for_others(page)
    if shared is None:
        st.warning(
            "Nobody else can open this: the address leads to your own machine only. Start the "
            "server with make serve, so that others on the network can open it, and make new links."
        )
    links = {name: beside("rate", f"a={token}", shared or page) for name, token in tokens.items()}
    text, picture = st.columns([3, 1]) if len(links) == 1 else (st.container(), None)
    text.code("\n".join(f"{name}: {link}" for name, link in links.items()), language=None)
    if picture is not None:
        (link,) = links.values()
        picture.image(addresses.picture(link), width=180, alt="The link as a code to scan")


def _steer(database: Database, study: Overview, raters: list[RaterProgress]) -> None:
    _set_state(database, study)
    _change_raters(database, raters)
    _extend(database, study)
    typed = st.text_input("Type the study's name to delete it for good", key="organise.delete")
    button(
        "Delete the study and all its ratings",
        "remove",
        lambda: organising.remove(database, study.id),
        "The study is deleted.",
        disabled=typed != study.name,
    )


def _set_state(database: Database, study: Overview) -> None:
    for cell, (state, label) in zip(st.columns(3), STATES.items(), strict=True):
        with cell:
            button(
                label,
                f"state.{state}",
                partial(organising.set_state, database, study.id, state),
                f"The study is {state}.",
                disabled=study.state == state,
                width="stretch",
            )


def _change_raters(database: Database, raters: list[RaterProgress]) -> None:
    """Leave a rater out, count one again, give a place to another one, or rename one."""
    names = {rater.id: rater.name for rater in raters}
    left, right = st.columns(2)
    who = left.selectbox("Rater", names, format_func=names.__getitem__, key="organise.who")
    reason = right.text_input("Reason", key="organise.reason")
    cells = st.columns(3)

    def chosen() -> tuple[str, str]:
        return _now("who", who), _now("reason", reason)

    with cells[0]:
        button("Exclude", "exclude", lambda: organising.exclude(database, *chosen()), "Excluded.")
    with cells[1]:
        button(
            "Count again",
            "include",
            lambda: organising.include(database, chosen()[0]),
            "Counted again.",
        )
    with cells[2]:
        button(
            "Exclude and replace",
            "replace",
            lambda: organising.replace_rater(database, *chosen()),
            "A new place has the same items; give it a link above.",
        )
    left, right = st.columns(2, vertical_alignment="bottom")
    name = left.text_input("New name of the rater, which no rater sees", key="organise.name")
    with right:
        button(
            "Rename",
            "rename",
            lambda: organising.rename_rater(database, _now("who", who), _now("name", name)),
            "Renamed.",
        )


def _extend(database: Database, study: Overview) -> None:
    cells = st.columns(3, vertical_alignment="bottom")
    more = cells[0].number_input("More raters", 1, 1000, 1, key="organise.more")
    each = cells[1].number_input(
        "Raters per item", study.design.per_item, 100, study.design.per_item, key="organise.each"
    )
    with cells[2]:
        button(
            "Extend",
            "extend",
            lambda: organising.extend(
                database, study.id, int(_now("more", more)), int(_now("each", each))
            ),
            "New places are there; give them links above.",
        )


def import_study(database: Database) -> None:
    """Make a study again from an export."""
    file = st.file_uploader(
        "A study exported as JSON",
        type="json",
        key="organise.import",
        help="Above 20 MB move the whole database: python -m core study backup, then restore.",
    )
    name = st.text_input("Name (empty: as it was)", key="organise.import.name")
    if file is not None:
        content = file.getvalue()
        button(
            "Import the study",
            "import.go",
            lambda: _open(exports.import_json(database, content, name.strip())),
            "The study is imported. Its raters need new links.",
        )
