"""One shard of a run, as the task of an executor. All that it needs is in its order, so that it can be done by another process, on another
machine, and twice."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import socket
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any, Mapping

import h5py
import numpy as np

from ..errors import DiffersError, Error, FileError, Interrupted, Stopped, UsageError, of_status
from ..library import call, library, texts
from ..running.one_at_a_time import alone
from ..running.progress import Nothing
from ..running.study_input import path_bytes
from ..running.tasks import Task, verified
from . import names

LOOK = 1.0  # s between two looks whether the run is still wanted
LATE = 5.0  # s that a network file system may take to show another machine's files
DYING = 2.0  # s that a killed process may take to its end
LARGEST = 1 << 30  # bytes that a shard may send back: more than 2 GiB do not fit into a message of MPI


@dataclass(frozen=True)
class Order:
    """The instructions of a task."""

    text: str  # of the study, with all its changes
    manifest: bytes  # of the run, which every shard has alike
    name: str  # of the study's file, from which the files that it names are found
    current: str  # the current folder of the caller
    shard: int
    shards: int
    place: str | None  # the folder that all workers see; None: the files come back
    mark: str  # a file in it that is there as long as the run is wanted
    at_once: int | None  # shards that run on a machine at the same time, where that is known
    options: Mapping[str, bool] = field(default_factory=dict)
    attempt: int = 0

    @property
    def label(self) -> str:
        return f"shard {self.shard}/{self.shards}"


@dataclass(frozen=True)
class Done:
    """The result of a task."""

    shard: int
    bits: str  # a hash of every value in its chunks
    host: str
    there: bool = False  # it was done before
    warnings: tuple[str, ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()


class _Wanted(Nothing):
    """In place of a bar: stops the work where the run is not wanted any more."""

    def __init__(self, order: Order) -> None:
        self.mark = None if order.place is None else os.path.join(order.place, order.mark)
        self.looked = 0.0

    def show(self, done: float, total: float) -> Any:
        now = time.monotonic()
        if self.mark is None or now - self.looked < LOOK:
            return True
        self.looked = now
        try:
            os.stat(self.mark)
        except FileNotFoundError:
            return False
        except OSError:  # of a network, which may come back
            pass
        return True


class _ShardTask(Task):
    """Keeps warnings for the caller: every shard has the same ones."""

    def __init__(self, order: Order) -> None:
        self.warnings: list[str] = []
        super().__init__(_Wanted(order), **order.options)

    def warn(self, text: str) -> None:
        self.warnings.append(text)


def run_shard(order: Order) -> Done:
    """Does a shard, or finds it done. Raises DiffersError where it was done twice with different bits."""
    if order.place is None:
        with tempfile.TemporaryDirectory(prefix="omniroll-") as own:
            warnings = _compute(order, os.path.join(own, "shard.h5"))
            parts = os.path.join(own, "shard.h5.parts")
            return Done(order.shard, bits_of(parts), socket.gethostname(), False, warnings, _packed(order, parts))
    _check_place(order, order.place)
    target = names.shard(order.place, order.shard, order.shards)
    if is_whole(target):
        return Done(order.shard, bits_of(target), socket.gethostname(), True)
    parts, warnings = _in_place(order, order.place)
    there = publish(parts, target, order.label)
    return Done(order.shard, bits_of(target), socket.gethostname(), there, warnings)


def _check_place(order: Order, place: str) -> None:
    """The folder has to be the one that the caller sees, and the run has to be wanted still."""
    begun = time.monotonic()
    while not os.path.exists(os.path.join(place, order.mark)):
        with contextlib.suppress(FileNotFoundError):
            if f"{names.RUN}.parts" in os.listdir(place):  # which has a network file system look anew
                raise Stopped(f"{order.label} is not wanted any more")
        if time.monotonic() - begun > LATE:
            raise FileError(f"{socket.gethostname()} does not see the folder {place} that the shards are written to: name one that all workers "
                            "see, folder=\"/shared\", or have the shards sent back, folder=None")
        time.sleep(0.2)


def _in_place(order: Order, place: str) -> tuple[str, tuple[str, ...]]:
    """The folder with the finished chunks: a killed attempt's, where nobody works in it, or a new one."""
    for path in names.left(place, order.shard, order.shards):
        if _is_free(f"{path}.parts"):
            with contextlib.suppress(FileError):  # another has taken it in between, or it is of another omniroll
                return f"{path}.parts", _compute(order, path)
    path = names.attempt(place, order.shard, order.shards, secrets.token_hex(4))
    return f"{path}.parts", _compute(order, path)


def _is_free(parts: str) -> bool:
    """Whether nobody works in a folder: a process that is being ended has some time for that. Where the file system has no locks that is not
    known."""
    end = time.monotonic() + DYING
    while True:
        try:
            with open(os.path.join(parts, "lock"), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except FileNotFoundError:
            return os.path.isdir(parts)
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        except OSError:
            return False


def _compute(order: Order, path: str) -> tuple[str, ...]:
    """Completes the shard's chunks in path.parts; the warnings."""
    _begin(f"{path}.parts", order.manifest)
    with alone():
        study = _parsed(order)
        task = _ShardTask(order)
        try:
            word, message = task.do("omr_task_run_shard", study, path_bytes(path), order.shard, order.shards)
            stopped = task.interrupted or task.refused
        finally:
            task.close()
            library().omr_study_destroy(study)
    if word == "interrupted" and stopped:
        text = f"{order.label} on {socket.gethostname()} was stopped"
        raise Interrupted(text) if task.interrupted else Stopped(text)
    if word != "ok":
        raise of_status(word, message)
    return tuple(task.warnings)


def _begin(parts: str, manifest: bytes) -> None:
    """A run that finds the manifest there belongs to it, whatever its threads or its device."""
    if not os.path.exists(os.path.join(parts, names.MANIFEST)):
        os.makedirs(parts, exist_ok=True)
        with open(os.path.join(parts, names.MANIFEST), "xb") as file:
            file.write(manifest)


def _parsed(order: Order) -> Any:
    here = os.path.isabs(order.name) or os.getcwd() == order.current
    name = order.name if here else os.path.join(order.current, order.name)
    threads = None if "threads" in json.loads(order.text).get("engine", {}) else threads_of(order.at_once)
    changes = [] if threads is None else [f"engine.threads={threads}"]
    handle = ctypes.c_void_p()
    call("omr_study_parse", order.text.encode(), name.encode(errors="surrogateescape"), texts(changes), len(changes), ctypes.byref(handle))
    return handle


def threads_of(at_once: int | None) -> int | None:
    """This process's share of the cores. Under mpirun its ranks on this machine share them; None: as many as the system lets it have."""
    mine = len(os.sched_getaffinity(0))
    if at_once:
        return max(1, mine // at_once)
    for name in ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"):
        ranks = os.environ.get(name, "")
        if ranks.isdigit() and int(ranks) > 1:
            return min(mine, max(1, (os.cpu_count() or 1) // int(ranks)))
    return None


def _add(sums: Any, file: h5py.File) -> None:
    def add(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            values = item[()]
            sums.update(f"{name} {item.dtype} {item.shape}\n".encode())
            if getattr(values, "dtype", None) is not None and values.dtype.kind == "f":
                values = np.where(np.isnan(values), np.nan, values)  # every NaN is the same
            sums.update(np.asarray(values).tobytes() if item.dtype.kind != "O" else repr(np.asarray(values).tolist()).encode())

    file.visititems(add)


def bits_of(parts: str) -> str:
    """A hash of all values in the chunks of a folder; the times and machines in these files do not count."""
    sums = hashlib.blake2b(digest_size=16)
    for name in names.products(parts):
        path = os.path.join(parts, name)
        sums.update(f"{name}\n".encode())
        if h5py.is_hdf5(path):
            with h5py.File(path, "r") as file:
                _add(sums, file)
        else:
            with open(path, "rb") as other:
                sums.update(other.read())
    return sums.hexdigest()


def publish(parts: str, target: str, label: str) -> bool:
    """Gives a finished folder its name; False where the shard had none yet. The one that is there stays: where it has other bits, the
    machine that made one of them cannot be trusted. Raises DiffersError."""
    if not os.path.isdir(target):
        with contextlib.suppress(OSError):  # another attempt was faster
            os.rename(parts, target)
            return False
    if bits_of(parts) != bits_of(target):
        raise DiffersError(f"{label} was run twice and its bits differ: {target} and {parts}. One of the machines computes wrongly, or they have "
                           "different processors or libraries with integrator.numerics \"fast\": find out which, remove what it has made, and run again")
    shutil.rmtree(parts, ignore_errors=True)
    return True


def _packed(order: Order, parts: str) -> tuple[tuple[str, bytes], ...]:
    listed = [name for name in sorted(os.listdir(parts)) if not name.startswith("lock") and ".tmp-" not in name]
    size = sum(os.path.getsize(os.path.join(parts, name)) for name in listed)
    if size > LARGEST:
        raise UsageError(f"{order.label} has {size / 1e9:.1f} GB, and at most {LARGEST / 1e9:.1f} GB are sent back: take "
                         f"shards={-(-size * order.shards // LARGEST)} or more, or a folder that all workers see, folder=\"/shared\"")
    found = []
    for name in listed:
        with open(os.path.join(parts, name), "rb") as file:
            found.append((name, file.read()))
    return tuple(found)


def is_whole(target: str) -> bool:
    """Whether a shard is there, as it was written; a damaged one is removed."""
    if not os.path.isdir(target):
        return False
    with contextlib.suppress(Error):
        if not verified(path_bytes(target))["problems"]:
            return True
    shutil.rmtree(target, ignore_errors=True)
    return False
