"""Work of the library that takes all cores: one at a time, and Ctrl-C stops it between two launches."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import Callable, Iterator

from ..library import check_interpreter

_one_run = threading.RLock()  # a run takes all cores; a second one would only wait for them


def _forget_runs_of_parent() -> None:
    """In the child of a fork nobody gives back a lock that another thread of the parent had."""
    global _one_run
    _one_run = threading.RLock()


os.register_at_fork(after_in_child=_forget_runs_of_parent)


@contextlib.contextmanager
def catching_interrupts(told: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C calls `told`, which stops the work between two launches. A handler that is not Python's own stays in place."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: told())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Work that takes all cores, one at a time."""
    check_interpreter()
    with _one_run:
        yield
