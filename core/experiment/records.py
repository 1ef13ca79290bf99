"""The lines of a results file as typed records: one reading and one writing.

Files from before lines had a format number are read too: they say ``label`` and ``premise`` for the
reference and the context of an input, and ``label`` or ``output`` for a victim's answer.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from core.errors import InputError
from core.experiment.inputs import Input, Skip
from core.experiment.plan import Plan, plan_of
from core.tasks.protocol import Answer

FORMAT: Final = 2
Key: TypeAlias = tuple[int, str, str, str, str, int]
PARTS: Final = ("row", "victim", "substitution", "goal", "search", "seed")  # of a key
_RARE: Final = ("member", "error", "first")  # what most attacks have nothing to say about


@dataclass(frozen=True)
class Session:
    """What was run when, and with which versions."""

    plan: Plan
    weights: Mapping[str, str]  # the hash of each victim's weights, where its card says it
    versions: Mapping[str, str]
    started: str


@dataclass(frozen=True)
class VictimJudgement:
    """What a victim says about an input, and whether it is right."""

    victim: str
    row: int
    answer: Answer
    right: bool


class Swap(NamedTuple):
    """What stands in a text in place of a word, or of several, counted from 0."""

    at: int
    word: str
    width: int = 1  # words that it replaces


@dataclass(frozen=True)
class AttackRecord:
    row: int
    victim: str
    substitution: str
    goal: str
    search: str
    seed: int | None  # None if there was no attack, since the victim is wrong anyway
    status: str
    queries: int = 0
    requests: int = 0
    words: int = 0
    substitutes: int = 0
    swaps: tuple[Swap, ...] = ()
    start: float | None = None
    score: float | None = None
    answer: Answer | None = None  # what the victim says about the final text
    member: str = ""  # the search of a portfolio that succeeded
    error: str = ""
    first: int = 0  # queries to the first success within the limit; 0 if that is not known

    @property
    def key(self) -> Key:
        """What makes it different from all other attacks of the experiment."""
        parts = (self.victim, self.substitution, self.goal, self.search)
        return (self.row, *parts, self.seed or 0)

    @property
    def success(self) -> bool:
        return self.status == "success"


@dataclass(frozen=True)
class ProofRecord:
    """What is known for certain about all sentences of an input that an attack may write."""

    row: int
    victim: str
    substitution: str
    goal: str
    verdict: str  # of a proof, or "error"
    safe: int = -1  # with at most so many changed words none reaches the goal
    swaps: tuple[Swap, ...] = ()  # the fewest that are known to reach it
    sentences: int = 0
    nodes: int = 0
    seconds: float = 0.0
    prover: str = ""
    error: str = ""

    @property
    def key(self) -> tuple[int, str, str, str]:
        """What makes it different from all other proofs of the experiment."""
        return (self.row, self.victim, self.substitution, self.goal)


Record: TypeAlias = Session | Input | Skip | VictimJudgement | AttackRecord | ProofRecord
R = TypeVar("R", Session, Input, Skip, VictimJudgement, AttackRecord, ProofRecord)

_KINDS: Final[Mapping[type, str]] = {
    Session: "session",
    Input: "input",
    Skip: "skip",
    VictimJudgement: "judged",
    AttackRecord: "result",
    ProofRecord: "proof",
}


@dataclass(frozen=True)
class Records:
    """The records of a file, in the order they were written."""

    all: tuple[Record, ...] = field(default=())

    def of(self, kind: type[R]) -> Iterator[R]:
        """The records of one kind."""
        return (record for record in self.all if isinstance(record, kind))


def plain(record: Record) -> dict[str, Any]:
    """A record as JSON has it; what is empty for most attacks is left out."""
    kind = {"kind": _KINDS[type(record)]}
    if isinstance(record, Session):
        rest = {"plan": record.plan.as_dict(), "weights": dict(record.weights)}
        more = {"versions": dict(record.versions), "started": record.started}
        return kind | {"format": FORMAT} | rest | more
    if isinstance(record, AttackRecord):
        filled = {name: value for name, value in asdict(record).items() if value is not None}
        filled["swaps"] = [swap[: 2 + (swap.width > 1)] for swap in record.swaps]
        return kind | {name: filled[name] for name in filled if filled[name] or name not in _RARE}
    return kind | asdict(record)


def records_of(lines: Iterable[Mapping[str, Any]]) -> Records:
    """Records from what the lines of a file say."""
    read: list[Record] = []
    references: dict[int, Input] = {}
    for line in lines:
        record = _record(line, references)
        if isinstance(record, Input):
            references[record.row] = record
        if record is not None:
            read.append(record)
    return Records(tuple(read))


def _record(line: Mapping[str, Any], inputs: Mapping[int, Input]) -> Record | None:
    """One record; None for a kind that is not known here."""
    match line["kind"]:
        case "session":
            return _session(line)
        case "input":
            return _input(line)
        case "skip":
            return Skip(line["row"], line["reason"], line["detail"])
        case "judged":
            return _judgement(line, inputs)
        case "result":
            return _attack(line)
        case "proof":
            return _proof(line)
    return None


def _session(line: Mapping[str, Any]) -> Session:
    form = line.get("format", 1)
    if form > FORMAT:
        raise InputError(f"The results were written in format {form}, which is newer; update.")
    return Session(plan_of(line["plan"]), line["weights"], line["versions"], line["started"])


def _input(line: Mapping[str, Any]) -> Input:
    if "reference" in line:
        reference, context = line["reference"], line["context"]
    else:
        reference = [line["label"]]
        context = {"premise": line["premise"]} if line["premise"] else {}
    named = {_text(key): _text(value) for key, value in context.items()}
    return Input(_number(line["row"]), _text(line["text"]), tuple(map(_text, reference)), named)


def _judgement(line: Mapping[str, Any], inputs: Mapping[int, Input]) -> VictimJudgement:
    victim, row = _text(line["victim"]), _number(line["row"])
    if "answer" in line:
        return VictimJudgement(victim, row, _answer(line["answer"]), bool(line["right"]))
    answer = _text(line["label"])
    return VictimJudgement(victim, row, answer, row in inputs and answer in inputs[row].reference)


def _attack(line: Mapping[str, Any]) -> AttackRecord:
    answer = line.get("answer", line.get("output"))
    start, score = line.get("start"), line.get("score")
    return AttackRecord(
        _number(line["row"]),
        _text(line["victim"]),
        _text(line["substitution"]),
        _text(line["goal"]),
        _text(line["search"]),
        _number(line["seed"]),
        _text(line["status"]),
        _number(line.get("queries", 0)),
        _number(line.get("requests", 0)),
        _number(line.get("words", 0)),
        _number(line.get("substitutes", 0)),
        _swaps(line),
        None if start is None else float(start),
        None if score is None else float(score),
        None if answer is None else _answer(answer),
        _text(line.get("member", "")),
        _text(line.get("error", "")),
        _number(line.get("first", 0)),
    )


def _proof(line: Mapping[str, Any]) -> ProofRecord:
    return ProofRecord(
        _number(line["row"]),
        _text(line["victim"]),
        _text(line["substitution"]),
        _text(line["goal"]),
        _text(line["verdict"]),
        _number(line["safe"]),
        _swaps(line),
        _number(line["sentences"]),
        _number(line["nodes"]),
        float(line["seconds"]),
        _text(line["prover"]),
        _text(line["error"]),
    )


def _swaps(line: Mapping[str, Any]) -> tuple[Swap, ...]:
    return tuple(_swap(*parts) for parts in line.get("swaps", ()))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text in it is none")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("a number in it is none")
    return value


def _answer(value: Any) -> Answer:
    if not isinstance(value, str | int | float):
        raise TypeError("an answer in it is none")
    return value


def _swap(at: Any, word: Any, width: Any = 1) -> Swap:
    return Swap(_number(at), _text(word), _number(width))
