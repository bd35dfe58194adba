"""Columns of the table that compares designs: which there are, in which order, and which designs are best in each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Sequence

import numpy as np

from ..comparing import criteria
from ..comparing.design_cells import Cells, Quantity
from ..comparing.paired_differences import Difference
from ..reading import asked, designs
from ..reading.result import Array
from . import steps
from .data import Data
from .wording import Scale, decimals_of, fixed

MOST = 7  # columns, unless criteria name more
LEAST = 1  # observables besides those that criteria name
ALIKE = 0.999  # correlation from which an observable says nothing that another does not
SMALL = 0.1  # of the interval by chance: below, the step's error is not worth a line
PLAIN = 0.05  # least part of the variance that lies between designs, of an observable that is shown for its differences
FURTHER = 3  # observables at most that no criterion names
WORKINGS = ("energy_error", "exchanges", "edge_holds", "max_force_ratio")  # of the model and the method, not of the vehicle


@dataclass(frozen=True)
class Column:
    """A criterion, or an observable, over the designs."""

    cells: Cells
    criterion: str  # "" of an observable
    quantity: Quantity  # a criterion's has its name
    sign: int  # -1: less is better; 1: more is; 0: not known
    limit: criteria.Limit | None = None
    target: float = math.nan  # the nearer to it, the better; NaN: none
    asked: bool = False  # by the study's "ask"

    @cached_property
    def _shares(self) -> list[tuple[Difference, int]]:
        return [self.cells.share(design, self.criterion) for design in range(self.cells.count)]

    @cached_property
    def estimates(self) -> list[Difference]:
        """Of each design the mean, or the probability, with its interval."""
        if self.criterion:
            return [share for share, _ in self._shares]
        return [self.cells.mean(design, self.quantity) for design in range(self.cells.count)]

    def met(self, design: int) -> int:
        """How many instances of a design meet the criterion."""
        return self._shares[design][1] if self.cells.sampled else int(self.values[design] == 1)

    @cached_property
    def error(self) -> tuple[float, float]:
        """Range that the step adds to the numbers of all designs together; 0 where it was not measured."""
        found = None if self.criterion or self.quantity.absolute else steps.of_mean(self.cells.result, self.quantity.name)
        return (found.low, found.high) if found and math.isfinite(found.low) and math.isfinite(found.high) else (0.0, 0.0)

    @property
    def step_is_small(self) -> bool:
        """Whether the step error is below a tenth of every interval by chance."""
        found = self.estimates if self.cells.sampled else []
        halves = [(estimate.high - estimate.low) / 2 for estimate in found if math.isfinite(estimate.high - estimate.low)]
        return bool(halves) and max(abs(end) for end in self.error) <= SMALL * min(halves)

    def rounded(self, scale: Scale, design: int) -> tuple[str, str, str]:
        """A design's number and interval, rounded to the larger of its interval and its step error."""
        estimate, step = self.estimate(design), max(abs(end) for end in self.error)
        half = (estimate.high - estimate.low) / 2
        if not math.isfinite(half) or step <= half:
            return scale.measured(estimate.value, estimate.low, estimate.high) if math.isfinite(half) or step == 0 else \
                (scale.measured(estimate.value, estimate.value - step, estimate.value + step, 3)[0], "–", "–")
        decimals = decimals_of(step * scale.factor)
        first, low, high = (fixed(end * scale.factor, decimals) for end in (estimate.value, estimate.low, estimate.high))
        return first, low, high

    @cached_property
    def values(self) -> Array:
        """Of each design; of designs without draws at once, since these may be a million."""
        result = self.cells.result
        if self.cells.sampled:
            return np.array([estimate.value for estimate in self.estimates])
        if self.criterion:
            truth = self.cells.truth(self.criterion)
            return np.full(self.cells.count, np.nan) if truth is None else np.asarray(truth)
        found = np.where(result.ok, result.observables[self.quantity.name], np.nan)
        return np.asarray(np.abs(found) if self.quantity.absolute else found)

    def estimate(self, design: int) -> Difference:
        """A design's number with its interval."""
        return self.estimates[design] if self.cells.sampled else Difference(float(self.values[design]), math.nan, math.nan, 1)

    @cached_property
    def spread_by_step(self) -> float:
        """Of designs without draws: largest step error of a difference of two."""
        worst = None if self.criterion else steps.worst_of_one(self.cells.result, self.quantity.name)
        return 0.0 if worst is None or not math.isfinite(worst) else 2 * worst

    @cached_property
    def known(self) -> list[int]:
        """Designs that have a value."""
        return [int(design) for design in np.flatnonzero(np.isfinite(self.values))]

    def difference(self, one: int, other: int) -> Difference:
        """Difference with its interval by chance."""
        if self.criterion:
            return self.cells.difference_of_shares(one, other, self.criterion)
        return self.cells.difference(one, other, self.quantity)

    def step(self, one: int, other: int) -> Difference | None:
        """Step error of the difference; None where it was not measured."""
        if self.criterion:
            return None
        if not self.cells.sampled:
            return Difference(0.0, -self.spread_by_step, self.spread_by_step)
        return self.cells.steps.of_difference(one, other, self.quantity)

    def apart(self, one: int, other: int) -> bool:
        """Whether two designs differ by more than chance and the step allow."""
        found, by_step = self.difference(one, other), self.step(one, other)
        low, high = found.low, found.high
        if by_step is not None:
            low, high = low - max(0.0, by_step.high), high - min(0.0, by_step.low)
        return low > 0 or high < 0

    @property
    def judged(self) -> bool:
        """Whether some values are better than others."""
        return self.sign != 0 or math.isfinite(self.target)

    @cached_property
    def merit(self) -> Array:
        """Of each design: the larger, the better."""
        return -np.abs(self.values - self.target) if math.isfinite(self.target) else self.values * self.sign

    @cached_property
    def best(self) -> list[int]:
        """Designs with the best value; [] where no side is the better one, or all are the same."""
        if not self.judged or len(self.known) < 2 or np.ptp(self.merit[self.known]) == 0:
            return []
        return [int(design) for design in np.flatnonzero(self.merit == self.merit[self.known].max())]

    @cached_property
    def alike(self) -> list[int]:
        """Designs that do not differ from the best, the best included; all known designs where nothing is better."""
        if not self.best:
            return list(self.known)
        if not self.cells.sampled:
            return [int(k) for k in np.flatnonzero(np.abs(self.values - self.values[self.best[0]]) <= self.spread_by_step)]
        return [design for design in self.known if design in self.best or not self.apart(design, self.best[0])]

    @property
    def tells(self) -> bool:
        """Whether some design differs from the best."""
        return bool(self.best) and len(self.alike) < len(self.known)

    @cached_property
    def ends(self) -> tuple[int, int]:
        """Designs with the smallest and the largest value."""
        return self.known[int(np.argmin(self.values[self.known]))], self.known[int(np.argmax(self.values[self.known]))]


def columns_of(data: Data, cells: Cells) -> list[Column]:
    """Criteria, observables in the study's "ask", observables that criteria name, then the caller's or those that differ most between the
    designs."""
    result = data.result
    judged = criteria.judged(result)
    found = [Column(cells, name, Quantity(name), 1 if designs.is_good(result, name) else -1) for name in designs.criteria(result)]
    found += [Column(cells, "", Quantity(each.name), each.sign, judged.get(each.name), each.target, True) for each in asked.asked(result)]
    found = [column for column in found if column.known]
    names = [name for name in criteria.observables(result) if not any(column.quantity.name == name for column in found)]
    shown = [*names, *(column.quantity.name for column in found if column.asked)]
    more = 0 if any(column.asked for column in found) else min(FURTHER, max(LEAST, MOST - len(found) - len(names)))
    names += [name for name in data.choices.observables or telling(data, cells, shown, more) if name not in shown]
    for name in names:
        limit = judged.get(name)
        sign = 0 if limit is None else -1 if limit.more != designs.is_good(result, limit.criterion) else 1
        column = Column(cells, "", Quantity(name, limit is not None and limit.absolute), sign, limit)
        found += [column] if column.known else []
    return found


def telling(data: Data, cells: Cells, shown: Sequence[str], most: int) -> list[str]:
    """Observables that differ most between designs: of samples those with the largest part of their variance between the designs, which
    have to differ; otherwise the most usual ones. Observables that the study lists come in its order. One that goes with another is left
    out."""
    from ..plot import PREFERRED, differing

    result, listed = data.result, asked.named(data.result)
    first = [name for name in listed or PREFERRED if name in result.observables and name not in WORKINGS]
    others = [name for name in result.observables if name not in first and name not in WORKINGS]
    candidates = [name for name in first if name not in shown and differing(result, name)] or \
        [name for name in others if name not in shown and differing(result, name)]
    if cells.sampled and not listed:
        part = {name: between(cells, Quantity(name)) for name in candidates}
        candidates = sorted((name for name in candidates if part[name] > PLAIN), key=lambda name: -round(part[name], 3))
    chosen: list[str] = []
    for name in candidates:
        column = Column(cells, "", Quantity(name), 0)
        if len(chosen) < most and not any(_goes_with(data, name, other) for other in [*shown, *chosen]) and \
                column.known and (not cells.sampled or column.apart(*column.ends)):
            chosen.append(name)
    return chosen


def between(cells: Cells, quantity: Quantity) -> float:
    """The part of the variance that lies between designs (correlation ratio)."""
    groups = [values[np.isfinite(values)] for values in (cells.values(design, quantity) for design in range(cells.count))]
    groups = [values for values in groups if len(values)]
    everything = np.concatenate(groups) if groups else np.empty(0)
    total = float(np.sum((everything - everything.mean()) ** 2)) if len(everything) else 0.0
    if total <= 0 or len(groups) < 2:
        return 0.0
    return float(sum(len(values) * (values.mean() - everything.mean()) ** 2 for values in groups)) / total


def _goes_with(data: Data, one: str, other: str) -> bool:
    a, b = (data.result.observables[name][data.result.ok] for name in (one, other))
    known = np.isfinite(a) & np.isfinite(b)
    if known.sum() < 3 or np.ptp(a[known]) == 0 or np.ptp(b[known]) == 0:
        return False
    return bool(abs(np.corrcoef(a[known], b[known])[0, 1]) > ALIKE)


def shared(columns: Sequence[Column]) -> list[int]:
    """Designs that no criterion tells apart from its best."""
    judged = [column for column in columns if column.criterion]
    if not judged:
        return []
    return sorted(set(judged[0].known).intersection(*(column.alike for column in judged)))


def leader(columns: Sequence[Column]) -> int:
    """The design that others are compared with: one that no criterion tells apart from its best, of these the best in the first column that
    tells some apart; where there is none the first."""
    among = np.array(shared(columns) or range(columns[0].cells.count))
    for column in columns:
        values = np.where(np.isfinite(column.merit[among]), column.merit[among], -np.inf)
        if column.tells and np.isfinite(values).any():
            return int(among[np.argmax(values)])
    return int(among[0])
