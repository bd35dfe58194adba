"""How far a search is: one line that is written anew."""

from __future__ import annotations

import shutil
from typing import Any, Callable, Sequence, Union

from ..running.progress import Line, wanted
from .evaluator import Goal


Told = Union[None, bool, Callable[["dict[str, Any]"], Any]]


class Live:
    """A display of rows of the history: none, or a function of the caller; where it returns False the search stops."""

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


class OnTerminal(Line, Live):
    """On standard error."""

    def __init__(self, goals: Sequence[Goal]) -> None:
        self.goals = goals

    def show(self, row: "dict[str, Any]") -> None:
        self.say(f"omniroll: {line(row, self.goals)}"[: shutil.get_terminal_size().columns - 1])


def live_for(progress: Told, goals: Sequence[Goal]) -> Live:
    """As progress.bar_for."""
    if callable(progress):
        return Live(progress)
    return OnTerminal(goals) if wanted(progress, "a row of the history") else Live()
