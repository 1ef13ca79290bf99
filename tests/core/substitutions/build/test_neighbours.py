"""Neighbours in word vectors, packed."""

import zipfile
from pathlib import Path

import numpy as np

from core.substitutions import lexicon
from core.substitutions.build import neighbours


def test_neighbours_are_found_and_packed(tmp_path: Path) -> None:
    archive = tmp_path / "vectors.zip"
    lines = ["good 1 0", "fine 4 1", "bad 0 1", "poor 0.1 1", "rude 1 0.1", "two,words 1 0"]
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("vectors.txt", "\n".join(lines))
    assert neighbours.save(tmp_path / "n.npz", archive, {"rude"}, count=2) == [
        "good", "fine", "bad", "poor",
    ]  # fmt: skip
    stored = lexicon.read(tmp_path / "n.npz")
    assert stored["places"].dtype == np.uint16
    assert stored["places"][0].tolist() == [1, 3]
    assert stored["steps"][0, 0] == int(256 * 4 / 17**0.5)


def test_blocks_do_not_change_the_neighbours() -> None:
    matrix = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    small, whole = neighbours.nearest(matrix, 4, block=7), neighbours.nearest(matrix, 4)
    assert np.array_equal(small[0], whole[0])
    exact = np.sort(matrix @ matrix.T - 3 * np.eye(30, dtype=np.float32))[:, ::-1][:, :4]
    assert np.allclose(whole[1], exact, atol=1e-6)
