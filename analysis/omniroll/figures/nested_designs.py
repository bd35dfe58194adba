"""Figures of nested designs: the behaviour of each design point of a grid under uncertainty."""

import numpy as np

from ..comparing import criteria
from ..reading import designs
from .axis_scales import color_bar, colors_of, plain_decades, spans_decade
from .style import (COLORMAP, COLORS, Skipped, _ON_PAGE, axis_unit, cells_hold, empty_figure, legend, meaning, one_panel, plain, pretty_unit,
                    set_subtitle, styled, within)

LOW, HIGH = 5, 95  # per cent, of the bands
MARKERS = "osD^vPX*"
INTERVALS = {"wilson": "Wilson interval", "clopper_pearson": "Clopper and Pearson's interval"}


def shown_in(result, name, values):
    """Factor and unit in which values are shown: small lengths in mm, angles in degrees."""
    unit = result.units.get(name, "1")
    largest = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 0
    if unit == "m" and largest < 1:
        return 1e3, "mm"
    if unit in ("rad", "rad s-1"):
        return 180 / np.pi, unit.replace("rad", "°")
    return 1.0, unit


def shown_label(name, unit):
    return plain(name) if unit == "1" else f"{plain(name)} [{axis_unit(unit)}]"


def _axis(result, name):
    """Levels as shown, and the label."""
    levels = result.levels(name)
    factor, unit = shown_in(result, name, levels)
    return levels * factor, shown_label(name, unit)


def _cells(result, name):
    """Design variables, and the values of the ok instances of each cell in shown units with that unit's label."""
    variables = designs.design_variables(result)
    if not variables:
        raise Skipped("the study is no nested design")
    values = result.observables[name]
    good = result.ok & np.isfinite(values)
    if not good.any():
        raise Skipped(f"no ok instance has a value of {name}")
    factor, unit = shown_in(result, name, values[good])
    table = designs.cell_table(result, variables, np.where(good, values * factor, np.nan))
    for at in np.ndindex(table.shape):
        table[at] = np.array([v for v in table[at] if np.isfinite(v)])
    return variables, table, unit


def _over(table, function):
    numbers = np.full(table.shape, np.nan)
    for at in np.ndindex(table.shape):
        if len(table[at]):
            numbers[at] = function(table[at])
    return numbers


def _population(result, table):
    ran = int(sum(len(table[at]) for at in np.ndindex(table.shape)))
    empty = int(sum(len(table[at]) == 0 for at in np.ndindex(table.shape)))
    text = f"{table.size} designs of {result.instances // table.size} instances, {ran} of {result.instances} with a value"
    return text + (f"; {empty} designs without any are hatched" if empty else "")


LIGHT_TEXT, DARK_TEXT = "#FEFEFE", "#010101"  # on colours that no theme changes: not quite white and black, which it does


def luminance(color):
    """Relative luminance of a colour (WCAG 2): 0 black, 1 white. color: red, green, blue from 0 to 1, and more that is not looked at."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _text_color(mesh, value):
    """The colour with the larger contrast of the two: at least 4.5, whatever the cell's colour."""
    return LIGHT_TEXT if luminance(mesh.cmap(mesh.norm(value))) < 0.1788 else DARK_TEXT


def number_text(value):
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.3g}" if abs(value) < 9.95 else f"{value:.1f}"


def cell_texts(axes, image, numbers, words, size):
    """A text of a size in points in each cell; none where the longest would run into the next cell."""
    texts = {at: words(at) for at in np.ndindex(*numbers.shape) if np.isfinite(numbers[at])}
    if cells_hold(axes, texts.values(), numbers.shape[1], size):
        for at, text in texts.items():
            axes.text(at[1], at[0], text, ha="center", va="center", fontsize=size, color=_text_color(image, numbers[at]))


def limit_lines(line, result, name, factor, every=False, color="black", **look):
    """Where criteria set limits to an observable; line: axhline or axvline. The first alone has a name in the legend, or every one."""
    for at, (criterion, limit) in enumerate(designs.thresholds(result, name)):
        line(limit * factor, color=color, label=None if at and not every else f"limit of {plain(criterion)}", **look)


def _map(figure, axes, result, variables, numbers, words, bar, **limits):
    """A heat map with a text in each cell. numbers: [first variable, second variable]; the second is across."""
    ys, y_label = _axis(result, variables[0])
    xs, x_label = _axis(result, variables[1])
    axes.grid(False)
    axes.set_facecolor("#DDDDDD")
    axes.patch.set(hatch="////", edgecolor="#BBBBBB")
    mesh = axes.pcolormesh(np.arange(len(xs)), np.arange(len(ys)), np.ma.masked_invalid(numbers), shading="nearest",
                           cmap=COLORMAP, **limits)
    if entries := color_bar(figure, mesh, axes, bar, numbers):
        legend(axes, handles=entries)
    if numbers.size <= 150:
        cell_texts(axes, mesh, numbers, words, 9.2 if _ON_PAGE.get() else 7.5)
    axes.set_xticks(np.arange(len(xs)), [f"{x:.4g}" for x in xs])
    axes.set_yticks(np.arange(len(ys)), [f"{y:.4g}" for y in ys])
    axes.set(xlabel=x_label, ylabel=y_label)


def _require_two(variables):
    if len(variables) != 2:
        raise Skipped(f"a map needs two design variables, the study has {len(variables)}")


@styled
def design_map(result, name):
    """Mean of an observable in every cell of two design variables, and how far its values spread there."""
    variables, table, unit = _cells(result, name)
    _require_two(variables)
    mean = _over(table, np.mean)
    spread = _over(table, lambda values: np.percentile(values, HIGH) - np.percentile(values, LOW))
    rows, columns = table.shape
    figure = empty_figure(result, max(9.5, 1.2 * columns + 4.4), max(4.4, 0.42 * rows + 2.2), f"{name} of each design")
    left, right = figure.subplots(1, 2)
    _map(figure, left, result, variables, mean, lambda at: number_text(mean[at]), shown_label("mean", unit), norm=colors_of(mean))
    _map(figure, right, result, variables, spread, lambda at: number_text(spread[at]), shown_label(f"{LOW} % to {HIGH} %", unit),
         norm=colors_of(spread))
    set_subtitle(left, f"Mean. {meaning(result, name)}", 5.2)
    set_subtitle(right, f"Width of the range from {LOW} % to {HIGH} %. {_population(result, table)}", 5.2)
    return figure


def _shown_lines(count):
    return sorted({0, (count - 1) // 2, count - 1})


def _level_words(result, name, k):
    levels = result.levels(name)
    factor, unit = shown_in(result, name, levels)
    shown = "" if unit == "1" else pretty_unit(unit)
    return plain(f"{name} {levels[k] * factor:.4g} {shown}".strip().replace(" °", "°"))


def _percentile(level):
    return lambda values: np.percentile(values, level)


def _scale(axes, means):
    """From zero where nothing is negative; by the logarithm where the means span more than a decade."""
    if spans_decade(means):
        axes.set_yscale("log")
        plain_decades(axes.yaxis)
    elif np.nanmin(means) >= 0:
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))


@styled
def design_lines(result, name, along):
    """Mean and 5 to 95 % of an observable over one design variable; first, middle and last level of the other one."""
    variables, table, unit = _cells(result, name)
    if along not in variables or len(variables) > 2:
        raise Skipped(f"lines over {along} need one or two design variables")
    others = [variable for variable in variables if variable != along]
    table = table if variables[0] == along else np.moveaxis(table, variables.index(along), 0)
    table = table.reshape(table.shape[0], -1)
    xs, x_label = _axis(result, along)
    shown = f"; first, middle and last of the {table.shape[1]} levels" if table.shape[1] > 3 else ""
    figure, axes = one_panel(result, 7.5, 5.0, f"{name} over {along}",
                             f"Mean and range from {LOW} % to {HIGH} % of each design{shown}. {meaning(result, name)}")
    for color, k in zip(COLORS, _shown_lines(table.shape[1])):
        column = table[:, k]
        mean, low, high = (_over(column, each) for each in (np.mean, _percentile(LOW), _percentile(HIGH)))
        words = _level_words(result, others[0], k) if others else "mean"
        axes.fill_between(xs, low, high, color=color, alpha=0.18, linewidth=0)
        axes.vlines(xs, low, high, color=color, alpha=0.5, linewidth=1)
        axes.plot(xs, mean, color=color, marker=MARKERS[COLORS.index(color)], markersize=5, label=words)
    factor = shown_in(result, name, result.observables[name][result.ok])[0]
    limit_lines(axes.axhline, result, name, factor, every=True, linestyle="--", linewidth=1.1)
    axes.set_xticks(xs)
    axes.set(xlabel=x_label, ylabel=shown_label(name, unit))
    _scale(axes, _over(table[:, _shown_lines(table.shape[1])], np.mean))
    axes.legend()
    return figure


def _probabilities(result, criterion, shape):
    """Probability, lower and upper end for each cell, from /statistics or else from the rows, and where they come from."""
    statistics = result.statistics
    known = list(statistics.get("criterion", []))
    if "cell_probability" in statistics and criterion in known:
        at = known.index(criterion)
        confidence = statistics["attrs"].get("confidence", 0.95)
        place = tuple(np.searchsorted(result.levels(v), statistics[v]) for v in designs.design_variables(result))
        ends = np.full((3, *shape), np.nan)
        for end, values in zip(("", "_low", "_high"), ends):
            values[place] = statistics[f"cell_probability{end}"][:, at]
        return (*ends, f"{INTERVALS.get(statistics['attrs'].get('interval'), 'Interval')} of {100 * confidence:g} %")
    holds = criteria.truth(result, criterion)
    if holds is None:
        raise Skipped(f"the file has no statistics, and which instances meet {criterion} cannot be told without libomniroll")
    table = designs.cell_table(result, designs.design_variables(result), holds)
    numbers = np.full((3, *shape), np.nan)
    for at in np.ndindex(tuple(shape)):
        values = [v for v in table[at] if np.isfinite(v)]
        if values:
            numbers[(slice(None), *at)] = (np.mean(values), *designs.wilson(sum(values), len(values)))
    return (*numbers, "Wilson interval of 95 %, computed from the rows")


def percent(value):
    if 0 < value < 0.001:
        return f"{100 * value:.1g}"
    if 0.995 < value < 1:
        return "> 99"
    return f"{100 * value:.0f}" if value >= 0.0995 or value == 0 else f"{100 * value:.1f}"


@styled
def failure_map(result, criterion):
    """Probability that a criterion is met in every cell of two design variables, with its interval."""
    variables = designs.design_variables(result)
    if not variables:
        raise Skipped("the study is no nested design")
    _require_two(variables)
    shape = [len(result.levels(name)) for name in variables]
    share, low, high, source = _probabilities(result, criterion, shape)
    width = max(6.5, 0.85 * shape[1] + 2.4)
    figure, axes = one_panel(result, width, max(4.6, 0.55 * shape[0] + 1.8), f"Probability of {criterion} of each design")

    def words(at):
        if _ON_PAGE.get() and shape[1] > 5:  # no room for more
            return percent(share[at])
        return within(f"{percent(share[at])} %", percent(low[at]), percent(high[at]), "\n")

    _map(figure, axes, result, variables, 100 * share, words, "probability [%]", vmin=0, vmax=100)
    empty = int(np.sum(~np.isfinite(share)))
    note = f"; {empty} designs without an answer are hatched" if empty else ""
    set_subtitle(axes, f"{designs.criteria(result).get(criterion, criterion)}. {source}{note}", width)
    return figure
