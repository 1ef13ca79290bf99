"""Sentences and bars as HTML in which every piece of text is escaped."""

from collections.abc import Sequence
from html import escape

from core.bundle import declarations, meaning_colour
from core.space import SearchSpace, State
from core.tasks.protocol import Bar, MarkedText, Shown

_MARK = declarations("sentence.css", ".text mark")
LONG = 80  # words of a text that may have to scroll
_ORIGINAL, _NOW = meaning_colour("same"), "#4263eb"  # of the bars
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
    style = (
        "font-size:1.25rem;line-height:1.6;margin:0;white-space:pre-wrap;overflow-wrap:anywhere;"
        "max-height:max(7rem,20vh);overflow-y:auto"
    )
    reach = ' tabindex="0"' if len(space.choices) > LONG else ""  # to scroll it by keys
    return f'<p dir="auto"{reach} style="{style}">{"".join(parts)}</p>'


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
