"""Items from files: what is read, what is refused and why, row by row."""

import json
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl
from zlib import crc32

import pytest

from core import SEARCHES, SUBSTITUTIONS, VICTIMS, Attack, SearchSpace, trace, untargeted
from core.attack import Trace
from core.errors import InputError
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.store import line_of
from core.study import attacks
from core.study.attacks import from_run, from_traces, read_run
from core.study.intake import UploadedTable, from_table, from_textattack, guess, read_table
from core.study.items import Item, check_set
from tests.toys import experiment
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


def saved(tmp_path: Path, text: str, **about: Any) -> Trace:
    victim = VICTIMS["toy"]()
    space = SearchSpace.from_text(text, SUBSTITUTIONS["toy"]())
    attack = Attack(space, untargeted(victim, space, "positive"), SEARCHES["ls"](), max_changed=0.5)
    path = tmp_path / "run.json"
    trace.save(Trace(space, attack.run(), about), path)
    return trace.load(path)


def test_saved_traces_become_items_that_link_back(tmp_path: Path) -> None:
    about = {"search": "ls", "victim": "toy", "substitution": "toy", "label": "positive"}
    good = saved(tmp_path, "I love this movie", **about)
    nothing = saved(tmp_path, "This sentence has nothing", **about)
    unlabelled = saved(tmp_path, "I love this movie")
    named = [("a", good), ("b", nothing), ("c", unlabelled)]
    intake = from_traces(named, LABELS)
    attacked, control = intake.items
    assert (attacked.text, attacked.method, attacked.victim) == (
        "I favor this picture",
        "ls",
        "toy",
    )
    assert attacked.trace == (
        "text=I+love+this+movie&victim=toy&search=ls&seed=0&reference=positive&words=toy"
        "&budget=none&limit=25"
    )
    assert (control.text, control.kind) == ("I love this movie", "original")
    assert attacked.source == control.source
    assert ["Left out: b is not" in intake.faults[0][1], "c does not" in intake.faults[1][1]] == [
        True,
        True,
    ]
    assert len(from_traces([("a", good)], LABELS, controls=False).items) == 1


def test_a_trace_of_step_through_tells_its_label_as_a_number(tmp_path: Path) -> None:
    about = {
        **{"search": "pso", "victim": "toy", "words": "toy", "seed": 3, "budget": None},
        **{"label": 1, "target": 0, "max_changed": 0.5, "hard_limit": True, "premise": ""},
    }
    (attacked, _) = from_traces(
        [("a", saved(tmp_path, "I love this movie", **about))], LABELS
    ).items
    assert attacked.label == "positive"
    assert dict(parse_qsl(attacked.trace)) == {
        **{"text": "I love this movie", "victim": "toy", "words": "toy", "search": "pso"},
        **{"seed": "3", "budget": "none", "reference": "positive", "target": "negative"},
        **{"limit": "50", "hard": "true"},
    }


def test_a_batch_run_becomes_items_that_link_back(tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    done = runner.run(experiment.plan(), path, tmp_path, Local(1))
    intake = from_run(read_run(path.name, path.read_bytes()), LABELS)
    won = [attack for attack in done.attacks if attack.status == "success"]
    first = {(a.row, a.search, a.goal): a for a in reversed(won)}
    attacked = [item for item in intake.items if item.kind == "adversarial"]
    assert {(item.text, item.method) for item in attacked} == {
        (done.text(a), f"{a.search}, {a.goal}") for a in first.values()
    }
    assert len(attacked) == len(first)
    assert len(intake.faults) == len(done.attacks) - len(first)
    originals = {done.inputs[a.row].text for a in won}
    assert {item.text for item in intake.items if item.kind == "original"} == originals
    shown = [dict(parse_qsl(item.trace)) for item in attacked]
    assert {link["text"] for link in shown} == originals
    assert {link["search"] for link in shown} <= {"ls", "greedy", "pso"}
    swarms = [parse_qs(item.trace) for item in attacked if item.method.startswith("pso")]
    assert swarms
    assert all(set(one["search_option"]) == {"population=4", "iterations=2"} for one in swarms)
    targeted = [link for link in shown if "target" in link]
    assert targeted
    assert all({link["reference"], link["target"]} == set(LABELS) for link in targeted)
    assert len(from_run(done, LABELS, controls=False).items) == len(attacked)


def lines_of_a_run(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "small.jsonl"
    runner.run(experiment.plan(), path, tmp_path, Local(1))
    return [json.loads(line)["record"] for line in path.read_bytes().splitlines()]


def as_line(record: dict[str, Any]) -> bytes:
    """A line with its checksum, whatever the record holds."""
    body = json.dumps(record).encode()
    return b'{"check":"%08x","record":' % crc32(body) + body + b"}\n"


def test_a_batch_run_that_would_break_a_page_is_a_sentence(tmp_path: Path) -> None:
    records = lines_of_a_run(tmp_path)
    won = next(each for each in records if each.get("status") == "success")
    given = next(each for each in records if each["kind"] == "input")
    for record, changes in (
        (won, {"swaps": 3}),
        (won, {"swaps": [[0, ["x"]]]}),
        (won, {"swaps": [["0", "x"]]}),
        (won, {"search": ["ls"]}),
        (won, {"goal": 1}),
        (given, {"text": 7}),
        (given, {"context": None}),
        (given, {"context": {"premise": 3}}),
        (given, {"reference": [3]}),
        (records[0], {"format": 99}),
        (given, {"text": "\ud800"}),
        (records[0], {"plan": {**records[0]["plan"], "searches": "ls"}}),
        (records[0], {"plan": {**records[0]["plan"], "name": None}}),
        (records[0], {"more": json.loads("[" * 40 + "]" * 40)}),
        (records[0], {"more": float("inf")}),
    ):
        changed = [{**each, **changes} if each is record else each for each in records]
        content = b"".join(map(as_line, changed))
        refusal(partial(read_run, "run.jsonl", content), 5)


def test_a_batch_run_of_nothing_but_lines_takes_no_memory() -> None:
    said = refusal(lambda: read_run("run.jsonl", b"\n" * 10_000_000), 30)
    assert "holds no results" in said


def test_a_batch_run_that_is_too_long_is_not_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = lines_of_a_run(tmp_path)
    monkeypatch.setattr(attacks, "MOST_LINES", len(records) - 1)
    with pytest.raises(InputError, match="run fewer sentences"):
        read_run("run.jsonl", b"".join(map(line_of, records)))
    monkeypatch.setattr(attacks, "MOST_LINES", len(records))
    assert read_run("run.jsonl", b"".join(map(line_of, records))).attacks


@pytest.mark.parametrize("content", [b"", b"nonsense\n", line_of({"kind": "session"})])
def test_a_file_that_is_no_batch_run_is_a_sentence(content: bytes) -> None:
    with pytest.raises(InputError, match=r"run\.jsonl"):
        read_run("run.jsonl", content)


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
