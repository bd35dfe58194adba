"""What the study was and its key numbers."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from .. import lists
from ..designs import design_variables
from ..figures import meaning
from .data import Data
from .failed import MEANINGS
from .page import Section, details, facts, paragraph, table, text
from .summary import Criterion, by_status, confidence, criteria, differs, drawn, mean_interval, quantiles, used
from .notices import warnings
from .wording import (DESIGNS, LAWS, MODELS, code, columns_of, count, counted, duration, number, path_of, percent, quantity, scale_of, span,
                    value_of, values_of)

KEY_OBSERVABLES = 3
NOISE = 1e-9  # SI; what is below in all instances is zero but for rounding
FRICTION = lists.laws("friction")  # laws that a tolerance integrates by the linearly implicit pair
MAX_VARIED = 12  # rows of the table of what varies; more are opened on demand


def subtitle(data: Data) -> str:
    """The line below the title, as HTML."""
    created = str(data.result.attrs.get("created", ""))[:10]
    words = [counted(data.result.instances, "instance"), text(data.result.attrs.get("model", "model unknown")), text(created)]
    return paragraph(" · ".join(word for word in words if word))


def sections(data: Data) -> Iterator[Section]:
    yield Section("Overview", _description(data) + _keys(data) + warnings(data) + _varied(data) + facts(_facts(data)))


def _description(data: Data) -> str:
    told = data.study.get("description", "")
    lines = told if isinstance(told, list) else [told]
    return paragraph(text(" ".join(str(line) for line in lines))) if any(lines) else ""


# --- key numbers ----------------------------------------------------------------------------------------------------------


def _keys(data: Data) -> str:
    found = [_status_key(data), *_subset_keys(data), *(_criterion_key(data, criterion) for criterion in criteria(data.result))]
    shown = _shown(data)
    most = KEY_OBSERVABLES if data.result.instances > 1 else 2 * KEY_OBSERVABLES
    found += [_observable_key(data, name) for name in shown[:most] if len(used(data.result, name))]
    return f'<ul class="keys">{"".join(found)}</ul>'


def _shown(data: Data) -> list[str]:
    """Those that were asked for, otherwise those that differ by more than rounding."""
    names = [name for name in data.observables if name in data.result.observables]
    if data.choices.observables:
        return names
    if data.kind == "subset_simulation":  # its levels lead into failure: what they have in common says nothing
        return []
    telling = [name for name in names if differs(used(data.result, name)) and np.abs(used(data.result, name)).max() > NOISE]
    return telling or _single_observables(data)


def _single_observables(data: Data) -> list[str]:
    """Of one instance, or where all are alike: those that people ask for first."""
    from ..plot import PREFERRED

    result = data.result
    known = [name for name in PREFERRED if name in result.observables] + [name for name in result.observables if name not in PREFERRED]
    return [name for name in known if len(used(result, name)) and np.any(used(result, name) != 0)]


def _key(name: str, value: str, more: str = "", kind: str = "") -> str:
    attribute = f' class="{kind}"' if kind else ""
    return f"<li{attribute}><span>{name}</span><strong>{value}</strong>{f'<small>{more}</small>' if more else ''}</li>"


def _status_key(data: Data) -> str:
    counts = by_status(data.result)
    total, well = data.result.instances, counts.get("ok", 0)
    failed = [f"{count(found)} {text(name)}" for name, found in counts.items() if name != "ok"]
    if total == 1:
        name = next(iter(counts))
        return _key("The instance", "reached the end") if well else _key("The instance", text(name), text(MEANINGS.get(name, "")), "bad")
    if not failed:
        return _key("Reached the end", f"all {count(total)}", "no instance failed")
    return _key("Reached the end", f"{count(well)} of {count(total)}", "failed: " + ", ".join(failed), "" if well else "bad")


def _criterion_key(data: Data, criterion: Criterion) -> str:
    sure = number(100 * confidence(data.result), 4)
    ends = f"{sure} % interval {percent(criterion.low)} to {percent(criterion.high)}; "
    interval = ends if drawn(data.kind) or data.kind == "nested" else ""
    name = f"Probability of {text(criterion.name)}" if interval else f"Share with {text(criterion.name)}"
    if criterion.met + criterion.not_met == 0:
        return _key(name, "unknown", f"no instance has the values that decide <code>{text(criterion.text)}</code>")
    if data.kind == "nested":
        name += " over all cells"
    more = f"{interval}{count(criterion.met)} of {count(criterion.met + criterion.not_met)}: <code>{text(criterion.text)}</code>"
    return _key(name, percent(criterion.probability), f"{more}{_extreme_cells(data, criterion)}")


def _extreme_cells(data: Data, criterion: Criterion) -> str:
    """Cells of a nested design where the probability is smallest and largest."""
    statistics = data.result.statistics
    if "cell_probability" not in statistics:
        return ""
    column = [str(name) for name in statistics["criterion"]].index(criterion.name)
    values = np.asarray(statistics["cell_probability"][:, column], dtype=float)
    if not np.isfinite(values).any():
        return ""
    per_cell = data.result.instances // len(values)
    places = [("Smallest", int(np.nanargmin(values))), ("largest", int(np.nanargmax(values)))]
    return ". " + "; ".join(f"{word} {percent(values[cell])} at {_place(data, cell * per_cell)}" for word, cell in places)


def _subset_keys(data: Data) -> Iterator[str]:
    found: dict[str, Any] = data.result.statistics.get("subset", {}).get("attrs", {})
    if "probability" in found:
        low, high = (number(float(found.get(name, np.nan)), 3) for name in ("probability_low", "probability_high"))
        yield _key("Probability by subset simulation", number(float(found["probability"]), 3),
                   f"{number(100 * confidence(data.result), 4)} % interval {low} to {high}")


def _observable_key(data: Data, name: str) -> str:
    result = data.result
    unit, words = result.units.get(name, "1"), text(meaning(result, name))
    values = used(result, name)
    if len(values) == 1:
        return _key(f"<code>{text(name)}</code>", quantity(values[0], unit), words)
    low, middle, high = quantiles(values)
    if drawn(data.kind):
        mean = mean_interval(result, name)
        scale = scale_of(unit, [middle])
        more = f"90 % of the instances: {scale.span(low, high)}"
        if mean:
            more += f"; mean {scale.with_unit(mean[0])} ({number(100 * confidence(result), 4)} % interval {scale.span(mean[1], mean[2])})"
        return _key(f"Median of <code>{text(name)}</code>", quantity(middle, unit), f"{words}. {more}")
    return _key(f"<code>{text(name)}</code>", span(values.min(), values.max(), unit), f"{words}. {_extremes(data, name)}")


def _extremes(data: Data, name: str) -> str:
    """Where the smallest and the largest value are, of a design whose points were chosen."""
    result = data.result
    values = np.where(result.ok, result.observables[name], np.nan)
    places = [("Smallest", int(np.nanargmin(values))), ("largest", int(np.nanargmax(values)))]
    return "; ".join(f"{word} at {_place(data, row)}" for word, row in places)


def _place(data: Data, row: int) -> str:
    """The values of an instance's parameters, of a nested design those of its cell."""
    result = data.result
    names = (design_variables(result) or result.varied)[:3]
    words = [f"{text(path_of(name, result))} {value_of(name, result.parameters[name][row], result)}" for name in names]
    return ", ".join(words) or f"instance {row}"


# --- what varies ----------------------------------------------------------------------------------------------------------


def _varied(data: Data) -> str:
    rows = list(_varied_rows(data))
    if not rows:
        return ""
    head = ("varied parameter", "values", "smallest", "largest")
    shown = table(head, rows, (2, 3))
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
    found = np.concatenate([result.parameters[column] for column in columns])
    found = found[np.isfinite(found)]
    words = text(meaning(result, columns[0]))
    name = f"{code(path)}<br><small>{words}</small>"
    if not len(found):
        return name, values, "–", "–"
    scale = scale_of(result.units.get(columns[0], "1"), found[np.abs(found).argmax():][:1])
    return name, values, value_of(columns[0], found.min(), result, scale), value_of(columns[0], found.max(), result, scale)


# --- facts ----------------------------------------------------------------------------------------------------------------


def _facts(data: Data) -> Iterator[tuple[str, str]]:
    attrs, study = data.result.attrs, data.study
    model = str(attrs.get("model", "?"))
    wheels = counted(int(attrs["wheels"]), "wheel") if attrs.get("wheels") else ""
    yield "Model", f"<code>{text(model)}</code>{', ' + wheels if wheels else ''}{': ' + MODELS[model] if model in MODELS else ''}"
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
        yield "Law of contact", f"<code>{text(law)}</code>{': ' + LAWS[law] if law in LAWS else ''}"
    elif isinstance(contact, str):
        yield "Contact", text(contact)


def _design(data: Data) -> str:
    kind, design = data.kind, data.study.get("design")
    if kind == "grid" and data.result.instances == 1:
        kind = "single"
    words = DESIGNS["single"] if kind == "single" else f"<code>{text(kind)}</code>{': ' + DESIGNS[kind] if kind in DESIGNS else ''}"
    if kind == "nested" and isinstance(design, dict):
        words += f", by <code>{text(design.get('sample', '?'))}</code>, {text(design.get('per_cell', '?'))} instances per cell"
    seed = data.result.attrs.get("seed")
    seeded = f", seed {text(seed)}" if drawn(kind) or kind in lists.designs("cells", "groups", "adaptive") else ""
    return words if kind == "single" else f"{words}; {counted(data.result.instances, 'instance')}{seeded}"


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
