"""Fronts of two goals, whose costs are small where they are good."""

from __future__ import annotations

import numpy as np

from .evaluator import Array


def front_of(costs: Array) -> Array:
    """Rows [n, 2] that no other one beats, by the first cost; of equal rows the first."""
    found, best = [], np.inf
    for row in np.lexsort((costs[:, 1], costs[:, 0])):
        if costs[row, 1] < best:
            found.append(row)
            best = costs[row, 1]
    return np.array(found, dtype=int)


def hypervolume(costs: Array, reference: Array) -> float:
    """The area that rows [n, 2] have between them and the reference."""
    inside = costs[(costs < reference).all(axis=1)]
    total, ceiling = 0.0, float(reference[1])
    for first, second in inside[front_of(inside)]:
        total += float(reference[0] - first) * (ceiling - float(second))
        ceiling = float(second)
    return total


def thinned(costs: Array, count: int, reference: Array) -> Array:
    """Rows of a front that stand for it: always the one that adds most to the area before the reference."""
    if len(costs) <= count:
        return np.arange(len(costs))
    taken: list[int] = []
    while len(taken) < count:
        rest = [row for row in range(len(costs)) if row not in taken]
        taken.append(rest[int(np.argmax([hypervolume(costs[[*taken, row]], reference) for row in rest]))])
    return np.array(sorted(taken))
