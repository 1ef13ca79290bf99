"""A value that a page has set for a widget is told to the browser until it has drawn the widget.

Streamlit tells it once. A visitor who is quicker than the page (the first input is typed in while
the last ones are still to be drawn) would see those empty, and have them sent back empty.
"""

from dataclasses import replace
from typing import Any, Final

from streamlit.runtime.state.common import RegisterWidgetResult, WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

# What people type and choose; not what they press, upload or edit in a table.
_KINDS: Final = frozenset(
    {
        "bool_value",
        "double_array_value",
        "double_value",
        "int_array_value",
        "int_value",
        "string_array_value",
        "string_value",
    }
)


def tell_first_values() -> None:
    """Let every session tell the values of widgets that its browser has not reported yet."""
    register = SessionState.register_widget

    def telling(
        session: SessionState, metadata: WidgetMetadata[Any], user_key: str | None
    ) -> RegisterWidgetResult[Any]:
        is_new = metadata.id not in session._new_widget_state
        result = register(session, metadata, user_key)
        if not is_new or user_key is None or metadata.value_type not in _KINDS:
            return result
        return replace(
            result,
            value_changed=result.value_changed or result.value != metadata.deserializer(None),
        )

    SessionState.register_widget = telling  # type: ignore[method-assign, assignment]
