"""How many cores a model may use at a time."""

import os
import sys

from core.errors import InputError

ENVIRONMENT = "SWAPSCOPE_THREADS"


def limit() -> None:
    """One torch thread, or as many as SWAPSCOPE_THREADS says.

    Our batches are small: a second thread gains little on an idle machine, and on a busy one the
    threads wait for each other and a forward pass takes a hundred times as long.
    """
    import torch

    wanted = os.environ.get(ENVIRONMENT, "1")
    if not wanted.isdecimal() or int(wanted) < 1:
        raise InputError(
            f'{ENVIRONMENT} is "{wanted}"; set it to a number of threads, or unset it.'
        )
    torch.set_num_threads(int(wanted))


def keep_to_one_core() -> None:
    """This thread, and those it starts, share one core of those the process may use.

    Python runs one of them at a time anyway, and to hand over to a thread on another core takes
    longer than most of their turns. Torch needs its cores where it has several threads.
    """
    if sys.platform == "linux" and os.environ.get(ENVIRONMENT, "1") == "1":
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[os.getpid() % len(allowed)]})
