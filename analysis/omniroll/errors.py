"""Exceptions for everything that can go wrong. Each has the message of the library, the same that the program prints after "omniroll: "."""

from __future__ import annotations

import os
import sys
from typing import Any, NamedTuple


class Mistake(NamedTuple):
    """One mistake. `code` is a word that stays the same while messages get better: `omniroll.describe()` lists the codes of study
    files, "mistakes". `path` is the file, `line` its line from 1 on, `pointer` the value as a JSON pointer such as "/integrator/step"; None
    where there is none."""

    code: str
    path: str | None
    line: int | None
    pointer: str | None
    message: str


class Error(Exception):
    """Something that omniroll refuses or cannot do. `status` is the word of the library's status, `mistakes` has the mistakes one by one:
    a study can have several."""

    status = "internal"
    mistakes: tuple[Mistake, ...] = ()


class UsageError(Error, ValueError):
    """A call that cannot be meant so."""

    status = "usage"


class StudyError(Error, ValueError):
    """The study is wrong: the message says where, why, and how to mend it."""

    status = "study"


class DeviceError(Error):
    """Backend, device or driver."""

    status = "device"


class FileError(Error, OSError):
    """A file cannot be read or written."""

    status = "io"


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""

    status = "memory"


class Stopped(Error):
    """The function given as `progress` returned False. Finished work is kept in the folder of `path`, the result to be."""

    status = "interrupted"
    path: str | None = None


class SelftestError(Error):
    """A device gives wrong numbers."""

    status = "selftest"


class DiffersError(Error):
    """A difference from the reference exceeds the tolerance; or a shard that was run twice has other bits."""

    status = "differs"


class FailuresError(Error):
    """More instances failed than the study allows. `result` is the Dataset, where the result is there in spite of it, else None."""

    status = "failures"
    result: Any = None


class InaccurateError(Error):
    """A strict run whose step makes a larger error than the study's integrator.accept allows, or one that is not known where the study
    asks for it. `result` is the Dataset."""

    status = "inaccurate"
    result: Any = None


class NegativeError(Error):
    """A calibration whose verdict is negative: do not trust the result. `result` is the Calibration, None where the prior
    does not predict the data and no fit was made."""

    status = "negative"
    result: Any = None


class ShardsError(Error):
    """Shards of a run by an executor that could not be done. `missing` are their numbers, from 1 to `shards`; the finished ones are kept in the
    folder `path`, and the same call goes on with them. path None: nothing is kept."""

    status = "interrupted"
    missing: tuple[int, ...] = ()
    shards = 0
    path: str | None = None


class NotAResult(Error):
    """The file is missing, cannot be read, or is no result of omniroll. The message is one line."""

    status = "io"


class LibraryError(Error, ImportError):
    """libomniroll is not found or does not fit this package, or a library of Python is missing. The message names the remedy."""

    status = "device"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while a study ran. Finished work is kept: omniroll.resume(error.path) goes on to the same bits. `path` is None
    where nothing is left to resume."""

    def __init__(self, message: str, path: str | None = None) -> None:
        super().__init__(message)
        self.path = path


class StudyWarning(UserWarning):
    """The study runs, but hardly as it is meant, such as with a step that is too long."""


CLASSES: dict[str, type[Error]] = {
    kind.status: kind
    for kind in (UsageError, StudyError, DeviceError, FileError, OutOfMemory, Stopped, SelftestError, DiffersError, FailuresError,
                 InaccurateError, NegativeError)
}


def of_status(word: str, message: str, mistakes: tuple[Mistake, ...] = ()) -> Error:
    """The exception for a status of the library."""
    error = CLASSES.get(word, Error)(message)
    error.mistakes = mistakes
    return error


PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def callers_level() -> int:
    """How far above the caller of this function code stands that is not of this package, as warnings.warn counts."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
