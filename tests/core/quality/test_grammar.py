"""Grammar checkers: the default one, the optional ones, and what the registry says of them."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from core import assets
from core.errors import InputError, ResourceMissingError
from core.quality import CHECKERS, METRICS, GrammarErrors, ScoreCache, increase_per_word
from core.quality.metric import Issue

PAIRS = assets.read_json("quality/grammar_pairs.json")


@pytest.fixture
def harper(tmp_path: Path) -> GrammarErrors:
    if reason := CHECKERS["harper"].missing():
        pytest.skip(reason)
    return GrammarErrors(CHECKERS["harper"](), ScoreCache(tmp_path / "scores.sqlite"))


def test_there_are_enough_pairs_to_choose_by() -> None:
    assert len(PAIRS) >= 60
    assert all(pair["right"] != pair["wrong"] for pair in PAIRS)


def test_the_default_checker_is_as_good_as_we_say(harper: GrammarErrors) -> None:
    right = harper.scores([pair["right"] for pair in PAIRS])
    wrong = harper.scores([pair["wrong"] for pair in PAIRS])
    assert (right > 0).sum() == 0
    assert (wrong > right).sum() >= 34


def test_issues_point_at_the_words(harper: GrammarErrors) -> None:
    text = "She has went home."
    (issue,) = harper.issues(text)
    assert text[issue.start : issue.end] == "went"
    assert "gone" in issue.message


def test_spelling_is_right_if_either_dialect_has_it(harper: GrammarErrors) -> None:
    assert harper.scores(["The colour of the theatre.", "The color of the theater."]).sum() == 0
    assert harper.scores(["The colour of the theatre was definately odd."])[0] == 1


def test_several_threads_may_check_at_once(harper: GrammarErrors) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(harper.checker.issues, [["She has went home."]] * 8))
    assert [len(issues) for (issues,) in found] == [1] * 8


def test_the_metric_says_what_it_is() -> None:
    for name, entry in METRICS.items():
        assert entry.card["name"] == name
        assert entry.card["definition"]
        assert entry.card["better"] in ("lower", "higher")
    assert METRICS["grammar"].card["unit"] == "errors"
    assert METRICS["similarity"].card["compares"] is True


def test_the_default_metric_is_harper(harper: GrammarErrors) -> None:
    assert METRICS["grammar"]().checker.identity == harper.checker.identity


def test_an_unknown_checker_is_named() -> None:
    with pytest.raises(InputError, match='Did you mean "harper"'):
        GrammarErrors.load("harpr")


def test_increase_per_word_counts_all_words() -> None:
    assert increase_per_word([0, 2], [1, 2], [10, 30]) == pytest.approx(1 / 40)
    assert increase_per_word([3], [1], [10]) == pytest.approx(-0.2)
    assert increase_per_word([], [], []) == 0


def test_quire_finds_what_its_rules_know() -> None:
    if reason := CHECKERS["quire"].missing():
        pytest.skip(reason)
    quire = CHECKERS["quire"]()
    assert quire.identity.startswith("quire-grammar 0.")
    right, wrong = quire.issues(["I saw the apple.", "She had a apple."])
    assert right == []  # advice on style is no error
    assert (wrong[0].start, wrong[0].end) == (8, 9)


def test_a_missing_package_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("harper", "quire_grammar", "language_tool_python"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("core.quality.grammar.find_spec", lambda _: None)
    for name in ("harper", "quire", "languagetool"):
        with pytest.raises(ResourceMissingError, match="pip install"):
            CHECKERS[name]()


class _LanguageToolServer(BaseHTTPRequestHandler):
    """Answers as LanguageTool's HTTP server does, with one rule: no "teh"."""

    def do_GET(self) -> None:
        self._send([{"name": "English (US)", "code": "en", "longCode": "en-US"}])

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        text = form["text"][0]
        if text == "break":
            self.send_error(400, "broken")
            return
        start = text.find("teh")
        self._send({"matches": [_match(start)] if start >= 0 else []})

    def _send(self, answer: object) -> None:
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


def _match(start: int) -> dict[str, object]:
    return {
        "message": "Possible typo",
        "replacements": [{"value": "the"}],
        "offset": start,
        "length": 3,
        "context": {"text": "teh", "offset": 0, "length": 3},
        "sentence": "teh",
        "rule": {
            "id": "TYPO",
            "issueType": "misspelling",
            "category": {"id": "TYPOS", "name": "Typos"},
        },
    }


@pytest.fixture
def languagetool_address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _LanguageToolServer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_languagetool_through_a_running_server(
    languagetool_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("language_tool_python")
    monkeypatch.setenv("SWAPSCOPE_LANGUAGETOOL", languagetool_address)
    checker = CHECKERS["languagetool"]()
    found = checker.issues(["all is well", "all teh time"])
    assert found == [[], [Issue(4, 7, "Possible typo")]]
    with pytest.raises(ResourceMissingError, match="does not answer"):
        checker.issues(["break"])


def test_a_languagetool_server_that_is_away_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("language_tool_python")
    monkeypatch.setenv("SWAPSCOPE_LANGUAGETOOL", "http://127.0.0.1:9")
    with pytest.raises(ResourceMissingError, match="does not answer"):
        CHECKERS["languagetool"]()


def test_languagetool_needs_java_and_its_files_and_downloads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("language_tool_python")
    monkeypatch.delenv("SWAPSCOPE_LANGUAGETOOL", raising=False)
    monkeypatch.setenv("LTP_PATH", str(tmp_path / "files"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "needs Java" in CHECKERS["languagetool"].missing()
    (tmp_path / "java").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "java").chmod(0o755)
    assert "files are not there" in CHECKERS["languagetool"].missing()
    for version in ("6.8", "6.10"):
        folder = tmp_path / "files" / f"LanguageTool-{version}"
        folder.mkdir(parents=True)
        (folder / "languagetool-server.jar").touch()
    assert CHECKERS["languagetool"].missing() == ""
    # This Java does not start, so the newest version is named in the error.
    with pytest.raises(ResourceMissingError, match=r"LanguageTool 6\.10 does not answer"):
        CHECKERS["languagetool"]()


def test_importing_loads_no_model() -> None:
    program = (
        "import sys, core.quality, core.quality.constraints, core.victims.config\n"
        "print([name for name in ('torch', 'transformers', 'harper') if name in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"
