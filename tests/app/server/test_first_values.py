"""A value that a page has set reaches the browser, also of a visitor who is quicker than it."""

from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from app.server.first_values import tell_first_values

ID = f"$$ID-{'0' * 32}-raters"
RATERS: WidgetMetadata[Any] = WidgetMetadata(
    ID, lambda value: 1 if value is None else int(value), float, "double_value"
)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> SessionState:
    monkeypatch.setattr(SessionState, "register_widget", SessionState.register_widget)
    tell_first_values()
    session = SessionState()
    session["raters"] = 3
    assert session.register_widget(RATERS, "raters").value_changed
    return session


def test_a_value_is_told_again_until_the_browser_knows_the_widget(session: SessionState) -> None:
    session.on_script_will_rerun(WidgetStates())  # from another input, before this one was drawn
    again = session.register_widget(RATERS, "raters")
    assert (again.value, again.value_changed) == (3, True)


def test_what_the_browser_reports_is_not_told_back(session: SessionState) -> None:
    typed = WidgetStates(widgets=[WidgetState(id=ID, int_value=6)])
    session.on_script_will_rerun(typed)
    again = session.register_widget(RATERS, "raters")
    assert (again.value, again.value_changed) == (6, False)


def test_a_value_that_the_widget_has_anyway_is_not_told() -> None:
    assert not SessionState().register_widget(RATERS, "raters").value_changed
