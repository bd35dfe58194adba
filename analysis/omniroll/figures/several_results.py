"""Several results in one figure: the same study with different models."""

import os

import numpy as np

from ..reading import frames
from .basic import _headings
from .style import COLORS, DASHES, Skipped, empty_figure, finish, plain, set_subtitle, styled


def _labels(results):
    """The model, and the name of the file where several results have one model."""
    models = [str(result.attrs.get("model", "")) for result in results]
    stems = [os.path.splitext(os.path.basename(result.path))[0] for result in results]
    if len(set(models)) == len(models):
        return models
    return [f"{model} ({stem})" for model, stem in zip(models, stems)]


def resisted_slip(samples):
    """Slip velocity against the friction force, -F.v/|F|, of every wheel [time, wheel], on which friction works. Unlike the slip itself
    it leaves out that a painted roller rolls; where friction points against the slip it is the slip speed."""
    power = -(samples["force_i"] * samples["slip_i"] + samples["force_k"] * samples["slip_k"])
    force = np.hypot(samples["force_i"], samples["force_k"])
    return np.divide(power, force, out=np.zeros_like(power), where=force > 0)


def _row(result, instance):
    if not result.trajectories:
        raise Skipped(f"{result.path}: the study asked for no trajectories")
    rows = np.flatnonzero(result.traced == instance)
    if not len(rows):
        raise Skipped(f"{result.path}: instance {instance} was not traced")
    return rows[0]


PANELS = [
    ("yaw\n[deg]", lambda samples: np.degrees(samples["yaw"])),
    ("forward\nvelocity\n[m s$^{-1}$]", lambda samples: samples["vx"]),
    ("velocity\nto the SIDE\n[m s$^{-1}$]", lambda samples: samples["across"]),
    ("slip against\nfriction, largest\n[m s$^{-1}$]", lambda samples: resisted_slip(samples).max(axis=1)),
    ("normal load\nof wheel 0\n[N]", lambda samples: samples["normal_load"][:, 0]),
]


def _draw(result, row, index, path, panels, label, sign):
    color, dash = COLORS[index % len(COLORS)], DASHES[index % len(DASHES)]
    samples = {name: values[row] for name, values in frames.drawn(result).trajectories.items()}
    samples["across"] = sign * samples["vz"]
    z, x = samples["z"], samples["x"]
    path.plot(z, x, color=color, linestyle=dash, linewidth=1.8, label=plain(label))
    alive = np.flatnonzero(np.isfinite(x))
    if len(alive):
        path.plot(z[alive[-1]], x[alive[-1]], "o", color=color, markersize=5, zorder=4)
        _headings(path, result, row, color)
    for axes, (_, quantity) in zip(panels, PANELS):
        axes.plot(result.time, quantity(samples), color=color, linestyle=dash, linewidth=1.1, zorder=3 - 0.1 * index)


@styled
def comparison(results, instance=None):
    """Path, yaw, velocity, slip and load of one traced instance of several results, in one figure."""
    instance = int(results[0].traced[0]) if instance is None and results[0].trajectories else instance or 0
    rows, side = [_row(result, instance) for result in results], frames.side(results[0])
    figure = empty_figure(results[0], 12.0, 8.0, f"Comparison of instance {instance} of {len(results)} results")
    grid = figure.add_gridspec(len(PANELS), 2, width_ratios=[1, 1.25])
    path = figure.add_subplot(grid[:, 0])
    panels = [figure.add_subplot(grid[0, 1])]
    panels += [figure.add_subplot(grid[i, 1], sharex=panels[0]) for i in range(1, len(PANELS))]
    path.set_aspect("equal", adjustable="datalim")
    path.margins(0.1)
    for index, (result, row, label) in enumerate(zip(results, rows, _labels(results))):
        _draw(result, row, index, path, panels, label, side.sign)
    path.plot(*[frames.drawn(results[0]).trajectories[name][rows[0]][0] for name in ("z", "x")], "o", markersize=6, color="white",
              markeredgecolor="#333333", zorder=5, label="start")
    for axes, (name, _) in zip(panels, PANELS):
        axes.set_ylabel(name.replace("SIDE", side.words))
        axes.margins(x=0.01)
        axes.tick_params(labelbottom=axes is panels[-1])
    frames.label_plane(path, results[0])
    path.legend(loc="best")
    set_subtitle(path, "Path of the body origin, seen from above; arrows: heading", 5.5)
    return finish(figure, panels)
