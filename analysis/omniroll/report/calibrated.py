"""The page of a file of omniroll calibrate: the verdict first, then the parameters, the runs, and how much the data say."""

from __future__ import annotations

import json
import os
from functools import partial
from typing import Any, Callable, Iterator

import numpy as np

from .. import calibration
from ..calibration import Calibration, Run
from . import vehicle
from .page import Section, asset, command, details, facts, page, paragraph, pictures, table, text
from .svg import picture
from .wording import code, counted, joined, number, scale_of, stacked

Maker = Callable[..., Any]
KINDS = {"against": "failed", "doubt": "warning", "note": ""}
COLORED = {"good": "good", "with reservations": "doubt", "negative": "bad"}
LISTED = 8  # parameters next to the verdict
FIRST = 3  # samples that the first picture has
DRAWN = 4  # runs that are drawn at once; the others open on demand


def html_of(path: str) -> str:
    """The page as text. Raises NotAResult."""
    found = calibration.open_calibration(path)
    title = json.loads(found.attrs["study"]).get("title") or os.path.basename(str(found.summary.get("study") or path))
    fitted = sum(run.use == "fit" for run in found.runs)
    words = f"{counted(len(found.posterior), 'parameter')} from {counted(fitted, 'measured run')}, {len(found.runs) - fitted} predicted"
    sections = [_answer(found), _parameters(found), *_runs(found), _identified(found), Section("About this calibration", facts(_facts(found))),
                _again(found)]
    return page(f"Calibration: {title}", paragraph(text(words)), sections, f"Made by omniroll from {text(os.path.basename(path))}")


def _answer(found: Calibration) -> Section:
    """The verdict in its colour, measured and predicted values side by side, and the reasons; the vehicle."""
    word = found.verdict[:1].upper() + found.verdict[1:]
    verdict = f'<ul class="keys"><li class="{COLORED[found.verdict]}"><span>Verdict</span><strong>{text(word)}</strong></li></ul>'
    why = "".join(paragraph(text(words), KINDS[weight]) for weight, words in found.findings)
    first = _drawn(_makers(found)[:1], FIRST)
    values = table(("parameter", "mean<br><small>middle 95 %</small>"), [_row(found, about)[:2] for about in found.summary["parameters"][:LISTED]], (1,))
    return Section("Answer", f'{verdict}<div class="beside"><div>{first}</div><div>{values}</div></div>{why}{vehicle.picture(found.attrs)}',
                   style=asset("answer.css"))


def _first_runs(found: Calibration) -> list[Run]:
    """Those that were kept apart before those that were fitted to: they are the test."""
    return sorted(found.runs, key=lambda run: run.use == "fit")[:DRAWN]


def _makers(found: Calibration) -> list[tuple[int, Maker]]:
    """Functions that draw measured and predicted values, and their numbers of samples: over time, of ends, spectra, orders and bins."""
    first = _first_runs(found)
    ends = len([one for one in first[0].summaries.values() if one.kind == "end"])
    return [*((len(run.samples), partial(calibration.draw_run, found, run.number)) for run in first if run.samples),
            *([(ends, partial(calibration.draw_ends, found))] if ends else []),
            *((len(others), partial(calibration.draw_summaries, found, run.number)) for run in first if (others := calibration.drawn_summaries(run)))]


def _drawn(makers: list[tuple[int, Maker]], most: int | None = None) -> str:
    return "".join(picture(partial(make, most=most), alt="measured and predicted") for _, make in makers)


def _row(found: Calibration, about: dict[str, object]) -> list[str]:
    """Mean with its interval, deviation, remaining part of the prior, and the most likely value with its deviation."""
    path, unit = str(about["path"]), str(about["unit"])
    values = found.posterior[path]
    spread = float(np.std(values))
    between = float(np.sqrt(abs(np.mean(values)) * spread))  # a unit in which both the value and its deviation are short to read
    scale = scale_of(unit, [between] if between > 0 else list(values))
    mean, low, high = scale.measured(float(np.mean(values)), float(np.quantile(values, 0.025)), float(np.quantile(values, 0.975)))
    left = about.get("left_of_prior")
    share = f"{100 * float(left):.0f} %" if isinstance(left, (int, float)) else "–"
    mode = [] if found.mode is None else [f"{scale.with_unit(found.mode.values[path], 5)}<br><small>deviation "
                                          f"{scale.with_unit(found.mode.deviations[path], 2)}</small>"]
    return [code(path), stacked(joined(mean, scale.unit), low, high), scale.with_unit(spread, 2), share, *mode]


def _parameters(found: Calibration) -> Section:
    rows = [_row(found, about) for about in found.summary.get("parameters", [])]
    words = ("Small: the middle 95 % of the points. Left of the prior: the deviation that is left of what was known before, in normal coordinates; "
             "at 100 % the data say nothing.")
    heads = ["parameter", "mean", "deviation", "left of the prior"]
    if found.mode is not None:
        heads.append("most likely")
        words += " Most likely: the top of the posterior, with the deviation by the Fisher matrix there."
    return Section("Parameters", table(heads, rows, (1, 2, 3, 4)) + paragraph(words, "note")
                   + pictures(picture(partial(calibration.draw_pairs, found), alt="points of the posterior, by pairs of parameters")))


def _table(found: Calibration) -> str:
    rows = []
    units = found.runs[0].units
    several = calibration.drawn_summaries(found.runs[0])
    for error in found.summary.get("errors", []):
        scale = scale_of(units[error["sample"]], [error["prior_rms"]])
        rows.append([code(error["file"]), "predicted" if error["held_out"] else "fitted to", code(error["sample"]), scale.with_unit(error["prior_rms"], 3),
                     scale.with_unit(error["rms_of_mean"], 3), "–" if error["sample"] in several else scale.with_unit(error["end_of_mean"], 3), f"{100 * error['inside']:.0f} %"])
    return table(("run", "use", "sample", "error before", "error after", "at the end", "inside 90 %"), rows, (3, 4, 5, 6))


def _runs(found: Calibration) -> Iterator[Section]:
    words = ("Root mean square over time, or over the numbers of a spectrum, of orders or bins, of what was measured less what is predicted: before, of draws of the prior; after, of the mean of the points. "
             "Inside 90 %: measured values within the middle 90 % of what points and noise predict.")
    made = _makers(found)
    rest = made[1:] if made and made[0][0] <= FIRST else made  # the answer has the first
    yield Section("Measured and predicted", _table(found) + paragraph(words, "note") + pictures(_drawn(rest)))
    traced = [run for run in _first_runs(found) if run.samples]
    if traced:
        left = pictures(*(picture(partial(calibration.draw_residuals, found, run.number), alt=f"residuals of run {run.number}") for run in traced))
        yield Section("Residuals", details("Measured less predicted, over time", left))


def _identified(found: Calibration) -> Section:
    rows = [[f"{100 * each['left_of_prior']:.0f} %", number(each["singular_value"], 3), number(each["by_longer_steps"], 3) if "by_longer_steps" in each else "–",
             code(each["combination"])]
            for each in found.summary.get("directions", [])]
    words = ("Combinations of parameters, in deviations of their priors, from what the data say least of to what they say most of. "
             "Below a singular value of 1 the data say less than was known before. By longer steps: the same over steps three times as long; "
             "where it is much less, the model is not smooth.")
    return Section("What the data can tell", table(("left of the prior", "singular value", "by longer steps", "combination"), rows, (0, 1, 2)) + paragraph(words, "note"))


def _facts(found: Calibration) -> Iterator[tuple[str, str]]:
    yield "Points", str(len(next(iter(found.posterior.values()), ())))
    yield "Steps of the ensemble", str(found.summary.get("steps", "–"))
    yield "The prior against the data", f"{number(float(found.summary['prior_distance']), 3)} times as far off as it allows"
    if "log_evidence" in found.summary:
        yield "Logarithm of the evidence", number(float(found.summary["log_evidence"]), 6)
    if found.mode is not None:
        yield "Steps of the polish", f"{found.mode.steps}{'' if found.mode.at_rest else ', not at rest'}"
    yield "Version", text(found.attrs.get("omniroll_version", "?"))


def _again(found: Calibration) -> Section:
    name = os.path.basename(found.path)
    study = str(found.summary.get("study", "STUDY"))
    draws = f'"design": {{"type": "posterior", "file": "{name}", "instances": 1000, "seed": 1}}'
    return Section("Go on", paragraph("Another study draws from these points:") + command(draws) + paragraph("The same fit again:")
                   + command(f"omniroll calibrate {study} -o {name}") + paragraph("Whether its intervals hold what they say:")
                   + command(f"omniroll calibrate {study} --sbc 100"))
