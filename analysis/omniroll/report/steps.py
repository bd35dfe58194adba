"""Sentences of the report on the step errors of its numbers, from /statistics/step_error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterator

import numpy as np

from ..figures.style import within
from ..reading import summed
from ..reading.result import Result
from .data import Data
from .page import paragraph
from .summary import mean_interval, used
from .wording import Scale, code, counted, number, percent

READABLE = 1e-4  # an error below this part of an observable's size is not worth a sentence
ROUNDING = 1e-9  # SI: smaller values are zero but for rounding


@dataclass(frozen=True)
class Estimate:
    """An error with its range: the number in the file less its limit with shorter steps."""

    error: float
    low: float
    high: float


def _table(result: Result) -> dict[str, Any]:
    table = result.statistics.get("step_error", {})
    return table if isinstance(table, dict) else {}


def _place(result: Result, name: str) -> int | None:
    at = summed.place_of(_table(result), "quantity", name)
    return at if at is not None and _table(result)["used"][at] else None


def of_mean(result: Result, name: str) -> Estimate | None:
    """Of an observable's mean; None where it was not measured."""
    table, at = _table(result), _place(result, name)
    return None if at is None else Estimate(*(float(table[key][at]) for key in ("error", "error_low", "error_high")))


def of_quantile(result: Result, name: str, probability: float) -> Estimate | None:
    """Of a quantile; None where the file does not have it."""
    table, at = _table(result), _place(result, name)
    levels = np.atleast_1d(table.get("quantile", np.empty(0)))
    found = np.flatnonzero(np.isclose(levels, probability))
    if at is None or len(found) == 0:
        return None
    keys = ("quantile_error", "quantile_error_low", "quantile_error_high")
    return Estimate(*(float(table[key][at, found[0]]) for key in keys))


def worst_of_one(result: Result, name: str) -> float | None:
    """The largest error in a single one of the instances that ran again."""
    table, at = _table(result), _place(result, name)
    return None if at is None or "instance_worst" not in table else float(table["instance_worst"][at])


def small(scale: Scale, estimate: Estimate | None) -> str:
    """A line below a number: "step +0.02 (0.01 to 0.04)"."""
    if estimate is None:
        return ""
    shown = f"step {_signed(scale, estimate.error)}"
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        shown = within(shown, _signed(scale, estimate.low), _signed(scale, estimate.high))
    return f"<br><small>{shown}</small>"


def _signed(scale: Scale, value: float) -> str:
    shown = scale.number(value, 2)
    return shown if value <= 0 or shown == "0" else f"+{shown}"


def flips_of(result: Result, name: str) -> tuple[int, int, float] | None:
    """Of a criterion: how many instances change sides with a shorter step, of how many, and the bound of the share; None where it was
    not measured."""
    table = _table(result)
    at = summed.place_of(table, "criterion", name)
    if at is None or not table["flip_used"][at]:
        return None
    return int(table["gained"][at] + table["lost"][at]), int(table["flip_used"][at]), float(table["flips_high"][at])


def flips(result: Result, name: str) -> str:
    """The same in a cell of a table."""
    found = flips_of(result, name)
    return "–" if found is None else f"{found[0]} of {found[1]}<br><small>below {percent(found[2], 2)}</small>"


def measured(result: Result) -> bool:
    """Whether the file has a step error."""
    return bool(_table(result))


def _largest(result: Result, name: str) -> float:
    """Size of the largest value of an ok instance; 0 where there is none."""
    if result.summed:
        found = summed.of(result, name)
        return max(abs(found.min), abs(found.max)) if found and found.used else 0.0
    values = used(result, name) if name in result.observables else np.empty(0)
    return float(np.abs(values).max(initial=0.0))


def limits(result: Result, name: str) -> bool:
    """Whether the step's error of the mean is readable and larger than half the interval of the mean by chance."""
    estimate, interval, largest = of_mean(result, name), mean_interval(result, name), _largest(result, name)
    if estimate is None or interval is None or name == "energy_error" or largest < ROUNDING:
        return False
    half = (interval[2] - interval[1]) / 2
    return abs(estimate.error) > READABLE * largest and (not math.isfinite(half) or abs(estimate.error) > half)


def words(data: Data) -> str:
    """Paragraphs on the measurements, where the step limits, and whether the cells keep their order."""
    return "".join(_words(data.result)) if measured(data.result) else ""


def _words(result: Result) -> Iterator[str]:
    table = _table(result)
    substeps = [int(each) for each in table["substeps"]]
    how = {2: "half the step", 4: "half and a quarter of the step", 10: "a tenth of the tolerance",
           100: "a hundredth of the tolerance", 10_000: "a hundredth and a ten-thousandth of the tolerance"}[substeps[-1]]
    tenth = substeps[-1] >= 10
    left = int(table["attrs"].get("left_out", 0))
    yield paragraph(f"<em>Step</em>: the error that the integrator's step makes, estimated from {counted(len(table['instance']), 'instance')} "
                    f"that ran again with {how}{f', {left} of them without a value' if left else ''}; the number less what it tends to "
                    f"with {'smaller tolerances' if tenth else 'shorter steps'}, and its range.", "note")
    names = [name for name in result.observables if limits(result, name)] if result.total > 1 else []
    if names:
        listed = ", ".join(code(name) for name in names)
        yield paragraph(f"The step, not the number of instances, limits {listed}: there its error is larger than that by chance. A "
                        f"{'smaller tolerance' if tenth else 'shorter step'} gains more than more instances.", "warning")
    yield from _ranking(result)


def _ranking(result: Result) -> Iterator[str]:
    table = _table(result)
    found = list(zip(map(str, table["quantity"]), table.get("pairs", []), table.get("reversed", [])))
    found += list(zip(map(str, table.get("criterion", [])), table.get("criterion_pairs", []), table.get("criterion_reversed", [])))
    compared = sum(int(pairs) for name, pairs, _ in found if name != "energy_error")
    changed = [(name, int(pairs), int(turned)) for name, pairs, turned in found if turned and name != "energy_error"]
    if changed:
        listed = ", ".join(f"{code(name)} ({turned} of {pairs} pairs)" for name, pairs, turned in changed)
        yield paragraph(f"Some cells of the grid change places without the step's error: {listed}. Their ranking is not to be trusted "
                        "with this step.", "warning")
    elif compared:
        yield paragraph(f"The ranking of the cells stands: none of {number(compared)} pairs that the run tells apart changes places "
                        "without the step's error.", "note")


def worth_words(result: Result, name: str) -> Estimate | None:
    """Of an observable's mean, where a sentence on it is worth reading."""
    estimate, largest = of_mean(result, name), _largest(result, name)
    if estimate is None or largest < ROUNDING or abs(estimate.error) <= READABLE * largest:
        return None
    return estimate
