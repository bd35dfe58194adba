#!/usr/bin/python3
"""Errors of the methods of integration over the step, on studies/compare_vehicle_driven.json. Makes the table and the figure of
docs/explanation/steps.md:

    python3 studies/convergence.py --page docs/explanation/steps.md --figure docs/explanation/convergence.png
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
from contact_ladder import _save, _table, counted_operations, replaced  # noqa: E402
from omniroll import Error, StudyWarning, run  # noqa: E402
from omniroll.figures.style import COLORS, set_subtitle, styled  # noqa: E402
from omniroll.terminal import say  # noqa: E402

if TYPE_CHECKING:
    import xarray

STUDY = pathlib.Path(__file__).resolve().parent / "compare_vehicle_driven.json"
STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4)  # s
EXACT = 1.5625e-5  # s, of rk4: the yardstick
STATES = ("final_x", "final_z", "final_yaw", "final_vx", "final_vz", "final_yaw_rate")
SMOOTH = {"parameters.wheel.slip_speed": 3.0}  # no wheel slips faster: friction is a smooth function throughout
METHOD, STEP = "integrator.method", "integrator.step"


@dataclass(frozen=True)
class Row:
    """A way of integrating."""

    name: str
    changes: Mapping[str, Any]
    order: str
    marker: str = "o"


SINGLE = Row("rk4, single precision", {METHOD: "rk4", "engine.precision": "single"}, "rounding", "X")  # seen at every one of STEPS
ROWS = (
    Row("rk4", {METHOD: "rk4"}, "4", "o"),
    Row("midpoint", {METHOD: "midpoint"}, "2", "s"),
    Row("heun", {METHOD: "heun"}, "2", "^"),
    Row("semi_implicit_euler", {METHOD: "semi_implicit_euler"}, "1", "v"),
    Row("rosenbrock", {METHOD: "rosenbrock"}, "2", "D"),
    Row("rk4, exchanges at ends of steps", {METHOD: "rk4", "integrator.exchange": "straddle"}, "about 1", "P"),
    SINGLE,
)


def final(changes: Mapping[str, Any], step: float, study: Any = STUDY) -> "xarray.Dataset":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyWarning)
        return run(study, set={**SMOOTH, **changes, STEP: step}, progress=False)


def error(one: "xarray.Dataset", other: "xarray.Dataset") -> float:
    """Largest difference of final positions [m], yaw [rad] and velocities [m/s, rad/s]."""
    return max(abs(float(one[name][0]) - float(other[name][0])) for name in STATES)


def errors(row: Row, exact: "xarray.Dataset", steps: Sequence[float] = STEPS, study: Any = STUDY) -> list[float]:
    return [error(final(row.changes, step, study), exact) for step in steps]


def measured(study: Any = STUDY) -> tuple[list[list[float]], list[float], float]:
    """Errors and operations per step of all rows, and the number of exchanges."""
    exact = final({METHOD: "rk4"}, EXACT, study)
    cost = [counted_operations(study, {**SMOOTH, **row.changes, STEP: STEPS[-1]}) for row in ROWS]
    return [errors(row, exact, STEPS, study) for row in ROWS], cost, float(exact.exchanges[0])


def order_of(found: Sequence[float]) -> float:
    """From the two shortest steps."""
    return float(np.log2(found[-2] / found[-1]))


def table(found: Sequence[Sequence[float]], cost: Sequence[float]) -> str:
    head = ["method", "order", *(f"{1e3 * step:g} ms" for step in STEPS), "order found", "operations per step"]
    lines = [[row.name, row.order, *(f"{value:.1e}" for value in values), "-" if row is SINGLE else f"{order_of(values):.1f}",
              f"{operations:.0f}"] for row, values, operations in zip(ROWS, found, cost)]
    return _table(head, lines)


@styled
def figure(found: Sequence[Sequence[float]]) -> Any:
    from matplotlib.figure import Figure

    made = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = made.subplots()
    steps = 1e3 * np.array(STEPS)
    for color, row, values in zip(COLORS, ROWS, found):
        axes.loglog(steps, values, marker=row.marker, color=color, label=row.name)
    axes.set_xticks(steps, [f"{step:g}" for step in steps])
    axes.minorticks_off()
    axes.set_xlabel("step [ms]")
    axes.set_ylabel("largest error at the end [m, rad, m/s, rad/s]")
    set_subtitle(axes, "Three wheels with inclined rollers under three motor torques, 2 s", 7.0)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 studies/convergence.py", description=__doc__.split(". Makes")[0] + ".")
    parser.add_argument("--study", default=os.fspath(STUDY), help="the study; default: studies/compare_vehicle_driven.json")
    parser.add_argument("--page", metavar="FILE", help="write the table into this page, such as docs/explanation/steps.md")
    parser.add_argument("--figure", metavar="PNG", help="draw the figure")
    chosen = parser.parse_args(arguments)
    try:
        found, cost, exchanges = measured(chosen.study)
    except Error as failed:
        say(f"convergence: {failed}")
        return 1
    made = {"convergence": table(found, cost)}
    print(made["convergence"])
    print(f"\n{exchanges:.0f} exchanges", file=sys.stderr)
    if chosen.page:
        page = pathlib.Path(chosen.page)
        page.write_text(replaced(page.read_text(encoding="utf-8"), made), encoding="utf-8")
    if chosen.figure:
        _save(figure(found), chosen.figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
