"""Executors: any concurrent.futures.Executor, and objects with a submit() like theirs."""

from __future__ import annotations

import collections
import concurrent.futures
import queue
from typing import Any, Callable

from ..errors import UsageError

POLL = 0.5  # s between looks at futures that call nobody back
EACH = 4  # shards for each worker, so that a slow one does not keep the others waiting
EXAMPLES = "ProcessPoolExecutor(8), client.get_executor() of dask, or MPIPoolExecutor() of mpi4py.futures"


def check(executor: Any) -> None:
    """Raises TypeError for an object that is no executor."""
    if isinstance(executor, type) and hasattr(executor, "submit"):
        raise TypeError(f"executor is the class {executor.__name__}: make one of it, such as {EXAMPLES}")
    if callable(getattr(executor, "get_executor", None)):
        raise TypeError(f"executor is a {type(executor).__name__} of dask: give its client.get_executor()")
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor is a concurrent.futures.Executor, such as {EXAMPLES}, not {type(executor).__name__}")


def _dask_hosts(executor: Any) -> "collections.Counter[str] | None":
    """Workers of dask on each machine; None where the executor is not dask's."""
    client = getattr(executor, "_client", None)
    if client is None or not callable(getattr(client, "nthreads", None)):
        return None
    return collections.Counter(address.rsplit(":", 1)[0] for address in client.nthreads())


def _most(executor: Any) -> int | None:
    most = getattr(executor, "_max_workers", None)
    return most if isinstance(most, int) and most > 0 else None


def count(executor: Any) -> int | None:
    """How many workers it has, where it says so."""
    hosts = _dask_hosts(executor)
    return _most(executor) if hosts is None else sum(hosts.values()) or None


def at_once(executor: Any) -> int | None:
    """How many shards run on one machine at a time, which share its cores; None where the executor does not say: then a worker takes the
    cores that the system lets it have, as under Slurm, or those that mpirun leaves it. In one process runs wait for each other."""
    if isinstance(executor, concurrent.futures.ThreadPoolExecutor):
        return 1
    hosts = _dask_hosts(executor)
    if hosts is not None:
        return max(hosts.values(), default=None)
    return None if type(executor).__module__.startswith("mpi4py") else _most(executor)


def shards_for(executor: Any) -> int:
    """How many shards a run gets that does not say it. Raises UsageError."""
    workers = count(executor)
    if workers is None:
        raise UsageError(f"a {type(executor).__name__} does not say how many workers it has: how many shards are to be made, shards=16?")
    return EACH * workers


class Crew:
    """Tasks on their way, and those that have come back."""

    def __init__(self, executor: Any, function: Callable[[Any], Any]) -> None:
        self.executor, self.function = executor, function
        self.orders: dict[int, tuple[Any, Any]] = {}  # by the number of a submission: future and order
        self.landed: "queue.SimpleQueue[int]" = queue.SimpleQueue()
        self.polled: set[int] = set()
        self.submitted = 0

    def submit(self, order: Any) -> None:
        """Raises the executor's errors, RuntimeError where it takes no more."""
        future = self.executor.submit(self.function, order)
        self.submitted += 1
        number = self.submitted
        self.orders[number] = future, order
        if callable(getattr(future, "add_done_callback", None)):
            future.add_done_callback(lambda _: self.landed.put(number))
        else:
            self.polled.add(number)

    def next(self) -> tuple[Any, Any] | None:
        """A future that is done, and its order; None where none is after some time."""
        for number in [one for one in self.polled if self.orders[one][0].done()]:
            self.polled.discard(number)
            self.landed.put(number)
        try:
            return self.orders.pop(self.landed.get(timeout=POLL))
        except queue.Empty:
            return None

    def rest(self) -> list[tuple[Any, Any]]:
        """Other results that have come back by now."""
        done = [number for number, (future, _) in self.orders.items() if future.done()]
        return [self.orders.pop(number) for number in done]

    def cancel(self) -> None:
        """Tasks that have not begun do not begin."""
        for future, _ in list(self.orders.values()):
            cancel = getattr(future, "cancel", None)
            if cancel is not None:
                cancel()


def is_broken(error: BaseException) -> bool:
    """Whether the executor takes no more tasks: one of its processes was killed."""
    return isinstance(error, concurrent.futures.BrokenExecutor)


