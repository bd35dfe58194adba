"""Figures of the source papers, drawn again from the ready studies: python3 -m omniroll.plot RESULT --figure source1-fig8

FIGURES says which there are: name -> (function, caption). A function takes the results it needs, in the order of the command
line, and returns a matplotlib Figure; `draw` puts the caption below it. What it lacks it says by Skipped."""

import inspect
import textwrap

import numpy as np

from omniroll.reading import frames
from omniroll.figures.style import COLORS, Skipped, empty_figure, finish, set_subtitle, styled

from . import (disc_contact, drift, elastic_rim, massless, relaxation, robots, rolling_wheel, sliding_block, snakeboard, tracking_cost,
               wheel_geometry, wheelset)
from .shared import SOURCE1, SOURCE2, mark_order, require_traces, second_axis



def draw(name, *results):
    """The named figure with its caption, in the axes of the sources: z to the right, whatever the frame of the results. Raises KeyError for
    an unknown name, Skipped where the results do not fit."""
    function, caption = FIGURES[name]
    try:
        inspect.signature(function).bind(*results)
    except TypeError:
        raise Skipped(f"it is not drawn from {len(results)} result files") from None
    figure = function(*map(frames.drawn, results))
    width = int(15.5 * figure.get_size_inches()[0])
    figure.supxlabel(textwrap.fill(caption, width), fontsize=8, color="#666666", x=0.01, ha="left")
    return figure


def _require(result, samples, wheels=()):
    require_traces(result)
    missing = [name for name in samples if name not in result.trajectories]
    missing += [name for name in wheels if name not in result.wheels]
    if missing:
        raise Skipped(f"the result has no {', '.join(missing)}; run the study again with this version")


# --- source 1, figs 8 to 10: explicit and implicit contact tracking ---------------------------------------------------------

ROLLER = 1  # whose centre is looked at
# Quantity, unit, and the difference that the source found over 10 units of time
COMPARED = {"acceleration": ("m s⁻²", 1e-8), "velocity": ("m s⁻¹", 1e-7), "position": ("m", 1e-6)}


def _tracking_rows(result):
    """Rows of the traced instances that track explicitly and implicitly."""
    _require(result, ("wheel_angle", "wheel_rate", "wheel_acceleration"), ("wheel_radius", "center_distance", "rollers"))
    tracking = result.parameters.get("contact_tracking")
    if tracking is None:
        raise Skipped("the study does not vary contact.tracking; studies/tracking_compare.json does")
    tracking = tracking[result.traced_rows]
    if len(tracking) != 2 or set(tracking) != {0, 1}:
        raise Skipped("it compares two traced instances, one with explicit and one with implicit contact tracking")
    return int(np.argmin(tracking)), int(np.argmax(tracking))


def roller_centre(result, row, roller, wheel=0):
    """Height of a roller's centre above the floor, and its first two derivatives: y = R - R1 cos q with q the roller's angle
    from straight down."""
    radius, center, rollers = (result.wheels[name][row, wheel] for name in ("wheel_radius", "center_distance", "rollers"))
    angle, rate, acceleration = (result.trajectories[name][row, :, wheel]
                                 for name in ("wheel_angle", "wheel_rate", "wheel_acceleration"))
    q = angle + 2 * np.pi * roller / rollers
    return {"position": radius - center * np.cos(q), "velocity": center * np.sin(q) * rate,
            "acceleration": center * (np.cos(q) * rate**2 + np.sin(q) * acceleration)}


def tracking_differences(result):
    """Implicit less explicit: acceleration, velocity and position of the centre of the roller, over time."""
    explicit, implicit = _tracking_rows(result)
    one, other = roller_centre(result, explicit, ROLLER), roller_centre(result, implicit, ROLLER)
    return {name: other[name] - one[name] for name in COMPARED}


def _short(value, digits=0):
    """1e-08 as 1e-8."""
    return f"{value:.{digits}e}".replace("e-0", "e-").replace("e+0", "e+")


def _agreement(result, names):
    differences = tracking_differences(result)
    parts = []
    for name in names:
        unit, published = COMPARED[name]
        parts.append(f"{_short(np.nanmax(np.abs(differences[name])), 1)} {unit} in {name} (paper: {_short(published)})")
    return f"Largest difference over {result.time[-1]:.4g} s: {', '.join(parts)}"


def _difference_panel(axes, result, name):
    """|difference| on a logarithmic scale; samples without any are left out."""
    unit, published = COMPARED[name]
    difference = np.abs(tracking_differences(result)[name])
    shown = np.where(difference > 0, difference, np.nan)
    axes.semilogy(result.time, shown, ".", markersize=2.5, color=COLORS[0])
    mark_order(axes, published, f"order of the largest difference in the paper: {_short(published)}")
    axes.set_ylabel(f"|implicit − explicit|\n{name} [{unit}]")
    high = np.nanmax(shown, initial=published)
    axes.set_ylim(max(1e-20, 0.3 * np.nanmin(shown, initial=published)), 100 * high)
    axes.margins(x=0.01)


@styled
def tracking_velocity(result):
    """The velocities of both, and how they differ."""
    explicit, implicit = _tracking_rows(result)
    figure = empty_figure(result, 8.0, 5.4, f"Vertical velocity of the centre of roller {ROLLER}")
    columns = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    columns[0].plot(result.time, roller_centre(result, explicit, ROLLER)["velocity"], color=COLORS[0], linewidth=3.2,
                    label="explicit tracking")
    columns[0].plot(result.time, roller_centre(result, implicit, ROLLER)["velocity"], color=COLORS[1], linewidth=1.4,
                    linestyle=(0, (5, 7)), label="implicit tracking")
    columns[0].set_ylabel(f"velocity [{COMPARED['velocity'][0]}]")
    columns[0].legend(loc="best")
    set_subtitle(columns[0], _agreement(result, ["velocity"]), 8.0)
    _difference_panel(columns[1], result, "velocity")
    return finish(figure, columns)


def _one_difference(name):
    @styled
    def function(result):
        _tracking_rows(result)
        title = f"Explicit and implicit tracking: vertical {name} of the centre of roller {ROLLER}"
        figure = empty_figure(result, 8.0, 5.4, title)
        columns = figure.subplots(2, 1, sharex=True)
        set_subtitle(columns[0], _agreement(result, [name]), 8.0)
        columns[0].plot(result.time, tracking_differences(result)[name], color=COLORS[0], linewidth=1.0)
        columns[0].set_ylabel(f"implicit − explicit\n{name} [{COMPARED[name][0]}]")
        _difference_panel(columns[1], result, name)
        return finish(figure, columns)

    function.__doc__ = f"How the {name} of both trackings differs over time, on a linear scale as in the paper, and on a logarithmic one."
    return function


@styled
def tracking_divergence(result):
    """All three differences below each other."""
    _tracking_rows(result)
    figure = empty_figure(result, 8.0, 7.2, f"Explicit and implicit tracking: vertical motion of the centre of roller {ROLLER}")
    columns = figure.subplots(3, 1, sharex=True)
    set_subtitle(columns[0], _agreement(result, COMPARED), 8.0)
    for axes, name in zip(columns, COMPARED):
        _difference_panel(axes, result, name)
    return finish(figure, columns)


# --- source 2, fig. 8: the two motions --------------------------------------------------------------------------------------

SNAPSHOTS = {"straight motion": 5, "spinning on the spot": 3}
PANELS = {"straight motion": "(a) translation to the right", "spinning on the spot": "(b) rotation on the spot"}  # as in the paper
SPUN = 1.4  # rad between first and last snapshot of a vehicle that spins


def _turned(yaw, x, z):
    """Body axes to world (host/DESIGN.md, docs/reference/study-file.md: axes and signs)."""
    return x * np.cos(yaw) + z * np.sin(yaw), z * np.cos(yaw) - x * np.sin(yaw)


def _vehicle_outline(axes, result, row, sample, color):
    """Wheels seen from above, each with its axle to the body origin: x is up, z to the right."""
    x, z, yaw = (result.trajectories[name][row, sample] for name in ("x", "z", "yaw"))
    shape = {name: values[row] for name, values in result.wheels.items()}
    for i, half in enumerate(shape["wheel_radius"]):
        centre = shape["wheel_x"][i], shape["wheel_z"][i]
        along = shape["axis_z"][i], -shape["axis_x"][i]  # i = (cos delta, -sin delta)
        ends = [_turned(yaw, centre[0] + side * half * along[0], centre[1] + side * half * along[1]) for side in (-1, 1)]
        middle = _turned(yaw, *centre)
        axes.plot([z, z + middle[1]], [x, x + middle[0]], color=color, linewidth=0.8)
        axes.plot([z + end[1] for end in ends], [x + end[0] for end in ends], color=color, linewidth=3.5, solid_capstyle="butt")
        if i == 0:
            axes.plot(z + middle[1], x + middle[0], "o", markersize=6, color="white", markeredgecolor=color, zorder=4)


def _motion_kind(result, row):
    moved, turned = result.trajectories["x"][row], result.trajectories["yaw"][row]
    way = np.nanmax(np.hypot(moved - moved[0], result.trajectories["z"][row] - result.trajectories["z"][row, 0]))
    return "spinning on the spot" if np.nanmax(np.abs(turned - turned[0])) * 0.1 > way else "straight motion"


def _plan(axes, result, row):
    """The vehicle seen from above at a few times."""
    alive = np.flatnonzero(np.isfinite(result.trajectories["x"][row]))
    kind = _motion_kind(result, row)
    span = alive[-1]
    if kind == "spinning on the spot":
        turned = np.abs(result.trajectories["yaw"][row, alive] - result.trajectories["yaw"][row, 0])
        span = min(span, np.searchsorted(turned, SPUN))
    samples = np.unique(np.linspace(0, span, SNAPSHOTS[kind]).round().astype(int))
    for k, sample in enumerate(samples):
        shade = str(0.78 * (1 - k / max(1, len(samples) - 1)))
        _vehicle_outline(axes, result, row, sample, shade)
        axes.plot([], [], color=shade, linewidth=3.5, label=f"{result.time[sample]:.3g} s")
    axes.plot(result.trajectories["z"][row], result.trajectories["x"][row], color=COLORS[1], linewidth=1.6,
              marker="o", markevery=[alive[0], alive[-1]], markersize=4, label="path of the middle")
    axes.plot([], [], "o", markersize=6, color="white", markeredgecolor="#333333", label="wheel 0")
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    axes.set(xlabel="z, to the right [m]", ylabel="x, forward [m]")
    axes.set_title(PANELS[kind], loc="left", fontsize=10)
    axes.legend(loc="upper left", fontsize=7, bbox_to_anchor=(1.0, 1.0))


def _velocities(speed, result, row):
    """Velocity in body axes, and on a second axis the yaw rate."""
    time = result.time
    yaw = second_axis(speed)
    lines = [speed.plot(time, result.trajectories["vx"][row], color=COLORS[4], linewidth=4, label="forward, vx")[0],
             speed.plot(time, result.trajectories["vz"][row], color=COLORS[0], label="to the right, vz")[0],
             yaw.plot(time, result.trajectories["yaw_rate"][row], color=COLORS[1], linestyle="--", label="yaw rate")[0]]
    for axes, names, least in ((speed, ("vx", "vz"), 0.05), (yaw, ("yaw_rate",), 0.2)):
        values = np.concatenate([result.trajectories[name][row] for name in names])
        low, high = min(0.0, np.nanmin(values)), max(0.0, np.nanmax(values))
        room = 0.08 * max(high - low, least)
        axes.set_ylim(low - room, max(high, low + least) + room)
    speed.set(xlabel="time [s]", ylabel="velocity [m s$^{-1}$]")
    yaw.set_ylabel("yaw rate [rad s$^{-1}$]")
    speed.margins(x=0.01)
    speed.legend(handles=lines, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, frameon=False)


@styled
def vehicle_motions(*results):
    """Per result, the vehicle seen from above at a few times and its velocities."""
    if not results:
        raise Skipped("it needs at least one result")
    for result in results:
        _require(result, ("x", "z", "yaw", "vx", "vz", "yaw_rate"), ("wheel_x", "wheel_z", "axis_x", "axis_z", "wheel_radius"))
        if result.attrs.get("model") != "omni_vehicle":
            raise Skipped("it shows vehicles; studies/vehicle_translation.json and studies/vehicle_rotation.json are two")
    figure = empty_figure(results[0], 6.8 * len(results), 6.6, "Motion of the vehicle on three omni wheels")
    panels = figure.subplots(2, len(results), squeeze=False, height_ratios=[3, 2])
    for column, result in enumerate(results):
        _plan(panels[0, column], result, 0)
        _velocities(panels[1, column], result, 0)
    return figure


# --- source 2, fig. 9: the rollers of one wheel -----------------------------------------------------------------------------

SECTIONS = 161


def roller_angles(result, row, wheel=0):
    """Angle of every roller from straight down, wrapped to a turn: [time, roller]."""
    count = int(result.wheels["rollers"][row, wheel])
    q = result.trajectories["wheel_angle"][row, :, wheel][:, None] + 2 * np.pi * np.arange(count) / count
    return (q + np.pi) % (2 * np.pi) - np.pi


def centre_heights(result, row, wheel=0):
    """Height of every roller's centre above the floor: [time, roller]."""
    radius, center = (result.wheels[name][row, wheel] for name in ("wheel_radius", "center_distance"))
    return radius - center * np.cos(roller_angles(result, row, wheel))


def floor_distances(result, row, wheel=0):
    """Distance of every roller from the floor, of its lowest point: [time, roller].

    A section of the roller at the profile angle u is a circle about the axis at m + h sin u cos psi with radius
    h sqrt(1 - sin^2 u cos^2 psi), where m = R1 tan u / cos psi and h = R - R1 / cos u. The lowest point is looked for among
    sections; u = q, where the contact is for |q| <= pi/n, is always one of them."""
    radius, center, rollers, psi = (result.wheels[name][row, wheel]
                                    for name in ("wheel_radius", "center_distance", "rollers", "inclination"))
    q = roller_angles(result, row, wheel)[..., None]
    alpha = np.pi / rollers
    u = np.concatenate([np.broadcast_to(np.linspace(-alpha, alpha, SECTIONS), q.shape[:2] + (SECTIONS,)),
                        np.clip(q, -alpha, alpha)], axis=-1)
    h = radius - center / np.cos(u)
    axial = center * np.tan(u) / np.cos(psi) + h * np.sin(u) * np.cos(psi)
    size = h * np.sqrt(1 - (np.sin(u) * np.cos(psi))**2)
    axis_up = np.sin(q) * np.cos(psi)
    heights = radius - center * np.cos(q) - axial * axis_up - size * np.sqrt(1 - axis_up**2)
    return heights.min(axis=-1)


def exchange_times(result, row, wheel=0):
    """Instants at which a roller gives the floor to the next one, and their rollers: [(time, from, to)]. Samples lie between them: a
    roller has the floor up to the angle pi/n, which it passes where the wheel angle, linear from sample to sample, says."""
    active, time = result.trajectories["roller"][row, :, wheel].astype(int), result.time
    angle, alpha = roller_angles(result, row, wheel), np.pi / result.wheels["rollers"][row, wheel]
    found = []
    for at in np.flatnonzero(np.diff(active)):
        before, after = angle[at, active[at]], angle[at + 1, active[at]]
        turned = (after - before + np.pi) % (2 * np.pi) - np.pi
        share = np.clip((np.copysign(alpha, turned) - before) / turned, 0, 1) if turned else 1.0
        found.append((float(time[at] + share * (time[at + 1] - time[at])), active[at], active[at + 1]))
    return found


def _roller_lines(axes, time, values, exchanges, named=()):
    """A line per roller, thick from exchange to exchange while it carries the wheel; the legend has the `named` ones."""
    starts = [-np.inf] + [moment for moment, _, _ in exchanges]
    ends = starts[1:] + [np.inf]
    carriers = [exchanges[0][1]] + [after for _, _, after in exchanges]
    for roller in range(values.shape[1]):
        color = COLORS[roller % len(COLORS)]
        axes.plot(time, values[:, roller], color=color, linewidth=1.2, label=f"roller {roller}" if roller in named else None)
    for start, end, roller in zip(starts, ends, carriers):
        start, end = max(start, time[0]), min(end, time[-1])
        if start >= end:
            continue
        inside = np.concatenate([[start], time[(time > start) & (time < end)], [end]])
        axes.plot(inside, np.interp(inside, time, values[:, roller]), color=COLORS[roller % len(COLORS)], linewidth=4.0,
                  solid_capstyle="butt")
    axes.margins(x=0.01)
    if len(named):
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _first_exchange(result, row, wheel):
    """Sample before the first exchange that has a neighbourhood, and half its width in samples."""
    active = result.trajectories["roller"][row, :, wheel]
    changes = np.flatnonzero(np.diff(active) != 0)
    if not len(changes):
        raise Skipped("no roller is exchanged in the traced instance; let the wheel roll longer")
    at = changes[min(1, len(changes) - 1)]
    rate = abs(result.trajectories["wheel_rate"][row, at, wheel])
    wide = 0.12 / max(rate, 1e-9) / (result.time[1] - result.time[0])
    return at, max(3, int(round(wide)))


@styled
def roller_heights(result):
    """Distance of every roller of one wheel from the floor, an exchange enlarged, and the heights of the rollers' centres."""
    _require(result, ("wheel_angle", "wheel_rate", "roller"), ("wheel_radius", "center_distance", "rollers", "inclination"))
    row = wheel = 0
    active = result.trajectories["roller"][row, :, wheel]
    at, half = _first_exchange(result, row, wheel)
    distance, time = floor_distances(result, row, wheel), result.time
    figure = empty_figure(result, 8.4, 8.4, "Rollers of one rolling wheel: which carries it")
    columns = figure.subplots(3, 1, height_ratios=[3, 2.4, 2.4])
    carrying = np.where(active[:, None] == np.arange(distance.shape[1]), distance, 0.0)
    exchanges = exchange_times(result, row, wheel)
    _roller_lines(columns[0], time, distance, exchanges, range(distance.shape[1]))
    set_subtitle(columns[0], "Thick: the roller in contact. By its shape it stays on the floor (to rounding: at most "
              f"{_short(np.nanmax(np.abs(carrying)))} m off)", 8.4)
    columns[0].set_ylabel("distance from\nthe floor [m]")
    near = slice(max(0, at - half), at + half + 2)
    pair = active[[at, at + 1]].astype(int)
    _roller_lines(columns[1], time[near], 1e3 * distance[near], exchanges, pair)
    columns[1].set_ylabel("distance from\nthe floor [mm]")
    top = 1.1 * 1e3 * np.nanmax(distance[near][:, pair])
    columns[1].set_ylim(-0.08 * top, top)
    moment = next(moment for moment, _, _ in exchanges if moment >= time[at])
    columns[1].axvline(moment, color="#888888", linestyle=":", linewidth=1.2)
    set_subtitle(columns[1], f"Exchange of rollers {pair[0]} and {pair[1]} at {moment:.4g} s enlarged: the next one comes down with a level "
              "tangent, without normal impact", 8.4)
    _roller_lines(columns[2], time, centre_heights(result, row, wheel), exchanges)
    columns[2].set_ylabel("height of the\nroller's centre [m]")
    return finish(figure, columns)


FIGURES = {
    "source1-fig8": (tracking_velocity, f"Velocities as in fig. 8 of: {SOURCE1}. Study: tracking_compare.json"),
    "source1-fig9": (_one_difference("acceleration"), f"As fig. 9 of: {SOURCE1}. Study: tracking_compare.json"),
    "source1-fig10": (_one_difference("position"), f"As fig. 10 of: {SOURCE1}. Study: tracking_compare.json"),
    "source1-figs8-10": (tracking_divergence, f"Divergence as in figs 8 to 10 of: {SOURCE1}. Study: tracking_compare.json"),
    "source2-fig8": (vehicle_motions,
                     f"Motions of fig. 8 of: {SOURCE2}. Studies: vehicle_translation.json, vehicle_rotation.json"),
    "source2-fig9": (roller_heights, f"As fig. 9 of: {SOURCE2}. Study: roller_heights.json"),
    "source2-massless": (massless.massless_limit, f"After section 4 of: {SOURCE2}. Study: massless_limit.json, once as it stands and "
                                                  "once under the law massless_rollers"),
    **tracking_cost.FIGURES,
    **drift.FIGURES,
    **wheel_geometry.FIGURES,
    **disc_contact.FIGURES,
    **rolling_wheel.FIGURES,
    **sliding_block.FIGURES,
    **elastic_rim.FIGURES,
    **snakeboard.FIGURES,
    **wheelset.FIGURES,
    **relaxation.FIGURES,
    **robots.FIGURES,
}
