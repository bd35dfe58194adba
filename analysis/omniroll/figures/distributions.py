"""Figures of designs that draw their values: distributions with the limits that criteria set, which parameter matters."""

import numpy as np

from ..reading import designs
from .axis_scales import plain_decades, whole_ticks
from .basic import _bins, count_axes, differing, running_median
from .nested_designs import limit_lines, shown_in, shown_label
from .style import (COLORS, Skipped, _ON_PAGE, _observable, _values, axis_unit, empty_figure, legend, meaning, one_panel, plain, pretty_unit,
                    set_subtitle, styled, within)

STRONGEST = 4
MOST_DOTS = 5000
RASTER = {"rasterized": True, "color": "#3C8FC7"}  # seen on light and on dark pages
MOST_BARS = 20
MIN_POINTS = 8


def _failing_side(result, criterion, name):
    """A function: values (SI) -> mask of those beyond the limit, or None where the criterion is more than one comparison."""
    simple = designs.comparison(designs.criteria(result)[criterion])
    if simple is None or simple[0] != name:
        return None
    _, absolute, operator, threshold = simple
    sign = 1 if operator[0] == ">" else -1
    return lambda values: sign * ((np.abs(values) if absolute else values) - threshold) > 0


@styled
def distribution(result, name):
    """Distribution of an observable with its quantiles and the limits that the study's criteria set."""
    values, text = differing(result, name)
    factor, unit = shown_in(result, name, values)
    limits = designs.thresholds(result, name)
    figure, axes = one_panel(result, 7.5, 4.8, f"{name} of {text}", meaning(result, name))
    edges = _bins(values) * factor
    axes.hist(values * factor, bins=edges, color=COLORS[4], edgecolor="white", linewidth=0.4)
    for criterion in dict.fromkeys(criterion for criterion, _ in limits):
        beyond = _failing_side(result, criterion, name)
        if beyond is not None and beyond(values).any():
            axes.hist(values[beyond(values)] * factor, bins=edges, color=COLORS[1], edgecolor="white", linewidth=0.4,
                      label=f"{plain(criterion)}: {_probability_words(result, criterion, values, beyond)}")
    for at, (criterion, limit) in enumerate(limits):
        axes.axvline(limit * factor, color=COLORS[1], linestyle="--", linewidth=1.6,
                     label=None if at else f"limit {limit * factor:.4g} {pretty_unit(unit)}".replace(" °", "°"))
    _quantile_marks(axes, values * factor, unit)
    count_axes(axes, values * factor, shown_label(name, unit))
    legend(axes, 1)
    return figure


TAIL = 4.0  # how many times as far from the median as the 5 % or 95 % the farthest value is, for a tail worth a figure
DECADE = 10.0


def has_tail(values):
    """Whether a few values lie far beyond the others, which a histogram cannot show."""
    low, median, high = np.percentile(values, [5, 50, 95])
    far = max(values.max() - median, median - values.min())
    return len(values) >= 100 and max(high - median, median - low) > 0 and far > TAIL * max(high - median, median - low)


@styled
def exceedance(result, name):
    """Share of the ok instances above each value of an observable (one minus its empirical distribution), on a logarithmic axis."""
    values, used, text = _observable(result, name)
    values = np.sort(values[used])
    if len(np.unique(values)) < MIN_POINTS:
        raise Skipped(f"{name} has too few values")
    factor, unit = shown_in(result, name, values)
    figure, axes = one_panel(result, 7.2, 4.6, f"How often {name} is larger", f"Empirical distribution of {text}. {meaning(result, name)}")
    share = 1 - np.arange(len(values)) / len(values)
    places = np.concatenate([np.linspace(0, len(values) - 1, 400), len(values) - np.geomspace(1, len(values), 400)])
    shown = np.unique(places.round().astype(int))
    axes.step(values[shown] * factor, 100 * share[shown], where="pre", color=COLORS[0])
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    if values[0] > 0 and values[-1] > DECADE * values[0]:
        axes.set_xscale("log")
        plain_decades(axes.xaxis)
    limit_lines(axes.axvline, result, name, factor, color=COLORS[1], linestyle="--", linewidth=1.6)
    axes.set(xlabel=shown_label(name, unit), ylabel="instances at or above [%]")
    legend(axes)
    return figure


def _probability_words(result, criterion, values, beyond):
    statistics = result.statistics
    known = list(statistics.get("criterion", []))
    if criterion in known:
        share, low, high = (statistics[f"probability{end}"][known.index(criterion)] for end in ("", "_low", "_high"))
    else:
        share = np.mean(beyond(values))
        low, high = designs.wilson(int(np.sum(beyond(values))), len(values))
    return within(f"{100 * share:.3g} %", f"{100 * low:.3g}", f"{100 * high:.3g}")


def _quantile_marks(axes, values, unit):
    low, median, high = np.percentile(values, [5, 50, 95])
    whole = np.all(values == np.round(values))
    decimals = 0 if whole else max(0, 2 - int(np.floor(np.log10(max(abs(low), abs(high)))))) if max(abs(low), abs(high)) > 1e-6 else 12
    while decimals < 9 and high > low and f"{low:.{decimals}f}" == f"{high:.{decimals}f}":
        decimals += 1
    digits = f".{decimals}f" if decimals < 9 else ".3g"
    shown = [f"{value:{digits}}" for value in (low, median, high)]
    after = "" if unit == "1" else f" {axis_unit(unit)}".replace(" °", "°")
    marks = ((low, ":", f"5 % to 95 %: {shown[0]} to {shown[2]}{after}"), (high, ":", None), (median, "-", f"median {shown[1]}{after}"))
    for value, style, words in marks:
        axes.axvline(value, color="black", linestyle=style, linewidth=1.1, label=words and words.replace("-", "−"))


def _ranks(values):
    """Ranks with ties averaged."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]


def rank_correlations(result, name):
    """Spearman's rank correlation of an observable with each drawn parameter over the ok instances ({parameter: r}), and how
    many these are."""
    values, used, _ = _values(result, name)
    count = int(np.sum(used))
    known = _known_correlations(result, name)
    if known is not None and count >= MIN_POINTS:
        return known
    # rows may be kept only for their trajectories, which is no draw
    numbers = np.arange(result.instances) if result.numbers is None else result.numbers
    if result.summed and ("correlation" in result.statistics or np.isin(numbers, result.traced).all()):
        raise Skipped(f"too few rows are drawn to rank {name}, of {result.total} instances")
    if count < MIN_POINTS or len(np.unique(values[used])) < 2:
        raise Skipped(f"{count} instances with a value of {name} that differs are too few for correlations")
    ranks = _ranks(values[used])
    parameters = {p: result.parameters[p][used] for p in designs.drawn_variables(result)}
    return {p: float(np.corrcoef(ranks, _ranks(v))[0, 1]) for p, v in parameters.items() if len(np.unique(v)) > 1}, count


def _known_correlations(result, name):
    """The same from /statistics/correlation, where it has them."""
    group = result.statistics.get("correlation", {})
    if name not in list(group.get("quantity", [])) or "spearman" not in group:
        return None
    at, drawn = list(group["quantity"]).index(name), designs.drawn_variables(result)
    found = {p: float(r) for p, r in zip(group["parameter"], group["spearman"][at]) if p in drawn and np.isfinite(r)}
    return (found, int(group.get("rank_used", group["used"])[at])) if found else None


def _correlation_intervals(found, count, names):
    """95 % of Fisher's transform with the variance of rank correlations (Bonett and Wright 2000)."""
    r = np.array([found[name] for name in names])
    half = 1.96 * np.sqrt((1 + r**2 / 2) / max(count - 3, 1))
    middle = np.arctanh(np.clip(r, -0.999999, 0.999999))
    return np.tanh(middle - half), np.tanh(middle + half)


def _bars(axes, names, values, low, high, color, offset=0.0, height=0.7, words=None):
    places = np.arange(len(names))[::-1] + offset
    axes.barh(places, values, height=height, color=color, label=words)
    errors = np.abs(np.array([np.asarray(values) - low, np.asarray(high) - values]))
    axes.errorbar(values, places, xerr=errors, fmt="none", ecolor="#333333", elinewidth=1.0, capsize=2.5)
    axes.set_yticks(np.arange(len(names))[::-1], [plain(_broken(name)) for name in names])


def _broken(name, width=24):
    """A long name in two lines where the page is narrow, cut at the underscore nearest to its middle."""
    cuts = [at + 1 for at, letter in enumerate(name) if letter in "_ "]
    if len(name) <= width or not cuts or not _ON_PAGE.get():
        return name
    at = min(cuts, key=lambda cut: abs(cut - len(name) / 2))
    return f"{name[:at].rstrip()}\n{name[at:]}"


@styled
def tornado(result, name):
    """Rank correlations of an observable with the drawn parameters, the strongest above."""
    if not designs.drawn_variables(result):
        raise Skipped("the study draws no parameter")
    if designs.design_variables(result):
        raise Skipped("rank correlations over all cells of a nested design would mix designs")
    found, count = rank_correlations(result, name)
    names = sorted(found, key=lambda p: -abs(found[p]))[:MOST_BARS]
    low, high = _correlation_intervals(found, count, names)
    more = f"; {len(found) - len(names)} weaker ones not shown" if len(found) > len(names) else ""
    return correlation_bars(result, name, {p: found[p] for p in names}, low, high, "Spearman's rank correlation",
                            f"{count} ok instances, 95 % intervals. Blue rises with the parameter, orange falls{more}")


def correlation_bars(result, name, found, low, high, kind, words):
    """Correlations ({parameter: r}) of an observable with their intervals, the first above."""
    figure, axes = one_panel(result, 7.5, 1.9 + 0.27 * len(found), f"What {name} goes with")
    _bars(axes, list(found), list(found.values()), low, high, [COLORS[0] if r > 0 else COLORS[5] for r in found.values()])
    axes.axvline(0, color="black", linewidth=0.8)
    bound = max(0.1, 1.08 * np.nanmax(np.abs([low, high])))
    axes.set(xlim=(-min(bound, 1), min(bound, 1)), xlabel=kind)
    axes.grid(False, axis="y")
    set_subtitle(axes, words, 5.6)
    return figure


@styled
def strongest(result, name, parameters=None):
    """The observable over parameters, unless they are given those that it correlates with most, with the median of slices."""
    found, count = rank_correlations(result, name)
    names = (parameters or sorted(found, key=lambda p: -abs(found[p])))[:STRONGEST]
    values, used, _ = _observable(result, name)
    factor, unit = shown_in(result, name, values[used])
    title = f"{name} over what it goes with most, {count} ok instances"
    figure = empty_figure(result, 8.6, 6.4 if len(names) > 2 else 3.8, title)
    shown = np.unique(np.linspace(0, count - 1, min(count, MOST_DOTS)).astype(int))
    grid = figure.subplots((len(names) + 1) // 2, min(2, len(names)), squeeze=False, sharey=True)
    for axes, p in zip(grid.flat, names):
        x = result.parameters[p][used]
        scale, x_unit = shown_in(result, p, x)
        axes.scatter(x[shown] * scale, values[used][shown] * factor, s=5 if count > 500 else 12, alpha=0.6, linewidths=0,
                     **(RASTER if count > 300 else {"color": COLORS[0]}))
        running_median(axes, x * scale, values[used] * factor, 10, "median of slices")
        limit_lines(axes.axhline, result, name, factor, linestyle="--", linewidth=1.1)
        whole_ticks(axes.xaxis, x * scale)
        axes.set_xlabel(_broken(shown_label(p, x_unit)))
        axes.set_title(f"rank correlation {found[p]:+.2f}".replace("-", "−"), fontsize=9.5, color="#444444", loc="left")
    for axes in grid.flat[len(names):]:
        axes.set_visible(False)
    for row in grid:
        row[0].set_ylabel(shown_label(name, unit))
    if grid[0, 0].get_legend_handles_labels()[0]:
        grid[0, 0].legend(loc="upper left")
    return figure


# --- Sobol' indices ---------------------------------------------------------------------------------------------------------


@styled
def sobol_indices(result, name):
    """First-order and total Sobol' indices of an observable with their intervals, from /statistics/sobol."""
    group = result.statistics.get("sobol")
    if group is None:
        raise Skipped("the file has no Sobol' indices; design saltelli makes them")
    quantities, parameters = list(group["quantity"]), list(group["parameter"])
    if name not in quantities:
        raise Skipped(f"there are no indices of {name}")
    at = quantities.index(name)
    measures = [([group[key + end] for end in ("", "_low", "_high")], words, color) for key, words, color in
                (("first_order", "first order (upper bar): by itself", COLORS[0]),
                 ("total", "total (lower bar): with its interactions", COLORS[5]))]
    total = measures[1][0][0][at]
    if not np.isfinite(total).any():
        raise Skipped(f"{name} has no indices: it does not vary")
    order = np.argsort(-np.nan_to_num(total))[:MOST_BARS]
    figure, axes = one_panel(result, 7.5, 2.1 + 0.4 * len(order), f"Sobol' indices of {name}")
    names = [parameters[k] for k in order]
    for offset, ((values, low, high), words, color) in zip((0.2, -0.2), measures):
        _bars(axes, names, values[at][order], low[at][order], high[at][order], color, offset, 0.38, words)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("part of the variance")
    axes.grid(False, axis="y")
    legend(axes, 1, **({} if _ON_PAGE.get() else {"loc": "lower right"}))
    attrs = group["attrs"]
    used = int(group["used"][at]) if "used" in group else attrs.get("count", "")
    confidence = 100 * attrs.get("confidence", 0.95)
    set_subtitle(axes, f"{used} row groups used of {attrs.get('count', '?')}; bootstrap intervals of {confidence:g} %. "
                    f"Totals overlap: their sum may exceed 1. {meaning(result, name)}", 5.6)
    return figure
