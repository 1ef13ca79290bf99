"""Items from files: what is read, what is refused and why, row by row."""

import json

import pytest

from core.errors import InputError
from core.study.intake import UploadedTable, from_table, from_textattack, guess, read_table
from core.study.items import Item, check_set
from tests.toys.memory import refusal

LABELS = ("negative", "positive")


CSV = (
    "Sentence,Gold,Search\n"
    "A fine film,positive,ls\n"
    ",positive,ls\n"
    "A poor film,neutral,ls\n"
    "A poor film,0,pso\n"
    "A fine film,positive,ls\n"
    "A bad film,negative,\n"
    '"Two\nlines, one cell",1.0,ls\n'
)


def test_a_table_is_read_and_each_wrong_row_is_told() -> None:
    table = read_table("items.csv", CSV.encode("utf-8-sig"))
    assert guess(table.columns) == {"text": "Sentence", "label": "Gold", "method": "Search"}
    intake = from_table(table, guess(table.columns), LABELS, victim="bert")
    assert [(item.text, item.label, item.method) for item in intake.items] == [
        ("A fine film", "positive", "ls"),
        ("A poor film", "negative", "pso"),
        ("Two\nlines, one cell", "positive", "ls"),
    ]
    assert {item.victim for item in intake.items} == {"bert"}
    assert [number for number, _ in intake.faults] == [2, 3, 5, 6]
    reasons = [reason for _, reason in intake.faults]
    assert "empty" in reasons[0]
    assert reasons[1] == 'The label "neutral" is not one of: negative, positive.'
    assert reasons[2] == "The same text and method as row 1."
    assert "method is missing" in reasons[3]


def test_a_column_algo_and_labels_in_other_case_are_understood() -> None:
    content = b"Text,Label,Algo\na fine film,Positive,ls\na dull film,NEGATIVE,pso\n"
    table = read_table("a.csv", content)
    intake = from_table(table, guess(table.columns), LABELS)
    assert [(item.label, item.method) for item in intake.items] == [
        ("positive", "ls"),
        ("negative", "pso"),
    ]
    unclear = from_table(table, guess(table.columns), ("POSITIVE", "positive", "negative"))
    assert [number for number, _ in unclear.faults] == [1]


def test_every_field_can_come_from_a_column() -> None:
    rows = [
        {"text": "x", "label": "positive", "kind": "check", "score": 0, "source": None},
        {"text": "y", "label": "positive", "kind": "practice", "feedback": "f", "score": 4},
        {"text": "z", "label": "positive", "kind": "magic"},
        {"text": "z", "label": "positive", "score": "7"},
        {"text": "z\x00", "label": "positive", "method": "m"},
        {"text": "w", "label": "", "method": "m"},
        {"text": "v" * 10_001, "label": "positive", "method": "m"},
    ]
    content = "\n".join(json.dumps(row) for row in rows) + "\n\n"
    table = read_table("items.jsonl", content.encode())
    intake = from_table(table, guess(table.columns), LABELS)
    check, practice = intake.items
    assert (check.kind, check.score, check.method) == ("check", 0, "")
    assert (practice.feedback, practice.score) == ("f", 4)
    assert [number for number, _ in intake.faults] == [3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "no rows"),
        ("a.csv", b"text,label\n", "no rows"),
        ("a.csv", b"text\nx,y\n", "more cells than columns"),
        ("a.csv", b'text,label\n"x\n', "not a table"),
        ("a.csv", b"text,label\ncaf\xe9,x\n", "not UTF-8"),
        ("a.xlsx", b"x", "neither .csv"),
        ("a.jsonl", b"{", "line 1: not JSON"),
        ("a.jsonl", b"[1]", "not an object"),
        ("a.jsonl", b"x" * 20_000_001, "20 MB"),
        ("a.jsonl", b'{"a": ' + b"[" * 1_000 + b"1" + b"]" * 1_000 + b"}", "line 1: not JSON"),
    ],
)
def test_a_file_that_is_no_table_is_a_sentence(name: str, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_table(name, content)


@pytest.mark.parametrize(
    ("name", "content", "message", "most"),
    [
        ("a.csv", b"," * 19_000_000, "line 1, is longer", 120),
        ("a.csv", b"text,label\n" + b"," * 900_000 + b"\n", "more than 200 columns", 20),
        ("a.csv", b'text,label\n"' + b"x" * 3_000_000, "is longer", 30),
        ("a.csv", (b"," * 199 + b"\n") * 5_001, "more than 1,000,000 cells", 50),
        ("a.jsonl", b"{}\n" * 3_000_000, "more than 100,000 rows", 60),
        ("a.jsonl", b"\n".join(b'{"%d": 1}' % n for n in range(300)), "more than 200 columns", 5),
        ("a.jsonl", b"\n" * 300_000, "no rows", 5),
    ],
)
def test_a_table_that_would_fill_the_memory_is_refused(
    name: str, content: bytes, message: str, most: float
) -> None:
    assert message in refusal(lambda: read_table(name, content), most)


def test_a_text_in_jsonl_may_hold_any_line_end_of_unicode() -> None:
    content = json.dumps({"text": "a\u2028b", "label": "x"}, ensure_ascii=False).encode()
    assert read_table("a.jsonl", content).rows[0]["text"] == "a\u2028b"


def test_blank_lines_before_a_header_are_left_out() -> None:
    assert read_table("a.csv", b"\n\ntext,label\nx,1\n").columns == ("text", "label")


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"text": "a"}, "which column holds the label"),
        ({"text": "a", "label": "none"}, 'no column "none"'),
        ({"text": "a", "label": "a", "colour": "a"}, "not a field"),
    ],
)
def test_a_wrong_mapping_is_a_sentence(mapping: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_table(UploadedTable(("a",), ({"a": "x"},)), mapping, LABELS)


def test_a_column_of_originals_brings_controls_each_once() -> None:
    content = (
        "text,label,method,original\n"
        "a fine film,positive,ls,a good film\n"
        "a nice film,positive,pso,a good film\n"
        "a dull film,negative,ls,\n"
    )
    table = read_table("a.csv", content.encode())
    first, control, second, alone = from_table(table, guess(table.columns), LABELS).items
    assert (control.text, control.label, control.kind) == ("a good film", "positive", "original")
    assert first.source == second.source == control.source != alone.source


def test_semicolons_and_tabs_are_understood() -> None:
    assert read_table("a.csv", b"text;label\nx, y;1\n").rows == ({"text": "x, y", "label": "1"},)
    assert read_table("a.tsv", b"text\tlabel\nx\t1\n").columns == ("text", "label")
    assert read_table("a.csv", b'"a; b; c",label\nx,1\n').columns == ("a; b; c", "label")


TEXTATTACK = (
    '"original_text","perturbed_text","original_score","ground_truth_output","result_type"\n'
    '"a [[great]] film","a [[grand]] film",0.1,1.0,"Successful"\n'
    '"a [[poor]] film","a [[poor]] film",0.1,0.0,"Failed"\n'
    '"[[bad]] film","[[bad]] film",0.9,0.0,"Skipped"\n'
    '"a [[great]] film","a [[big]] film",0.1,1.0,"Successful"\n'
    '"[[[[Premise]]]]: Two [[dogs]] run.<SPLIT>[[[[Hypothesis]]]]: Dogs [[sleep]].",'
    '"[[[[Premise]]]]: Two [[dogs]] run.<SPLIT>[[[[Hypothesis]]]]: Dogs [[doze]].",'
    '0.1,0,"Successful"\n'
)


def test_textattack_results_lose_their_marks_and_bring_their_originals() -> None:
    table = read_table("log.csv", TEXTATTACK.encode())
    assert table.is_textattack
    intake = from_textattack(table, LABELS, method="textfooler")
    assert [(item.text, item.kind, item.label, item.context) for item in intake.items] == [
        ("a grand film", "adversarial", "positive", ""),
        ("a great film", "original", "positive", ""),
        ("a big film", "adversarial", "positive", ""),
        ("Dogs doze.", "adversarial", "negative", "Two dogs run."),
        ("Dogs sleep.", "original", "negative", "Two dogs run."),
    ]
    assert len({item.source for item in intake.items}) == 2
    assert [reason for _, reason in intake.faults] == [
        "Left out: the attack was failed.",
        "Left out: the attack was skipped.",
    ]
    without = from_textattack(table, LABELS, method="textfooler", controls=False)
    assert {item.kind for item in without.items} == {"adversarial"}
    with pytest.raises(InputError, match="not a TextAttack"):
        from_textattack(UploadedTable(("a",), ()), LABELS, method="x")


@pytest.mark.parametrize(
    ("items", "labels", "message"),
    [
        ([Item("x", "a", method="m")], ("a",), "at least two"),
        ([Item("x", "a", method="m")], ("a", "a"), "written once"),
        ([Item("x", "a", method="m")], ("a", " "), "no name"),
        ([Item("x", "a", kind="check")], ("a", "b"), "no items to judge"),
        ([Item("x", "c", method="m")], ("a", "b"), "not one of the labels"),
        ([Item("x", "a", method="m")] * 2, ("a", "b"), "2 times"),
    ],
)
def test_a_set_that_no_study_can_use_is_refused(
    items: list[Item], labels: tuple[str, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        check_set(items, labels)
