"""Values that a widget cannot have are dropped before its page sees them.

Browsers send what the widgets allow; whoever speaks to the socket directly can send anything, and
Streamlit reads it only when the page asks for it. There it would end the page's run.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import (
    RegisterWidgetResult,
    WidgetMetadata,
    unpack_widget_state_value,
)
from streamlit.runtime.state.session_state import Serialized, SessionState

# Of a widget, and of what a component tells once.
_ID: Final = re.compile(r"\$\$(STREAMLIT_INTERNAL_KEY_\$\$)?ID-[0-9a-f]{32}-.*", re.DOTALL)

# Browsers send a whole number as such, also of a widget that is read as a decimal one.
_NUMBERS: Final = {"int_value", "double_value"}

# What a table that can be edited sends.
_EDITS: Final = ("edited_rows", "added_rows", "deleted_rows")


def is_sound(state: WidgetState, known: Mapping[str, WidgetMetadata[Any]]) -> bool:
    """Whether a widget can have this value; widgets that were not drawn yet are not known."""
    if not _ID.fullmatch(state.id):
        return False
    metadata = known.get(state.id)
    if metadata is None:
        return True
    kind = state.WhichOneof("value")
    if kind not in (None, metadata.value_type) and {kind, metadata.value_type} != _NUMBERS:
        return False
    try:
        value = metadata.deserializer(unpack_widget_state_value(state))
    except Exception:  # whatever it is, the page would end with it
        return False
    return not isinstance(value, dict) or not value.keys() >= set(_EDITS) or _is_editing(value)


def _is_editing(edits: Mapping[str, Any]) -> bool:
    """Whether edits of a table have the shape that Streamlit takes for granted."""
    changed, added, deleted = (
        edits[name] for name in ("edited_rows", "added_rows", "deleted_rows")
    )
    return (
        isinstance(changed, dict)
        and isinstance(added, list)
        and all(isinstance(row, dict) for row in (*changed.values(), *added))
        and isinstance(deleted, list)
        and all(type(row) is int for row in deleted)
    )


def drop_foreign_values() -> None:
    """Let the state of every session take sound values only, also of widgets drawn later."""
    take, register = SessionState.set_widgets_from_proto, SessionState.register_widget

    def take_sound(session: SessionState, states: WidgetStates) -> None:
        known = session._new_widget_state.widget_metadata
        take(session, WidgetStates(widgets=[one for one in states.widgets if is_sound(one, known)]))

    def register_sound(
        session: SessionState, metadata: WidgetMetadata[Any], user_key: str | None
    ) -> RegisterWidgetResult[Any]:
        states = session._new_widget_state.states
        kept = states.get(metadata.id)
        if isinstance(kept, Serialized) and not is_sound(kept.value, {metadata.id: metadata}):
            del states[metadata.id]
        return register(session, metadata, user_key)

    SessionState.set_widgets_from_proto = take_sound  # type: ignore[method-assign, assignment]
    SessionState.register_widget = register_sound  # type: ignore[method-assign, assignment]
