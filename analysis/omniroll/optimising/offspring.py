"""Candidates from parents: with two goals they fill the generation, since distributions are slow to spread along a front whose ends attract
them. Crossing and mutation as in NSGA-II (K. Deb et al., IEEE Transactions on Evolutionary Computation 6 (2002) 182-197), index 15 and 20."""

from __future__ import annotations

import numpy as np

from .evaluator import Array, Evaluation
from .front import front_of
from .kernels import Space

CROSSING, MUTATION = 15.0, 20.0  # indices of the distributions: the larger, the closer to the parents


class Parents:
    """The better half of the known candidates, front after front; of the last front those with most room."""

    def __init__(self, space: Space, count: int, rng: np.random.Generator) -> None:
        self.space, self.count, self.rng = space, count, rng
        self.rows = np.zeros((0, len(space.low)))
        self.found: Evaluation | None = None

    def tell(self, rows: Array, evaluation: Evaluation) -> None:
        """Takes new ones in."""
        found = evaluation if self.found is None else Evaluation.joined([self.found, evaluation])
        rows, first = np.unique(np.concatenate([self.rows, rows]), axis=0, return_index=True)
        found = found.rows(first)
        left = np.flatnonzero(found.feasible)
        taken: list[int] = []
        while len(left) and len(taken) < self.count:
            layer = left[front_of(found.costs[left])]
            taken += layer[np.argsort(-_room(found.costs[layer]), kind="stable")][: self.count - len(taken)].tolist()
            left = np.setdiff1d(left, layer)
        others = [int(row) for row in found.order() if not found.feasible[row]]
        taken += others[: self.count - len(taken)]
        self.rows, self.found = rows[taken], found.rows(taken)

    def ask(self, count: int) -> Array:
        """New candidates."""
        rng, d = self.rng, len(self.space.low)
        a, b = (self.space.scaled(self.rows[rng.integers(len(self.rows), size=count)]) for _ in range(2))
        u = rng.random((count, d))
        spread = np.where(u < 0.5, 2 * u, 1 / np.maximum(2 * (1 - u), 1e-12)) ** (1 / (CROSSING + 1))
        crossed = np.where(rng.random((count, d)) < 0.5, 0.5 * ((1 + spread) * a + (1 - spread) * b), a)
        crossed = np.where(self.space.whole, np.where(rng.random((count, d)) < 0.5, a, b), crossed)
        u = rng.random((count, d))
        change = np.where(u < 0.5, (2 * u) ** (1 / (MUTATION + 1)) - 1, 1 - np.maximum(2 * (1 - u), 0) ** (1 / (MUTATION + 1)))
        mutated = rng.random((count, d)) < 1 / max(self.space.free, 1)
        crossed = np.clip(crossed + np.where(mutated & ~self.space.whole, change, 0.0), 0, 1)
        crossed = np.where(mutated & self.space.whole, rng.random((count, d)), crossed)
        made = np.clip(self.space.low + crossed * (self.space.high - self.space.low), self.space.low, self.space.high)
        return np.where(self.space.whole, np.round(made), made)


def _room(costs: Array) -> Array:
    """Of each row of a front, sorted by the first cost, the way around it to its neighbours; inf at the ends."""
    found = np.full(len(costs), np.inf)
    if len(costs) > 2:
        scaled = (costs - costs.min(axis=0)) / np.maximum(np.ptp(costs, axis=0), 1e-300)
        found[1:-1] = np.abs(scaled[2:] - scaled[:-2]).sum(axis=1)
    return found
