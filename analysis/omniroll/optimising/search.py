"""The search: generations of candidates, draws that grow, restarts, and the finalists behind them."""

from __future__ import annotations

import math
import os
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..errors import Interrupted, Stopped, StudyError, UsageError
from . import finalists as final
from .evaluator import Array, Evaluation, Evaluator
from .front import front_of, hypervolume, thinned
from .journal import Caller
from .kernels import STEP, OneGoal, Space, cmaes_library
from .live import Live, Told, live_for
from .optimum import Optimum, summary
from .pair import TwoGoals

FINAL_SHARE = 0.2  # of the budget, for finalists
PATIENCE = 3  # generations of a sample before it grows, and those that bring nothing new before a run ends
NEAR = 0.01  # of the ranges: finalists closer than this to a better one are left out


@dataclass(frozen=True)
class Settings:
    """Settings that decide the candidates."""

    seed: int
    population: int
    draws: int
    growth: float
    most: int
    finalists: int
    start: "list[float] | None"
    method: str


def settings_of(problem: Evaluator, *, draws: "int | None", most: "int | None", finalists: "int | None", start: Any, seed: int, population: int,
                growth: float, method: str) -> Settings:
    """With defaults filled in. Raises UsageError."""
    goals = len(problem.goals)
    if goals > 2:
        raise UsageError(f"a search has one goal or two, and this problem has {goals}: make limits of some, or give it to pymoo: "
                         "omniroll.optimising.adapters.for_pymoo(problem) with its NSGA3")
    draws = int(draws or problem.draws)
    found = Settings(int(seed), int(population), draws, float(growth), int(most or 16 * draws), int(finalists or 8 * goals),
                     None if start is None else problem.points([start])[0].tolist(), method)
    for wrong, words in ((found.method != "cmaes", f'method is "cmaes", not {found.method!r}; omniroll.optimising.adapters has other libraries'),
                         (found.population < 10 * goals - 4, f"population is at least {10 * goals - 4}, not {found.population}"),
                         (found.draws < 2, "draws are at least 2: an interval needs them"),
                         (found.growth < 1, f"growth is at least 1, not {found.growth:g}"),
                         (found.most < found.draws, f"most is at least draws, {found.draws}, not {found.most}"),
                         (found.seed < 0, "seed is not negative")):
        if wrong:
            raise UsageError(words)
    if not Space(problem.variables).free:
        raise UsageError("no variable can be chosen: low and high are equal everywhere")
    return found


class Search:
    """A search under way."""

    def __init__(self, problem: Evaluator, caller: Caller, settings: Settings, live: Live, budget: float, seconds: float) -> None:
        self.problem, self.caller, self.settings, self.live = problem, caller, settings, live
        self.budget, self.seconds = budget, seconds
        self.space = Space(problem.variables)
        self.rows: list[Array] = []  # of each call, with its evaluation in `found`
        self.found: list[Evaluation] = []
        self.places: dict[tuple[int, bytes], tuple[int, int]] = {}
        self.middles: list[Array] = []  # the last middle of each run
        self.history: list[dict[str, Any]] = []
        self.best: tuple[bool, float] = (True, math.inf)
        self.best_row: Evaluation | None = None
        self.front, self.reference = np.zeros((0, 2)), np.full(2, np.nan)
        self.ended = ""

    def seed_of(self, *names: int) -> int:
        """A seed of its own for each purpose."""
        return int(np.random.SeedSequence([self.settings.seed, *names]).generate_state(1)[0] >> 1)

    def look(self, candidates: Array, draws: int) -> "tuple[Evaluation, int] | None":
        """Known values of candidates at this many draws, and how many were new; None where the budget is spent. A candidate that has been
        evaluated at as many draws is not evaluated again."""
        keys = [(draws, row.tobytes()) for row in candidates]
        fresh = [i for i, key in enumerate(keys) if key not in self.places and keys.index(key) == i]
        if self.caller.spent + len(fresh) * draws > self.budget * (1 - FINAL_SHARE) and self.found:
            self.ended = "budget"
            return None
        if self.caller.elapsed > self.seconds * (1 - FINAL_SHARE) and self.found:
            self.ended = "seconds"
            return None
        if fresh:
            new = self.caller.evaluate("search", candidates[fresh], draws, self.seed_of(1, draws))
            if not self.found and all(why.startswith("refused") for why in new.status):  # words that go nowhere, say
                raise StudyError(f"every candidate of the first generation is {new.status[0]}")
            for i, row in enumerate(fresh):
                self.places[keys[row]] = (len(self.found), i)
            self.rows.append(candidates[fresh])
            self.found.append(new)
            self._remember(new)
            if len(fresh) == len(keys):
                return new, len(fresh)
        return Evaluation.joined([self.found[part].rows([row]) for part, row in (self.places[key] for key in keys)]), len(fresh)

    def _remember(self, new: Evaluation) -> None:
        if len(self.problem.goals) == 2:
            self.front = np.concatenate([self.front, new.costs[new.feasible]])
            self.front = self.front[front_of(self.front)]
            return
        row = int(new.order(pessimistic=True)[0])
        feasible = bool(new.feasible[row])
        key = (not feasible, float(new.costs[row, 0] + new.widths[row, 0]) if feasible else float(new.violation[row]))
        if key < self.best or self.best_row is None:
            self.best, self.best_row = key, new.rows([row])

    def run(self) -> None:
        """Runs until the end: the first from the middle, then by turns larger populations, and small steps (BIPOP)."""
        large, spent, nothing = self.settings.population, {"large": 0.0, "small": 0.0}, 0
        for number in range(10**9):
            rng = np.random.default_rng([self.settings.seed, 2, number])
            population, step, kind = self.settings.population, STEP, "large"
            center = self.space.random(rng, 1)[0]
            if number == 0:
                middle = (self.space.low + self.space.high) / 2
                center = np.where(self.space.whole, np.floor(middle), middle)
            elif number > 1 and spent["small"] < spent["large"]:
                kind = "small"
                population = int(population * (0.5 * large / population) ** (rng.random() ** 2))
                step *= 10 ** (-2 * rng.random())
            else:
                large *= 2
                population = large
            begun, known = self.caller.spent, len(self.found)
            self._descend(number, center, step, population)
            spent[kind] += self.caller.spent - begun
            nothing = 0 if len(self.found) > known else nothing + 1
            if nothing >= PATIENCE:
                self.ended = "every candidate is known"
            if self.ended:
                return

    def _descend(self, number: int, center: Array, step: float, population: int) -> None:
        """One run, until it is over."""
        start = np.array(self.settings.start) if self.settings.start is not None and number == 0 else None
        seed = self.seed_of(3, number)
        kernel: OneGoal | TwoGoals
        if len(self.problem.goals) == 1:
            kernel = OneGoal(self.space, center if start is None else start, step, population, seed)
        else:
            kernel = TwoGoals(self.space, start, step, population, seed)
        draws, age, idle, alike = self.settings.draws, 0, 0, 0  # generations: of this sample, without news, ordered by noise
        while True:
            candidates = kernel.ask()
            seen = self.look(candidates, draws)
            if seen is None:
                break
            kernel.tell(seen[0])
            if isinstance(kernel, TwoGoals) and np.isnan(self.reference).any():
                self.reference = kernel.reference
            self._note(number, len(candidates), draws, seen[0], kernel)
            age, idle, alike = age + 1, 0 if seen[1] else idle + 1, alike + 1 if crowded(kernel.judged(seen[0])) else 0
            grown = min(self.settings.most, math.ceil(draws * self.settings.growth))
            if grown > draws and age >= PATIENCE and (idle >= PATIENCE or alike):
                draws, age, idle, alike = grown, 0, 0, 0
                kernel.forget()
            if idle >= PATIENCE or kernel.over() or grown == draws and alike >= kernel.window:
                break
        if isinstance(kernel, OneGoal) and self.found:
            self.middles.append(self.space.middle(kernel.kernel))

    def _note(self, number: int, count: int, draws: int, seen: Evaluation, kernel: "OneGoal | TwoGoals") -> None:
        """A row of the history, shown."""
        area = hypervolume(self.front, self.reference) if len(self.problem.goals) == 2 else None
        best = self.best_row
        row = {"generation": len(self.history) + 1, "run": number + 1, "population": count, "draws": draws, "candidates": sum(map(len, self.rows)),
               "spent": self.caller.spent, "best": None if best is None or not best.feasible[0] else float(best.values[0, 0]),
               "width": None if best is None or not best.feasible[0] else float(best.widths[0, 0]), "front": len(self.front), "hypervolume": area,
               "feasible": float(np.mean(seen.feasible)), "step": kernel.size(), "elapsed": self.caller.elapsed,
               "integrating": self.caller.integrating / max(self.caller.elapsed, 1e-9)}
        self.history.append(row)
        if self.live.show(row) is False:
            error = Stopped(f"the search was stopped in generation {row['generation']}{going_on(self.caller)}")
            error.path = None if self.caller.path is None else os.fspath(self.caller.path)
            raise error

    def finalists(self) -> Array:
        """Rows for the last choice: the best by the worse end of its interval, the middles of runs, then others that are not near a better one."""
        rows, found = np.concatenate(self.rows), Evaluation.joined(self.found)
        count = self.settings.finalists
        if len(self.problem.goals) == 2:
            feasible = np.flatnonzero(found.feasible)
            if len(feasible):
                ends = feasible[front_of(found.costs[feasible])]
                return np.unique(rows[ends[thinned(found.costs[ends], count, self.reference)]], axis=0)
        order = found.order(pessimistic=True)
        taken = [rows[order[0]]]
        for middle in self.middles[::-1][:count // 2]:
            if not any(np.array_equal(middle, other) for other in taken):
                taken.append(middle)
        for row in order:
            if len(taken) >= count:
                break
            if np.abs(self.space.scaled(rows[row]) - self.space.scaled(np.array(taken))).max(axis=1).min() > NEAR and np.isfinite(found.costs[row, 0]):
                taken.append(rows[row])
        return np.array(taken)

    def conclude(self) -> Optimum:
        """The finalists, and all that was found."""
        rows = self.finalists()
        rate = self.caller.spent / max(self.caller.elapsed, 1e-9)
        left = min(self.budget - self.caller.spent if self.ended == "budget" else self.budget * FINAL_SHARE, rate * self.seconds * FINAL_SHARE)
        seeds = [self.seed_of(4, number) for number in range(final.ROUNDS + 3)]
        common = {"problem": summary(self.problem), "history": self.history, "spent": 0.0, "elapsed": 0.0, "integrating": 0.0, "ended": self.ended,
                  "seed": self.settings.seed, "journal": None if self.caller.path is None else os.fspath(self.caller.path)}
        if len(self.problem.goals) == 1:
            rows, found, apart = final.choose(self.caller, rows, left, seeds)
            made = Optimum.of_one(self.problem, rows, found, apart, common)
        else:
            rows, found, front = final.refresh(self.caller, rows, left, seeds[0])
            made = Optimum.of_two(self.problem, rows, found, front, self.reference, common)
        return made.with_costs(self.caller.spent, self.caller.elapsed, self.caller.integrating)


def going_on(caller: Caller) -> str:
    """How to go on, where there is a journal."""
    return "" if caller.path is None else f": {os.fspath(caller.path)} has what was done, and the same call goes on"


def crowded(seen: Evaluation) -> bool:
    """Whether the better half cannot be distinguished: its costs spread less than one of its intervals is wide."""
    good = seen.order()[: int(seen.feasible.sum())]
    half = seen.rows(good[: max(len(seen.status) // 2, 1)])
    if len(half.status) < 4:
        return False
    wide = 2 * np.median(half.widths, axis=0)
    return bool(np.all((wide > 0) & (np.ptp(half.costs, axis=0) <= wide)))


def search(problem: Evaluator, settings: Settings, budget: "float | None", seconds: "float | None", journal: "str | os.PathLike[str] | None",
           progress: Told) -> Optimum:
    """Problem.minimize, which describes the arguments."""
    library = cmaes_library()
    if budget is None and seconds is None:
        budget = 1000.0 * len(problem.variables) * settings.draws
    least = 2 * settings.population * settings.draws
    if budget is not None and budget < least:
        raise UsageError(f"budget is at least {least} instances, two generations of {settings.population} candidates with {settings.draws} draws, "
                         f"not {budget:g}; or take fewer with population= and draws=")
    if seconds is not None and not seconds > 0:
        raise UsageError("seconds are more than 0")
    live = live_for(progress, problem.goals)
    caller = Caller(problem, journal, {**asdict(settings), "cmaes": library.__version__})
    try:
        ends = [math.inf if end is None else float(end) for end in (budget, seconds)]
        under_way = Search(problem, caller, settings, live, *ends)
        under_way.run()
        return under_way.conclude()
    except KeyboardInterrupt:
        raise Interrupted("the search was interrupted" + going_on(caller), None if caller.path is None else os.fspath(caller.path)) from None
    finally:
        live.close()
        caller.close()
