"""Two goals."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .evaluator import Array, Evaluation
from .front import front_of
from .kernels import Space, cmaes_library
from .offspring import Parents

KERNELS = 10  # distributions


class TwoGoals:
    """Distributions side by side, each of which adds to the area that the others dominate (COMO), and children of the best so far, which fill the
    generation. The first generation is a Latin hypercube: it scales the goals, and gives the centers."""

    def __init__(self, space: Space, start: Array | None, step: float, population: int, seed: int) -> None:
        self.space, self.step, self.seed, self.population = space, step, seed, population
        self.sampled = space.random(np.random.default_rng(seed), population)
        if start is not None:
            self.sampled[0] = start
        self.parents = Parents(space, population, np.random.default_rng([seed, 2]))
        self.window = 20 * KERNELS  # generations: all distributions several times
        self.asked = self.renewed = self.sampled
        self.optimizer: Any = None
        self.solutions: list[Any] = []
        self.reference = np.full(2, np.nan)
        self.ideal = np.zeros(2)
        self.range = np.ones(2)

    def ask(self) -> Array:
        """Candidates of one distribution, the middle of another, and children."""
        if self.optimizer is not None:
            self.solutions = list(self.optimizer.ask_iter())
            sampled = self.space.candidates([(one.x, one.z, one.c) for one in self.solutions])
            children = self.renewed if self.parents.found is None else self.parents.ask(max(self.population - len(sampled), 0))
            self.asked = np.concatenate([sampled, children])
        return self.asked

    def tell(self, evaluation: Evaluation) -> None:
        """Costs in units of the first generation; a violated limit stands behind the reference, the farther the larger the violation."""
        self.parents.tell(self.asked, evaluation)
        if self.optimizer is None:
            self._begin(evaluation)
            return
        evaluation = evaluation.rows(slice(0, len(self.solutions)))
        scaled = (evaluation.costs - self.ideal) / self.range
        behind = 3.1 - 1 / (1 + evaluation.violation)
        told = np.where(evaluation.feasible[:, np.newaxis], np.minimum(scaled, 2.1), behind[:, np.newaxis])
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            self.optimizer.tell(list(zip(self.solutions, told.tolist())))

    def _begin(self, evaluation: Evaluation) -> None:
        finite = np.isfinite(evaluation.costs).all(axis=1)
        usable = evaluation.feasible if evaluation.feasible.sum() > 1 else finite
        if usable.sum() > 1:
            costs = evaluation.costs[usable]
            self.ideal, self.range = costs.min(axis=0), np.maximum(np.ptp(costs, axis=0), 1e-300)
        self.reference = self.ideal + 1.1 * self.range
        rng = np.random.default_rng([self.seed, 1])
        each = max(4 + int(3 * math.log(max(self.space.free, 1))), self.population // 4)
        kernels = [self.space.kernel(self.sampled[row], self.step, each, int(rng.integers(2**31))) for row in self._leaders(evaluation)]
        self.optimizer = cmaes_library().COMOCatCMAwM(**self.space.spaces, kernels=kernels, reference_point=[1.1, 1.1], seed=self.seed % 2**31)

    def _leaders(self, evaluation: Evaluation) -> list[int]:
        """Front after front of candidates that hold the limits, then by violation."""
        feasible = np.flatnonzero(evaluation.feasible)
        found: list[int] = []
        while len(feasible) and len(found) < KERNELS:
            layer = feasible[front_of(evaluation.costs[feasible])]
            found += layer.tolist()
            feasible = np.setdiff1d(feasible, layer)
        rest = [int(row) for row in evaluation.order() if row not in found]
        return (found + rest)[:KERNELS]

    def forget(self) -> None:
        """The sample has grown. Parents may have been good by chance: they are evaluated anew in the next generation."""
        self.renewed = self.parents.rows
        self.parents = Parents(self.space, self.parents.count, self.parents.rng)

    def judged(self, evaluation: Evaluation) -> Evaluation:
        """The samples of one distribution, which are close together where it is small."""
        return evaluation.rows(slice(0, len(self.solutions) or None))

    def size(self) -> float:
        """The largest deviation of all."""
        return self.step if self.optimizer is None else max(self.space.size(kernel) for kernel in self.optimizer.kernels)

    def over(self) -> bool:
        """Whether all distributions have become small."""
        return self.optimizer is not None and (self.size() < 1e-5 or all(self.space.spent(kernel) for kernel in self.optimizer.kernels))
