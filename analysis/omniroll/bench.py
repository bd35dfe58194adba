"""Figures of the measurements of `omniroll bench`: python3 -m omniroll.plot bench.json [other.json ...]

Files are its --json or --csv. Several files compare: machines, or before and after. Every function takes them as a list of Bench."""

import csv
import json
import math
import os
import textwrap
from functools import partial

import numpy as np

from . import work_precision
from .errors import NotAResult
from .figures.style import COLORS, DASHES, Skipped, empty_figure, legend, plain, set_subtitle, styled

MARKERS = "osD^vP*Xph<>8d"
NUMBERS = ("lanes", "threads", "wheels", "rollers", "instances", "steps", "seconds", "spread", "steps_per_second",
           "operations_per_step", "flops", "fraction_of_peak", "bytes_per_step", "build_seconds", "transfer_seconds", "registers",
           "spill_bytes", "private_bytes", "fma_flops", "copy_bytes")
PRECISIONS = ("double", "single")
# Aims of the cost of 64 rollers, relative to 4, by the kind of the rows
ROLLER_AIMS = {"exchanges split": 1.1, "exchanges straddle": 1.05}


class Bench:
    """Rows and peaks as dictionaries; unknown values are NaN or None."""

    def __init__(self, path, rows, peaks, attrs, accuracy=None):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.rows = [_clean(row) for row in rows]
        self.peaks = [_clean(peak) for peak in peaks]
        self.attrs = attrs
        self.accuracy = accuracy if accuracy and not accuracy.get("error") else None  # as omniroll converge has it, with "speeds"

    def section(self, name):
        """The rows of a section that could be measured."""
        return [row for row in self.rows if row.get("section") == name and row["steps_per_second"] > 0]


def _number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def _clean(row):
    known = {key: value for key, value in row.items() if value not in (None, "")}
    known.update({key: _number(row.get(key)) for key in NUMBERS})
    return known


def is_bench(path):
    """Whether a file is one of omniroll bench; an unreadable one is not, nor a pipe, which would make it wait."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, encoding="utf-8") as file:
            start = file.read(4096).lstrip()
    except (OSError, UnicodeDecodeError):
        return False
    return start.startswith("section,") or (start.startswith("{") and '"omniroll"' in start)


def open_bench(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return _read_csv(path, file) if file.read(8) == "section," else _read_json(path, file)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise NotAResult(f"{path}: is no result of omniroll bench: {error}") from None


def _read_csv(path, file):
    file.seek(0)
    rows = list(csv.DictReader(file))
    peaks = [row for row in rows if row["section"] == "peak"]
    return Bench(path, [row for row in rows if row["section"] != "peak"], peaks, {"title": os.path.basename(path)})


def _read_json(path, file):
    file.seek(0)
    content = json.load(file)
    machine = content.get("machine", {})
    words = [machine.get("processor"), f"{machine['cores']} cores" if machine.get("cores") else None, machine.get("compiler"),
             f"omniroll {content['omniroll']}", str(content.get("date", ""))[:10]]
    if content.get("idle") is False:
        words.append("the machine was not idle")
    return Bench(path, content["rows"], content.get("peaks", []), {"title": ", ".join(word for word in words if word)},
                 content.get("accuracy"))


# --- shared by figures ----------------------------------------------------------------------------------------------------


def _in_page(figure):
    return hasattr(figure, "page_title")


def _start(benches, width, height, title):
    figure = empty_figure(benches[0], width, height, title)
    if _in_page(figure):  # a page says the rest in text, and has two of them side by side
        figure.set_size_inches(5.6, 0.8 * height)
        return figure
    words = [f"{_prefix(benches, bench)}{bench.attrs['title']}" for bench in benches]
    footer = "\n".join(textwrap.fill(text, int(15 * width), subsequent_indent="    ") for text in words)
    figure.supxlabel(plain(footer), fontsize=8, color="#666666", x=0.01, ha="left")
    return figure


def _one(benches, width, height, title):
    figure = _start(benches, width, height, title)
    return figure, figure.add_subplot()


def _require(benches, section):
    found = [(bench, bench.section(section)) for bench in benches]
    found = [(bench, rows) for bench, rows in found if rows]
    if not found:
        raise Skipped(f"no row of section {section} could be measured")
    return found


def _prefix(benches, bench):
    return f"{bench.name}: " if len(benches) > 1 else ""


def rate_text(value):
    """1234567.0 -> 1.23 M"""
    for limit, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= limit:
            return f"{value / limit:.3g}{letter}"
    return f"{value:.3g}"


def _whole_ticks(axis, values):
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    values = sorted(set(values))
    axis.set_major_locator(FixedLocator(values))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _by(rows, *keys):
    """Rows in groups of equal values of the keys, in the order of their first."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row.get(key) for key in keys), []).append(row)
    return groups


def _device(row):
    words = [row.get("backend", ""), row.get("isa") or textwrap.shorten(row.get("device", ""), 34, placeholder=" ...")]
    return " ".join(word for word in words if word)


# --- roofline -------------------------------------------------------------------------------------------------------------


def _short_name(row):
    """The row's name without its precision, which has a panel of its own."""
    return " ".join(str(row.get("name", "")).replace(row.get("precision", ""), "").replace(" ,", ",").split())


def _placed(row):
    return row["operations_per_step"] / row["bytes_per_step"] if row["bytes_per_step"] > 0 else math.nan


def _is_placed(row):
    return _placed(row) > 0 and row["flops"] > 0


def _roofs(bench, precision):
    """(device, peak) of the measured peaks that differ: of each device the one with most threads."""
    found = {}
    for peak in bench.peaks:
        if peak.get("precision") != precision or not peak["fma_flops"] > 0:
            continue
        name = _device(peak)
        if name not in found or peak["fma_flops"] > found[name]["fma_flops"]:
            found[name] = peak
    return found


def _draw_roof(axes, peak, span, **options):
    x = np.geomspace(*span, 300)
    roof = np.full_like(x, peak["fma_flops"])
    if peak["copy_bytes"] > 0:
        roof = np.minimum(roof, peak["copy_bytes"] * x)
    return axes.plot(x, roof, linewidth=1.4, **options)


def _peak_text(peak, roofs):
    """The arithmetic peak of a device; a backend's only one goes by the backend's name."""
    alone = not peak.get("isa") and sum(other.get("backend") == peak.get("backend") for other in roofs.values()) == 1
    return f"{peak['backend'] if alone else _device(peak)}, {peak['fma_flops'] / 1e9:.3g} GFLOP/s"


class _Look:
    """Colours by device, or by bench where there are several; markers by the rows' names."""

    def __init__(self, benches, rows):
        self.several = len(benches) > 1
        self.names = list(dict.fromkeys(_short_name(row) for row in rows))
        self.devices = []

    def marker(self, row):
        return MARKERS[self.names.index(_short_name(row)) % len(MARKERS)]

    def color(self, number, row):
        device = row.get("isa") or row.get("device") or row.get("backend")
        if device not in self.devices:
            self.devices.append(device)
        return COLORS[(number if self.several else self.devices.index(device)) % 8]


def _draw_roofline(axes, benches, precision, look, span):
    from matplotlib.ticker import FuncFormatter

    left_out = 0
    for number, bench in enumerate(benches):
        roofs = _roofs(bench, precision)
        for place, peak in enumerate(roofs.values()):
            _draw_roof(axes, peak, span, color=look.color(number, peak), linestyle=DASHES[place % 4],
                       label=plain(f"{_prefix(benches, bench)}{_peak_text(peak, roofs)}"))
        for row in bench.section("backends"):
            if row.get("precision") != precision:
                continue
            if not _is_placed(row):
                left_out += 1
                continue
            axes.plot(_placed(row), row["flops"], look.marker(row), color=look.color(number, row), markersize=8,
                      markeredgecolor="white", markeredgewidth=0.6)
    axes.set(xscale="log", yscale="log", xlabel="useful operations per byte")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1e9:g}"))
    rows = "1 row" if left_out == 1 else f"{left_out} rows"
    words = ["" if _in_page(axes.get_figure()) else f"{precision} precision", f"{rows} of unknown operations or bytes left out" if left_out else ""]
    set_subtitle(axes, "; ".join(word for word in words if word), 6.0)


def _roof_legend(axes, marks):
    """Below the axes, in two columns where names are short: the peaks (lines), then the rows (marks)."""
    lines, names = axes.get_legend_handles_labels()
    handles = [*lines, *(mark for mark in marks if mark.get_label() not in names)]
    short = max((len(each.get_label()) for each in handles), default=0) <= 34
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(-0.08, -0.14), frameon=False, ncol=2 if short else 1, columnspacing=1.0,
                handlelength=1.5, labelspacing=0.35)


@styled
def roofline(benches, precision=None):
    """Operations per second over operations per byte, below the measured peaks: of one precision, or a panel for each."""
    from matplotlib.lines import Line2D

    rows = [row for _, rows in _require(benches, "backends") for row in rows if _is_placed(row) and precision in (None, row.get("precision"))]
    if not rows:
        raise Skipped("no row of section backends has both operations and bytes per step")
    precisions = [each for each in PRECISIONS if any(row.get("precision") == each for row in rows)]
    look = _Look(benches, rows)
    figure = _start(benches, 6.0 * len(precisions), 7.4, f"Roofline{f', {precision} precision' if precision else ''}")
    panels = np.atleast_1d(figure.subplots(1, len(precisions), sharex=True, sharey=True))
    places = [_placed(row) for row in rows]
    span = (min(0.5, min(places) / 2), max(places) * 3)
    for axes, each in zip(panels, precisions):
        _draw_roofline(axes, benches, each, look, span)
    panels[0].set_ylabel("useful operations per second [GFLOP/s]")
    for axes, each in zip(panels, precisions):
        own = {_short_name(row): row for row in reversed(rows) if row.get("precision") == each}
        _roof_legend(axes, [Line2D([], [], marker=look.marker(own[name]), linestyle="none", markersize=7, label=plain(name),
                                   color="#555555" if look.several else look.color(0, own[name])) for name in look.names if name in own])
    return figure


# --- scaling --------------------------------------------------------------------------------------------------------------


@styled
def over_instances(benches):
    """Steps per second over the number of instances."""
    figure, axes = _one(benches, 8.0, 5.0, "Throughput over the number of instances")
    found = _require(benches, "instances")
    lines = 0
    for bench, rows in found:
        for (backend, _, _, precision), group in _by(rows, "backend", "device", "isa", "precision").items():
            group.sort(key=lambda row: row["instances"])
            axes.plot([row["instances"] for row in group], [row["steps_per_second"] for row in group], color=COLORS[lines % 8],
                      linestyle=DASHES[lines % 8], marker="o", markersize=4.5,
                      label=plain(f"{_prefix(benches, bench)}{_device(group[0])}, {precision}"))
            lines += 1
    low, high = axes.get_ylim()
    first = found[0][1][0]
    x = np.array([first["instances"], high / first["steps_per_second"] * first["instances"]])
    axes.plot(x, first["steps_per_second"] * x / x[0], color="#AAAAAA", linewidth=1.0, linestyle=":", label="proportional")
    axes.set(xscale="log", yscale="log", xlabel="instances", ylabel="instance-steps per second")
    axes.set_ylim(min(row["steps_per_second"] for _, rows in found for row in rows) / 2,
                  max(row["steps_per_second"] for _, rows in found for row in rows) * 2)
    axes.legend(loc="lower right")
    return figure


@styled
def over_threads(benches):
    """Steps per second over the number of threads, relative to the smallest number."""
    figure, axes = _one(benches, 6.6, 4.8, "Gain of threads")
    counts = set()
    for number, (bench, rows) in enumerate(_require(benches, "threads")):
        for place, ((precision,), group) in enumerate(_by(rows, "precision").items()):
            group.sort(key=lambda row: row["threads"])
            first, threads = group[0], [row["threads"] for row in group]
            counts.update(threads)
            one = f"{first['threads']:g} thread" + ("s" if first["threads"] > 1 else "")
            gain = [row["steps_per_second"] / first["steps_per_second"] * first["threads"] for row in group]
            words = f"{_prefix(benches, bench)}{precision}, {rate_text(first['steps_per_second'])} steps/s on {one}"
            axes.plot(threads, gain, color=COLORS[(number if len(benches) > 1 else place) % 8], linestyle=DASHES[place % 8],
                      marker="os"[place % 2], markersize=5, label=plain(words))
    most = max(counts)
    if most == min(counts):
        raise Skipped("there is one number of threads")
    axes.plot([min(counts), most], [min(counts), most], color="#AAAAAA", linewidth=1.0, linestyle=":", label="proportional")
    if most > 8:
        axes.set(xscale="log", yscale="log")
        _whole_ticks(axes.yaxis, [2.0 ** k for k in range(int(math.log2(most)) + 1)])
        _whole_ticks(axes.xaxis, [2.0 ** k for k in range(int(math.log2(most)) + 1)] + [most])
    else:
        _whole_ticks(axes.xaxis, counts)
        axes.set_ylim(bottom=0)
    axes.set(xlabel="threads", ylabel="instance-steps per second\nrelative to one thread")
    axes.legend(loc="upper left")
    return figure


def _costs(rows):
    """Time per step of each row relative to the first."""
    return [rows[0]["steps_per_second"] / row["steps_per_second"] for row in rows]


@styled
def over_rollers(benches):
    """Time per step over the number of rollers, relative to the smallest, with the aims."""
    figure, axes = _one(benches, 7.4, 4.8, "Cost of rollers: time per step over rollers per wheel")
    found = _require(benches, "rollers")
    drawn, numbers = {}, set()
    for number, (bench, rows) in enumerate(found):
        kinds = {}
        for row in rows:
            kinds.setdefault(row["name"].partition(", ")[2], []).append(row)
        for kind, group in kinds.items():
            group.sort(key=lambda row: row["rollers"])
            place = drawn.setdefault(kind, len(drawn))
            numbers.update(row["rollers"] for row in group)
            color = COLORS[place % 8] if len(found) == 1 else COLORS[number % 8]
            axes.plot([row["rollers"] for row in group], _costs(group), color=color, linestyle=DASHES[place % 8], marker="os^"[place % 3],
                      markersize=5, label=plain(f"{_prefix(benches, bench)}{kind}"))
    low, high = axes.get_ylim()
    for kind, aim in ROLLER_AIMS.items():
        if kind not in drawn:
            continue
        axes.axhline(aim, color="#888888", linewidth=1.0, linestyle=DASHES[drawn[kind] % 8])
        axes.annotate(f"aim, {kind}: {aim:g}", (0.01, aim), xycoords=("axes fraction", "data"), ha="left", va="bottom",
                      fontsize="small" if not _in_page(figure) else None, color="#666666", xytext=(0, 2), textcoords="offset points")
    axes.set_xscale("log", base=2)
    _whole_ticks(axes.xaxis, numbers)
    axes.set(xlabel="rollers per wheel", ylabel=f"time per step, relative to {min(numbers):g} rollers")
    axes.set_ylim(min(0.95, low), max(1.12, high))
    legend(axes, 2)
    return figure


@styled
def over_wheels(benches):
    """Time and counted operations per step over the number of wheels, relative to three."""
    figure, axes = _one(benches, 7.0, 4.8, "Cost of wheels: time per step over the number of wheels")
    numbers = set()
    for number, (bench, rows) in enumerate(_require(benches, "wheels")):
        rows = sorted(rows, key=lambda row: row["wheels"])
        base = next((row for row in rows if row["wheels"] == 3), rows[0])
        numbers.update(row["wheels"] for row in rows)
        wheels = [row["wheels"] for row in rows]
        words = f"{base['wheels']:g} wheels: {rate_text(base['steps_per_second'])} steps/s"
        axes.plot(wheels, [base["steps_per_second"] / row["steps_per_second"] for row in rows], color=COLORS[number % 8], marker="o",
                  markersize=5, label=plain(f"{_prefix(benches, bench)}time ({words})"))
        if base["operations_per_step"] > 0:
            axes.plot(wheels, [row["operations_per_step"] / base["operations_per_step"] for row in rows], color=COLORS[number % 8],
                      linestyle=":", marker="x", markersize=5,
                      label=plain(f"{_prefix(benches, bench)}counted operations ({base['operations_per_step']:.0f})"))
    _whole_ticks(axes.xaxis, numbers)
    axes.set(xlabel="wheels", ylabel="per step, relative to three wheels")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")
    return figure


# --- bars -----------------------------------------------------------------------------------------------------------------


def _bar_text(row, cost, first, brief):
    words = [f"{rate_text(row['steps_per_second'])}/s", f"{cost:.2f} ×"]
    if row["fraction_of_peak"] > 0:
        words.append(f"{100 * row['fraction_of_peak']:.2g} %{'' if brief else ' of peak'}")
    if first:
        words.append(f"{row['steps_per_second'] / first:.2f} times as fast")
    return ", ".join(words)


@styled
def _bars(benches, section, title, what):
    found = _require(benches, section)
    names = list(dict.fromkeys(row["name"] for _, rows in found for row in rows))
    height = 0.8 / len(found)
    width, row_height = (8.4, 0.42) if len(found) == 1 else (10.4, 0.26 * len(found) + 0.16)
    figure = _start(benches, width, 1.6 + row_height * len(names), title)
    brief = _in_page(figure) and len(found) == 1
    axes = figure.add_subplot()
    largest = max(row["steps_per_second"] for _, rows in found for row in rows)
    first = {row["name"]: row["steps_per_second"] for row in found[0][1]}
    for number, (bench, rows) in enumerate(found):
        for row, cost in zip(rows, _costs(rows)):
            y = names.index(row["name"]) + (number - (len(found) - 1) / 2) * height
            axes.barh(y, row["steps_per_second"] / 1e6, height * 0.92, color=COLORS[number % 8],
                      label=plain(bench.name) if row is rows[0] else None)
            text = _bar_text(row, cost, first.get(row["name"]) if number else None, brief)
            axes.text((row["steps_per_second"] + 0.01 * largest) / 1e6, y, text, va="center", fontsize=None if brief else 8,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})
    axes.set_yticks(range(len(names)), [plain(textwrap.fill(name, 20 if brief else 26)) for name in names])
    axes.invert_yaxis()
    axes.grid(False, axis="y")
    axes.set(xlim=(0, (1.45 if len(found) == 1 and not brief else 1.9) * largest / 1e6), xlabel="million instance-steps per second")
    words = [f"Instance-steps per second, time per step relative to the first {what}, part of the measured arithmetic peak"]
    if len(found) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        words.append(f"speed relative to {found[0][0].name}")
    set_subtitle(axes, ", ".join(words), 6.5)
    return figure


laws = partial(_bars, section="laws", title="Laws of contact", what="law")
methods = partial(_bars, section="methods", title="Methods of integration", what="method")
numerics = partial(_bars, section="numerics", title="Numerics", what="row")


def accuracy(benches):
    """Errors over speed on one vehicle, by fixed steps and by tolerances: of the first bench that has it."""
    for bench in benches:
        if bench.accuracy:
            return work_precision.figure(bench.accuracy, ["final_x", "vibration_rms", "dissipated_energy"])
    raise Skipped("no section accuracy was measured")


FIGURES = {"roofline": roofline, "instances": over_instances, "threads": over_threads, "rollers": over_rollers, "wheels": over_wheels,
           "laws": laws, "methods": methods, "numerics": numerics, "accuracy": accuracy}


def plan(benches):
    """(file name, function that makes the figure) of everything that a bench has."""
    for name, function in FIGURES.items():
        if function is accuracy and not any(bench.accuracy for bench in benches):
            continue  # CSV and older files have none
        yield f"{name}.png", lambda function=function: function(benches)
