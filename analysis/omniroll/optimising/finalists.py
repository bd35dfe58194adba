"""The choice among finalists, on draws that the search has not seen: the budget goes to those that are hard to tell apart (optimal computing
budget allocation), and then each is compared with the winner draw by draw.

Source: C.-H. Chen, J. Lin, E. Yucesan, S. E. Chick: Simulation budget allocation for further enhancing the efficiency of ordinal optimization.
Discrete Event Dynamic Systems 10 (2000) 251-270. Limits as in L. H. Lee et al.: Approximate simulation budget allocation for selecting the best
design in the presence of stochastic constraints. IEEE Transactions on Automatic Control 57 (2012) 2940-2945: a candidate is wrongly chosen
where it seems both good and feasible, so the clearer of the two counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from .evaluator import NORMAL, Array, Differences, Evaluation
from .front import front_of
from .journal import Caller

ROUNDS = 8  # of the allocation
LEAST = 8  # draws of a call


def allocate(means: Array, deviations: Array, total: float, doubts: Array | None = None, best: int | None = None) -> Array:
    """Draws for each candidate, which add up to `total`, so that the smallest mean is likely to be found.

    means, deviations  of one draw of each
    doubts  how many deviations of one draw each is from changing its feasibility; inf: it does not change
    best  the one that seems best; default: of the smallest mean
    """
    best = int(np.argmin(means)) if best is None else best
    tiny = 1e-12 * max(float(np.max(np.abs(means[np.isfinite(means)]), initial=0.0)), 1e-300)
    deviations = np.maximum(deviations, tiny)
    clear = np.maximum(means - means[best], tiny) / deviations  # the gap in deviations
    if doubts is not None:
        clear = np.where(np.isfinite(doubts), np.maximum(clear, doubts), clear)
    weights = np.where(np.isfinite(clear), 1.0 / np.maximum(clear, 1e-6) ** 2, 0.0)
    weights[best] = 0.0
    weights[best] = deviations[best] * math.sqrt(float(np.sum((weights / deviations) ** 2)))
    if doubts is not None and np.isfinite(doubts[best]):
        weights[best] = max(weights[best], 1.0 / max(float(doubts[best]), 1e-6) ** 2)
    if not weights.sum() > 0:
        return np.full(len(means), total / len(means))
    return total * weights / weights.sum()


@dataclass
class Pool:
    """Blocks of draws of each finalist, put together."""

    draws: Array
    sums: Array  # of values, variances of a draw, margins and holds, each times its draws
    parts: dict[str, Array]

    @staticmethod
    def empty(count: int, limits: int) -> Pool:
        """Of no draws."""
        return Pool(np.zeros(count), np.zeros(count), {"cost": np.zeros(count), "variance": np.zeros(count), "holds": np.zeros(count),
                                                       "margins": np.zeros((count, limits))})

    def add(self, rows: Array, found: Evaluation, draws: int) -> None:
        """A block."""
        self.draws[rows] += draws
        deviations = np.where(np.isfinite(found.widths[:, 0]), found.widths[:, 0], 0.0) / NORMAL * math.sqrt(draws)
        for name, block in (("cost", found.costs[:, 0]), ("variance", deviations**2), ("holds", found.holds), ("margins", found.margins)):
            self.parts[name][rows] += draws * block

    def of(self, name: str) -> Array:
        """The mean of a part over the draws."""
        part = self.parts[name]
        return part / (self.draws if part.ndim == 1 else self.draws[:, np.newaxis])

    def best(self) -> int:
        """Feasible ones by cost, then by how likely limits hold."""
        cost, holds = self.of("cost"), self.of("holds")
        feasible = np.isfinite(cost) & (self.of("margins") >= 0).all(axis=1)
        return int(np.lexsort((np.where(feasible, cost, -np.nan_to_num(holds)), ~feasible))[0])

    def doubts(self) -> Array:
        """Of each, how far its feasibility is from changing, in deviations of a draw; inf where it is certain."""
        holds = self.of("holds")
        found = np.full(len(holds), np.inf)
        for row in np.flatnonzero((holds > 0) & (holds < 1)):
            found[row] = abs(NormalDist().inv_cdf(float(holds[row]))) / math.sqrt(self.draws[row])
        found[np.isfinite(found) & (self.of("margins") >= 0).all(axis=1) & (np.arange(len(holds)) != self.best())] = np.inf
        return found


def race(caller: Caller, rows: Array, budget: float, seeds: "list[int]") -> int:
    """The row that is best after about `budget` instances."""
    count = len(rows)
    if count == 1:
        return 0
    pool = Pool.empty(count, len(caller.problem.limits))
    first = max(LEAST, int(budget / (3 * count)))
    everyone = np.arange(count)
    pool.add(everyone, caller.evaluate("finalists", rows, first, seeds[0]), first)
    left = budget - first * count
    for number in range(1, ROUNDS):
        share = left / (ROUNDS - number)
        if not np.any(pool.of("variance") > 0) or share < LEAST:
            break
        wanted = allocate(pool.of("cost"), np.sqrt(pool.of("variance")), pool.draws.sum() + share, pool.doubts(), pool.best())
        starving = wanted - pool.draws
        chosen = everyone[starving >= max(starving.max() / 2, 0)]
        draws = max(LEAST, int(share / len(chosen)))
        pool.add(chosen, caller.evaluate("finalists", rows[chosen], draws, seeds[number]), draws)
        left -= draws * len(chosen)
    return pool.best()


def choose(caller: Caller, rows: Array, budget: float, seeds: "list[int]") -> tuple[Array, Evaluation, Differences]:
    """One goal: finalists from the winner on, with fresh values, and their differences from it."""
    winner = race(caller, rows, budget / 2, seeds)
    draws = max(LEAST, int(budget / (4 * len(rows) + 2)))
    for seed in seeds[ROUNDS:]:  # more than once only where one beats the winner clearly: its own values then are fresh again
        found = caller.evaluate("finalists", rows, draws, seed)
        apart = caller.compare("finalists", rows, rows[winner].tolist(), draws, seed)
        sign = -1.0 if found.maximize[0] else 1.0
        cost = sign * apart.difference[:, 0]
        above = np.maximum(sign * apart.low[:, 0], sign * apart.high[:, 0])
        better = np.flatnonzero(found.feasible & (above < 0)) if found.feasible[winner] else np.flatnonzero(found.feasible)
        better = better[better != winner]
        if not len(better) or seed == seeds[-1]:
            break
        winner = int(better[np.argmin(cost[better])])
    key = np.where(found.feasible, cost, found.violation)
    key[winner] = -np.inf
    order = np.lexsort((np.where(np.isnan(key), np.inf, key), ~found.feasible & (np.arange(len(rows)) != winner)))
    return rows[order], found.rows(order), Differences(apart.difference[order], apart.low[order], apart.high[order])


def refresh(caller: Caller, rows: Array, budget: float, seed: int) -> tuple[Array, Evaluation, Array]:
    """Two goals: fresh values, and which rows are still on the front."""
    draws = max(LEAST, int(budget / len(rows)))
    found = caller.evaluate("finalists", rows, draws, seed)
    order = np.lexsort((found.costs[:, 0], ~found.feasible))
    found = found.rows(order)
    feasible = np.flatnonzero(found.feasible)
    return rows[order], found, feasible[front_of(found.costs[feasible])]
