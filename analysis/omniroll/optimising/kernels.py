"""Sources of candidates: distributions of the library cmaes, over the unit box for continuous variables."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any, Sequence

import numpy as np

from ..needed import missing
from .evaluator import Array, Evaluation, Variable

STEP = 0.25  # of a range: the first standard deviation
MOST_WHOLE = 10000  # whole numbers of a variable; with more it is searched as a continuous one, and rounded
VERSION = "0.13.1"


def cmaes_library() -> Any:
    """The library. Raises LibraryError."""
    found = ""
    try:
        import cmaes

        if hasattr(cmaes, "COMOCatCMAwM"):
            return cmaes
        found = f"and {sys.executable} has version {cmaes.__version__}, which is too old"
    except ImportError:
        pass
    raise missing("the search", "cmaes", f"cmaes=={VERSION}", found)


class Space:
    """Which variables are continuous, whole or of categories, and candidates as the library has them. Two whole values are categories."""

    def __init__(self, variables: Sequence[Variable]) -> None:
        self.low = np.array([v.low for v in variables], dtype=float)
        self.high = np.array([v.high for v in variables], dtype=float)
        self.whole = np.array([v.whole for v in variables], dtype=bool)
        count = self.high - self.low + 1
        free = self.high > self.low
        category = free & self.whole & (np.array([bool(v.words) for v in variables]) | (count == 2))
        self.z = np.flatnonzero(free & self.whole & ~category & (count <= MOST_WHOLE))
        self.c = np.flatnonzero(category)
        self.x = np.flatnonzero(free & ~category & ~np.isin(np.arange(len(variables)), self.z))
        self.free = len(self.x) + len(self.z) + len(self.c)
        self.spaces: dict[str, Any] = {}
        if len(self.x):
            self.spaces["x_space"] = [[0.0, 1.0]] * len(self.x)
        if len(self.z):
            self.spaces["z_space"] = [np.arange(self.low[i], self.high[i] + 1).tolist() for i in self.z]
        if len(self.c):
            self.spaces["c_space"] = [int(count[i]) for i in self.c]

    def candidates(self, parts: Sequence[tuple[Any, Any, Any]]) -> Array:
        """Rows of candidates: x in the unit box, z as it is, c with one row for each variable, whose largest entry counts."""
        rows = np.tile(self.low, (len(parts), 1))
        if len(self.x):
            rows[:, self.x] += np.clip([x for x, _, _ in parts], 0, 1) * (self.high - self.low)[self.x]
        if len(self.z):
            rows[:, self.z] = [z for _, z, _ in parts]
        if len(self.c):
            rows[:, self.c] += np.argmax([c for _, _, c in parts], axis=2)
        rows = np.clip(rows, self.low, self.high)
        return np.where(self.whole, np.round(rows), rows)

    def scaled(self, rows: Array) -> Array:
        """Rows in the unit box."""
        return (rows - self.low) / np.where(self.high > self.low, self.high - self.low, 1.0)

    def random(self, rng: np.random.Generator, count: int) -> Array:
        """Rows of a Latin hypercube."""
        unit = (np.argsort(rng.random((count, len(self.low))), axis=0) + rng.random((count, len(self.low)))) / count
        whole = np.minimum(np.floor(unit * (self.high - self.low + 1)), self.high - self.low)
        return np.clip(self.low + np.where(self.whole, whole, unit * (self.high - self.low)), self.low, self.high)

    def kernel(self, center: Array, step: float, population: int, seed: int) -> Any:
        """A distribution around a row."""
        options: dict[str, Any] = dict(self.spaces)
        if len(self.x) or len(self.z):
            options["mean"] = np.concatenate([self.scaled(center)[self.x], center[self.z]])
            deviations = np.concatenate([np.full(len(self.x), step), np.maximum(step * (self.high - self.low)[self.z], 0.5)])
            options["cov"] = np.diag(deviations**2)
        if len(self.c):
            options["cat_param"] = self._leaning(center)
        return cmaes_library().CatCMAwM(**options, population_size=population, seed=seed)

    def _leaning(self, center: Array) -> Array:
        """Categories equally likely, but the center's category twice."""
        counts = self.spaces["c_space"]
        found = np.zeros((len(counts), max(counts)))
        for i, (variable, count) in enumerate(zip(self.c, counts)):
            found[i, :count] = 1.0
            found[i, int(center[variable] - self.low[variable])] = 2.0
        return found / found.sum(axis=1, keepdims=True)

    def middle(self, kernel: Any) -> Array:
        """The row in the middle of a distribution."""
        numbers = len(self.x)
        mean = kernel._mean if numbers or len(self.z) else ()
        z = kernel._discretization(mean[numbers:]) if len(self.z) else ()
        return self.candidates([(mean[:numbers], z, kernel._q if len(self.c) else ())])[0]

    def size(self, kernel: Any) -> float:
        """The largest deviation of a distribution, as a share of the range; of categories the chance of any but the likeliest."""
        sizes = [0.0]
        if len(self.x) or len(self.z):
            spans = np.concatenate([np.ones(len(self.x)), (self.high - self.low)[self.z]])
            sizes.append(float(np.max(kernel._sigma * kernel._A * np.sqrt(np.diag(kernel._C)) / spans)))
        if len(self.c):
            sizes.append(float(np.max(1 - kernel._q.max(axis=1))))
        return max(sizes)

    def spent(self, kernel: Any) -> bool:
        """Whether a distribution has become too small, or is damaged."""
        if not len(self.x) and not len(self.z):
            return False
        finite = np.isfinite(kernel._mean).all() and np.isfinite(kernel._C).all() and np.isfinite(kernel._sigma)
        return not finite or bool(kernel.should_stop()) or not len(self.z) and self.size(kernel) < 1e-12


class OneGoal:
    """A generation: samples of one distribution, and its middle, which the optimizer never sees: under noise it is better than the best."""

    def __init__(self, space: Space, center: Array, step: float, population: int, seed: int) -> None:
        self.space, self.population = space, population
        self.kernel = space.kernel(center, step, population, seed)
        self.solutions: list[Any] = []
        self.best: list[float] = []
        self.typical: list[float] = []
        self.window = 10 + math.ceil(30 * space.free / population)

    def ask(self) -> Array:
        """Candidates; the last one is the middle."""
        self.solutions = [self.kernel.ask() for _ in range(self.population)]
        sampled = self.space.candidates([(one.x, one.z, one.c) for one in self.solutions])
        return np.concatenate([sampled, [self.space.middle(self.kernel)]])

    def tell(self, evaluation: Evaluation) -> None:
        """Ranks, so that limits come first and no value is too large."""
        samples = evaluation.rows(slice(0, self.population))
        order = samples.order()
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            self.kernel.tell([(self.solutions[row], float(rank)) for rank, row in enumerate(order)])
        figures = np.where(samples.feasible, samples.costs[:, 0], samples.violation)[order]
        self.best.append(float(figures[0]))
        self.typical.append(float(figures[len(figures) // 4]))

    def forget(self) -> None:
        """The sample has grown: figures before it are no measure of progress."""
        self.best, self.typical = [], []

    def judged(self, evaluation: Evaluation) -> Evaluation:
        """The candidates that decide whether the sample is large enough."""
        return evaluation

    def size(self) -> float:
        """The largest deviation, as a share of the range."""
        return self.space.size(self.kernel)

    def over(self) -> bool:
        """Whether it goes nowhere any more: too small, equal values, or no progress of the quartile over two windows."""
        if self.space.spent(self.kernel):
            return True
        last = np.array(self.best[-self.window:])
        if len(last) == self.window and np.isfinite(last).all() and np.ptp(last) <= 1e-13 * np.abs(last).max():
            return True
        long = 2 * self.window
        return len(self.typical) >= 2 * long and bool(np.median(self.typical[-long:]) >= np.median(self.typical[-2 * long:-long]))
