"""The problem that a search works on, and one of a function in Python, with noise of a known size."""

from __future__ import annotations

import math
import os
import time
import zlib
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from ..errors import UsageError
from .evaluator import NORMAL, Array, Differences, Evaluation, Evaluator, Goal, Limit, Points, Variable
from .live import Told
from .optimum import Optimum

OF_STUDIES: list[type[Problem]] = []  # the class of problems that studies pose (study_problem.py), which knows this one


class Problem(Evaluator):
    """Design variables with uncertain surroundings: candidates are evaluated by a sample of draws, and the best is searched.

    >>> problem = omniroll.Problem.from_function(lambda X: (X**2).sum(axis=1), [omniroll.optimising.Variable("x", "m", -1, 2)])
    >>> print(problem.minimize(budget=20000))
    """

    def __new__(cls, *given: Any, **options: Any) -> Problem:
        """A study makes a problem of its candidates."""
        of_study = cls is Problem and given and isinstance(given[0], (str, os.PathLike, Mapping))
        return object.__new__(OF_STUDIES[0] if of_study else cls)

    def minimize(self, *, budget: float | None = None, seconds: float | None = None, seed: int = 0, population: int = 64, draws: int | None = None,
                 growth: float = 2.0, most: int | None = None, finalists: int | None = None, journal: str | os.PathLike[str] | None = None,
                 progress: Told = None, start: Any = None, method: str = "cmaes") -> Optimum:
        """Searches the best candidate for one goal, by CMA-ES for continuous, whole and word variables with restarts, or the front of two goals.
        Candidates of a generation see the same draws; the sample grows where the better half is tied. The winner is found among
        finalists on draws that the search has not seen. Limits come first: holding them beats any cost. Needs the library cmaes.

        budget  instances (candidates times draws); a fifth of it is for finalists, who take more where it is small or the winner is in doubt;
            default: 1000 candidates for each variable
        seconds  an end by the clock as well
        seed  the same seed gives the same candidates
        population  candidates of a generation, at least; restarts have more
        draws  of a candidate in the beginning; default: the problem's
        growth, most  the factor by which draws grow (1: never), and their upper bound (default: 16 times the first)
        finalists  how many; default 8, with two goals 16
        journal  a file that a search which was killed goes on from: call again with the same arguments, or with a larger budget
        progress  True, False, None (a line on terminals and in notebooks), or a function of a row of the history; where it returns False the search
            stops
        start  a candidate to begin at
        method  "cmaes"

        Raises UsageError, LibraryError where cmaes is not installed, Stopped, and Interrupted at Ctrl-C.
        """
        from .search import search, settings_of  # when it is wanted: every import of omniroll passes here

        settings = settings_of(self, seed=seed, population=population, draws=draws, growth=growth, most=most, finalists=finalists, start=start,
                               method=method)
        return search(self, settings, budget, seconds, journal, progress)

    @staticmethod
    def from_function(f: Callable[[Array], Any], variables: Sequence[Variable], **options: Any) -> Problem:
        """A problem of a model in Python.

        f  takes candidates [n, d] and returns values [n] or [n, m]
        variables  a list of Variable
        goals  a list of Goal; default: one value, which is minimized
        limits, constraints  a list of Limit, and a function of candidates that returns [n, k]: at most 0 where the limit holds
        noise  deviation of independent normal draws: a number, one for each goal, or a function of candidates
        common  with True all candidates see the same noise in the same draw
        draws  of an evaluation, where it names none
        """
        return FunctionProblem(f, variables, **options)


class FunctionProblem(Problem):
    """Made by Problem.from_function."""

    def __init__(self, f: Callable[[Array], Any], variables: Sequence[Variable], goals: Sequence[Goal] = (Goal("value"),),
                 limits: Sequence[Limit] | None = None, constraints: Callable[[Array], Any] | None = None, noise: Any = 0.0,
                 common: bool = True, draws: int = 16) -> None:
        self.f, self.constraints, self.noise, self.common = f, constraints, noise, common
        if limits is None and constraints is not None:
            middle = np.array([[round((v.low + v.high) / 2) if v.whole else (v.low + v.high) / 2 for v in variables]])
            limits = [Limit(f"constraint {i + 1}") for i in range(np.asarray(constraints(middle)).reshape(1, -1).shape[1])]
        if limits and constraints is None:
            raise UsageError("limits of a function need constraints=, a function of the candidates that is at most 0 where they hold")
        super().__init__(variables, goals, limits or (), draws)

    def identity(self) -> dict[str, Any]:
        """With names and code of the functions."""
        def of(item: Any) -> Any:
            code = getattr(item, "__code__", None)
            numbers = [each for each in code.co_consts if isinstance(each, (int, float, str))] if code else []
            return [getattr(item, "__qualname__", type(item).__name__), zlib.crc32(code.co_code), numbers] if code else np.asarray(item).tolist() \
                if not callable(item) else type(item).__name__

        return {**super().identity(), "function": of(self.f), "constraints": None if self.constraints is None else of(self.constraints),
                "noise": of(self.noise), "common": self.common}

    def _sample(self, points: Array, draws: int, seed: int) -> tuple[Array, Array]:
        """Values without noise [n, m], and the noise [n, draws, m]."""
        n, m = len(points), len(self.goals)
        values = np.asarray(self.f(points), dtype=float).reshape(n, m)
        size = np.asarray(self.noise(points) if callable(self.noise) else self.noise, dtype=float)
        size = size.reshape(n, -1) if callable(self.noise) else np.broadcast_to(size, (n, m))
        if self.common:
            unit = np.random.default_rng([seed]).standard_normal((draws, m))[np.newaxis]
        else:
            unit = np.array([np.random.default_rng([seed, zlib.crc32(row.tobytes())]).standard_normal((draws, m)) for row in points])
        return values, unit * size[:, np.newaxis, :]

    def evaluate(self, X: Points, draws: int | None = None, seed: int | None = None) -> Evaluation:
        """Means over the draws."""
        begun = time.perf_counter()
        points, draws = self.points(X), draws or self.draws
        values, noise = self._sample(points, draws, seed or 0)
        mean, half = values + noise.mean(axis=1), _half(noise)
        known: dict[str, Any] = {"low": mean - half, "high": mean + half, "draws": np.full(len(points), draws), "failed": np.zeros(len(points)),
                                 "status": ["" if np.isfinite(row).all() else "the function has no value" for row in values]}
        if self.constraints is not None:
            known["margins"] = -np.asarray(self.constraints(points), dtype=float).reshape(len(points), len(self.limits))
            known["holds"] = (known["margins"] >= 0).all(axis=1)
        seconds = time.perf_counter() - begun
        return self.evaluation(mean, **known, integrating=seconds, seconds=seconds)

    def compare(self, X: Points, reference: Points, draws: int | None = None, seed: int | None = None) -> Differences:
        """Means of the differences over the draws."""
        points, draws = self.points(X), draws or self.draws
        values, noise = self._sample(np.concatenate([points, self.points([reference])]), draws, seed or 0)
        apart = np.broadcast_to(noise, (len(values), *noise.shape[1:]))
        change = apart[:-1] - apart[-1]
        mean, half = values[:-1] - values[-1] + change.mean(axis=1), _half(change)
        return Differences(mean, mean - half, mean + half)


def student(freedom: int) -> float:
    """97.5 % of Student's distribution, by the expansion of Cornish and Fisher: within 0.1 % from 8 degrees of freedom on."""
    z = NORMAL
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return z + sum(term / freedom ** (i + 1) for i, term in enumerate(terms))


def _half(noise: Array) -> Array:
    """Half the intervals of means over the second axis."""
    draws = noise.shape[1]
    if draws < 2:
        return np.where(noise[:, 0] == 0, 0.0, math.inf)
    return student(draws - 1) * noise.std(axis=1, ddof=1) / math.sqrt(draws)
