"""Calls of the library that run studies into files: their reports while they work, and their outcomes."""

from __future__ import annotations

import ctypes
import json
import logging
import time
import warnings
from typing import TYPE_CHECKING, Any

from ..errors import Error, FailuresError, InaccurateError, OutOfMemory, StudyWarning, callers_level, of_status
from ..library import LINE, call_status, library, taken
from .progress import INTERVAL, Bar
from .watched import Watch

if TYPE_CHECKING:
    import xarray

_log = logging.getLogger("omniroll")
WITH_RESULT = ("failures", "inaccurate")  # statuses of a run whose result is there all the same


class Task(Watch):
    """A run of the library with its callbacks. Nothing raised in them is lost: it stops the run and is raised at its end."""

    def __init__(self, bar: Bar, **options: bool) -> None:
        super().__init__(bar)
        self.looked = 0.0
        self.handle = library().omr_task_create()
        if not self.handle:
            raise OutOfMemory("out of memory")
        self._on_line = LINE(self._line)  # the library keeps no reference
        library().omr_task_on_progress(self.handle, self.callback, None)
        library().omr_task_on_line(self.handle, self._on_line, None)
        for name, value in options.items():
            getattr(library(), f"omr_task_{name}")(self.handle, value)

    def _progress(self, user: int | None, done: float, total: float) -> bool:
        now = time.monotonic()
        if now - self.looked < INTERVAL and done < total:
            return True
        self.looked = now
        return super()._progress(user, done, total)

    def _line(self, user: int | None, line: bytes) -> None:
        try:
            text = line.decode(errors="replace")
            if text.startswith("warning: "):
                self.warn(text[len("warning: "):])
            else:
                _log.info("%s", text)
        except BaseException as error:  # noqa: BLE001
            self.raised = error
            library().omr_task_stop(self.handle)

    def warn(self, text: str) -> None:
        warnings.warn(text, StudyWarning, stacklevel=callers_level())

    def interrupt(self) -> None:
        super().interrupt()
        library().omr_task_stop(self.handle)

    def do(self, function: str, *arguments: Any) -> tuple[str, str]:
        """Calls omr_task_run or omr_task_resume; the word of the status and the message."""
        return self.call(function, self.handle, *arguments)

    @property
    def complete(self) -> bool:
        return bool(library().omr_task_complete(self.handle))

    @property
    def finished(self) -> int:
        return int(library().omr_task_finished(self.handle))

    def close(self) -> None:
        _log.info("%s", library().omr_task_summary(self.handle).decode(errors="replace"))
        library().omr_task_destroy(self.handle)


def _with_result(word: str, message: str, dataset: "xarray.Dataset") -> Error:
    error: FailuresError | InaccurateError = FailuresError(message) if word == "failures" else InaccurateError(message)
    error.result = dataset
    return error


def given(word: str, message: str, dataset: "xarray.Dataset") -> "xarray.Dataset":
    if word in WITH_RESULT:
        raise _with_result(word, message, dataset)
    return dataset


def verified(path: bytes) -> dict[str, Any]:
    out = ctypes.c_void_p()
    status, message = call_status("omr_verify_json", path, ctypes.byref(out))
    if not out.value:
        raise of_status(status, message)
    return json.loads(taken(out) or b"{}")
