"""Sentences and bars as HTML in which every piece of text is escaped."""

from collections.abc import Mapping, Sequence
from html import escape

from core.bundle import declarations, meaning_colour
from core.space import SearchSpace, State
from core.tasks.protocol import Bar, MarkedText, Shown

_MARK = declarations("sentence.css", ".text mark")
LONG = 160  # words and gaps of a sentence that may have to scroll
_ORIGINAL, _NOW = meaning_colour("same"), "#4263eb"  # of the bars
_RIGHT, _WRONG = "#495057", "#c92a2a"  # behind an answer
_SENTENCE = (
    "font-size:1.25rem;line-height:1.5;margin:0;white-space:pre-wrap;overflow-wrap:anywhere;"
    "max-height:max(7rem,20vh);overflow-y:auto"
)
_ROW = "display:grid;grid-template-columns:minmax(4.5rem,auto) 1fr minmax(3.2rem,auto);gap:.5rem"
_NAME = "grid-row:span 2;align-self:center;text-align:right;overflow-wrap:anywhere"


def changed_words(space: SearchSpace, state: State) -> str:
    """Mark each changed word; the original word is its tooltip."""
    parts = [escape(space.gaps[0])]
    for column, choice, gap in zip(space.choices, state, space.gaps[1:], strict=True):
        word = escape(column[choice])
        title = escape(f"was: {column[0]}", quote=True)
        parts.append(f'<mark title="{title}" style="{_MARK}">{word}</mark>' if choice else word)
        parts.append(escape(gap))
    return _sentence("p", parts)


def attack(space: SearchSpace, state: State, shown: Shown, given: Mapping[str, str]) -> str:
    """The original and the sentence of now under it, each with what the victim says.

    Above them stand the texts that the victim is given beside it, by their titles.
    """
    before, after = (_says(shown, at) for at in ("before", "after"))
    now, fixed = changed_words(space, state), "".join(map(_given, given, given.values()))
    if not space.changed(state):
        return fixed + _beside("Sentence", now, before)
    original = _beside("Original", _original(space, state), before)
    return fixed + original + _beside("Attacked", now, after)


def _given(title: str, text: str) -> str:
    """A text that stays as it is; a long one scrolls."""
    style = "margin:0 0 .3rem;max-height:6rem;overflow-y:auto;overflow-wrap:anywhere"
    name = f'<span style="font-size:.8rem">{escape(title)}</span>'
    return f'<div dir="auto" style="{style}">{name}<br>{escape(text)}</div>'


def swaps(space: SearchSpace, state: State) -> str:
    """Each changed word with what it became, and why that may stand in for it."""
    return "; ".join(
        f"{space.choices[at][0]} → {space.choices[at][state[at]]} ({space.reasons[at][state[at]]})"
        for at in space.changed(state)
    )


def _says(shown: Shown, when: str) -> str:
    """What the victim says, or is surest of, as a badge; none where it gives no shares."""
    if not shown.bars or shown.bars[0].unit != "%":
        return ""
    top = max(shown.bars, key=lambda bar: float(getattr(bar, when)))
    answer, right = f"{top.title} {getattr(top, when):.0%}", top.marked
    if shown.said:
        answer, right = shown.said[when == "after"], getattr(shown.bars[0], when) > 0
    colour = _RIGHT if right else _WRONG
    look = f"background:{colour};color:#fff;border-radius:6px;padding:.1rem .6rem;font-weight:600"
    return f'<span style="{look}">{escape(answer)}</span>'


def _beside(title: str, sentence: str, answer: str) -> str:
    """A sentence under its title, with an answer beside it, or below on a phone."""
    row = "display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:center;justify-content:flex-end"
    name = f'<span style="font-size:.8rem">{title}</span>'
    return f'<div style="{row}"><div style="flex:1 1 20rem">{name}{sentence}</div>{answer}</div>'


def _original(space: SearchSpace, state: State) -> str:
    """The sentence as it was, with a line under each word that is another now."""
    parts = [escape(space.gaps[0])]
    for column, choice, gap in zip(space.choices, state, space.gaps[1:], strict=True):
        word = escape(column[0])
        parts += [f"<u>{word}</u>" if choice else word, escape(gap)]
    return _sentence("div", parts)


def _sentence(tag: str, parts: Sequence[str]) -> str:
    """A sentence of words and gaps; a long one scrolls, by keys too."""
    reach = ' tabindex="0"' if len(parts) > LONG else ""
    return f'<{tag} dir="auto"{reach} style="{_SENTENCE}">{"".join(parts)}</{tag}>'


def prediction(shown: Shown) -> str:
    """What the victim says: texts with their marks, and bars for the original and for now."""
    return "".join(map(_marked, shown.texts)) + (_bars(shown.bars) if shown.bars else "")


def _marked(one: MarkedText) -> str:
    """A text with its marks under its title."""
    parts, end = [], 0
    for first, last in one.marks:
        inside = f'<mark style="{_MARK}">{escape(one.text[first:last])}</mark>'
        parts += [escape(one.text[end:first]), inside]
        end = last
    parts.append(escape(one.text[end:]))
    style = "margin:0 0 .5rem;white-space:pre-wrap;overflow-wrap:anywhere"
    title = f'<span style="font-size:.8rem">{escape(one.title)}</span>'
    return f'<p dir="auto" style="{style}">{title}<br>{"".join(parts)}</p>'


def _bars(shown: Sequence[Bar]) -> str:
    """A grey bar for the original, a blue one for now."""
    rows = []
    for one in shown:
        pair = _bar(one, one.before, _ORIGINAL, "original") + _bar(one, one.after, _NOW, "now")
        rows.append(f'<span style="{_NAME}">{escape(one.title)}</span>{pair}')
    return (
        f'<div class="bars" role="group" aria-label="Prediction" style="{_ROW};font-size:.875rem">'
        f"{''.join(rows)}</div>"
        '<p style="font-size:.8rem;margin:.3rem 0 0">'
        f'<span style="color:{_ORIGINAL}" aria-hidden="true">■</span> original '
        f'<span style="color:{_NOW}" aria-hidden="true">■</span> now</p>'
    )


def _bar(one: Bar, value: float, colour: str, name: str) -> str:
    """A bar as wide as its share of the largest, with the number behind it."""
    width = min(100 * value / one.largest, 100)
    bar = f"background:{colour};width:{width:.1f}%;min-width:2px;height:10px;border-radius:3px"
    number = f"{value:.1%}" if one.unit == "%" else escape(f"{value:,g} {one.unit}")
    return (
        f'<span style="align-self:center"><i style="display:block;{bar}"></i></span>'
        f'<span style="line-height:1.3" title="{name}">{number}</span>'
    )


def table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells are HTML already; it scrolls inside itself on a phone."""
    cell = "padding:6px 14px 6px 0;text-align:left;border-bottom:1px solid #8884"
    names = "".join(f'<th scope="col" style="{cell}">{escape(each)}</th>' for each in head)
    look = f'<td style="{cell};white-space:nowrap">'
    body = "".join(f"<tr>{''.join(f'{look}{each}</td>' for each in row)}</tr>" for row in rows)
    frame = f'<div role="region" aria-label="{escape(name)}" tabindex="0" style="overflow-x:auto">'
    return f'{frame}<table style="border-collapse:collapse"><tr>{names}</tr>{body}</table></div>'
