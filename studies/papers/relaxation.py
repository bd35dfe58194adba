"""Which relaxed constraints come closest to friction: studies/uk_weight_calibration.json beside the same study under saturated
Coulomb friction."""

import numpy as np
from matplotlib.colors import LogNorm

from omniroll.figures.style import COLORMAP, COLORS, Skipped, empty_figure, set_subtitle, styled
from omniroll.figures.axis_scales import plain_decades

from .shared import SOURCE5

STICTION, FRICTION, SPEED = "wheel_contact_stiction_gain", "wheel_contact_friction_gain", "wheel_contact_reference_speed"
VARIED = (STICTION, FRICTION, SPEED)


def distances(relaxed, yardstick):
    """How far each traced instance of the relaxed study is from the yardstick's motion: rms over time of the distance [m] and
    of the difference in yaw [rad]. NaN for instances that failed."""
    if not relaxed.trajectories or not yardstick.trajectories or not np.array_equal(relaxed.time, yardstick.time):
        raise Skipped("both results need trajectories at the same times")
    many, one = relaxed.trajectories, yardstick.trajectories
    away = np.hypot(many["x"] - one["x"][0], many["z"] - one["z"][0])
    turned = many["yaw"] - one["yaw"][0]
    return np.sqrt(np.mean(away**2, axis=1)), np.sqrt(np.mean(turned**2, axis=1))


def _tables(relaxed, values):
    """The values as [k_s, k_F, v_ref]."""
    levels = [relaxed.levels(name) for name in VARIED]
    table = np.full([len(each) for each in levels], np.nan)
    rows = relaxed.traced_rows
    places = tuple(np.searchsorted(each, relaxed.parameters[name][rows]) for name, each in zip(VARIED, levels))
    table[places] = values
    return levels, table


def closest(relaxed, yardstick):
    """Parameters, row and distances of the traced instance whose path is closest to the yardstick's."""
    missing = [name for name in VARIED if name not in relaxed.parameters]
    if missing:
        raise Skipped(f"the first result does not vary {', '.join(missing)}; studies/uk_weight_calibration.json does")
    away, turned = distances(relaxed, yardstick)
    if not np.isfinite(away).any():
        raise Skipped("no instance of the first result reached the end")
    row = int(np.nanargmin(away))
    at = relaxed.traced_rows[row]
    return row, {name: float(relaxed.parameters[name][at]) for name in VARIED}, float(away[row]), float(turned[row])


@styled
def calibration(relaxed, yardstick):
    """Maps of the distance over the gains, one for each reference speed; below them paths and speeds."""
    row, best, away, turned = closest(relaxed, yardstick)
    levels, table = _tables(relaxed, distances(relaxed, yardstick)[0])
    _, ratio = _tables(relaxed, relaxed.observables["max_force_ratio"][relaxed.traced_rows])
    speeds = levels[2]
    figure = empty_figure(relaxed, max(9.0, 3.4 * len(speeds) + 1), 7.6, "Relaxed constraints beside Coulomb friction")
    maps, below = figure.subfigures(2, 1, height_ratios=[1.15, 1])
    panels = maps.subplots(1, len(speeds), sharey=True, squeeze=False)[0]
    norm = LogNorm(max(float(np.nanmin(table)), 1e-6), max(float(np.nanmax(table)), 1e-5))
    for k, axes in enumerate(panels):
        axes.grid(False)
        axes.set_facecolor("#DDDDDD")
        mesh = axes.pcolormesh(levels[1], levels[0], np.ma.masked_invalid(table[:, :, k]), shading="nearest", cmap=COLORMAP,
                               norm=norm)
        if np.nanmin(ratio[:, :, k]) < 1.05 < np.nanmax(ratio[:, :, k]):
            axes.contour(levels[1], levels[0], ratio[:, :, k], levels=[1.05], colors="white", linewidths=1.5)
        if speeds[k] == best[SPEED]:
            axes.plot(best[FRICTION], best[STICTION], "*", markersize=15, color=COLORS[1], markeredgecolor="white")
        set_subtitle(axes, f"reference speed {100 * speeds[k]:.3g} cm/s", 3.2)
        axes.set_xlabel("friction gain k$_F$")
    panels[0].set_ylabel("stiction gain k$_s$")
    bar = maps.colorbar(mesh, ax=panels, label="rms distance of the paths [m]", fraction=0.04, pad=0.02)
    plain_decades(bar.ax.yaxis)
    _paths_and_speeds(below, relaxed, yardstick, row)
    k_s, k_f, speed = best[STICTION], best[FRICTION], 100 * best[SPEED]
    figure.suptitle("Relaxed constraints beside Coulomb friction\n", fontsize=12, fontweight="bold", x=0.01, ha="left")
    words = (f"Star: closest, k$_s$ = {k_s:g}, k$_F$ = {k_f:g}, v$_{{ref}}$ = {speed:g} cm/s: {1000 * away:.0f} mm and "
             f"{np.degrees(turned):.1f}° rms over {yardstick.time[-1]:g} s. "
             "Below the white line forces exceed the friction limit by over 5 %")
    figure.text(0.012, 0.95, words, fontsize=9, color="#444444")
    return figure


def _row_of(relaxed, wanted):
    """The traced row whose parameters are nearest to those wanted."""
    far = sum(np.abs(relaxed.parameters[name][relaxed.traced_rows] - value) / max(value, 1e-12) for name, value in wanted.items())
    return int(np.argmin(far))


def _paths_and_speeds(figure, relaxed, yardstick, row):
    """Paths and speeds: yardstick, closest, and the paper's gains of 1 and 1 at the same reference speed."""
    speed = float(relaxed.parameters[SPEED][relaxed.traced_rows[row]])
    ones = _row_of(relaxed, {STICTION: 1.0, FRICTION: 1.0, SPEED: speed})
    left, right = figure.subplots(1, 2)
    shown = [("saturated Coulomb", yardstick, 0, "black", "-"), ("closest", relaxed, row, COLORS[1], "--"),
             ("gains of 1", relaxed, ones, COLORS[0], "-.")]
    for words, result, at, color, dash in shown:
        x, z, vx, vz = (result.trajectories[name][at] for name in ("x", "z", "vx", "vz"))
        left.plot(z, x, color=color, linestyle=dash, label=words, linewidth=1.6)
        right.plot(result.time, np.hypot(vx, vz), color=color, linestyle=dash, linewidth=1.6)
    left.set_aspect("equal", adjustable="datalim")
    left.set(xlabel="z, to the right [m]", ylabel="x, forward [m]")
    left.legend()
    right.set(xlabel="time [s]", ylabel="speed [m s$^{-1}$]")


FIGURES = {"uk-calibration": (calibration, f"The weights of section 3 of: {SOURCE5}, on a vehicle. Study: "
                                           "uk_weight_calibration.json, once as it stands and once under saturated_coulomb")}
