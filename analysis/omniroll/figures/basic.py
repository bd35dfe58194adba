"""Figures of any result: paths from above, histograms, one observable over parameters, samples over time."""

import textwrap

import numpy as np

from ..reading import frames
from .axis_scales import color_bar, colors_of, cut_paths, cut_spikes, whole_ticks
from .style import (COLORMAP, COLORS, DASHES, FAILED, Skipped, _observable, axis_unit, empty_figure, evenly, finish, label, legend, one_panel,
                    plain, pretty_unit, set_subtitle, styled)

MAX_PATHS = 40
MAX_LEVELS = 50
MANY_POINTS = 5000
MAX_BINS = 79

# --- paths ----------------------------------------------------------------------------------------------------------------


def _path_colors(result, figure, axes, parameter, rows):
    """A colour for each path, and entries of the legend that say which."""
    from matplotlib.cm import ScalarMappable

    if parameter is None:
        return [COLORS[i % len(COLORS)] for i in range(len(rows))], []
    values = result.parameters[parameter][result.traced_rows[rows]]
    if len(np.unique(values)) <= len(COLORS):
        return _level_colors(result, figure, axes, parameter, values)
    mapping = ScalarMappable(colors_of(values), COLORMAP)
    return mapping.to_rgba(values), color_bar(figure, mapping, axes, label(result, parameter), values)


def _level_colors(result, figure, axes, parameter, values):
    """A colour for each of a few values: of one or two in the legend."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import BoundaryNorm, ListedColormap
    from matplotlib.lines import Line2D

    levels = np.unique(values)
    at = np.searchsorted(levels, values)
    colors = [COLORS[k] for k in at]
    if len(levels) < 3:
        unit = result.units.get(parameter, "1")
        words = [plain(f"{parameter} {level:.4g} {'' if unit == '1' else axis_unit(unit)}".strip()) for level in levels]
        return colors, [Line2D([], [], color=color, label=one) for color, one in zip(COLORS, words)] if len(levels) > 1 else []
    parts = BoundaryNorm(np.arange(len(levels) + 1) - 0.5, len(levels))
    bar = figure.colorbar(ScalarMappable(parts, ListedColormap(COLORS[:len(levels)])), ax=axes, label=label(result, parameter),
                          fraction=0.05, pad=0.02, ticks=np.arange(len(levels)))
    bar.ax.set_yticklabels([f"{level:.4g}" for level in levels])
    bar.ax.minorticks_off()
    return colors, []


def _headings(axes, result, row, color):
    """Arrows along body x: in the world it points to (cos yaw, -sin yaw) in (x, z). A disc has a heading of that kind."""
    result = frames.drawn(result)
    angle = "yaw" if "yaw" in result.trajectories else "heading"
    x, z, yaw = (result.trajectories[name][row] for name in ("x", "z", angle))
    alive = np.flatnonzero(np.isfinite(x))
    at = alive[evenly(len(alive), 7)]
    axes.quiver(z[at], x[at], -np.sin(yaw[at]), np.cos(yaw[at]), color=color, scale=22, width=0.004, headwidth=4, zorder=3)


def _path(axes, result, row, color, arrows):
    samples = frames.drawn(result).trajectories
    x, z = samples["x"][row], samples["z"][row]
    alive = np.flatnonzero(np.isfinite(x) & np.isfinite(z))
    if not len(alive):
        return
    failed = result.status[result.traced_rows[row]] != 0
    axes.plot(z, x, color=color, linewidth=1.4)
    axes.plot(z[alive[0]], x[alive[0]], "o", markersize=5, color="white", markeredgecolor="#333333", zorder=4)
    axes.plot(z[alive[-1]], x[alive[-1]], "X" if failed else "o", markersize=7 if failed else 4,
              color=FAILED if failed else color, zorder=4)
    if arrows:
        _headings(axes, result, row, color)


def _path_legend(axes, failed, arrows, more=()):
    from matplotlib.lines import Line2D

    entries = [Line2D([], [], linestyle="", marker="o", color="white", markeredgecolor="#333333", label="start"),
               Line2D([], [], linestyle="", marker="o", color="#555555", markersize=4, label="end")]
    if failed:
        entries.append(Line2D([], [], linestyle="", marker="X", color=FAILED, label="failed here"))
    if arrows:
        entries.append(Line2D([], [], linestyle="", marker=r"$\rightarrow$", color="#555555", markersize=10, label="heading"))
    legend(axes, 4 if not more else 2, handles=[*more, *entries])


def _telling(result):
    """The first varied parameter in which the traced instances differ."""
    return next((name for name in result.varied if len(set(result.parameters[name][result.traced_rows])) > 1), None)


@styled
def paths(result, parameter=None):
    """Paths of the traced instances seen from above: x forward is up, the vehicle's right is on the right."""
    if not result.trajectories:
        raise Skipped("the study asked for no trajectories")
    if not {"x", "z"} <= set(result.trajectories) | set(frames.drawn(result).trajectories):
        raise Skipped("its trajectories have no x and z of one body; plot_time draws any sample over time")
    parameter = parameter or _telling(result)
    rows = evenly(len(result.traced), MAX_PATHS)
    total = len(result.traced)
    shown = f"{len(rows)} of {total} traced instances" if len(rows) < total else \
        f"{total} traced instance{'s' if total > 1 else ''}"
    figure, axes = one_panel(result, 7.5, 6.5, "Paths", f"Path of the body origin, seen from above; {shown} of {result.total}")
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    arrows = len(rows) <= 4
    colors, entries = _path_colors(result, figure, axes, parameter, rows)
    for row, color in zip(rows, colors):
        _path(axes, result, row, color, arrows)
    samples = frames.drawn(result).trajectories
    cut_paths(axes, [(samples["z"][row], samples["x"][row], color) for row, color in zip(rows, colors)], frames.side(result))
    _path_legend(axes, (result.status[result.traced_rows[rows]] != 0).any(), arrows, entries)
    frames.label_plane(axes, result)
    return figure


# --- observables ----------------------------------------------------------------------------------------------------------


def _bins(values):
    low, high = values.min(), values.max()
    if np.all(values == np.round(values)) and high - low < 60:
        return np.arange(low - 0.5, high + 1.5)
    return np.linspace(low, high, 1 + _count(values, high - low))


def _count(values, extent):
    """How many bins numpy's "auto" makes, as most: of nearly equal values with one that is far away it would make more than memory holds."""
    quarter, three = np.percentile(values, [25, 75])
    widths = [extent / (np.log2(len(values)) + 1), 2 * (three - quarter) / np.cbrt(len(values))]
    return int(np.ceil(min(MAX_BINS, extent / min(width for width in widths if width > 0))))


def differing(result, name):
    """Values of an observable of the ok instances, and how to say so. Raises Skipped where they are all alike."""
    values, used, text = _observable(result, name)
    values = values[used]
    if len(np.unique(values)) < 2:
        raise Skipped(f"{name} is {values[0]:.6g} in every ok instance")
    return values, text


def count_axes(axes, values, words):
    """Axes of a histogram of these values."""
    whole_ticks(axes.xaxis, values)
    axes.set(xlabel=words, ylabel="instances")
    axes.grid(False, axis="x")


@styled
def histogram(result, name):
    """Distribution of an observable over the ok instances."""
    values, text = differing(result, name)
    figure, axes = one_panel(result, 7.0, 4.6, f"{name} of {text}", result.long_names[name])
    low, median, high = np.percentile(values, [5, 50, 95])
    axes.axvspan(low, high, color="#F0E442", alpha=0.25, linewidth=0, label=f"5 % to 95 %: {low:.4g} to {high:.4g}")
    axes.hist(values, bins=_bins(values), color=COLORS[0], edgecolor="white", linewidth=0.4)
    axes.axvline(median, color="black", linestyle="--", linewidth=1.2, label=f"median {median:.4g}")
    count_axes(axes, values, label(result, name))
    axes.legend()
    return figure


def _level_lines(axes, levels, x, y):
    """Levels at which every instance failed leave a gap."""
    groups = [y[x == level] for level in levels]
    groups = [group if len(group) else np.array([np.nan]) for group in groups]
    several = max(len(group) for group in groups) > 1
    if several:
        axes.fill_between(levels, [g.min() for g in groups], [g.max() for g in groups], color=COLORS[0], alpha=0.2, linewidth=0,
                          label="min to max")
    axes.plot(levels, [np.median(g) for g in groups], color=COLORS[0], marker="o" if len(levels) <= MAX_LEVELS else "",
              markersize=3.5, label="median" if several else None)


def running_median(axes, x, y, slices, words):
    """Medians of slices with as many points each, of ten points at least."""
    edges = np.unique(np.quantile(x, np.linspace(0, 1, slices + 1)))
    if len(x) < 10 * slices or len(edges) < 5:
        return
    which = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2)
    filled = [i for i in range(len(edges) - 1) if (which == i).any()]
    medians = [[np.median(values[which == i]) for i in filled] for values in (x, y)]
    axes.plot(*medians, color=COLORS[1], linewidth=2, label=words)


def _cloud(figure, axes, x, y):
    if len(x) > MANY_POINTS:
        cells = axes.hexbin(x, y, gridsize=60, mincnt=1, cmap="Blues", bins="log", linewidths=0.1)
        figure.colorbar(cells, ax=axes, label="instances per cell", fraction=0.05, pad=0.02)
    else:
        axes.scatter(x, y, s=14 if len(x) < 500 else 6, alpha=0.6, color=COLORS[0], linewidths=0)
    running_median(axes, x, y, 20, "median of 5 % slices")


def _failed_marks(axes, result, parameter):
    """Where along the parameter instances failed."""
    failed = np.unique(result.parameters[parameter][~result.ok])
    failed = failed[np.isfinite(failed)]
    if len(failed):
        axes.plot(failed, np.full(len(failed), 0.015), "|", color=FAILED, markersize=10, transform=axes.get_xaxis_transform(),
                  label="some failed here", clip_on=False, zorder=5)


@styled
def dependence(result, name, parameter):
    """An observable over a varied parameter: median and range on levels, otherwise a point per instance."""
    values, used, text = _observable(result, name)
    x, y = result.parameters[parameter][used], values[used]
    if len(np.unique(x)) < 2:
        raise Skipped(f"{parameter} has one value among the ok instances")
    figure, axes = one_panel(result, 7.0, 4.8, f"{name} over {parameter}",
                           f"{result.long_names[name]}; {text}")
    levels = len(np.unique(x))
    if result.is_grid or (levels <= MAX_LEVELS and len(x) >= 4 * levels):
        _level_lines(axes, result.levels(parameter), x, y)
    else:
        _cloud(figure, axes, x, y)
    _failed_marks(axes, result, parameter)
    whole_ticks(axes.xaxis, x)
    whole_ticks(axes.yaxis, y)
    axes.set(xlabel=label(result, parameter), ylabel=label(result, name))
    if axes.get_legend_handles_labels()[0]:
        axes.legend()
    return figure


@styled
def heat_map(result, name):
    """An observable over the two parameters of a grid; cells that failed are grey."""
    if not result.is_grid or len(result.varied) != 2:
        raise Skipped("the study is no grid of two parameters")
    values, used, text = _observable(result, name)
    across, up = result.varied
    xs, ys = result.levels(across), result.levels(up)
    table = np.full((len(ys), len(xs)), np.nan)
    at = np.searchsorted(ys, result.parameters[up]), np.searchsorted(xs, result.parameters[across])
    table[at] = np.where(used, values, np.nan)
    grey = "" if used.all() else " (grey)"
    figure, axes = one_panel(result, 7.2, 5.4, f"{name} over {across} and {up}", f"{result.long_names[name]}; {text}{grey}")
    axes.grid(False)
    axes.set_facecolor("#DDDDDD")
    mesh = axes.pcolormesh(xs, ys, np.ma.masked_invalid(table), shading="nearest", cmap=COLORMAP, norm=colors_of(table))
    if entries := color_bar(figure, mesh, axes, label(result, name), table):
        legend(axes, handles=entries)
    whole_ticks(axes.xaxis, xs)
    whole_ticks(axes.yaxis, ys)
    axes.set(xlabel=label(result, across), ylabel=label(result, up))
    return figure


# --- one instance over time -----------------------------------------------------------------------------------------------


def _quantities(result, row):
    """Panels of one instance: (label, samples [time] or [time, wheel])."""
    samples = {name: values[row] for name, values in result.trajectories.items()}
    load = samples["normal_load"]
    force = np.hypot(samples["force_i"], samples["force_k"])
    use = np.divide(force, load, out=np.full_like(load, np.nan), where=load > 0)
    panels = [("slip speed\n[m s$^{-1}$]", np.hypot(samples["slip_i"], samples["slip_k"])),
              ("friction use\n|F| / N", use), ("normal load\n[N]", load)]
    servo = samples.get("servo_torque")
    if result.attrs.get("model") == "omni_wheel" and servo is not None and np.isfinite(servo).any():
        panels.append(("servo torque\n[N m]", servo))
    return panels


def _panel(axes, time, values, name):
    if values.ndim == 1:
        axes.plot(time, values, color="#333333", linewidth=1.1)
    else:
        for wheel in range(values.shape[1]):
            axes.plot(time, values[:, wheel], color=COLORS[wheel % 8], linestyle=DASHES[wheel % 8], linewidth=1.1,
                      label=f"wheel {wheel}")
    axes.set_ylabel(name)
    axes.margins(x=0.01)
    wheels = values.reshape(len(time), -1)
    cut_spikes(axes, [(time, wheels[:, i], COLORS[i % 8] if values.ndim > 1 else "#333333") for i in range(wheels.shape[1])])


def _instance_text(result, instance):
    index = result.row_of(instance)
    values = [f"{name} = {result.parameters[name][index]:.4g} {result.units.get(name, '')}".removesuffix(" 1").strip()
              for name in result.varied[:4]]
    text = ", ".join(values) + (", ..." if len(result.varied) > 4 else "")
    status = int(result.status[index])
    if status != 0:
        text += f"{'; ' if text else ''}{result.status_names.get(status, status)} at {result.status_time[index]:.4g} s"
    return text


def _traced(result, instance):
    """Number and row of the chosen instance, or of the first."""
    index = int(result.traced[0]) if instance is None else instance
    rows = np.flatnonzero(result.traced == index)
    if not len(rows):
        raise Skipped(f"instance {index} was not traced")
    return index, rows[0]


def mark_end(axes, result, at):
    """A line where the instance at a row failed."""
    if result.status[at] != 0:
        axes.axvline(result.status_time[at], color=FAILED, linestyle=":", linewidth=1.4)


def has_path(result):
    """Whether the model moves over a plane with a direction."""
    samples = frames.drawn(result).trajectories
    return {"x", "z"} <= set(samples) and ("yaw" in samples or "heading" in samples)


def has_wheels(result):
    """Whether the samples belong to a vehicle or wheel with rollers, not to a model of its own."""
    return "slip_i" in result.trajectories


# Quantities of samples by their unit, for labels of axes
QUANTITIES = {"m": "length", "m s-1": "speed", "m s-2": "acceleration", "rad": "angle", "rad s-1": "angular rate",
              "rad s-2": "angular\nacceleration", "N": "force", "N m": "torque", "J": "energy", "1": "ratio"}


def _by_unit(result, row):
    """Names of the samples of each unit, and of those that are zero all the time and are not drawn."""
    units, zero = {}, []
    for name, values in result.trajectories.items():
        if values.ndim == 2:
            unused = not np.any(np.nan_to_num(values[row]))
            (zero if unused else units.setdefault(result.units.get(name, "1"), [])).append(name)
    return units, zero


def _sample_label(result, name):
    """The name and its meaning, as the legend has room for."""
    meaning = result.long_names.get(name, name)
    return plain(name if meaning == name else textwrap.fill(f"{name}: {meaning}", 38, subsequent_indent="  "))


@styled
def over_time(result, instance=None):
    """Every sample of one traced instance over time, a panel for each unit."""
    if not result.trajectories:
        raise Skipped("the study asked for no trajectories")
    index, row = _traced(result, instance)
    units, zero = _by_unit(result, row)
    if not units:
        raise Skipped(f"every sample of instance {index} is zero all the time")
    heights = [max(1.5, 0.4 * len(names)) for names in units.values()]
    figure = empty_figure(result, 10.0, 1.4 + sum(heights), f"Instance {index} over time")
    columns = np.atleast_1d(figure.subplots(len(units), 1, sharex=True, height_ratios=heights))
    for axes, (unit, names) in zip(columns, units.items()):
        for i, name in enumerate(names):
            axes.plot(result.time, result.trajectories[name][row], color=COLORS[i % 8], linestyle=DASHES[i % 8], linewidth=1.3,
                      label=_sample_label(result, name))
        axes.margins(x=0.01)
        cut_spikes(axes, [(result.time, result.trajectories[name][row], COLORS[i % 8]) for i, name in enumerate(names)])
        axes.set_ylabel(f"{QUANTITIES.get(unit, '')}\n[{'–' if unit == '1' else pretty_unit(unit)}]".strip())
        axes.margins(x=0.01)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        mark_end(axes, result, result.row_of(index))
    parts = [_instance_text(result, index), f"zero all the time: {', '.join(zero)}" if zero else ""]
    set_subtitle(columns[0], "; ".join(part for part in parts if part), 8.0)
    return finish(figure, columns)


@styled
def slip_and_loads(result, instance=None):
    """Slip speed, use of the friction and normal load of every wheel of one traced instance over time."""
    if not result.trajectories:
        raise Skipped("the study asked for no trajectories")
    index, row = _traced(result, instance)
    panels = _quantities(result, row)
    figure = empty_figure(result, 8.0, 1.6 + 1.7 * len(panels), f"Slip and loads of instance {index}")
    columns = figure.subplots(len(panels), 1, sharex=True)
    for axes, (name, values) in zip(columns, panels):
        _panel(axes, result.time, values, name)
        mark_end(axes, result, result.row_of(index))
    set_subtitle(columns[0], _instance_text(result, index), 8.0)
    if panels[0][1].shape[1] > 1:
        columns[0].legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return finish(figure, columns)
