"""Work of the library that counts its progress: fits, manoeuvres, ladders of steps."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ..errors import Interrupted, Stopped, of_status
from ..library import PROGRESS, call, call_status, json_of, library
from .one_at_a_time import alone, catching_interrupts
from .progress import Bar, Progress, bar_for
from .study_input import Loaded, path_bytes


class Watch:
    """The library's callback of progress: shows it, and stops the work where the bar's function, Ctrl-C or an exception says so."""

    def __init__(self, bar: Bar) -> None:
        self.bar = bar
        self.raised: BaseException | None = None
        self.refused = self.interrupted = False
        self.callback = PROGRESS(self._progress)

    def _progress(self, user: int | None, done: float, total: float) -> bool:
        try:
            answer = self.bar.show(done, total)
            self.refused = isinstance(answer, (bool, np.bool_)) and not answer
        except BaseException as error:  # noqa: BLE001  ctypes would print and forget it
            self.raised = error
        return not (self.refused or self.interrupted or self.raised)

    def interrupt(self) -> None:
        self.interrupted = True

    def call(self, function: str, *arguments: Any) -> tuple[str, str]:
        """Work that Ctrl-C stops, after which the bar closes; the word of the status and the message."""
        try:
            with catching_interrupts(self.interrupt):
                return call_status(function, *arguments)
        finally:
            self.bar.close()

    def judge(self, word: str, message: str) -> None:
        """Raises the error that has stopped the work."""
        if self.raised is not None:
            raise self.raised
        if self.interrupted:
            raise Interrupted(message or "interrupted")
        if self.refused:
            raise Stopped(message)
        if word != "ok":
            raise of_status(word, message)


def said_of(name: str, loaded: Loaded, options: Any, progress: Progress, write: str | None = None) -> dict[str, Any]:
    """The JSON object of omr_NAME_create, which is written to the file `write` too: it is made, read and destroyed. The options, a
    structure, get the callback of progress."""
    made, watch = ctypes.c_void_p(), Watch(bar_for(progress))
    options.size, options.progress = ctypes.sizeof(options), watch.callback
    with alone():
        try:
            watch.judge(*watch.call(f"omr_{name}_create", loaded.handle, ctypes.byref(options), ctypes.byref(made)))
            if write is not None:
                call(f"omr_{name}_write", made, path_bytes(write))
            return json_of(f"omr_{name}_json", made)
        finally:
            getattr(library(), f"omr_{name}_destroy")(made)
