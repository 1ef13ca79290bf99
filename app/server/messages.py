"""What a page may say to the server over its socket; anything else ends the connection quietly."""

from typing import Final

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from core.errors import CoreError
from core.untrusted import MALFORMED, MEGABYTE, FileLimits, read_json

# The other kinds are for developers: one empties everybody's caches, one installs things.
ALLOWED: Final = (
    *("rerun_script", "stop_script", "file_urls_request", "app_heartbeat"),
    *("deferred_file", "dataframe_chunk"),  # files to take away, and long tables
)
LIMITS: Final = FileLimits(size=2 * MEGABYTE, containers=50_000)
CLOSED: Final[Message] = {"type": "websocket.disconnect", "code": 1003}  # data it does not accept


class Messages:
    """Passes on what a page sends; what it never sends is dropped or ends the connection."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        async def receive_allowed() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                try:
                    kind = kind_of(message.get("bytes"))
                except (*MALFORMED, CoreError, DecodeError):
                    await send({"type": "websocket.close", "code": 1003})
                    return CLOSED
                if kind in ALLOWED:
                    return message

        await self.app(scope, receive_allowed, send)


def kind_of(data: bytes | None) -> str:
    """The kind of a message; one that no page of ours could have sent raises an error."""
    if data is None or len(data) > LIMITS.size:
        raise ValueError
    message = BackMsg.FromString(data)
    for widget in message.rerun_script.widget_states.widgets:
        if (kind := widget.WhichOneof("value")) in ("json_value", "json_trigger_value"):
            read_json(getattr(widget, kind).encode(), "A message", LIMITS)
    kind = str(message.WhichOneof("type"))
    if kind == "backend_operation_request":
        return str(message.backend_operation_request.WhichOneof("payload"))
    return kind
