"""A classifier behind an HTTP address as a victim.

The service answers ``POST address`` with ``{"texts": ["...", ...]}`` by
``{"probabilities": [[0.9, 0.1], ...]}``: a row for each text, in order, a number for each label.
Labels that are not configured are asked for with ``GET address``: ``{"labels": ["...", ...]}``.
"""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, ResourceMissingError
from core.text import HIDDEN_TEXT
from core.victims.probabilities import checked, checked_labels

MAX_BYTES = 64_000_000  # of one answer
_LONGEST_WAIT = 60.0  # seconds, whatever the service asks for
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})


class _RetryError(Exception):
    """This try failed; another one may not."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect could carry texts and token to another host: refuse it."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class _Pace:
    """Waits so that calls start at most ``rate`` times per second, from all threads together."""

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._next = 0.0
        self._lock = Lock()

    def wait(self) -> None:
        with self._lock:
            start = max(time.monotonic(), self._next)
            self._next = start + self._gap
        time.sleep(max(0.0, start - time.monotonic()))


@dataclass(frozen=True)
class Endpoint:
    """Where a service is and how patiently it is asked."""

    address: str
    timeout: float = 10.0  # seconds for one try, the whole answer included
    retries: int = 3
    backoff: float = 0.5  # seconds before the first retry; doubled before each further one
    rate: float = 0.0  # calls per second; 0 for no limit
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold a token
    _pace: _Pace = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not _web_address(self.address):
            raise InputError(
                f'"{self.address}" is not an address of a service; write it like '
                "https://host/classify."
            )
        if self.timeout <= 0 or min(self.retries, self.backoff, self.rate) < 0:
            raise InputError(
                f"{self.address}: the time-out must be above 0, and retries, back-off and rate at "
                "least 0."
            )
        object.__setattr__(self, "_pace", _Pace(self.rate))

    def ask(self, question: object = None) -> Any:
        """The JSON answer to a POST of the question, or to a GET when there is none."""
        body = None if question is None else json.dumps(question).encode()
        wait = self.backoff
        for left in range(self.retries, -1, -1):
            self._pace.wait()
            try:
                return self._once(body)
            except _RetryError as error:
                if not left:
                    raise ResourceMissingError(
                        f"The service {self.address} did not answer after {self.retries + 1} "
                        f"tries ({error}); check that it runs, and try again."
                    ) from None
                time.sleep(min(max(wait, error.wait), _LONGEST_WAIT))
                wait *= 2

    def _once(self, body: bytes | None) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        request = urllib.request.Request(self.address, body, headers | dict(self.headers))
        deadline = time.monotonic() + self.timeout
        try:
            with urllib.request.build_opener(_NoRedirect).open(request, None, self.timeout) as got:
                content = _read(got, deadline)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error) from None
        except (TimeoutError, urllib.error.URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            late = isinstance(reason, TimeoutError)
            raise _RetryError(f"no answer in {self.timeout:g} s" if late else str(reason)) from None
        except ValueError as error:  # a header with a line break, for example
            raise InputError(f"The service {self.address} cannot be asked: {error}.") from None
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise InputError(
                f"The service {self.address} must answer JSON; it answered "
                f"{content[:40]!r}. See core/victims/adapters/remote.py for the format."
            ) from None

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        if error.code in _RETRIED:
            wait = error.headers.get("Retry-After", "")
            return _RetryError(f"HTTP {error.code}", float(wait) if wait.isdigit() else 0.0)
        return InputError(
            f"The service {self.address} refused the request with HTTP {error.code} "
            f"{error.reason}; check the address and the token."
        )


def _web_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        plain = address.isascii() and not any(map(str.isspace, address))
        return (
            plain and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        )
    except ValueError:  # a port that is no number
        return False


def _read(response: HTTPResponse, deadline: float) -> bytes:
    """Read all of an answer; one that trickles in does not outlive the deadline."""
    content = b""
    while piece := response.read1(65_536):
        content += piece
        if len(content) > MAX_BYTES:
            raise InputError(f"The service answered more than {MAX_BYTES:,} bytes.")
        if time.monotonic() > deadline:
            raise TimeoutError
    return content


@dataclass(frozen=True)
class RemoteVictim:
    """A service's classifier; texts are sent in batches."""

    labels: tuple[str, ...]
    endpoint: Endpoint
    batch: int = 64
    hidden_token: str = HIDDEN_TEXT

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Ask the service; every batch is checked before the next is sent."""
        rows = [np.zeros((0, len(self.labels)))]
        for start in range(0, len(texts), self.batch):
            part = list(texts[start : start + self.batch])
            answer = _entry(self.endpoint.ask({"texts": part}), "probabilities", self.endpoint)
            source = f"The service {self.endpoint.address}"
            rows.append(checked(answer, len(part), self.labels, source))
        return np.concatenate(rows)


def connect(
    endpoint: Endpoint,
    *,
    labels: Sequence[str] | None = None,
    batch: int = 64,
    hidden_token: str = HIDDEN_TEXT,
) -> RemoteVictim:
    """A victim behind an address; asks the service for its labels when they are not given."""
    source = f"The service {endpoint.address}"
    if batch < 1:
        raise InputError(f"{source}: a batch must hold at least one text.")
    found = list(labels) if labels is not None else _entry(endpoint.ask(), "labels", endpoint)
    return RemoteVictim(checked_labels(found, source), endpoint, batch, hidden_token)


def _entry(answer: Any, name: str, endpoint: Endpoint) -> object:
    if isinstance(answer, dict) and name in answer:
        return answer[name]
    raise InputError(
        f'The service {endpoint.address} must answer a JSON object with "{name}"; see '
        "core/victims/adapters/remote.py for the format."
    )
