"""Sentences and bars as HTML in which every piece of text is escaped."""

from collections.abc import Sequence
from html import escape

from core.bundle import declarations
from core.space import SearchSpace, State
from core.tasks.protocol import Shown

_MARK = declarations("sentence.css", ".text mark")
_ROW = "display:grid;grid-template-columns:minmax(4.5rem,auto) 1fr 3.2rem;gap:.5rem"
_NAME = "grid-row:span 2;align-self:center;text-align:right;overflow-wrap:anywhere"


def changed_words(space: SearchSpace, state: State) -> str:
    """Mark each changed word; the original word is its tooltip."""
    parts = [escape(space.gaps[0])]
    for column, choice, gap in zip(space.choices, state, space.gaps[1:], strict=True):
        word = escape(column[choice])
        title = escape(f"was: {column[0]}", quote=True)
        parts.append(f'<mark title="{title}" style="{_MARK}">{word}</mark>' if choice else word)
        parts.append(escape(gap))
    style = "font-size:1.25rem;line-height:1.6;margin:0;white-space:pre-wrap;overflow-wrap:anywhere"
    return f'<p dir="auto" style="{style}">{"".join(parts)}</p>'


def bars(shown: Shown) -> str:
    """What the victim says: a grey bar for the original, a blue one for now."""
    rows = []
    for one in shown.bars:
        pair = _bar(one.before, "#868e96", "original") + _bar(one.after, "#4263eb", "now")
        rows.append(f'<span style="{_NAME}">{escape(one.title)}</span>{pair}')
    return (
        f'<div class="bars" role="group" aria-label="Prediction" style="{_ROW};font-size:.875rem">'
        f"{''.join(rows)}</div>"
        '<p style="font-size:.8rem;margin:.3rem 0 0">'
        '<span style="color:#868e96" aria-hidden="true">■</span> original '
        '<span style="color:#4263eb" aria-hidden="true">■</span> now</p>'
    )


def _bar(value: float, colour: str, name: str) -> str:
    """A bar as wide as its share, with the number behind it."""
    bar = (
        f"background:{colour};width:{100 * value:.1f}%;min-width:2px;height:10px;border-radius:3px"
    )
    return (
        f'<span style="align-self:center"><i style="display:block;{bar}"></i></span>'
        f'<span style="line-height:1.3" title="{name}">{value:.1%}</span>'
    )


def table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells are HTML already; it scrolls inside itself on a phone."""
    cell = "padding:6px 14px 6px 0;text-align:left;border-bottom:1px solid #8884"
    names = "".join(f'<th scope="col" style="{cell}">{escape(each)}</th>' for each in head)
    look = f'<td style="{cell};white-space:nowrap">'
    body = "".join(f"<tr>{''.join(f'{look}{each}</td>' for each in row)}</tr>" for row in rows)
    frame = f'<div role="region" aria-label="{escape(name)}" tabindex="0" style="overflow-x:auto">'
    return f'{frame}<table style="border-collapse:collapse"><tr>{names}</tr>{body}</table></div>'
