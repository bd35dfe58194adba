"""Figures of designs whose instances were chosen: an observable over one or two design variables, with the failed instances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ..reading import designs
from ..reading.result import Array, Result
from .axis_scales import color_bar, colors_of, is_whole, whole_ticks
from .distributions import _broken
from .nested_designs import MARKERS, _shown_lines, _text_color, cell_texts, limit_lines, number_text, shown_in, shown_label
from .style import (COLORMAP, COLORS, FAILED, Skipped, _ON_PAGE, _observable, _values, axis_unit, empty_figure, evenly, legend, meaning,
                    one_panel, plain, styled)

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

LOW, HIGH = 5, 95  # per cent, of the bands
PANEL_TEXTS = 32  # the same in a small map
CELL_TEXT = 9.2  # pt
TEXTS = 64  # cells of a map that have their number written in
MOST_TICKS = 7
MOST_PANELS = 4
MOST_MARKS = 900
MOST_CONTOURS = 24


def design_axes(result: Result) -> list[str]:
    """The parameters that the study chose values for: of a nested design the grid's parameters, otherwise all that vary."""
    return list(designs.compared_variables(result)) or result.varied


def telling(result: Result, name: str) -> list[str]:
    """The design axes, those first whose levels move the median of an observable most."""
    values, used, _ = _values(result, name)

    def moved(variable: str) -> float:
        medians = [np.median(group) for _, group in level_groups(result, variable, values, used) if len(group)]
        return float(np.ptp(medians))

    return sorted(design_axes(result), key=moved, reverse=True)


def alone(result: Result, variable: str) -> Array:
    """Of a design one_at_a_time the instances in which the other parameters have their base (instance 0), otherwise all."""
    if designs.kind(result) != "one_at_a_time":
        return np.ones(result.instances, dtype=bool)
    others = [result.parameters[name] == result.parameters[name][0] for name in result.varied if name != variable]
    return np.asarray(np.all(others, axis=0)) if others else np.ones(result.instances, dtype=bool)


def level_groups(result: Result, variable: str, values: Array, used: Array) -> list[tuple[float, Array]]:
    """(level, values of the used instances there) of every level."""
    rows, levels = np.flatnonzero(used & alone(result, variable)), result.levels(variable)
    column = result.parameters[variable][rows]
    rows = rows[np.argsort(column, kind="stable")]
    ends = np.searchsorted(np.sort(column), levels, side="right")
    return list(zip(levels, np.split(values[rows], ends[:-1])))


def level_words(result: Result, name: str, value: float) -> str:
    """A value of a parameter with its unit, with as few digits as tell it from its neighbours: 45°, 12 mm."""
    factor, unit = shown_in(result, name, result.parameters[name])
    return f"{value * factor:.3g} {'' if unit == '1' else axis_unit(unit)}".strip().replace(" °", "°")


# --- maps ---------------------------------------------------------------------------------------------------------------------


def cells(result: Result, name: str, across: str, up: str, rows: Array | None = None) -> tuple[Array, Array, Array]:
    """[level of up, level of across]: the median of the ok instances of a cell, how many these are, and how many failed."""
    values, used, _ = _values(result, name)
    inside = np.ones(result.instances, dtype=bool) if rows is None else rows
    shape = len(result.levels(up)), len(result.levels(across))
    flat = np.searchsorted(result.levels(up), result.parameters[up]) * shape[1] \
        + np.searchsorted(result.levels(across), result.parameters[across])
    median = np.full(shape[0] * shape[1], np.nan)
    good = np.flatnonzero(inside & used)
    ranked = values[good[np.lexsort((values[good], flat[good]))]]  # cell by cell, the smallest of each first: there may be a million
    counted = np.bincount(flat[good], minlength=median.size)
    there = counted > 0
    first = (np.cumsum(counted) - counted)[there]
    median[there] = 0.5 * (ranked[first + (counted[there] - 1) // 2] + ranked[first + counted[there] // 2])
    failed = np.bincount(flat[inside & ~result.ok], minlength=median.size)
    return median.reshape(shape), counted.reshape(shape), failed.reshape(shape)


def _ticks(result: Result, name: str, set_ticks: Any, most: int = MOST_TICKS) -> None:
    from matplotlib.ticker import MaxNLocator

    levels = result.levels(name)
    factor, _ = shown_in(result, name, levels)
    steps = np.diff(levels)
    if len(levels) > most and np.ptp(steps) < 1e-6 * np.mean(steps):  # round numbers between evenly spaced levels
        round_ones = MaxNLocator(most - 1, steps=[1, 2, 2.5, 5, 10], integer=is_whole(levels * factor)).tick_values(
            levels[0] * factor, levels[-1] * factor)
        inside = [tick for tick in round_ones if levels[0] * factor - 1e-9 <= tick <= levels[-1] * factor + 1e-9]
        set_ticks([(tick / factor - levels[0]) / np.mean(steps) for tick in inside], [f"{tick:.6g}" for tick in inside])
        return
    shown = np.arange(0, len(levels), max(1, -(-(len(levels) - 1) // (most - 1))))
    set_ticks(shown, [f"{levels[k] * factor:.3g}" for k in shown])


def _axis_label(result: Result, name: str) -> str:
    return str(shown_label(name, shown_in(result, name, result.levels(name))[1]))


def _marks(axes: Any, failed: Array, counted: Array) -> list[Line2D]:
    """Crosses where every instance of a cell failed, dots where some did; the entries of a legend."""
    from matplotlib.lines import Line2D

    entries = []
    for chosen, marker, words in (((failed > 0) & (counted == 0), "x", "failed"), ((failed > 0) & (counted > 0), ".", "some failed")):
        at = np.argwhere(chosen)
        if not len(at):
            continue
        color, size = (FAILED, 4.5) if marker == "x" else ("white", 5)
        if len(at) <= MOST_MARKS:
            across = at[:, 1] + (0 if marker == "x" else 0.38)
            up = at[:, 0] + (0 if marker == "x" else 0.35)
            axes.plot(across, up, marker, color=color, markersize=size, markeredgecolor=FAILED, linestyle="", zorder=4)
        entries.append(Line2D([], [], linestyle="", marker=marker, color=color, markeredgecolor=FAILED, markersize=6, label=words))
    return entries


def _image(axes: Any, numbers: Array, norm: Any, **limits: Any) -> Any:
    axes.grid(False)
    axes.set_facecolor("#DDDDDD")
    axes.patch.set(hatch="////", edgecolor="#BBBBBB")
    return axes.imshow(np.ma.masked_invalid(numbers), origin="lower", aspect="auto", interpolation="none", cmap=COLORMAP, norm=norm,
                       **limits)


def _contours(axes: Any, image: Any, numbers: Array) -> None:
    """A few labelled lines of equal value, so that a map is read without its colours; none where values scatter."""
    low, high = np.nanmin(numbers), np.nanmax(numbers)
    if min(numbers.shape) < 8 or not high > low:
        return
    levels = np.quantile(numbers[np.isfinite(numbers)], [0.2, 0.4, 0.6, 0.8])
    levels = np.unique([float(f"{level:.2g}") for level in levels])
    levels = levels[(levels > low) & (levels < high)]
    if not len(levels):
        return
    colors = [_text_color(image, level) for level in levels]
    lines = axes.contour(np.ma.masked_invalid(numbers), levels=levels, colors=colors, linewidths=0.8)
    if sum(len(part) for part in lines.allsegs) > MOST_CONTOURS:
        for part in list(lines.collections):
            part.remove()
        return
    places: list[Array] = []
    for parts in lines.allsegs:
        places += [place for place in _inside(parts, numbers.shape)
                   if all((np.abs(place - other) / (numbers.shape[1], numbers.shape[0]) > (0.25, 0.08)).any() for other in places)]
    if places:
        axes.clabel(lines, fmt=lambda value: f"{value:.3g}", fontsize=9.2, manual=places)


def _inside(parts: Sequence[Array], shape: tuple[int, ...]) -> list[Array]:
    """Where the label of a contour stands: in the middle of its longest part, so far from the edges of the map that it is not cut there."""
    longest = max(parts, key=len, default=np.empty((0, 2)))
    share = (longest + 0.5) / (shape[1], shape[0])
    inside = longest[((share > (0.14, 0.08)) & (share < (0.86, 0.92))).all(axis=1)]
    return [inside[len(inside) // 2]] if len(inside) else []


def limit_edges(beyond: Array) -> list[Any]:
    """Edges between neighbouring cells of which one is beyond a limit (1) and the other not (0); NaN: neither. Cells are one wide."""
    edges = []
    for y, x in np.ndindex(beyond.shape):
        if x + 1 < beyond.shape[1] and {beyond[y, x], beyond[y, x + 1]} == {0.0, 1.0}:
            edges.append([(x + 0.5, y - 0.5), (x + 0.5, y + 0.5)])
        if y + 1 < beyond.shape[0] and {beyond[y, x], beyond[y + 1, x]} == {0.0, 1.0}:
            edges.append([(x - 0.5, y + 0.5), (x + 0.5, y + 0.5)])
    return edges


def _limit_lines(axes: Any, result: Result, name: str, numbers: Array, factor: float) -> list[Line2D]:
    """Between which cells the observable passes the limit that a criterion sets."""
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    found: dict[str, Line2D] = {}
    for criterion, limit in designs.thresholds(result, name):
        edges = limit_edges(np.where(np.isfinite(numbers), (numbers > limit * factor).astype(float), np.nan))
        if edges:
            axes.add_collection(LineCollection(edges, colors=COLORS[1], linewidths=2.2, zorder=3))
            found[criterion] = Line2D([], [], color=COLORS[1], linewidth=2.2, label=f"limit of {plain(criterion)}")
    return list(found.values())


def _require_levels(result: Result, *variables: str) -> None:
    for name in variables:
        if len(result.levels(name)) < 2:
            raise Skipped(f"{name} has one value")
        if name not in design_axes(result):
            raise Skipped(f"{name} was drawn: maps are over design variables")


@styled
def level_map(result: Result, name: str, across: str, up: str) -> Figure:
    """The median of an observable over everything else in every cell of two design variables. Cells are spaced evenly, whatever the values
    of their levels. Failed cells are hatched and crossed."""
    _require_levels(result, across, up)
    values, used, text = _observable(result, name)
    factor, unit = shown_in(result, name, values[used])
    median, counted, failed = cells(result, name, across, up)
    numbers = median * factor
    several = "Median of each cell; " if counted.max() > 1 else ""
    figure, axes = one_panel(result, 7.2, 5.6, f"{name} over {across} and {up}", f"{several}{text}. {meaning(result, name)}")
    image = _image(axes, numbers, colors_of(numbers))
    entries = color_bar(figure, image, axes, shown_label(name, unit), numbers)
    if numbers.size <= TEXTS and numbers.shape[1] <= 8:
        cell_texts(axes, image, numbers, lambda at: number_text(numbers[at]), CELL_TEXT)
    else:
        _contours(axes, image, numbers)
    entries += _limit_lines(axes, result, name, numbers, factor) + _marks(axes, failed, counted)
    _ticks(result, across, axes.set_xticks)
    _ticks(result, up, axes.set_yticks, 12)
    axes.set(xlabel=_axis_label(result, across), ylabel=_axis_label(result, up))
    legend(axes, 3, handles=entries)
    return figure


def panel_levels(result: Result, third: str) -> Array:
    """Levels of a third variable that get a map each: all, or four spread evenly."""
    levels = result.levels(third)
    return np.asarray(levels[evenly(len(levels), MOST_PANELS)])


@styled
def level_maps(result: Result, name: str, across: str, up: str, third: str) -> Figure:
    """level_map at levels of a third design variable, in the same colours."""
    _require_levels(result, across, up, third)
    values, used, text = _observable(result, name)
    factor, unit = shown_in(result, name, values[used])
    levels = panel_levels(result, third)
    tables = [cells(result, name, across, up, result.parameters[third] == level) for level in levels]
    numbers = np.array([median for median, _, _ in tables]) * factor
    norm = colors_of(numbers)
    rows = (len(levels) + 1) // 2
    figure = empty_figure(result, 7.2, 1.2 + 2.6 * rows, f"{name} at levels of {third}")
    grid = figure.subplots(rows, 2, sharex=True, sharey=True, squeeze=False)
    figure.page_subtitle = ""
    for axes, level, shown, (_, counted, failed) in zip(grid.flat, levels, numbers, tables):
        image = _image(axes, shown, norm)
        _marks(axes, failed, counted)
        if shown.size <= PANEL_TEXTS and shown.shape[1] <= 4:
            cell_texts(axes, image, shown, lambda at, shown=shown: number_text(shown[at]), CELL_TEXT)
        axes.set_title(plain(_broken(f"{third} {level_words(result, third, level)}")), fontsize=9.5, loc="left")
        _ticks(result, across, axes.set_xticks, 4)
        _ticks(result, up, axes.set_yticks, 5)
    for axes in grid.flat[len(levels):]:
        axes.set_visible(False)
    if entries := color_bar(figure, image, grid, shown_label(name, unit), numbers):
        figure.legend(handles=entries, loc="upper left", frameon=False, borderaxespad=0.1)
        figure.get_layout_engine().set(rect=(0, 0, 1, 1 - 0.45 / figure.get_figheight()))
    figure.supylabel(_axis_label(result, up), fontsize=10)
    for axes in grid[-1]:
        axes.set_xlabel(_broken(_axis_label(result, across)), fontsize=9.2)
    return figure


# --- lines --------------------------------------------------------------------------------------------------------------------


def band(result: Result, name: str, along: str, rows: Array | None = None) -> Array:
    """[level, (5 %, median, 95 %)] of the ok instances at every level of a design variable, NaN where there are none."""
    values, used, _ = _values(result, name)
    used = used if rows is None else used & rows
    return np.array([np.percentile(group, [LOW, 50, HIGH]) if len(group) else [np.nan] * 3
                     for _, group in level_groups(result, along, values, used)])


def _split(result: Result, along: str) -> list[tuple[str, float | None]]:
    """(other variable, level) that get a line of their own: of two design variables first, middle and last level of the other one."""
    others = [name for name in design_axes(result) if name != along]
    if len(others) != 1 or designs.kind(result) == "one_at_a_time":
        return [("", None)]
    levels = result.levels(others[0])
    return [(others[0], levels[k]) for k in _shown_lines(len(levels))]


@styled
def bands(result: Result, name: str, along: str) -> Figure:
    """Median of an observable over one design variable with the band from 5 % to 95 % over everything else. Of two design variables lines
    are at the first, middle and last level of the other one."""
    _require_levels(result, along)
    values, used, text = _observable(result, name)
    factor, unit = shown_in(result, name, values[used])
    scale, x_unit = shown_in(result, along, result.levels(along))
    xs = result.levels(along) * scale
    lines = _split(result, along)
    several = max(len(group) for _, group in level_groups(result, along, values, used)) > 1 and designs.kind(result) != "one_at_a_time"
    told = "Median and range from 5 % to 95 % at each level; " if several else ""
    figure, axes = one_panel(result, 7.2, 4.9, f"{name} over {along}", f"{told}{text}. {meaning(result, name)}")
    drawn = "common" if lines[0][1] is not None and not _repeated(result, along, lines[0]) else "own"
    if several and drawn == "common":
        low, _, high = band(result, name, along).T * factor
        axes.fill_between(xs, low, high, color=COLORS[6], alpha=0.18, linewidth=0, label=f"{LOW} to {HIGH} %, all")
    for k, (other, level) in enumerate(lines):
        rows = None if level is None else result.parameters[other] == level
        low, median, high = band(result, name, along, rows).T * factor
        if not np.isfinite(median).any():  # every instance of this level failed
            continue
        if several and drawn == "own":
            axes.fill_between(xs, low, high, color=COLORS[k], alpha=0.18, linewidth=0)
            axes.vlines(xs, low, high, color=COLORS[k], alpha=0.5, linewidth=1)
        words = ("median" if several else None) if level is None else f"{other} {level_words(result, other, level)}"
        axes.plot(xs, median, color=COLORS[k], marker=MARKERS[k] if len(xs) <= 30 else "", markersize=5, label=words and plain(words),
                  linestyle=("-", "--", "-.")[k])
    limit_lines(axes.axhline, result, name, factor, every=True, linestyle=":", linewidth=1.3)
    _failed_levels(axes, result, along, xs)
    whole_ticks(axes.xaxis, xs)
    axes.set(xlabel=shown_label(along, x_unit), ylabel=shown_label(name, unit))
    legend(axes, 1 if lines[0][1] is not None else 2)
    return figure


def _repeated(result: Result, along: str, line: tuple[str, float | None]) -> bool:
    """Whether a line has several instances at a level."""
    rows = result.parameters[line[0]] == line[1]
    return int(np.sum(rows)) > len(result.levels(along))


def _failed_levels(axes: Any, result: Result, along: str, xs: Array) -> None:
    everyone = np.ones(result.instances, dtype=bool)
    share = np.array([np.mean(group) if len(group) else 0.0 for _, group in level_groups(result, along, ~result.ok, everyone)])
    for chosen, marker, words in ((share == 1, "x", "all failed here"), ((share > 0) & (share < 1), "|", "some failed here")):
        if chosen.any():
            axes.plot(xs[chosen], np.full(np.sum(chosen), 0.02), marker, color=FAILED, markersize=8, label=words,
                      transform=axes.get_xaxis_transform(), clip_on=False, zorder=5, linestyle="")


# --- where instances failed ---------------------------------------------------------------------------------------------------


@styled
def failed_where(result: Result, across: str, up: str) -> Figure:
    """Share of the instances that failed in every cell of two design variables."""
    _require_levels(result, across, up)
    if result.ok.all():
        raise Skipped("no instance failed")
    share = failed_shares(result, across, up)
    figure, axes = one_panel(result, 7.2, 5.4, "Where instances failed",
                             f"{int(np.sum(~result.ok))} of {result.instances} instances failed; cells without any instance are hatched")
    image = _image(axes, 100 * share, None, vmin=0, vmax=100)
    entries = color_bar(figure, image, axes, "failed [%]", 100 * share)
    if share.size <= TEXTS and share.shape[1] <= 8:
        cell_texts(axes, image, 100 * share, lambda at: f"{100 * share[at]:.0f} %" if share[at] else "", CELL_TEXT)
    else:
        at = np.argwhere(share > 0)
        if len(at) <= MOST_MARKS:
            entries += axes.plot(at[:, 1], at[:, 0], "x", color=FAILED, markersize=4.5, linestyle="", label="some or all failed")
    legend(axes, 3, handles=entries)
    _ticks(result, across, axes.set_xticks)
    _ticks(result, up, axes.set_yticks, 12)
    axes.set(xlabel=_axis_label(result, across), ylabel=_axis_label(result, up))
    return figure


def failed_shares(result: Result, across: str, up: str) -> Array:
    """[level of up, level of across]: share of the cell's instances that failed; NaN where there are none."""
    at = (np.searchsorted(result.levels(up), result.parameters[up]), np.searchsorted(result.levels(across), result.parameters[across]))
    total = np.zeros((len(result.levels(up)), len(result.levels(across))))
    failed = np.zeros_like(total)
    np.add.at(total, at, 1)
    np.add.at(failed, at, ~result.ok)
    return np.asarray(np.divide(failed, total, out=np.full_like(total, np.nan), where=total > 0))


# --- lists --------------------------------------------------------------------------------------------------------------------

MOST_DOTS = 40


@styled
def instance_dots(result: Result, name: str) -> Figure:
    """An observable of each instance of a short list, one below the other."""
    values, used, text = _observable(result, name)
    if result.instances > MOST_DOTS:
        raise Skipped(f"{result.instances} instances are too many for a line each")
    factor, unit = shown_in(result, name, values[used])
    rows = np.arange(result.instances)
    figure, axes = one_panel(result, 7.2, 1.8 + 0.25 * result.instances, f"{name} of each instance", f"{text}. {meaning(result, name)}")
    axes.hlines(rows[used], min(0, (values[used] * factor).min()), values[used] * factor, color=COLORS[0], linewidth=1)
    axes.plot(values[used] * factor, rows[used], "o", color=COLORS[0], markersize=6)
    if not used.all():
        axes.plot(np.full(np.sum(~used), 0.02), rows[~used], "x", color=FAILED, transform=axes.get_yaxis_transform(), linestyle="",
                  label="failed or without a value")
    limit_lines(axes.axvline, result, name, factor, every=True, linestyle=":", linewidth=1.3)
    step = 1 if _ON_PAGE.get() and result.instances <= 20 else max(1, result.instances // 20)
    axes.set_yticks(rows[::step])
    axes.invert_yaxis()
    axes.set(xlabel=shown_label(name, unit), ylabel="instance")
    legend(axes)
    return figure


# --- one parameter at a time --------------------------------------------------------------------------------------------------------


def ranges(result: Result, name: str) -> list[tuple[str, float, float, float, float]]:
    """Of a design one_at_a_time: (parameter, smallest value, its level, largest value, its level), the widest range first."""
    values, used, _ = _values(result, name)
    found = []
    for variable in result.varied:
        rows = np.flatnonzero(used & alone(result, variable))
        if len(rows):
            low, high = rows[np.argmin(values[rows])], rows[np.argmax(values[rows])]
            column = result.parameters[variable]
            found.append((variable, float(values[low]), float(column[low]), float(values[high]), float(column[high])))
    return sorted(found, key=lambda each: each[1] - each[3])


@styled
def range_bars(result: Result, name: str) -> Figure:
    """The range of an observable while one parameter goes through its levels and the others keep their base, the widest above."""
    if designs.kind(result) != "one_at_a_time":
        raise Skipped("the study does not change one parameter at a time")
    found = ranges(result, name)[:MOST_DOTS // 2]
    factor, unit = shown_in(result, name, result.observables[name][result.ok])
    figure, axes = one_panel(result, 7.2, 1.9 + 0.5 * len(found), f"Range of {name}, one parameter at a time",
                             f"At the ends of the bars the parameter's values there. {meaning(result, name)}")
    for place, (variable, low, at_low, high, at_high) in enumerate(found):
        axes.barh(place, (high - low) * factor, left=low * factor, height=0.55, color=COLORS[4])
        for value, level, side in ((low, at_low, "right"), (high, at_high, "left")):
            axes.annotate(level_words(result, variable, level), (value * factor, place), textcoords="offset points", va="center", ha=side,
                          xytext=(-3 if side == "right" else 3, 0), fontsize=9.2)
    if result.ok[0] and np.isfinite(result.observables[name][0]):
        axes.axvline(result.observables[name][0] * factor, color="black", linewidth=1.1, label="base")
        legend(axes)
    axes.set_yticks(range(len(found)), [plain(_broken(each[0])) for each in found])
    axes.invert_yaxis()
    ends = np.array([[low, high] for _, low, _, high, _ in found]) * factor
    room = 0.22 * np.ptp(ends)
    axes.set_xlim(ends.min() - room, ends.max() + room)
    axes.grid(False, axis="y")
    axes.set_xlabel(shown_label(name, unit))
    return figure


# --- extremes -----------------------------------------------------------------------------------------------------------------


def extremes(result: Result, name: str) -> tuple[int, int]:
    """Rows of the ok instances with the smallest and the largest value of an observable."""
    values, used, _ = _values(result, name)
    rows = np.flatnonzero(used)
    return int(rows[np.argmin(values[rows])]), int(rows[np.argmax(values[rows])])


def extreme_cells(result: Result, name: str) -> list[tuple[dict[str, float], float, int]]:
    """Of a nested design: (levels, median, ok instances) of the cells with the smallest and the largest median."""
    variables: Sequence[str] = designs.design_variables(result)
    values, used, _ = _values(result, name)
    table = designs.cell_table(result, variables, np.where(used, values, np.nan))
    found = []
    for at in np.ndindex(table.shape):
        good = np.array(table[at])
        good = good[np.isfinite(good)]
        if len(good):
            found.append(({v: float(result.levels(v)[k]) for v, k in zip(variables, at)}, float(np.median(good)), len(good)))
    return [min(found, key=lambda each: each[1]), max(found, key=lambda each: each[1])]
