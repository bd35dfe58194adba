"""The page of a file of omniroll calibrate: the verdict first, then the parameters, what the runs say, and what the data can tell."""

from __future__ import annotations

import os
from functools import partial
from typing import Iterator

import numpy as np

from .. import calibration
from ..calibration import Calibration
from .page import Section, command, details, facts, page, paragraph, pictures, table, text
from .svg import picture
from .wording import code, counted, number, scale_of

KINDS = {"against": "failed", "doubt": "warning", "note": ""}
DRAWN = 4  # runs that are drawn at once; the others open on demand


def html_of(path: str) -> str:
    """The page as text. Raises NotAResult."""
    found = calibration.open_calibration(path)
    title = str(found.summary.get("study") or os.path.basename(path))
    fitted = sum(run.use == "fit" for run in found.runs)
    words = f"{counted(len(found.posterior), 'parameter')} from {counted(fitted, 'measured run')}, {len(found.runs) - fitted} predicted"
    sections = [_answer(found), _parameters(found), *_runs(found), _identified(found), Section("About this calibration", facts(_facts(found))),
                _again(found)]
    return page(f"Calibration: {title}", paragraph(text(words)), sections, f"Made by omniroll from {text(os.path.basename(path))}")


def _answer(found: Calibration) -> Section:
    bad = ' class="bad"' if found.verdict == "negative" else ""
    keys = f'<ul class="keys"><li{bad}><span>Verdict</span><strong>{text(found.verdict[:1].upper() + found.verdict[1:])}</strong></li></ul>'
    return Section("Answer", keys + "".join(paragraph(text(words), KINDS[weight]) for weight, words in found.findings))


def _row(found: Calibration, about: dict[str, object]) -> list[str]:
    path, unit = str(about["path"]), str(about["unit"])
    values = found.posterior[path]
    spread = float(np.std(values))
    between = float(np.sqrt(abs(np.mean(values)) * spread))  # a unit in which both the value and its deviation are short to read
    scale = scale_of(unit, [between] if between > 0 else list(values))
    left = about.get("left_of_prior")
    share = f"{100 * float(left):.0f} %" if isinstance(left, (int, float)) else "–"
    mode = [] if found.mode is None else [f"{scale.number(found.mode.values[path], 5, found.mode.deviations[path])} ± {scale.with_unit(found.mode.deviations[path], 2)}"]
    return [code(path), scale.with_unit(float(np.mean(values)), 5), scale.with_unit(spread, 2),
            f"{scale.number(float(np.quantile(values, 0.025)), 5, spread)} to {scale.with_unit(float(np.quantile(values, 0.975)), 5)}", share, *mode]


def _parameters(found: Calibration) -> Section:
    rows = [_row(found, about) for about in found.summary.get("parameters", [])]
    words = ("95 %: the middle 95 % of the points. Left of the prior: the deviation that is left of what was known before, in normal coordinates; "
             "at 100 % the data say nothing.")
    heads = ["parameter", "mean", "deviation", "95 %", "left of the prior"]
    if found.mode is not None:
        heads.append("most likely")
        words += " Most likely: the top of the posterior, with the deviation by the Fisher matrix there."
    return Section("Parameters", table(heads, rows, (1, 2, 4, 5)) + paragraph(words, "note")
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
    first = sorted(found.runs, key=lambda run: run.use == "fit")  # what was kept apart is the test
    drawn = pictures(*(picture(partial(calibration.draw_run, found, run.number), alt=f"run {run.number} over time") for run in first[:DRAWN] if run.samples),
                     *(picture(partial(calibration.draw_summaries, found, run.number), alt=f"spectra, orders and bins of run {run.number}")
                       for run in first[:DRAWN] if calibration.drawn_summaries(run)))
    yield Section("Measured and predicted", _table(found) + paragraph(words, "note") + drawn)
    traced = [run for run in first[:DRAWN] if run.samples]
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
