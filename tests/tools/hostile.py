"""Hostile inputs to a running server, through its websocket and its uploads.

    python -m tests.tools.hostile --count 10000 [--seconds 7200] [--seed 1] [--output FILE]

types, tells, uploads, links and forges so many inputs on every page, and a fifth as many as a
visitor without the passphrase of an open server. Each must get an answer of one sentence at most;
no error is unforeseen, no traceback stands in the log, no file is where none may be, and the memory
of the server stays below 1.5 GB. A seed always gives the same inputs; the tests run the first few
hundred. What is wrong is printed in groups and counted in the file, with exit code 1, also where
the time was over before all were tried.
"""

import argparse
import json
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState, UploadedFileInfo
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from tests.tools import hostile_inputs as inputs
from tests.toys.sandbox import PASSPHRASE, Sandbox, sandbox
from tests.toys.study import LABELS, start, tokens
from tests.toys.visitor import (
    ClosedError,
    NoAnswerError,
    Placed,
    RefusedError,
    Visitor,
    trigger_state,
    widget_state,
)

SEED = 18
MOST_MEMORY = 1_500  # megabytes of the server
RATERS = 100  # some inputs are answers, or end a rater's work
PATIENCE = 30.0  # seconds for an answer
GENERATED = 100  # inputs that are tried however slow the machine is
LONGEST = 500  # characters of a sentence
NO_SENTENCE = re.compile(r"Traceback|object at 0x|<class |\b[A-Z]\w+(Error|Exception)\b")
TAKE = ("new.go", "organise.add.", "organise.import.go")  # what is pressed after an upload
SPECIAL = re.compile(r"(['\"`]).*?\1|\d+|/\S+")  # what differs between faults of one kind
UNFORESEEN = "unforeseen"
BUSY = ("run.stop", "stop", "harden.stop")  # buttons of a page that still works

THEORY: tuple[str, ...]
THEORY = ("Is f submodular?", "Optimum, bound, searches", "Local optimum", "Landscape")
THEORY += ("Bounds compared", "Set functions by hand")
TABLE, TEXTATTACK = "A table (CSV, JSONL)", "TextAttack results (CSV)"
TRACES, RUN = "Saved attacks (traces)", "A batch run (results, JSONL)"
WIZARD = (TABLE, TEXTATTACK, TRACES, RUN)
ROOMS = ("", "table", "step", "race", "results", "organise", "rate", *THEORY)
BEHIND_THE_DOOR = ("study", *WIZARD)
ENDINGS = {  # of the files that each uploader takes
    "step.file": ("json", "npz"),
    "new.file": ("csv", "tsv", "jsonl", "parquet"),
    "organise.import": ("json",),
    "own.file": ("csv",),
    f"wizard.files.{TABLE}": ("csv", "tsv", "jsonl", "ndjson"),
    f"wizard.files.{TEXTATTACK}": ("csv",),
    f"wizard.files.{TRACES}": ("json", "npz"),
    f"wizard.files.{RUN}": ("jsonl",),
}
QUESTION = (
    "text premise victim words reference label target limit hard example edits constraint made"
)
LINKS = {  # what the address of a page can say
    "": f"{QUESTION} s substitution_option",
    "step": f"{QUESTION} search budget seed step search_option",
    "race": f"{QUESTION} race seeds budget at requests",
    "results": "experiment",
    "theory": f"{QUESTION} part instance first most runs alpha d exchange early pso swarm",
    "organise": "study",
    "rate": "a",
    "no/such/page": "a text",
}
CHEAP = {"budget": "20", "seeds": "1"}  # how much work a visitor may start is tried elsewhere


@dataclass(frozen=True)
class Case:
    """One input: what is done in which room, to which widget, with which value."""

    room: str
    deed: str
    key: str = ""
    value: Any = None
    name: str = ""  # of a file
    certain: bool = False  # every run tries it

    def __str__(self) -> str:
        value = repr(self.value)
        shown = value if len(value) <= 200 else f"{value[:160]} ... ({len(value):,} characters)"
        return f"{self.room or 'lattice'} {self.deed} {self.key} {self.name!r} {shown}"


# What is told to widgets; a value of the right type is hostile by its content.
TYPED: dict[str, st.SearchStrategy[Any]] = {
    "text_area": inputs.texts,
    "text_input": inputs.texts,
    "selectbox": inputs.texts,
    "radio": inputs.texts,
    "number_input": inputs.numbers,
    "slider": st.lists(inputs.numbers, max_size=3),
    "checkbox": st.booleans(),
    "multiselect": st.lists(inputs.texts, max_size=5),
    "button_group": st.lists(inputs.texts, max_size=2),
    "date_input": st.lists(
        inputs.texts | st.sampled_from(["0001/01/01", "9999/12/31", "2026/02/30"]), max_size=2
    ),
    "dataframe": st.one_of(
        inputs.raw_json,
        inputs.json_values.map(json.dumps),
        st.fixed_dictionaries(
            {
                "edited_rows": st.dictionaries(inputs.letters, inputs.json_values, max_size=2),
                "added_rows": st.lists(inputs.json_values, max_size=2),
                "deleted_rows": st.lists(inputs.json_values, max_size=2),
            }
        ).map(json.dumps),
    ),
    "plotly_chart": inputs.raw_json | inputs.json_values.map(json.dumps),
}
whole = st.integers(-3, 40) | st.sampled_from([2**31, 2**63, -(2**63), 10**30])
events = st.sampled_from(["picked", "edited", "step", "at", "sent", "ended", "none"])
TOLD = st.one_of(
    inputs.raw_json,
    st.dictionaries(events, inputs.json_values, max_size=3).map(json.dumps),
    st.builds(
        lambda turn, state: json.dumps({"picked": {"turn": turn, "state": state}}),
        whole | inputs.json_values,
        st.lists(whole, max_size=20) | inputs.json_values,
    ),
    st.builds(
        lambda locked, removed: json.dumps({"edited": {"locked": locked, "removed": removed}}),
        st.lists(whole, max_size=4) | inputs.json_values,
        st.lists(st.tuples(whole, inputs.texts), max_size=3) | inputs.json_values,
    ),
    st.builds(
        lambda event, value: (event, value),
        events,
        st.lists(whole, max_size=3) | inputs.json_values,
    ),
)

unknown_file = UploadedFileInfo(file_id="none", name="../x.json", size=1)
VALUES: dict[str, st.SearchStrategy[Any]] = {  # by the name of the field in which it travels
    "trigger_value": st.booleans(),
    "bool_value": st.booleans(),
    "double_value": inputs.numbers,
    "int_value": st.integers(-(2**63), 2**63 - 1),
    "string_value": inputs.texts,
    "double_array_value": st.lists(inputs.numbers, max_size=3),
    "int_array_value": st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3),
    "string_array_value": st.lists(inputs.texts, max_size=3),
    "json_value": inputs.raw_json | inputs.json_values.map(json.dumps),
    "json_trigger_value": inputs.raw_json | inputs.json_values.map(json.dumps),
    "bytes_value": st.binary(max_size=50),
    "file_uploader_state_value": st.just(FileUploaderState(uploaded_file_info=[unknown_file])),
}


def states(ids: list[str]) -> st.SearchStrategy[WidgetState]:
    """Any value for any widget, whether it is drawn or not."""
    known = st.sampled_from(ids)
    id = st.one_of(
        known,
        known,
        known.map(lambda one: trigger_state(one, "x", 1).id),
        st.sampled_from(["", "$$", "$$ID-", "$$ID-0-text", "text", "$$ID-0-None"]),
        inputs.letters,
    )
    return st.sampled_from(sorted(VALUES)).flatmap(
        lambda name: st.builds(widget_state, id, st.just(name), VALUES[name])
    )


def mangled(ids: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Fields of a request to run as no browser fills them."""
    some = {
        "fragment_id": inputs.texts,
        "page_script_hash": inputs.texts,
        "page_name": inputs.texts | st.sampled_from(["rate", "../organise", "no-such-page"]),
        "query_string": inputs.texts | inputs.addresses,
        "is_auto_rerun": st.booleans(),
        "cached_message_hashes": st.lists(inputs.letters, max_size=4).map(lambda one: one * 500),
        "url": inputs.texts,
        "timezone": inputs.texts,
        "timezone_offset": st.integers(-(2**31), 2**31 - 1),
        "locale": inputs.texts,
        "widgets": states(ids).map(lambda one: [one] * 500),
    }
    return st.fixed_dictionaries({}, optional=some)


def links(page: str) -> st.SearchStrategy[Any]:
    """The query of an address: known and unknown names, one or several values each."""
    name = st.sampled_from(LINKS[page].split()) | inputs.letters
    value = inputs.texts.filter(lambda text: len(text) < 30_000) | inputs.numbers.map(str)
    pairs = st.dictionaries(name, st.lists(value, min_size=1, max_size=3), max_size=4)
    cheap = pairs.map(lambda query: {**CHEAP, **query})
    return st.one_of(cheap, cheap, inputs.addresses)


def cases(rooms: dict[str, dict[str, Placed]], ids: list[str]) -> st.SearchStrategy[Case]:
    """Every deed in every room, on the widgets that are drawn there; any known one is forged."""
    places = [(room, key) for room in sorted(rooms) for key in sorted(rooms[room])]

    def kind(place: tuple[str, str]) -> str:
        return rooms[place[0]][place[1]].kind

    def deed(name: str, place: tuple[str, str], value: st.SearchStrategy[Any]) -> Any:
        return value.map(lambda drawn: Case(place[0], name, place[1], drawn))

    def uploads(place: tuple[str, str], ending: str) -> Any:
        parts = st.tuples(inputs.files(ending), inputs.names(ending))
        return parts.map(lambda file: Case(place[0], "uploads", place[1], *file))

    room = st.sampled_from(sorted(rooms))
    typed = [deed("types", place, TYPED[kind(place)]) for place in places if kind(place) in TYPED]
    told = [deed("tells", place, TOLD) for place in places if kind(place) == "bidi_component"]
    uploaded = [
        uploads(place, ending)
        for place in places
        if place[1] in ENDINGS and place[1] in UPLOADED_IN.get(place[0], ())
        for ending in ENDINGS[place[1]]
    ]
    linked = [deed("links", (page, ""), links(page)) for page in LINKS]
    forged = st.lists(states(ids), min_size=1, max_size=3)
    return st.one_of(
        st.sampled_from(typed).flatmap(lambda one: one),
        st.sampled_from(typed).flatmap(lambda one: one),
        st.sampled_from(told).flatmap(lambda one: one),
        st.sampled_from(uploaded).flatmap(lambda one: one),
        st.sampled_from(linked).flatmap(lambda one: one),
        st.builds(lambda where, what: Case(where, "forges", value=what), room, forged),
        st.builds(lambda where, what: Case(where, "mangles", value=what), room, mangled(ids)),
    )


UPLOADED_IN = {  # the rooms in which an uploader is tried
    "step": ("step.file",),
    "results": ("new.file",),
    "table": ("own.file",),
    **{kind: (f"wizard.files.{kind}", "organise.import") for kind in WIZARD[:1]},
    **{kind: (f"wizard.files.{kind}",) for kind in WIZARD[1:]},
}


def certain_cases(rooms: dict[str, dict[str, Placed]]) -> list[Case]:
    """What every run tries: all hostile names, and all files that are small and become large."""
    table = inputs.TABLE.encode()
    parts = [("results", "new.file", table, f"{stem}.csv") for stem in inputs.STEMS]
    parts += [
        (room, key, inputs.bomb(ending, number), f"x.{ending}")
        for room, keys in UPLOADED_IN.items()
        for key in keys
        for ending in ENDINGS[key]
        for number in range(len(inputs.BOMBS[ending]))
    ]
    return [
        Case(room, "uploads", key, value, name, certain=True)
        for room, key, value, name in parts
        if key in rooms.get(room, ())
    ]


def mixed(certain: list[Case], generated: Iterator[Case]) -> Iterator[Case]:
    """The certain cases, a generated one after each of the first, and then more of these."""
    for number, case in enumerate(certain):
        yield case
        if number < GENERATED:
            yield next(generated)
    yield from generated


@dataclass
class Report:
    """What was tried, and what was wrong with the answers."""

    certain: int = 0  # that every run tries
    generated: int = 0
    tried: int = 0
    busy: int = 0
    seconds: float = 0.0
    peak: float = 0.0
    tracebacks: int = 0
    outside: int = 0  # files where none may be
    faults: list[tuple[str, Case | None]] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """What is written down of a run."""
        return {
            "inputs": self.tried,
            "generated": self.generated,
            "seconds": round(self.seconds),
            "faults": len(self.faults),
            "tracebacks": self.tracebacks,
            "files_outside": self.outside,
            "peak_megabytes": round(self.peak),
        }

    def summary(self) -> str:
        """All in one line."""
        return (
            f"{self.tried:,} inputs in {self.seconds:.0f} seconds: {len(self.faults):,} faults; "
            f"{self.busy} still at work when left; at most {self.peak:,.0f} MB."
        )

    def lines(self) -> Iterator[str]:
        """The faults in groups, each with an example."""
        yield self.summary()
        groups: dict[str, list[tuple[str, Case | None]]] = {}
        for fault, case in self.faults:
            groups.setdefault(SPECIAL.sub("", fault)[:120], []).append((fault, case))
        for members in sorted(groups.values(), key=len, reverse=True):
            yield f"{len(members):5} x {members[0][0][:400]}\n        {members[0][1]}"


class Intruder:
    """Somebody with bad intentions, who has a tab open in every room."""

    def __init__(self, server: Sandbox) -> None:
        self.server = server
        self.report = Report()
        self.outside = server.folder / "outside"
        self.outside.mkdir()
        self._tabs: dict[str, Visitor] = {}
        self._numbers = count()
        database = Database(f"sqlite:///{server.data / 'studies.sqlite'}")
        items = tuple(Item(f"text {n}", LABELS[n % 2], f"s{n}", "ls") for n in range(40))
        study = create(database, StudyPlan("Theirs", LABELS, items, design=Design(RATERS, RATERS)))
        self.links = tokens(database, study)
        for link in self.links:
            start(database, link)
        database.close()
        self.rooms, self.knows_passphrase = [*ROOMS, *BEHIND_THE_DOOR], True

    def newcomer(self) -> Visitor:
        """A new tab, each from another address of this machine."""
        number = next(self._numbers)
        return Visitor(self.server.address, f"127.1.{number // 250 % 250}.{number % 250 + 1}")

    def room(self, name: str) -> Visitor:
        """The tab in a room, which is opened if it is not."""
        if name not in self._tabs:
            self._tabs[name] = self._enter(self.newcomer(), name)
        return self._tabs[name]

    def widgets(self, room: str) -> dict[str, Placed]:
        """What is drawn in a room, by keys that are the same in every run."""
        return {steady(key): placed for key, placed in self.room(room).widgets.items()}

    def leave(self, room: str) -> None:
        """Close a tab; the next case there opens another one."""
        if room in self._tabs:
            with suppress(OSError):
                self._tabs.pop(room).close()

    def forget_passphrase(self) -> None:
        """From now on it is somebody who does not know it."""
        for room in self.rooms:
            self.leave(room)
        self.rooms, self.knows_passphrase = [*ROOMS], False

    def _enter(self, visitor: Visitor, name: str) -> Visitor:
        if name in THEORY:
            return visitor.open("theory", {"part": name})
        if name == "table":
            return visitor.open("", {"words": "table"})
        if name == "rate":
            return visitor.open("rate", {"a": self.links[0]})
        needs_passphrase = (*BEHIND_THE_DOOR, *(["results"] if self.server.is_open else []))
        if name in needs_passphrase and self.knows_passphrase:
            visitor.open("organise")
            (send,) = (one for one in visitor.of("button") if one.proto.is_form_submitter)
            visitor.tell(
                [visitor.state("organise.passphrase", PASSPHRASE), visitor.state(send.key, True)]
            )
        if name in WIZARD:
            visitor.set("organise.study", "New study").set("wizard.kind", name)
        if name in BEHIND_THE_DOOR:
            return visitor
        visitor.open(name, CHEAP)
        if name == "results" and self.knows_passphrase:
            plan = {
                "new.data": "A file of your own",
                "new.victims": ["toy"],
                "new.searches": ["Local search"],
                "new.rows": 1,
                "new.budget": 1,
            }
            visitor.tell(visitor.state(key, value) for key, value in plan.items())
        return visitor

    def attack(self, case: Case) -> None:
        """Do it, and look at the answer."""
        self.report.tried += 1
        self.report.generated += not case.certain
        before = self.server.peak
        try:
            visitor = getattr(self, f"_{case.deed}")(case)
            faults = list(verdict(visitor))
        except RefusedError as refused:
            faults = [f"refused with {refused}"] if refused.args[0] >= 500 else []
        except NoAnswerError as silence:
            faults = list(self._silence(case, silence))
            self.leave(case.room)
        except (ClosedError, OSError) as closed:
            faults = [] if case.deed in ("tells", "forges", "mangles") else [f"closed: {closed}"]
            self.leave(case.room)
        errors = self.server.new_tracebacks()
        if errors:  # told by their place in the code, not by their box on the page
            faults = [fault for fault in faults if not fault.startswith(UNFORESEEN)]
        self.report.tracebacks += len(errors)
        faults += [f"traceback: {error}" for error in errors]
        if faults:
            self.leave(case.room)
        if (now := self.server.peak) > MOST_MEMORY and now > before + 50:
            faults.append(f"the server took {now:,.0f} MB")
        if touched := self.server.touched():
            self.report.outside += len(touched)
            faults.append(f"files were touched: {', '.join(map(str, touched))}")
        self.report.faults += [(fault, case) for fault in faults]

    def _silence(self, case: Case, silence: NoAnswerError) -> Iterator[str]:
        """A page that is at work says so and can be stopped; any other is stuck."""
        visitor = self._tabs.get(case.room)
        if visitor and any(key in visitor.widgets for key in BUSY):
            self.report.busy += 1
            with suppress(NoAnswerError, ClosedError):
                visitor.post(BackMsg(stop_script=True))
                visitor.beat()
        else:
            yield f"no answer: {silence}"

    def _place(self, case: Case) -> tuple[Visitor, str]:
        """The tab of a case, and its widget there; come in anew if it is not drawn any more."""
        for _ in range(2):
            visitor = self.room(case.room)
            for key in visitor.widgets:
                if steady(key) == case.key:
                    return visitor, key
            self.leave(case.room)
            if case.room == "rate":  # this rater has rated everything, or does not want to go on
                self.links = self.links[1:]
        raise KeyError(f"{case.key} is not drawn in {case.room}")

    def _types(self, case: Case) -> Visitor:
        visitor, key = self._place(case)
        return visitor.set(key, case.value, PATIENCE)

    def _tells(self, case: Case) -> Visitor:
        visitor, key = self._place(case)
        if isinstance(case.value, tuple):
            event, value = case.value
            return visitor.trigger(key, event, value, PATIENCE)
        return visitor.set(key, case.value, PATIENCE)

    def _uploads(self, case: Case) -> Visitor:
        visitor, key = self._place(case)
        name = case.name.replace(inputs.OUTSIDE, str(self.outside))
        visitor.upload(key, (name, case.value), patience=PATIENCE)
        if case.key == "new.file" and "new.name" in visitor.widgets:
            visitor.set("new.name", f"h{next(self._numbers)}", PATIENCE)
        for button in visitor.of("button"):
            if button.key.startswith(TAKE) and not button.proto.disabled:
                return visitor.press(button.key, PATIENCE)
        return visitor

    def _links(self, case: Case) -> Visitor:
        with self.newcomer() as visitor:
            return visitor.open(case.room, case.value, PATIENCE)

    def _forges(self, case: Case) -> Visitor:
        return self.room(case.room).tell(case.value, patience=PATIENCE)

    def _mangles(self, case: Case) -> Visitor:
        visitor, fields = self.room(case.room), dict(case.value)
        state = visitor.client_state(fields.pop("widgets", ()))
        context = ("url", "timezone", "timezone_offset", "locale")
        for name in context:
            if name in fields:
                setattr(state.context_info, name, fields.pop(name))
        hashes = fields.pop("cached_message_hashes", ())
        state.cached_message_hashes.extend(hashes)
        for name, value in fields.items():
            setattr(state, name, value)
        visitor.ask(state)
        visitor.beat()
        if fields.get("fragment_id"):  # there is none of this name: nothing runs
            visitor.rerun(PATIENCE)
        visitor.until(lambda: not visitor.running, PATIENCE)
        if {"page_name", "page_script_hash", "query_string"} & {*case.value}:
            self.leave(case.room)  # it may show another page now
        return visitor


def steady(key: str) -> str:
    """The key of a widget without the random name of a text to rate."""
    return re.sub(r"(?<=^rate\.questions)\..*", "", key)


def verdict(visitor: Visitor) -> Iterator[str]:
    """What is wrong with a page as an answer."""
    for crash in visitor.crashes:
        yield f"{UNFORESEEN}: {crash}"
    for box in visitor.of("alert"):
        if box.proto.format in (1, 2) and not is_sentence(box.proto.body):
            yield f"no sentence: {box.proto.body[:300]!r}"


def is_sentence(text: str) -> bool:
    """Whether an answer is short, in one line, and in the words of people."""
    return "\n" not in text and 0 < len(text) <= LONGEST and not NO_SENTENCE.search(text)


def generated_cases(any_case: st.SearchStrategy[Case], number: int) -> Iterator[Case]:
    """Different cases without an end, the same for the same number."""
    known = set[str]()
    for part in count(number * 1_000):
        fresh = {str(case): case for case in drawn(any_case, part) if str(case) not in known}
        known |= fresh.keys()
        yield from fresh.values()


def drawn(any_case: st.SearchStrategy[Case], number: int) -> list[Case]:
    """A hundred cases, some of them nearly alike."""
    found: list[Case] = []

    @seed(number)
    @settings(
        max_examples=100,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(any_case)
    def collect(case: Case) -> None:
        found.append(case)

    collect()
    return found


def run(server: Sandbox, most: int, seconds: float, number: int = SEED) -> Report:
    """So many inputs, or as many as there is time for, but the certain ones and some more always.

    On an open server they come from somebody who knows what the organiser's widgets are called, but
    not the passphrase.
    """
    inputs.good_files()  # made here, not while inputs are drawn
    intruder = Intruder(server)
    report, began = intruder.report, monotonic()
    rooms = {name: intruder.widgets(name) for name in intruder.rooms}
    ids = [placed.id for name in sorted(rooms) for _, placed in sorted(rooms[name].items())]
    if server.is_open:
        intruder.forget_passphrase()
        rooms = {name: intruder.widgets(name) for name in intruder.rooms}
    certain = certain_cases(rooms)
    report.certain = len(certain)
    least = min(most, len(certain) + GENERATED)

    for case in mixed(certain, generated_cases(cases(rooms, ids), number)):
        if report.tried >= (most if monotonic() < began + seconds else least):
            break
        known = len(report.faults)
        intruder.attack(case)
        for fault, _ in report.faults[known:]:
            print(f"{str(case)[:200]}\n    {fault[:300]}", file=sys.stderr, flush=True)
        report.seconds, report.peak = monotonic() - began, server.peak
        if report.tried % 500 == 0:
            print(report.summary(), file=sys.stderr, flush=True)
    for room in intruder.rooms:
        intruder.leave(room)
    return report


def main() -> int:
    """Attack servers of one's own, one for this machine and one that is open to others."""
    warnings.simplefilter("ignore", HypothesisWarning)
    parser = argparse.ArgumentParser(prog="python -m tests.tools.hostile", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=7_200)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path)
    chosen = parser.parse_args()
    found: dict[str, Any] = {"seed": chosen.seed}
    fine = True
    for name, most in (("own_machine", chosen.count), ("open_server", chosen.count // 5)):
        is_open = name == "open_server"
        with TemporaryDirectory() as folder, sandbox(Path(folder), is_open=is_open) as server:
            report = run(server, most, chosen.seconds, chosen.seed)
        print(name, *report.lines(), sep="\n")
        found[name] = report.figures()
        fine = fine and not report.faults and report.tried == most
    if chosen.output:
        chosen.output.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
