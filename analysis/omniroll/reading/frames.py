"""Frames: the axes and signs of a result, and how a picture is drawn of it.

Pictures are computed in the frame "y_up" (x forward, z to the right, wheel axes to the right), whatever the study's; their texts are in
the study's. lists.json has the names and signs that differ in each frame (host/lists/frame_*.def)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Mapping

from .. import lists
from .result import Array, Result

FIRST = "y_up"


def of(result: Result) -> str:
    """The frame of a result; one without the word is in the first."""
    return str(result.attrs.get("frame", FIRST))


@dataclass(frozen=True)
class Side:
    """The direction across the vehicle, as a frame has it."""

    axis: str  # "z" or "y"
    words: str  # "right" or "left"
    sign: float  # of a value to the right

    @property
    def label(self) -> str:
        return f"{self.axis}, to the {self.words}"


def side(result: Result) -> Side:
    return Side("y", "left", -1.0) if of(result) == "ros" else Side("z", "right", 1.0)


def rows(frame: str, kind: str, model: str) -> dict[str, tuple[str, float]]:
    """The names of a kind ("sample", "parameter", ...) that the frame turns: name in the frame -> (name in y_up, sign)."""
    return {row["here"]: (row["name"], -1.0 if row["sign"] == "-" else 1.0)
            for row in lists.frame_turns() if row["frame"] == frame and row["of"] == kind and model in row["models"]}


def _turned(values: Mapping[str, Array], known: Mapping[str, tuple[str, float]]) -> dict[str, Array]:
    found = {}
    for name, array in values.items():
        other, sign = known.get(name, (name, 1.0))
        found[other] = array if sign > 0 else 0.0 - array
    return found


def _renamed(words: Mapping[str, str], *known: Mapping[str, tuple[str, float]]) -> dict[str, str]:
    names = {name: other for table in known for name, (other, _) in table.items()}
    return {names.get(name, name): text for name, text in words.items()}


def drawn(result: Result) -> Result:
    """The result with samples and wheels in y_up, for pictures; the same where it is in that. Parameters and observables keep theirs."""
    frame, model = of(result), str(result.attrs.get("model", ""))
    if frame == FIRST or "drawn" in result.attrs:
        return result
    samples = {**rows(frame, "sample", model), **rows(frame, "wheel sample", model)}
    shapes = rows(frame, "wheel shape", model)
    return dataclasses.replace(result, trajectories=_turned(result.trajectories, samples), wheels=_turned(result.wheels, shapes),
                               units=_renamed(result.units, samples, shapes), attrs={**result.attrs, "drawn": FIRST})


def parameter_here(result: Result, path: str) -> tuple[str, float]:
    """The study's name of a parameter of y_up, and the sign of its value there."""
    model = str(result.attrs.get("model", ""))
    head, tail = ("wheel.", path[6:]) if path.startswith("wheel.") else ("", path)
    for here, (name, sign) in rows(of(result), "of wheels" if head else "parameter", model).items():
        if name == tail:
            return head + here, sign
    return path, 1.0


def label_plane(axes: Any, result: Result) -> None:
    """The labels of a plane seen from above: up is forward, to the right with numbers of the result's frame."""
    across = side(result)
    axes.set(xlabel=f"{across.label} [m]", ylabel="x, forward [m]")
    if across.sign < 0:
        usual = axes.xaxis.get_major_formatter()
        axes.xaxis.set_major_formatter(_Negated(usual))


def _Negated(usual: Any) -> Any:  # noqa: N802 - a class once matplotlib is there
    """Numbers with the other sign."""
    from matplotlib.ticker import Formatter

    class Negated(Formatter):
        def __call__(self, x: float, pos: "int | None" = None) -> str:
            return str(usual(0.0 - x, pos))

        def set_axis(self, axis: Any) -> None:
            super().set_axis(axis)
            usual.set_axis(axis)

        def set_locs(self, locs: Any) -> None:
            usual.set_locs([0.0 - value for value in locs])

        def get_offset(self) -> str:
            return str(usual.get_offset())

    return Negated()
