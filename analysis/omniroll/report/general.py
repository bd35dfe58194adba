"""The study: its description, varied parameters, model, design, integrator, machine. It stands behind the answer and its grounds."""

from __future__ import annotations

from textwrap import shorten
from typing import Any, Iterator

import numpy as np

from .. import lists
from ..figures.style import meaning
from ..reading import summed
from ..reading.result import Array, Result
from .data import Data
from .page import Section, details, facts, paragraph, table, text
from .summary import drawn
from .wording import code, columns_of, counted, duration, number, path_of, quantity, scale_of, value_of, values_of

SHORT = 200  # characters of the description below the title
FRICTION = lists.laws("friction")  # laws that a tolerance integrates by the linearly implicit pair
MAX_VARIED = 12  # rows of the table of varied parameters; more are opened on demand


def subtitle(data: Data) -> str:
    """The line below the title, as HTML: the head of the study's description."""
    words = _told(data)
    return paragraph(text(shorten(words, SHORT, placeholder=" …"))) if words else ""


def sections(data: Data) -> Iterator[Section]:
    words = _told(data)
    whole = paragraph(text(words)) if len(words) > SHORT else ""
    yield Section("About this study", whole + _varied(data) + facts(_facts(data)))


def _told(data: Data) -> str:
    told = data.study.get("description", "")
    return " ".join(" ".join(str(line) for line in (told if isinstance(told, list) else [told])).split())


# --- varied parameters ----------------------------------------------------------------------------------------------------


def _varied(data: Data) -> str:
    rows = list(_varied_rows(data))
    if not rows:
        return ""
    head = ("varied parameter", "values", "smallest", "largest")
    ended = data.result.summed and data.result.by_status.get("ok", 0) < data.result.total
    shown = table(head, rows, (2, 3), "Smallest and largest of the instances that reached the end" if ended else "")
    return details(f"{len(rows)} varied parameters", shown) if len(rows) > MAX_VARIED else shown


def _varied_rows(data: Data) -> Iterator[tuple[str, str, str, str]]:
    result, told = data.result, set()
    for entry in data.study.get("vary", []) or []:
        columns = columns_of(entry, result) if isinstance(entry, dict) else []
        if columns:
            told.update(columns)
            yield _varied_row(data, str(entry["path"]), columns, values_of(entry) + (", for each wheel" if len(columns) > 1 else ""))
    for column in result.parameters:
        if column not in told:
            levels = len(result.levels(column))
            yield _varied_row(data, path_of(column, result), [column], f"{counted(levels, 'value')}")


def _varied_row(data: Data, path: str, columns: list[str], values: str) -> tuple[str, str, str, str]:
    result = data.result
    found = np.concatenate([_known(result, column) for column in columns])
    found = found[np.isfinite(found)]
    words = text(meaning(result, columns[0]))
    name = f"{code(path)}<br><small>{words}</small>"
    if not len(found):
        return name, values, "–", "–"
    scale = scale_of(result.units.get(columns[0], "1"), found[np.abs(found).argmax():][:1])
    return name, values, value_of(columns[0], found.min(), result, scale), value_of(columns[0], found.max(), result, scale)


def _known(result: Result, column: str) -> Array:
    """The values of a parameter, or its ends where not all rows are kept."""
    ends = summed.of(result, column) if result.summed else None
    return result.parameters[column] if ends is None else np.array([ends.min, ends.max])


# --- facts ----------------------------------------------------------------------------------------------------------------


def _meaning(of: str, name: str) -> str:
    meaning = lists.meaning_of(of, name)
    return f": {text(meaning)}" if meaning else ""


def _facts(data: Data) -> Iterator[tuple[str, str]]:
    attrs, study = data.result.attrs, data.study
    model = str(attrs.get("model", "?"))
    wheels = counted(int(attrs["wheels"]), "wheel") if attrs.get("wheels") else ""
    yield "Model", f"<code>{text(model)}</code>{', ' + wheels if wheels else ''}{_meaning('models', model)}"
    yield from _law(study, model)
    yield "Design", _design(data)
    yield from _integration(data)
    yield from _machine(attrs)
    yield from _time(attrs)


def _contact(study: dict[str, Any]) -> Any:
    parameters = study.get("parameters")
    return parameters.get("contact") if isinstance(parameters, dict) else None


def _law_of(study: dict[str, Any], model: str) -> Any:
    contact = _contact(study)
    law = contact.get("law") if isinstance(contact, dict) else None
    return "saturated_coulomb" if law is None and model in ("omni_vehicle", "omni_wheel") and study else law


def _law(study: dict[str, Any], model: str) -> Iterator[tuple[str, str]]:
    law, contact = _law_of(study, model), _contact(study)
    if isinstance(law, str):
        yield "Law of contact", f"<code>{text(law)}</code>{_meaning('laws', law)}"
    elif isinstance(contact, str):
        yield "Contact", text(contact)


def _design(data: Data) -> str:
    kind, design = data.kind, data.study.get("design")
    if kind == "grid" and data.result.total == 1:
        kind = "single"
    words = "a single instance" if kind == "single" else f"<code>{text(kind)}</code>{_meaning('designs', kind)}"
    if kind in lists.designs("cells") and isinstance(design, dict):
        words += f", by <code>{text(design.get('sample', 'no sample'))}</code>, {text(design.get('per_cell', 1))} instances per cell"
    seed = data.result.attrs.get("seed")
    seeded = f", seed {text(seed)}" if drawn(kind) or kind in lists.designs("cells", "groups", "adaptive") else ""
    return words if kind == "single" else f"{words}; {counted(data.result.total, 'instance')}{seeded}{_kept(data.result)}"


def _kept(result: Result) -> str:
    if not result.summed:
        return ""
    return f"; {counted(result.instances, 'row')} {'is' if result.instances == 1 else 'are'} kept" if result.instances else "; no row is kept"


def _integration(data: Data) -> Iterator[tuple[str, str]]:
    attrs, study = data.result.attrs, data.study
    integrator: Any = study.get("integrator")
    method = integrator.get("method") if isinstance(integrator, dict) else None
    yield "Simulated time", quantity(float(attrs.get("duration", np.nan)), "s")
    if "tolerance" in attrs:
        pair = "ros34pw2" if _law_of(study, str(attrs.get("model"))) in FRICTION else "dormand_prince"
        yield "Integrator", f"<code>{text(method or pair)}</code>, steps that the tolerance {number(float(attrs['tolerance']), 3)} asks for"
    else:
        yield "Integrator", f"<code>{text(method or 'rk4')}</code>, step {quantity(float(attrs.get('step', np.nan)), 's')}"
    if len(data.result.traced):
        yield "Traced", f"{counted(len(data.result.traced), 'instance')}, {counted(len(data.result.time), 'time')} each"


def _machine(attrs: dict[str, Any]) -> Iterator[tuple[str, str]]:
    device = f"{text(attrs.get('backend', '?'))}, {text(attrs.get('device', '?'))}"
    yield "Ran on", device
    precision = [f"{text(attrs[name])} {name}" for name in ("precision", "numerics") if name in attrs]
    if attrs.get("rounding") == "device":
        precision.append("division and root rounded as the device does")
    yield "Numbers", ", ".join(precision) or "–"
    yield "Program", f"omniroll {text(attrs.get('omniroll_version', '?'))}"


def _time(attrs: dict[str, Any]) -> Iterator[tuple[str, str]]:
    created = str(attrs.get("created", "")).replace("T", " ").replace("Z", " UTC")
    if created:
        yield "Finished", text(created)
    wall, steps = float(attrs.get("wall_seconds", np.nan)), float(attrs.get("instance_steps", np.nan))
    if np.isfinite(wall):
        kernels = float(attrs.get("steps_per_second", np.nan))
        unit, what = ("passes", "passes") if "tolerance" in attrs else ("steps of instances", "instance-steps")
        if attrs.get("numerics") == "reference":
            unit, what = "steps of the reference", "steps"
        speed = f", {number(kernels, 3)} {what} per second in the kernels" if np.isfinite(kernels) and kernels > 0 else ""
        yield "Took", f"{duration(wall)} for {number(steps, 3)} {unit}{speed}"
