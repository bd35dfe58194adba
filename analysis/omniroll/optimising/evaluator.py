"""Variables, goals and limits, the result of an evaluation of candidates, and the evaluator."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from ..errors import UsageError

Array = npt.NDArray[Any]
Points = Union[Array, Sequence[Any]]
NORMAL = 1.959963984540054  # the normal distribution's 97.5 %


@dataclass(frozen=True)
class Variable:
    """A variable of a search: a number from low to high, a whole one, or one of some words, which stand for 0, 1, 2, ... in arrays."""

    name: str
    unit: str = ""
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.words:
            for name, value in (("words", tuple(self.words)), ("low", 0.0), ("high", len(self.words) - 1.0), ("whole", True)):
                object.__setattr__(self, name, value)
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise UsageError(f"{self.name}: low and high are finite and low <= high, not {self.low:g} and {self.high:g}")
        if self.whole and (self.low != round(self.low) or self.high != round(self.high)):
            raise UsageError(f"{self.name}: a whole number from {self.low:g} to {self.high:g}: both ends are whole")

    def number(self, value: Any) -> float:
        """A value, or its word, as the number that arrays have. Raises UsageError where it is none of the variable's."""
        if isinstance(value, str):
            if value not in self.words:
                raise UsageError(f"{self.name}: {value!r} is none of its words ({', '.join(self.words) or 'it has none'})")
            return float(self.words.index(value))
        number = float(value)
        if not self.low <= number <= self.high or self.whole and number != round(number):
            kind = "a whole number" if self.whole else "a number"
            raise UsageError(f"{self.name}: {kind} from {self.low:g} to {self.high:g} is meant, not {number:g}")
        return number

    def value(self, number: float) -> float | int | str:
        """A number of an array as users write it."""
        return self.words[int(number)] if self.words else int(number) if self.whole else float(number)


@dataclass(frozen=True)
class Goal:
    """A quantity to be small, or with maximize large."""

    name: str
    unit: str = ""
    maximize: bool = False


@dataclass(frozen=True)
class Limit:
    """A quantity that has to stay below a limit, or with above=True above it."""

    name: str
    unit: str = ""
    limit: float = 0.0
    above: bool = False


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The known values of n candidates with m goals and k limits; Evaluator.evaluation makes it. SI units; NaN: not known."""

    values: Array  # [n, m], natural sign
    low: Array  # [n, m], the interval of each by chance, 95 %
    high: Array
    margins: Array  # [n, k], how far each limit is, above 0 where it holds
    holds: Array  # [n], estimated probability that all limits hold
    failed: Array  # [n], share of the vehicles that failed
    draws: Array  # [n], draws behind the row
    step: Array  # [n, m], size of the error of the time step
    status: list[str]  # "", or why the candidate has no value
    maximize: tuple[bool, ...]  # of the goals
    scales: tuple[float, ...]  # of the limits: |limit|, or 1
    integrating: float = 0.0  # s, spent integrating, and in all
    seconds: float = 0.0

    @property
    def feasible(self) -> Array:
        """Which candidates have values and hold all limits."""
        return np.isfinite(self.values).all(axis=1) & (self.margins >= 0).all(axis=1)

    @property
    def costs(self) -> Array:
        """The values, signed so that smaller is better; inf where there is none."""
        signed = np.where(np.array(self.maximize, dtype=bool), -self.values, self.values)
        return np.where(np.isnan(signed), np.inf, signed)

    @property
    def violation(self) -> Array:
        """How far the limits are from holding, added in units of their scales; inf where nothing is known, or nothing is violated and there is
        no value. A limit of which nothing is known counts as 1."""
        parts = np.where(np.isnan(self.margins), 1.0, np.maximum(0.0, -self.margins) / np.array(self.scales).reshape(1, -1))
        total = parts.sum(axis=1)
        known = ~np.isnan(self.margins).all(axis=1) if self.margins.shape[1] else np.zeros(len(total), dtype=bool)
        return np.where(self.feasible, 0.0, np.where(known & (total > 0), total, np.inf))

    @property
    def widths(self) -> Array:
        """Half the intervals, inf where they are not known."""
        with np.errstate(invalid="ignore"):
            half = (self.high - self.low) / 2
        return np.where(np.isnan(half), np.inf, half)

    def order(self, pessimistic: bool = False) -> Array:
        """Rows from the best to the worst by the first goal: feasible ones by cost, or by its worse end, then the others by violation."""
        cost = self.costs[:, 0] + (self.widths[:, 0] if pessimistic else 0.0)
        return np.lexsort((np.where(self.feasible, cost, self.violation), ~self.feasible))

    def rows(self, index: Any) -> Evaluation:
        """Some of the candidates."""
        picked = {name: getattr(self, name)[index] for name in ARRAYS}
        return Evaluation(**picked, status=[self.status[i] for i in np.arange(len(self.status))[index]], maximize=self.maximize, scales=self.scales)

    @staticmethod
    def joined(parts: Sequence[Evaluation]) -> Evaluation:
        """One after the other."""
        arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}
        return Evaluation(**arrays, status=[word for part in parts for word in part.status], maximize=parts[0].maximize, scales=parts[0].scales,
                          integrating=sum(part.integrating for part in parts), seconds=sum(part.seconds for part in parts))


ARRAYS = ("values", "low", "high", "margins", "holds", "failed", "draws", "step")


@dataclass(frozen=True, eq=False)
class Differences:
    """Values less a reference candidate's on the same draws, with their intervals, 95 %; natural sign, [n, m]."""

    difference: Array
    low: Array
    high: Array
    integrating: float = 0.0  # s


class Evaluator:
    """A problem for a search: design variables with uncertain surroundings, and the evaluation of candidates by a sample of draws."""

    def __init__(self, variables: Sequence[Variable], goals: Sequence[Goal], limits: Sequence[Limit] = (), draws: int = 64) -> None:
        self.variables, self.goals, self.limits, self.draws = tuple(variables), tuple(goals), tuple(limits), int(draws)
        for kind, items in (("variable", self.variables), ("goal", self.goals)):
            if not items:
                raise UsageError(f"a problem has at least one {kind}")
        names = [*(each.name for each in self.variables), *(goal.name for goal in self.goals)]
        if len(set(names)) < len(names):
            raise UsageError(f"names of variables and goals are different: {', '.join(names)}")

    def points(self, X: Points) -> Array:
        """Candidates as an array [n, d] of numbers: rows of numbers and words, or dicts by name. Raises UsageError for a wrong value."""
        if isinstance(X, np.ndarray) and X.dtype == float and X.ndim == 2 and X.shape[0] and X.shape[1] == len(self.variables):
            low, high, whole = (np.array([getattr(each, name) for each in self.variables]) for name in ("low", "high", "whole"))
            if np.all((X >= low) & (X <= high) & (~whole | (X == np.round(X)))):
                return X.copy()
        rows: list[list[float]] = []  # wrong values are named below
        for row in X:
            if isinstance(row, Mapping):
                unknown = sorted(set(row) ^ {each.name for each in self.variables})
                if unknown:
                    raise UsageError(f"a candidate names each variable once: {', '.join(unknown)} too many or missing")
                row = [row[each.name] for each in self.variables]
            if np.ndim(row) != 1 or len(row) != len(self.variables):
                raise UsageError(f"a candidate is a row of {len(self.variables)} values ({', '.join(each.name for each in self.variables)})")
            rows.append([each.number(value) for each, value in zip(self.variables, row)])
        if not rows:
            raise UsageError("there is no candidate")
        return np.array(rows)

    def evaluation(self, values: Array, **known: Any) -> Evaluation:
        """An Evaluation from its values [n, m] and others by the names of Evaluation; the rest is NaN, without limits holds is 1."""
        n, m, k = len(values), len(self.goals), len(self.limits)
        shapes = {"values": (n, m), "low": (n, m), "high": (n, m), "margins": (n, k), "holds": (n,), "failed": (n,), "draws": (n,), "step": (n, m)}
        known = {"values": values, "status": [""] * n, **({} if k else {"holds": np.ones(n)}), **known}
        for name, shape in shapes.items():
            known[name] = np.array(known.get(name, np.full(shape, np.nan)), dtype=float)
            if known[name].shape != shape:
                raise UsageError(f"{name} has the shape {known[name].shape}, and {shape} is needed")
        return Evaluation(maximize=tuple(goal.maximize for goal in self.goals), scales=tuple(abs(one.limit) or 1.0 for one in self.limits), **known)

    def identity(self) -> dict[str, Any]:
        """The identity of the problem, for journals: plain values."""
        return {"variables": [[v.name, v.unit, v.low, v.high, v.whole, list(v.words)] for v in self.variables],
                "goals": [[goal.name, goal.unit, goal.maximize] for goal in self.goals],
                "limits": [[one.name, one.unit, one.limit, one.above] for one in self.limits]}

    def finer(self) -> Evaluator:
        """The same problem with shorter steps, for finalists; itself where it has none."""
        return self

    def evaluate(self, X: Points, draws: int | None = None, seed: int | None = None) -> Evaluation:
        """Statistics of each candidate over so many draws. The same seed and candidate give the same bits."""
        raise NotImplementedError

    def compare(self, X: Points, reference: Points, draws: int | None = None, seed: int | None = None) -> Differences:
        """Each candidate less the reference, one row, draw by draw."""
        raise NotImplementedError
