"""Tables to type into."""

from typing import Any

import streamlit as st


def data_editor(data: Any, key: str, **options: Any) -> Any:
    """The table as it was typed; edits that cannot be of it end the page with a sentence.

    Browsers send only what the table allows; Streamlit trusts whoever speaks to its socket.
    """
    try:
        return st.data_editor(data, key=key, **options)
    except (AttributeError, LookupError, TypeError, ValueError):
        st.error("What was typed does not fit this table. Reload the page to begin anew.")
        st.stop()
