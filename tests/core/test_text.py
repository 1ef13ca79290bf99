"""Words, gaps, capitalisation and what cannot be attacked."""

import pytest

from core import VICTIMS, InputError, text
from core.text import check, remembered
from core.victims import given


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("I don't like it.", ("I", "don't", "like", "it")),
        ("it 's a well-made film .", ("it", "'s", "a", "well-made", "film")),
        ("3.5 stars, 1,000 fans at 10:30", ("3.5", "stars", "1,000", "fans", "at", "10:30")),
        ("film--and more…", ("film", "and", "more")),
        ("'quoted' “words”", ("quoted", "words")),
        ("love 👩‍👩‍👧 and 🇫🇷!", ("love", "👩‍👩‍👧", "and", "🇫🇷")),
        ("e\u0301te\u0301 in the U.S. today", ("e\u0301te\u0301", "in", "the", "U.S.", "today")),
        ("مرحبا بالعالم", ("مرحبا", "بالعالم")),
        ("नमस्ते दुनिया", ("नमस्ते", "दुनिया")),
        ("<b>bold</b>", ("b", "bold", "b")),
        ("the 90’s rock'n'roll", ("the", "90’s", "rock'n'roll")),
        ("...", ()),
    ],
)
def test_words(sentence: str, words: tuple[str, ...]) -> None:
    pieces = text.split(sentence)
    assert pieces.words == words
    assert text.join(*pieces) == sentence


@pytest.mark.parametrize(
    ("original", "substitute", "written"),
    [
        ("love", "like", "like"),
        ("Love", "like", "Like"),
        ("LOVE", "like", "LIKE"),
        ("I", "we", "We"),
        ("Well-made", "fine", "Fine"),
        ("iPhone", "phone", "phone"),
        ("love", "Paris", "Paris"),
        ("1,000", "many", "many"),
        ("Émue", "triste", "Triste"),
    ],
)
def test_substitutes_take_the_capitalisation(original: str, substitute: str, written: str) -> None:
    assert text.match_case(original, substitute) == written


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("Don't STOP... now!!", ["do", "n't", "stop", "...", "now", "!!"]),
        ("it 's John’s", ["it", "'s", "john", "'s"]),
        ("do n't", ["do", "n't"]),
        ("“Hi”, (she) said", ["“", "hi", "”", ",", "(", "she", ")", "said"]),
    ],
)
def test_tokens(sentence: str, tokens: list[str]) -> None:
    assert text.tokens(sentence) == tokens


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("", "no words"),
        ("?! …", "no words"),
        ("word " * 10_000, "10,000 words; the limit is 1,000"),
        ("a\x07b", r"Character 2 of the text, U\+0007, is a control"),
        ("a\udc80b", r"U\+DC80"),
    ],
)
def test_what_cannot_be_attacked_says_why(sentence: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        text.check(sentence)


def test_line_breaks_and_tabs_are_fine() -> None:
    assert text.check("one\ttwo\r\nthree") == "one\ttwo\r\nthree"


def test_only_words_of_ordinary_length_are_remembered() -> None:
    asked: list[object] = []

    @remembered(2)
    def upper(word: str) -> str:
        asked.append(word)
        return word.upper()

    for word in ("a", "a", "x" * 100, "x" * 100):
        assert upper(word) == word.upper()
    assert asked == ["a", "x" * 100]
    for _ in range(2):
        assert upper("y" * 101) == "Y" * 101
    assert len(asked) == 4


def test_a_text_or_a_premise_that_is_far_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(InputError, match="100,001 characters; the limit is 100,000"):
        check("x" * 100_001)
    assert check("x" * 100_000)
    with pytest.raises(InputError, match="the limit is 100,000"):
        given(VICTIMS["dnn-snli"](), {"premise": "x " * 60_000})


@pytest.mark.parametrize(
    "sentence",
    [
        "Don't STOP... now!!",
        "John’s «well-made» İSTANBUL, İ’s",
        " \n",
        "",
        "a--b 3.5% 👩‍👩‍👧🇫🇷 ..x",
    ],
)
def test_placed_tokens_are_the_tokens_where_they_stand(sentence: str) -> None:
    placed = text.placed_tokens(sentence)
    assert [token for token, _, _ in placed] == text.tokens(sentence)
    for token, start, end in placed:
        assert token in sentence[start:end].lower().replace("’", "'")
    assert [start for _, start, _ in placed] == sorted(start for _, start, _ in placed)


def test_clitics_are_placed_apart() -> None:
    assert text.placed_tokens("I don't, 3.5!!") == [
        ("i", 0, 1),
        ("do", 2, 4),
        ("n't", 4, 7),
        (",", 7, 8),
        ("3.5", 9, 12),
        ("!!", 12, 14),
    ]
