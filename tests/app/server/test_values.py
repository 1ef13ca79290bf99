"""Values that a widget cannot have never reach its page."""

from typing import Any

import pytest
from streamlit.elements.widgets.data_editor import DataEditorSerde
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from app.server.values import drop_foreign_values, is_sound
from tests.toys.visitor import trigger_state

ID = f"$$ID-{'0' * 32}-seeds"


def seeds(value: float | None) -> int | None:
    return None if value is None else int(value)


KNOWN: dict[str, WidgetMetadata[Any]] = {ID: WidgetMetadata(ID, seeds, float, "double_value")}


@pytest.mark.parametrize("value", [3.0, -1.0])
def test_a_value_of_the_widget_is_taken(value: float) -> None:
    assert is_sound(WidgetState(id=ID, double_value=value), KNOWN)


def test_a_whole_number_is_taken_as_browsers_send_it() -> None:
    assert is_sound(WidgetState(id=ID, int_value=3), KNOWN)


def test_an_emptied_widget_is_taken() -> None:
    assert is_sound(WidgetState(id=ID), KNOWN)


@pytest.mark.parametrize(
    "state",
    [
        WidgetState(id=ID, double_value=float("nan")),
        WidgetState(id=ID, double_value=float("inf")),
        WidgetState(id=ID, string_value="3"),
        WidgetState(id=ID, bool_value=True),
        WidgetState(id="", double_value=3),
        WidgetState(id="seeds", double_value=3),
        WidgetState(id="$$ID-0-seeds", double_value=3),
    ],
)
def test_any_other_value_is_dropped(state: WidgetState) -> None:
    assert not is_sound(state, KNOWN)


@pytest.mark.parametrize(
    ("edits", "sound"),
    [
        ('{"edited_rows": {"0": {"text": "x"}}, "added_rows": [{}], "deleted_rows": [1]}', True),
        ('{"edited_rows": {}, "added_rows": [null], "deleted_rows": []}', False),
        ('{"edited_rows": {"0": 3}}', False),
        ('{"edited_rows": {}, "added_rows": {}}', False),
        ('{"edited_rows": {}, "added_rows": [], "deleted_rows": ["x"]}', False),
    ],
)
def test_edits_of_a_table_have_their_shape(edits: str, sound: bool) -> None:
    table = WidgetMetadata(ID, DataEditorSerde().deserialize, str, "string_value")
    assert is_sound(WidgetState(id=ID, string_value=edits), {ID: table}) is sound


def test_what_was_not_drawn_yet_is_kept_for_a_page_that_comes_back() -> None:
    other = f"$$ID-{'1' * 32}-text"
    assert is_sound(WidgetState(id=other, string_value="x"), KNOWN)
    assert is_sound(trigger_state(other, "step", 1), KNOWN)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> SessionState:
    for name in ("set_widgets_from_proto", "register_widget"):
        monkeypatch.setattr(SessionState, name, getattr(SessionState, name))
    drop_foreign_values()
    return SessionState()


def test_a_foreign_value_is_dropped_when_its_widget_is_drawn(session: SessionState) -> None:
    session.set_widgets_from_proto(WidgetStates(widgets=[WidgetState(id=ID, string_value="x")]))
    assert session.register_widget(KNOWN[ID], "seeds").value is None
    session.set_widgets_from_proto(WidgetStates(widgets=[WidgetState(id=ID, int_value=7)]))
    assert session.register_widget(KNOWN[ID], "seeds").value == 7


def test_a_session_takes_sound_values_only(session: SessionState) -> None:
    session._new_widget_state.widget_metadata.update(KNOWN)
    sound = WidgetState(id=ID, double_value=2)
    session.set_widgets_from_proto(WidgetStates(widgets=[WidgetState(id="x", int_value=1), sound]))
    assert list(session._new_widget_state) == [ID]
