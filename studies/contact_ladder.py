#!/usr/bin/python3
"""The ladder of contact laws on one manoeuvre: studies/contact_ladder.json under each law, what it costs and how far it is from the
finest. Makes the tables and the figure of docs/explanation/laws.md:

    python3 studies/contact_ladder.py --page docs/explanation/laws.md --figure studies/contact_ladder.png
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import sys
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
from omniroll import DeviceError, Error, StudyWarning, operations, run  # noqa: E402
from omniroll.figures.style import COLORS, set_subtitle, styled  # noqa: E402
from omniroll.terminal import say  # noqa: E402

if TYPE_CHECKING:
    import xarray

STUDY = pathlib.Path(__file__).resolve().parent / "contact_ladder.json"
FLOORS = "vary[0].values"
SHOWN = (0.8, 0.4, 0.2)  # friction coefficients of the tables
SEEN = 0.4  # the floor of the table of what each law tells
STEPS = (5e-3, 2.5e-3, 1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5, 2.5e-5, 1e-5, 5e-6)  # s; parts of the controller's period of 5 ms
NEAR, TURNED, SHAKEN = 1e-3, 0.1, 0.05  # m, degrees, share of the vibration: what a step may change
TOLERANCE = 1e-6  # of the motions that are compared: what it leaves is below the digits of the tables
LAW, SLIP = "parameters.contact.law", "parameters.wheel.slip_speed"
GAINS = ("parameters.wheel.contact.stiction_gain", "parameters.wheel.contact.friction_gain")
QUIET = {"integrator.stability": "ignore"}  # steps that are too long are what is looked for


@dataclass(frozen=True)
class Rung:
    """A law, or a law with its numbers."""

    name: str
    changes: Mapping[str, Any]  # members of the study to set
    finest: float = 1e-5  # s: the step that the others are compared with
    method: str = "rk4"
    color: str = "black"
    marker: str = "o"

    def exact(self, tolerance: float = TOLERANCE, floors: Sequence[float] | None = None) -> dict[str, Any]:
        """Of the law's own motion, free of the step."""
        made: dict[str, Any] = {**self.changes, "integrator.method": None, "integrator.step": None, "integrator.tolerance": tolerance, **QUIET}
        return made if floors is None else {**made, FLOORS: list(floors)}

    def settings(self, step: float, floors: Sequence[float] | None = None) -> dict[str, Any]:
        made = {**self.changes, "integrator.method": self.method, "integrator.step": step, **QUIET}
        return made if floors is None else {**made, FLOORS: list(floors)}


def _disc(**more: Any) -> dict[str, Any]:
    return {"model": "disc_vehicle", LAW: "regularized_coulomb", **more}


TRUTH = Rung("explicit rollers, Coulomb, v_s 0.2 mm/s", {SLIP: 2e-4}, method="rosenbrock")
FINER = Rung("the same, v_s 0.1 mm/s", {SLIP: 1e-4}, 5e-6, "rosenbrock")
USUAL = Rung("explicit rollers, Coulomb", {}, method="rosenbrock", color=COLORS[6], marker="o")
RUNGS = (
    Rung("classical massless wheel", {LAW: "classical_rollers"}, 1e-4, color=COLORS[0], marker="s"),
    Rung("massless rollers", {LAW: "massless_rollers"}, 1e-4, color=COLORS[4], marker="D"),
    Rung("disc, friction angle, Exudyn's law", _disc(), 2.5e-5, "rosenbrock", COLORS[5], "^"),
    Rung("disc, friction angle, by components", _disc(**{"parameters.contact.saturation": "components"}), 2.5e-5, "rosenbrock",
         COLORS[1], "v"),
    Rung("explicit rollers, ideal rolling", {LAW: "ideal_rolling"}, 1e-4, color=COLORS[2], marker="P"),
    Rung("explicit rollers, relaxed, gains 1 and 1", {LAW: "udwadia_kalaba"}, color=COLORS[3], marker="X"),
    Rung("explicit rollers, relaxed, gains 4 and 4", {LAW: "udwadia_kalaba", **dict.fromkeys(GAINS, 4)}, color="#7A4A8C", marker="*"),
    Rung("explicit rollers, regularised", {LAW: "regularized_coulomb"}, method="rosenbrock", color=COLORS[7], marker="h"),
    Rung("explicit rollers, Coulomb, rk4", {}, 5e-6, color="#888888", marker="o"),
    USUAL,
)


def motion(rung: Rung, step: float, floors: Sequence[float] | None = None, study: Any = STUDY) -> xarray.Dataset:
    """The study under a law."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyWarning)
        return run(study, set=rung.settings(step, floors), progress=False)


def exact_motion(rung: Rung, floors: Sequence[float] | None = None, study: Any = STUDY, tolerance: float = TOLERANCE) -> xarray.Dataset:
    """The study under a law with error-controlled steps."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyWarning)
        return run(study, set=rung.exact(tolerance, floors), progress=False)


def distances(one: xarray.Dataset, other: xarray.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Largest distance [m] and largest difference of yaw [degrees] over the run, for every floor; NaN where an instance failed."""
    away = np.hypot(one.x.values - other.x.values, one.z.values - other.z.values).max(axis=1)
    return away, np.degrees(np.abs(one.yaw.values - other.yaw.values).max(axis=1))


def _is_near(one: xarray.Dataset, other: xarray.Dataset) -> bool:
    away, turned = distances(one, other)
    shaken = np.abs(one.vibration_rms.values / other.vibration_rms.values - 1)
    return bool(np.all(away <= NEAR) and np.all(turned <= TURNED) and np.all(shaken <= SHAKEN))


def needed_step(rung: Rung, floors: Sequence[float] | None = None, study: Any = STUDY) -> tuple[float, xarray.Dataset]:
    """The longest of STEPS from which on every shorter one moves and shakes the vehicle alike, within NEAR, TURNED and SHAKEN of the
    finest, and the motion at that step."""
    finest = motion(rung, rung.finest, floors, study)
    step, kept = rung.finest, finest
    for longer in sorted(each for each in STEPS if each > rung.finest):
        tried = motion(rung, longer, floors, study)
        if not _is_near(tried, finest):
            break
        step, kept = longer, tried
    return step, kept


@dataclass
class Row:
    """What came out of a law, whose step does not matter, and the step that it needs."""

    rung: Rung
    step: float  # s
    result: xarray.Dataset
    operations: float = float("nan")  # per step; NaN in builds that do not count
    away: np.ndarray = field(default_factory=lambda: np.array([]))  # m, of every floor
    turned: np.ndarray = field(default_factory=lambda: np.array([]))  # degrees

    @property
    def per_second(self) -> float:
        """Operations per simulated second."""
        return self.operations / self.step

    def at(self, friction: float) -> int:
        floors = self.result.wheel_friction.values
        return int(np.argmin(np.abs(floors - friction)))


def counted_operations(study: Any, changes: Mapping[str, Any]) -> float:
    """Useful floating-point operations per step; NaN in builds that do not count."""
    try:
        return operations(study, set=changes)["useful"]
    except DeviceError:
        return float("nan")


def measured(rung: Rung, step: float, result: xarray.Dataset, truth: xarray.Dataset, study: Any = STUDY) -> Row:
    away, turned = distances(result, truth)
    return Row(rung, step, result, counted_operations(study, rung.settings(step)), away, turned)


def at_its_tolerance(rung: Rung, step: float, truth: xarray.Dataset, floors: Sequence[float] | None = None, study: Any = STUDY) -> Row:
    """The row of a law: what it tells by error-controlled steps, but for the truth's own, which tells what the step leaves."""
    result = motion(rung, step, floors, study) if rung is TRUTH else exact_motion(rung, floors, study)
    return measured(rung, step, result, truth, study)


def climb(floors: Sequence[float] | None = None, study: Any = STUDY, say: Any = None) -> tuple[Row, list[Row]]:
    """The truth and the rows of all laws."""
    finest = exact_motion(TRUTH, floors, study)
    rows = []
    for rung in (TRUTH, *RUNGS):
        step, _ = needed_step(rung, floors, study)
        rows.append(at_its_tolerance(rung, step, finest, floors, study))
        if say:
            say(f"{rung.name}: step {1e3 * step:g} ms, {rows[-1].operations:.0f} operations per step")
    truth = Row(TRUTH, TRUTH.finest, finest, rows[0].operations, *distances(finest, finest))
    return truth, [*rows[1:], rows[0]]


def digits(value: float) -> str:
    """Two digits, or whole numbers from 100 on."""
    if not np.isfinite(value):
        return "-"
    if abs(value) < 1e-3:
        return "0" if abs(value) < 1e-9 else "< 0.001"
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.2g}"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = list(head)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def cost_table(rows: Sequence[Row]) -> str:
    """Cost of every law, in Markdown."""
    head = ["law", "operations per step", "step needed [ms]", "operations per simulated second [10⁶]", "relative"]
    usual = next(row for row in rows if row.rung is USUAL)
    lines = [[row.rung.name, f"{row.operations:.0f}", f"{1e3 * row.step:g}", digits(row.per_second / 1e6),
              digits(row.per_second / usual.per_second)] for row in rows]
    return _table(head, lines)


def error_table(rows: Sequence[Row]) -> str:
    """Largest distance from the finest path and largest difference in yaw over the run, on the floors SHOWN."""
    head = ["law", *(f"path, μ = {mu:g} [mm]" for mu in SHOWN), *(f"yaw, μ = {mu:g} [°]" for mu in SHOWN)]
    lines = [[row.rung.name, *(digits(1e3 * row.away[row.at(mu)]) for mu in SHOWN), *(digits(row.turned[row.at(mu)]) for mu in SHOWN)]
             for row in rows]
    return _table(head, lines)


def doubt(truth: Row, finer: xarray.Dataset) -> str:
    """What the finest motion leaves open, in words."""
    away, turned = distances(truth.result, finer)
    return (f"Half its slip speed and a tenth of its tolerance move the finest path\nby at most {digits(1e3 * away.max())} mm and turn it by at most "
            f"{digits(turned.max())}°, on any of the floors.")


SEEN_COLUMNS = (("max_force_ratio", "largest force over μN", 1.0), ("max_slip", "largest slip [m/s]", 1.0),
                ("min_load", "smallest load [N]", 1.0), ("max_load", "largest load [N]", 1.0),
                ("vibration_rms", "vibration, rms [m/s²]", 1.0), ("dissipated_energy", "friction [J]", 1.0),
                ("impact_loss", "impacts [J]", 1.0), ("odometry_error", "odometry [mm]", 1e3))


def seen_table(rows: Sequence[Row], friction: float = SEEN) -> str:
    """What every law says besides the path, on one floor."""
    lines = [[row.rung.name, *(digits(factor * float(row.result[name].values[row.at(friction)])) for name, _, factor in SEEN_COLUMNS)]
             for row in rows]
    return _table(["law", *(words for _, words, _ in SEEN_COLUMNS)], lines)


def change_table() -> str:
    """How to make each law of the study."""
    lines = []
    for rung in (*RUNGS, TRUTH):
        method = {} if rung.method == "rosenbrock" else {"integrator.method": rung.method}
        words = " ".join(f"--set {path}={value}" for path, value in {**rung.changes, **method}.items())
        lines.append([rung.name, f"`{words}`" if words else "as it stands"])
    return _table(["law", "changes to `contact_ladder.json`"], lines)


def tables(rows: Sequence[Row], truth: Row) -> dict[str, str]:
    """rows: those of climb, whose last is the truth's law at the step that it needs."""
    return {"changes": change_table(), "costs": cost_table(rows), "errors": error_table(rows), "seen": seen_table([*rows[:-1], truth])}


def table_of(page: str, name: str) -> str:
    """The text of a table in the page."""
    found = re.search(rf"<!-- made: {name} -->\n(.*?)\n<!-- end -->", page, re.DOTALL)
    if not found:
        raise ValueError(f"the page has no table '{name}' between <!-- made: {name} --> and <!-- end -->")
    return found.group(1)


def replaced(page: str, made: Mapping[str, str]) -> str:
    """The page with its tables made anew."""
    for name, text in made.items():
        begin, end = f"<!-- made: {name} -->\n", "\n<!-- end -->"
        page = page.replace(f"{begin}{table_of(page, name)}{end}", f"{begin}{text}{end}")
    return page


def _draw_paths(axes: Any, truth: Row, rows: Sequence[Row], friction: float) -> None:
    for row in rows:
        at = row.at(friction)
        axes.plot(row.result.z.values[at], row.result.x.values[at], color=row.rung.color, linewidth=1.3)
        axes.plot(row.result.z.values[at][-1], row.result.x.values[at][-1], row.rung.marker, color=row.rung.color, markersize=6)
    at = truth.at(friction)
    axes.plot(truth.result.z.values[at], truth.result.x.values[at], color="black", linewidth=2.2, linestyle=(0, (4, 2)))
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("z, to the right [m]")
    axes.set_ylabel("x, forward [m]")


def _draw_errors(axes: Any, rows: Sequence[Row]) -> None:
    for row in rows:
        axes.loglog(row.result.wheel_friction.values, 1e3 * row.away, color=row.rung.color, marker=row.rung.marker, markersize=4,
                    linewidth=1.2)
    axes.set_xticks([0.1, 0.2, 0.4, 0.8], ["0.1", "0.2", "0.4", "0.8"])
    axes.minorticks_off()
    axes.set_yticks([0.1, 1, 10, 100, 1000], ["0.1", "1", "10", "100", "1000"])
    axes.set_xlabel("friction coefficient μ of the floor")
    axes.set_ylabel("largest distance from the finest path [mm]")


def _draw_costs(axes: Any, rows: Sequence[Row], friction: float) -> None:
    for row in rows:
        axes.loglog(row.per_second / 1e6, 1e3 * row.away[row.at(friction)], row.rung.marker, color=row.rung.color, markersize=9)
    axes.minorticks_off()
    axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    axes.set_yticks([0.1, 1, 10, 100, 1000], ["0.1", "1", "10", "100", "1000"])
    axes.set_xlabel("million operations per simulated second")


@styled
def ladder(truth: Row, rows: Sequence[Row]) -> Any:
    """Paths on a slippery floor, errors over friction, errors over cost."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    figure = Figure(figsize=(11.0, 5.6))
    left, middle, right = figure.subplots(1, 3, width_ratios=[1.0, 1.0, 0.9])
    _draw_paths(left, truth, rows[:-1], min(SHOWN))
    set_subtitle(left, f"Paths from above, μ = {min(SHOWN):g}", 3.6)
    _draw_errors(middle, rows[:-1])
    set_subtitle(middle, "Error over friction", 3.6)
    _draw_costs(right, rows[:-1], SEEN)
    right.set_ylim(middle.get_ylim())
    set_subtitle(right, f"Error over cost, μ = {SEEN:g}", 3.2)
    handles = [Line2D([], [], color=row.rung.color, marker=row.rung.marker, linewidth=1.3, label=row.rung.name) for row in rows[:-1]]
    handles.append(Line2D([], [], color="black", linewidth=2.2, linestyle=(0, (4, 2)), label=truth.rung.name))
    figure.subplots_adjust(left=0.06, right=0.985, top=0.93, bottom=0.28, wspace=0.26)
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False)
    return figure


def _save(figure: Any, path: str) -> None:
    """Without date and version, so that the same figure is the same file."""
    figure.savefig(path, dpi=100, metadata={"Software": None})


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 studies/contact_ladder.py", description=__doc__.split(":\n")[0])
    parser.add_argument("--study", default=os.fspath(STUDY), help="the study; default: studies/contact_ladder.json of the source tree")
    parser.add_argument("--page", metavar="FILE", help="write the tables into this page, such as docs/explanation/laws.md")
    parser.add_argument("--figure", metavar="PNG", help="draw the figure")
    parser.add_argument("--floors", metavar="MU", type=float, nargs="+", help="these friction coefficients instead of the study's")
    chosen = parser.parse_args(arguments)
    try:
        truth, rows = climb(chosen.floors, chosen.study, say)
    except Error as error:
        say(f"contact_ladder: {error}")
        return 1
    made = {**tables(rows, truth), "doubt": doubt(truth, exact_motion(FINER, chosen.floors, chosen.study, TOLERANCE / 10))}
    print("\n\n".join(made.values()))
    if chosen.page:
        page = pathlib.Path(chosen.page)
        page.write_text(replaced(page.read_text(encoding="utf-8"), made), encoding="utf-8")
    if chosen.figure:
        _save(ladder(truth, rows), chosen.figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
