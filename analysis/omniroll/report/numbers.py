"""Statistics in tables: criteria, observables, cells of a nested design, levels of a subset simulation."""

from __future__ import annotations

from typing import Any, Iterator, Sequence

import numpy as np

from ..figures.style import within
from ..reading.designs import design_variables
from ..reading.result import Array, Result
from . import steps
from .data import Data
from .page import Section, details, facts, paragraph, table, text
from .summary import Criterion, confidence, criteria, differs, drawn, mean_interval, quantile_interval, quantiles, used
from .wording import Scale, bracketed, code, count, counted, described, number, path_of, quantity, scale_of, share, stacked, value_of

DIGITS = 3  # of a number without an interval
MAX_CELLS = 400  # rows of the table of cells
OPEN_CELLS = 20  # up to so many it is open
OPEN_OBSERVABLES = 8  # likewise of observables; of more, those that are shown in figures


def sections(data: Data) -> Iterator[Section]:
    """Nothing for a single instance: its numbers are its observables, in a table of their own."""
    if data.result.instances == 1:
        yield Section("Observables", _observables_of_one(data.result) + steps.words(data))
        return
    body = _criteria(data) + _observables(data) + steps.words(data) + _cells(data) + _levels(data) + _stop(data)
    if body:
        yield Section("Statistics", body + _notes(data))


def _observables_of_one(result: Result) -> str:
    """One row per observable that has a value."""
    known = [(name, values[0]) for name, values in result.observables.items() if np.isfinite(values[0])]
    rows = [[described(result, name), quantity(value, result.units.get(name, "1"), 5)] for name, value in known]
    if steps.measured(result):
        rows = [[*row, _step_of_one(result, name)] for row, (name, _) in zip(rows, known)]
        return _table_of_one(result, ("observable", "value", "error by the step"), rows)
    return _table_of_one(result, ("observable", "value"), rows)


def _step_of_one(result: Result, name: str) -> str:
    estimate = steps.of_mean(result, name)
    scale = scale_of(result.units.get(name, "1"), (estimate.error, estimate.low, estimate.high) if estimate else ())
    return stacked(scale.with_unit(estimate.error, 2), scale.number(estimate.low, 2), scale.number(estimate.high, 2)) if estimate else "–"


def _table_of_one(result: Result, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    words = "" if result.ok.all() else paragraph("The instance failed: the values are those at its end.", "warning")
    return words + (table(head, rows, range(1, len(head))) if rows else paragraph("No observable has a value.", "note"))


# --- criteria -------------------------------------------------------------------------------------------------------------


def _criteria(data: Data) -> str:
    found = criteria(data.result)
    if not found:
        return ""
    told = str(data.result.statistics.get("attrs", {}).get("interval", "wilson"))
    interval = {"wilson": "Wilson", "clopper_pearson": "Clopper and Pearson"}.get(told, text(told))
    head = ["criterion", "condition", f"probability<br><small>{_level(data)} interval ({interval})</small>", "meet it", "do not", "undecided", "left out"]
    rows = [_criterion_row(criterion) for criterion in found]
    if steps.measured(data.result):
        head.append("change sides with a shorter step")
        rows = [[*row, steps.flips(data.result, criterion.name)] for row, criterion in zip(rows, found)]
    return "<h3>Criteria</h3>" + table(head, rows, range(2, len(head)))


def _criterion_row(criterion: Criterion) -> list[str]:
    counts = (criterion.met, criterion.not_met, criterion.unknown, criterion.left_out)
    probability, low, high = share(criterion.probability, criterion.low, criterion.high)
    words = [f"<code>{text(word)}</code>" for word in (criterion.name, criterion.text)]
    known = criterion.met + criterion.not_met > 0
    return [*words, stacked(f"{probability} %", low, high) if known else "–", *map(count, counts)]


def _level(data: Data) -> str:
    return f"{number(100 * confidence(data.result), 4)} %"


# --- observables ----------------------------------------------------------------------------------------------------------


def _observables(data: Data) -> str:
    """Observables that differ between the instances: a row each. Observables alike in all of them: a sentence."""
    result = data.result
    with_values = [name for name in result.observables if len(used(result, name))]
    alike = [name for name in with_values if not differs(used(result, name))]
    names = [name for name in with_values if name not in alike]
    first = [name for name in names if name in data.observables] if len(names) > OPEN_OBSERVABLES else names
    body = "<h3>Observables</h3>"
    if first:
        body += _observable_table(data, first)
        body += details(f"All {len(names)} observables that differ", _observable_table(data, names)) if len(names) > len(first) else ""
    else:
        body += paragraph("No observable differs between the instances that reached the end." if with_values else
                          "No instance that reached the end has a value of an observable.", "note")
    return body + _alike(result, alike) + _without(result, with_values)


def _observable_table(data: Data, names: Sequence[str]) -> str:
    caption = f"Of the {counted(int(data.result.ok.sum()), 'instance')} that reached the end"
    return table(_observable_head(data), [_observable_row(data, name) for name in names], range(1, 8), caption)


def _observable_head(data: Data) -> Sequence[str]:
    mean = f"mean ({_level(data)} interval)" if drawn(data.kind) else "mean"
    levels = [f"{name} ({_level(data)} interval)" if drawn(data.kind) else name for name in ("5 %", "median", "95 %")]
    return "observable", mean, "standard deviation", "smallest", *levels, "largest"


def _observable_row(data: Data, name: str) -> list[str]:
    result = data.result
    values = used(result, name)
    low, middle, high = quantiles(values)
    scale = scale_of(result.units.get(name, "1"), (low, high))
    spread, interval = float(np.std(values, ddof=1)), mean_interval(result, name)
    mean = scale.number(float(values.mean()), DIGITS, spread)
    levels = [scale.number(value, DIGITS, spread) for value in (low, middle, high)]
    if drawn(data.kind):
        mean = _within(scale, float(values.mean()), interval[1:] if interval else None)
        levels = [_within(scale, value, quantile_interval(values, probability, confidence(result)))
                  for value, probability in zip((low, middle, high), (0.05, 0.5, 0.95))]
    mean += steps.small(scale, steps.of_mean(result, name))
    levels = [level + steps.small(scale, steps.of_quantile(result, name, probability))
              for level, probability in zip(levels, (0.05, 0.5, 0.95))]
    missing = int(result.ok.sum()) - len(values)
    without = f" ({counted(missing, 'instance')} without a value)" if missing else ""
    smallest, largest = (scale.number(value, DIGITS, spread) for value in (values.min(), values.max()))
    return [described(result, name, scale.unit, without), mean, scale.number(spread, DIGITS), smallest, *levels, largest]


def _within(scale: Scale, value: float, ends: tuple[float, float] | None) -> str:
    """A number with its interval, rounded by that."""
    return stacked(*scale.measured(value, *ends)) if ends else scale.number(value, DIGITS)


def _alike(result: Result, names: Sequence[str]) -> str:
    if not names:
        return ""
    words = ", ".join(f"<code>{text(name)}</code> {quantity(used(result, name)[0], result.units.get(name, '1'))}" for name in names)
    whose = "The one instance that reached the end has" if result.ok.sum() == 1 else "The same in every instance:"
    return paragraph(f"{whose} {words}.", "note")


def _without(result: Result, with_values: Sequence[str]) -> str:
    names = [name for name in result.observables if name not in with_values]
    words = ", ".join(f"<code>{text(name)}</code>" for name in names)
    return paragraph(f"Without a value in this study: {words}.", "note") if names and with_values else ""


# --- cells of a nested design ---------------------------------------------------------------------------------------------


def _cells(data: Data) -> str:
    result = data.result
    statistics, grid = result.statistics, design_variables(result)
    if not grid or "cell_instances" not in statistics:
        return ""
    total = len(statistics["cell_instances"])
    rows = [_cell_row(data, cell, grid) for cell in range(min(total, MAX_CELLS))]
    shown = [name for name in data.observables if name in _quantities(result)]
    head = [*(code(path_of(name, result)) for name in grid), "reached the end",
            *(f"{code(criterion.name)}<br><small>probability, {_level(data)} interval</small>" for criterion in criteria(result)),
            *(f"{code(name)}{bracketed(_cell_scale(result, name).unit)}<br><small>mean, standard deviation</small>" for name in shown)]
    body = table(head, rows, range(len(head)))
    if total > MAX_CELLS:
        body += paragraph(f"The first {count(MAX_CELLS)} of {count(total)} cells; all of them: omniroll.statistics(file).", "note")
    return "<h3>Cells of the grid</h3>" + (body if total <= OPEN_CELLS else details(f"{counted(total, 'cell')}", body))


def _quantities(result: Result) -> list[str]:
    return [str(name) for name in result.statistics.get("quantity", [])]


def _cell_scale(result: Result, name: str) -> Scale:
    values = result.statistics["cell_mean"][:, _quantities(result).index(name)]
    return scale_of(result.units.get(name, "1"), values[np.isfinite(values)])


def _cell_row(data: Data, cell: int, grid: Sequence[str]) -> list[str]:
    result = data.result
    statistics = result.statistics
    at = cell * (result.instances // len(statistics["cell_instances"]))  # a cell's instances follow each other
    row = [value_of(name, result.parameters[name][at], result) for name in grid]
    instances: Array = statistics["cell_instances"][cell]
    row.append(f"{count(instances[0])} of {count(instances.sum())}")
    for i in range(len(criteria(result))):
        found = [float(statistics[f"cell_probability{end}"][cell, i]) for end in ("", "_low", "_high")]
        probability, low, high = share(*found)
        row.append(stacked(f"{probability} %", low, high) if np.isfinite(found[0]) else "–")
    for name in (name for name in data.observables if name in _quantities(result)):
        column, scale = _quantities(result).index(name), _cell_scale(result, name)
        mean, deviation = (float(statistics[f"cell_{what}"][cell, column]) for what in ("mean", "standard_deviation"))
        row.append(f"{scale.number(mean, DIGITS)}<br><small>{scale.number(deviation, 2)}</small>" if np.isfinite(mean) else "–")
    return row


# --- subset simulation, stopping, notes -----------------------------------------------------------------------------------


def _levels(data: Data) -> str:
    subset: dict[str, Any] = data.result.statistics.get("subset", {})
    if "threshold" not in subset:
        return ""
    columns = [("threshold", "margin of the criterion"), ("conditional_probability", "probability given the level before"),
               ("acceptance", "accepted moves"), ("instances", "instances")]
    known = [(name, words) for name, words in columns if name in subset]
    rows = [[str(level + 1), *(number(float(subset[name][level])) for name, _ in known)] for level in range(len(subset["threshold"]))]
    return "<h3>Levels of the subset simulation</h3>" + table(("level", *(words for _, words in known)), rows, range(len(known) + 1))


def _stop(data: Data) -> str:
    told: dict[str, Any] = data.result.statistics.get("stop", {}).get("attrs", {})
    if not told:
        return ""
    ends = {"interval": "the interval was narrow enough", "instances": "the instances were spent", "wall_time": "the time was spent"}
    estimate, low, high = (number(float(told.get(name, np.nan))) for name in ("estimate", "low", "high"))
    rows = [("Quantity", f"<code>{text(told.get('quantity', '?'))}</code>"), ("Ended because", ends.get(str(told.get("ended_by")), "–")),
            ("Estimate", within(estimate, low, high)),
            ("After", f"{counted(int(told.get('instances', 0)), 'instance')}, {counted(int(told.get('looks', 0)), 'look')}")]
    return "<h3>When the run stopped</h3>" + facts(rows)


def _notes(data: Data) -> str:
    attrs = data.result.statistics.get("attrs", {})
    words = []
    if not data.result.statistics:
        words.append("The file has no statistics of its own (it is no run, or one of an older version): the numbers are computed from its "
                     "instances")
    shown = ("independence", "interval_note") if criteria(data.result) or drawn(data.kind) else ()
    words += [str(attrs[name]) for name in shown if attrs.get(name)]
    if attrs.get("settings"):
        words.append(f"Statistics computed anew with: {attrs['settings']}")
    words.append("Angles are in degrees here, in radians in the file")
    return paragraph(" ".join(f"{text(line[:1].upper() + line[1:])}." for line in words), "note")
