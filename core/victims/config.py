"""Victims set up by whoever runs the app, in a TOML file named by SWAPSCOPE_VICTIMS.

    [victims.my-bert]
    path = "models/my-bert"        # a folder, relative to this file; or one that
                                   # python -m core harden made; or
    # hub = "org/name"             # a hub id, downloaded before; or
    # address = "https://host/classify"
    about = "BERT on our reviews"

Optional everywhere: labels, task, data, accuracy. For path and hub: premise, and task_key, which
is "classification" unless it is "answering" (then also no_answer = true, for models that have
learned to say that a passage does not tell) or "translation" (then also beams, and prefix, such as
T5's "translate English to French: "). For address:
timeout, retries, backoff, rate, batch, hidden_token, and token_variable, the environment variable
that holds the service's bearer token (the token itself stays out of the file).
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.registry import Entry, find
from core.toml import NUMBER, ValueType, check_table, read_toml
from core.victims.adapters import hf, remote
from core.victims.card import CARD, read_card
from core.victims.probabilities import checked_labels
from core.victims.protocol import Victim

ENVIRONMENT = "SWAPSCOPE_VICTIMS"

_KINDS: dict[str, ValueType] = {
    "path": str,
    "hub": str,
    "address": str,
    "about": str,
    "labels": list,
    "task": str,
    "data": str,
    "accuracy": NUMBER,
    "premise": str,
    "task_key": str,
    "no_answer": bool,
    "beams": int,
    "prefix": str,
    "timeout": NUMBER,
    "retries": int,
    "backoff": NUMBER,
    "rate": NUMBER,
    "batch": int,
    "hidden_token": str,
    "token_variable": str,
}
Options = Mapping[str, Any]

_PLACES = ("path", "hub", "address")
# The options of models of each task, as their loaders name them.
_BY_TASK: Mapping[str, frozenset[str]] = {
    "classification": frozenset({"labels", "premise"}),
    "answering": frozenset({"no_answer"}),
    "translation": frozenset({"beams", "prefix"}),
}
_LOCAL_ONLY = frozenset({"premise", "task_key", "no_answer", "beams", "prefix"})
_REMOTE_ONLY = frozenset(
    {"timeout", "retries", "backoff", "rate", "batch", "hidden_token", "token_variable"}
)
_CARD = ("task", "task_key", "data", "labels", "accuracy")


def configured_victims() -> dict[str, Entry[Victim]]:
    """The victims of the file that SWAPSCOPE_VICTIMS names; none when it names no file."""
    name = os.environ.get(ENVIRONMENT)
    return read_victims(Path(name).expanduser()) if name else {}


def read_victims(path: Path) -> dict[str, Entry[Victim]]:
    """The victims of one file; nothing is loaded or asked before an entry is called."""
    name = f"The victims file {path}, named by {ENVIRONMENT},"
    content = read_toml(path, name, "correct it or unset the variable")
    tables = content.get("victims")
    if set(content) != {"victims"} or not isinstance(tables, dict):
        raise InputError(f"The victims file {path} must hold tables named [victims.NAME] only.")
    return {name: _entry(name, table, path) for name, table in tables.items()}


def _entry(name: str, table: object, path: Path) -> Entry[Victim]:
    where = f"The victim {name} in {path}"
    if not isinstance(table, dict):
        raise InputError(f"{where} must be a table; write [victims.{name}].")
    check_table(table, _KINDS, where)
    places = [place for place in _PLACES if place in table]
    if len(places) != 1:
        raise InputError(f"{where} needs exactly one of path, hub and address.")
    place = places[0]
    wrong = sorted(set(table) & (_LOCAL_ONLY if place == "address" else _REMOTE_ONLY))
    if wrong:
        raise InputError(f"{where} has {place}, so {wrong[0]} does not apply; remove it.")
    _check_task(table, where)
    if "labels" in table:
        checked_labels(table["labels"], where)
    make, missing = _MAKERS[place](table, path.parent, where)
    about = table.get("about", f"{place} {table[place]}")
    card = {key: table[key] for key in _CARD if key in table}
    if place == "path":
        card = {**_own_card(path.parent / Path(table["path"]).expanduser()), **card}
    return Entry(make, about, card, missing)


def _check_task(table: Options, where: str) -> None:
    """Refuse options of another task than the model's."""
    task = table.get("task_key", "classification")
    options = find(_BY_TASK, task, "task for a model of your own")
    others = frozenset().union(*_BY_TASK.values()) - options
    for name in sorted(others & set(table)):
        raise InputError(f"{where} is for {task}, so {name} does not apply; remove it.")


def _own_card(folder: Path) -> Options:
    """The card of a victim that was trained here; empty for any other folder."""
    return read_card(folder) if (folder / CARD).is_file() else {}


Parts = tuple[Callable[..., Victim], Callable[[], str]]


def _from_path(table: Options, base: Path, where: str) -> Parts:
    folder = base / Path(table["path"]).expanduser()

    def missing() -> str:
        return "" if folder.is_dir() else f"{where} is not there: {folder} is not a folder."

    def make() -> Victim:
        if _own_card(folder):
            from core.victims import trained
            from core.victims.words import ASSETS

            return trained.load(folder.name, folder.parent, ASSETS)
        return _loaded(folder, table)

    return make, missing


def _from_hub(table: Options, base: Path, where: str) -> Parts:
    hub_id = table["hub"]

    def missing() -> str:
        from huggingface_hub import try_to_load_from_cache
        from huggingface_hub.errors import HFValidationError

        try:
            if isinstance(try_to_load_from_cache(hub_id, "config.json"), str):
                return ""
        except HFValidationError:
            return f'{where}: "{hub_id}" is not a hub id; write it like org/name.'
        return f"{where} is not on this machine; get it with: hf download {hub_id}"

    return lambda: _loaded(hub_id, table), missing


def _loaded(source: str | Path, table: Options) -> Victim:
    """A model of transformers, by its task."""
    task = table.get("task_key", "classification")
    options = {name: table[name] for name in _BY_TASK[task] if name in table}
    match task:
        case "answering":
            from core.victims.adapters import hf_answering

            return hf_answering.load(source, **options)
        case "translation":
            from core.victims.adapters import hf_translating

            return hf_translating.load(source, **options)
    return hf.load(source, **options)


def _from_address(table: Options, base: Path, where: str) -> Parts:
    variable = table.get("token_variable")
    patience = {k: table[k] for k in ("timeout", "retries", "backoff", "rate") if k in table}
    sending = {k: table[k] for k in ("labels", "batch", "hidden_token") if k in table}
    remote.Endpoint(table["address"], **patience)  # a wrong address is said at once

    def missing() -> str:
        if variable and not os.environ.get(variable):
            return f"{where} needs its token: set the environment variable {variable}."
        return ""

    def make() -> Victim:
        headers = {"Authorization": f"Bearer {os.environ[variable]}"} if variable else {}
        return remote.connect(
            remote.Endpoint(table["address"], headers=headers, **patience), **sending
        )

    return make, missing


_MAKERS = {"path": _from_path, "hub": _from_hub, "address": _from_address}
