"""The limit of rollers without mass (source 2, section 4): studies/massless_limit.json and the same under the law massless_rollers."""

import numpy as np

from omniroll.figures.style import COLORS, Skipped, one_panel, set_subtitle, styled

DENSITY = "wheel_roller_density"


def deviations(explicit, massless):
    """Densities, largest distance [m] and yaw difference [rad] of the explicit runs to the massless one over their trajectories."""
    if DENSITY not in explicit.parameters:
        raise Skipped("the first result does not vary wheel.roller.density; studies/massless_limit.json does")
    if not explicit.trajectories or not massless.trajectories or len(explicit.time) != len(massless.time):
        raise Skipped("both results need trajectories at the same times")
    density = explicit.parameters[DENSITY][explicit.traced_rows]
    one, many = massless.trajectories, explicit.trajectories
    way = np.hypot(many["x"] - one["x"][0], many["z"] - one["z"][0]).max(axis=1)
    turn = np.abs(many["yaw"] - one["yaw"][0]).max(axis=1)
    return density, way, turn


@styled
def massless_limit(explicit, massless):
    """Distance to the massless motion over the rollers' density, with a line of proportion."""
    density, way, turn = deviations(explicit, massless)
    order = np.argsort(density)
    scale = density[order] / density.max()
    figure, axes = one_panel(explicit, 7.0, 4.6, "From explicit rollers to massless ones")
    axes.loglog(scale, way[order], "o-", color=COLORS[0], label="position [m]")
    axes.loglog(scale, turn[order], "s-", color=COLORS[1], label="yaw [rad]")
    axes.loglog(scale, way[order][0] * scale / scale[0], "--", color="#888888", linewidth=1, label="in proportion to the mass")
    axes.set(xlabel="rollers' mass and inertia, relative to the heaviest", ylabel="largest difference to massless rollers")
    axes.legend(loc="best")
    slope = np.log(way[order][3] / way[order][0]) / np.log(scale[3] / scale[0])
    end = explicit.time[-1]
    set_subtitle(axes, f"Largest differences over {end:g} s; at the light end they fall with the power {slope:.4f} of the mass", 7.0)
    return figure
