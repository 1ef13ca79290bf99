"""The engine for many machines: the same work on a Ray cluster."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from socket import create_connection
from typing import Any

from core import assets
from core.errors import InputError, ResourceMissingError, require
from core.experiment.engines import PROCESSES, Workers, dispatch
from core.experiment.plan import Plan
from core.experiment.work import AttackRunner, Work, WorkOutcome
from core.victims import add_configured


class ClusterWorker:
    """What runs on the cluster: a runner that does one task at a time."""

    def __init__(self, plan: Plan) -> None:
        add_configured()
        self._runner = AttackRunner(plan)

    def do(self, task: Work) -> WorkOutcome:
        return self._runner.do(task)


class Actor:
    """A worker somewhere on the cluster."""

    def __init__(self, ray: Any, plan: Plan) -> None:
        self._ray, self._plan = ray, plan
        self._start()

    def submit(self, task: Work) -> Any:
        """Send a task; that the worker has died is noticed by ``result``."""
        self._asked = self.actor.do.remote(task)
        return self._asked

    def result(self) -> WorkOutcome | None:
        try:
            outcome: WorkOutcome = self._ray.get(self._asked)
            return outcome
        except self._ray.exceptions.RayActorError:
            self._start()
            return None

    def _start(self) -> None:
        # Ray's own restarts would hide which task was lost.
        self.actor = self._ray.remote(num_cpus=1, max_restarts=0)(ClusterWorker).remote(self._plan)


@dataclass(frozen=True)
class Ray:
    """Workers on a Ray cluster, or on one that is started here and ends with the run.

    Every machine of a cluster needs this project in the same folder, and its packages.
    """

    address: str = ""
    processes: int = PROCESSES

    def __post_init__(self) -> None:
        require(self.processes >= 1, "At least 1 worker is needed.")

    @contextmanager
    def workers(self, plan: Plan) -> Iterator[Workers]:
        """Actors that are started once for all tasks."""
        ray = self._connected()
        try:
            workers = [Actor(ray, plan) for _ in range(self.processes)]
            yield partial(dispatch, workers, lambda requests: ray.wait(requests)[0])
        finally:
            ray.shutdown()

    def _connected(self) -> Any:
        if not find_spec("ray"):
            raise ResourceMissingError("Ray is not there; get it with: python -m pip install ray")
        if self.address:
            self._knock()
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        import ray

        here: dict[str, Any] = {"num_cpus": self.processes, "include_dashboard": False}
        try:
            ray.init(
                address=self.address or "local",
                runtime_env={"env_vars": {"PYTHONPATH": str(assets.FOLDER.parent)}},
                log_to_driver=False,
                logging_level=logging.ERROR,
                **({} if self.address else here),
            )
        except (ConnectionError, ray.exceptions.AuthenticationError) as error:
            raise InputError(
                f"The Ray cluster at {self.address} does not let us in. If it wants a token, set "
                "RAY_AUTH_MODE=token and RAY_AUTH_TOKEN_PATH to the file with its token."
            ) from error
        return ray

    def _knock(self) -> None:
        """Ray itself would wait for minutes."""
        host, _, port = self.address.removeprefix("ray://").rpartition(":")
        require(bool(host) and port.isdecimal(), "Give the address of the cluster as HOST:PORT.")
        try:
            create_connection((host, int(port)), timeout=10).close()
        except OSError as error:
            raise InputError(
                f"There is no Ray cluster at {self.address}; start one with: ray start --head"
            ) from error
