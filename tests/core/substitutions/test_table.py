"""A table of substitutes of your own, and any function."""

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.errors import InputError
from core.options import Choice
from core.spec import make_substitution
from core.substitutions.table import Function, SubstituteTable, from_csv
from tests.toys.columns import by_word


def test_a_table_is_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    rows = ["word,substitute,remark", "Good,fine,x", "good,fine,", "good,two words,", "good,great,"]
    path.write_text("\n".join(rows))
    columns = by_word(from_csv(path), "A GOOD film")
    assert [s.word for s in columns["GOOD"].substitutes] == ["FINE", "TWO WORDS", "GREAT"]
    assert columns["GOOD"].substitutes[0].reason == "listed in mine.csv"
    assert columns["film"].note == "not in mine.csv"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\nc,d\n", "columns word,substitute"),
        (b"", "columns word,substitute"),
        (b"word,substitute\ngood\n", "row 2: give both"),
        (b"word,substitute\n" + 100_000 * b"a,b\n", "more than 100,000 rows"),
        (b"word,substitute\n\xff,x\n", "not a CSV table in UTF-8"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        from_csv(path)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not there"):
        from_csv(tmp_path / "none.csv")


def test_your_own_table_is_a_substitution_by_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("word,substitute\ngood,fine\n")
    made = make_substitution(Choice("table", (f"file={path}",)))
    assert [s.word for s in by_word(made, "A good film")["good"].substitutes] == ["fine"]
    with pytest.raises(InputError, match="Say which file holds the table"):
        make_substitution(Choice("table"))(["good"])


def test_any_function_serves_as_substitution() -> None:
    listed = {"good": ["fine", "Good"]}
    columns = by_word(Function(lambda word: listed.get(word, ())), "good film")
    assert [s.word for s in columns["good"].substitutes] == ["fine"]
    assert columns["film"].note == "nothing from your function"
    assert SubstituteTable({})(("film",))[0].note == "not in table"


def test_the_command_line_attacks_with_your_own_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("word,substitute\nlike,favor\nfilm,picture\n", encoding="utf-8")
    mine = ["--substitution", "table", "--substitution-option", f"file={path}"]
    text = "I like this film"
    assert main(["space", text, *mine, "--json"]) == 0
    words = json.loads(capsys.readouterr().out)["words"]
    found = [[each["word"] for each in word["substitutes"]] for word in words]
    assert found == [[], ["favor"], [], ["picture"]]
    attack = ["attack", text, "--victim", "toy", *mine, "--max-changed", "0.5"]
    assert main([*attack, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["adversarial"] == "I favor this picture"
    trace = tmp_path / "run.json"
    assert main([*attack, "--trace", str(trace)]) == 0
    assert json.loads(trace.read_text())["about"]["substitution_option"] == [f"file={path}"]


@pytest.mark.parametrize(
    ("setting", "said"),
    [([], "Say which file holds the table"), (["--substitution-option", "file=x"], "not there")],
)
def test_the_command_line_says_what_is_wrong_with_a_table(
    setting: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["space", "A good film", "--substitution", "table", *setting]) == 2
    assert said in capsys.readouterr().err
