"""Numbers of a result that more than one section shows, read from its statistics, or computed where it has none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import lists
from ..reading.result import Array, Result
from ..reading.summed import place_of

EXACT_QUANTILES = 100_000  # instances up to which the intervals of quantiles are summed exactly


def confidence(result: Result) -> float:
    """Probability with which the file's intervals hold the true value."""
    return float(result.statistics.get("attrs", {}).get("confidence", 0.95))


def drawn(kind: str) -> bool:
    """Whether the instances of a design are drawn, so that intervals of means and quantiles say something."""
    return kind in lists.designs("sample")


def used(result: Result, name: str) -> Array:
    """Values of the ok instances that have one."""
    values = result.observables[name] if name in result.observables else result.parameters[name]
    return np.asarray(values[result.ok & np.isfinite(values)], dtype=float)


def differs(values: Array) -> bool:
    """Whether values differ by more than rounding leaves."""
    return bool(len(values) and np.ptp(values) > max(1e-12 * np.abs(values).max(), 1e-15))


def quantiles(values: Array, probabilities: tuple[float, ...] = (0.05, 0.5, 0.95)) -> list[float]:
    """Interpolated as the file's; NaN where there are no values."""
    return [float(value) for value in np.quantile(values, probabilities)] if len(values) else [math.nan] * len(probabilities)


def quantile_interval(values: Array, probability: float, level: float) -> tuple[float, float] | None:
    """Ends of the distribution-free interval of a quantile of independent draws: the order statistics j < k for which the binomial
    distribution puts at most (1 - level)/2 below j and above k. None where there are too few values."""
    n = len(values)
    tail = (1 - level) / 2
    if n < 2:
        return None
    below, above = _binomial_ranks(n, probability, tail)
    if below < 1 or above > n:
        return None
    part = np.partition(values, sorted({below - 1, above - 1}))
    return float(part[below - 1]), float(part[above - 1])


def _binomial_ranks(n: int, probability: float, tail: float) -> tuple[int, int]:
    """Largest j with P(B < j) <= tail and smallest k with P(B >= k) <= tail, B binomial; j = 0 or k = n + 1 where there is none."""
    if n > EXACT_QUANTILES:
        from statistics import NormalDist

        half = -NormalDist().inv_cdf(tail) * math.sqrt(n * probability * (1 - probability))
        return math.floor(n * probability - half), math.ceil(n * probability + half) + 1
    k = np.arange(1, n + 1)
    logarithms = np.concatenate([[0.0], np.cumsum(np.log((n - k + 1) / k))]) + np.arange(n + 1) * math.log(probability)
    mass = np.exp(logarithms + (n - np.arange(n + 1)) * math.log1p(-probability))
    cumulated = np.cumsum(mass)  # P(B <= i)
    return int(np.searchsorted(cumulated, tail, side="right")), int(np.searchsorted(cumulated, 1 - tail, side="left")) + 1


def mean_interval(result: Result, name: str) -> tuple[float, float, float] | None:
    """Mean and the ends of its interval from the file; None where the file has none."""
    table = result.statistics
    if (at := place_of(table, "quantity", name)) is None or "mean_low" not in table:
        return None
    return float(table["mean"][at]), float(table["mean_low"][at]), float(table["mean_high"][at])


@dataclass(frozen=True)
class Criterion:
    """A criterion with its probability, from the file."""

    name: str
    text: str
    probability: float
    low: float
    high: float
    met: int
    not_met: int
    unknown: int
    left_out: int


def criteria(result: Result) -> list[Criterion]:
    """Criteria of the study, in its order."""
    table = result.statistics
    if "criterion" not in table or "probability" not in table:
        return []
    words = ("criterion_text", "probability", "probability_low", "probability_high", "met", "not_met", "unknown", "left_out")
    columns: list[Any] = [table["criterion"], *(table[name] for name in words)]
    return [Criterion(str(name), str(condition), float(p), float(low), float(high), int(met), int(missed), int(unknown), int(left))
            for name, condition, p, low, high, met, missed, unknown, left in zip(*columns)]


def failures(result: Result) -> dict[str, int]:
    """Number of instances of each status but ok that occurs."""
    return {name: number for name, number in result.by_status.items() if name != "ok"}
