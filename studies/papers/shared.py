"""What the figures of several sources share: what a result must have, axes over time, and the sources' names."""

from __future__ import annotations

from typing import Any

from omniroll.figures.style import COLORS, Skipped
from omniroll.reading.result import Result

SOURCE1 = ("I. Kosenko, S. Stepanov, K. Gerasimov, M. Stavrovskiy, Virtual testbench for the omni wheel dynamics simulation: new "
           "contact tracking algorithm")
SOURCE2 = "I. I. Kosenko, K. V. Gerasimov, Physically oriented simulation of the omnivehicle dynamics, Rus. J. Nonlin. Dyn. 12 (2016)"
SOURCE3 = "I. I. Kosenko, How one can arrange the multibody system dynamics computer model"
SOURCE5 = "B. Ikoki, The Rolling Wheel Equations without Magic, J. Transp. Technol. 11 (2021) 378"


def require_traces(result: Result) -> None:
    """Raises Skipped where nothing was traced."""
    if not result.trajectories:
        raise Skipped("the study asked for no trajectories")


def require_model(result: Result, model: str, otherwise: str) -> None:
    """Raises Skipped with these words for a result of another model, and where nothing was traced."""
    if result.attrs.get("model") != model:
        raise Skipped(otherwise)
    require_traces(result)


def second_axis(axes: Any) -> Any:
    """An axis on the right."""
    other = axes.twinx()
    other.grid(False)
    other.spines["right"].set_visible(True)
    return other


def mark_order(axes: Any, value: float, words: str) -> None:
    """A line at the order of magnitude that a paper gives, with words above it."""
    axes.axhline(value, color=COLORS[1], linestyle="--", linewidth=1.2)
    axes.annotate(words, (0.012, value), color=COLORS[1], xycoords=axes.get_yaxis_transform(), xytext=(0, 3),
                  textcoords="offset points", fontsize=8)
