"""How a subset simulation got to a rare failure: probability over the levels' thresholds, and where the levels went."""

import numpy as np

from ..reading import designs
from .axis_scales import whole_ticks
from .nested_designs import MARKERS, shown_in, shown_label
from .style import COLORMAP, COLORS, Skipped, empty_figure, legend, set_subtitle, styled, within


def levels(result):
    """Thresholds of the levels, and the probability of being above each."""
    group = result.statistics.get("subset")
    if group is None or "threshold" not in group:
        raise Skipped("the file has no subset simulation; design subset_simulation makes one")
    return group["threshold"], np.cumprod(group["conditional_probability"])


def moved(result, count=2):
    """The parameters whose mean moved most from the first level to the last, in standard deviations of the first:
    [(name, by)]."""
    level, taken = result.marks["level"], result.marks["accepted"] != 0
    first, last = (level == 0) & taken, (level == level.max()) & taken
    shift = {}
    for name in result.varied:
        values = result.parameters[name]
        spread = np.std(values[first])
        if spread > 0 and last.any():
            shift[name] = (np.mean(values[last]) - np.mean(values[first])) / spread
    return sorted(shift.items(), key=lambda item: -abs(item[1]))[:count]


@styled
def subset_levels(result):
    """Left: the probability of exceeding each level's threshold, down to failure. Right: the states of the levels over the two
    parameters that moved most."""
    levels(result)
    figure = empty_figure(result, 10.5, 4.9, f"Subset simulation of {criterion_name(result)}")
    left, right = figure.subplots(1, 2)
    _curve(left, result)
    _states(right, result)
    return figure


@styled
def level_curve(result):
    """The probability of exceeding each level's threshold, down to failure."""
    levels(result)
    figure = empty_figure(result, 7.2, 4.9, f"Levels on the way to {criterion_name(result)}")
    _curve(figure.subplots(), result)
    return figure


@styled
def level_states(result):
    """The states of the levels over the two parameters that moved most."""
    if len(moved(result)) < 2:
        raise Skipped("states of levels need two parameters that vary")
    figure = empty_figure(result, 7.2, 5.4, "Where the levels went")
    _states(figure.subplots(), result)
    return figure


def criterion_name(result):
    """The name of the criterion that the simulation went to, or its text."""
    text = result.statistics["subset"]["attrs"]["criterion"]
    names = [name for name, each in designs.criteria(result).items() if each == text]
    return names[0] if names else text


def _curve(left, result):
    threshold, probability = levels(result)
    attrs = result.statistics["subset"]["attrs"]
    left.semilogy(threshold, probability, "o-", color=COLORS[0])
    for k, (x, y) in enumerate(zip(threshold, probability)):
        left.annotate(f"level {k}", (x, y), textcoords="offset points", xytext=(-8, -5), ha="right", va="top", fontsize=9.2)
    low, high = attrs["probability_low"], attrs["probability_high"]
    if np.isfinite(high) and low > 0:
        left.errorbar([threshold[-1]], [attrs["probability"]], yerr=[[attrs["probability"] - low], [high - attrs["probability"]]],
                      color=COLORS[1], capsize=4, fmt="none", linewidth=1.6, label=f"{100 * attrs['confidence']:g} % interval")
    left.axvline(0, color="black", linestyle="--", linewidth=1.1, label="failure")
    left.margins(x=0.2)
    left.set(xlabel="margin of the criterion (above 0: failure)", ylabel="probability of a larger margin")
    left.legend(loc="lower left")
    estimate = within(f"{attrs['probability']:.3g}", f"{low:.2g}", f"{high:.2g}")
    set_subtitle(left, f"{attrs['criterion']}: {estimate}, from {attrs['instances']} instances in {len(threshold)} levels", 5.2)


def _states(axes, result):
    from matplotlib import colormaps

    (across, a), (up, b) = moved(result)
    level, taken = result.marks["level"], result.marks["accepted"] != 0
    (fx, x_unit), (fy, y_unit) = (shown_in(result, name, result.parameters[name]) for name in (across, up))
    depth = max(int(level.max()), 1)
    for k in range(int(level.max()) + 1):
        chosen = (level == k) & taken
        axes.scatter(result.parameters[across][chosen] * fx, result.parameters[up][chosen] * fy, s=9, linewidths=0, alpha=0.7,
                     color=COLORS[k] if depth < len(COLORS) else colormaps[COLORMAP](0.92 * k / depth), label=f"level {k}", marker=MARKERS[k % len(MARKERS)],
                     rasterized=np.sum(chosen) > 300)
    whole_ticks(axes.xaxis, result.parameters[across] * fx)
    whole_ticks(axes.yaxis, result.parameters[up] * fy)
    axes.set(xlabel=shown_label(across, x_unit), ylabel=shown_label(up, y_unit))
    legend(axes, 4, markerscale=2.2)
    words = f"States of each level. The means moved by {a:+.1f} and {b:+.1f} standard deviations"
    set_subtitle(axes, words.replace("-", "−"), 5.2)
