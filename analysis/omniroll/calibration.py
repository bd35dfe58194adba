"""Parameters from measured runs, and the file that they come in: points of the posterior, measured runs with their predictions, and the
verdict; and its figures.

    found = omniroll.calibrate("calibrate.json", "points.h5")
    found = omniroll.calibration.open_calibration("points.h5")
    found.posterior["wheel.friction"].mean(), found.units["wheel.friction"], found.verdict, found.findings
    xarray.open_dataset("points.h5")                  # the same points, by xarray itself; group="run_0" for a run"""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

import h5py
import numpy as np

from .errors import NegativeError, NotAResult, UsageError
from .figures.style import COLORS, Skipped, page_figure, plain, pretty_unit, styled
from .library import CalibrateOptions, call, call_status, library
from .reading.result import Array, attributes, open_file, text
from .running.one_at_a_time import alone
from .running.progress import Progress, bar_for
from .running.study_input import StudyLike, assignments, loaded_of, path_bytes
from .running.watched import Watch

WEIGHTS = ("against", "doubt", "note")
MOST_PAIRS = 6  # parameters whose pairs are drawn


@dataclass(frozen=True)
class Summary:
    """The compared values of a sample that is no trace: its end, its spectrum, orders or bins. SI units."""

    kind: str  # "end", "spectrum", "orders", "bins"
    place: Array  # time in s, frequencies in Hz, orders, or middles of bins
    place_unit: str
    series: dict[str, Array]  # "measured", "low", "median", "high", one value for each place
    unit: str


@dataclass(frozen=True)
class Run:
    """A measured run: its file, its use ("fit" or "predict"), times in s and, of each sample, the measurement and the 5 %, 50 % and 95 % of
    the prediction, the noise of the measurement included. SI units."""

    number: int
    file: str
    use: str
    time: Array
    samples: dict[str, dict[str, Array]]  # "x" -> "measured", "low", "median", "high"
    units: dict[str, str]  # "x" -> "m"; of summaries too
    summaries: dict[str, Summary] = field(default_factory=dict)  # of the samples of which no trace is compared


@dataclass(frozen=True)
class Mode:
    """The most likely parameters (calibrate.polish) and their deviations by the Fisher matrix, by path, SI units; the covariance of the unknowns
    in standard normal coordinates of the prior, in the order of `unknowns`."""

    values: dict[str, float]
    deviations: dict[str, float]
    unknowns: list[str]
    covariance: Array
    log_evidence: float  # by Laplace's approximation
    steps: int
    at_rest: bool


@dataclass(frozen=True)
class Calibration:
    path: str
    attrs: dict[str, Any]
    verdict: str  # "good", "with reservations", "negative"
    findings: list[tuple[str, str]]  # weight, sentence; the heaviest first
    posterior: dict[str, Array]  # path -> values, one for each point
    units: dict[str, str]
    runs: list[Run]
    summary: dict[str, Any]  # the output of omniroll calibrate --json
    mode: Mode | None = None  # None: without calibrate.polish

    def __repr__(self) -> str:
        points = len(next(iter(self.posterior.values()), ()))
        return f"<omniroll Calibration {self.path!r}: {self.verdict}, {points} points of {', '.join(self.posterior)}, {len(self.runs)} runs>"

    def inference_data(self) -> Any:
        """The posterior as an arviz.InferenceData: one chain of the points, a variable for each path (SI units in its attribute). Raises
        UsageError where ArviZ is not installed.

        >>> arviz.plot_pair(omniroll.calibration.open_calibration("points.h5").inference_data())
        """
        try:
            import arviz
        except ImportError as error:
            raise UsageError(f"the library arviz is not installed: pip install arviz ({error})") from None
        found = arviz.from_dict(posterior={name: values[np.newaxis, :] for name, values in self.posterior.items()})
        for name, unit in self.units.items():
            found.posterior[name].attrs["units"] = unit
        return found


def is_calibration(path: str | os.PathLike[str]) -> bool:
    """Whether the file is one of omniroll calibrate."""
    if not os.path.isfile(path) or not h5py.is_hdf5(path):
        return False
    return open_file(path, lambda _, file: bool(text(file.attrs.get("kind", "")) == "calibration"))


PLACES = {"end": "time", "spectrum": "frequency", "orders": "order", "bins": "bin"}


def _series(group: Any) -> tuple[dict[str, dict[str, Array]], dict[str, str]]:
    """Arrays of each sample in a group, and its unit."""
    samples: dict[str, dict[str, Array]] = {}
    units: dict[str, str] = {}
    for member, data in group.items():
        sample, _, what = member.rpartition("_")
        if sample and isinstance(data, h5py.Dataset):
            samples.setdefault(sample, {})[what] = data[()]
            if what == "measured":
                units[sample] = text(data.attrs.get("units", ""))
    return samples, units


def _summaries(run: Any) -> dict[str, Summary]:
    found = {}
    for kind, place in PLACES.items():
        if kind not in run:
            continue
        samples, units = _series(run[kind])
        for name, series in samples.items():
            over = run[kind]["time" if kind == "end" else f"{name}_{place}"]
            series.pop(place, None)
            found[name] = Summary(kind, over[()], text(over.attrs.get("units", "")), series, units[name])
    return found


def _run(name: str, group: Any) -> Run:
    samples, units = _series(group)
    summaries = _summaries(group)
    units.update({sample: one.unit for sample, one in summaries.items()})
    return Run(int(name.removeprefix("run_")), text(group.attrs["file"]), text(group.attrs["use"]), group["time"][()], samples, units, summaries)


def _mode(summary: dict[str, Any]) -> Mode | None:
    mode = summary.get("mode")
    if mode is None:
        return None
    return Mode({row["path"]: row["value"] for row in mode["parameters"]}, {row["path"]: row["deviation"] for row in mode["parameters"]},
                [row["path"] for row in mode["coordinates"]], np.array([row["covariance"] for row in mode["coordinates"]]),
                mode["log_evidence"], int(mode["steps"]), mode["at_rest"])


def open_calibration(path: str | os.PathLike[str]) -> Calibration:
    """Reads a file of omniroll calibrate. Raises NotAResult."""
    path = os.fspath(path)
    if not is_calibration(path):
        raise NotAResult(f"{path}: is no file of omniroll calibrate (omniroll calibrate STUDY -o FILE.h5 writes one)")
    return open_file(path, _read)


def _read(path: str, file: h5py.File) -> Calibration:
    points = {name: data for name, data in file.items() if isinstance(data, h5py.Dataset) and text(data.attrs.get("role", "")) == "parameter"}
    findings = [(text(weight), text(words)) for weight, words in zip(file["weights"][()], file["findings"][()])] if "findings" in file else []
    runs = [_run(name, group) for name, group in file.items() if name.startswith("run_")]
    summary = json.loads(text(file.attrs["summary"]))
    return Calibration(path, attributes(file), text(file.attrs["verdict"]), sorted(findings, key=lambda one: WEIGHTS.index(one[0])),
                       {name: data[()] for name, data in points.items()},
                       {name: text(data.attrs.get("units", "")) for name, data in points.items()},
                       sorted(runs, key=lambda run: run.number), summary, _mode(summary))


def fit(study: StudyLike, output: str | os.PathLike[str], *, progress: Progress = None, restart: bool = False,
        set: Mapping[str, Any] | None = None, **overrides: Any) -> Calibration:  # noqa: A002
    """Fits the varied parameters of a study to its measured runs, as `omniroll calibrate STUDY -o OUTPUT` does, and gives the result.

    output    the file of points and predictions, which the design "posterior" and omniroll.report take; it ends in .h5
    progress  as of omniroll.run; a function is called with the rounds of the ensemble that are done, and all of them as far as they are known
    restart   forgets what OUTPUT.journal keeps of a fit that was stopped or killed; without it the same call goes on there

    >>> found = omniroll.calibrate("studies/calibrate.json", "points.h5")
    >>> found.verdict, found.posterior["wheel.friction"].mean(), omniroll.report(found.path)

    Raises NegativeError, with the Calibration, if there is one, as its attribute result, where the verdict is negative; the other errors and arguments are
    as of omniroll.run. OUTPUT.journal keeps a fit that is stopped."""
    path, loaded, made = os.fspath(output), loaded_of(study, assignments(set, overrides)), ctypes.c_void_p()
    call("omr_check_output", path_bytes(path), loaded.path)
    watch = Watch(bar_for(progress))
    options = CalibrateOptions(ctypes.sizeof(CalibrateOptions), False, watch.callback, None, path_bytes(path + ".journal"), restart, False)
    with alone():
        try:
            watch.judge(*watch.call("omr_calibrate_create", loaded.handle, ctypes.byref(options), ctypes.byref(made)))
            call("omr_calibrate_write", made, path_bytes(path))
            word, message = call_status("omr_calibrate_verdict", made)
        finally:
            library().omr_calibrate_destroy(made)
    found = open_calibration(path)
    if word == "negative":
        negative = NegativeError(message)
        negative.result = found
        raise negative
    watch.judge(word, message)
    return found


def _shown(unit: str, values: Array) -> tuple[float, str]:
    """The factor and the unit with which values are shown."""
    largest = float(np.nanmax(np.abs(values))) if len(values) else 0.0
    if unit == "rad":
        return 180 / np.pi, "deg"
    if unit == "m" and largest < 0.5:
        return 1e3, "mm"
    return 1.0, pretty_unit(unit)


def _of(found: Calibration, number: int) -> Run:
    """A run that has traces. Raises Skipped."""
    run = next((run for run in found.runs if run.number == number), None)
    if run is None:
        raise Skipped(f"there is no run {number}; there are: {', '.join(str(one.number) for one in found.runs)}")
    if not run.samples:
        raise Skipped(f"run {number} has no traces: ends, spectra, orders or bins of it are compared")
    return run


def _titled(figure: Any, run: Run) -> Any:
    figure.page_title = f"{run.file} ({'fitted to' if run.use == 'fit' else 'predicted'})"
    return figure


def _legend_above(axes: Any, columns: int) -> None:
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, frameon=False, borderaxespad=0.2)


@styled  # type: ignore[misc]
def draw_run(found: Calibration, number: int, most: int | None = None) -> Any:
    """A run: the measurement, and the band of 90 % of the predictions, sample by sample over time; most: of so many samples."""
    run = _of(found, number)
    shown = dict(list(run.samples.items())[:most])
    figure = page_figure(len(shown) + 0.7)
    panels = np.atleast_1d(figure.subplots(len(shown), 1, sharex=True))
    for axes, (name, series) in zip(panels, shown.items()):
        factor, unit = _shown(run.units[name], series["measured"])
        axes.fill_between(run.time, factor * series["low"], factor * series["high"], color=COLORS[0], alpha=0.25, linewidth=0, label="90 % of predictions")
        axes.plot(run.time, factor * series["median"], color=COLORS[0], linewidth=1, label="their median")
        axes.plot(run.time, factor * series["measured"], color=COLORS[1], linewidth=1, linestyle="--", label="measured")
        axes.set_ylabel(f"{name} in {unit}" if unit else name)
    panels[-1].set_xlabel("time in s")
    _legend_above(panels[0], 3)
    return _titled(figure, run)


@styled  # type: ignore[misc]
def draw_residuals(found: Calibration, number: int) -> Any:
    """The measurement less the median of the predictions, with the band."""
    run = _of(found, number)
    figure = page_figure(len(run.samples) + 0.5)
    panels = np.atleast_1d(figure.subplots(len(run.samples), 1, sharex=True))
    for axes, (name, series) in zip(panels, run.samples.items()):
        factor, unit = _shown(run.units[name], series["measured"] - series["median"])
        axes.fill_between(run.time, factor * (series["low"] - series["median"]), factor * (series["high"] - series["median"]),
                          color=COLORS[0], alpha=0.25, linewidth=0)
        axes.plot(run.time, factor * (series["measured"] - series["median"]), color=COLORS[1], linewidth=1)
        axes.axhline(0, color="#444444", linewidth=0.6)
        axes.set_ylabel(f"{name} in {unit}" if unit else name)
    panels[-1].set_xlabel("time in s")
    figure.page_title = f"Measured less predicted, {run.file}"
    return figure


WHAT = {"spectrum": "ln of power", "orders": "ln of mean square", "bins": "mean"}
OVER = {"spectrum": "frequency", "orders": "order", "bins": "middle of the bin"}
MOST_TICKS = 8


def drawn_summaries(run: Run) -> dict[str, Summary]:
    """Samples of several numbers; an end is one, and stands in the table."""
    return {name: one for name, one in run.summaries.items() if one.kind != "end"}


@styled  # type: ignore[misc]
def draw_summaries(found: Calibration, number: int, most: int | None = None) -> Any:
    """Spectra, orders and bins of a run, so many at most: the measurement, and the range of 90 % of the predictions."""
    run = next(run for run in found.runs if run.number == number)
    shown = dict(list(drawn_summaries(run).items())[:most])
    if not shown:
        raise Skipped(f"run {number} has no spectra, orders or bins that are compared")
    figure = page_figure(1.6 * len(shown) + 0.5)
    panels = np.atleast_1d(figure.subplots(len(shown), 1))
    for axes, (name, one) in zip(panels, shown.items()):
        factor, unit = _shown(one.unit, one.series["measured"])
        across, across_unit = _shown(one.place_unit, one.place) if one.kind == "bins" else (1.0, pretty_unit(one.place_unit))
        low, middle, high = (factor * one.series[key] for key in ("low", "median", "high"))
        axes.errorbar(across * one.place, middle, (middle - low, high - middle), fmt="o", color=COLORS[0], markersize=4, capsize=3,
                      label="90 % of predictions, median")
        axes.plot(across * one.place, factor * one.series["measured"], "x", color=COLORS[1], markersize=7, markeredgewidth=1.5, zorder=4, label="measured")
        if one.kind == "spectrum":
            axes.set_xscale("log", base=2)
        if len(one.place) <= MOST_TICKS:
            axes.set_xticks(across * one.place, [f"{across * place:.3g}" for place in one.place])
            axes.minorticks_off()
        axes.set_xlabel(f"{OVER[one.kind]} in {across_unit}" if across_unit not in ("", "1") else OVER[one.kind])
        axes.set_ylabel(plain(f"{name}\n{WHAT[one.kind]}" + (f" in {unit}" if unit not in ("", "1") else "")), fontsize=8)
    _legend_above(panels[0], 2)
    return _titled(figure, run)


@styled  # type: ignore[misc]
def draw_ends(found: Calibration, most: int | None = None) -> Any:
    """The ends of all runs, predicted over measured: on the line both are alike. most: of so many samples."""
    from matplotlib.ticker import MaxNLocator

    names = [name for name, one in found.runs[0].summaries.items() if one.kind == "end"][:most]
    if not names:
        raise Skipped("no ends of runs are compared")
    rows = -(-len(names) // 3)
    figure = page_figure(2.2 * rows + 0.4)
    panels = figure.subplots(rows, min(3, len(names)), squeeze=False)
    for axes, name in zip(panels.flat, names):
        factor, unit = _shown(found.runs[0].units[name], np.concatenate([run.summaries[name].series["measured"] for run in found.runs]))
        for use, words, color in (("fit", "fitted to", COLORS[5]), ("predict", "predicted", COLORS[0])):
            runs = [run.summaries[name].series for run in found.runs if run.use == use]
            measured, low, middle, high = (factor * np.array([one[key][0] for one in runs]) for key in ("measured", "low", "median", "high"))
            axes.errorbar(measured, middle, (middle - low, high - middle), fmt="o", color=color, markersize=3.5, elinewidth=1, label=words)
        axes.axline((0, 0), slope=1, color="#444444", linewidth=0.8, zorder=1)
        axes.set(xlabel=f"{name} in {unit}" if unit else name)
        axes.xaxis.set_major_locator(MaxNLocator(3))
    for axes in panels.flat[len(names):]:
        axes.set_visible(False)
    for row in panels:
        row[0].set_ylabel("predicted")
    figure.supxlabel("measured", fontsize=10)
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="upper left", ncols=2, frameon=False, borderaxespad=0)
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - 0.25 / figure.get_figheight()))
    figure.page_title = f"Ends of {len(found.runs)} runs; bars: 90 % of predictions"
    return figure


def _labelled(name: str, unit: str, values: Array) -> tuple[float, str]:
    factor, unit = _shown(unit, values)
    return factor, plain(f"{name}\nin {unit}" if unit not in ("", "1") else name)


@styled  # type: ignore[misc]
def draw_pairs(found: Calibration, names: Sequence[str] | None = None) -> Any:
    """Points of the posterior: histograms of single parameters, and pairs below the diagonal."""
    from matplotlib.figure import Figure

    shown = list(names or found.posterior)[:MOST_PAIRS]
    count = len(shown)
    figure = Figure(figsize=(1.6 * count + 1.0, 1.6 * count + 0.6), layout="constrained")
    panels = figure.subplots(count, count, squeeze=False)
    for row, below in enumerate(shown):
        for column, beside in enumerate(shown):
            axes = panels[row][column]
            if column > row:
                axes.set_axis_off()
                continue
            across, label = _labelled(beside, found.units[beside], found.posterior[beside])
            if row == column:
                axes.hist(across * found.posterior[beside], bins=20, color=COLORS[0], alpha=0.7)
                axes.set_yticks([])
            else:
                up, _ = _labelled(below, found.units[below], found.posterior[below])
                axes.plot(across * found.posterior[beside], up * found.posterior[below], ".", color=COLORS[0], markersize=2, alpha=0.6)
            axes.tick_params(labelsize=8, labelbottom=row == count - 1, labelleft=column == 0 and row > 0)
            if row == count - 1:
                axes.set_xlabel(label, fontsize=8)
                axes.tick_params(axis="x", rotation=45)
            if column == 0 and row > 0:
                axes.set_ylabel(_labelled(below, found.units[below], found.posterior[below])[1], fontsize=8)
    figure.page_title = "Posterior" if len(found.posterior) == count else f"Posterior, {count} of {len(found.posterior)} parameters"
    return figure
