"""Sections of studies whose values were drawn: how probable the criteria are, how the observables are distributed, how far paths spread."""

from __future__ import annotations

from functools import partial
from typing import Any, Iterator

import numpy as np

from .. import lists
from ..comparing import criteria
from ..figures import distributions, path_spread, probability
from ..figures.basic import has_path, has_wheels, paths
from ..figures.style import Skipped, _values, meaning, within
from ..reading import designs
from ..reading.result import Array, Result
from . import steps, words
from .data import Data
from .page import Section, command, details, paragraph, pictures, table, text
from .summary import failures
from .svg import picture
from .sweep import drawn, nothing_differs, paths_caption, shown_observables

SAMPLES = lists.designs("sample")
KINDS = lists.designs("sample", "groups")
FEW = 20  # cases below which chance may explain the result
ENOUGH = 40  # traced instances that the remedy asks for


def sections(data: Data) -> Iterator[Section]:
    if data.kind not in KINDS or data.result.instances < 2:
        return
    if designs.criteria(data.result) and data.kind in SAMPLES:
        yield Section("Probability", "".join(_criteria(data)))
    if not data.result.ok.all():
        yield Section("Where instances failed", "".join(_failures(data)))
    yield Section("Distributions", "".join(_distributions(data)))
    if data.result.trajectories and (has_wheels(data.result) or has_path(data.result)):
        yield Section("Paths", "".join(_paths(data)))


# --- criteria -------------------------------------------------------------------------------------------------------------------


def _criteria(data: Data) -> Iterator[str]:
    result = data.result
    kind, confidence = probability.method(result)
    for name, source in designs.criteria(result).items():
        yield f"<h3>{text(name)}</h3>" + paragraph(f"<code>{text(source)}</code>") + paragraph(_estimate_words(result, name))
        yield pictures(*drawn([(partial(probability.convergence, result, name), convergence_caption(result, name)),
                               (partial(probability.criterion_map, result, name), where_caption(result, name))]))
    yield paragraph(text(_interval_words(data, kind, confidence)), "note")


def _estimate(result: Result, name: str) -> tuple[float, float, float, int, int] | None:
    """Probability, its interval, how many instances met the criterion, and of how many; from /statistics, else from the rows."""
    statistics, known = result.statistics, list(result.statistics.get("criterion", []))
    if name in known:
        at = known.index(name)
        met, total = int(statistics["met"][at]), int(statistics["met"][at] + statistics["not_met"][at])
        share, low, high = (float(statistics[f"probability{end}"][at]) for end in ("", "_low", "_high"))
        return share, low, high, met, total
    truth = criteria.truth(result, name)
    if truth is None or not np.isfinite(truth).any():
        return None
    met, total = int(np.nansum(truth)), int(np.sum(np.isfinite(truth)))
    kind, confidence = probability.method(result)
    low, high, _ = probability.interval(kind, met, total, confidence)
    return met / total, low, high, met, total


def _estimate_words(result: Result, name: str) -> str:
    """The estimate as a sentence, as HTML."""
    found = _estimate(result, name)
    if found is None or found[4] == 0:
        return f"No instance says whether <code>{text(name)}</code> is met."
    share, low, high, met, total = found
    said = f"<strong>P({text(name)}) = {text(words.probability(share, low, high, probability.method(result)[1]))}</strong>: " \
        f"met by {met} of {total} instances."
    left = result.instances - total
    if left:
        said += f" {words.plural(left, 'instance')} failed or had no value and {'is' if left == 1 else 'are'} left out."
    if met == 0:
        bound = text(words.percents([high])[0])
        said += f" None met it, which says that it is rarer than {bound} % at this confidence, not that it cannot happen."
    elif met == total:
        said += " Every instance met it."
    return said + _flip_words(result, name)


def _flip_words(result: Result, name: str) -> str:
    found = steps.flips_of(result, name)
    if found is None:
        return ""
    changed, of, bound = found
    which = "None" if changed == 0 else f"{changed}"
    return (f" {which} of {words.plural(of, 'instance')} that ran again with a shorter step change{'s' if changed < 2 else ''} sides, so that "
            f"it is below {text(words.percents([bound])[0])} % of all that the step decides.")


def convergence_caption(result: Result, name: str) -> str:
    """Caption of the picture, and whether more instances pay."""
    try:
        found = probability.running(result, name)
    except Skipped as reason:
        return str(reason)
    half = (found.high[-1] - found.low[-1]) / 2
    n = int(found.count[-1])
    (now, later) = words.percents([half, half / 2])
    advice = (f"The interval reaches {now} percentage points to either side on average; half of that takes four times the "
              f"instances ({4 * n}).")
    if found.share[-1] == 0:
        advice = f"None of {n} met it: a hundred times rarer takes a hundred times the instances; for rare failures see subset_simulation."
    elif found.share[-1] * n < 30:
        advice += " Fewer than 30 instances met it: the estimate may still move by a large part of itself."
    kind = words.INTERVALS.get(found.kind, found.kind)
    return f"Estimate and {kind} after the first n instances, in the order of their numbers. {advice}"


def where_caption(result: Result, name: str) -> str:
    try:
        truth = probability.truth_of(result, name)
        return _map_caption(result, truth, "meet the criterion")
    except Skipped as reason:
        return str(reason)


def _map_caption(result: Result, truth: Array, what: str) -> str:
    (across, tells), (up, less) = probability.telling_pair(result, truth)
    parts = probability.map_parts(int(np.sum(np.isfinite(truth))))
    share = words.number(100 * float(np.nanmean(truth)))
    cells = (f"Per cent of the instances in each cell that {what}; cells are cut so that each row and column holds the same number of "
             f"instances (about {np.sum(np.isfinite(truth)) / parts**2:.0f} per cell), below {probability.FEWEST} hatched. " if parts
             else "Each instance is a mark. ")
    return (f"{cells}Over all: {share} %. Of the drawn parameters {across} and {up} tell most: {100 * tells:.0f} % and {100 * less:.0f} % "
            "of the variance lies between their fifths (correlation ratio, corrected for chance)." + _how_sure(truth, tells))


def _how_sure(truth: Array, tells: float) -> str:
    """How far a small correlation ratio can be trusted."""
    rarer = min(int(np.nansum(truth == 1)), int(np.nansum(truth == 0)))
    if rarer < FEW:
        return f" With {rarer} cases of one kind this may be chance."
    return " Little: what decides is a combination of many parameters." if tells < 0.05 else ""


def _interval_words(data: Data, kind: str, confidence: float) -> str:
    independence = str(data.result.statistics.get("attrs", {}).get("independence", "")).strip()
    return (f"P is the share of instances that meet the criterion among those that say whether they do. The interval is "
            f"{words.INTERVALS.get(kind, kind)}: two-sided, with {100 * confidence:g} % confidence it holds the probability under the "
            f"distributions of the study." + (f" {independence[:1].upper()}{independence[1:]}." if independence else ""))


# --- failures -------------------------------------------------------------------------------------------------------------------


def _failures(data: Data) -> Iterator[str]:
    result = data.result
    yield paragraph(f"{int(np.sum(~result.ok))} of {result.instances} instances did not reach the end: "
                    f"{words.listed(f'{count} {text(name)}' for name, count in failures(result).items())}. They are left out of the distributions below, "
                    "which therefore are those of vehicles that do not fail.")
    if result.ok.any():
        truth = (~result.ok).astype(float)
        try:
            caption = _map_caption(result, truth, "failed")
        except Skipped:
            return
        yield pictures(*drawn([(lambda: probability.failed_map(result), caption)]))


# --- distributions ---------------------------------------------------------------------------------------------------------------


def _distributions(data: Data) -> Iterator[str]:
    result = data.result
    first, rest = shown_observables(data)
    if not first:
        yield paragraph(nothing_differs(result), "note")
        return
    yield paragraph(f"{result.instances} instances of a {words.KINDS.get(data.kind, data.kind)}; each varied parameter was drawn from its "
                    "distribution.")
    if data.kind in ("saltelli", "morris"):
        yield paragraph("The rows of this design are built for sensitivities: parameters repeat from row to row, so that shares and "
                        "quantiles are only roughly those of the distributions.", "note")
    yield pictures(*(each for name in first for each in drawn(observable_pictures(result, name))))
    yield quantile_table(data, first + rest)
    if rest:
        yield details(f"{words.plural(len(rest), 'more observable')}: {', '.join(rest)}",
                      pictures(*drawn([each for name in rest for each in list(observable_pictures(result, name))[:1]])))


def observable_pictures(result: Result, name: str) -> Iterator[tuple[Any, str]]:
    """(figure, caption): histogram; where a few values lie far out also how often each is exceeded."""
    yield lambda: distributions.distribution(result, name), distribution_caption(result, name)
    values, used, _ = _values(result, name)
    if distributions.has_tail(values[used]):
        yield lambda: distributions.exceedance(result, name), tail_caption(result, name)


def numbers_of(result: Result, name: str) -> dict[str, float]:
    """Median, 5 and 95 %, mean with its interval, standard deviation of the ok instances; from /statistics where it has them."""
    values, used, _ = _values(result, name)
    values = values[used]
    found = dict(zip(("low", "median", "high"), (float(v) for v in np.percentile(values, [5, 50, 95]))))
    found |= {"mean": float(values.mean()), "deviation": float(values.std(ddof=1)) if len(values) > 1 else np.nan,
              "count": float(len(values)),
              "min": float(values.min()), "max": float(values.max())}
    statistics, known = result.statistics, list(result.statistics.get("quantity", []))
    if name in known and "mean_low" in statistics:
        at = known.index(name)
        found |= {key: float(statistics[key][at]) for key in ("mean", "mean_low", "mean_high")} | \
            {"deviation": float(statistics["standard_deviation"][at])}
    return found


def distribution_caption(result: Result, name: str) -> str:
    """Meaning, median, middle 90 %, mean with its interval, and the share beyond limits."""
    found = numbers_of(result, name)
    values, used, _ = _values(result, name)
    (low, median, high), unit = words.quantities(result, name, [found["low"], found["median"], found["high"]], values[used])
    said = (f"{meaning(result, name)}. Median {median}{unit}; the middle 90 % lie between {low} and {high}{unit} (5 % and 95 % "
            "quantiles, exact).")
    if "mean_low" in found and np.isfinite(found["mean_low"]):
        (mean, a, b), unit = words.quantities(result, name, [found["mean"], found["mean_low"], found["mean_high"]], values[used])
        confidence = 100 * probability.method(result)[1]
        said += f" Mean {within(mean + unit, a, b)}, {confidence:g} % interval by Student's t."
    return said + _step_words(result, name) + _beyond_words(result, name, values[used])


def _step_words(result: Result, name: str) -> str:
    """Sentence on the step error of the mean."""
    estimate = steps.worth_words(result, name)
    if estimate is None:
        return ""
    sign = -1 if estimate.error < 0 else 1
    ends = sorted(sign * end for end in (estimate.low, estimate.high))
    (error, low, high), unit = words.quantities(result, name, [abs(estimate.error), *ends])
    return f" The step makes it about {within(error + unit, low, high)} too {'small' if sign < 0 else 'large'}."


def _beyond_words(result: Result, name: str, values: Array) -> str:
    said = []
    for criterion in dict.fromkeys(criterion for criterion, _ in designs.thresholds(result, name)):
        beyond = distributions._failing_side(result, criterion, name)
        if beyond is None:
            continue
        count = int(np.sum(beyond(values)))
        low, high, kind = probability.interval(probability.method(result)[0], count, len(values), probability.method(result)[1])
        said.append(f" Beyond the limit of {criterion}: {count} of {len(values)}, "
                    f"{words.probability(count / len(values), low, high, probability.method(result)[1])}.")
    return "".join(said)


def tail_caption(result: Result, name: str) -> str:
    values, used, _ = _values(result, name)
    values = values[used]
    (one, largest), unit = words.quantities(result, name, [float(np.percentile(values, 99)), float(values.max())], values)
    return ("A few instances lie far from the others, so here is how often a value is reached or exceeded, on logarithmic axes where that "
            f"helps. One in a hundred is above {one}{unit}; the largest of {len(values)} is {largest}{unit}. The last few steps are single "
            "instances.")


def quantile_table(data: Data, names: list[str]) -> str:
    """Numbers of every observable shown."""
    rows = []
    for name in names:
        found = numbers_of(data.result, name)
        values = data.result.observables[name][data.result.ok]
        columns = [found[k] for k in ("min", "low", "median", "high", "max", "mean", "deviation")]
        shown, unit = words.quantities(data.result, name, columns, values)
        rows.append([text(name), *(text(each) for each in shown), text(unit.strip() or "–"), f"{found['count']:.0f}"])
    head = ["observable", "min", "5 %", "median", "95 %", "max", "mean", "std. dev.", "unit", "instances"]
    return table(head, rows, [1, 2, 3, 4, 5, 6, 7, 9], "Quantiles are order statistics of the instances that reached the end")


# --- paths ------------------------------------------------------------------------------------------------------------------------


def _paths(data: Data) -> Iterator[str]:
    result = data.result
    try:
        found = path_spread.tube(result)
        scale = path_spread.magnification(found)
    except Skipped as reason:
        yield pictures(*drawn([(lambda: paths(result), paths_caption(result))]))
        if data.kind in SAMPLES and has_path(result):
            why = str(reason)[:1].upper() + str(reason)[1:]
            yield paragraph(f"{text(why)}. Trace more to see the quantiles of the paths, in the study or on the command line:", "note")
            yield command(remedy(result))
        return
    yield pictures(picture(lambda: path_spread.path_tube(result), tube_caption(result, found, scale)),
                   picture(lambda: path_spread.path_spread(result), spread_caption(result, found)))
    yield details("The paths themselves", pictures(*drawn([(lambda: paths(result), paths_caption(result))])))


def remedy(result: Result) -> str:
    """The setting that traces enough instances."""
    if result.instances <= 5 * ENOUGH:
        return "--set output.trajectories.instances=all"
    return "--set output.trajectories.instances=" + str(list(range(ENOUGH))).replace(" ", "")


def tube_caption(result: Result, found: path_spread.Tube, scale: float) -> str:
    wide = f" Beside a path of this size it would not be seen: the tube is drawn {scale:g} times as wide as it is." if scale > 1 else \
        " Thin lines: some of the paths."
    return (f"Median path of {found.count} traced instances that reached the end, seen from above, and the tube in which the middle 90 % "
            "of them are: at each time the positions are compared with the median position, across and along the median path's direction, "
            f"and the 5 % and 95 % quantiles across make the tube. Crosses: the same range across and along at equally spaced times.{wide}")


def spread_caption(result: Result, found: path_spread.Tube) -> str:
    factor, unit = (1e3, "mm") if max(np.abs(found.across).max(), np.abs(found.along).max()) < 1 else (1.0, "m")
    ends = [found.across[-1, 0], found.across[-1, 2], found.along[-1, 0], found.along[-1, 2]]
    left, right, behind, ahead = words.together([v * factor for v in ends])
    return ("The same over time, in true size: how far the instances are to the right of the median path and ahead on it. At the end the "
            f"middle 90 % lie between {left} and {right} {unit} across and {behind} and {ahead} {unit} along.")
