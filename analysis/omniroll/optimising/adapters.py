"""The same problem for those who have a search of their own: scipy, pymoo, pycma and Optuna. Each is a few lines, and a pattern for others.

>>> scipy.optimize.differential_evolution(**adapters.for_scipy(problem), seed=1)
>>> pymoo.optimize.minimize(adapters.for_pymoo(problem), NSGA2(), ("n_gen", 40))
>>> candidate, strategy = adapters.with_pycma(problem, generations=50)
>>> adapters.with_optuna(problem, generations=20).best_trials

All take draws= and seed=, which every evaluation has: candidates are compared on the same draws. Values of the winner on fresh draws:
problem.evaluate([winner], draws=1000, seed=another)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LibraryError, UsageError
from .evaluator import Array, Evaluation, Evaluator

WORST = 1e30  # for libraries that take no inf


def _needs(name: str, pip: str) -> Any:
    """A library. Raises LibraryError."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise LibraryError(f"the adapter needs the library {pip}, which this Python does not have: pip install {pip} ({error})") from None


def _inside(problem: Evaluator, X: Any) -> Array:
    """Rows within the ranges, whole where they are meant so."""
    rows = np.clip(np.asarray(X, dtype=float), [v.low for v in problem.variables], [v.high for v in problem.variables])
    return np.where([v.whole for v in problem.variables], np.round(rows), rows)


def _ranks(found: Evaluation) -> Array:
    """Limits first: 0 for the best."""
    return np.argsort(found.order(), kind="stable").astype(float)


def for_scipy(problem: Evaluator, draws: "int | None" = None, seed: int = 0) -> dict[str, Any]:
    """Arguments of scipy.optimize.differential_evolution (1.9 or later) for the first goal; a violated limit costs more than any value."""
    if len(problem.goals) > 1:
        raise UsageError("differential_evolution has one goal; minimize and pymoo have more")

    def cost(X: Array) -> Any:
        found = problem.evaluate(_inside(problem, np.atleast_2d(X.T)), draws=draws, seed=seed)
        costs = np.where(found.feasible, found.costs[:, 0], WORST * (1 + np.minimum(found.violation, 1e6)))
        return costs if X.ndim > 1 else float(costs[0])

    return {"func": cost, "bounds": [(v.low, v.high) for v in problem.variables], "integrality": [v.whole for v in problem.variables],
            "vectorized": True, "updating": "deferred", "polish": False}


def for_pymoo(problem: Evaluator, draws: "int | None" = None, seed: int = 0) -> Any:
    """A pymoo Problem: costs to be minimized, limits as G <= 0; any number of goals."""
    core = _needs("pymoo.core.problem", "pymoo")

    class Adapted(core.Problem):  # type: ignore[name-defined]
        def __init__(self) -> None:
            super().__init__(n_var=len(problem.variables), n_obj=len(problem.goals), n_ieq_constr=len(problem.limits),
                             xl=np.array([v.low for v in problem.variables]), xu=np.array([v.high for v in problem.variables]))

        def _evaluate(self, X: Array, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            found = problem.evaluate(_inside(problem, X), draws=draws, seed=seed)
            out["F"] = np.minimum(found.costs, WORST)
            if problem.limits:
                out["G"] = np.nan_to_num(-found.margins, nan=WORST)

    return Adapted()


def with_pycma(problem: Evaluator, generations: int = 50, draws: "int | None" = None, seed: int = 0, **options: Any) -> "tuple[Array, Any]":
    """Runs pycma's ask and tell on ranks of the first goal; returns the favourite candidate and the CMAEvolutionStrategy. Continuous variables are
    in the unit box, whole ones as they are. `options` are pycma's."""
    cma = _needs("cma", "cma")
    low, high, whole = (np.array([getattr(v, name) for v in problem.variables]) for name in ("low", "high", "whole"))
    origin, scale = np.where(whole, 0.0, low), np.where(whole, 1.0, high - low)
    begin, end = (low - origin) / scale, (high - origin) / scale
    es = cma.CMAEvolutionStrategy(((begin + end) / 2).tolist(), 0.25, {
        "bounds": [begin.tolist(), end.tolist()], "CMA_stds": (end - begin).tolist(), "integer_variables": np.flatnonzero(whole).tolist(),
        "seed": seed + 1, "verbose": -9, **options})
    for _ in range(generations):
        asked = es.ask()
        es.tell(asked, _ranks(problem.evaluate(_inside(problem, origin + np.array(asked) * scale), draws=draws, seed=seed)).tolist())
        if es.stop():
            break
    return _inside(problem, origin + es.result.xfavorite * scale), es


def with_optuna(problem: Evaluator, generations: int = 20, population: int = 32, draws: "int | None" = None, seed: int = 0, sampler: Any = None) -> Any:
    """Runs Optuna's ask and tell by generations; returns its Study, with limits as constraints (at most 0)."""
    optuna = _needs("optuna", "optuna")
    of = {v.name: optuna.distributions.CategoricalDistribution(v.words) if v.words else
          optuna.distributions.IntDistribution(int(v.low), int(v.high)) if v.whole else
          optuna.distributions.FloatDistribution(v.low, v.high) for v in problem.variables}
    named = hasattr(optuna.trial.Trial, "set_constraint")  # from version 5 on
    older = {} if named or not problem.limits else {"constraints_func": lambda trial: trial.user_attrs["limits"]}
    sampler = sampler or optuna.samplers.TPESampler(seed=seed, **older)
    study = optuna.create_study(directions=["maximize" if goal.maximize else "minimize" for goal in problem.goals], sampler=sampler)
    for _ in range(generations):
        trials = [study.ask(of) for _ in range(population)]
        found = problem.evaluate([trial.params for trial in trials], draws=draws, seed=seed)
        for i, trial in enumerate(trials):
            excess = np.nan_to_num(-found.margins[i], nan=WORST).tolist()
            trial.set_user_attr("limits", excess)
            for one, value in zip(problem.limits, excess if named else ()):
                trial.set_constraint(one.name, value)
            good = np.isfinite(found.values[i]).all()
            study.tell(trial, found.values[i].tolist() if good else None, state=None if good else optuna.trial.TrialState.FAIL)
    return study
