"""The instances that failed: how many, why, which, and how to look at one of them."""

from __future__ import annotations

import re
from typing import Any, Iterator

import numpy as np

from .. import lists
from .data import Data
from .page import Section, command, paragraph, table, text
from .rerun import alone, command_of
from .summary import failures
from .wording import bracketed, code, count, counted, path_of, percent, quantity, scale_of, value_of

# Remedies for an instance with a status.
REMEDIES = {
    "wheel_lifted": "An answer about the vehicle, unless the step was far too long: check it with half the step, or a tenth of the "
                    "tolerance. A lower centre of mass, a wider layout or gentler commands keep the wheels on the floor.",
    "diverged": "Shorten integrator.step or lower integrator.tolerance, or take the method rosenbrock, a larger slip_speed or "
                "heavier rollers; omniroll plan names the largest step that is stable. integrator.on_failure = retry_half_step "
                "runs such instances again with a shorter one.",
    "outside_model": "An answer about the vehicle: less friction or a lower centre of mass has a solution; of a disc or a "
                     "snakeboard, the motion ends there.",
    "too_many_exchanges": "Shorten integrator.step until a wheel turns by less than a roller in a step.",
    "invalid_parameters": "The reasons below name the parameter: narrow its values, or truncate its distribution.",
    "budget_spent": "Raise integrator.budget, or shorten the step where friction chatters; a larger integrator.tolerance "
                    "or a lower roller.bearing takes fewer passes.",
}
MEANINGS = lists.meanings()
SHOWN = 20  # rows of the table of instances
PARAMETERS = 8  # columns of it
REASONS = 8  # instances that are named with a reason


def sections(data: Data) -> Iterator[Section]:
    result = data.result
    if result.ok.all():
        return
    head = failed_head(int(np.sum(~result.ok)), result.instances)
    yield Section("Failed instances", head + _statuses(data) + _reasons(data) + _instances(data) + _look(data))


def failed_head(failed: int, total: int) -> str:
    """How many, and what became of them in the numbers."""
    return paragraph(f"{counted(failed, 'instance')} of {count(total)} ({percent(failed / total)}) did not reach the end. They are left out of "
                     "statistics and figures, but for criteria that mention the status.")


def _statuses(data: Data) -> str:
    """A card each, since on a phone the meaning would be out of a table's sight."""
    return f'<ul class="keys wide">{"".join(_status(data, name) for name in failures(data.result))}</ul>'


def _status(data: Data, name: str) -> str:
    result = data.result
    of_it = np.array([result.status_names.get(int(code)) == name for code in result.status])
    times = result.status_time[of_it]
    return card(name, int(of_it.sum()), result.instances, float(np.min(times[np.isfinite(times)], initial=np.inf)))


def card(name: str, found: int, total: int, earliest: float, more: str = "") -> str:
    """How many of all ended with a status, when the first of them where that is known, what it means, and what to do; `more` is HTML."""
    meaning = MEANINGS.get(name, "")
    when = f", earliest at {quantity(earliest, 's')}" if np.isfinite(earliest) and name != "invalid_parameters" else ""
    words = f"<p>{text(meaning[:1].upper() + meaning[1:])}.</p><p>{text(REMEDIES.get(name, ''))}</p>" if meaning else ""
    return (f"<li><span>{code(name)}</span><strong>{count(found)} of {count(total)}</strong>"
            f"<small>{percent(found / total)}{when}</small>{words}{more}</li>")


def _reasons(data: Data) -> str:
    """Why instances made no vehicle: each kind of reason once, as the first instance has it."""
    told: dict[int, str] = data.failures.attrs.get("invalid_reasons", {})
    if not told:
        first = data.result.attrs.get("first_invalid")
        return paragraph(f"The first invalid instance: {text(first)}") if first else ""
    groups: dict[str, list[int]] = {}
    for instance, reason in told.items():  # alike but for their numbers
        groups.setdefault(re.sub(r"[\d.]+(e[-+]?\d+)?", "#", reason), []).append(instance)
    rows = [[text(told[instances[0]]), _numbers(instances)]
            for instances in list(groups.values())[:SHOWN]]
    note = f"Of the first {len(told)} invalid instances" if len(told) >= 100 else ""
    head = ("reason, with the numbers of the first instance", "instances")
    return "<h3>Why parameters were invalid</h3>" + table(head, rows, caption=note)


def _numbers(instances: list[int]) -> str:
    more = len(instances) - REASONS
    return ", ".join(map(count, instances[:REASONS])) + (f" and {count(more)} more" if more > 0 else "")


# --- the instances --------------------------------------------------------------------------------------------------------


def _instances(data: Data) -> str:
    failures = data.failures
    rows = min(failures.sizes.get("instance", 0), SHOWN)
    if not rows:
        return ""
    parameters = [name for name in data.result.varied if name in failures][:PARAMETERS]
    state = [str(name) for name in failures.data_vars if name not in data.result.parameters and _is_state(failures[name])]
    columns = {name: failures[name] for name in (*parameters, *state)}
    scales: dict[str, Any] = {name: scale_of(column.attrs.get("units", "1"), column.values[:rows]) for name, column in columns.items()}
    shown = ["instance", "status", "time", *(code(path_of(name, data.result)) for name in parameters),
             *(f"{text(name)}{bracketed(scales[name].unit)}" for name in state)]
    lines = [_row(data, failures, row, parameters, state, scales) for row in range(rows)]
    total = failures.sizes["instance"]
    fewer = "" if len(parameters) == len(data.result.varied) else f"; the first {PARAMETERS} varied parameters"
    words = f"Time and state are the last good ones{fewer}."
    title = f"The first {count(rows)} of {count(total)}" if total > rows else "All of them"
    return f"<h3>{title}</h3>" + table(shown, lines, (0, 2, *range(3, len(shown))), words)


def _is_state(variable: Any) -> bool:
    other = ("status", "status_name", "status_time", "passes")
    return variable.dims == ("instance",) and variable.name not in other and bool(np.isfinite(variable).any())


def _row(data: Data, failures: Any, row: int, parameters: list[str], state: list[str], scales: dict[str, Any]) -> list[str]:
    status = str(failures.status_name.values[row])
    time = "–" if status == "invalid_parameters" else quantity(float(failures.status_time.values[row]), "s")
    values = [value_of(name, float(failures[name].values[row]), data.result, scales[name]) for name in parameters]
    return [count(failures.instance.values[row]), f"<code>{text(status)}</code>", time, *values,
            *(scales[name].number(float(failures[name].values[row]), 3) for name in state)]


def _look(data: Data) -> str:
    """How to run one of them again on its own: the first that ran at all."""
    ran = [int(k) for k, name in zip(data.failures.instance.values, data.failures.status_name.values) if name != "invalid_parameters"]
    line = command_of(data, ran[0]) if ran else None
    if line is None:
        return ""
    table_again = f"All rows of the table again, with instance {count(ran[0])} traced"
    what = f"Instance {count(ran[0])} again, alone and traced" if alone(data) else table_again
    words = f"{what} (<code>study.json</code>: the study, saved as said below):"
    return "<h3>Look at one of them</h3>" + paragraph(words) + command(line)
