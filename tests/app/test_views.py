"""Views as functions of plain data."""

from app import highlight
from core import SearchSpace


def test_highlighting_escapes_every_piece() -> None:
    space = SearchSpace((("<a>", '"b"'), ("c",)), ("<i>", "&", "</i>"))
    html = highlight.changed_words(space, (1, 0))
    assert "&lt;i&gt;" in html
    assert 'title="was: &lt;a&gt;"' in html
    assert ">&quot;b&quot;</mark>&amp;c&lt;/i&gt;" in html
