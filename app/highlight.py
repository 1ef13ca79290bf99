"""A sentence with its changed words marked, as HTML in which every piece of text is escaped."""

from html import escape

from core.space import SearchSpace, State


def changed_words(space: SearchSpace, state: State) -> str:
    """Mark each changed word; the original word is its tooltip."""
    parts = [escape(space.gaps[0])]
    mark = "background:#ffd43b;color:#212529;border-radius:4px;padding:0 3px"
    for column, choice, gap in zip(space.choices, state, space.gaps[1:], strict=True):
        word = escape(column[choice])
        title = escape(f"was: {column[0]}", quote=True)
        parts.append(f'<mark title="{title}" style="{mark}">{word}</mark>' if choice else word)
        parts.append(escape(gap))
    style = "font-size:1.25rem;line-height:1.6;margin:0;white-space:pre-wrap;overflow-wrap:anywhere"
    return f'<p dir="auto" style="{style}">{"".join(parts)}</p>'
