"""Single runs, and the telling ones of many: one traced instance after the other over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Iterator

import numpy as np

from ..figures.basic import has_wheels
from ..figures.style import Skipped
from ..reading.result import Result
from . import timelines
from .chosen import Chosen, chosen, missing
from .data import Data
from .page import Section, details, paragraph, pictures, table, text
from .svg import picture
from .wording import code, described, path_of, percent, quantity, value_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WHEELED = (timelines.path, timelines.body, timelines.slip, timelines.forces, timelines.relaxation, timelines.drives, timelines.exchanges,
           timelines.energy)
LARGEST_ERROR = 0.01  # of energy_error, beyond which the motion is not to be trusted
# Reasons that say no more than that the model has no such thing
NEVER = ("the model has no sample", "the model moves along a line")


def sections(data: Data) -> Iterator[Section]:
    """One section; where several instances are shown, all but the first open on demand."""
    shown = chosen(data)
    body = (_body(data, shown) if shown else "") + _nominal(data.result.nominal, not shown)
    if body:
        yield Section("Over time" if data.result.total == 1 else "Instances over time", body)


def _nominal(result: Result | None, opened: bool) -> str:
    """The vehicle that is no instance."""
    if result is None or not result.trajectories:
        return ""
    one = Chosen(0, 0, 0, "")
    values = [f"{code(path_of(name, result))} {value_of(name, column[0], result)}" for name, column in result.parameters.items()]
    words = paragraph("It is no instance of the design: base values, and of a varied parameter without one its median"
                      + (": " + ", ".join(values) if values else "") + ".", "note")
    return details("The nominal vehicle", words + _instance(result, one) + _observables(result, 0), opened)


def _body(data: Data, shown: list[Chosen]) -> str:
    parts = [_instance(data.result, one) for one in shown]
    if len(shown) == 1:
        return lost(data) + _choice(data, shown) + parts[0]
    heads = [_head(data.result, one) for one in shown]
    return lost(data) + _choice(data, shown) + "".join(details(head, part, at == 0) for at, (head, part) in enumerate(zip(heads, parts)))


def lost(data: Data) -> str:
    """What was asked for and cannot be shown."""
    numbers = missing(data)
    return paragraph(f"Not traced, so not shown: {', '.join(map(str, numbers))}.", "note") if numbers else ""


def _choice(data: Data, shown: list[Chosen]) -> str:
    """Why these."""
    result = data.result
    if result.total == 1 or data.choices.instances is not None:
        return ""
    traced = "one" if len(result.traced) == 1 else f"{len(result.traced)}"
    return paragraph(f"Of {result.total} instances {traced} {'was' if traced == 'one' else 'were'} traced; shown: "
                     + text("; ".join(f"{one.instance}" + (f" ({one.why})" if one.why else "") for one in shown)) + ".", "note")


def _head(result: Result, one: Chosen) -> str:
    status = "" if result.status[one.at] == 0 else f", {status_words(result, one.at)}"
    return f"Instance {one.instance}" + (f": {one.why}" if one.why else "") + status


def status_words(result: Result, at: int) -> str:
    """How and when an instance ended."""
    name = result.status_names.get(int(result.status[at]), str(result.status[at])).replace("_", " ")
    return f"{name} at {result.status_time[at]:.6g} s" if np.isfinite(result.status_time[at]) else name


def _instance(result: Result, one: Chosen) -> str:
    failed = "" if result.status[one.at] == 0 else paragraph(f"Failed: {text(status_words(result, one.at))}.", "failed")
    values = _observables(result, one.at) if result.total > 1 else ""
    return failed + _balance(result, one.at) + _varied(result, one.at) + _pictures(result, one.row) + values


def _balance(result: Result, at: int) -> str:
    """A warning where the run lost or made energy: the pictures then show no motion of the model."""
    error = abs(float(result.observables["energy_error"][at])) if "energy_error" in result.observables else 0.0
    if not error > LARGEST_ERROR:
        return ""
    return paragraph(f"The energies of this run do not balance: the error is {percent(error, 2)} of the largest of them (energy_error). "
                     "Most likely the step is too long for friction or rollers; halve it and compare.", "warning")


def _varied(result: Result, at: int) -> str:
    """The instance's values of the varied parameters."""
    values = [f"{code(path_of(name, result))} {value_of(name, result.parameters[name][at], result)}" for name in result.varied]
    return paragraph("With " + ", ".join(values) + ".") if values else ""


def _pictures(result: Result, row: int) -> str:
    """All pictures that the model has; for one that cannot be drawn, the reason."""
    makers: list[Callable[[], Figure]]
    if has_wheels(result):
        makers = [lambda make=make: make(result, row) for make in WHEELED]  # type: ignore[misc]
    else:
        makers = [lambda: timelines.path(result, row), *timelines.by_unit(result, row)]
    drawn, skipped = [], []
    for make in makers:
        try:
            drawn.append(picture(make))
        except Skipped as reason:
            skipped.append(str(reason))
    thinned = timelines.thinning(result, row)
    told = list(dict.fromkeys(reason for reason in skipped if not reason.startswith(NEVER)))
    notes = paragraph(text("; ".join(told).capitalize()) + ".", "note") if told else ""
    return pictures(*drawn) + notes + (paragraph(thinned, "note") if thinned else "")


def _observables(result: Result, at: int) -> str:
    """All values of the run of this instance; a single instance has them in a section of their own."""
    rows = [(described(result, name), quantity(values[at], result.units.get(name, "1"), 5))
            for name, values in result.observables.items() if np.isfinite(values[at])]
    return details("Observables of this instance", table(("observable", "value"), rows, (1,))) if rows else ""
