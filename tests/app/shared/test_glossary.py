"""The words that pages explain."""

import regex

from app.shared.glossary import GLOSSARY, html
from tests.toys.places import ROOT


def test_readers_of_the_readme_and_visitors_are_told_the_same() -> None:
    part = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Words\n")[2]
    rows = regex.findall(r"^\| (.+?) \| (.+?) \|$", part.partition("\n## ")[0], regex.MULTILINE)
    told = {word.replace("\\|", "|"): meaning for word, meaning in rows[1:]}
    assert told == dict(GLOSSARY)


def test_a_word_is_explained_to_who_points_or_presses_tab() -> None:
    shown = html("victim", "|V|")
    assert shown.count('tabindex="0"') == 2
    assert "victim: the model under attack" in shown
