"""The effect of each variable on a goal near the winner, from the candidates that the search evaluated there; nothing is run anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..comparing.paired_differences import student_quantile
from .evaluator import Array
from .found_file import Found

LEAST, MOST = 30, 600  # candidates of the fit
CLOSE = 0.1  # of the ranges: all so near are taken
FREE = 5  # degrees of freedom at least
SIDE = 3  # candidates that a side needs


@dataclass(frozen=True)
class Change:
    """Change of a goal where a single variable goes one way from the winner: an estimate with its 95 % interval, SI units."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Effect:
    """A variable, how far it goes, and its effect; None: no candidates there, or the end of the range."""

    name: str
    way: float  # how far it goes: the spread of the candidates; whole numbers go 1
    less: "Change | None"
    more: "Change | None"


@dataclass(frozen=True)
class Near:
    """A fit of a goal, linear in the variables, and in their squares where there are enough candidates. Candidates with as many draws met the same
    ones: each number of draws has a level of its own."""

    goal: str
    candidates: int
    explained: float  # share of the variance
    effects: list[Effect]  # in the order of the variables; words are left out


def near_winner(found: Found, goal: int) -> "Near | None":
    """None where too few candidates lie near the winner."""
    winner = np.array([v.number(found.optimum.best.variables[v.name]) for v in found.variables])
    words = np.array([bool(v.words) for v in found.variables])
    usable = np.flatnonzero(np.isfinite(found.values[:, goal]) & (found.rows[:, words] == winner[words]).all(axis=1))
    distance = _distance(found, found.rows[usable] - winner)
    count = max(int(np.clip(6 * (2 * len(winner) + 1), LEAST, MOST)), int(np.sum(distance <= CLOSE)))
    near = _leveled(found, usable[np.argsort(distance, kind="stable")[:min(count, MOST)]])
    if not len(near):
        return None
    apart = found.rows[near] - winner
    ways = np.array([1.0 if v.whole else float(np.sqrt(np.mean(column**2))) for v, column in zip(found.variables, apart.T)])
    free = [i for i in range(len(ways)) if not words[i] and np.ptp(apart[:, i]) > 0]
    squared = [i for i in free if len(np.unique(apart[:, i])) > 2]
    levels = np.nan_to_num(found.draws[near], nan=1.0)
    spare = len(near) - len(np.unique(levels)) - FREE
    if spare < len(free) + len(squared):
        squared = []
    if not free or spare < len(free):
        return None
    u = apart / np.where(ways > 0, ways, 1.0)
    terms = np.column_stack([u[:, free], u[:, squared] ** 2])
    fit = _least_squares(terms, found.values[near, goal], levels)
    if fit is None:
        return None
    beta, covariance, explained, reach = fit
    effects = [Effect(v.name, float(ways[i]), None, None) for i, v in enumerate(found.variables) if not words[i]]
    for at, one in enumerate(effects):
        i = next(k for k, v in enumerate(found.variables) if v.name == one.name)
        if i in free:
            sides = []
            for sign in (-1.0, 1.0):
                moves = np.zeros(terms.shape[1])
                moves[free.index(i)] = sign
                if i in squared:
                    moves[len(free) + squared.index(i)] = 1.0
                inside = found.variables[i].low <= winner[i] + sign * ways[i] <= found.variables[i].high
                there = int(np.sum(sign * apart[:, i] > 0)) >= SIDE
                half = reach * float(np.sqrt(abs(float(moves @ covariance @ moves))))
                value = float(moves @ beta)
                sides.append(Change(value, value - half, value + half) if inside and there else None)
            effects[at] = Effect(one.name, one.way, *sides)
    return Near(list(found.optimum.problem["goals"])[goal], len(near), explained, effects)


def _leveled(found: Found, near: Array) -> Array:
    """Candidates that share their number of draws with others."""
    _, at, often = np.unique(np.nan_to_num(found.draws[near], nan=1.0), return_inverse=True, return_counts=True)
    return near[often[at] > 1]


def _distance(found: Found, apart: Array) -> Array:
    """In ranges; of whole numbers the next one is as near as the winner's own."""
    ranges = np.array([max(v.high - v.low, 1e-300) for v in found.variables])
    free = np.array([1.0 if v.whole else 0.0 for v in found.variables])
    return np.linalg.norm(np.maximum(np.abs(apart) - free, 0.0) / ranges, axis=1)


def _least_squares(terms: Array, values: Array, draws: Array) -> "tuple[Array, Array, float, float] | None":
    """Coefficients, their covariance, the explained share of variance at the same draws, and Student's quantile; weights are the draws."""
    root = np.sqrt(draws / draws.mean())
    terms, values = terms.copy(), values.copy()
    levels = np.unique(draws)
    for level in levels:
        terms[draws == level] -= terms[draws == level].mean(axis=0)
        values[draws == level] -= values[draws == level].mean()
    a, b = terms * root[:, np.newaxis], values * root
    beta, _, rank, _ = np.linalg.lstsq(a, b, rcond=1e-9)
    freedom = len(values) - terms.shape[1] - len(levels)
    if rank < terms.shape[1] or freedom < 1:
        return None
    rest = b - a @ beta
    variance = float(rest @ rest) / freedom
    total = float(b @ b)
    explained = 1.0 - float(rest @ rest) / total if total > 0 else 0.0
    return beta, variance * np.linalg.inv(a.T @ a), explained, student_quantile(freedom, 0.95)
