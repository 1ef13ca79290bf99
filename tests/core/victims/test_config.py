"""The file of victims that whoever runs the app has set up."""

from pathlib import Path

import pytest

from core.errors import InputError, ResourceMissingError
from core.victims.config import configured_victims, read_victims
from tests.toys import tiny


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.bert(tmp_path_factory.mktemp("bert"))


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_no_file_no_victims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SWAPSCOPE_VICTIMS", raising=False)
    assert configured_victims() == {}


def test_the_file_sets_up_models_by_path_hub_and_address(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.edited(folder, tmp_path / "mine")
    path = write(
        tmp_path / "victims.toml",
        """
        [victims.mine]
        path = "mine"
        about = "A BERT of our own"
        task = "sentiment"
        data = "our reviews"
        accuracy = 0.9
        labels = ["minus", "plus"]

        [victims.away]
        path = "not-there"

        [victims.hub]
        hub = "org/not-downloaded"

        [victims.odd-hub]
        hub = "a/b/c/d"

        [victims.service]
        address = "http://127.0.0.1:9/classify"
        labels = ["no", "yes"]
        token_variable = "TEST_SERVICE_TOKEN"
        timeout = 1
        retries = 0
        """,
    )
    monkeypatch.setenv("SWAPSCOPE_VICTIMS", str(path))
    victims = configured_victims()
    assert list(victims) == ["mine", "away", "hub", "odd-hub", "service"]
    assert victims["mine"].about == "A BERT of our own"
    assert victims["mine"].card == {
        "task": "sentiment",
        "data": "our reviews",
        "labels": ["minus", "plus"],
        "accuracy": 0.9,
    }
    assert victims["mine"]().labels == ("minus", "plus")
    assert victims["away"].about == "path not-there"
    assert "is not a folder" in victims["away"].missing()
    assert "hf download org/not-downloaded" in victims["hub"].missing()
    assert "not a hub id" in victims["odd-hub"].missing()
    monkeypatch.delenv("TEST_SERVICE_TOKEN", raising=False)
    assert "set the environment variable TEST_SERVICE_TOKEN" in victims["service"].missing()
    monkeypatch.setenv("TEST_SERVICE_TOKEN", "secret")
    service = victims["service"]()
    assert service.labels == ("no", "yes")
    with pytest.raises(ResourceMissingError, match="did not answer after 1 tries") as caught:
        service.predict(["a"])
    assert "secret" not in str(caught.value)


def test_a_downloaded_hub_model_is_a_victim(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub.constants

    store = tmp_path / "models--org--name"
    (store / "refs").mkdir(parents=True)
    (store / "refs" / "main").write_text("abc")
    (store / "snapshots").mkdir()
    tiny.edited(folder, store / "snapshots" / "abc")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    path = write(tmp_path / "victims.toml", '[victims.hub]\nhub = "org/name"\n')
    assert read_victims(path)["hub"]().labels == ("negative", "positive")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("victims = ", "cannot be read"),
        ("victims = 3", r"tables named \[victims.NAME\]"),
        ("[other]", r"tables named \[victims.NAME\]"),
        ("[victims]\nx = 1", r"must be a table; write \[victims.x\]"),
        ("[victims.x]", "exactly one of path, hub and address"),
        ('[victims.x]\npath = "a"\nhub = "b"', "exactly one of path, hub and address"),
        ('[victims.x]\npaht = "a"', 'unknown key "paht"; did you mean "path"?'),
        ('[victims.x]\nzzz = "a"', 'unknown key "zzz"; use path, hub, address'),
        ("[victims.x]\npath = 3", "path must be a text in quotes, not 3"),
        ('[victims.x]\naddress = "http://h"\nretries = 1.5', "retries must be a whole number"),
        ('[victims.x]\naddress = "http://h"\ntimeout = true', "timeout must be a number"),
        ('[victims.x]\naddress = "http://h"\npremise = "p"', "premise does not apply"),
        ('[victims.x]\npath = "a"\nrate = 1', "rate does not apply"),
        ('[victims.x]\npath = "a"\nlabels = ["one"]', "two different labels"),
        ('[victims.x]\npath = "a"\ntask_key = "translating"', 'Did you mean "translation"'),
        ('[victims.x]\npath = "a"\nbeams = 3', "is for classification, so beams does not apply"),
        (
            '[victims.x]\npath = "a"\ntask_key = "answering"\nlabels = ["a", "b"]',
            "is for answering, so labels does not apply",
        ),
        (
            '[victims.x]\npath = "a"\ntask_key = "answering"\nno_answer = 1',
            "no_answer must be true or false, not 1",
        ),
        ('[victims.x]\naddress = "http://h"\nprefix = "p"', "prefix does not apply"),
        ('[victims.x]\naddress = "file:///etc/hosts"', "is not an address of a service"),
        ('[victims.x]\naddress = "http://h"\ntimeout = 0', "time-out must be above 0"),
    ],
)
def test_wrong_files_are_one_sentence(tmp_path: Path, content: str, complaint: str) -> None:
    path = write(tmp_path / "victims.toml", content)
    with pytest.raises(InputError, match=complaint) as caught:
        read_victims(path)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="named by SWAPSCOPE_VICTIMS, cannot be read"):
        read_victims(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9")
    with pytest.raises(InputError, match="cannot be read"):
        read_victims(tmp_path / "latin.toml")
