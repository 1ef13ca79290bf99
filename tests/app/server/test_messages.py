"""Only what a page sends is passed on."""

import pytest
from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg

from app.server.messages import ALLOWED, LIMITS, kind_of
from core import CoreError


def test_only_what_a_page_sends_is_passed_on() -> None:
    rerun = BackMsg()
    rerun.rerun_script.widget_states.widgets.add(id="w", json_value='{"picked": [1]}')
    assert kind_of(rerun.SerializeToString()) == "rerun_script"
    assert kind_of(BackMsg(clear_cache=True).SerializeToString()) not in ALLOWED
    deep = BackMsg()
    deep.rerun_script.widget_states.widgets.add(id="w", json_value=1_000 * "[" + 1_000 * "]")
    for bad in (None, b"\xff", (LIMITS.size + 1) * b"a", deep.SerializeToString()):
        with pytest.raises((ValueError, CoreError, DecodeError)):
            kind_of(bad)
