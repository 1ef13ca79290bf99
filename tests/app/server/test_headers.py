"""What every answer says to the browser, and addresses that are closed."""

import pytest

from app.server.headers import SecurityHeaders, security_headers
from core import CoreError
from tests.toys.asgi import asked, pages


@pytest.mark.parametrize("path", ["/", "/_stcore/host-config", "/_stcore/metrics"])
def test_every_answer_has_the_headers(path: str) -> None:
    _, headers, _ = asked(SecurityHeaders(pages), path)
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'self'" in policy
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "unsafe-inline" not in scripts


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/agent", "/_stcore/agent/mcp"])
def test_addresses_that_visitors_have_no_use_for_are_closed(path: str) -> None:
    status, _, content = asked(SecurityHeaders(pages), path)
    assert (status, content) == (404, b"There is nothing here.")
    assert asked(SecurityHeaders(pages), "/_stcore/health")[2] == b"behind"


def test_developers_messages_are_switched_off() -> None:
    assert b'"blockErrorDialogs":true' in asked(SecurityHeaders(pages), "/_stcore/host-config")[2]


def test_lecturers_may_embed_where_a_setting_says_so() -> None:
    headers = security_headers("https://moodle.example.org https://*.example.net:8443")
    assert (
        "frame-ancestors 'self' https://moodle.example.org https://*.example.net:8443"
        in (headers["Content-Security-Policy"])
    )
    assert "X-Frame-Options" not in headers
    with pytest.raises(CoreError, match="write sites as"):
        security_headers("example.org; script-src *")
