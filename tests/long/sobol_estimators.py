"""Errors of the estimators of Sobol' indices that the row groups A, A with column i from B, B allow: root mean square over 60 seeds, of
each index and of all, for the Ishigami function and the g-function, from a scrambled Sobol' sequence and from independent points.
What host/statistics/sobol_indices.c chose by. Runs alone, for a minute: python3 tests/long/sobol_estimators.py (numpy, scipy)."""

import numpy as np
from scipy.stats import qmc

SEEDS = 60
A = np.array([0, 1, 4.5, 9, 99, 99])


def ishigami(u):
    x = np.pi * (2 * u - 1)
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def g_function(u):
    return np.prod((np.abs(4 * u - 2) + A) / (1 + A), axis=1)


def of_ishigami():
    first, second = 0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49 / 8
    both = 0.01 * np.pi**8 * (1 / 18 - 1 / 50)
    variance = first + second + both
    return np.array([first, second, 0]) / variance, np.array([first + both, second, both]) / variance


def of_g():
    part = 1 / (3 * (1 + A) ** 2)
    product = np.prod(1 + part)
    return part / (product - 1), part * product / (1 + part) / (product - 1)


def points(kind, count, dimensions, seed):
    if kind == "sequence":
        return qmc.Sobol(dimensions, scramble=True, seed=seed).random(count)
    return np.random.default_rng(seed).random((count, dimensions))


def rows(function, unit, d):
    """Values at A and B from their mean, and at A with each column from B."""
    first, second = unit[:, :d], unit[:, d:]
    a, b = function(first), function(second)
    mean = (a.mean() + b.mean()) / 2
    mixed = []
    for i in range(d):
        columns = first.copy()
        columns[:, i] = second[:, i]
        mixed.append(function(columns) - mean)
    return a - mean, b - mean, mixed, mean


def janon(b, c):
    mean = (b + c).mean() / 2
    return (np.mean(b * c) - mean**2) / ((b**2 + c**2).mean() / 2 - mean**2)


def estimates(a, b, mixed, mean):
    variance = np.concatenate([a, b]).var()
    return {
        "S Saltelli 2010, from the mean": [np.mean(b * (c - a)) / variance for c in mixed],
        "S Saltelli 2010, as it is": [np.mean((b + mean) * (c - a)) / variance for c in mixed],
        "S Jansen": [1 - np.mean((b - c) ** 2) / 2 / variance for c in mixed],
        "S Janon, Monod": [janon(b, c) for c in mixed],
        "S Martinez": [np.corrcoef(b, c)[0, 1] for c in mixed],
        "T Jansen": [np.mean((a - c) ** 2) / 2 / variance for c in mixed],
        "T Martinez": [1 - np.corrcoef(a, c)[0, 1] for c in mixed],
    }


def report(name, function, d, exact):
    for count in (64, 512, 4096):
        for kind in ("sequence", "independent"):
            found = {}
            for seed in range(SEEDS):
                for key, values in estimates(*rows(function, points(kind, count, 2 * d, seed), d)).items():
                    found.setdefault(key, []).append(values)
            for key, values in found.items():
                square = (np.array(values) - exact[key[0] == "T"]) ** 2
                each = " ".join(f"{e:.4f}" for e in np.sqrt(square.mean(axis=0)))
                print(f"{name:9s} {count:5d} {kind:12s} {key:31s} {np.sqrt(square.mean()):.4f}   {each}")


report("Ishigami", ishigami, 3, of_ishigami())
report("g", g_function, 6, of_g())
