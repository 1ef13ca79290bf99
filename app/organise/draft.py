"""The form for a new study: what its inputs hold is kept in the database as it changes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime, time
from typing import Any, Final

import streamlit as st

from core import CoreError
from core.study import drafts
from core.study.calibration import QUESTION
from core.study.creating import StudyPlan
from core.study.database import Database
from core.study.design import Design
from core.study.intake import Intake
from core.study.items import Item, ItemKind
from core.study.wording import Wording
from core.tasks import TASKS

COLUMNS: Final[dict[ItemKind, tuple[str, ...]]] = {  # of the two small tables of the form
    "check": ("text", "label", "score"),
    "practice": ("text", "label", "score", "feedback"),
}
_PREFIX: Final = "wizard."
_QUESTION: Final = "wording.label_question"
_SEEN, _BROUGHT = f"{_PREFIX}seen", f"{_PREFIX}brought"


@dataclass(frozen=True)
class FormField:
    """An input of the form; ``read`` refuses a kept value that does not fit it."""

    default: Any
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value


@dataclass(frozen=True)
class Seen:
    """What this session knows to be kept of a field."""

    version: str | None
    value: Any


def key(name: str) -> str:
    """The input's name in the session."""
    return _PREFIX + name


def restore(database: Database) -> None:
    """Fill the inputs before they are drawn: with what is kept, where nothing else was typed here.

    Streamlit forgets an input that was not drawn, and other tabs may have changed the draft.
    """
    seen = _seen()
    versions = drafts.versions(database)
    changed = [name for name in FIELDS if versions.get(name) != seen[name].version]
    kept = drafts.read(database, changed) if changed else {}
    for name in changed:
        before = seen[name].value
        version, content = kept.get(name, (None, None))
        value = _read(FIELDS[name], content)
        if st.session_state.get(key(name), before) == before:
            st.session_state[key(name)] = value
        seen[name] = Seen(version, value)  # last: a run of the page may be broken off above
    for name in FIELDS:
        st.session_state.setdefault(key(name), seen[name].value)
    if brought := st.session_state.get(_BROUGHT):
        add(brought)
        del st.session_state[_BROUGHT]


def save(database: Database) -> None:
    """Keep the fields that have changed."""
    seen = _seen()
    values = {name: st.session_state.get(key(name), seen[name].value) for name in FIELDS}
    changed = {name: value for name, value in values.items() if value != seen[name].value}
    if changed:
        versions = drafts.save(
            database, {name: FIELDS[name].write(value) for name, value in changed.items()}
        )
        for name, value in changed.items():
            seen[name] = Seen(versions[name], value)


def discard(database: Database) -> None:
    """Throw everything away, here and in the database."""
    drafts.drop(database)
    for name in [name for name in st.session_state if str(name).startswith(_PREFIX)]:
        del st.session_state[name]


def is_empty() -> bool:
    """Whether nothing was typed or added."""
    return all(st.session_state.get(key(name)) == field.default for name, field in FIELDS.items())


def value(name: str) -> Any:
    return st.session_state[key(name)]


def labels() -> tuple[str, ...]:
    """The labels, which are typed with commas between them."""
    return tuple(label.strip() for label in value("labels").split(",") if label.strip())


def wording() -> Wording:
    texts = {field.name: value(f"wording.{field.name}") for field in fields(Wording)}
    lines = (line.strip() for line in texts.pop("scale").splitlines())
    return Wording(**texts, scale=tuple(line for line in lines if line))


def design() -> Design:
    gap = value("gap") if value("variants") else None
    return Design(value("per_item"), value("raters"), value("seed"), gap)


def extra_item(kind: ItemKind, row: Mapping[str, Any]) -> Item:
    """A row of one of the two small tables as an item."""
    return Item(**{"label": "", **row}, kind=kind)


def extra_rows(kind: ItemKind) -> list[dict[str, Any]]:
    """The rows that are to be items: those with a text."""
    return [row for row in value(kind) if row.get("text")]


def as_in_the_paper() -> None:
    """Three raters, each of whom judges every item."""
    st.session_state.update({key("per_item"): 3, key("raters"): 3, key("variants"): True})


def plan() -> StudyPlan:
    """The study as the form has it at this moment; what is not complete is refused."""
    extra = [extra_item(kind, row) for kind in COLUMNS for row in extra_rows(kind)]
    last_day = value("closes")
    return StudyPlan(
        value("name"),
        labels(),
        (*value("items"), *extra),
        wording(),
        design(),
        closes_at=datetime.combine(last_day, time.max, UTC).timestamp() if last_day else None,
    )


def bring(taken: Intake) -> None:
    """Have items ready for the form; they come in when it is opened by who may open it."""
    st.session_state[_BROUGHT] = taken


def add(taken: Intake) -> None:
    """Add the items that are not there yet; the first ones say what raters are asked."""
    there = value("items")
    if not set(taken.labels) <= set(labels()):
        known = labels() if there else ()
        st.session_state[key("labels")] = ", ".join(dict.fromkeys((*known, *taken.labels)))
    if taken.question and not there and value(_QUESTION) in _questions():
        st.session_state[key(_QUESTION)] = taken.question.question
    held = {(item.group, item.context, item.text) for item in there}
    fresh = (item for item in taken.items if (item.group, item.context, item.text) not in held)
    st.session_state[key("items")] = (*there, *fresh)


def _questions() -> set[str]:
    """What the form asks unless somebody has typed another question."""
    asked = (make(()).question.question for make in TASKS.values())
    return {Wording.label_question, QUESTION.question, *asked}


def _seen() -> dict[str, Seen]:
    fresh = {name: Seen(None, field.default) for name, field in FIELDS.items()}
    seen: dict[str, Seen] = st.session_state.setdefault(_SEEN, fresh)
    return seen


def _read(field: FormField, content: Any) -> Any:
    try:
        return field.read(content)
    except (CoreError, ValueError, TypeError, AttributeError):  # nothing is kept, or it is damaged
        return field.default


def _text(default: str) -> FormField:
    return FormField(default, lambda content: _of(str, content))


def _whole(least: int, most: int, default: int) -> FormField:
    def read(content: Any) -> int:
        number: int = _of(int, content)
        if not least <= number <= most:
            raise ValueError
        return number

    return FormField(default, read)


def _day(content: Any) -> date:
    day = date.fromisoformat(content)
    if not 2000 <= day.year < 3000:  # others are no point in time on every machine
        raise ValueError
    return day


def _of(kind: type, content: Any) -> Any:
    if type(content) is not kind:
        raise TypeError
    return content


def _items(content: Any) -> tuple[Item, ...]:
    return tuple(Item(**row) for row in _of(list, content))


def _rows(columns: Sequence[str]) -> Callable[[Any], list[dict[str, Any]]]:
    def row(content: Mapping[str, Any]) -> dict[str, Any]:
        kinds = {name: int if name == "score" else str for name in columns}
        return {name: _of(kinds[name], content[name]) for name in columns if name in content}

    return lambda content: [row(_of(dict, one)) for one in _of(list, content)]


def _wording_fields() -> dict[str, FormField]:
    texts = vars(Wording())
    return {
        f"wording.{name}": _text(text if isinstance(text, str) else "\n".join(text))
        for name, text in texts.items()
    }


FIELDS: Final[Mapping[str, FormField]] = {
    "name": _text(""),
    "labels": _text("negative, positive"),
    "items": FormField((), _items, lambda items: [asdict(item) for item in items]),
    **{kind: FormField([], _rows(columns)) for kind, columns in COLUMNS.items()},
    **_wording_fields(),
    "per_item": _whole(1, 100, 3),
    "raters": _whole(1, 1_000, 3),
    "seed": _whole(0, 10**6, 0),
    "variants": FormField(False, lambda content: _of(bool, content)),
    "gap": _whole(1, 1_000, 10),
    "closes": FormField(None, _day, lambda day: day and day.isoformat()),
}
