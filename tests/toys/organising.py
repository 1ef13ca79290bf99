"""The organiser's page, and tables uploaded there."""

from streamlit.testing.v1 import AppTest

from app.organise import wizard as organise_wizard
from tests.toys.pages import harness

CSV = (
    "text,label,source,method\n"
    "a fine film,positive,1,ls\n"
    "a fine movie,positive,1,pso\n"
    "a dull film,negative,2,ls\n"
    "a dull movie,neutral,2,pso\n"
)


def page() -> AppTest:
    app = harness("organise").run()
    assert not app.exception
    return app


def upload(app: AppTest, name: str, content: str) -> None:
    app.file_uploader(key=f"wizard.files.{organise_wizard.TABLE}").upload(
        name, content.encode(), "text/csv"
    ).run()
    assert not app.exception
