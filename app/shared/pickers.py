"""Choosing a part by name: what is here can be picked, what is missing says how to get it."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.options import DIGITS
from core.registry import Entry

_SPECIAL = frozenset("\\`*_[]$:<>&~|")
_BLOCK = re.compile(r"^(\d*)([-+#=.)])")  # what begins lists, headings and rules
# Streamlit puts signs and pictures in the place of these even where they are escaped: a character
# that nobody sees keeps them apart.
_REPLACED = re.compile(r"(?<!\S)[-<~>](?=(-|-?>|=)(?!\S))|:(?=material/|streamlit:)")
_JOINER = "\u2060"

NAME, MOST_NAMES = 40, 3  # letters of an unknown name, and how many of them, that are shown

T = TypeVar("T")
N = TypeVar("N", int, float)
PAGES = Path(__file__).resolve().parents[2] / "pages"

CARD_ROWS = {  # what a card shows, in this order
    "task": "Task",
    "data": "Data",
    "labels": "Labels",
    "accuracy": "Accuracy",
    "f1": "F1",
    "bleu": "BLEU",
    "calibration": "Expected calibration error",
    "parameters": "Parameters",
    "training_rows": "Training rows",
    "command": "Trained by",
    "seed": "Seed",
    "date": "Date",
    "source": "Source",
}


def options(registry: Mapping[str, Entry[Any]], first: str) -> list[str]:
    """The names of what can be made here, the one to start with first."""
    names = [name for name, entry in registry.items() if not entry.missing()]
    return sorted(names, key=lambda name: name != first)


def raw_cells(page: str) -> bool:
    """Whether CSV files are for programs, not for spreadsheets, which run texts as formulas."""
    return st.toggle(
        "Raw cells, for programs",
        key=f"{page}.raw",
        help="Without it a text that begins with = + - or @ gets an apostrophe, so that no "
        "spreadsheet runs it as a formula.",
    )


def pick(
    place: DeltaGenerator,
    label: str,
    options: Sequence[str],
    key: str,
    name: Callable[[str], str] = str,
    *,
    in_address: bool = True,
    on_change: Callable[[], None] | None = None,
) -> str:
    """A choice that survives a change of page and is part of the page's address."""
    named = {values: option for option in options for values in (option, name(option))}
    unknown = _unknown(key, named)
    _restore(
        key,
        options[0],
        lambda values: named.get(values[-1]),
        lambda known: known in options,
        in_address=in_address,
    )
    chosen: str = place.selectbox(label, options, format_func=name, key=key, on_change=on_change)
    _tell_unknown(place, key, unknown, chosen)
    return _tell(key, chosen, [chosen] if chosen != options[0] else [], in_address)


def segments(label: str, options: Sequence[str], key: str) -> str:
    """A choice with all options in sight, kept in the same way."""
    unknown = _unknown(key, options)
    _restore(key, options[0], lambda values: values[-1], lambda known: known in options)
    look: dict[str, Any] = {"label_visibility": "collapsed", "wrap": True}
    chosen: str = st.segmented_control(label, options, key=key, required=True, **look)
    _tell_unknown(st.container(), key, unknown, chosen)
    return _tell(key, chosen, [chosen] if chosen != options[0] else [])


def several(
    place: DeltaGenerator,
    label: str,
    options: Sequence[str],
    key: str,
    first: Sequence[str],
    most: int,
    name: Callable[[str], str],
) -> list[str]:
    """Some choices that survive a change of page and are part of the page's address."""
    named = {text: option for option in options for text in (option, name(option))}
    unknown = _unknown(key, named)
    _restore(key, list(first), lambda values: [named[one] for one in values if one in named][:most])
    st.session_state[key] = [one for one in st.session_state[key] if one in options]
    chosen: list[str] = place.multiselect(
        label, options, key=key, max_selections=most, format_func=name
    )
    _tell_unknown(place, key, unknown, chosen)
    return _tell(key, chosen, chosen if chosen != list(first) else [])


def number(
    place: DeltaGenerator,
    label: str,
    default: N,
    key: str,
    least: N,
    most: N,
    *,
    in_address: bool = True,
) -> N:
    """A number that survives a change of page and is part of the page's address.

    One that is out of range becomes the nearest that is not, and that is said beside it.
    """
    kind = type(default)

    def read(values: Sequence[str]) -> N | None:
        fits = values[-1].isdecimal() and len(values[-1]) <= DIGITS
        return kind(int(values[-1])) if fits else None

    _restore(key, default, read, in_address=in_address)
    wanted, said = kind(st.session_state[key]), f"said.{key}"
    nearest = min(max(wanted, least), most)
    if wanted != nearest:
        bound = "most" if wanted > most else "least"
        sentence = f"The address says {wanted:,}; here it is at {bound} {nearest:,}."
        st.session_state[said] = nearest, sentence
    st.session_state[key] = nearest
    look = "%g" if kind is float else None
    chosen: N = place.number_input(label, least, most, step=kind(1), format=look, key=key)
    if said in st.session_state and st.session_state[said][0] == chosen:
        place.caption(st.session_state[said][1])
    return _tell(key, chosen, [f"{chosen}"] if chosen != default else [], in_address)


def slide(place: DeltaGenerator, label: str, default: N, key: str, least: N, most: N, step: N) -> N:
    """A slider that survives a change of page and is part of the page's address."""

    def read(values: Sequence[str]) -> N | None:
        try:
            value = type(default)(values[-1])
        except ValueError:
            return None
        return value if value >= least else None

    _restore(key, default, read)
    st.session_state[key] = min(st.session_state[key], most)  # another sentence may offer less
    if least == most:
        place.caption(f"{label}: {least}")
        return least
    chosen: N = place.slider(label, least, most, step=step, key=key)
    return _tell(key, chosen, [f"{chosen:g}"] if chosen != default else [])


def switch(place: DeltaGenerator, label: str, key: str, *, in_address: bool = True) -> bool:
    """A switch that survives a change of page and is part of the page's address."""
    _restore(key, False, lambda values: values[-1] == "true", in_address=in_address)
    chosen: bool = place.toggle(label, key=key)
    return _tell(key, chosen, ["true"] if chosen else [], in_address)


def write(
    label: str,
    default: str,
    key: str,
    *,
    hidden_label: bool = False,
    on_change: Callable[[], None] | None = None,
) -> str:
    """A text that survives a change of page; the attack that it belongs to writes the address."""
    _restore(key, default, lambda values: values[-1], in_address=False)
    text: str = st.text_area(
        label,
        key=key,
        height=80,
        label_visibility="collapsed" if hidden_label else "visible",
        on_change=on_change,
    )
    return keep(key, text)


def came_back() -> bool:
    """Whether Back or Forward of the browser led here: the address then counts, not what was chosen
    since."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def start(key: str, value: Any) -> None:
    """Set an input that nobody has set yet, as an address says."""
    if came_back():
        put(**{key: value})
    elif key not in st.session_state:
        st.session_state.setdefault(f"kept.{key}", value)


def put(**values: Any) -> None:
    """Set inputs from a callback, before they are drawn again."""
    for key, value in values.items():
        st.session_state[key] = value


def go_to(name: str) -> None:
    """Open another page with the same question."""
    st.switch_page(PAGES / f"{name}.py")


def settings(key: str, of: str, linked: tuple[str, ...]) -> tuple[str, ...]:
    """Settings that a link brought for a choice, such as population=20; another choice has none."""
    kept = f"settings.{key}"
    if kept not in st.session_state or came_back():
        st.session_state[kept] = (of, linked)
    elif st.session_state[kept][0] != of:
        st.session_state[kept] = (of, ())
    found: tuple[str, ...] = st.session_state[kept][1]
    if found and of not in st.session_state.get("settings.own", ()):
        st.caption(plain(f"As the link says for {of}: {', '.join(found)}."))
    return found


def set_settings(key: str, of: str, *values: str) -> None:
    """Change the settings of a choice from the page, which then says nothing of a link."""
    st.session_state[f"settings.{key}"] = (of, values)
    st.session_state["settings.own"] = (of,)


def address(key: str, *values: str) -> None:
    """Write something into the page's address, or take it out."""
    write_address({key: values})


def write_address(said: Mapping[str, Sequence[str]]) -> None:
    """Write several things at once: each writing is a place that the browser's Back leads to."""
    before = {name: st.query_params.get_all(name) for name in st.query_params}
    wanted = before | {name: [value for value in said[name] if value] for name in said}
    after = {name: values for name, values in wanted.items() if values}
    if after != before:
        st.query_params.from_dict(after)


def keep(key: str, value: T) -> T:
    """Remember a value while pages without its input are shown."""
    st.session_state[f"kept.{key}"] = value
    return value


def _tell(key: str, value: T, values: Sequence[str], in_address: bool = True) -> T:
    """Keep a value and write it into the address, unless it is the one to start with."""
    if in_address:
        address(key, *values)
    return keep(key, value)


def _restore(
    key: str,
    default: Any,
    read: Callable[[Sequence[str]], Any],
    fits: Callable[[Any], bool] = lambda known: True,
    *,
    in_address: bool = True,
) -> None:
    """Set an input: as it is, else as it was on another page, else by the address.

    Where a visitor comes back to an address, that counts; an attack that writes its own reads it.

    Streamlit forgets an input that a page does not draw. Its own binding of inputs to the address
    does not fill the address of a page that is opened by a button.
    """
    known = st.session_state.get(key, st.session_state.get(f"kept.{key}"))
    if in_address and came_back():
        known = None
    if known is None and (values := st.query_params.get_all(key)):
        known = read(values)
    st.session_state[key] = known if known is not None and fits(known) else default


def _unknown(key: str, named: Collection[str]) -> list[str]:
    """The names in a link that are none of an input's, when the link is opened."""
    opened = came_back() or f"opened.{key}" not in st.session_state
    st.session_state[f"opened.{key}"] = True
    values = st.query_params.get_all(key) if opened else []
    return [value for value in values if value and value not in named]


def _tell_unknown(place: DeltaGenerator, key: str, unknown: Sequence[str], chosen: Any) -> None:
    """Say which names of a link are not known here, until something else is chosen."""
    said = f"said.{key}"
    if unknown:
        names = " or ".join(f"“{name[:NAME]}”" for name in unknown[:MOST_NAMES])
        st.session_state[said] = chosen, f"The address asks for {names}, which is not known here."
    if said in st.session_state and st.session_state[said][0] == chosen:
        place.caption(plain(st.session_state[said][1]))


def about(registries: Mapping[str, tuple[Mapping[str, Entry[Any]], str]]) -> None:
    """The cards of what is picked, and what could be picked if it were here."""
    for title, (registry, chosen) in registries.items():
        st.markdown(f"**{title} {chosen}**")
        st.caption(registry[chosen].about)
        rows = card_rows(registry[chosen].card)
        if rows:
            st.table(rows, border="horizontal")
        for name, entry in registry.items():
            if fix := entry.missing():
                st.caption(f":gray[{name}: not available here.] {plain(fix)}")


def card_rows(card: Mapping[str, Any]) -> dict[str, str]:
    """A card as plain rows for a table."""
    held_out = card.get("held_out", {})
    values = {**card}
    if "accuracy" in held_out:
        values["accuracy"] = f"{held_out['accuracy']:.1%} of {held_out['rows']:,} held-out rows"
        values["calibration"] = f"{held_out['calibration_error']:.3f}"
    for name in {"f1", "bleu"} & held_out.keys():
        values[name] = f"{held_out[name]:.1f} on {held_out['rows']:,} held-out rows"
    return {
        title: _text(values[field])
        for field, title in CARD_ROWS.items()
        if values.get(field) is not None
    }


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and value > 9_999 else str(value)


def plain(text: str) -> str:
    """Text in one line that Markdown shows as it is."""
    apart = _REPLACED.sub(rf"\g<0>{_JOINER}", " ".join(text.split()))
    escaped = "".join(f"\\{sign}" if sign in _SPECIAL else sign for sign in apart)
    return _BLOCK.sub(r"\1\\\2", escaped)
