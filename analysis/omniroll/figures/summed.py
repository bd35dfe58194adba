"""Figures of the statistics of all instances, where their rows are not kept: bins, means of cells, linear correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ..reading import designs, summed
from ..reading.result import Array, Result
from .basic import count_axes
from .distributions import MOST_BARS, correlation_bars
from .nested_designs import shown_in, shown_label
from .style import COLORS, DASHES, Skipped, check_size, legend, meaning, one_panel, plain, set_subtitle, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SERIES = 8
EDGES = (0.05, 0.5, 0.95)  # levels that are marked


@styled
def binned(result: Result, name: str) -> Figure:
    """Histogram of an observable over all ok instances, with its quantiles and the limits that criteria set."""
    found = summed.of(result, name)
    if found is None or found.counts is None or found.edges is None or not found.differs:
        raise Skipped(f"there is no histogram of {name}")
    check_size(name, np.array([found.min, found.max]))
    factor, unit = shown_in(result, name, np.array([found.min, found.max]))
    figure, axes = one_panel(result, 7.5, 4.6, f"{name} of {found.used} ok instances",
                             f"{meaning(result, name)}. Bins of all instances; their rows are not kept")
    axes.stairs(found.counts, found.edges * factor, fill=True, color=COLORS[4], edgecolor="white", linewidth=0.4)
    for at, (criterion, limit) in enumerate(designs.thresholds(result, name)):
        if found.min <= limit <= found.max:
            axes.axvline(limit * factor, color=COLORS[1], linestyle="--", linewidth=1.6, label=f"limit of {plain(criterion)}")
    for level, value in found.quantiles.items():
        if level in EDGES:
            words = "median" if level == 0.5 else f"{100 * level:g} % quantile"
            axes.axvline(value * factor, color="black", linestyle="-" if level == 0.5 else ":", linewidth=1.1, label=words)
    count_axes(axes, found.edges * factor, shown_label(name, unit))
    legend(axes)
    return figure


@styled
def over_cells(result: Result, name: str) -> Figure:
    """Mean of an observable, or probability of a criterion, in the cells of a nested design, with intervals: over the grid's parameter with most
    values, a line for each combination of the others."""
    values, ends, criterion = _of_cells(result, name)
    grid = summed.cell_values(result)
    if not grid or len(values) < 2:
        raise Skipped("there are no cells to compare")
    along = max(grid, key=lambda each: len(np.unique(grid[each])))
    others = [each for each in grid if each != along]
    factor, unit = (100.0, "%") if criterion else shown_in(result, name, values)
    scale, x_unit = shown_in(result, along, grid[along])
    figure, axes = one_panel(result, 7.2, 4.4, f"{'Probability of ' if criterion else 'Mean of '}{name} in {len(values)} cells")
    rows = _series([grid[each] for each in others], len(values))
    for at, cells in enumerate(rows[:MOST_SERIES]):
        order = cells[np.argsort(grid[along][cells], kind="stable")]
        arms = np.abs(ends[:, order] - values[order]) * factor
        words = ", ".join(_named(result, each, float(grid[each][order[0]])) for each in others)
        axes.errorbar(grid[along][order] * scale, values[order] * factor, yerr=arms, color=COLORS[at], linestyle=DASHES[at], marker="o",
                      markersize=4, capsize=3, linewidth=1.4, label=words or None)
    left = f"; {len(rows) - MOST_SERIES} more combinations are not drawn" if len(rows) > MOST_SERIES else ""
    what = f"Part of the instances that meet {designs.criteria(result).get(name, name)}" if criterion else meaning(result, name)
    confidence = 100 * float(result.statistics.get("attrs", {}).get("confidence", 0.95))
    set_subtitle(axes, f"{what}; bars: {confidence:g} % intervals of each cell{left}", 7.2)
    axes.set(xlabel=shown_label(along, x_unit), ylabel=f"{name} met [%]" if criterion else shown_label(name, unit))
    if others:
        legend(axes)
    return figure


def _of_cells(result: Result, name: str) -> tuple[Array, Array, bool]:
    """Values and ends of intervals [2, cell] of an observable or criterion."""
    table = result.statistics
    at = summed.place_of(table, "criterion", name)
    if at is not None and "cell_probability" in table:
        ends = np.array([table[f"cell_probability_{end}"][:, at] for end in ("low", "high")])
        return np.asarray(table["cell_probability"][:, at]), ends, True
    found = [each for each in (summed.of_cell(result, name, cell) for cell in range(summed.cells(result))) if each is not None]
    return np.array([each.mean for each in found]), np.array([[each.mean_low for each in found], [each.mean_high for each in found]]), False


def _series(others: Sequence[Array], cells: int) -> list[Any]:
    """Cells that are alike in these parameters."""
    if not others:
        return [np.arange(cells)]
    _, which = np.unique(np.stack(others, axis=1), axis=0, return_inverse=True)
    return [np.flatnonzero(which.ravel() == each) for each in range(which.max() + 1)]


def _named(result: Result, name: str, value: float) -> str:
    factor, unit = shown_in(result, name, np.array([value]))
    return f"{plain(name)} {value * factor:.4g}{'' if unit == '1' else ' ' + unit}"


@styled
def linear_correlations(result: Result, name: str) -> Figure:
    """Pearson's correlations of an observable with the drawn parameters over all ok instances, the strongest above."""
    found = correlations(result, name)
    names = sorted(found, key=lambda each: -abs(found[each][0]))[:MOST_BARS]
    if not names:
        raise Skipped(f"there are no correlations of {name}")
    values, low, high = (np.array([found[each][k] for each in names]) for k in range(3))
    return correlation_bars(result, name, dict(zip(names, values)), low, high, "Pearson's correlation",
                            "All ok instances, 95 % intervals. Blue rises with the parameter, orange falls")


def correlations(result: Result, name: str) -> dict[str, tuple[float, float, float]]:
    """Of an observable or criterion with each drawn parameter: Pearson's correlation with the ends of its interval."""
    group = result.statistics.get("correlation", {})
    at, drawn = summed.place_of(group, "quantity", name), designs.drawn_variables(result)
    if at is None:
        return {}
    found = {str(parameter): (float(group["pearson"][at][k]), float(group["pearson_low"][at][k]), float(group["pearson_high"][at][k]))
             for k, parameter in enumerate(group["parameter"]) if str(parameter) in drawn}
    return {parameter: each for parameter, each in found.items() if np.isfinite(each[0])}
