"""The answer of studies that draw their values: how probable the criteria are, and which parameters matter."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from ..comparing import criteria
from ..figures import distributions, rare_events as subset
from ..figures.style import Skipped, within
from ..reading import asked, designs
from ..reading.result import Result
from . import montecarlo, sensitivity, steps, words
from .data import Data
from .page import filled_table, findings, paragraph, table, text
from .summary import confidence, differs, mean_interval, quantiles, used
from .wording import code, count, described, joined, measured, number, path_of, percent, scale_of, share, stacked

STRONGEST = 3  # parameters that are named
CLEAR = 0.1  # size of a rank correlation below which it is not worth a word
MOST = 4  # observables in the table, unless criteria name more


def answer(data: Data) -> str:
    """Of a sample: probabilities, the parameters that move the observables, and how these are spread."""
    found = [(name, montecarlo._estimate(data.result, name)) for name in designs.criteria(data.result)]
    known = [(name, each) for name, each in found if each is not None and each[4]]
    names = _observables(data)
    lines = [_moved(data.result, name) for name in names]
    first = " ".join(_probability(data.result, name, each) for name, each in known[:3]) if known else _spread(data, names)
    return (paragraph(first, "answer") if first else "") + findings(lines[:MOST]) + (_criteria(data, known) if known else "") + _table(data, names)


def _observables(data: Data) -> list[str]:
    """Those that the study asks, those that criteria name, then those that are shown."""
    first = [*(each.name for each in asked.asked(data.result)), *criteria.observables(data.result)]
    named = [name for name in dict.fromkeys(first) if len(used(data.result, name))]
    others = [name for name in data.observables if name in data.result.observables and name not in named]
    return named + others[:len(others) if data.choices.observables else max(1, MOST - len(named))]


# --- probabilities ----------------------------------------------------------------------------------------------------------


def _probability(result: Result, name: str, found: tuple[float, float, float, int, int]) -> str:
    """corridor: 12.3 % (10.4 to 14.5 %); of one that is good to meet it says so."""
    good = ' <span class="good">(good)</span>' if designs.is_good(result, name) else ""
    value, low, high, met, total = found
    first, a, b = share(value, low, high)
    shown = f"{count(met)} of {count(total)}" if met in (0, total) else f"{first} %"
    return f"{code(name)}{good}: {within(f'<strong>{shown}</strong>', a, b if shown.endswith('%') else f'{b} %')}."


def _criteria(data: Data, known: list[tuple[str, tuple[float, float, float, int, int]]]) -> str:
    head = ["criterion", "condition", f"probability<br><small>{number(100 * confidence(data.result), 4)} % interval</small>", "met by"]
    measured_steps = steps.measured(data.result)
    rows = []
    for name, (value, low, high, met, total) in known:
        first, a, b = share(value, low, high)
        row = [code(name), f"<code>{text(designs.criteria(data.result)[name])}</code>", stacked(f"{first} %", a, b), f"{count(met)} of {count(total)}"]
        rows.append([*row, steps.flips(data.result, name)] if measured_steps else row)
    return table([*head, "change sides with a shorter step"] if measured_steps else head, rows, range(2, len(head) + 1))


# --- parameters that matter -------------------------------------------------------------------------------------------------


def _moved(result: Result, name: str) -> str:
    """Which parameters an observable goes with, by rank correlation, and which move it there and back."""
    try:
        found, total = distributions.rank_correlations(result, name)
    except Skipped:
        return ""
    ratios = sensitivity.turning(result, name)
    order = sorted(found, key=lambda each: -max(found[each] ** 2, ratios.get(each, 0.0)))
    low, high = distributions._correlation_intervals(found, total, order)
    clear = [(each, a, b) for each, a, b in zip(order, low, high) if (a > 0 or b < 0) and abs(found[each]) >= CLEAR]
    turns = [each for each in order if ratios.get(each, 0.0) > max(sensitivity.TURNS, 2 * found[each] ** 2)]
    said = [f"{code(path_of(each, result))} ({measured(found[each], a, b)[0]})" for each, a, b in clear[:STRONGEST]]
    there_and_back = [code(path_of(each, result)) for each in turns[:STRONGEST]]
    if not said and not there_and_back:
        return f"{code(name)}: no parameter stands out."
    goes = f" goes with {words.listed(said)}" if said else ""
    turning = f"{';' if said else ''} {words.listed(there_and_back)} move{'s' if len(there_and_back) == 1 else ''} it there and back" \
        if there_and_back else ""
    return f"{code(name)}{goes}{turning} (rank correlations)." if said else f"{code(name)}:{turning}."


def _spread(data: Data, names: list[str]) -> str:
    """Without criteria: where the middle 90 % of the first observable lie."""
    telling = [name for name in names if differs(used(data.result, name))]
    if not telling:
        return ""
    low, middle, high = quantiles(used(data.result, telling[0]))
    scale = scale_of(data.result.units.get(telling[0], "1"), [middle])
    return f"{code(telling[0])}: <strong>{scale.with_unit(middle, 3)}</strong> in the median, 90 % of the instances between {scale.span(low, high, 3)}."


# --- observables ------------------------------------------------------------------------------------------------------------


def _table(data: Data, names: list[str]) -> str:
    rows = [_row(data.result, name) for name in names if len(used(data.result, name))]
    sure = f"{number(100 * confidence(data.result), 4)} % interval"
    head = ["observable", "median", "5 % to 95 %", f"mean<br><small>{sure}</small>", "error of the mean by the step"]
    return filled_table(head, rows)


def _row(result: Result, name: str) -> list[str]:
    values = used(result, name)
    low, middle, high = quantiles(values)
    scale = scale_of(result.units.get(name, "1"), [low, middle, high])
    mean = stacked(*scale.measured(*(mean_interval(result, name) or (float(values.mean()), np.nan, np.nan))))
    estimate = steps.of_mean(result, name)
    by_step = stacked(*scale.measured(estimate.error, estimate.low, estimate.high)) if estimate else "–"
    return [described(result, name, scale.unit), scale.number(middle, 3), f"{scale.number(low, 3)} to {scale.number(high, 3)}",
            mean, by_step]


# --- indices and rare events ------------------------------------------------------------------------------------------------


def sensitive(data: Data) -> str:
    """Of a design for sensitivities: the largest indices of the criteria and their observables, then of the observables shown."""
    group = next((name for name in ("sobol", "morris") if name in data.result.statistics), None)
    if group is None:
        return answer(data)
    known = [str(name) for name in data.result.statistics[group]["quantity"]]
    wanted = [*_observables(data), *(name for name in known if name == "fail" or name.startswith("fail."))]
    make = _totals if group == "sobol" else _effects
    lines = [line for name in dict.fromkeys(wanted) if name in known for line in make(data.result, name)]
    if not lines:
        return answer(data)
    note = paragraph(sensitivity.OVERLAP.format(whole="100 %"), "note") if group == "sobol" else ""
    return paragraph(lines[0], "answer") + findings(lines[1:]) + note + _table(data, _observables(data))


def _totals(result: Result, name: str) -> Iterator[str]:
    found = sensitivity._indices(result, name)
    order = [k for k in np.argsort(-np.nan_to_num(found["total"]), kind="stable") if np.isfinite(found["total"][k])]
    parts = [_index(result, str(found["parameter"][k]), *(float(found[f"total{end}"][k]) for end in ("", "_low", "_high"))) for k in order]
    if parts:
        yield f"{code(name)}: of its variance {words.listed(parts[:STRONGEST])} (total Sobol' indices)."


def _index(result: Result, parameter: str, value: float, low: float, high: float) -> str:
    first, a, b = share(value, low, high)
    return f"{within(f'<strong>{first} %</strong>', a, b)} go with {code(path_of(parameter, result))}"


def _effects(result: Result, name: str) -> Iterator[str]:
    from ..figures.morris_effects import order

    try:
        group, at, ranked = order(result, name)
    except Skipped:
        return
    scale = scale_of(result.units.get(name, "1"), [float(group["mu_star"][at][k]) for k in ranked])
    parts = []
    for k in ranked[:STRONGEST]:
        size, least, most = (float(group[key][at][k]) for key in ("mu_star", "mu_star_low", "mu_star_high"))
        value, low, high = scale.measured(size, least, most)
        shown = within(f"<strong>{joined(value, scale.unit)}</strong>", low, high)
        parts.append(f"{code(path_of(str(group['parameter'][k]), result))} by {shown}")
    if parts:
        yield f"{code(name)}: over its range moved most by {words.listed(parts)} (mean size μ* of the elementary effects)."


def rare(data: Data) -> str:
    """Of a subset simulation: the probability with its interval."""
    if "subset" not in data.result.statistics:
        return ""
    attrs = data.result.statistics["subset"]["attrs"]
    p, low, high = (float(attrs.get(f"probability{end}", np.nan)) for end in ("", "_low", "_high"))
    value, a, b = (number(each, 3) for each in (p, low, high))  # over a decade or more: each by its own size
    name = subset.criterion_name(data.result)
    shown = f"<strong>{value}</strong>"
    shown = within(shown, a, b) if np.isfinite(low) and np.isfinite(high) else shown
    said = paragraph(f"{code(name)}: probability {shown}, {text(words.one_in(p))}.", "answer")
    said += paragraph(f"<code>{text(attrs.get('criterion', ''))}</code>; {number(100 * confidence(data.result), 4)} % interval.", "note")
    if not bool(attrs.get("reached", 1)):
        said += paragraph("The levels ended before failure was reached: the number is no estimate of the probability.", "warning")
    try:
        moved = subset.moved(data.result)
    except (Skipped, KeyError):
        moved = []
    by = words.listed(f"{code(path_of(name, data.result))} by {number(shift, 2)}" for name, shift in moved)
    return said + findings([f"What a failure takes: {by} standard deviations from the mean." if by else ""]) + _sides(data.result)


def _sides(result: Result) -> str:
    """How many instances of the first level change sides of the criterion with a shorter step."""
    name = subset.criterion_name(result)
    found = steps.flips_of(result, name)
    if found is None:
        return ""
    return paragraph(f"{count(found[0])} of {count(found[1])} instances that ran again with a shorter step change sides (below "
                     f"{percent(found[2], 2)}).", "note")
