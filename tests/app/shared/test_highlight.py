"""Changed words and answers, marked."""

from app.shared import highlight
from core import SearchSpace
from core.tasks.protocol import Bar, MarkedText, Shown


def test_highlighting_escapes_every_piece() -> None:
    space = SearchSpace((("<a>", '"b"'), ("c",)), ("<i>", "&", "</i>"))
    html = highlight.changed_words(space, (1, 0))
    assert "&lt;i&gt;" in html
    assert 'title="was: &lt;a&gt;"' in html
    assert ">&quot;b&quot;</mark>&amp;c&lt;/i&gt;" in html
    bars = highlight.prediction(Shown((Bar("<b>", 0.25, 1.0),)))
    assert "&lt;b&gt;" in bars
    assert "25.0%" in bars
    text = highlight.prediction(Shown(texts=(MarkedText("<t>", "a <b> c", ((2, 5),)),)))
    assert "&lt;t&gt;" in text
    assert "a <mark" in text
    assert ">&lt;b&gt;</mark> c</p>" in text


def test_a_bar_is_as_wide_as_its_share_of_the_largest() -> None:
    bars = highlight.prediction(Shown((Bar("words", 5, 2, largest=5, unit="words"),)))
    assert "width:100.0%" in bars
    assert "width:40.0%" in bars
    assert ">5 words<" in bars
    assert ">2 words<" in bars
