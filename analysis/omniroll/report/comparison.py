"""The page of a file of omniroll compare: the engine against the reference."""

from __future__ import annotations

import os
from functools import partial
from typing import Any, Iterator

import numpy as np

from .. import compare_file
from ..figures.style import Skipped
from ..reading.result import Array
from .page import Section, command, details, facts, page, paragraph, pictures, table, text
from .svg import picture
from .wording import code, counted, number, quantity, scale_of
from .words import listed

SHOWN = 3  # instances whose differences are drawn


def html_of(path: str) -> str:
    """The page as text. Raises NotAResult."""
    found = compare_file.open_pair(path)
    title = str(found.attrs.get("title") or os.path.basename(path))
    words = f"{counted(len(found.instances), 'instance')} · {text(found.attrs.get('model', '?'))} on the engine and on the reference"
    sections = [_verdict(found), *_differences(found), _table(found), Section("About this comparison", facts(_facts(found))), _again(found)]
    return page(title, paragraph(words), sections, f"Made by omniroll from {text(os.path.basename(path))}")


def _runs(found: compare_file.Pair) -> list[str]:
    """Runs at the study's step that have one at half of it."""
    return [name for name in found.fast if not name.endswith(compare_file.HALF) and name + compare_file.HALF in found.fast]


def _verdict(found: compare_file.Pair) -> Section:
    verdict = str(found.attrs.get("verdict", "not judged"))
    kind = ' class="bad"' if not verdict.startswith("agree") else ""
    head, _, rest = verdict.partition(";")
    told = f"<strong>{text(head[:1].upper() + head[1:])}</strong><small>{text(rest.strip())}</small>"
    keys = f'<ul class="keys"><li{kind}><span>Verdict</span>{told}</li></ul>'
    of, (_, finer) = "tolerance" if "tolerance" in found.attrs else "step", compare_file.steps(found.attrs)
    words = ("The reference integrates the same study as rigid bodies in maximal coordinates with constraints, and shares no equation with "
             f"the engine. The engine runs at the {of} h and at {finer}: their difference is the error of the step, that of {finer} and "
             "the reference what the models make differently.")
    if found.again:
        words += (" The reference is integrated twice, at two tolerances: their difference is its own error, beyond which nothing can be told.")
    return Section("Answer", keys + paragraph(words))


def _facts(found: compare_file.Pair) -> Iterator[tuple[str, str]]:
    attrs = found.attrs
    yield "Model", f"<code>{text(attrs.get('model', '?'))}</code>"
    if "tolerance" in attrs:
        yield "Tolerance h", number(float(attrs["tolerance"]), 3)
    else:
        yield "Step h", quantity(float(attrs.get("step", np.nan)), "s")
    yield "Simulated time", quantity(float(attrs.get("duration", np.nan)), "s")
    yield "Instances", ", ".join(map(str, found.instances[:20])) + (" …" if len(found.instances) > 20 else "")
    yield "Runs of the engine", ", ".join(code(name) for name in _runs(found)) or "none"
    yield "Reference", text(found.reference.attrs.get("device", "–"))
    if found.again:
        tolerances = [number(float(side.attrs["tolerance"]), 3) for side in (found.reference, found.again)]
        yield "Its tolerances", " and, for its own error, ".join(tolerances)
    yield "Program", f"omniroll {text(attrs.get('omniroll_version', '?'))}"
    yield "Made", text(str(attrs.get("created", "–")).replace("T", " ").replace("Z", " UTC"))


def _differences(found: compare_file.Pair) -> Iterator[Section]:
    """Of some instances, of the first run of each precision: a figure for each unit."""
    runs = list({str(found.fast[name].attrs.get("precision")): name for name in reversed(_runs(found))}.values())[::-1]
    shown = [_of_run(found, int(instance), run) for instance in found.instances[:SHOWN] for run in runs]
    if shown:
        more, finer = len(found.instances) - SHOWN, compare_file.steps(found.attrs)[1]
        words = paragraph(f"Full lines: {finer} less reference, what the models make differently. Dotted lines: h less {finer}, the error of "
                          "the step. Of several wheels the largest difference.")
        note = paragraph(f"{counted(more, 'more instance')} in the file.", "note") if more > 0 else ""
        yield Section("Differences over time", words + "".join(shown) + note)


def _of_run(found: compare_file.Pair, instance: int, run: str) -> str:
    """A figure for each unit; a sentence on quantities without a difference."""
    shown, alike = [], []
    for unit, names in compare_file.units_of(found, instance).items():
        try:
            shown.append(picture(partial(compare_file.difference, found, instance, run, unit)))
        except Skipped:
            alike += names
    words = paragraph(f"No difference in {listed(map(code, alike))}.", "note") if alike else ""
    return f"<h3>Instance {instance}, {text(run)}</h3>" + pictures(*shown) + words


# --- table ----------------------------------------------------------------------------------------------------------------


def _table(found: compare_file.Pair) -> Section:
    words = ("Largest differences over instances, times and wheels, those beside an exchange of rollers included, where the two sides may "
             "have different rollers in contact and forces jump; the verdict leaves those out.")
    parts = [details(run, _run_table(found, run), at == 0) for at, run in enumerate(_runs(found))]
    return Section("Largest differences", paragraph(words, "note") + "".join(parts))


def _run_table(found: compare_file.Pair, run: str) -> str:
    part, (_, finer) = "part of the range", compare_file.steps(found.attrs)
    head: tuple[str, ...] = ("quantity", "unit", "range or size in the reference", f"models: {finer} less reference", part, f"step: h less {finer}", part)
    if found.again:
        head += ("reference: its own error", part)
    rows = [_row(found, run, name) for name in found.reference.samples if name in found.fast[run].samples and name != "roller"]
    return table(head, [row for row in rows if row], range(1, len(head)))


def _row(found: compare_file.Pair, run: str, name: str) -> list[str]:
    reference = found.reference.samples[name]
    if not np.isfinite(reference).any():
        return []
    whole, half = found.fast[run].samples[name], found.fast[run + compare_file.HALF].samples[name]
    extent = _extent(found, name)
    scale = scale_of(found.units.get(name, "1"), [extent])
    differences = [half - reference, whole - half, *([found.again.samples[name] - reference] if found.again else [])]
    cells = [cell for values in differences for cell in _cells(scale, values, extent)]
    return [code(name), text(scale.unit), scale.number(extent), *cells]


def _extent(found: compare_file.Pair, name: str) -> float:
    """The scale of differences, as in omniroll compare: the range of the quantity, or the largest size of its unit where that is a
    million times larger."""
    samples, unit = found.reference.samples, found.units.get(name, "1")
    alike = [samples[other] for other in samples if found.units.get(other, "1") == unit and np.isfinite(samples[other]).any()]
    size = max(float(np.nanmax(np.abs(values))) for values in alike)
    extent = float(np.nanmax(samples[name]) - np.nanmin(samples[name]))
    return extent if extent >= 1e-6 * size else size


def _cells(scale: Any, values: Array, extent: float) -> list[str]:
    largest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else float("nan")
    return [scale.number(largest, 2), number(largest / extent, 2) if extent > 0 else "–"]


def _again(found: compare_file.Pair) -> Section:
    source = str(found.attrs.get("study", ""))
    words = "With the study below saved as <code>study.json</code>:"
    return Section("How to reproduce it", paragraph(words) + command("omniroll compare study.json -o pair.h5\nomniroll report pair.h5")
                   + (details("The study in full", command(source)) if source else ""))
