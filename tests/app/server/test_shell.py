"""The page around the page: its first picture and its files."""

import pytest

from app.server import shell
from tests.toys.asgi import asked, pages


@pytest.mark.parametrize("path", ["/", "/step", "/rate?a=s3cret", "/a-page-that-is-not-there"])
def test_a_page_shows_something_before_any_script_has_come(path: str) -> None:
    _, _, content = asked(shell.Shell(pages), path)
    page = content.decode()
    title = "Rating" if "a=" in path else "Swapscope"
    assert f"<title>{title}</title>" in page
    assert f"<h1>{title}</h1>" in page
    assert "s3cret" not in page
    assert "<script>" not in page  # the policy forbids inline scripts
    assert "./static/js/index." in page


@pytest.mark.parametrize(
    "path", ["/_stcore/health", "/static/js/x.js", "/media/x", "/component/x", "/favicon.png"]
)
def test_streamlits_own_addresses_are_passed_on(path: str) -> None:
    assert asked(shell.Shell(pages), path)[2] == b"behind"


@pytest.mark.parametrize("path", ["/<script>x", "/a page.html", "/é", "/.."])
def test_any_other_name_is_a_page_without_inline_scripts(path: str) -> None:
    assert b"<title>Swapscope</title>" in asked(shell.Shell(pages), path)[2]


def test_the_files_of_the_shell_are_served_and_no_others() -> None:
    assert b"lost-line" in asked(shell.Shell(pages), "/shell/shell.js")[2]
    for other in ("/shell/../scripts/questions.js", "/shell/questions.js", "/scripts/questions.js"):
        assert asked(shell.Shell(pages), other)[2] == b"behind"
