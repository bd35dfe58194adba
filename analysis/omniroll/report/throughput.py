"""The page of a file of omniroll bench."""

from __future__ import annotations

import os
from functools import partial
from typing import Any, Callable, Iterator

from .. import bench
from ..figures.style import Skipped
from .page import Section, command, details, facts, page, paragraph, pictures, table, text
from .svg import picture
from .wording import count, number, percent

PARTS = {
    "Against the peak": (("roofline",), "How much of what the machine can do is used. A mark is a backend: operations that the model needs "
                         "per second, over operations per byte of parameters and state. Lines are what the machine can do at most: memory "
                         "limits it where they rise, arithmetic where they are level. The closer a mark is to the line of its colour, the better."),
    "Scaling": (("instances", "threads", "rollers", "wheels"), "How the speed changes with the size of the ensemble, the number of "
                "threads, and the vehicle's rollers and wheels."),
    "Variants": (("laws", "methods", "numerics"), "What laws of contact, methods of integration and kinds of numerics cost."),
    "Accuracy per cost": (("accuracy",), "What accuracy costs on one vehicle, 4 x 9 rollers under body control, by fixed steps and by "
                          "tolerances, against a truth of the same run. omniroll converge shows the same of any study."),
}


def html_of(path: str) -> str:
    """The page as text. Raises NotAResult."""
    found = bench.open_bench(path)
    name = os.path.basename(path)
    sections = [_fastest(found), *_figures(found), *_peaks(found), _rows(found), _again()]
    return page(f"Throughput: {found.name}", paragraph(text(found.attrs["title"])), sections, f"Made by omniroll from {text(name)}")


def _fastest(found: Any) -> Section:
    return Section("Answer", f'<ul class="keys">{"".join(_key(found, precision) for precision in bench.PRECISIONS)}</ul>')


def _peaks(found: Any) -> Iterator[Section]:
    """Peak rates of the machine."""
    head = ("device", "precision", "arithmetic", "memory", "threads")
    rows = [[text(bench._device(peak)), text(peak.get("precision", "")), _rate(peak["fma_flops"], "FLOP/s"),
             _rate(peak["copy_bytes"], "B/s"), number(peak["threads"])] for peak in found.peaks]
    caption = "Fused multiply-adds and a copy, measured in the same run"
    if rows:
        yield Section("Measured peaks", table(head, rows, (2, 3, 4), caption))


def _key(found: Any, precision: str) -> str:
    """The fastest row of the standard vehicle."""
    measured = [row for row in found.rows if row.get("precision") == precision and row["steps_per_second"] > 0]
    rows = [row for row in measured if row["section"] == "backends"] or measured
    if not rows:
        return ""
    best = max(rows, key=lambda row: float(row["steps_per_second"]))
    part = f"; {percent(best['fraction_of_peak'])} of the arithmetic peak" if best["fraction_of_peak"] > 0 else ""
    return (f"<li><span>Fastest in {precision} precision</span><strong>{_rate(best['steps_per_second'], 'steps/s')}</strong>"
            f"<small>{text(best.get('name', ''))} (section {text(best['section'])}){part}</small></li>")


def _rate(value: float, unit: str) -> str:
    """1.2e9 -> 1.2 G..."""
    for limit, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{number(value / limit, 3)} {prefix if unit != 'steps/s' else _WORDS[prefix] + ' '}{unit}"
    return f"{number(value, 3)} {unit}" if value > 0 else "–"


_WORDS = {"T": "trillion", "G": "billion", "M": "million", "k": "thousand"}


def _figures(found: Any) -> Iterator[Section]:
    for title, (names, words) in PARTS.items():
        shown = []
        for make in (make for name in names for make in _drawn(name, found)):
            try:
                shown.append(picture(make))
            except Skipped:
                continue  # the file lacks its measurements
        if shown:
            yield Section(title, paragraph(words) + pictures(*shown) + (_speeds(found) if "accuracy" in names else ""))


def _drawn(name: str, found: Any) -> list[Callable[[], Any]]:
    """Figures of a kind: of the roofline one for each precision."""
    if name == "roofline":
        return [partial(bench.roofline, [found], precision) for precision in bench.PRECISIONS]
    return [partial(bench.FIGURES[name], [found])]


def _speeds(found: Any) -> str:
    """Vehicle-seconds per second and core at an accuracy."""
    head = ("right to", "of", "with a tolerance", "with fixed steps")
    rows = [[f"{text(row['name'])} {number(row['error'])}", text(f"the {row['of']}"), _speed(row["tolerance"]), _speed(row["fixed"])]
            for row in found.accuracy["speeds"]]
    return table(head, rows, (2, 3), "Vehicle-seconds per second and core")


def _speed(value: float | None) -> str:
    return number(value, 3) if value else "–"


def _rows(found: Any) -> Section:
    """A table per section; open is the first."""
    sections = list(dict.fromkeys(row["section"] for row in found.rows))
    tables = [_table([row for row in found.rows if row["section"] == name]) for name in sections]
    parts = [details(f"Section {name}", rows, at == 0) for at, (name, rows) in enumerate(zip(sections, tables))]
    words = ("The best of the rounds counts; spread is the slowest round over the fastest. Lanes are the instances that go through one "
             "instruction.")
    return Section("All rows", paragraph(words, "note") + "".join(parts))


def _table(rows: list[dict[str, Any]]) -> str:
    head = ("row", "backend", "precision", "lanes", "threads", "instances", "instance-steps/s", "spread", "part of peak")
    return table(head, [_row(row) for row in rows], range(3, 9))


def _row(row: dict[str, Any]) -> list[str]:
    names = [text(row.get(name, "")) for name in ("name", "backend", "precision")]
    if not row["steps_per_second"] > 0:
        return [*names, *[""] * 5, f"<small>not measured: {text(row.get('error', 'no reason given'))}</small>"]
    numbers = [count(row[name]) if row[name] > 0 else "–" for name in ("lanes", "threads", "instances")]
    return [*names, *numbers, _rate(row["steps_per_second"], "").strip(), number(row["spread"], 3), percent(row["fraction_of_peak"])]


def _again() -> Section:
    words = "On the same or another machine, idle; several files in one figure compare them:"
    return Section("How to measure again", paragraph(words) + command("omniroll bench --json bench.json\nomniroll report bench.json")
                   + facts([("More", "<code>omniroll bench --help</code>")]))
