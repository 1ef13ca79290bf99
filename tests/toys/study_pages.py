"""The organiser's and the rater's page in Streamlit's own test harness."""

import json
import secrets
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from tests.toys.pages import harness, press
from tests.toys.places import ROOT

WORD = "correct horse"


def entered(word: str = WORD) -> AppTest:
    app = harness("organise").run()
    app.text_input(key="organise.passphrase").input(word)
    press(app, "Open")
    return app


def opened(token: str) -> AppTest:
    app = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    app.query_params["a"] = token
    app.run()
    assert not app.exception
    return app


def shown(app: AppTest) -> dict[str, Any]:
    """What the questions on the screen were given."""
    (component,) = app.get("bidi_component")
    data: dict[str, Any] = json.loads(component.proto.json)
    return data


def answer(app: AppTest, label: str = "positive", point: str = "Not sure") -> None:
    """Send both answers, as the questions do in a browser."""
    options = [question["options"] for question in shown(app)["questions"]]
    chosen = [names.index(name) for names, name in zip(options, (label, point), strict=True)]
    send(app, {"answers": chosen, "mark": secrets.token_hex(4)})


def send(app: AppTest, sent: Any) -> None:
    (component,) = app.get("bidi_component")
    states = app._tree.get_widget_states()
    states.widgets.add(
        id=_make_trigger_id(component.proto.id, "events"),
        json_trigger_value=json.dumps([{"event": "sent", "value": sent}]),
    )
    app._run(states)
    assert not app.exception
