"""A light visitor: a tab without a browser, which speaks Streamlit's own websocket protocol."""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPConnection
from socket import SHUT_RDWR
from time import monotonic
from typing import Any, Self
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileUploaderState, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.common import user_key_from_element_id
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

PATIENCE = 60.0  # seconds until a visitor gives up
COOKIE = "_streamlit_xsrf"
ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
READ = ("label", "body", "text", "code_text", "message")  # where elements keep what is read
ERROR = 1  # the format of an error box

# How the value of each kind of widget travels; a press is told once, the others again and again.
FIELDS = {
    "button": "trigger_value",
    "download_button": "trigger_value",
    "text_area": "string_value",
    "text_input": "string_value",
    "selectbox": "string_value",
    "radio": "string_value",
    "dataframe": "string_value",
    "plotly_chart": "string_value",
    "number_input": "double_value",
    "checkbox": "bool_value",
    "slider": "double_array_value",
    "multiselect": "string_array_value",
    "button_group": "string_array_value",
    "date_input": "string_array_value",
    "bidi_component": "json_value",
    "file_uploader": "file_uploader_state_value",
}

Path = tuple[int, ...]
Query = str | dict[str, Any]


class NoAnswerError(Exception):
    """The server did not answer in time."""


class ClosedError(Exception):
    """The server closed the connection."""


class RefusedError(Exception):
    """The server refused a request over HTTP: its status and what it said."""


@dataclass(frozen=True)
class Answer:
    """What came over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Placed:
    """An element of the page (or a container), and the fragment and the run that drew it."""

    kind: str
    proto: Any
    fragment: str
    run: str

    @property
    def id(self) -> str:
        """The server's name of a widget."""
        found = str(getattr(self.proto, "id", ""))
        return found if found.startswith("$$") else ""

    @property
    def key(self) -> str:
        """The page's name of a widget."""
        return (user_key_from_element_id(self.id) or "") if self.id else ""

    @property
    def text(self) -> str:
        """What can be read."""
        return "\n".join(filter(None, (str(getattr(self.proto, name, "")) for name in READ)))

    @cached_property
    def data(self) -> dict[str, Any]:
        """What a component was given."""
        found: dict[str, Any] = json.loads(self.proto.json or self.proto.mixed.json)
        return found


def widget_state(id: str, field: str, value: Any) -> WidgetState:
    """The value of a widget as it travels to the server."""
    state = WidgetState(id=id)
    if field.endswith("array_value"):
        getattr(state, field).data.extend(value)
    elif isinstance(value, FileUploaderState):
        state.file_uploader_state_value.CopyFrom(value)
    else:
        setattr(state, field, value)
    return state


def trigger_state(id: str, event: str, value: Any) -> WidgetState:
    """What a component tells once, as it travels to the server."""
    told = json.dumps([{"event": event, "value": value}])
    name = f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{id}__events"
    return widget_state(name, "json_trigger_value", told)


class Visitor:
    """One tab: the page as it is drawn, and the values of its widgets.

    Nothing is read in the background: the page lives while one of the methods waits for something.
    """

    def __init__(self, address: str, source: str = "127.0.0.1") -> None:
        self.address, self.source = address, source
        self.page = self.query = self.session = ""
        self.elements: dict[Path, Placed] = {}
        self.values: dict[str, WidgetState] = {}
        self.answers: dict[str, Any] = {}  # to requests beside the runs of the page
        self.heartbeats = 0
        self.received = 0  # bytes
        self.running = self._began = False  # the run that was asked for
        self._page_hash = self._run = ""
        self._looks: dict[str, tuple[float, float]] = {}  # of fragments: how often, when next
        self._known: dict[str, ForwardMsg] = {}  # what is large is sent only once
        self.token = ""
        cookie = self.http("GET", "/_stcore/health").headers.get("set-cookie", "")
        self.token = cookie.partition("=")[2].partition(";")[0]
        self.socket = self._connect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connect(self) -> ClientConnection:
        # Streamlit passes the token and the session on as further names of a protocol.
        protocols = ("streamlit", self.token or "none", self.session)
        try:
            socket = connect(
                f"{self.address.replace('http', 'ws', 1)}/_stcore/stream",
                subprotocols=[Subprotocol(each) for each in protocols if each],
                origin=Origin(self.address),
                additional_headers={"Cookie": f"{COOKIE}={self.token}"},
                source_address=(self.source, 0),
                open_timeout=PATIENCE,
                max_size=None,
            )
        except (OSError, WebSocketException) as error:
            raise ClosedError(f"There is no connection: {error}") from error
        return socket.__enter__()

    def close(self) -> None:
        """Leave, as when the tab is closed."""
        self.socket.close()

    def cut(self) -> None:
        """Lose the connection without a word."""
        with suppress(OSError):
            self.socket.socket.shutdown(SHUT_RDWR)
        self.socket.close()

    def reconnect(self) -> Self:
        """Come back after a lost connection: the page runs with what its widgets held."""
        self.cut()
        self.socket = self._connect()
        return self.rerun()

    # What a visitor does; each waits for the end of the run, unless patience is 0.

    def open(self, page: str, query: Query = "", patience: float = PATIENCE) -> Self:
        """Open a page in this tab."""
        self.page, self._page_hash = page, ""
        self.query = query if isinstance(query, str) else urlencode(query, doseq=True)
        return self.rerun(patience)

    def rerun(self, patience: float = PATIENCE) -> Self:
        """Run the page with its widgets as they are."""
        return self.tell((), "", patience)

    def press(self, key: str, patience: float = PATIENCE) -> Self:
        """Press a button."""
        return self.set(key, True, patience)

    def set(self, key: str, value: Any, patience: float = PATIENCE) -> Self:
        """Give a widget a value: text, number, list of options, JSON of a component ..."""
        return self.tell([self.state(key, value)], self.widget(key).fragment, patience)

    def state(self, key: str, value: Any) -> WidgetState:
        """The value of a widget, to be told together with others."""
        widget = self.widget(key)
        return widget_state(widget.id, FIELDS[widget.kind], value)

    def send(self, key: str, name: str, value: Any, patience: float = PATIENCE) -> Self:
        """Let a component tell one of its lasting values."""
        kept = self.values.get(self.widget(key).id)
        known = json.loads(kept.json_value) if kept else {}
        return self.set(key, json.dumps({**known, name: value}), patience)

    def trigger(self, key: str, event: str, value: Any, patience: float = PATIENCE) -> Self:
        """Let a component tell something once."""
        widget = self.widget(key)
        return self.tell([trigger_state(widget.id, event, value)], widget.fragment, patience)

    def upload(self, key: str, *files: tuple[str, bytes], patience: float = PATIENCE) -> Self:
        """Put files into an uploader; their names travel as they are."""
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid4().hex
        asked.file_urls_request.session_id = self.session
        asked.file_urls_request.file_names.extend(["file"] * len(files))
        places = self.request(asked, asked.file_urls_request.request_id).file_urls
        state = FileUploaderState()
        for (name, content), urls in zip(files, places, strict=True):
            self.put(urls.upload_url, name.encode("utf-8", "surrogatepass"), content)
            about = UploadedFileInfo(file_id=urls.file_id, size=len(content), file_urls=urls)
            state.uploaded_file_info.append(about)
        return self.set(key, state, patience)

    def put(self, url: str, name: bytes, content: bytes) -> None:
        """Send one file."""
        mark = uuid4().hex
        head = b'Content-Disposition: form-data; name="file"; filename="%b"' % name
        parts = (b"--" + mark.encode(), head, b"", content, b"--" + mark.encode() + b"--", b"")
        kind = f"multipart/form-data; boundary={mark}"
        headers = {"X-Xsrftoken": self.token, "Content-Type": kind}
        answer = self.http("PUT", url, b"\r\n".join(parts), headers)
        if answer.status >= 400:
            raise RefusedError(answer.status, answer.body.decode())

    def download(self, key: str) -> bytes:
        """Press a download button, and take the file."""
        answer = self.http("GET", self.place_of_download(key))
        if answer.status >= 400:
            raise RefusedError(answer.status, answer.body.decode())
        return answer.body

    def place_of_download(self, key: str) -> str:
        """Press a download button: where the file is."""
        button = self.widget(key).proto
        assert not button.disabled, f"{key} is disabled"
        url: str = button.url
        if button.deferred_file_id:
            asked = BackMsg()
            asked.backend_operation_request.request_id = uuid4().hex
            asked.backend_operation_request.session_id = self.session
            asked.backend_operation_request.deferred_file.file_id = button.deferred_file_id
            found = self.request(asked, asked.backend_operation_request.request_id)
            assert not found.error_msg, found.error_msg
            url = found.deferred_file.url
        return url

    def http(self, method: str, url: str, body: bytes | None = None, headers: Any = ()) -> Answer:
        """Ask with the cookie of this visitor."""
        headers = {"Cookie": f"{COOKIE}={self.token}", **dict(headers)}
        host = urlsplit(self.address).netloc
        line = HTTPConnection(host, timeout=PATIENCE, source_address=(self.source, 0))
        with closing(line):
            line.request(method, url, body, headers)
            answer = line.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, names, answer.read())

    # The page as it is now

    @property
    def widgets(self) -> dict[str, Placed]:
        """The widgets by their keys."""
        return {placed.key: placed for placed in self.elements.values() if placed.key}

    def widget(self, key: str) -> Placed:
        """A widget by its key."""
        return self.widgets[key]

    def of(self, kind: str) -> list[Placed]:
        """The elements of a kind, from top to bottom."""
        return [placed for _, placed in sorted(self.elements.items()) if placed.kind == kind]

    @property
    def text(self) -> str:
        """Everything that can be read, from top to bottom."""
        return "\n".join(placed.text for _, placed in sorted(self.elements.items()))

    @property
    def errors(self) -> list[str]:
        """The error boxes."""
        return [one.proto.body for one in self.of("alert") if one.proto.format == ERROR]

    @property
    def crashes(self) -> list[str]:
        """The boxes of errors that nobody has foreseen."""
        return [f"{one.proto.type}: {one.proto.message}" for one in self.of("exception")]

    # The protocol

    def tell(
        self, states: Iterable[WidgetState], fragment: str = "", patience: float = PATIENCE
    ) -> Self:
        """Tell values of widgets, and let the page or one of its fragments run."""
        once = []
        for state in states:
            if "trigger" in (state.WhichOneof("value") or ""):
                once.append(state)
            else:
                self.values[state.id] = state
        self.ask(self.client_state([*self.values.values(), *once], fragment))
        if patience:
            self.until(lambda: not self.running, patience)
        return self

    def client_state(self, states: Iterable[WidgetState], fragment: str = "") -> ClientState:
        """What a request to run says."""
        state = ClientState(
            query_string=self.query,
            page_script_hash=self._page_hash,
            page_name="" if self._page_hash else self.page,
            fragment_id=fragment,
            cached_message_hashes=list(self._known),
        )
        state.context_info.url = f"{self.address}/{self.page}"
        state.widget_states.widgets.extend(states)
        return state

    def ask(self, state: ClientState) -> None:
        """Request a run, without waiting for it."""
        self.running, self._began = True, False
        self.post(BackMsg(rerun_script=state))

    def post(self, message: BackMsg) -> None:
        """Send a message."""
        try:
            self.socket.send(message.SerializeToString())
        except ConnectionClosed as closed:
            raise ClosedError(f"The connection is closed: {closed}") from closed

    def request(self, asked: BackMsg, id: str) -> Any:
        """Request something beside the runs, and wait for the answer."""
        self._insist(asked, lambda: id in self.answers)
        return self.answers.pop(id)

    def beat(self) -> None:
        """Make sure that the server has taken every message so far."""
        known = self.heartbeats
        self._insist(BackMsg(app_heartbeat=True), lambda: self.heartbeats > known)

    def _insist(self, message: BackMsg, answered: Callable[[], bool]) -> None:
        """Send a message until it is answered: Streamlit drops answers when a run begins."""
        limit = monotonic() + PATIENCE
        while not answered():
            if monotonic() > limit:
                raise NoAnswerError(f"No answer in {PATIENCE:.0f} seconds.")
            self.post(message)
            with suppress(NoAnswerError):
                self.until(answered, 2)

    def until(self, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Let the page live until something holds."""
        limit = monotonic() + patience
        while not condition():
            if monotonic() > limit:
                raise NoAnswerError(f"No answer in {patience:.0f} seconds.")
            self._live(limit)

    def _live(self, limit: float) -> None:
        """Take one message, or look again where the page looks by itself."""
        fragment, (interval, due) = min(
            self._looks.items(), key=lambda one: one[1][1], default=("", (0.0, limit))
        )
        wait = (limit if self.running else min(limit, due)) - monotonic()
        try:
            content = self.socket.recv(timeout=max(wait, 0.0))
        except TimeoutError:
            if fragment and not self.running:
                self._looks[fragment] = (interval, monotonic() + interval)
                state = self.client_state(self.values.values(), fragment)
                state.is_auto_rerun = True
                self.ask(state)
            return
        except ConnectionClosed as closed:
            raise ClosedError(f"The connection is closed: {closed}") from closed
        assert isinstance(content, bytes)
        self.received += len(content)
        self._take(ForwardMsg.FromString(content))

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type") or ""
        if kind == "ref_hash":
            known = ForwardMsg(delta=self._known[message.ref_hash].delta)
            known.metadata.CopyFrom(message.metadata)
            self._draw(known)
        elif kind == "delta":
            if message.metadata.cacheable:
                self._known[message.hash] = message
            self._draw(message)
        elif kind == "new_session":
            self.session = message.new_session.initialize.session_id
            self._page_hash = message.new_session.page_script_hash
            self._run, self._began = message.metadata.run.script_run_id, True
            if not message.metadata.run.fragment_ids:
                self._looks.clear()
        elif kind == "script_finished":
            if self._began and message.script_finished in ENDS:
                self._sweep(message.metadata.run.fragment_ids)
                self.running = False
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash
            pages = message.navigation.app_pages
            self.page = {one.page_script_hash: one.url_pathname for one in pages}[self._page_hash]
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            look = message.auto_rerun
            self._looks[look.fragment_id] = (look.interval, monotonic() + look.interval)
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._looks.pop(fragment, None)
        elif kind == "file_urls_response":
            self.answers[message.file_urls_response.response_id] = message.file_urls_response
        elif kind == "backend_operation_response":
            found = message.backend_operation_response
            self.answers[found.request_id] = found
        elif kind == "heartbeat_ack":
            self.heartbeats += 1
        else:
            self.answers[kind] = message

    def _draw(self, message: ForwardMsg) -> None:
        """Put an element or a container in its place."""
        path, delta = tuple(message.metadata.delta_path), message.delta
        if delta.HasField("add_block"):
            kind, proto = "block", delta.add_block
        elif delta.HasField("new_element"):
            kind = delta.new_element.WhichOneof("type") or ""
            proto = getattr(delta.new_element, kind)
            for below in [one for one in self.elements if one[: len(path)] == path]:
                del self.elements[below]
        else:
            return  # a spinner, which goes by itself
        self.elements[path] = placed = Placed(kind, proto, delta.fragment_id, self._run)
        if getattr(proto, "set_value", False):
            self.values.pop(placed.id, None)  # the server knows better

    def _sweep(self, fragments: Sequence[str]) -> None:
        """Take away what was not drawn again by the run that is over."""
        for path, placed in list(self.elements.items()):
            if placed.run != self._run and (not fragments or placed.fragment in fragments):
                del self.elements[path]
        if not fragments:
            drawn = {placed.id for placed in self.elements.values()}
            self.values = {id: state for id, state in self.values.items() if id in drawn}
