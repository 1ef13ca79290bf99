"""Inflected forms in a table."""

from pathlib import Path

from core.substitutions import lexicon
from core.substitutions.build import forms


def test_inflected_forms_are_tabulated(tmp_path: Path) -> None:
    seen = {"watches": 1, "hangs": 1, "zorblings": 1}
    assert ("VBN", "hung") in forms.inflected("hang", "v", seen)
    assert ("VBD", "hit") in forms.inflected("hit", "v", seen)
    assert forms.inflected("zorbling", "n", seen) == [("NNS", "zorblings")]
    assert forms.inflected("zorblong", "n", seen) == []
    forms.save(tmp_path / "forms.npz", [("hang", "v")], seen)
    stored = lexicon.read(tmp_path / "forms.npz")
    assert lexicon.unpack(stored["forms"])[0] == "hung"
