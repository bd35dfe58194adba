"""A run whose shards are the tasks of an executor, put together by the caller."""

from __future__ import annotations

import concurrent.futures
import contextlib
import ctypes
import errno
import fcntl
import json
import math
import os
import secrets
import shutil
import tempfile
import time
import warnings
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Iterator

from ..errors import (DiffersError, Error, FailuresError, FileError, Interrupted, ShardsError, Stopped, StudyError, StudyWarning, UsageError,
                      callers_level, of_status)
from ..library import json_of, library
from ..reading.dataset import dataset_of_file, open_dataset, prepare
from ..reading.in_memory import Memory
from ..reading.result import open_file
from ..running import tasks
from ..running.one_at_a_time import alone
from ..running.progress import Bar, Nothing, Progress, bar_for
from ..running.study_input import Loaded, path_bytes
from ..whole_files import replacing
from . import names, workers
from .shard import LARGEST, Done, Order, bits_of, is_whole, publish, run_shard

if TYPE_CHECKING:
    import xarray

BESIDE = ""  # folder: next to the output
ALWAYS_SO = (StudyError, UsageError, FailuresError, DiffersError)  # another attempt comes to the same
CHUNKS = 4  # of a shard, where the study does not cut into enough of them
LANES = 16  # a chunk that is a multiple of them fills every processor's vectors


@dataclass(frozen=True)
class Sharing:
    """How a run is shared: arguments of omniroll.run."""

    executor: Any
    shards: int | None
    folder: str | None
    retries: int

    def check(self) -> None:
        workers.check(self.executor)
        for name, value, least in (("shards", self.shards, 1), ("retries", self.retries, 0)):
            if value is None and name == "shards":
                continue
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"{name} is a whole number, not {type(value).__name__}")
            if value < least:
                raise UsageError(f"{name}={value}: it is at least {least}")


class _Shared:
    """One call of run: the folder of the shards, its contents, and the missing shards."""

    def __init__(self, loaded: Loaded, output: str | None, sharing: Sharing, options: dict[str, bool]) -> None:
        self.loaded, self.sharing, self.options, self.output = loaded, sharing, options, output
        self.temporary: str | None = None
        stem = self.loaded.stem + ".h5" if output is None else os.path.basename(output)
        if sharing.folder:
            home = os.path.abspath(sharing.folder)
        elif output is None:
            home = self.temporary = tempfile.mkdtemp(prefix="omniroll-")
        else:
            home = os.path.dirname(os.path.abspath(output))
        self.place = names.folder_of(os.path.join(home, stem))
        self.mark = f"wanted-{secrets.token_hex(4)}"
        self.bits: dict[int, str] = {}
        self.told: set[str] = set()
        self.failed: dict[int, BaseException] = {}

    @contextlib.contextmanager
    def entered(self, restart: bool) -> Iterator[None]:
        """Only this call has the folder."""
        with contextlib.ExitStack() as stack:
            try:
                os.makedirs(self.place, exist_ok=True)
                _check_owner(self.place, self.options["foreign_folder"])
                lock = stack.enter_context(open(os.path.join(self.place, names.LOCK), "a"))
            except OSError as error:
                if isinstance(error, Error):
                    raise
                raise FileError(f"the folder {self.place} for the shards cannot be made: {error.strerror or error}; name another one, folder=") from error
            stack.enter_context(_locked(lock, self.place))
            for name in os.listdir(self.place):
                if restart and name != names.LOCK or name.startswith("wanted-"):
                    _remove(os.path.join(self.place, name))
            try:
                yield
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(self.place, self.mark))

    def cut(self) -> None:
        """How many shards there are, and chunks for all of them."""
        there, wanted = names.counts(self.place), self.sharing.shards
        if there and wanted not in (None, *there):
            raise UsageError(f"{self.place} has shards of {' and '.join(map(str, there))}: shards={there[-1]} goes on with them, restart=True forgets them")
        self.plan: dict[str, Any] = json_of("omr_study_validate_json", self.loaded.handle)
        instances, chunk = int(self.plan["instances"]), int(self.plan["chunk"])
        self.shards = wanted or (there[-1] if there else min(workers.shards_for(self.sharing.executor), max(1, instances // LANES)))
        given = "chunk" in json.loads(library().omr_study_text(self.loaded.handle)).get("engine", {})
        if not given and instances < chunk * self.shards:
            rows = math.ceil(instances / (self.shards * CHUNKS))
            change = f"engine.chunk={LANES * math.ceil(rows / LANES) if rows > LANES else rows}"
            self.loaded = Loaded(self.loaded.source, [*self.loaded.changes, change])
            chunk = int(json_of("omr_study_validate_json", self.loaded.handle)["chunk"])  # without rows whole blocks
        self._check_chunks(instances, math.ceil(instances / chunk))
        self._check_size(instances)

    def _check_chunks(self, instances: int, chunks: int) -> None:
        """Every shard has a chunk, as every task of omniroll plan has."""
        if self.sharing.shards is None or self.shards <= max(chunks, 1):
            self.shards = min(self.shards, max(chunks, 1))
        elif self.shards > instances:
            raise UsageError(f"shards={self.shards}: the study has {instances} instances: ask for fewer shards")
        else:
            kept = json.loads(library().omr_study_text(self.loaded.handle)).get("output", {}).get("rows", "all") == "all"
            smaller = f", or for smaller chunks by set={{\"engine.chunk\": {instances // self.shards}}}" if kept else ""
            raise UsageError(f"shards={self.shards}: the run has {chunks} chunk{'s' if chunks > 1 else ''}, and shards beyond them have none: ask for {chunks} "
                             f"shards or fewer{smaller}")

    def _check_size(self, instances: int) -> None:
        if self.sharing.folder is not None:
            return
        size = 8 * instances * (len(self.plan["observables"]) + len(self.plan["varied"]) + 2)
        if size / self.shards > LARGEST:
            raise UsageError(f"a shard has {size / self.shards / 1e9:.1f} GB, and at most {LARGEST / 1e9:.1f} GB are sent back: take "
                             f"shards={-(-size // LARGEST)} or more, or a folder that all workers see, folder=\"/shared\"")

    def begin(self) -> None:
        """Writes the run's description, in the library's words, or checks that the shards that are there belong to it."""
        path = os.path.join(self.place, names.RUN)
        if not names.counts(self.place):
            shutil.rmtree(f"{path}.parts", ignore_errors=True)
        with alone():
            task = tasks.Task(Nothing(), **self.options)
            library().omr_task_stop(task.handle)
            try:
                word, message = task.do("omr_task_run_shard", self.loaded.handle, path_bytes(path), 1, max(2, self.shards))
            finally:
                task.close()
        if word not in ("ok", "interrupted"):
            error = of_status(word, message)
            if isinstance(error, FileError):
                what = message.partition(" Go on with that")[0]  # by omniroll resume, which would make no result of shards
                error = FileError(f"{what} restart=True forgets the shards in {self.place}; another output or folder leaves them there")
            elif isinstance(error, UsageError):
                error = UsageError(f"{message}\nIn Python: run it without an executor")
            raise error
        with open(os.path.join(f"{path}.parts", names.MANIFEST), "rb") as file:
            self.manifest = file.read()
        with open(os.path.join(self.place, self.mark), "xb"):
            pass
        _scatter(self.place)
        for number in names.finished(self.place, self.shards):
            parts = names.shard(self.place, number, self.shards)
            if is_whole(parts):
                self.bits[number] = bits_of(parts)

    def order(self, number: int, attempt: int) -> Order:
        source = self.loaded.path
        return Order(text=library().omr_study_text(self.loaded.handle).decode(), manifest=self.manifest,
                     name="study" if source is None else os.fsdecode(source), current=os.getcwd(), shard=number, shards=self.shards,
                     place=None if self.sharing.folder is None else self.place, mark=self.mark, at_once=self.at_once,
                     options={name: self.options[name] for name in ("oversize", "foreign_folder")}, attempt=attempt)

    @property
    def missing(self) -> list[int]:
        return [number for number in range(1, self.shards + 1) if number not in self.bits]

    def take(self, done: Done) -> None:
        """A shard that has come back. Raises DiffersError where it was there with other bits."""
        parts = names.shard(self.place, done.shard, self.shards)
        if done.files:
            self._store(done, parts)
        known = self.bits.setdefault(done.shard, done.bits)
        if known != done.bits:
            raise DiffersError(f"shard {done.shard}/{self.shards} was run twice and its bits differ, the second time on {done.host}: {parts} is the first. "
                               "Find out which machine computes wrongly, remove what it has made, and run again")
        for text in done.warnings:
            if text not in self.told:
                self.told.add(text)
                warnings.warn(text, StudyWarning, stacklevel=callers_level())

    def _store(self, done: Done, parts: str) -> None:
        own = names.attempt(self.place, done.shard, self.shards, secrets.token_hex(4)) + ".parts"
        os.mkdir(own)
        for name, content in done.files:
            with open(os.path.join(own, os.path.basename(name)), "xb") as file:
                file.write(content)
                os.fsync(file.fileno())
        publish(own, parts, f"shard {done.shard}/{self.shards}")

    def work(self, bar: Bar) -> None:
        """Has the missing shards done. Raises ShardsError where some could not be."""
        executor = self.sharing.executor
        crew, shown = workers.Crew(executor, run_shard), _Shown(self, bar)
        self.at_once = workers.at_once(executor)
        try:
            for number in self.missing:
                if not self._submit(crew, number, 0):
                    break
            while crew.orders and not any(workers.is_broken(error) for error in self.failed.values()):
                found = crew.next()
                if found is not None:
                    self._landed(crew, *found)
                shown.show()
            for future, order in crew.rest():  # of a pool that broke
                self._landed(crew, future, order)
        finally:
            crew.cancel()

    def _submit(self, crew: workers.Crew, number: int, attempt: int) -> bool:
        try:
            crew.submit(self.order(number, attempt))
            return True
        except Exception as error:  # noqa: BLE001  it is broken or was shut down, or has lost its scheduler
            self.failed[number] = error
            return False

    def _landed(self, crew: workers.Crew, future: Any, order: Order) -> None:
        try:
            self.take(future.result())
        except ALWAYS_SO as error:
            raise _named(error, order) from error
        except (Exception, concurrent.futures.CancelledError) as error:
            self.failed[order.shard] = error
            if order.attempt < self.sharing.retries and not workers.is_broken(error):
                self._submit(crew, order.shard, order.attempt + 1)
        except KeyboardInterrupt as error:  # of a worker, which the terminal has interrupted with this process
            raise Interrupted(str(error)) from error

    def unfinished(self) -> ShardsError:
        listed = ", ".join(str(number) for number in self.missing[:20]) + (f" and {len(self.missing) - 20} more" if len(self.missing) > 20 else "")
        cause = next((self.failed[number] for number in self.missing if number in self.failed), None)
        what = "" if cause is None else f": {type(cause).__name__}: {cause}"
        error = ShardsError(f"{len(self.missing)} of {self.shards} shards are missing ({listed}){what}\n{self.how_to_go_on(cause)}")
        error.missing, error.shards, error.path = tuple(self.missing), self.shards, None if self.temporary else self.place
        error.__cause__ = cause
        return error

    def how_to_go_on(self, cause: BaseException | None = None) -> str:
        if self.temporary is not None:
            return "Of a run without an output and a folder nothing is kept: give one, output=\"NAME.h5\", and the same call goes on"
        again = " with a new executor" if cause is not None and workers.is_broken(cause) else ""
        return f"The same call{again} goes on: the finished shards are kept in {self.place}"

    @contextlib.contextmanager
    def gathered(self) -> Iterator[str]:
        """One folder with the chunks of all shards, as processes that share a folder leave it: a thousand folders that are open at a time are
        more than a process may have. They go back where no result comes of it."""
        parts, mine = os.path.join(self.place, f"{names.ALL}.parts"), range(1, self.shards + 1)
        folders = {number: names.shard(self.place, number, self.shards) for number in mine}
        listed = {number: names.products(folders[number]) for number in mine}
        with replacing(os.path.join(self.place, names.MOVED)) as file:
            json.dump({"shards": self.shards, "files": listed}, file)
        os.makedirs(parts, exist_ok=True)
        shutil.copyfile(os.path.join(self.place, f"{names.RUN}.parts", names.MANIFEST), os.path.join(parts, names.MANIFEST))
        try:
            for number, folder in folders.items():
                for name in listed[number]:
                    os.rename(os.path.join(folder, name), os.path.join(parts, name))
                shutil.copyfile(os.path.join(folder, names.journal(number, self.shards)), os.path.join(parts, names.journal(number, self.shards)))
            yield parts
        except BaseException:
            _scatter(self.place)
            raise

    def merged(self, strict: bool, overwrite: bool) -> tuple[str, str, str]:
        """Status, message and path of the result."""
        path = os.path.join(self.place, "result.h5") if self.output is None else self.output
        with alone(), self.gathered() as parts:
            task = tasks.Task(Nothing(), strict=strict, overwrite=overwrite or self.output is None, foreign_folder=self.options["foreign_folder"])
            try:
                word, message = task.do("omr_task_merge", (ctypes.c_char_p * 1)(os.fsencode(parts)), 1, path_bytes(path))
                if task.interrupted:
                    raise Interrupted(f"{message or 'interrupted'}\n{self.how_to_go_on()}")
                if word != "ok" and not (word in tasks.WITH_RESULT and task.complete):
                    more = "\nIn Python: overwrite=True" if word == "io" and "--overwrite" in message else ""
                    raise of_status(word, f"{message}{more}\n{self.how_to_go_on()}")
            finally:
                task.close()
        return word, message, path

    def dataset(self, path: str) -> "xarray.Dataset":
        if self.output is not None:
            return open_dataset(path)
        with open(path, "rb") as file:
            image = file.read()
        prepare()
        return open_file(Memory(f"{self.loaded.stem} (in memory)", lambda: image), dataset_of_file)


class _Shown:
    """The bar: the work of the chunks that are there, which are looked for now and then."""

    def __init__(self, shared: _Shared, bar: Bar) -> None:
        self.shared, self.bar, self.next = shared, bar, 0.0

    def show(self) -> None:
        plan, now = self.shared.plan, time.monotonic()
        steps = plan["instance_steps"]
        total = float(plan["instances"] * plan["duration"] if steps is None else steps)  # vehicle-seconds where a tolerance chooses the steps
        if isinstance(self.bar, Nothing) or now < self.next:
            return
        answer = self.bar.show(total * self._share(), total)
        self.next = now + max(workers.POLL, 20 * (time.monotonic() - now))
        if answer is False:
            raise Stopped(f"stopped: {len(self.shared.missing)} of {self.shared.shards} shards are missing\n{self.shared.how_to_go_on()}")

    def _share(self) -> float:
        shared = self.shared
        chunks = json.loads(shared.manifest)["chunks"]
        done = sum(chunks // shared.shards + (number <= chunks % shared.shards) for number in shared.bits)
        with contextlib.suppress(OSError):
            for name in os.listdir(shared.place):
                if names.ATTEMPT.fullmatch(name) and int(name.split("-")[0]) not in shared.bits:
                    done += len(names.products(os.path.join(shared.place, name)))
        return min(1.0, done / max(1, chunks))


def _named(error: Error, order: Order) -> Error:
    found = type(error)(f"{order.label}: {error}")
    found.mistakes = error.mistakes
    return found


_held: set[str] = set()  # folders of this process, which its own locks do not exclude


@contextlib.contextmanager
def _locked(lock: IO[str], place: str) -> Iterator[None]:
    """A lock that is not inherited: workers that are forked while it is held live longer."""
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            raise _in_use(place) from None  # else it is a file system without locks
    real = os.path.realpath(place)
    if real in _held:
        raise _in_use(place)
    _held.add(real)
    try:
        yield
    finally:
        _held.discard(real)


def _in_use(place: str) -> FileError:
    return FileError(f"{place} is in use: another call waits for these shards; wait for it, or take another folder")


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


def _scatter(place: str) -> None:
    """Files that were gathered for a result that did not come, back to their shards."""
    with contextlib.suppress(FileNotFoundError):
        with open(os.path.join(place, names.MOVED), encoding="utf-8") as file:
            moved: dict[str, Any] = json.load(file)
        for number, listed in moved["files"].items():
            for name in [os.path.basename(str(each)) for each in listed]:
                with contextlib.suppress(FileNotFoundError):  # it is back already, or was not moved yet
                    os.rename(os.path.join(place, f"{names.ALL}.parts", name), os.path.join(names.shard(place, int(number), moved["shards"]), name))
    _remove(os.path.join(place, f"{names.ALL}.parts"))
    _remove(os.path.join(place, names.MOVED))


def _check_owner(place: str, foreign: bool) -> None:
    if os.stat(place).st_uid != os.geteuid() and not foreign:
        raise FileError(f"the folder {place} belongs to another user, who could change the shards in it; foreign_folder=True works there")


def run(loaded: Loaded, output: str | None, sharing: Sharing, progress: Progress, *, restart: bool, overwrite: bool, strict: bool,
        oversize: bool, foreign_folder: bool) -> "xarray.Dataset":
    """The Dataset of a run whose shards an executor's workers do."""
    import xarray  # noqa: F401  where it is missing, that is said before hours of work

    bar = bar_for(progress)
    shared = _Shared(loaded, output, sharing, {"oversize": oversize, "foreign_folder": foreign_folder, "strict": strict})
    try:
        with shared.entered(restart):
            shared.cut()
            shared.begin()
            _work(shared, bar)
            word, message, path = shared.merged(strict, overwrite)
            dataset = shared.dataset(path)
            _remove(shared.place)
        return tasks.given(word, message, dataset)
    finally:
        bar.close()
        if shared.temporary is not None:
            _remove(shared.temporary)


def _work(shared: _Shared, bar: Bar) -> None:
    try:
        shared.work(bar)
    except KeyboardInterrupt as error:
        raise Interrupted(f"interrupted: {len(shared.missing)} of {shared.shards} shards are missing\n{shared.how_to_go_on()}") from error
    if shared.missing:
        raise shared.unfinished()

