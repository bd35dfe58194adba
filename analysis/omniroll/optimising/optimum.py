"""The result of a search."""

from __future__ import annotations

import math
import textwrap
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from ..figures.style import within
from .evaluator import Array, Differences, Evaluation, Evaluator
from .front import hypervolume, thinned
from .journal import plain

COLUMNS, SHOWN, NAMED = 80, 8, 8  # of the text; rows of a table, and variables
FAILED = "failed"  # the limit of the share of vehicles that fail


def _rounded(number: float, half: float, sign: str = "") -> str:
    """To the second digit of half its interval, where that is known, else to five digits."""
    if not (math.isfinite(number) and math.isfinite(half) and half > 0):
        return f"{number:{sign}.5g}" if math.isfinite(number) else "?"
    return f"{number:{sign}.{max(0, min(12, 1 - math.floor(math.log10(half))))}f}"


@dataclass(frozen=True)
class Candidate:
    """A candidate with its values on draws new to the search, SI units; NaN: none. `difference` is its value less the winner's, draw
    by draw, with its interval, and `tied` whether it cannot be distinguished from the winner."""

    variables: dict[str, Any]
    values: dict[str, float]
    low: dict[str, float]  # intervals by chance, 95 %
    high: dict[str, float]
    margins: dict[str, float]  # how far each limit is, above 0 where it holds
    feasible: bool
    holds: float  # estimated probability that all limits hold
    failed: float
    draws: int
    step: dict[str, float] = field(default_factory=dict)  # error of the time step
    status: str = ""
    difference: float = math.nan
    difference_low: float = math.nan
    difference_high: float = math.nan
    tied: bool = False


def candidates(problem: Evaluator, rows: Array, found: Evaluation, apart: "Differences | None" = None) -> list[Candidate]:
    """Rows with names."""
    names = [goal.name for goal in problem.goals]
    made = []
    for i, row in enumerate(rows):
        by_goal = {key: dict(zip(names, map(float, getattr(found, key)[i]))) for key in ("values", "low", "high", "step")}
        one = Candidate({v.name: v.value(number) for v, number in zip(problem.variables, row)}, by_goal["values"], by_goal["low"], by_goal["high"],
                        dict(zip((limit.name for limit in problem.limits), map(float, found.margins[i]))), bool(found.feasible[i]), float(found.holds[i]),
                        float(found.failed[i]), int(found.draws[i]) if np.isfinite(found.draws[i]) else 0, by_goal["step"], found.status[i])
        if apart is not None:
            low, high = float(apart.low[i, 0]), float(apart.high[i, 0])
            tied = i > 0 and one.feasible and not (low > 0 or high < 0)  # extremes, and quantiles of few draws, have no interval
            one = replace(one, difference=float(apart.difference[i, 0]), difference_low=low, difference_high=high, tied=tied)
        made.append(one)
    return made


def summary(problem: Evaluator) -> dict[str, Any]:
    """A problem in plain values, by name."""
    return {"variables": {v.name: v.unit for v in problem.variables}, "goals": {g.name: {"unit": g.unit, "maximize": g.maximize} for g in problem.goals},
            "limits": {one.name: {"unit": one.unit, "limit": one.limit, "above": one.above} for one in problem.limits}}


def _wrapped(text: str) -> list[str]:
    """A row of a table, on two lines where it is long."""
    return textwrap.wrap(text, COLUMNS, initial_indent="  ", subsequent_indent="    ", max_lines=2, placeholder=" ...")


@dataclass(frozen=True)
class Optimum:
    """The result of Problem.minimize. Print it, or take best.variables and best.values.

    best  the winner; with two goals a candidate in the middle of the front; feasible is False where no candidate holds the limits
    front  with two goals: the finalists that no other one beats, by the first goal
    finalists  the winner first; `tied` ones cannot be distinguished from it
    history  a row of plain values for each generation
    hypervolume, reference  with two goals: the area between front and reference, signed so that smaller is better
    """

    problem: dict[str, Any]
    best: Candidate
    front: list[Candidate]
    finalists: list[Candidate]
    history: list[dict[str, Any]]
    hypervolume: "float | None"
    reference: "list[float] | None"
    spent: float  # instances
    elapsed: float  # s, over all sessions of a journal
    integrating: float  # s
    ended: str  # "budget", "seconds" or "every candidate is known"
    seed: int
    journal: "str | None"

    @staticmethod
    def of_one(problem: Evaluator, rows: Array, found: Evaluation, apart: Differences, common: dict[str, Any]) -> Optimum:
        """One goal, finalists from the winner on."""
        made = candidates(problem, rows, found, apart)
        return Optimum(best=made[0], front=[], finalists=made, hypervolume=None, reference=None, **common)

    @staticmethod
    def of_two(problem: Evaluator, rows: Array, found: Evaluation, front: Array, reference: Array, common: dict[str, Any]) -> Optimum:
        """Two goals, with rows of the front."""
        made, best, area = candidates(problem, rows, found), 0, 0.0
        if len(front):
            costs = found.costs[front]
            scaled = (costs - costs.min(axis=0)) / np.maximum(np.ptp(costs, axis=0), 1e-300)
            best, area = int(front[np.argmin(np.linalg.norm(scaled, axis=1))]), hypervolume(costs, reference)
        return Optimum(best=made[best], front=[made[i] for i in front], finalists=made, hypervolume=area, reference=plain(reference), **common)

    def with_costs(self, spent: float, elapsed: float, integrating: float) -> Optimum:
        """The result with its instances and seconds."""
        return replace(self, spent=float(spent), elapsed=float(elapsed), integrating=float(integrating))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None is NaN."""
        return plain(asdict(self))

    def _unit(self, goal: str) -> str:
        unit = self.problem["goals"][goal]["unit"]
        return f" {unit}" if unit else ""

    def _value(self, one: Candidate, goal: str) -> str:
        if math.isnan(one.values[goal]):
            return f"{goal}: none ({one.status or 'unknown'})"
        value, low, high = one.values[goal], one.low[goal], one.high[goal]
        if not (math.isfinite(low) or math.isfinite(high)):
            return f"{goal} {value:.5g}{self._unit(goal)} without an interval"
        said = [_rounded(number, (high - low) / 2) for number in (value, low, high)]
        return within(f"{goal} {said[0]}{self._unit(goal)}", said[1], said[2])

    def _variables(self, one: Candidate, most: int, short: bool = False) -> str:
        units, names = self.problem["variables"], list(one.variables)
        last = [name.rpartition(".")[2] for name in names]
        if short and len(set(last)) == len(last):
            units, one, names = dict(zip(last, units.values())), replace(one, variables=dict(zip(last, one.variables.values()))), last
        words = [f"{name} {one.variables[name]:.5g}{' ' + units[name] if units[name] else ''}" if isinstance(one.variables[name], float)
                 else f"{name} {one.variables[name]}{' ' + units[name] if units[name] and not isinstance(one.variables[name], str) else ''}" for name in names[:most]]
        return ", ".join(words) + (f", and {len(names) - most} more" if len(names) > most else "")

    def _limits(self) -> list[str]:
        """How likely they hold, and which is the tightest; of failures only where there are some."""
        best, limits = self.best, self.problem["limits"]
        shown = {name: best.margins[name] / (abs(limits[name]["limit"]) or 1.0) for name in limits if name != FAILED or best.failed > 0}
        if not shown or math.isnan(best.holds):
            return []
        tight = min(shown, key=lambda name: -math.inf if math.isnan(shown[name]) else shown[name])
        unit = limits[tight]["unit"]
        return [f"limits hold with probability {best.holds:.3g}; {tight} has a margin of {best.margins[tight]:.3g}{' ' + unit if unit else ''}"]

    def _table(self) -> list[str]:
        if self.front:
            lines = [f"front of {len(self.front)}, hypervolume {self.hypervolume:.6g}:"]
            signs = np.array([-1.0 if goal["maximize"] else 1.0 for goal in self.problem["goals"].values()])
            costs = np.array([list(one.values.values()) for one in self.front]) * signs
            shown = [self.front[row] for row in thinned(costs, SHOWN, np.array(self.reference))]
            return lines + ["  " + "; ".join(self._value(one, goal) for goal in one.values) for one in shown]
        if len(self.problem["goals"]) == 2 or len(self.finalists) < 2:
            return []
        goal = next(iter(self.problem["goals"]))
        lines = [f"other finalists, {goal} less the winner's{self._unit(goal) and ', in' + self._unit(goal)}:"]
        for one in self.finalists[1:SHOWN]:
            if math.isnan(one.values[goal]):
                lines += _wrapped(f"no value: {self._variables(one, 3, True)}")
                continue
            verdict = "infeasible" if not one.feasible else "cannot be told from the winner" if one.tied else "worse"
            half = (one.difference_high - one.difference_low) / 2
            said = [_rounded(number, half, "+") for number in (one.difference, one.difference_low, one.difference_high)]
            apart = said[0] if math.isnan(half) else within(*said)
            lines += _wrapped(f"{apart} {verdict}: {self._variables(one, 3, True)}")
        return lines

    def to_text(self) -> str:
        """At most 25 lines of 80 columns."""
        best = self.best
        lines = [*textwrap.wrap("; ".join(self._value(best, goal) for goal in best.values) + f"; {best.draws} draws", COLUMNS, subsequent_indent="  "),
                 *textwrap.wrap(self._variables(best, NAMED), COLUMNS, initial_indent="  ", subsequent_indent="  ", max_lines=3)]
        if not best.feasible:
            valued = not any(map(math.isnan, best.values.values()))
            lines.append("NO CANDIDATE HOLDS THE LIMITS; this one is nearest" if valued else "NO CANDIDATE HAS A VALUE")
        lines += self._limits()
        if best.failed > 0:
            lines.append(f"{100 * best.failed:.3g} % of its vehicles failed")
        lines += self._table()
        last = self.history[-1]
        lines.append(f"{last['candidates']} candidates in {last['generation']} generations of {last['run']} run{'s' if last['run'] > 1 else ''}, "
                     f"{self.spent:.4g} instances, {self.elapsed:.3g} s")
        lines.append(f"ended: {self.ended}; {100 * self.integrating / max(self.elapsed, 1e-9):.0f} % of the time integrating; seed {self.seed}")
        return "\n".join(text if len(text) <= COLUMNS else text[: COLUMNS - 3] + "..." for text in lines)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<omniroll Optimum: {self._value(self.best, next(iter(self.best.values)))}, {len(self.finalists)} finalists, {self.spent:.4g} instances>"
