"""Statistics of pairs: how far two designs differ that met the same draws (common random numbers), or draws of their own. Intervals need no
package beyond numpy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Callable

import numpy as np

from ..reading.designs import wilson
from ..reading.result import Array

SERIES = 400  # degrees of freedom up to which Student's distribution is summed exactly
SOLVED = 60  # halvings of an interval of length 1 or 2: the rest is below rounding


@dataclass(frozen=True)
class Difference:
    """An estimate with the ends of its interval; NaN where there is none."""

    value: float
    low: float
    high: float
    count: int = 0  # pairs, or instances of the smaller group

    @property
    def told(self) -> bool:
        """Whether the interval by chance leaves no doubt about the sign."""
        return self.low > 0 or self.high < 0


ROUNDING = 1e-9  # of the values: smaller differences are none (as host/statistics/step_ranking.c)


def rounded(found: Difference, *values: float) -> Difference:
    """0 where two numbers differ by no more than rounding."""
    return Difference(0.0, 0.0, 0.0, found.count) if abs(found.value) <= ROUNDING * sum(abs(value) for value in values) else found


NOTHING = Difference(math.nan, math.nan, math.nan)


# --- Student's t ------------------------------------------------------------------------------------------------------------


def student_within(t: float, freedom: int) -> float:
    """P(|T| <= t) of Student's t with a whole number of degrees of freedom: the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4."""
    angle = math.atan2(t, math.sqrt(freedom))
    square, term, total = math.cos(angle) ** 2, 1.0, 0.0
    first = 1 if freedom % 2 else 0
    for k in range(first, freedom - 1, 2):
        total += term
        term *= square * (k + 1) / (k + 2)
    if freedom % 2 == 0:
        return math.sin(angle) * total
    return 2 / math.pi * (angle + math.sin(angle) * math.cos(angle) * total)


@lru_cache(maxsize=256)
def student_quantile(freedom: float, confidence: float) -> float:
    """t with P(|T| <= t) = confidence. Degrees of freedom that are no whole number are rounded down, which makes intervals longer."""
    whole = math.floor(freedom)
    if whole < 1:
        return math.inf
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    if whole > SERIES:  # Cornish and Fisher's expansion, Abramowitz and Stegun 26.7.5: below 1e-9 here
        return normal + (normal**3 + normal) / (4 * whole) + (5 * normal**5 + 16 * normal**3 + 3 * normal) / (96 * whole**2)
    most = normal
    while student_within(most, whole) < confidence:
        most *= 2
    return _root(lambda t: student_within(t, whole) - confidence, 0.0, most)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(SOLVED):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


# --- means ------------------------------------------------------------------------------------------------------------------


def mean(values: Array, confidence: float) -> Difference:
    """Mean of the finite values with Student's interval; of values that are all alike it has no width."""
    known = values[np.isfinite(values)]
    count = len(known)
    if count == 0:
        return NOTHING
    middle = float(known.mean())
    if count == 1:
        return Difference(middle, math.nan, math.nan, 1)
    deviation = float(known.std(ddof=1)) if np.ptp(known) > 0 else 0.0
    half = student_quantile(count - 1, confidence) * deviation / math.sqrt(count)
    return Difference(middle, middle - half, middle + half, count)


def paired(one: Array, other: Array, confidence: float) -> Difference:
    """Mean of one - other, the k-th of each on the same draw: the differences themselves are the sample."""
    return mean(one - other, confidence)


def unpaired(one: Array, other: Array, confidence: float) -> Difference:
    """Difference of two means of draws of their own (Welch)."""
    a, b = (Moments.of(values[np.isfinite(values)]) for values in (one, other))
    return apart(a, b, confidence)


@dataclass(frozen=True)
class Moments:
    """Of a sample whose values need not be there."""

    count: int
    mean: float
    variance: float  # of the population (n - 1); NaN of less than two values

    @classmethod
    def of(cls, values: Array) -> "Moments":
        count = len(values)
        return cls(count, float(values.mean()) if count else math.nan, float(values.var(ddof=1)) if count > 1 else math.nan)


def mean_of(sample: Moments, confidence: float) -> Difference:
    """`mean` of a sample's moments."""
    if sample.count < 2:
        return Difference(sample.mean, math.nan, math.nan, 1) if sample.count else NOTHING
    half = student_quantile(sample.count - 1, confidence) * math.sqrt(sample.variance / sample.count)
    return Difference(sample.mean, sample.mean - half, sample.mean + half, sample.count)


def apart(a: Moments, b: Moments, confidence: float) -> Difference:
    """`unpaired` of two samples' moments."""
    if a.count < 2 or b.count < 2:
        return NOTHING if not a.count or not b.count else Difference(a.mean - b.mean, math.nan, math.nan, 1)
    parts = a.variance / a.count, b.variance / b.count
    middle, variance = a.mean - b.mean, sum(parts)
    if variance == 0:
        return Difference(middle, middle, middle, min(a.count, b.count))
    freedom = variance**2 / (parts[0] ** 2 / (a.count - 1) + parts[1] ** 2 / (b.count - 1))
    half = student_quantile(freedom, confidence) * math.sqrt(variance)
    return Difference(middle, middle - half, middle + half, min(a.count, b.count))


# --- shares -----------------------------------------------------------------------------------------------------------------


def paired_shares(one: Array, other: Array, confidence: float) -> Difference:
    """Difference of the shares that meet a criterion on the same draws (1 met, 0 not, NaN unknown), with Tango's score interval (1998): it
    holds 0 where McNemar's test tells no difference, and is Wilson's where no pair differs."""
    known = np.isfinite(one) & np.isfinite(other)
    count = int(known.sum())
    if count == 0:
        return NOTHING
    gained = int(np.sum((one[known] == 1) & (other[known] == 0)))
    lost = int(np.sum((one[known] == 0) & (other[known] == 1)))
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (gained - lost) / count
    low = _root(lambda d: z - tango(d, gained, lost, count), -1.0, middle)
    high = _root(lambda d: -tango(d, gained, lost, count) - z, middle, 1.0)
    return Difference(middle, low, high, count)


def tango(difference: float, gained: int, lost: int, count: int) -> float:
    """Tango's score: standard normal where the shares differ by `difference`; it falls with that."""
    away = gained - lost - count * difference
    b = -gained - lost + (2 * count - gained + lost) * difference
    c = -lost * difference * (1 - difference)
    part = (math.sqrt(max(0.0, b * b - 8 * count * c)) - b) / (4 * count)
    variance = count * (2 * part + difference * (1 - difference))
    if variance <= 1e-300:
        return 0.0 if away == 0 else math.copysign(math.inf, away)
    return away / math.sqrt(variance)


def unpaired_shares(one: Array, other: Array, confidence: float) -> Difference:
    """Difference of the shares of draws of their own, with Newcombe's interval (1998, method 10) of two intervals of Wilson."""
    a, b = (values[np.isfinite(values)] for values in (one, other))
    return shares_apart((int(a.sum()), len(a)), (int(b.sum()), len(b)), confidence)


def shares_apart(one: tuple[int, int], other: tuple[int, int], confidence: float) -> Difference:
    """`unpaired_shares` of counts: how many meet the criterion, of how many."""
    (met, count), (met_, count_) = one, other
    if not count or not count_:
        return NOTHING
    p, q = met / count, met_ / count_
    (p_low, p_high), (q_low, q_high) = wilson(met, count, confidence), wilson(met_, count_, confidence)
    low, high = math.hypot(p - p_low, q_high - q), math.hypot(p_high - p, q - q_low)
    return Difference(p - q, p - q - low, p - q + high, min(count, count_))
