"""The figure of omniroll converge: errors of a study's observables over the speed, by method and precision.

    python3 -m omniroll.work_precision accuracy.json          # accuracy.png

The table (omniroll converge STUDY --json, or -o PREFIX) is read by open_table, and figure draws it."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from . import lists
from .errors import NotAResult
from .figures.style import COLORS, STYLE, plain, styled
from .terminal import say

METHODS = (*lists.methods("pair"), *lists.methods("fixed", "implicit"), *lists.methods("fixed", "explicit"), *lists.methods("fixed", "parted"))
MARKERS = dict(zip(METHODS, itertools.cycle("oP*DsvX^")))
PRECISIONS = {"double": "-", "single": "--"}
LEAST = 1e-9  # of the scale: errors below it are drawn there


class Usage(Exception):
    """Something on the command line does not fit the file."""


def open_table(path: "str | os.PathLike[str]") -> dict[str, Any]:
    """The file of omniroll converge."""
    try:
        with open(path, encoding="utf-8") as file:
            table = json.load(file)
    except (OSError, ValueError) as error:
        raise NotAResult(f"{path}: {error}") from None
    if not isinstance(table, dict) or not {"rows", "quantities", "cheapest", "truth"} <= set(table):
        raise NotAResult(f"{path}: is no table of omniroll converge (omniroll converge STUDY -o PREFIX writes one)")
    return table


def quantity(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Of that name: unit, truth, scale, accepted error."""
    for found in table["quantities"]:
        if found["name"] == name:
            return found
    raise Usage(f"there is no '{name}' in the table; there are: {', '.join(one['name'] for one in table['quantities'])}")


def families(table: Mapping[str, Any]) -> Iterable[tuple[str, str, list[dict[str, Any]]]]:
    """(method, precision, rows from the longest step or largest tolerance on) of everything that was measured."""
    for precision in PRECISIONS:
        for method in METHODS:
            rows = [row for row in table["rows"] if row["method"] == method and row["precision"] == precision and not row["failed"]]
            if rows:
                yield method, precision, sorted(rows, key=lambda row: -(row["tolerance"] or row["step"]))


def _errors(rows: Sequence[Mapping[str, Any]], name: str, kind: str) -> Any:
    values = np.array([np.nan if row["errors"][name][kind] is None else row["errors"][name][kind] for row in rows])
    return np.maximum(values, LEAST)


def _draw(axes: Any, table: Mapping[str, Any], name: str) -> None:
    about = quantity(table, name)
    for method, precision, rows in families(table):
        speed, color = [row["speed"] for row in rows], COLORS[METHODS.index(method) % len(COLORS)]
        filled = color if precision == "double" else "white"
        axes.loglog(speed, _errors(rows, name, "mean"), PRECISIONS[precision], color=color, marker=MARKERS[method], markersize=5,
                    markerfacecolor=filled, label=f"{method}, {precision}")
        if about["kind"] == "observable" and precision == "double":
            axes.loglog(speed, _errors(rows, name, "worst"), ":", color=color, linewidth=0.9)
    best = table["cheapest"].get("double")
    marked = [("o", 12, "the study's own", row) for row in table["rows"] if row["own"] and row["errors"][name]["mean"] is not None]
    marked += [("s", 13, "the cheapest", table["rows"][int(best["row"])])] if best is not None else []
    for marker, size, words, row in marked:
        axes.plot(row["speed"], max(row["errors"][name]["mean"], LEAST), marker, markersize=size, markerfacecolor="none",
                  markeredgecolor="black", label=words)
    if about["accepted"] is not None and about["scale"]:
        axes.axhline(about["accepted"] / about["scale"], color="black", linewidth=0.8, linestyle=(0, (6, 3)), label="accepted")
    bottom = axes.get_ylim()[0]
    if about["doubt"] and about["doubt"] > bottom:
        axes.axhspan(bottom, about["doubt"], color="#EEEEEE", zorder=0)
        axes.set_ylim(bottom=bottom)
    axes.set_xlabel(f"vehicle-seconds per second of {'the device' if table['speed_per'] == 'device' else 'a core'}")
    of = "share of instances that change sides" if about["kind"] == "criterion" else f"error of the mean over {about['relative_to']}"
    axes.set_ylabel(f"{name}\n{of}")


@styled  # type: ignore[misc]
def figure(table: Mapping[str, Any], names: Sequence[str] | None = None) -> Any:
    """A panel for each of the names; without any, the ones with an accuracy in the table, or the usual ones. Grey is the
    error of the truth itself."""
    from matplotlib.figure import Figure

    shown = list(names or table["shown"])
    for name in shown:
        quantity(table, name)
    made = Figure(figsize=(4.2 * len(shown) + 2.2, 4.4), layout="constrained")
    panels = np.atleast_1d(made.subplots(1, len(shown)))
    for axes, name in zip(panels, shown):
        _draw(axes, table, name)
    truth = table["truth"]
    by = "the reference" if truth["reference"] else f"{truth['method']} with a tolerance of {truth['tolerance']:g}"
    made.suptitle(plain(f"{table['title'] or table['study']}\n{table['instances']:g} of {table['of']:g} instances; dotted: the worst of them; "
                        f"the truth is {by}"), fontsize=9, color="#444444")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    import matplotlib

    parser = argparse.ArgumentParser(prog="omniroll.work_precision", description="Draws what omniroll converge measured.")
    parser.add_argument("table", help="JSON of omniroll converge")
    parser.add_argument("-o", "--output", metavar="PREFIX", help="where the figure goes: PREFIX.png (default: the table's name)")
    parser.add_argument("--observables", metavar="LIST", help="names parted by commas (default: those that the table is about)")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not name the file")
    chosen = parser.parse_args(arguments)
    path = (chosen.output or os.path.splitext(chosen.table)[0]) + ".png"
    try:
        made = figure(open_table(chosen.table), chosen.observables.split(",") if chosen.observables else None)
        with matplotlib.rc_context(STYLE):
            made.savefig(path)
    except (NotAResult, Usage, OSError) as error:
        say(f"omniroll: {error}")
        return 5 if isinstance(error, OSError) else 2
    if not chosen.quiet:
        say(path, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
