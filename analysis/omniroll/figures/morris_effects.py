"""Figure of Morris' elementary effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..reading.result import Result
from .nested_designs import shown_in, shown_label
from .style import COLORS, Skipped, _ON_PAGE, legend, meaning, one_panel, plain, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NAMED = 8
CLOSE = 0.03  # of the extent


def order(result: Result, name: str) -> tuple[dict[str, Any], int, list[int]]:
    """The group of elementary effects, the row of an observable, and the parameters by mu*, the largest first. Raises Skipped."""
    group = result.statistics.get("morris")
    if group is None:
        raise Skipped("the file has no elementary effects; design morris makes them")
    if name not in list(group["quantity"]):
        raise Skipped(f"there are no elementary effects on {name}")
    at = list(group["quantity"]).index(name)
    size = group["mu_star"][at]
    if not np.isfinite(size).any() or np.nanmax(size) == 0:
        raise Skipped(f"nothing has an effect on {name}")
    ranked = [int(k) for k in np.argsort(-np.nan_to_num(size, nan=-1.0), kind="stable") if np.isfinite(size[k])]
    return group, at, ranked


def clusters(x, y, extent):
    """[(places, x, y)] of points so close that they share a label."""
    found = []
    for place, (a, b) in enumerate(zip(x, y)):
        near = next((each for each in found if max(abs(each[1] - a), abs(each[2] - b)) < CLOSE * extent), None)
        if near is None:
            found.append(([place], a, b))
        else:
            near[0].append(place)
    return found


@styled
def morris_effects(result: Result, name: str) -> Figure:
    """Mean size mu* of each parameter's elementary effects on an observable, and their standard deviation sigma."""
    group, at, ranked = order(result, name)
    size, low, high, sigma = (np.asarray(group[key])[at] for key in ("mu_star", "mu_star_low", "mu_star_high", "sigma"))
    factor, unit = shown_in(result, name, size) if name in result.units else (1.0, "1")
    attrs = group["attrs"]
    used = f"{attrs.get('ok', '?')} of {attrs.get('count', '?')} trajectories; intervals of {100 * attrs.get('confidence', 0.95):g} %"
    figure, axes = one_panel(result, 7.2, 6.0, f"Elementary effects on {name}",
                             f"{used}. {meaning(result, name) if name in result.long_names else name}")
    top = 1.08 * factor * np.nanmax(np.concatenate([high, sigma, size]))
    axes.plot([0, top], [0, top], color="#666666", linestyle="--", linewidth=1, label="σ = μ*")
    for place, k in enumerate(ranked):
        color = COLORS[0] if place < MOST_NAMED else "#666666"
        arms = [[max(0.0, size[k] - low[k]) * factor], [max(0.0, high[k] - size[k]) * factor]]
        axes.errorbar([size[k] * factor], [sigma[k] * factor], xerr=arms, fmt="none", ecolor=color, elinewidth=0.9, alpha=0.7)
        axes.plot(size[k] * factor, sigma[k] * factor, "o", color=color, markersize=4)
        if place < MOST_NAMED and not _ON_PAGE.get():  # a page has a table for it
            axes.plot([], [], " ", label=plain(f"{place + 1}  {group['parameter'][k]}"))
    for places, x, y in clusters(size[ranked[:MOST_NAMED]] * factor, sigma[ranked[:MOST_NAMED]] * factor, top):
        axes.annotate(", ".join(str(place + 1) for place in places), (x, y), textcoords="offset points", xytext=(3, 4), fontsize=10)
    axes.set(xlim=(0, top), ylim=(0, 1.08 * factor * np.nanmax(np.concatenate([sigma, size]))),
             xlabel=shown_label("mean size of the effects μ*", unit), ylabel=shown_label("their spread σ", unit))
    legend(axes, 1, handlelength=1.2)
    return figure
