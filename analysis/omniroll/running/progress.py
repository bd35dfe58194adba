"""How far a run is: a bar by tqdm where that is installed, else a line that is written anew."""

from __future__ import annotations

import functools
import os
import sys
import time
from typing import Any, Callable, Union

Watcher = Callable[[float, float], Any]
Progress = Union[None, bool, Watcher]
INTERVAL = 0.1  # s between two looks
PATIENCE = 0.4  # s before anything is shown


class Bar:
    """A display of the progress: instance-steps that are done, and all of them."""

    def show(self, done: float, total: float) -> Any:
        """Shows nothing."""

    def close(self) -> None:
        """Closes nothing."""


class Nothing(Bar):
    """No bar."""


class Told(Bar):
    """A function of the caller; where it returns False the run stops."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher

    def show(self, done: float, total: float) -> Any:
        return self.watcher(done, total)


class Line:
    """One line on a terminal, which is written anew."""

    shown = False

    def say(self, text: str) -> None:
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)
        self.shown = True

    def close(self) -> None:
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Plain(Line, Bar):
    """The rate and the time left, in one line."""

    def __init__(self) -> None:
        self.start: float | None = None
        self.base = 0.0

    def show(self, done: float, total: float) -> None:
        now = time.monotonic()
        if self.start is None:
            self.start, self.base = now, done
        if not total > 0 or now - self.start < PATIENCE:
            return
        rate = (done - self.base) / (now - self.start)
        left = f"{(total - done) / rate:.0f} s left" if rate > 0 else ""
        self.say(f"omniroll: {100 * done / total:5.1f} %  {rate:.3g} instance-steps/s  {left}")


class Tqdm(Bar):
    """tqdm's bar, in a notebook its widget where ipywidgets is there."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        self.bar: Any = None

    def show(self, done: float, total: float) -> None:
        if self.bar is None:
            self.bar = self.kind(total=total, initial=done, unit="step", unit_scale=True, desc="omniroll", leave=False,
                                 delay=PATIENCE, mininterval=0)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def in_notebook() -> bool:
    """Whether cells of a notebook call us."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def _on_terminal() -> bool:
    return bool(sys.stderr) and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@functools.lru_cache(maxsize=None)  # an import that fails takes a lock, which a fork at this moment leaves taken (checksums.py)
def _tqdm() -> Any:
    """The class of tqdm that suits; None where tqdm is not there."""
    try:
        import tqdm
    except ImportError:
        return None
    if in_notebook():
        try:
            import ipywidgets  # noqa: F401  tqdm.notebook needs it and says so only when a bar is made
            import tqdm.notebook
        except ImportError:
            return tqdm.tqdm
        return tqdm.notebook.tqdm
    return tqdm.tqdm


def wanted(progress: Any, function: str) -> bool:
    """None: in notebooks and on terminals; True, False: whether to show anything. Raises TypeError for other values."""
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress is True, False, None or a function of {function}, not {type(progress).__name__}")
    return in_notebook() or _on_terminal() if progress is None else progress


def bar_for(progress: Progress) -> Bar:
    """A bar where one is wanted; a function is called with the instance-steps that are done."""
    if callable(progress):
        return Told(progress)
    if not wanted(progress, "(done, total)"):
        return Nothing()
    kind = _tqdm()
    if kind is None:
        return Plain()
    return Tqdm(kind)
