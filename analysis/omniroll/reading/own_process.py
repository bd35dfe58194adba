"""Files of HDF5 are read by a process of their own, since HDF5 crashes on many a damaged one and would take this Python along. The process
is a fork, which costs some milliseconds; its result comes back through memory, and HDF5 never sees the file here."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import struct
from typing import Any, BinaryIO, Callable, NoReturn, TypeVar

import numpy as np
from h5py._objects import phil

from ..errors import Error, FileError, NotAResult
from .in_memory import Memory

# A fork waits until no other thread is inside h5py or its HDF5: the child could never enter them. h5py itself does not.
os.register_at_fork(before=phil.acquire, after_in_parent=phil.release, after_in_child=phil.release)

T = TypeVar("T")
CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL)
HELD = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}  # while a child has the caller's handlers, which could take it into the caller's code
SECONDS = 20  # of processor time, and one more for each megabyte: a damaged file may send HDF5 round in circles
LARGE = 1 << 16  # bytes from which on arrays are kept out of the pickle
TRAILER = struct.Struct("<8sQ")  # stands at the end: the mark of a whole answer, and where its pickle begins
MARK = b"omniroll"


def apart(path: str, work: Callable[[], T], limited: bool = True) -> T:
    """The result of `work`, or its error, for the file at `path`, in a process of its own: it has to be something that can be pickled.
    Modules that it takes should be imported before. Raises NotAResult where that process crashes, or is limited and does not come to an
    end. A result in memory was made by the library, and is read here; so is a file where the system has no room for another process."""
    if isinstance(path, Memory):
        return work()
    place = os.memfd_create("omniroll")
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
        try:
            child = os.fork()
        except OSError:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            return work()
        if child == 0:
            _answer(place, path if limited else None, work)
        how = _wait(child, before)
        with open(place, "rb", closefd=False) as file:
            good, found = _answered(file, path, how)
    finally:
        os.close(place)
    if not good:
        raise found
    return found  # type: ignore[no-any-return]


def _answer(place: int, path: str | None, work: Callable[[], Any]) -> NoReturn:
    """The child, which ends here in any case: it must not return into its parent's work, nor clean up after it."""
    try:
        _settle()
        if path is not None:
            _limit(os.path.getsize(path) if os.path.exists(path) else 0)
        try:
            found = True, work()
        except Exception as error:  # noqa: BLE001
            found = False, _portable(error)
        with open(place, "wb", closefd=False) as file:
            _write(file, found)
    finally:
        os._exit(0)


def _settle() -> None:
    """Crashes stay without a word and a core, and nothing of the parent's is finalized."""
    gc.disable()
    for crash in (*CRASHES, signal.SIGTERM, signal.SIGHUP):
        signal.signal(crash, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent has it too, and ends this process
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where the C library tells of memory that was overrun


def _limit(size: int) -> None:
    """Loops come to an end."""
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    seconds = SECONDS + size // 1_000_000
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if most == resource.RLIM_INFINITY else min(seconds, most), most))


def _portable(error: Exception) -> Exception:
    """The error, or one with its words where it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:  # noqa: BLE001
        return Error(f"{type(error).__name__}: {error}")


def _write(file: BinaryIO, found: Any) -> None:
    large: list[memoryview] = []

    def beside(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes < LARGE:
            return True  # goes into the pickle
        large.append(raw)
        return False

    text = pickle.dumps(found, protocol=5, buffer_callback=beside)
    for raw in large:
        file.write(raw)
    begin = file.tell()
    pickle.dump(([raw.nbytes for raw in large], text), file, protocol=5)
    file.write(TRAILER.pack(MARK, begin))


def _answered(file: BinaryIO, path: str, how: int) -> tuple[bool, Any]:
    """Whether the work was done, and its result. Raises NotAResult or FileError where there is no whole answer."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - TRAILER.size, 0))
    trailer = file.read()
    mark, begin = TRAILER.unpack(trailer) if len(trailer) == TRAILER.size else (b"", 0)
    if mark != MARK:
        raise _no_answer(path, how)
    file.seek(begin)
    lengths, text = pickle.load(file)
    file.seek(0)
    return pickle.loads(text, buffers=[_taken(file, length) for length in lengths])


def _taken(file: BinaryIO, length: int) -> Any:
    values = np.empty(length, dtype=np.uint8)
    file.readinto(values.data)  # type: ignore[attr-defined]
    return values.data


def _no_answer(path: str, how: int) -> Error:
    if how == -signal.SIGXCPU or -how in CRASHES:
        what = "did not come to an end" if how == -signal.SIGXCPU else "crashed"
        return NotAResult(f"{path}: HDF5 {what} while a process of its own read this file: it is damaged; run the study anew or take a copy")
    ended = f"was ended by signal {-how}" if how < 0 else "gave no answer"
    return FileError(f"{path}: the process that was to read this file {ended}, as where there is too little memory; free some and try again")


def _wait(child: int, before: set[Any]) -> int:
    """How it ended, as subprocess says it. Whoever interrupts this ends the child. before: the signals that were blocked."""
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except ChildProcessError:  # something else of this process has waited for it
        return 0
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
