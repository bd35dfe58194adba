"""The designs that a result compares: cells of a nested design with their draws, or single instances; and how far two of them differ, by
chance and by the integrator's step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..figures import probability
from ..reading import designs
from ..reading.result import Array, Result
from ..reading.summed import place_of
from . import criteria, paired_differences
from .paired_differences import Difference

HALF_ORDER = 1 / (math.sqrt(2) - 1)  # part of the difference of two steps that is left at most: order 1/2 (host/statistics/step_estimate.c)
BY_CHANCE = 2.0**-6  # a ratio of order 6, which no method has
MOST_REPEATS = 10_000  # designs up to which those that come twice are looked for


class Quantity(NamedTuple):
    """An observable, or its size where a criterion limits that."""

    name: str
    absolute: bool = False


@dataclass(frozen=True)
class Cells:
    """Designs, each with the instances that belong to it."""

    result: Result
    variables: list[str]  # columns whose values make a design
    rows: list[Array]  # instances of each design, in the order of its draws
    common: bool  # the k-th instance of every design has the same draw
    _truths: dict[str, Array | None] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.rows)

    @cached_property
    def sampled(self) -> bool:
        """Whether a design is a sample, so that chance has a part in its numbers."""
        return len(self.rows) < self.result.instances

    @property
    def confidence(self) -> float:
        return probability.method(self.result)[1]

    def values(self, design: int, quantity: Quantity) -> Array:
        """One of each instance, NaN where it failed."""
        rows, result = self.rows[design], self.result
        values = np.where(result.ok[rows], result.observables[quantity.name][rows], np.nan)
        return np.asarray(np.abs(values) if quantity.absolute else values)

    def truth(self, criterion: str) -> Array | None:
        """Per instance of the result; None where the criterion cannot be evaluated here."""
        if criterion not in self._truths:
            self._truths[criterion] = criteria.truth(self.result, criterion)
        return self._truths[criterion]

    @cached_property
    def repeats(self) -> set[int]:
        """Designs without draws that an earlier one is, in every parameter: the base of "one_at_a_time" is a level of each parameter."""
        if self.sampled or not self.variables or self.count > MOST_REPEATS:
            return set()
        table = np.stack([self.result.parameters[name] for name in self.variables], axis=1)
        first = np.unique(table, axis=0, return_index=True)[1]
        return set(range(self.count)) - {int(k) for k in first}

    def mean(self, design: int, quantity: Quantity) -> Difference:
        return paired_differences.mean(self.values(design, quantity), self.confidence)

    def share(self, design: int, criterion: str) -> tuple[Difference, int]:
        """Probability of a criterion with its interval, and how many instances meet it."""
        truth = self.truth(criterion)
        if truth is None:
            return self._share_of_file(design, criterion)
        known = truth[self.rows[design]]
        known = known[np.isfinite(known)]
        if not len(known):
            return paired_differences.NOTHING, 0
        met = int(known.sum())
        if not self.sampled:
            return Difference(met / len(known), math.nan, math.nan, len(known)), met
        low, high, _ = probability.interval(probability.method(self.result)[0], met, len(known), self.confidence)
        return Difference(met / len(known), low, high, len(known)), met

    def _share_of_file(self, design: int, criterion: str) -> tuple[Difference, int]:
        statistics = self.result.statistics
        at = place_of(statistics, "criterion", criterion)
        if at is None or "cell_probability" not in statistics or len(statistics["cell_probability"]) != self.count:
            return paired_differences.NOTHING, 0
        share, low, high = (float(statistics[f"cell_probability{end}"][design, at]) for end in ("", "_low", "_high"))
        met, missed = (int(statistics[name][design, at]) for name in ("cell_met", "cell_not_met"))
        return Difference(share, low, high, met + missed), met

    def difference(self, one: int, other: int, quantity: Quantity) -> Difference:
        """Difference of the means, with its interval by chance."""
        a, b = self.values(one, quantity), self.values(other, quantity)
        found = (paired_differences.paired if self.common or not self.sampled else paired_differences.unpaired)(a, b, self.confidence)
        if not self.sampled:
            found = Difference(found.value, found.value, found.value, found.count)
        return paired_differences.rounded(found, _mean(a), _mean(b))

    def difference_of_shares(self, one: int, other: int, criterion: str) -> Difference:
        """Difference of the probabilities of a criterion, with its interval by chance."""
        truth = self.truth(criterion)
        if truth is None:
            return paired_differences.NOTHING
        a, b = truth[self.rows[one]], truth[self.rows[other]]
        if not self.sampled:
            value = float(a[0] - b[0])
            return Difference(value, value, value, 1)
        return (paired_differences.paired_shares if self.common else paired_differences.unpaired_shares)(a, b, self.confidence)

    @cached_property
    def steps(self) -> "Steps":
        return Steps(self)


def _mean(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else math.nan


def cells_of(result: Result) -> Cells:
    """The designs of a result, in the order in which they first come."""
    variables = designs.compared_variables(result)
    if not variables:
        return Cells(result, result.varied, list(np.arange(result.instances).reshape(-1, 1)), False)
    table = np.stack([result.parameters[name] for name in variables], axis=1)
    _, first, which = np.unique(table, axis=0, return_index=True, return_inverse=True)
    rows = [np.flatnonzero(which.ravel() == cell) for cell in np.argsort(first, kind="stable")]
    return Cells(result, variables, rows, _common(result, rows))


def _common(result: Result, rows: list[Array]) -> bool:
    """Whether the designs met the same draws: looked at, since a file may hold only some of the instances."""
    if len(rows) < 2 or len({len(each) for each in rows}) > 1:
        return False
    drawn = designs.drawn_variables(result)
    return bool(drawn) and all(np.array_equal(result.parameters[name][each], result.parameters[name][rows[0]]) for name in drawn
                               for each in rows[1:])


# --- the step's part --------------------------------------------------------------------------------------------------------


class Steps:
    """Errors that the step makes of differences, from the instances that ran again (/statistics/step_error)."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        table = cells.result.statistics.get("step_error", {})
        self.table: dict[str, Any] = table if isinstance(table, dict) and "value" in table else {}
        self.place = np.zeros((cells.result.instances, 2), dtype=int)  # design and draw of each instance
        for design, rows in enumerate(cells.rows if self.table and cells.sampled else []):
            self.place[rows, 0], self.place[rows, 1] = design, np.arange(len(rows))

    def _values(self, quantity: Quantity) -> Array | None:
        """[substeps, instance]; None where there is nothing."""
        at = place_of(self.table, "quantity", quantity.name)
        if at is None or self.cells.result.numbers is not None:
            return None
        values = np.asarray(self.table["value"][:, :, at], dtype=float)
        return np.abs(values) if quantity.absolute else values

    def of_difference(self, one: int, other: int, quantity: Quantity) -> Difference | None:
        """Step error of the difference of two designs' means, with its range, from the draws that ran again in both; None where there
        are none."""
        values = self._values(quantity)
        if values is None or not self.cells.common:
            return None
        parts = round(self.table["substeps"][-1] / self.table["substeps"][-2])
        errors = [errors_of(values, parts, quantity.name, end) for end in (0, 1, 2)]
        here: list[dict[int, int]] = [{}, {}]
        for k, instance in enumerate(self.table["instance"]):
            design, draw = (int(each) for each in self.place[int(instance)])
            for side, wanted in enumerate((one, other)):
                if design == wanted and np.isfinite(values[:, k]).all():
                    here[side][draw] = k
        both = [(here[0][draw], here[1][draw]) for draw in here[0] if draw in here[1]]
        if not both:
            return None
        means = [paired_differences.mean(np.array([each[a] - each[b] for a, b in both]), self.cells.confidence) for each in errors]
        ends = [end for each in means for end in (each.low, each.high) if math.isfinite(end)] or [each.value for each in means]
        return Difference(means[0].value, min(ends), max(ends), len(both))


def errors_of(values: Array, parts: int, name: str, end: int) -> Array:
    """Error of each instance that ran again: its value less its limit. `end` 0: as estimated; 1, 2: the ends of the possible tail of the
    series of differences (host/statistics/step_estimate.c, where every cell counts alike; here every instance)."""
    if name == "energy_error":
        return values[0]
    differences = values[:-1] - values[1:]
    best, least, most, of_first = _tail(differences, parts)
    share = (best, least, most)[end]
    return (values[0] - values[-1]) + share * differences[0 if of_first else -1]


def _tail(differences: Array, parts: int) -> tuple[float, float, float, bool]:
    """The error left at the smallest step, as a part of the last difference (or of the first): as estimated, least and most."""
    most = 1 / (parts**0.25 - 1) if parts >= 10 else HALF_ORDER
    if len(differences) < 2 or parts >= 10:
        best = math.sqrt(1 + most) - 1
        return (best, -0.5, max(1.0, most), False) if parts >= 10 else (best, 0.0, most, False)
    first, last = (float(np.nanmean(each)) for each in differences)
    if abs(last) < BY_CHANCE * abs(first):
        return 0.0, -0.5, 0.5, True
    if last == 0:
        return 0.0, 0.0, 0.0, False
    if first == 0 or last / first < 0:
        return 0.0, -1.0, 1.0, False
    ratio = last / first
    best = min(ratio / (1 - ratio), HALF_ORDER) if ratio < 1 else HALF_ORDER
    return best, 0.0, max(1.0, best), False
