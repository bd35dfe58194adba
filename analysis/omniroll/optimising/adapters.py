"""The same problem for those who have a search of their own: scipy, pymoo, pycma and Optuna. Each is a few lines, and a pattern for others.

    scipy.optimize.differential_evolution(**adapters.for_scipy(problem), seed=1)
    pymoo.optimize.minimize(adapters.for_pymoo(problem), NSGA2(), ("n_gen", 40))
    adapters.with_pycma(problem, generations=50).result.xbest          # in the unit box: problem and Space translate
    adapters.with_optuna(problem, generations=20).best_trials

All take draws= and seed=, which every evaluation has: candidates are compared on the same draws. Values of the winner on fresh draws:
problem.evaluate([winner], draws=1000, seed=another)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LibraryError, UsageError
from .kernels import Space
from .problem import Array, Evaluation, Problem

WORST = 1e30  # for libraries that take no inf


def _needs(name: str, pip: str) -> Any:
    """A library. Raises LibraryError."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise LibraryError(f"the adapter needs the library {pip}, which this Python does not have: pip install {pip} ({error})") from None


def _inside(problem: Problem, X: Any) -> Array:
    """Rows within the ranges, whole where they are meant so."""
    rows = np.clip(np.asarray(X, dtype=float), [v.low for v in problem.variables], [v.high for v in problem.variables])
    return np.where([v.whole for v in problem.variables], np.round(rows), rows)


def _ranks(found: Evaluation) -> Array:
    """Limits first: 0 for the best."""
    return np.argsort(found.order(), kind="stable").astype(float)


def for_scipy(problem: Problem, draws: "int | None" = None, seed: int = 0) -> dict[str, Any]:
    """Arguments of scipy.optimize.differential_evolution (1.9 or later) for the first goal; what violates limits costs more than all that does not."""
    if len(problem.goals) > 1:
        raise UsageError("differential_evolution has one goal; minimize and pymoo have more")

    def cost(X: Array) -> Any:
        found = problem.evaluate(_inside(problem, np.atleast_2d(X.T)), draws=draws, seed=seed)
        costs = np.where(found.feasible, found.costs[:, 0], WORST * (1 + np.minimum(found.violation, 1e6)))
        return costs if X.ndim > 1 else float(costs[0])

    return {"func": cost, "bounds": [(v.low, v.high) for v in problem.variables], "integrality": [v.whole for v in problem.variables],
            "vectorized": True, "updating": "deferred", "polish": False}


def for_pymoo(problem: Problem, draws: "int | None" = None, seed: int = 0) -> Any:
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


def with_pycma(problem: Problem, generations: int = 50, draws: "int | None" = None, seed: int = 0, **options: Any) -> Any:
    """Runs pycma's ask and tell in the unit box on ranks of the first goal; returns its CMAEvolutionStrategy. `options` are pycma's."""
    cma, space = _needs("cma", "cma"), Space(problem.variables)
    es = cma.CMAEvolutionStrategy([0.5] * len(problem.variables), 0.25, {"bounds": [0, 1], "seed": seed + 1, "verbose": -9, **options})
    for _ in range(generations):
        asked = es.ask()
        rows = _inside(problem, space.low + np.array(asked) * (space.high - space.low))
        es.tell(asked, _ranks(problem.evaluate(rows, draws=draws, seed=seed)).tolist())
        if es.stop():
            break
    return es


def with_optuna(problem: Problem, generations: int = 20, population: int = 32, draws: "int | None" = None, seed: int = 0, sampler: Any = None) -> Any:
    """Runs Optuna's ask and tell by generations; returns its Study, with limits as constraints (at most 0)."""
    optuna = _needs("optuna", "optuna")
    of = {v.name: optuna.distributions.CategoricalDistribution(v.words) if v.words else
          optuna.distributions.IntDistribution(int(v.low), int(v.high)) if v.whole else
          optuna.distributions.FloatDistribution(v.low, v.high) for v in problem.variables}
    sampler = sampler or optuna.samplers.TPESampler(seed=seed, constraints_func=lambda trial: trial.user_attrs["limits"])
    study = optuna.create_study(directions=["maximize" if goal.maximize else "minimize" for goal in problem.goals], sampler=sampler)
    for _ in range(generations):
        trials = [study.ask(of) for _ in range(population)]
        found = problem.evaluate([trial.params for trial in trials], draws=draws, seed=seed)
        for i, trial in enumerate(trials):
            trial.set_user_attr("limits", np.nan_to_num(-found.margins[i], nan=WORST).tolist())
            good = np.isfinite(found.values[i]).all()
            study.tell(trial, found.values[i].tolist() if good else None, state=None if good else optuna.trial.TrialState.FAIL)
    return study
