"""A table of substitutes that a visitor brings."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.shared import own_tables
from core.errors import InputError
from tests.toys.pages import harness

ROWS = b"word,substitute\nfilm,movie\nfilm,picture\nfunny,droll\n"


def page(**address: str) -> AppTest:
    app = harness("lattice")
    app.query_params["words"] = "table"
    for name, value in address.items():
        app.query_params[name] = value
    return app.run()


def with_table(name: str = "mine.csv", content: bytes = ROWS) -> AppTest:
    app = page(text="A funny film.", victim="toy")
    app.file_uploader[0].upload(name, content, "text/csv")
    return app.run()


@pytest.fixture(autouse=True)
def nobody_here() -> Iterator[None]:
    yield
    own_tables._tables.clear()


def test_without_a_table_the_page_says_what_to_do() -> None:
    app = page()
    assert not app.exception
    assert "a CSV table with the columns" in app.error[0].value


def test_a_table_gives_the_columns_and_a_link() -> None:
    app = with_table()
    assert not app.exception
    assert not app.error
    setting = app.query_params["substitution_option"]
    other = page(text="A funny film.", victim="toy", substitution_option=setting)
    assert not other.error  # as long as whoever brought it is here
    app.selectbox(key="words").set_value("toy").run()
    assert "substitution_option" not in app.query_params


def test_a_link_to_a_table_that_is_gone_says_so() -> None:
    assert "not here any more" in page(substitution_option="file=0123456789abcdef").error[0].value


def test_a_link_opens_no_file_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_bytes(ROWS)
    for path in (tmp_path / "secret.csv", "/etc/passwd", ""):
        assert page(substitution_option=f"file={path}").error
    with pytest.raises(InputError):
        own_tables.find((f"file={tmp_path / 'secret.csv'}",))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,b\n", "columns word,substitute"),
        (ROWS * 10_000, "larger than 200 kB"),
        (b"", "columns"),
    ],
)
def test_a_wrong_table_gets_one_sentence(content: bytes, said: str) -> None:
    app = with_table(content=content)
    assert not app.exception
    assert said in app.error[0].value
