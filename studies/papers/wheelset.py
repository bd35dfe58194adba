"""The compliant wheelset of source 3, section 3.2, beside the ideal one: studies/wheelset.json on the engine and on the reference."""

import numpy as np

from omniroll.figures.style import COLORS, Skipped, empty_figure, set_subtitle, styled

from .shared import SOURCE3, require_model

STIFFNESS, DAMPING = 1000.0, 5000.0  # c and d of the source


def joints(result):
    """c and d of a result of the reference, which varies them."""
    try:
        return tuple(float(result.parameters[f"joint_{name}"][0]) for name in ("stiffness", "damping"))
    except KeyError:
        raise Skipped('a result of the reference has to tell c and d: "vary" joint.stiffness and joint.damping, with one value each') from None


def distances(ideal, compliant):
    """Over time: distance of the axles' middles in the plane, and difference of yaw."""
    for result in (ideal, compliant):
        require_model(result, "wheelset", "it shows wheelsets; studies/wheelset.json is one")
    if len(ideal.time) != len(compliant.time):
        raise Skipped("engine and reference need trajectories at the same times")
    x, z, yaw = (compliant.trajectories[name][0] - ideal.trajectories[name][0] for name in ("x", "z", "yaw"))
    return np.hypot(x, z), np.abs(yaw)


@styled
def compliance(ideal, *compliant):
    """Path of the ideal wheelset, and how far wheelsets on springs and dampers are from it over time."""
    if not compliant:
        raise Skipped("it needs the result of the engine and then those of the reference")
    found = [(*joints(result), *distances(ideal, result)) for result in compliant]
    figure = empty_figure(ideal, 9.6, 4.6, "The wheelset of source 3: compliant joints against the ideal wheelset")
    plan, way, turn = figure.subplots(1, 3, width_ratios=[1, 1.4, 1.4])
    plan.plot(ideal.trajectories["z"][0], ideal.trajectories["x"][0], color="0.3", linewidth=1.4, label="ideal")
    for (c, d, away, yaw), result, color in zip(found, compliant, COLORS):
        label = f"c = {c:g} N/m, d = {d:g} N s/m"
        plan.plot(result.trajectories["z"][0], result.trajectories["x"][0], color=color, linewidth=1.0, linestyle="--")
        way.semilogy(ideal.time[1:], away[1:], color=color, label=label)
        turn.semilogy(ideal.time[1:], yaw[1:], color=color, label=label)
    plan.set_aspect("equal", adjustable="box")
    plan.set(xlabel="z [m]", ylabel="x [m]")
    way.set_ylabel("distance of the axle's middle [m]")
    turn.set_ylabel("difference of yaw [rad]")
    for axes in (way, turn):
        axes.set_xlabel("time [s]")
        axes.margins(x=0.01)
    way.legend(fontsize=7, frameon=False)
    away, yaw = found[0][2:]
    set_subtitle(plan, f"c = {found[0][0]:g}, d = {found[0][1]:g}: up to {np.nanmax(away):.2g} m and {np.nanmax(yaw):.2g} rad from the "
                    f"ideal wheelset over {ideal.time[-1]:g} s", 9.6)
    return figure


FIGURES = {
    "source3-wheelset": (compliance, f"Wheelset with c = 1000, d = 5000 of: {SOURCE3}, section 3.2; all other values assumed. Study: wheelset.json, on "
                                     "the engine and by omniroll reference"),
}
