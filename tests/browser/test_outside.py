"""The app as others reach it: over a slow line, and in a frame of another site."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from core.study.creating import create
from core.study.database import Database
from tests.toys import serving
from tests.toys.slow_line import SlowLine
from tests.toys.study import plan, start, tokens


@pytest.fixture(scope="module")
def site() -> Iterator[int]:
    """Another site, which shows in a frame what its address asks for; gives its port."""

    class Framing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            address = self.path.partition("?")[2]
            self.wfile.write(f'<iframe src="{address}" width=900 height=600>'.encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Framing) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        yield site.server_port
        site.shutdown()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('studies') / 'studies.sqlite'}"


@pytest.fixture(scope="module")
def server(site: int, url: str) -> Iterator[str]:
    """A server that the other site may frame under the first of its two names only."""
    embed = f"http://127.0.0.1:{site}"
    with serving.app(SWAPSCOPE_DATABASE=url, SWAPSCOPE_EMBED=embed) as address:
        yield address


@pytest.fixture(scope="module")
def rater(url: str) -> str:
    """The page on which a rater gets the first question."""
    database = Database(url)
    token = tokens(database, create(database, plan()))[0]
    start(database, token)
    database.close()
    return f"rate?a={token}"


def on_a_slow_line(page: Page, address: str, drawn: str) -> int:
    """How much a page is sent; its first picture comes soon, and before its scripts."""
    line = SlowLine(page)
    page.goto(address, wait_until="commit")
    expect(page.locator(".first-picture")).to_be_visible()
    assert line.first_picture() < 3
    line.speed_up()
    expect(page.locator(drawn).first).to_be_visible()
    return line.all_bytes()


def test_the_first_page_is_soon_there_on_a_slow_line(clean: Page, server: str) -> None:
    assert on_a_slow_line(clean, server, "g.node") < 1_700_000


def test_a_raters_page_is_soon_there_on_a_slow_line(clean: Page, server: str, rater: str) -> None:
    assert on_a_slow_line(clean, f"{server}/{rater}", ".question") < 1_300_000


def test_only_the_site_that_a_setting_names_can_show_the_app_in_a_frame(
    page: Page, server: str, site: int
) -> None:
    app = page.frame_locator("iframe").locator("g.node")
    page.goto(f"http://127.0.0.1:{site}/?{server}")
    expect(app.first).to_be_visible()
    with page.expect_console_message(lambda told: "frame-ancestors" in told.text):
        page.goto(f"http://localhost:{site}/?{server}")
    expect(app).to_have_count(0)
