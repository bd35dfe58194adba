"""How far a search is: one line that is written anew."""

from __future__ import annotations

import shutil
import sys
from typing import Any, Callable, Protocol, Sequence, Union

from ..running.progress import _on_terminal, in_notebook
from .evaluator import Goal


Told = Union[None, bool, Callable[["dict[str, Any]"], Any]]


class Live(Protocol):
    """What shows a row of the history."""

    def show(self, row: "dict[str, Any]") -> Any: ...

    def close(self) -> None: ...


class Silent:
    """Nothing, or a function of the caller; where it returns False the search stops."""

    def __init__(self, told: "Callable[[dict[str, Any]], Any] | None" = None) -> None:
        self.told = told

    def show(self, row: "dict[str, Any]") -> Any:
        return self.told(row) if self.told else None

    def close(self) -> None:
        """Nothing is open."""


def line(row: "dict[str, Any]", goals: Sequence[Goal]) -> str:
    """A row in words."""
    if len(goals) == 2:
        found = f"{row['front']} on the front, hypervolume {row['hypervolume']:.6g}"
    elif row["best"] is None:
        found = "none feasible yet"
    else:
        unit = f" {goals[0].unit}" if goals[0].unit else ""
        found = f"best {row['best']:.6g}{unit} +- {row['width']:.2g}"
    return (f"gen {row['generation']}: {found}, {100 * row['feasible']:.0f} % feasible, {row['candidates']} candidates, "
            f"{100 * row['integrating']:.0f} % integrating, {row['draws']} draws")


class Line:
    """On standard error."""

    def __init__(self, goals: Sequence[Goal]) -> None:
        self.goals, self.shown = goals, False

    def show(self, row: "dict[str, Any]") -> None:
        text = f"omniroll: {line(row, self.goals)}"[: shutil.get_terminal_size().columns - 1]
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)
        self.shown = True

    def close(self) -> None:
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def live_for(progress: Told, goals: Sequence[Goal]) -> Live:
    """As progress.bar_for."""
    if callable(progress):
        return Silent(progress)
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress is True, False, None or a function of a row of the history, not {type(progress).__name__}")
    if in_notebook() or _on_terminal() if progress is None else progress:
        return Line(goals)
    return Silent()
