"""Figures of one traced instance over time, as wide as a page shows them. Each takes a Result and a row of its trajectories and raises
Skipped where the instance has nothing of it to show."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ..figures.axis_scales import cut_paths, cut_spikes
from ..figures.basic import QUANTITIES, _path, _path_legend, has_path, mark_end
from ..figures.style import COLORS, DASHES, STYLE, Skipped, empty_figure, finish, one_panel
from ..reading import frames
from ..reading.result import Array, Result
from .motion import alive, buckets_of, command, exchange_times, followed, ideal_rate, integral, row_of_instances, thinned, wheels
from .wording import unit_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAIN: dict[str, Any] = {**STYLE, "axes.formatter.use_mathtext": False}
WIDE = 5.4  # in
TOO_SHORT = "the instance ended before its second sample"
LEGEND = 9.5  # pt: readable on a phone, where figures are two thirds as wide
MOST_MARKS = 300  # exchanges of a wheel that are marked one by one


def _styled(function: Callable[..., Figure]) -> Callable[..., Figure]:
    """The style of the package, but for numbers as mathematics: to read those takes longer than all else in these figures."""
    @functools.wraps(function)
    def wrapper(*arguments: Any) -> Figure:
        import matplotlib

        with matplotlib.rc_context(PLAIN):
            return function(*arguments)

    return wrapper


@dataclass
class Panel:
    """One set of axes: lines over time, [time] or [time, wheel]. Dashed lines are commands or limits."""

    label: str
    unit: str
    values: Array
    dashed: Array | None = None
    names: list[str] = field(default_factory=list)  # of the lines, where they are not wheels


def _samples(result: Result, row: int, *names: str) -> list[Array]:
    missing = [name for name in names if name not in result.trajectories]
    if missing:
        raise Skipped(f"the model has no sample {missing[0]}")
    if alive(result, row) < 2:
        raise Skipped(TOO_SHORT)
    return [result.trajectories[name][row, :alive(result, row)] for name in names]


def _time(result: Result, row: int) -> Array:
    return np.asarray(result.time[:alive(result, row)])


def _dashes(i: int, panel: Panel) -> Any:
    """Dashes tell lines apart where none is dashed for another reason."""
    return DASHES[i % 8] if panel.dashed is None and panel.names else "-" if i < 8 else (0, (1, 1))


CUT = "Spikes beyond the axes are cut off: a triangle is where each line has its farthest, the number says how far."


def _lines(axes: Any, time: Array, panel: Panel) -> bool:
    """Draws a panel; whether spikes were cut off."""
    values = panel.values if panel.values.ndim == 2 else panel.values[:, None]
    for i in range(values.shape[1]):
        name = panel.names[i] if panel.names else f"wheel {i}" if values.shape[1] > 1 else None
        color = COLORS[i % 8] if values.shape[1] > 1 or panel.names else "#333333"
        axes.plot(*thinned(time, values[:, i], values.shape[1]), color=color, linestyle=_dashes(i, panel), linewidth=1.1, label=name)
        if panel.dashed is not None:
            dashed = panel.dashed if panel.dashed.ndim == 2 else panel.dashed[:, None]
            axes.plot(*thinned(time, dashed[:, i], values.shape[1]), color=color, linestyle=(0, (4, 3)), linewidth=0.9)
    unit = "" if panel.unit == "1" else f"\n[{unit_name(panel.unit)}]"
    axes.set_ylabel(f"{panel.label}{unit}")
    axes.margins(x=0.01)
    several = values.shape[1] > 1 or panel.names
    drawn = [(time, values[:, i], COLORS[i % 8] if several else "#333333") for i in range(values.shape[1])]
    wanted = [] if panel.dashed is None else [(time, each, "#333333") for each in panel.dashed.reshape(len(time), -1).T]
    return cut_spikes(axes, drawn + wanted)


def _legend_above(axes: Any, columns: int) -> None:
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, frameon=False, fontsize=LEGEND, borderaxespad=0.2,
                columnspacing=1.2, handlelength=1.6)


def _stacked(result: Result, row: int, title: str, words: str, panels: list[Panel]) -> Figure:
    """Panels one below the other with one legend above them."""
    time = _time(result, row)
    figure = empty_figure(result, WIDE, 0.75 + 1.35 * len(panels), title)
    columns = np.atleast_1d(figure.subplots(len(panels), 1, sharex=True))
    cut = False
    for axes, panel in zip(columns, panels):
        cut |= _lines(axes, time, panel)
        mark_end(axes, result, row_of_instances(result, row))
        if panel.names or (axes is columns[0] and panel.values.ndim == 2 and panel.values.shape[1] > 1):
            _legend_above(axes, 4)
    figure.page_title, figure.page_subtitle = title, f"{words} {CUT}".strip() if cut else words
    return finish(figure, columns)


def thinning(result: Result, row: int) -> str:
    """A sentence on lines that were thinned."""
    time, lines = _time(result, row), len(wheels(result, row)) or 1
    words = f"Lines of {len(time)} samples are drawn by the smallest and largest sample of each of {buckets_of(lines)} intervals."
    return words if len(time) // buckets_of(lines) >= 3 else ""


@_styled
def path(result: Result, row: int) -> Figure:
    """Path from above with headings; of a disc or wheelset also where it touched."""
    if not has_path(result):
        raise Skipped("the model moves along a line")
    if alive(result, row) < 2:
        raise Skipped(TOO_SHORT)
    figure, axes = one_panel(result, WIDE, 4.6, "Path")
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    samples = frames.drawn(result).trajectories
    for part, name, color in (("contact", "contact", COLORS[1]), ("left", "left wheel", COLORS[1]), ("right", "right wheel", COLORS[2])):
        if f"{part}_x" in samples:
            x, z = samples[f"{part}_x"][row], samples[f"{part}_z"][row]
            axes.plot(z, x, color=color, linewidth=0.9, linestyle="--", label=name)
    asked = followed(result)
    if asked is not None:
        axes.plot(asked[:, 1], asked[:, 0], color=COLORS[1], linewidth=0.9, linestyle="--", marker="+", label="path to follow")
    tracks = axes.get_legend_handles_labels()
    _path(axes, result, row, COLORS[0], True)
    _path_legend(axes, result.status[row_of_instances(result, row)] != 0, True)
    _with_tracks(axes, *tracks)
    cut_paths(axes, [(samples["z"][row], samples["x"][row], COLORS[0])], frames.side(result))
    frames.label_plane(axes, result)
    figure.page_subtitle = "Seen from above; arrows: heading. The start is white, the end full."
    return figure


def _with_tracks(axes: Any, handles: list[Any], names: list[str]) -> None:
    """The legend of a path and its tracks."""
    made = axes.get_legend()
    own = made.legendHandles if hasattr(made, "legendHandles") else made.legend_handles
    axes.legend([*own, *handles], [*(words.get_text() for words in made.get_texts()), *names], loc="best", fontsize=LEGEND)


@_styled
def body(result: Result, row: int) -> Figure:
    """Velocity of the body, and its command."""
    across = frames.side(result)
    vx, v_side, yaw_rate = _samples(result, row, "vx", f"v{across.axis}", "yaw_rate")
    asked = command(result, row_of_instances(result, row), _time(result, row))
    both = None if asked is None else np.stack([asked[0], across.sign * asked[1]], axis=1)
    panels = [Panel("velocity", "m s-1", np.stack([vx, v_side], axis=1), both, ["forward, vx", f"{across.words}, v{across.axis}"]),
              Panel("yaw rate", "rad s-1", yaw_rate, None if asked is None else asked[2])]
    return _stacked(result, row, "Velocity of the body", "In body axes" + ("; dashed: commanded." if asked is not None else "."), panels)


@_styled
def slip(result: Result, row: int) -> Figure:
    """Slip speed, use of the friction and normal load of every wheel."""
    slip_i, slip_k, force_i, force_k = _samples(result, row, "slip_i", "slip_k", "force_i", "force_k")
    load, friction = _samples(result, row, "normal_load", "friction")
    force, limit = np.hypot(force_i, force_k), load * friction
    use = np.divide(force, limit, out=np.full_like(load, np.nan), where=limit > 0)
    panels = [Panel("slip speed", "m s-1", np.hypot(slip_i, slip_k)), Panel("friction use\n|F|/(μN)", "1", use),
              Panel("normal load", "N", load)]
    words = "At a friction use of 1 the contact force is μN, the limit of sliding."
    return _stacked(result, row, "Slip, friction and normal loads", words, panels)


@_styled
def forces(result: Result, row: int) -> Figure:
    """Contact forces of every wheel."""
    force_i, force_k = _samples(result, row, "force_i", "force_k")
    on = "roller in contact" if "roller" in result.trajectories else "disc"
    panels = [Panel("along the\nwheel plane, i", "N", force_i), Panel("along the\naxis, k", "N", force_k)]
    return _stacked(result, row, "Contact forces", f"Force of the floor on the {on}.", panels)


@_styled
def relaxation(result: Result, row: int) -> Figure:
    """Weights and demands of the Udwadia-Kalaba law."""
    weight, demand = _samples(result, row, "weight", "demand")
    panels = [Panel("weight w", "1", weight), Panel("demand ρ", "1", demand)]
    return _stacked(result, row, "Relaxation of the rolling constraints",
                    "Udwadia–Kalaba law: w = 1 rolls, 0 slides; ρ is the force of full rolling over μN.", panels)


@_styled
def drives(result: Result, row: int) -> Figure:
    """Wheel rates and their commands, torques of the drives, currents and voltage of brushed motors, servo torque."""
    rate, torque = _samples(result, row, "wheel_rate", "torque")
    asked = command(result, row_of_instances(result, row), _time(result, row))
    sign = frames.side(result).sign  # the axles point to that side
    steer = _samples(result, row, "steer_angle")[0] if "steer_angle" in result.trajectories else np.zeros_like(rate)
    turned = np.nan_to_num(steer)  # only forks have an angle
    wanted = None if asked is None else sign * np.stack([ideal_rate(wheel, *asked, turned[:, i])
                                                         for i, wheel in enumerate(wheels(result, row))], axis=1)
    panels = [Panel("wheel rate", "rad s-1", rate, wanted)]
    panels += [Panel("steering\nangle", "rad", steer)] if "steer_angle" in result.trajectories else []
    panels += [Panel("drive torque", "N m", torque)] if np.any(np.nan_to_num(torque)) else []
    if "current" in result.trajectories:
        current, bus = _samples(result, row, "current", "bus_voltage")
        panels.append(Panel("motor current", "A", current))
        panels += [Panel("supply voltage", "V", bus)] if np.any(np.nan_to_num(bus)) else []
    if "servo_torque" in result.trajectories:
        panels.append(Panel("servo torque", "N m", _samples(result, row, "servo_torque")[0]))
    words = f"A positive rate drives the wheel towards {'−i' if sign > 0 else 'i'}."
    words = words if wanted is None else f"Dashed: rate at which ideal massless rollers would follow the command. {words}"
    words += "" if np.any(np.nan_to_num(torque)) else " No wheel is driven."
    return _stacked(result, row, "Wheels and drives", words, panels)


@_styled
def exchanges(result: Result, row: int) -> Figure:
    """When the next roller takes over; the rate of it where there are too many to mark."""
    angle, rate, _ = _samples(result, row, "wheel_angle", "wheel_rate", "roller")
    time, found = _time(result, row), wheels(result, row)
    times = [exchange_times(time, angle[:, i], wheel.rollers) for i, wheel in enumerate(found)]
    total = sum(len(each) for each in times)
    if total == 0:
        raise Skipped("no roller is exchanged")
    if max(len(each) for each in times) > MOST_MARKS:
        passed = np.stack([np.abs(rate[:, i]) * wheel.rollers / (2 * np.pi) for i, wheel in enumerate(found)], axis=1)
        words = f"{total} in all, too many to mark: rollers passed in a second."
        return _stacked(result, row, "Roller exchanges", words, [Panel("exchanges", "s-1", passed)])
    figure, axes = one_panel(result, WIDE, 0.9 + 0.28 * len(found), "Roller exchanges")
    for i, each in enumerate(times):  # a line with gaps is far shorter in a page than as many lines
        marks = np.repeat(each, 3)
        axes.plot(marks, np.tile([i - 0.35, i + 0.35, np.nan], len(each)), color=COLORS[i % 8], linewidth=0.9, solid_capstyle="butt")
    axes.set_yticks(range(len(found)), [f"wheel {i}" for i in range(len(found))])
    axes.invert_yaxis()
    axes.set_xlim(time[0], time[-1])
    axes.grid(False, axis="y")
    axes.set_xlabel("time [s]")
    mark_end(axes, result, row_of_instances(result, row))
    figure.page_subtitle = f"Marks: the next roller takes over, {total} times in all; straight lines through the sampled wheel angles."
    return figure


@_styled
def energy(result: Result, row: int) -> Figure:
    """Work of the drives and heat of the contacts from the samples; the rest is in motion and bearings."""
    rate, torque, slip_i, slip_k, force_i, force_k = _samples(result, row, "wheel_rate", "torque", "slip_i", "slip_k", "force_i", "force_k")
    time = _time(result, row)
    work = integral(time, np.nansum(torque * rate, axis=1))
    heat = integral(time, -np.nansum(force_i * slip_i + force_k * slip_k, axis=1))
    names = ["work of the drives", "heat of sliding", "difference"]
    panels = [Panel("energy", "J", np.stack([work, heat, work - heat], axis=1), None, names)]
    words = "By trapezia over the samples; the difference is gained by the motion or lost in bearings."
    return _stacked(result, row, "Energy", words + _own_sums(result, row, work[-1], heat[-1]), panels)


def _own_sums(result: Result, row: int, work: float, heat: float) -> str:
    """Work and heat that the run summed up at every step, next to the sums of the samples."""
    at = row_of_instances(result, row)
    sums = [(name, f"{result.observables[key][at]:.4g} J ({mine:.4g} J here)") for name, key, mine in
            (("work", "drive_work", work), ("dissipation, bearings included,", "dissipated_energy", heat))
            if key in result.observables and np.isfinite(result.observables[key][at])]
    return " Summed up at every step of the run: " + ", ".join(f"{name} {value}" for name, value in sums) + "." if sums else ""


def by_unit(result: Result, row: int) -> list[Callable[[], Figure]]:
    """Of a model with samples of its own: a figure for every unit. Components of quaternions tell an eye nothing."""
    units: dict[str, list[str]] = {}
    for name, values in result.trajectories.items():
        if values.ndim == 2 and not name.startswith("q_") and np.any(np.nan_to_num(values[row])):
            units.setdefault(result.units.get(name, "1"), []).append(name)
    return [lambda unit=unit, names=names: _of_unit(result, row, unit, names) for unit, names in units.items()]  # type: ignore[misc]


def _title(unit: str, names: list[str]) -> str:
    known = {**QUANTITIES, "W": "power"}.get(unit)
    return (names[0] if len(names) == 1 else known or unit).replace("\n", " ").replace("_", " ").capitalize()


@_styled
def _of_unit(result: Result, row: int, unit: str, names: list[str]) -> Figure:
    time = _time(result, row)
    figure, axes = one_panel(result, WIDE, 3.0 + 0.17 * len(names), _title(unit, names))
    for i, name in enumerate(names):
        dashes = DASHES[i % 8] if i < 8 else (0, (1, 1))
        axes.plot(*thinned(time, _samples(result, row, name)[0]), color=COLORS[i % 8], linestyle=dashes, linewidth=1.2, label=name)
    axes.set(ylabel="" if unit == "1" else f"[{unit_name(unit)}]", xlabel="time [s]")
    axes.margins(x=0.01)
    cut = cut_spikes(axes, [(time, _samples(result, row, name)[0], COLORS[i % 8]) for i, name in enumerate(names)])
    _legend_above(axes, 2)
    mark_end(axes, result, row_of_instances(result, row))
    told = {name: result.long_names.get(name, name) for name in names}
    words = "; ".join(f"{name}: {meaning}" for name, meaning in told.items() if meaning != name) + "."
    figure.page_subtitle = f"{words} {CUT}" if cut else words
    return figure
