"""The answer of a single run: each criterion with its margin, and the observables that people ask for first, with the step's error."""

from __future__ import annotations

import numpy as np

from ..comparing import criteria
from ..reading import asked, designs
from ..reading.result import Result
from . import steps, words
from .data import Data
from .page import paragraph, table, text
from .wording import code, count, described, joined, percent, quantity, scale_of, stacked

SHOWN = 6  # observables, unless criteria name more
NOISE = 1e-9  # SI: smaller values are zero but for rounding


def answer(data: Data) -> str:
    """The values of one instance; of several that cannot be compared, the values that they share."""
    result = data.result
    names = _observables(data)
    rows = [_row(result, name) for name in names]
    several = result.instances > 1
    head = ["observable", "value"] + (["error by the step<br><small>its range</small>"] if steps.measured(result) and not several else [])
    return _verdict(result) + _criteria(result) + (table(head, rows, range(1, len(head))) if rows else "")


def _verdict(result: Result) -> str:
    found = {name: criteria.truth(result, name) for name in designs.criteria(result)}
    met = [name for name, truth in found.items() if truth is not None and truth[0] == 1]
    not_met = [name for name, truth in found.items() if truth is not None and truth[0] == 0]
    if result.instances > 1:
        return paragraph(_in_common(result), "answer")
    ending = "" if result.ok[0] else "The instance failed; the values are those at its end."
    if not found:
        return paragraph(ending or "The instance reached the end.", "answer")
    parts = [f"Meets {words.listed(map(code, met))}" if met else "", f"does not meet {words.listed(map(code, not_met))}" if not_met else ""]
    said = ", ".join(part for part in parts if part)
    return paragraph(f"{ending} {said[:1].upper() + said[1:]}." if said else ending or "No criterion can be decided.", "answer")


def _in_common(result: Result) -> str:
    """Of several instances that cannot be compared."""
    reached, several = int(np.sum(result.ok)), count(result.instances)
    if reached == 0:
        return "No answer: no instance reached the end."
    if reached == 1:
        return f"Nothing to compare: 1 of {several} instances reached the end."
    which = f"{several} instances" if reached == result.instances else f"{count(reached)} of {several} instances that reached the end"
    return f"Nothing tells the {which} apart."


def _criteria(result: Result) -> str:
    """Each criterion, met or not, and how far the observable is from its limit."""
    if result.instances > 1:
        return ""
    rows = []
    for name, source in designs.criteria(result).items():
        truth = criteria.truth(result, name)
        good = bool(truth is not None and truth[0] == 1) == designs.is_good(result, name)
        said = "unknown" if truth is None or not np.isfinite(truth[0]) else \
            f'<span class="{"good" if good else "bad"}">{"met" if truth[0] else "not met"}: {"good" if good else "bad"}</span>'
        margins = [margin(result, limit) for limit in criteria.limits(result, name)]
        rows.append([code(name), f"<code>{text(source)}</code>", said, "<br>".join(each for each in margins if each) or "–"])
    return table(["criterion", "condition", "", "margin"], rows) if rows else ""


def margin(result: Result, limit: criteria.Limit) -> str:
    """How far the one instance is from a limit: 12 mm below it (60 %)."""
    value = float(result.observables[limit.name][0])
    if not np.isfinite(value):
        return ""
    value = abs(value) if limit.absolute else value
    away = value - limit.value
    shown = scale_of(result.units.get(limit.name, "1"), [away]).with_unit(abs(away), 3)
    part = f" ({percent(abs(away / limit.value), 3)} of it)" if limit.value else ""
    return f"{code(limit.name)} {shown} {'above' if away > 0 else 'below'} the limit{part}"


def _observables(data: Data) -> list[str]:
    """Observables that the study or its criteria name, then the caller's, or the most usual ones that are not zero."""
    from ..plot import first_asked

    result = data.result
    named = list(dict.fromkeys([*(each.name for each in asked.asked(result)), *criteria.observables(result)]))
    more = data.choices.observables or \
        [name for name in first_asked(result) if np.nanmax(np.abs(np.append(result.observables[name], 0.0))) > NOISE]
    chosen = list(dict.fromkeys([*named, *more]))
    shown = chosen if data.choices.observables else chosen[:max(SHOWN, len(named))]
    return [name for name in shown if np.isfinite(result.observables[name]).any()]


def _row(result: Result, name: str) -> list[str]:
    values = result.observables[name][np.isfinite(result.observables[name])]
    value, unit = float(values[0]), result.units.get(name, "1")
    estimate = steps.of_mean(result, name)
    shown = described(result, name)
    if not steps.measured(result) or result.instances > 1:
        return [shown, quantity(value, unit, 3)]
    if estimate is None:
        return [shown, quantity(value, unit, 3), "–"]
    scale = scale_of(unit, [value])
    worst = max(abs(estimate.low), abs(estimate.high))
    value_words, _, _ = scale.measured(value, value - worst, value + worst, 3)
    small = scale_of(unit, (estimate.error, estimate.low, estimate.high))
    error, low, high = small.measured(estimate.error, estimate.low, estimate.high)
    return [shown, joined(value_words, scale.unit), stacked(joined(error, small.unit), low, high)]
