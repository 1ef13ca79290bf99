"""The command line: what it prints, and one clear line for whatever is wrong."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import SEARCHES, SUBSTITUTIONS, VICTIMS, trace
from core.__main__ import main
from core.registry import Entry
from core.spec import AttackSpec
from core.substitutions import lexicon
from tests.toys import text_victims
from tests.toys.text_victims import PASSAGE, QUESTION, SOURCE, TARGET

SMALL = "I love this movie"
CHOICE = ["--victim", "toy", "--substitution", "toy"]
FIELDS = {
    *("text", "label", "target", "status", "success", "adversarial", "score", "queries"),
    *("requests", "changed", "changed_rate", "seconds", "forward_seconds"),
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_attack_prints_every_field_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "attack", SMALL, *CHOICE, "--max-changed", "0.5", "--json")
    data = json.loads(out)
    assert code == 0
    assert set(data) == FIELDS
    assert data["adversarial"] == "I favor this picture"
    assert (data["label"], data["target"], data["status"]) == ("positive", None, "success")
    assert (data["queries"], data["requests"], data["changed"]) == (7, 9, [1, 3])
    assert data["changed_rate"] == 0.5


def test_prove_prints_every_field_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "prove", SMALL, *CHOICE, "--max-changed", "0.5", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["verdict"], data["changed"], data["minimal"]) == ("flip", 2, True)
    assert data["adversarial"] == "I favor this picture"
    assert {"sentences", "nodes", "seconds", "safe", "prover", "label"} < set(data)
    assert f"{data['sentences']:,} sentences change at most 2 of 4 words" in err


def test_prove_says_what_is_proved_and_what_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "prove", SMALL, *CHOICE, "--highest")
    assert code == 0
    assert out.startswith("proved: none of")
    assert "none scores more" in out
    code, out, _ = run(capsys, "prove", SMALL, *CHOICE, "--max-changed", "1", "--nodes", "1")
    assert code == 0
    assert out.startswith("open: no answer")
    code, _, err = run(capsys, "prove", SMALL, *CHOICE, "--seconds", "0")
    assert (code, len(err.splitlines())) == (2, 2)
    code, _, err = run(capsys, "prove", SMALL, *CHOICE, "--max-changed", "7")
    assert (code, err.splitlines()[-1]) == (
        2,
        "swapscope: max_changed is 7.0; it must lie between 0 and 1.",
    )


def test_the_ladder_names_the_level_at_which_a_sentence_falls(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text, path = (
        "The kids enjoyed an ingenious and funny film with a good plot.",
        tmp_path / "a.json",
    )
    asked = ("attack", text, "--substitution", "plausible", "--ladder", "2", "--trace", str(path))
    code, out, _ = run(capsys, *asked, "--json")
    data = json.loads(out)
    assert code == 0
    assert set(data) == FIELDS | {"level", "verdict", "levels"}
    assert [row["level"] for row in data["levels"]] in ([1], [1, 2])
    assert data["queries"] <= data["requests"]
    assert data["level"] == (len(data["levels"]) if data["success"] else None)
    saved = AttackSpec.of_trace(trace.load(path)).substitution
    assert saved.options == (f"level={len(data['levels'])}",)
    assert data["verdict"] in run(capsys, *asked)[1].splitlines()


def test_there_is_no_fifth_level(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "attack", SMALL, *CHOICE, "--ladder", "5")
    assert (code, err.count("\n")) == (2, 1)
    assert "--ladder is one of: 1 (harmless)" in err


@pytest.mark.parametrize("key", SEARCHES)
def test_attack_runs_every_search(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "attack", SMALL, *CHOICE, "--search", key, "--target", "negative")
    assert code == 0
    assert "over_limit: 2 of 4 words changed" in out


def test_attack_saves_a_trace_that_loads(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "run.npz"
    code, *_ = run(capsys, "attack", SMALL, *CHOICE, "--budget", "4", "--trace", str(path))
    saved = trace.load(path)
    assert (code, saved.result.status) == (0, "budget")
    assert saved.about["victim"] == "toy"


def test_a_wrong_true_label_skips_the_attack(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "attack", SMALL, *CHOICE, "--label", "negative", "--json")
    assert json.loads(out)["status"] == "skipped"


def test_space_shows_substitutes_with_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "space", SMALL, "--substitution", "toy", "--json")
    data = json.loads(out)
    assert (code, data["size"], data["elements"]) == (0, 9, 4)
    assert [word["word"] for word in data["words"]] == SMALL.split()
    assert data["words"][1]["substitutes"][0]["word"] == "like"
    assert "the toy table" in data["words"][1]["substitutes"][0]["reason"]
    assert data["words"][0]["note"] == "not in the toy table"
    _, out, _ = run(capsys, "space", SMALL, "--substitution", "toy")
    assert "4 words, 4 substitutes, 9 sentences" in out


def test_list_names_everything(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Entry(VICTIMS["toy"].make, "A model.", missing=lambda: "fetch it with: make model")
    monkeypatch.setitem(VICTIMS, "gone", gone)
    code, out, _ = run(capsys, "list", "--json")
    data = json.loads(out)
    assert code == 0
    assert set(data["searches"]) == set(SEARCHES)
    assert set(data["substitutions"]) == set(SUBSTITUTIONS)
    assert data["victims"]["toy"]["labels"] == ["negative", "positive"]
    assert not data["victims"]["gone"]["available"]
    assert {"untargeted", "targeted", "f1", "bleu", "half-bleu"} < set(data["goals"])
    _, out, _ = run(capsys, "list")
    assert "not available: fetch it with: make model" in out
    code, _, err = run(capsys, "attack", SMALL, "--victim", "gone")
    assert (code, err) == (2, "swapscope: fetch it with: make model\n")


def test_names_in_the_list_never_run_into_their_texts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "a-victim-with-quite-a-long-name"
    monkeypatch.setitem(VICTIMS, long, Entry(VICTIMS["toy"].make, "A model.", missing=lambda: "no"))
    lines = run(capsys, "list")[1].splitlines()
    assert f"- {long}  A model." in lines
    toy = next(line for line in lines if line.startswith("  toy"))
    assert toy.index("Toy:") == len(f"- {long}  ")
    assert lines[lines.index(f"- {long}  A model.") + 1].index("not available: no") == len(long) + 4
    for key in (*VICTIMS, *SUBSTITUTIONS, *SEARCHES, "language-model", "part-of-speech"):
        assert any(line[2:].startswith(f"{key}  ") for line in lines), key


def test_the_toy_substitutes_are_a_list_and_need_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lexicon, "FOLDER", tmp_path)  # no word table is there, and no package
    monkeypatch.setattr(lexicon, "find_spec", lambda package: None)
    assert "is missing" in SUBSTITUTIONS["synonym"].missing()
    assert run(capsys, "space", SMALL, "--substitution", "toy")[0] == 0


def test_the_toy_attack_runs_without_the_packages_of_the_lexicon() -> None:
    block = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('nltk', 'lemminflect')))\n"
        "from core.__main__ import main\n"
        f"sys.exit(main(['attack', {SMALL!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


WRONG = {
    "no command": [],
    "unknown command": ["fly"],
    "no text": ["attack"],
    "empty text": ["attack", "", *CHOICE],
    "only punctuation": ["attack", "?!", *CHOICE],
    "too long": ["attack", "word " * 10_000, *CHOICE],
    "control character": ["attack", "a\x1bb", *CHOICE],
    "half a character": ["attack", "a\udcffb", *CHOICE],
    "unknown victim": ["attack", SMALL, "--victim", "tony"],
    "unknown substitution": ["space", SMALL, "--substitution", "magic"],
    "unknown search": ["attack", SMALL, "--search", "pos"],
    "unknown label": ["attack", SMALL, *CHOICE, "--label", "neutral"],
    "unknown target": ["attack", SMALL, *CHOICE, "--target", "neutral"],
    "budget 0": ["attack", SMALL, *CHOICE, "--budget", "0"],
    "negative budget": ["attack", SMALL, *CHOICE, "--budget", "-5"],
    "budget in words": ["attack", SMALL, *CHOICE, "--budget", "many"],
    "share above 1": ["attack", SMALL, *CHOICE, "--max-changed", "25"],
    "share not a number": ["attack", SMALL, *CHOICE, "--max-changed", "nan"],
    "unknown setting": ["attack", SMALL, *CHOICE, "--search-option", "speed=9"],
    "setting without value": ["attack", SMALL, *CHOICE, "--search-option", "exchange"],
    "wrong choice": ["attack", SMALL, *CHOICE, "--search-option", "exchange=all"],
    "wrong switch": ["attack", SMALL, *CHOICE, "--search-option", "complement=maybe"],
    "wrong number": ["attack", SMALL, *CHOICE, "--search-option", "epsilon=small"],
    "unknown constraint": ["space", SMALL, "--substitution", "toy", "--constraint", "nice"],
    "wrong constraint": ["space", SMALL, "--substitution", "toy", "--constraint", "at-most=x"],
    "targeted without target": ["attack", SMALL, *CHOICE, "--goal", "targeted"],
    "untargeted with target": [
        *("attack", SMALL, *CHOICE, "--goal", "untargeted", "--target", "negative")
    ],
    "label with a line break": ["attack", SMALL, *CHOICE, "--label", "a\nb"],
    "endless batch": ["attack", SMALL, *CHOICE, "--search", "random", "--search-option", "batch=0"],
    "not a setting": ["space", SMALL, "--substitution", "toy", "--substitution-option", "rows=x"],
    "negative constraint": ["space", SMALL, "--substitution", "toy", "--constraint", "at-most=-1"],
    "constraint nan": ["space", SMALL, "--substitution", "toy", "--constraint", "min-cosine=nan"],
    "wrong trace file": ["attack", SMALL, *CHOICE, "--trace", "run.pkl"],
    "no such folder": ["attack", SMALL, *CHOICE, "--trace", "no/such/folder/run.json"],
    "space too large": ["attack", "great good bad film " * 5, *CHOICE, "--search", "exhaustive"],
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_ends_in_one_line_and_code_2(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *WRONG[name])
    assert (code, out) == (2, "")
    assert err.startswith("swapscope: ")
    assert err.count("\n") == 1


def test_settings_and_constraints_change_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--constraint", "protected=love", "--search-option", "complement=off", "--json"]
    _, out, _ = run(capsys, "attack", SMALL, *CHOICE, *options)
    assert json.loads(out)["adversarial"] == "I love this picture"
    options = ["--substitution-option", "limit=2", "--json", "--substitution", "sememe"]
    _, out, _ = run(capsys, "space", SMALL, *options)
    assert max(len(word["substitutes"]) for word in json.loads(out)["words"]) == 2
    options = ["--substitution-option", "limit=none", "--json", "--substitution", "sememe"]
    _, out, _ = run(capsys, "space", SMALL, *options)
    assert max(len(word["substitutes"]) for word in json.loads(out)["words"]) > 2


def test_victims_from_a_file_join_the_list(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SWAPSCOPE_VICTIMS", str(tmp_path / "victims.toml"))
    (tmp_path / "victims.toml").write_text('[victims.toy]\npath = "somewhere"\n')
    code, _, err = run(capsys, "list")
    assert (code, "belongs to a bundled victim" in err) == (2, True)
    (tmp_path / "victims.toml").write_text('[victims.mine]\npath = "nowhere"\n')
    try:
        code, out, _ = run(capsys, "list")
        assert code == 0
        assert "mine" in out
    finally:
        VICTIMS.pop("mine", None)


def test_a_pair_needs_its_premise(capsys: pytest.CaptureFixture[str]) -> None:
    attack = ["attack", "Some people are walking outside.", "--victim", "dnn-snli"]
    code, _, err = run(capsys, *attack)
    assert (code, "premise is empty" in err) == (2, True)
    premise = ["--premise", "Two women walk their dogs in the park.", "--substitution", "sememe"]
    code, out, _ = run(capsys, *attack, *premise, "--json")
    assert code == 0
    assert json.loads(out)["label"] in ("entailment", "neutral", "contradiction")


def test_a_near_miss_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "attack", SMALL, "--search", "pos")
    assert 'Did you mean "pso"?' in err


def test_text_from_stdin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"I love this movie\n")))
    _, out, _ = run(capsys, "space", "-", "--substitution", "toy", "--json")
    assert json.loads(out)["text"] == SMALL
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9\n")))
    code, _, err = run(capsys, "space", "-", "--substitution", "toy")
    assert (code, err.count("\n")) == (2, 1)


def test_interrupt_is_quiet(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(VICTIMS, "toy", Entry(interrupted, ""))
    assert run(capsys, "attack", SMALL, *CHOICE)[0] == 130


def program(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "core", *arguments]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_an_answer_that_cannot_be_written_is_said() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            program("list"), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No space left" in done.stderr


def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen(
        program("list"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait() == 0
        assert process.stderr.read() == b""


def test_a_terminal_without_unicode_and_a_closed_stdin() -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        program("attack", SMALL, *CHOICE), env=ascii_only, capture_output=True, check=False
    )
    assert (done.returncode, b"love \\u2192 favor" in done.stdout) == (0, True)
    closed = subprocess.run(
        " ".join(program("space", "-")) + " <&-", shell=True, capture_output=True, check=False
    )
    assert (closed.returncode, closed.stderr.count(b"\n")) == (2, 1)


def test_as_a_program() -> None:
    program = [sys.executable, "-m", "core", "attack", "", *CHOICE]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_context_and_reference_have_their_old_names_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for context, reference in (("--context", "--reference"), ("--premise", "--label")):
        path = tmp_path / f"{context[2:]}.json"
        asked = ["A man is playing a guitar.", "--victim", "dnn-snli", "--trace", str(path)]
        fixed = [context, "A man plays outside.", reference, "neutral", "--json"]
        assert main(["attack", *asked, *fixed]) == 0
        data = json.loads(capsys.readouterr().out)
        found.append(AttackSpec.of_trace(trace.load(path)))
        assert data["label"] == "neutral"
    assert found[0] == found[1]
    assert found[0].context == {"premise": "A man plays outside."}
    assert main(["attack", "I love this", "--reference", "positive", "--label", "negative"]) == 2
    assert "one true label, not 2" in capsys.readouterr().err
    assert main(["attack", "I love this", "--goal", "bleu"]) == 2
    assert 'no goal of this victim "bleu"' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "answers"),
    [
        (
            [QUESTION, "--victim", "finder", "--context", PASSAGE, "--reference", "Bruno"],
            ("Bruno", "Anna"),
        ),
        ([QUESTION, "--victim", "finder", "--context", PASSAGE], ("Bruno", "Anna")),
        (
            [SOURCE, "--victim", "dictionary", "--reference", TARGET],
            (TARGET, "le petit chien dans le vert"),
        ),
    ],
)
def test_attacks_on_answers_and_translations(
    arguments: list[str],
    answers: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text_victims.register(monkeypatch)
    options = ("--substitution", "forms", "--max-changed", "0.5")
    code, out, _ = run(capsys, "attack", *arguments, *options, "--json")
    data = json.loads(out)
    assert (code, data["status"]) == (0, "success")
    assert set(data) - FIELDS == {*("task", "context", "reference", "answer", "adversarial_answer")}
    assert (data["answer"], data["adversarial_answer"]) == answers
    assert data["reference"] == [answers[0]] == [data["label"]]
    _, out, _ = run(capsys, "attack", *arguments, *options)
    assert out.splitlines()[-2:] == [
        f"answer: {answers[0]}",
        f"adversarial answer: {answers[1]}",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "The passage is empty; give the text to answer from."),
        (["--context", "word " * 2_000], "The passage has 2,000 words; the limit is 1,000."),
        (["--context", PASSAGE, "--reference", "Clara"], 'The answer "Clara" is not in'),
        (["--context", PASSAGE, "--reference", ""], "A right answer is missing"),
    ],
)
def test_a_wrong_passage_or_answer_is_one_line(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text_victims.register(monkeypatch)
    code, out, err = run(capsys, "attack", QUESTION, "--victim", "finder", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"swapscope: {words}")
    assert err.count("\n") == 1


def test_inflections_are_what_these_tasks_are_attacked_with(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text_victims.register(monkeypatch)
    path = tmp_path / "a.json"
    for arguments in ([QUESTION, "--victim", "finder", "--context", PASSAGE], [SMALL]):
        run(capsys, "attack", *arguments, "--trace", str(path))
        usual = "inflection" if len(arguments) > 1 else "toy"
        assert trace.load(path).about["substitution"] == usual
