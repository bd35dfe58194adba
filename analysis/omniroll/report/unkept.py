"""The page of a result that does not keep all rows (output.rows): its statistics of all instances, and pictures of the kept ones.

No part of it counts rows: those that are kept are a sample, and are called one."""

from __future__ import annotations

import shlex
from functools import partial
from typing import Any, Iterator, Sequence

import numpy as np

from .. import lists
from ..comparing import criteria
from ..figures import distributions, summed as figures
from ..figures.basic import has_path, has_wheels, paths
from ..figures.style import Skipped, meaning, within
from ..reading import asked, designs, summed
from ..reading.summed import Summed
from . import answer_samples, numbers, sensitivity, steps, thresholds, vehicle, words
from .data import Data
from .failed import card, failed_head
from .notices import warnings
from .page import Section, asset, command, details, filled_table, findings, paragraph, pictures, table, text
from .rerun import _interval
from .summary import confidence, drawn as is_drawn, failures
from .sweep import drawn, paths_caption, shown_observables
from .wording import Scale, code, count, counted, described, number, path_of, percent, scale_of, share, stacked, value_of

MOST_DESIGNS = 24  # rows of the table of designs that are open
MOST_CELLS = 400  # rows of it at all
STRONGEST = 3
CLEAR = 0.1  # size of a correlation below which it is not worth a word
MARKS = {1: '<span class="mark">★</span> ', 2: '<span class="mark">≈</span> '}


def rows_words(data: Data) -> str:
    """Which rows there are, in a sentence."""
    result = data.result
    if result.instances == 0:
        return f"No row of the {count(result.total)} instances is kept"
    return f"{counted(result.instances, 'row')} of the {count(result.total)} instances {'is' if result.instances == 1 else 'are'} kept"


# --- the answer -------------------------------------------------------------------------------------------------------------


def answer(data: Data) -> Iterator[Section]:
    from .answer import _beside, _caution, _left_out  # which asks this module for nothing

    body = _caution(data) + (_of_designs(data) or _of_all(data)) + _left_out(data) + paragraph(_rows_note(data), "note") + warnings(data)
    yield Section("Answer", _beside(body, vehicle.picture(data.result.attrs)), style=asset("answer.css"))


def _rows_note(data: Data) -> str:
    sample = "" if data.result.instances == 0 else " Scatter plots show them and say so."
    return (f"{rows_words(data)} (<code>output.rows</code>). Numbers and histograms are of all instances, from exact sums and bins; what needs "
            f"the rows, such as maps of where criteria are met, is not there.{sample}")


def _asked(data: Data) -> list[Summed]:
    """Observables that the study asks, those that criteria name, then those that are shown."""
    result = data.result
    names = [*(each.name for each in asked.asked(result)), *criteria.observables(result), *data.observables]
    found = [summed.of(result, name) for name in dict.fromkeys(names)]
    return [each for each in found if each is not None and each.used]


def _of_all(data: Data) -> str:
    """Of all instances together: probabilities, the parameters that move the observables, and how these are spread."""
    from . import montecarlo

    result = data.result
    found = [(name, montecarlo._estimate(result, name)) for name in designs.criteria(result)]
    known = [(name, each) for name, each in found if each is not None and each[4]]
    alike = is_drawn(data.kind)  # rows of designs for sensitivities repeat values, grids have chosen ones: no intervals
    lines = [answer_samples._probability(result, name, each) if alike else _met(name, each) for name, each in known[:3]]
    lines += [line for line in (_moved(data, each.name) for each in _asked(data)[:answer_samples.MOST]) if line]
    if data.kind in lists.designs("levels", "rows"):
        lines += [line for line in (_best(data, each) for each in asked.asked(result)) if line]
    if not lines:
        lines = [_middle(data, each) for each in _asked(data)[:1]]
    first = paragraph(lines[0], "answer") if lines else ""
    return first + findings(lines[1:]) + (answer_samples._criteria(data, known) if known and alike else "") + \
        _short_table(data, _asked(data))


def _met(name: str, found: tuple[float, float, float, int, int]) -> str:
    return f"{code(name)}: met by {count(found[3])} of {count(found[4])} instances ({percent(found[0])})."


def _best(data: Data, each: asked.Asked) -> str:
    """Of chosen values: the best instance by an observable of "ask"."""
    found = summed.of(data.result, each.name)
    if found is None or not found.differs or each.sign == 0:
        return ""
    value, instance = (found.max, found.max_instance) if each.sign > 0 else (found.min, found.min_instance)
    shown = scale_of(data.result.units.get(each.name, "1"), [value]).with_unit(value)
    return f"{code(each.name)}: {'largest' if each.sign > 0 else 'smallest'} in instance {count(instance)}, <strong>{shown}</strong>."


def _middle(data: Data, found: Summed) -> str:
    scale = _scale(data, found)
    return f"{code(found.name)}: <strong>{scale.with_unit(found.mean, 3)}</strong> in the mean, from {scale.span(found.min, found.max, 3)}."


def _moved(data: Data, name: str) -> str:
    """The parameters that an observable goes with: indices where the design has them, else linear correlations."""
    result = data.result
    group = next((each for each in ("sobol", "morris") if each in result.statistics), None)
    if group:
        make = answer_samples._totals if group == "sobol" else answer_samples._effects
        known = [str(each) for each in result.statistics[group]["quantity"]]
        return next(iter(make(result, name)), "") if name in known else ""
    found = figures.correlations(result, name)
    clear = sorted((each for each in found if abs(found[each][0]) >= CLEAR), key=lambda each: -abs(found[each][0]))[:STRONGEST]
    said = [f"{code(path_of(each, result))} ({number(found[each][0], 2)})" for each in clear]
    return f"{code(name)} goes with {words.listed(said)} (linear correlations)." if said else ""


# --- tables -----------------------------------------------------------------------------------------------------------------


def _scale(data: Data, found: Summed) -> Scale:
    return scale_of(data.result.units.get(found.name, "1"), [found.min, found.max])


def _short_table(data: Data, found: Sequence[Summed]) -> str:
    """The numbers to see first: the middle, the mean with its interval, the ends."""
    rows = [_short_row(data, each) for each in found[:max(answer_samples.MOST, len(asked.asked(data.result)))]]
    sure = f"mean<br><small>{number(100 * confidence(data.result), 4)} % interval</small>" if is_drawn(data.kind) else "mean"
    head = ["observable", "median", "5 % to 95 %", sure, "smallest to largest"]
    return filled_table(head, rows)


def _mean(data: Data, found: Summed, scale: Scale) -> str:
    """With its interval where the instances were drawn."""
    mean, low, high = scale.measured(found.mean, found.mean_low, found.mean_high)
    return stacked(mean, low, high) if is_drawn(data.kind) else mean


def _short_row(data: Data, found: Summed) -> list[str]:
    result, scale = data.result, _scale(data, found)
    step = steps.small(scale, steps.worth_words(result, found.name))
    low_, middle, high_ = (found.quantiles.get(level) for level in figures.EDGES)
    ends = "–" if low_ is None or high_ is None else f"{scale.number(low_, 3)} to {scale.number(high_, 3)}"
    return [_quantity_name(data, found, scale), "–" if middle is None else scale.number(middle, 3), ends,
            _mean(data, found, scale) + step, f"{scale.number(found.min, 3)} to {scale.number(found.max, 3)}"]


def _quantity_name(data: Data, found: Summed, scale: Scale) -> str:
    missing = f" ({counted(found.without_value, 'instance')} without a value)" if found.without_value else ""
    return described(data.result, found.name, scale.unit, missing)


def _quantity_table(data: Data, found: Sequence[Summed]) -> str:
    """Mean with its interval, quantiles, extremes."""
    if not found:
        return ""
    levels = [float(level) for level in data.result.statistics.get("quantile", [])]
    mean = f"mean<br><small>{number(100 * confidence(data.result), 4)} % interval</small>" if is_drawn(data.kind) else "mean"
    names = ["median" if level == 0.5 else f"{number(100 * level, 4)} %" for level in levels]
    head = ["observable", mean, "standard deviation", "smallest", *names, "largest"]
    return table(head, [_quantity_row(data, each, levels) for each in found], range(1, len(head)),
                 f"Of {counted(max(each.used for each in found), 'instance')} that reached the end")


def _quantity_row(data: Data, found: Summed, levels: Sequence[float]) -> list[str]:
    result, scale = data.result, _scale(data, found)
    said = _mean(data, found, scale) + steps.small(scale, steps.of_mean(result, found.name))
    quantiles = [scale.number(found.quantiles[level], 3) for level in levels]
    return [_quantity_name(data, found, scale), said, scale.number(found.deviation, 3), scale.number(found.min, 3), *quantiles, scale.number(found.max, 3)]


def _quantile_words(data: Data) -> str:
    """How far off the quantiles can be, as part of the range."""
    found = [each for each in (summed.of(data.result, name) for name in data.result.observables) if each is not None and each.differs]
    parts = [error / (each.max - each.min) for each in found for error in each.errors.values() if np.isfinite(error)]
    if not parts:
        return ""
    worst = max(parts)
    said = f"each is off by at most {percent(worst, 2)} of its range" if worst > 0 else "with as few values as here they are exact"
    return paragraph(f"Quantiles come from bins: {said} (quantile_errors in /statistics).", "note")


# --- designs of a nested study ----------------------------------------------------------------------------------------------


def _of_designs(data: Data) -> str:
    """Of a nested design: the observables of "ask" in each cell, with the best marked."""
    group: dict[str, Any] = data.result.statistics.get("answer", {})
    if group.get("attrs", {}).get("rows_are") != "cells":
        return ""
    names = [str(each) for each in group["asked"]]
    lines = [line for line in (_best_words(data, group, at) for at in range(len(names))) if line] + list(thresholds.sentences(data.result))
    first = paragraph(lines[0], "answer") if lines else ""
    return first + _designs_table(data, group) + findings(lines[1:])


def _best_words(data: Data, group: dict[str, Any], at: int) -> str:
    """vibration_rms: smallest with inclination 40°, 1.0 mm/s² (0.98 to 1.01)."""
    marks = np.asarray(group["mark"])[:, at]
    best = np.flatnonzero(marks == 1)
    if len(best) == 0 or len(best) == len(marks):
        return ""
    of_criterion = str(group["kind"][at]) == "criterion"
    sides = {"smaller": "rarest", "larger": "most frequent"} if of_criterion else {"smaller": "smallest", "larger": "largest"}
    side = sides.get(str(group["best"][at]), "nearest to its target")
    alike = int(np.sum(marks == 2))
    also = f"; {counted(alike, 'design')} not told apart from it" if alike else ""
    return f"{code(str(group['asked'][at]))}: {side} with {_design_words(data, group, int(best[0]))}, {_value(data, group, int(best[0]), at)}{also}."


def _design_words(data: Data, group: dict[str, Any], row: int) -> str:
    result = data.result
    parts = [f"{code(path_of(str(name), result))} {value_of(str(name), float(value), result)}"
             for name, value in zip(group["parameter"], group["parameter_value"][row])]
    return ", ".join(parts)


def _value(data: Data, group: dict[str, Any], row: int, at: int, unit: bool = True) -> str:
    value, low, high = (float(group[key][row][at]) for key in ("value", "low", "high"))
    if not np.isfinite(value):
        return "–"
    if str(group["kind"][at]) == "criterion":
        first, a, b = share(value, low, high)
        return within(f"{first} %", a, b) if unit else stacked(f"{first} %", a, b)
    column = np.asarray(group["value"], dtype=float)[:, at]
    scale = scale_of(data.result.units.get(str(group["asked"][at]), "1"), column[np.isfinite(column)])
    first, a, b = scale.measured(value, low, high)
    return within(f"{first} {text(scale.unit)}".strip(), a, b) if unit else stacked(first, a, b)


def _designs_table(data: Data, group: dict[str, Any]) -> str:
    result, total = data.result, len(group["value"])
    parameters = [str(name) for name in group.get("parameter", [])]
    head = [*(code(path_of(name, result)) for name in parameters), *(_designs_head(data, group, at) for at in range(len(group["asked"])))]
    rows = [[*(value_of(name, float(group["parameter_value"][row][k]), result) for k, name in enumerate(parameters)),
             *(MARKS.get(int(group["mark"][row][at]), "") + _value(data, group, row, at, False) for at in range(len(group["asked"])))]
            for row in range(min(total, MOST_CELLS))]
    shown = table(head, rows, range(len(head)))
    per_cell = int(data.result.statistics.get("attrs", {}).get("per_cell", 0))
    said = f"★ best of the column, ≈ not told apart from it by their intervals. {counted(per_cell, 'draw')} each; small: " \
           f"{number(100 * confidence(result), 4)} % intervals. Differences draw by draw, which tell designs apart more sharply, need the rows."
    more = paragraph(f"The first {count(MOST_CELLS)} of {count(total)} cells; omniroll.statistics has all of them.", "note") if total > MOST_CELLS else ""
    body = f'<div class="designs">{shown}</div>' + more
    return (body if total <= MOST_DESIGNS else details(f"{count(total)} designs", body)) + paragraph(said, "note")


def _designs_head(data: Data, group: dict[str, Any], at: int) -> str:
    name = str(group["asked"][at])
    if str(group["kind"][at]) == "criterion":
        return f"{code(name)}<br><small>{text(designs.criteria(data.result).get(name, ''))}</small>"
    column = np.asarray(group["value"], dtype=float)[:, at]
    unit = scale_of(data.result.units.get(name, "1"), column[np.isfinite(column)]).unit
    best = {"smaller": "smaller is better", "larger": "larger is better"}.get(str(group["best"][at]), "")
    return f"{code(name)}<br><small>{', '.join(word for word in ('mean', text(unit), best) if word)}</small>"


# --- figures ----------------------------------------------------------------------------------------------------------------


def of_cells(data: Data) -> Iterator[Section]:
    names = [*designs.criteria(data.result), *shown_observables(data)[0]] if summed.cells(data.result) > 1 else []
    made = drawn([(partial(figures.over_cells, data.result, name), "") for name in names])
    if made:
        yield Section("Designs", pictures(*made))


def distributions_of(data: Data) -> Iterator[Section]:
    first, rest = shown_observables(data)
    made = drawn([(partial(figures.binned, data.result, name), _binned_caption(data, name)) for name in first])
    more = drawn([(partial(figures.binned, data.result, name), _binned_caption(data, name)) for name in rest])
    if not made:
        return
    over = "all cells together, " if summed.cells(data.result) else ""
    body = paragraph(f"Histograms of {over}{counted(data.result.by_status.get('ok', 0), 'instance')} that reached the end, from bins.") + pictures(*made)
    yield Section("Distributions", body + (details(f"{words.plural(len(more), 'more observable')}", pictures(*more)) if more else ""))


def _binned_caption(data: Data, name: str) -> str:
    found = summed.of(data.result, name)
    if found is None:
        return ""
    levels = sorted(found.quantiles)
    shown, unit = words.quantities(data.result, name, [found.mean, *(found.quantiles[each] for each in levels)], np.array([found.min, found.max]))
    listed = ", ".join(f"{'median' if level == 0.5 else f'{100 * level:g} % quantile'} {value}" for level, value in zip(levels, shown[1:]))
    return f"{meaning(data.result, name)}. Mean {shown[0]}{unit}{'; ' + listed + unit if listed else ''}."


def what_matters(data: Data) -> Iterator[Section]:
    """Indices and effects are in the statistics; without them linear correlations are, of all instances."""
    result = data.result
    if any(group in result.statistics for group in ("sobol", "morris")):
        yield from sensitivity.sections(data)
        return
    names = [name for name in shown_observables(data)[0] if figures.correlations(result, name)]
    made = drawn([(partial(figures.linear_correlations, result, name), "") for name in names])
    if made:
        yield Section("What matters", paragraph(
            "Pearson's correlations are those of a straight line, over all instances: they miss effects that turn round in the middle. Rank "
            "correlations need the rows.") + pictures(*made))


def kept_rows(data: Data) -> Iterator[Section]:
    """Scatter plots of a sample, paths of the traced instances."""
    result = data.result
    traced = ", with those that were traced" if len(result.traced) else ""
    head = paragraph(f"{rows_words(data)}, a sample spread evenly over the study{traced}: what stands here is of them alone.")
    body = ""
    for name in shown_observables(data)[0] if result.instances >= distributions.MIN_POINTS else []:
        try:
            ranks, _ = distributions.rank_correlations(result, name)
        except Skipped:
            continue
        order = sorted(ranks, key=lambda each, ranks=ranks: -abs(ranks[each]))  # type: ignore[misc]
        caption = f"{meaning(result, name)}: each point is one of the {result.instances} rows kept of {result.total} instances."
        body += "".join(drawn([(partial(distributions.strongest, result, name, order), caption)]))
    if body:
        yield Section(f"The sample of {count(result.instances)} rows", head + pictures(body))
    if result.trajectories and (has_wheels(result) or has_path(result)):
        yield Section("Paths", pictures(*drawn([(lambda: paths(result), paths_caption(result))])))


# --- instances --------------------------------------------------------------------------------------------------------------


def extremes(data: Data) -> Iterator[Section]:
    """Which instances have the smallest and the largest values, and how to see one."""
    result = data.result
    known = [each for each in (summed.of(result, name) for name in result.observables) if each is not None and each.differs and each.min_instance >= 0]
    if not known:
        return
    first = [each for each in _asked(data) if each.differs and each.min_instance >= 0]
    rows = lambda shown: [_extreme_row(data, each) for each in shown]
    head = ["observable", "smallest", "in instance", "largest", "in instance"]
    body = table(head, rows(first or known[:3]), range(1, 5))
    body += details(f"All {len(known)} observables that differ", table(head, rows(known), range(1, 5))) if len(known) > len(first) else ""
    instance = _telling(data, (first or known)[0])
    yield Section("Extremes", body + paragraph(f"Instance {count(instance)} again with its values and its trajectory (<code>study.json</code>: the study, "
                                               "saved as said below):") + command(rerun(data, instance)))


def _telling(data: Data, found: Summed) -> int:
    """The worse end of an observable, as far as the study says which it is."""
    signs = {each.name: each.sign for each in asked.asked(data.result)}
    return found.min_instance if signs.get(found.name, 0) > 0 else found.max_instance


def _extreme_row(data: Data, found: Summed) -> list[str]:
    scale = _scale(data, found)
    return [described(data.result, found.name), scale.with_unit(found.min), count(found.min_instance),
            scale.with_unit(found.max), count(found.max_instance)]


def rerun(data: Data, instance: int) -> str:
    """The command that runs an instance again with its trajectory, and its page."""
    name = f"instance_{instance}.h5"
    interval = shlex.quote(f"{1000 * _interval(data):.12g} ms")
    return f"omniroll run study.json --instance {instance} --trace {interval} -o {name}\nomniroll report {name}"


def failed(data: Data) -> Iterator[Section]:
    """Which ways to fail there were, with the first instances of each."""
    result = data.result
    found, first = failures(result), summed.first_failed(result)
    if not found:
        return
    cards = "".join(_failed_card(data, name, number, first.get(name, [])) for name, number in found.items())
    reason = result.attrs.get("first_invalid")
    body = failed_head(sum(found.values()), result.total) + f'<ul class="keys wide">{cards}</ul>' + (paragraph(f"The first invalid instance: {text(reason)}") if reason else "")
    ran = [numbers_[0] for name, numbers_ in first.items() if name != "invalid_parameters"]
    if ran:
        body += "<h3>Look at one of them</h3>" + paragraph(f"Instance {count(ran[0])} again, alone and traced:") + command(rerun(data, ran[0]))
    yield Section("Failed instances", body)


def _failed_card(data: Data, name: str, number: int, first: Sequence[int]) -> str:
    result = data.result
    at = [str(each) for each in result.statistics["status"]].index(name)
    time = float(result.statistics["earliest"][at]) if "earliest" in result.statistics else np.nan
    more = ", …" if number > len(first) else "."
    listed = f"<p>{'First instances' if len(first) > 1 else 'Instance'}: {', '.join(map(count, first))}{more}</p>" if first else ""
    return card(name, number, result.total, time, listed)


# --- statistics -------------------------------------------------------------------------------------------------------------


def statistics(data: Data) -> Iterator[Section]:
    result = data.result
    known = [each for each in (summed.of(result, name) for name in result.observables) if each is not None and each.used]
    differing = [each for each in known if each.differs]
    alike = [each for each in known if not each.differs]
    same = ", ".join(f"{code(each.name)} {scale_of(result.units.get(each.name, '1'), [each.mean]).with_unit(each.mean)}" for each in alike)
    first = [each for each in differing if each.name in data.observables] if len(differing) > numbers.OPEN_OBSERVABLES else differing
    body = numbers._criteria(data) + "<h3>Observables</h3>"
    body += _quantity_table(data, first) if known else paragraph("No instance that reached the end has a value of an observable.", "note")
    body += details(f"All {len(differing)} observables that differ", _quantity_table(data, differing)) if len(differing) > len(first) else ""
    body += _quantile_words(data) + (paragraph(f"The same in every instance: {same}.", "note") if same else "")
    yield Section("Statistics", body + steps.words(data) + numbers._stop(data) + numbers._notes(data))
