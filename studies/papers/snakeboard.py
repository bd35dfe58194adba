"""Gaits of the snakeboard (source 3, section 3.3): studies/snakeboard_drive.json, snakeboard_rotate.json, snakeboard_parking.json."""

import numpy as np

from omniroll.figures.style import COLORS, Skipped, empty_figure, plain, styled

from .shared import SOURCE3, require_model, second_axis

NEEDED = ("x", "z", "yaw", "vz", "yaw_rate", "front_angle", "rear_angle", "front_speed")
SNAPSHOTS = 6
SPUN = 2.5  # rad between first and last picture of a board that turns
AXLE = 0.35  # half an axle as it is drawn, of half the coupler


def half_length(result, row):
    """l from the velocity of the front wheelset across the coupler, w - l r = -V sin phi_f, by least squares."""
    samples = {name: result.trajectories[name][row] for name in NEEDED}
    rate = samples["yaw_rate"]
    across = samples["vz"] + samples["front_speed"] * np.sin(samples["front_angle"])
    alive = np.isfinite(rate) & np.isfinite(across)
    if not np.any(rate[alive] != 0):
        raise Skipped("the board does not turn, and its length is not known")
    return float(np.dot(rate[alive], across[alive]) / np.dot(rate[alive], rate[alive]))


def _board(axes, result, row, sample, length, color):
    """Coupler and axles from above: x is up, z to the right; the round end is the front."""
    x, z, yaw = (result.trajectories[name][row, sample] for name in ("x", "z", "yaw"))
    forward = np.array([np.cos(yaw), -np.sin(yaw)])
    ends = [np.array([x, z]) + side * length * forward for side in (1, -1)]
    axes.plot([end[1] for end in ends], [end[0] for end in ends], color=color, linewidth=2.2, zorder=3)
    for end, name in zip(ends, ("front_angle", "rear_angle")):
        angle = yaw + result.trajectories[name][row, sample]
        axle = AXLE * length * np.array([np.sin(angle), np.cos(angle)])
        axes.plot([end[1] - axle[1], end[1] + axle[1]], [end[0] - axle[0], end[0] + axle[0]], color=color, linewidth=1.4, zorder=3)
    axes.plot(ends[0][1], ends[0][0], "o", color=color, markersize=3.5, zorder=3)


def _name(result, row):
    if "scale" not in result.parameters:
        return "path of the midpoint"
    scale = result.parameters["scale"][int(result.traced[row])]
    return "path, all masses" if scale == 1 else f"path, wheelsets' masses × {scale:g}".replace("e-0", "e-")


def _plan(axes, result):
    alive = np.flatnonzero(np.isfinite(result.trajectories["x"][0]))
    length = half_length(result, 0)
    for row in range(len(result.traced)):
        axes.plot(result.trajectories["z"][row], result.trajectories["x"][row], color=COLORS[row], linewidth=1.1,
                  linestyle="-" if row == 0 else "--", label=_name(result, row), zorder=2)
    turned = np.abs(result.trajectories["yaw"][0, alive] - result.trajectories["yaw"][0, 0])
    last = alive[min(len(alive) - 1, np.searchsorted(np.maximum.accumulate(turned), SPUN))]
    for k, sample in enumerate(np.linspace(0, last, SNAPSHOTS).round().astype(int)):
        _board(axes, result, 0, sample, length, str(0.75 * (1 - k / (SNAPSHOTS - 1))))
    axes.plot([], [], "o-", color="0.3", markersize=3.5, linewidth=2.2, label=f"board, 0 (light) to {result.time[last]:g} s")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="z, to the right [m]", ylabel="x, forward [m]")
    axes.set_title(plain(result.attrs.get("title", "")), loc="left", fontsize=10)
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.06), fontsize=7, frameon=False)


def _times(axes, result):
    other = second_axis(axes)
    lines = [axes.plot(result.time, result.trajectories["x"][0], color=COLORS[0], label="x, forward")[0],
             axes.plot(result.time, result.trajectories["z"][0], color=COLORS[2], label="z, to the right")[0],
             other.plot(result.time, result.trajectories["yaw"][0], color=COLORS[1], linestyle="--", label="yaw")[0]]
    axes.set(xlabel="time [s]", ylabel="position [m]")
    other.set_ylabel("yaw [rad]")
    axes.margins(x=0.01)
    axes.legend(handles=lines, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, frameon=False, fontsize=7)


@styled
def gaits(*results):
    """Per result the board from above at a few times with the path of its midpoint, and pose over time."""
    if not results:
        raise Skipped("it needs at least one result")
    for result in results:
        require_model(result, "snakeboard", "it shows snakeboards; studies/snakeboard_drive.json, _rotate.json and _parking.json are three")
    figure = empty_figure(results[0], 4.6 * len(results) + 0.4, 7.4, "Gaits of the snakeboard")
    panels = figure.subplots(2, len(results), squeeze=False, height_ratios=[3, 1.3])
    for column, result in enumerate(results):
        _plan(panels[0, column], result)
        _times(panels[1, column], result)
    return figure


FIGURES = {
    "source3-gaits": (gaits, f"Gaits of: {SOURCE3}, section 3.3, after A. Lewis, J. Ostrowski, R. Murray, J. Burdick, Nonholonomic "
                             "mechanics and locomotion: the snakeboard example (1994); masses, lengths and amplitudes assumed. Studies: "
                             "snakeboard_drive.json, snakeboard_rotate.json, snakeboard_parking.json"),
}
