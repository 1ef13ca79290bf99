"""Each search as numbered lines, and which of them a step runs."""

from typing import NamedTuple

# Two spaces of indent are one level; a line that begins with a dash is a comment.
_TEXT = {
    # Algorithm 1 of the paper, by its own line numbers.
    "ls": """
S ← ∅
while the goal is not reached
  — insertion —
  e ∉ S with the largest f(S ∪ {e}), one e a word
  S₁ ← S ∪ {e}
  — deletion —
  e ∈ S with the largest f(S \\ {e})
  S₂ ← S \\ {e}
  — exchange —
  e ∈ S, v ∉ S with the largest f(S \\ {e} ∪ {v})
  S₃ ← S \\ {e} ∪ {v}
  — update —
  if the best of S₁, S₂, S₃ beats f(S)
    S ← the best of S₁, S₂, S₃
  else stop: a local optimum
— complement —
if V \\ S has at most one substitute a word
  return the better of S and V \\ S
else return S
""",
    "greedy": """
S ← ∅
while the goal is not reached
  e ← the best substitute of a word still original
  if f(S ∪ {e}) beats f(S)
    S ← S ∪ {e}
  else stop
return S
""",
    "pso": """
score the original
each particle ← the original, one word at its best substitute
own best ← the particle; lead ← the best of all
for each generation
  speed of a word: up where it differs from the bests
  with chance P₁ take words from the own best
  with chance P₂ take words from the lead
  stop if a particle reaches the goal
  with some chance put one word at its best substitute
  update the own bests and the lead
return the lead
""",
    "ga": """
score the original
each member ← the original, one word at its best substitute
elite ← the best member
for each generation
  stop if the elite reaches the goal
  draw parents, higher scores more often
  child ← each word from either parent
  put one word of the child at its best substitute
  population ← the elite and the children
  elite ← the best member
return the elite
""",
    "sbgs": """
score the original
saliency of a word ← the gain of hiding it
best substitute of each word ← the one that gains most
order the words by softmax(saliency) × gain
for each word in this order
  put in its best substitute
  stop if the goal is reached
return the sentence
""",
    "ibgs": """
score the original
importance of a word ← the gain of hiding it
order the words by importance
for each word in this order
  e ← a substitute that reaches the goal, else the best
  if e scores above the original sentence
    put e in
  stop if the goal is reached
return the sentence
""",
    "sgs": """
score the original
for each word from the left
  e ← its best substitute
  if e raises the score, put it in
stop if the goal is reached
start again from the original
for each word from the right
  e ← its best substitute
  if e raises the score, put it in
return the better sentence of both passes
""",
    "random": """
score the original
until the goal is reached or all draws are used
  draw sentences, each with the same chance
  keep the best one seen
return the best one
""",
    "exhaustive": """
score the original
for every sentence there is
  keep it if it is the best so far
return the best one
""",
    "swift": """
score the original
while some sentence within the limit might succeed
  ask for the smallest one the model expects to succeed,
  else for the most promising one
  learn what each substitute adds
  after a success, ask for one word fewer
without a success, go round all moves, the likeliest first
  take what gains, until a whole round brings nothing
if that succeeds, learn from all its answers, go to line 2
if it stays beyond the limit, try each substitute alone, learn
  local search within the limit, over the likeliest moves
return the sentence
""",
    "ls-label": """
look at the label of the original
try each substitute alone until the label changes
if none does, draw sentences with words changed or hidden
  put in words that keep the label changed until none is hidden
  restore the words that it can do without
until no such move keeps the label changed
  restore a word
  or restore one and exchange another
  or take a substitute that brings the sentence nearer to the original
draw again if too many words are changed, 3 times at most
return the sentence with the fewest changes
""",
    "portfolio": """
for each member: swift, local search, swarm with local search
  run it on what the members before have paid for
  stop if it succeeds within the limit
return the best answer
""",
}
for _key in ("pso", "ga"):
    _TEXT[f"{_key}+ls"] = (
        _TEXT[_key].rstrip("\n")
        + """, or go on from it
until no insertion, deletion or exchange is better
  take the best one
return the local optimum
"""
    )

_STUCK, _REACHED, _BACK = "end, stuck", "reached", "insert, from the right"
_MOVES = ("insert", "delete", "exchange")

ACTIVE: dict[str, dict[str, tuple[int, ...]]] = {
    "ls": {
        "start": (1,),
        "insert": (4, 5, 13, 14),
        "delete": (7, 8, 13, 14),
        "exchange": (10, 11, 13, 14),
        "stop": (13, 15),
        "complement": (17, 18),
        _REACHED: (2,),
        _STUCK: (17, 19),
        "end": (18,),
    },
    "greedy": {"start": (1,), "insert": (3, 4, 5), "stop": (4, 6), "end": (7,)},
    "pso": {"start": (1,), "init": (2, 3), "generation": (5, 6, 7, 9, 10), "end": (11,)},
    "ga": {"start": (1,), "init": (2, 3), "generation": (6, 7, 8, 9, 10), "end": (11,)},
    "sbgs": {"start": (1,), "rank": (2, 3, 4), "insert": (5, 6), "stop": (5,), "end": (8,)},
    "ibgs": {"start": (1,), "rank": (2, 3), "insert": (5, 6, 7), "stop": (4,), "end": (9,)},
    "sgs": {
        "start": (1,),
        "insert": (3, 4),
        _BACK: (8, 9),
        "stop": (10,),
        _REACHED: (5,),
        "end": (10,),
    },
    "random": {"start": (1,), "generation": (3, 4), "end": (5,)},
    "exhaustive": {"start": (1,), "generation": (2, 3), "end": (4,)},
    "swift": {
        "start": (1,),
        "generation": (2, 3, 4, 5, 6),
        **dict.fromkeys(_MOVES, (7, 8)),
        "rank": (10,),
        **dict.fromkeys((f"{move}, anew" for move in (*_MOVES, "stop")), (11,)),
        "stop": (7,),
        "end": (12,),
    },
    "ls-label": {
        "start": (1,),
        "init": (2,),
        "generation": (3, 4, 5),
        **dict.fromkeys(_MOVES, (6, 7, 8, 9)),
        "stop": (6, 10),
        "end": (11,),
    },
    "portfolio": {
        **dict.fromkeys(("start", "init", "generation", "rank", "stop", *_MOVES), (1, 2)),
        "end": (4,),
    },
}
for _key in ("pso", "ga"):
    ACTIVE[f"{_key}+ls"] = {
        **ACTIVE[_key],
        **dict.fromkeys(_MOVES, (12, 13)),
        "stop": (12,),
        "end": (14,),
    }


class Line(NamedTuple):
    """A numbered line; comments are there for the eye."""

    number: int
    indent: int
    text: str


def lines(search: str) -> tuple[Line, ...]:
    """The lines of a search; none for a search that has no text here."""
    text = _TEXT.get(search, "").strip("\n")
    return tuple(
        Line(number, (len(line) - len(line.lstrip())) // 2, line.lstrip())
        for number, line in enumerate(text.splitlines(), start=1)
    )


def active(search: str, moment: str) -> tuple[int, ...]:
    """The lines that a step runs."""
    return ACTIVE.get(search, {}).get(moment, ())
