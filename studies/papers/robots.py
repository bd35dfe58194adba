"""Measured robots beside their calibrated models: end poses of all runs, and the path of one run each with its band; published.py names it."""

from __future__ import annotations

import json
import os
import pathlib
import re
from typing import Any, Sequence

import numpy as np
from matplotlib.patches import Rectangle

from omniroll.figures.style import COLORS, Skipped, empty_figure, set_subtitle, styled

from .shared import require_traces

OPTIODOM = ("R. B. Sousa, M. R. Petry, P. G. Costa, A. P. Moreira, OptiOdom: a generic approach for odometry calibration of wheeled mobile "
            "robots, J. Intell. Robot. Syst. 105 (2022)")
NAMES = {"omni3": "three omni wheels", "omni4": "four mecanum wheels"}


def _folder() -> pathlib.Path:
    asked = os.environ.get("OMNIROLL_STUDIES")
    return (pathlib.Path(asked) if asked else pathlib.Path(__file__).resolve().parents[1]) / "robots"


def book() -> dict[str, Any]:
    """What studies/robots/book.py found: for each robot its runs, with the errors of engine and yardstick. Raises Skipped."""
    try:
        with open(_folder() / "book.json", encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        raise Skipped("studies/robots/book.json is not there; python3 studies/robots/book.py makes it") from None


def groups(runs: Sequence[dict[str, Any]]) -> dict[tuple[str, bool], list[dict[str, Any]]]:
    """Runs by what they are for: (shape, fitted or not) -> runs, in their order."""
    found: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for run in runs:
        found.setdefault((run["file"].split("-")[1], run["fitted"]), []).append(run)
    return found


def _ends(axes: Any, runs: Sequence[dict[str, Any]]) -> None:
    labels = []
    for at, ((shape, fitted), some) in enumerate(groups(runs).items()):
        for who, color, shift in (("yardstick", COLORS[1], -0.15), ("engine", COLORS[0], 0.15)):
            ends = [run[who]["mm"] for run in some]
            across = at + shift + np.linspace(-0.08, 0.08, len(ends))
            axes.plot(across, ends, ".", color=color, markersize=4, alpha=0.6)
            axes.plot([at + shift - 0.12, at + shift + 0.12], [np.median(ends)] * 2, color=color, linewidth=2,
                      label={"yardstick": "kinematic odometry", "engine": "calibrated engine"}[who] if at == 0 else None)
        labels.append(f"{shape}\n{'fitted' if fitted else 'predicted'}")
    axes.set_xticks(range(len(labels)), labels)
    axes.set(ylabel="end position error [mm]", ylim=(0, None))
    axes.grid(axis="x", visible=False)


def _pictured(result: Any, runs: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], Any]:
    """The run that a result replays, as book.json has it, and its measured path from its start."""
    study = json.loads(str(result.attrs["study"]))
    number = study["data"].get("run", 0)
    name = os.path.basename(study["data"]["runs"][int(number)]["file"])
    rows = np.genfromtxt(_folder() / "data" / name, delimiter=",", skip_header=2)
    way = ((rows[:, 1] - rows[0, 1]) + 1j * (rows[:, 2] - rows[0, 2])) * np.exp(-1j * rows[0, 3])
    return next(run for run in runs if run["file"] == name), way


def _path(axes: Any, result: Any, runs: Sequence[dict[str, Any]]) -> None:
    require_traces(result)
    run, real = _pictured(result, runs)
    ways = result.trajectories["x"] - 1j * result.trajectories["z"]
    for way in ways[1:]:
        axes.plot(way.real, way.imag, color=COLORS[4], linewidth=0.5, alpha=0.35)
    axes.plot(ways[0].real, ways[0].imag, color=COLORS[0], linewidth=1.2, label="mean of the posterior")
    axes.plot(real.real, real.imag, color="black", linewidth=1.0, linestyle="--", label="measured")
    low, high = run["low"], run["high"]
    axes.add_patch(Rectangle(
        (low[0], low[1]), high[0] - low[0], high[1] - low[1], fill=False, edgecolor=COLORS[2], linewidth=1.5, label="end, middle 90 %"))
    axes.plot(real[-1].real, real[-1].imag, "x", color="black", markersize=7)
    axes.set(xlabel="forward from the start [m]", ylabel="to the left [m]", aspect="equal")
    shape, take, number = re.findall(r"omni\d-(\w+)-(\d+)-(\d+)\.csv", run["file"])[0]
    set_subtitle(axes, f"{shape} {take}, run {number}, {'fitted' if run['fitted'] else 'predicted'}: off by {run['engine']['mm']:.0f} mm at its end, "
                    f"odometry by {run['yardstick']['mm']:.0f} mm", 3.6)
    axes.legend(loc="best")


@styled  # type: ignore[misc]
def ends_and_paths(*results: Any) -> Any:
    """End position errors of all runs beside the yardstick's, and a path with points of the posterior; a robot for each result."""
    found = book()
    figure = empty_figure(results[0], 10.5, 4.8 * len(results), "Measured robots, calibrated on some of their runs")
    panes = figure.subplots(len(results), 2, width_ratios=[1.25, 1], squeeze=False)
    for (ends, path), robot, result in zip(panes, found, results):
        runs = found[robot]["runs"]
        _ends(ends, runs)
        set_subtitle(ends, f"{NAMES[robot]}: a dot is a run, a bar the median", 5.5)
        ends.legend(loc="upper left")
        _path(path, result, runs)
    return figure


FIGURES = {
    "robots": (ends_and_paths, f"Runs that were measured by: {OPTIODOM}. Study: robots/omni3.json; numbers by robots/book.py"),
}
