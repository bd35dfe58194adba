"""The page of a file of omniroll optimize: the winner as a vehicle with its values first, designs as good, the front, the variables, the
search, effects of the variables near the winner."""

from __future__ import annotations

import json
import math
import os
import shlex
from functools import partial
from typing import Any, Iterator

import numpy as np

from ..figures import search as figures
from ..optimising.evaluator import Variable
from ..optimising.found_file import Found, open_optimum
from ..optimising.near_winner import Change, near_winner
from ..optimising.optimum import Candidate
from . import vehicle
from .page import Section, asset, beside, command, details, facts, page, paragraph, pictures, table, text
from .pareto import Objective, trade_off
from .svg import picture
from .wording import Scale, code, count, counted, duration, joined, percent, scale_of, signed, stacked

ENDED = {"budget": "the budget was spent", "seconds": "the time was up", "every candidate is known": "every candidate was known"}
NEAR_END = 0.01  # of a range: a winner so close to its end is said to lie there
AROUND = 1.5  # extents of the front, from its middle, within which other candidates are drawn
TIED, WORSE, OUT = "cannot be told from the winner", "worse", "violates a limit"


def html_of(path: str) -> str:
    """The page as text. Raises NotAResult."""
    found = open_optimum(path)
    last = found.optimum.history[-1] if found.optimum.history else {}
    words = (f"{counted(found.evaluated, 'candidate')} of {counted(len(found.variables), 'variable')} in {counted(last.get('generation', 0), 'generation')}, "
             f"{counted(found.optimum.spent, 'instance')}")
    sections = [_answer(found), *_front(found), _finalists(found), _variables(found), *_near(found), _history(found), _again(found)]
    return page(f"Optimum: {found.study.get('title') or os.path.basename(path)}", paragraph(text(words)), sections,
                f"Made by omniroll from {text(os.path.basename(path))}")


# --- words ------------------------------------------------------------------------------------------------------------------


def _goals(found: Found) -> list[str]:
    return list(found.optimum.problem["goals"])


def _scale(found: Found, goal: str) -> Scale:
    return scale_of(found.optimum.problem["goals"][goal]["unit"], [one.values[goal] for one in found.optimum.finalists])


def _measured(found: Found, one: Candidate, goal: str) -> tuple[str, str, str]:
    """A value with its unit, and the ends of its interval."""
    scale = _scale(found, goal)
    if not math.isfinite(one.values[goal]):
        return "–", "–", "–"
    value, low, high = scale.measured(one.values[goal], one.low[goal], one.high[goal])
    return joined(value, scale.unit), low, high


def _cell(found: Found, one: Candidate, goal: str) -> str:
    return stacked(*_measured(found, one, goal))


def _written(variable: Variable, value: Any, digits: int = 4) -> str:
    """A value of a variable with its unit, as HTML."""
    return code(value) if isinstance(value, str) else scale_of(variable.unit, [value]).with_unit(value, digits)


def _setting(found: Found, goal: str) -> str:
    """The direction of a goal: smaller is better, mean(vibration_rms)."""
    side = "the larger, the better" if found.optimum.problem["goals"][goal]["maximize"] else "the smaller, the better"
    said = found.study.get("texts", {}).get(goal)
    return f"{side}: {code(said)}" if said else side


# --- answer -----------------------------------------------------------------------------------------------------------------


def _answer(found: Found) -> Section:
    """The winner: its values, limits and rivals in a row, then the vehicle next to its variables."""
    keys = "".join([*(_key(goal, *_shown(found, goal)) for goal in _goals(found)), _limits_key(found), _rivals_key(found)])
    picture_of = vehicle.picture({"scene": json.dumps(found.scene)}) if found.scene else ""
    chosen = _chosen(found)
    shown = f'<div class="beside"><div>{picture_of}</div><div>{chosen}</div></div>' if picture_of else chosen
    return Section("Answer", f'<ul class="keys">{keys}</ul>{shown}{_limits(found)}', style=asset("answer.css"))


def _key(name: str, value: str, more: str, kind: str = "") -> str:
    return f'<li{kind and f""" class="{kind}" """.rstrip()}><span>{text(name)}</span><strong>{value}</strong><small>{more}</small></li>'


def _shown(found: Found, goal: str) -> tuple[str, str]:
    value, low, high = _measured(found, found.optimum.best, goal)
    return value, f"{low} to {high} (95 %); {_setting(found, goal)}"


def _limits_key(found: Found) -> str:
    best, named = found.optimum.best, [name for name in found.optimum.problem["limits"] if name != "failed"]
    if not best.feasible:
        broken = [name for name, margin in best.margins.items() if not margin >= 0]
        more = f"this one is nearest; violated: {', '.join(code(name) for name in broken) or 'it has no value'}"
        return _key("Limits", "No candidate holds them", more, "bad")
    if not named:
        return _key("Limits", "No vehicle failed" if best.failed == 0 else f"{percent(best.failed)} of the vehicles failed", "the study has no other limit")
    kind = "good" if best.holds >= 0.95 else "doubt"
    return _key("Limits", "All hold", f"with an estimated probability of {percent(best.holds)}: their numbers are of a sample, too", kind)


def _rivals_key(found: Found) -> str:
    best, front = found.optimum.best, found.optimum.front
    if front:
        words = "of two objectives, of which none is better in both. This page's winner is the one in their middle"
        return _key("Front", counted(len(front), "candidate"), words)
    rivals = [one for one in found.optimum.finalists if one.tied]
    others = len(found.optimum.finalists) - 1
    if not best.feasible or others < 1:
        return ""
    if not rivals:
        return _key("As good", "No other finalist", f"the winner is told from the {counted(others, 'other')} on the same draws")
    words = "cannot be told from the winner on the same draws: take the one that suits you, or go on with a larger --budget"
    return _key("As good", f"{counted(len(rivals), 'other finalist')}", words, "doubt")


def _chosen(found: Found) -> str:
    """The variables of the winner in their ranges."""
    rows, ends = [], []
    for v in found.variables:
        value = found.optimum.best.variables[v.name]
        rows.append([code(v.name), f"<strong>{_written(v, value)}</strong>", ", ".join(map(code, v.words)) if v.words else scale_of(v.unit, [v.low, v.high]).span(v.low, v.high)])
        if not v.words and min(v.number(value) - v.low, v.high - v.number(value)) <= NEAR_END * (v.high - v.low) and v.high > v.low:
            ends.append(code(v.name))
    note = paragraph(f"{' and '.join(ends)} {'lies' if len(ends) == 1 else 'lie'} at the end of the range: a wider one may hold a better candidate.", "note") if ends else ""
    steps = [f"{joined(_scale(found, goal).number(step, 2), _scale(found, goal).unit)} of {code(goal)}" for goal, step in found.optimum.best.step.items() if step > 0]
    draws = paragraph(f"Values are of {counted(found.optimum.best.draws, 'draw')} that the search had not seen"
                      + (f"; the time step makes an error of {' and '.join(steps)}." if steps else ".") + (" The picture has nominal values of what is uncertain." if found.scene else ""), "note")
    return table(("variable", "winner", "searched"), rows, (1,)) + note + draws


def _limits(found: Found) -> str:
    """Each limit with the winner's value."""
    best, rows = found.optimum.best, []
    for name, about in found.optimum.problem["limits"].items():
        margin, limit = best.margins[name], float(about["limit"])
        value = limit + margin if about["above"] else limit - margin
        scale = Scale(100.0, "%") if name == "failed" else scale_of(about["unit"], [limit, value])
        said = found.study.get("texts", {}).get(name, "")
        if said.startswith("probability("):
            scale = Scale(100.0, "%")
        said = code(said) if said else "share of the vehicles that failed" if name == "failed" else ""
        rows.append([f"{code(name)}<br><small>{said}</small>", scale.with_unit(value), f"{'at least' if about['above'] else 'at most'} {scale.with_unit(limit)}",
                     "holds" if margin >= 0 else '<span class="bad">violated</span>'])
    return table(("limit", "winner", "limit", ""), rows, (1, 2)) if rows else ""


# --- front and finalists ----------------------------------------------------------------------------------------------------


def _front(found: Found) -> Iterator[Section]:
    if not found.optimum.front:
        return
    words = ("Filled points make the front, with 95 % intervals on fresh draws; their numbers are those of the table. The other points are candidates of the "
             "search on the draws that it used, where some look better by luck.")
    yield Section("Front", beside(picture(partial(_trade_off, found), words), _front_table(found)))


def _trade_off(found: Found) -> Any:
    front, both = found.optimum.front, []
    own = np.array([[one.values[goal] for goal in _goals(found)] for one in front])
    low, high = own.min(axis=0), own.max(axis=0)
    around = (np.abs(found.values - (low + high) / 2) <= AROUND * np.maximum(high - low, 1e-300)).all(axis=1)
    others = np.flatnonzero(found.feasible & around)
    for at, goal in enumerate(_goals(found)):
        scale = _scale(found, goal)
        own, low, high = (np.array([getattr(one, key)[goal] for one in front]) for key in ("values", "low", "high"))
        sign = 1.0 if found.optimum.problem["goals"][goal]["maximize"] else -1.0
        nothing = np.full(len(others), np.nan)
        values = np.concatenate([own, found.values[others, at]])
        both.append(Objective(goal, f"{goal}{f' [{scale.unit}]' if scale.unit else ''}", scale.factor * values, scale.factor * np.concatenate([low, nothing]),
                              scale.factor * np.concatenate([high, nothing]), sign * np.concatenate([own, nothing])))
    return trade_off(_Titled, both[0], both[1], range(len(front)))  # type: ignore[arg-type]


class _Titled:
    """The attributes of a result that a figure reads."""

    attrs: dict[str, Any] = {}


def _front_table(found: Found) -> str:
    goals = _goals(found)
    rows = [[f"{at + 1}{' winner' if one.variables == found.optimum.best.variables else ''}", *(_cell(found, one, goal) for goal in goals)]
            for at, one in enumerate(found.optimum.front)]
    return table(("", *map(code, goals)), rows, range(1, 1 + len(goals)))


def _finalists(found: Found) -> Section:
    goals, single = _goals(found), not found.optimum.front and len(found.optimum.problem["goals"]) == 1
    best, rows = found.optimum.best, []
    for one in found.optimum.finalists:
        won = one.variables == best.variables
        place = next((f"front, {at + 1}" for at, other in enumerate(found.optimum.front) if other.variables == one.variables), "not on the front")
        verdict = "winner" if won else OUT if not one.feasible else TIED if one.tied else WORSE if single else place
        apart = [_difference(found, one)] if single else []
        rows.append([verdict, *(_cell(found, one, goal) for goal in goals), *apart, percent(one.holds),
                     *(_written(v, one.variables[v.name]) for v in found.variables)])
    heads = ["", *map(code, goals), *(["less the winner's"] if single else []), "limits hold", *(code(v.name) for v in found.variables)]
    words = ("Finalists met fresh draws, which the search had not seen. Small: 95 % intervals by chance. " +
             ("Differences are of the same draws, so that they are known better than the values: a finalist whose interval holds 0 cannot be told from the winner. " if single else "")
             + "Limits hold: how probable that is, as the sample tells.")
    return Section("Finalists", table(heads, rows, range(1, len(heads))) + paragraph(words, "note"))


def _difference(found: Found, one: Candidate) -> str:
    goal = _goals(found)[0]
    if one.variables == found.optimum.best.variables or not math.isfinite(one.difference):
        return "–"
    scale = scale_of(found.optimum.problem["goals"][goal]["unit"], [one.difference])
    return _signed(scale, one.difference, one.difference_low, one.difference_high)


def _signed(scale: Scale, value: float, low: float, high: float) -> str:
    """A change with its interval, bold where it differs from 0."""
    words, below, above = (signed(part) for part in scale.measured(value, low, high))
    shown = joined(words, scale.unit)
    return stacked(f"<strong>{shown}</strong>" if low > 0 or high < 0 else shown, below, above)


# --- variables --------------------------------------------------------------------------------------------------------------


def _marks(v: Variable) -> list[tuple[float, str]]:
    if v.words:
        return [(at / max(len(v.words) - 1, 1), word) for at, word in enumerate(v.words)]
    scale = scale_of(v.unit, [v.low, v.high])
    return [(place, f"{value * scale.factor:.4g}{'' if scale.unit in ('', '°') else ' '}{scale.unit}") for place, value in ((0.0, v.low), (1.0, v.high))]


def _variables(found: Found) -> Section:
    left = found.evaluated - len(found.rows)
    words = ("A row for each variable, from the low to the high end of its range, and a line for each candidate" + (f" ({count(left)} worse ones are left out)" if left > 0 else "") +
             ". Where lines come together the choice matters, where they spread it hardly does.")
    return Section("Variables", pictures(picture(partial(figures.side_by_side, found, [_marks(v) for v in found.variables]), words)))


def _near(found: Found) -> Iterator[Section]:
    made = [near for goal in range(len(_goals(found))) if (near := near_winner(found, goal))]
    if not made:
        return
    parts = []
    for near in made:
        rows = []
        unit = found.optimum.problem["goals"][near.goal]["unit"]
        scale = scale_of(unit, [side.value for one in near.effects for side in (one.less, one.more) if side])
        for one in near.effects:
            v = next(v for v in found.variables if v.name == one.name)
            way = "1" if v.whole else scale_of(v.unit, [one.way]).with_unit(one.way, 2)
            rows.append([code(one.name), way, *(_change(scale, v, side, found, sign * one.way) for sign, side in ((-1.0, one.less), (1.0, one.more)))])
        said = f"of {code(near.goal)}, {_setting(found, near.goal)}"
        fit = f"A fit to the {count(near.candidates)} candidates nearest to the winner; it explains {percent(max(near.explained, 0.0))} of their variance."
        parts.append(paragraph(f"Change {said}. {fit}") + table(("variable", "goes by", "down", "up"), rows, (1, 2, 3)))
    words = ("How the objective changes where one variable goes from the winner, and the others stay. The fit is of candidates that the search evaluated, with squares where they are "
             "enough, and a level for each number of draws; nothing was run for it. A variable goes by the spread of these candidates, a whole number by 1. Small: 95 % intervals of the fit; bold: told from 0. "
             "Where the fit explains little, only bold signs tell.")
    yield Section("Near the winner", "".join(parts) + paragraph(words, "note"))


def _change(scale: Scale, v: Variable, side: "Change | None", found: Found, way: float) -> str:
    if side is not None:
        return _signed(scale, side.value, side.low, side.high)
    value = v.number(found.optimum.best.variables[v.name]) + way
    return "end of the range" if not v.low <= value <= v.high else "–"


# --- how it went ------------------------------------------------------------------------------------------------------------


def _history(found: Found) -> Section:
    goal = _goals(found)[0]
    two = len(_goals(found)) == 2
    scale = Scale(1.0, "") if two else _scale(found, goal)
    label = "hypervolume of the front" if two else f"best {goal}{f' [{scale.unit}]' if scale.unit else ''}"
    words = ("Top: the area between the front that was known and a fixed point, the larger, the better. " if two else
             "Top: the best value that was known, with its interval on the draws of the search, among which luck was chosen too; the dot is the winner on fresh draws, for which a fifth of the budget is kept. ")
    words += "Middle: how many candidates of each generation hold the limits. Bottom: draws of each candidate, which grow where the better half cannot be told apart."
    drawn = picture(partial(figures.history, found, scale.factor, label), words) if found.optimum.history else ""
    return Section("How the search went", beside(drawn, facts(_facts(found))))


def _facts(found: Found) -> Iterator[tuple[str, str]]:
    made = found.optimum
    last = made.history[-1] if made.history else {}
    yield "Candidates", count(found.evaluated)
    yield "Generations, runs", f"{count(last.get('generation', 0))}, {count(last.get('run', 0))}"
    yield "Instances", count(made.spent)
    yield "Time", f"{duration(made.elapsed)}, {percent(made.integrating / made.elapsed if made.elapsed > 0 else math.nan, 2)} of it integrating"
    yield "Why it ended", text(ENDED.get(made.ended, made.ended))
    yield "Seed", text(made.seed)
    yield "Program", f"omniroll {text(found.version)}"


def _again(found: Found) -> Section:
    name = os.path.basename(found.path)
    lines = [shlex.quote(study) for study in found.studies]
    words = paragraph("The same search again, or further with a larger <code>--budget</code> where its journal still lies beside the file:") + command(found.command)
    if lines:
        words += paragraph(f"The winner is the study {code(found.studies[0])}, with its values among the parameters and the draws that it was judged by"
                           + (f"; {code(found.studies[-1])} is the last of {count(len(lines))}" if len(lines) > 1 else "") + ":")
        words += command("\n".join(f"omniroll {verb} {lines[0]}" for verb in ("evaluate", "run", "show")))
    changes = "".join(f"\n--set {change}" for change in found.study.get("changes", []))
    source = json.dumps(found.study.get("source"), indent=2)
    words += details("The study in full", command(source + changes)) + paragraph(f"{code(name)} has every number of this page as JSON.", "note")
    return Section("How to repeat it", words)
