"""Source 1's claim about cost: explicit contact tracking is faster by about 1.5 times. From section tracking of `omniroll bench`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omniroll.figures.style import COLORS, Skipped, one_panel, set_subtitle, styled

from .shared import SOURCE1

CLAIM = 1.5  # "faster approximately in 1.5 times", source 1, section 5.3 and conclusions
WORDS = {"explicit": "explicit formulas (section 5.2)", "implicit": "by vectors (section 5.1)",
         "general": "nearest points of two surfaces (eq. 5)", "general_differential": "nearest points by differential equations (eq. 7, 8)"}


@dataclass(frozen=True)
class Cost:
    """Time of a tracking over that of the explicit one, of the best rounds; `low` and `high`: what the rounds leave possible."""

    by: str  # "engine" or "reference"
    tracking: str
    ratio: float
    low: float
    high: float


def _time(row: dict[str, Any]) -> float:
    """Of one motion: the reference chooses steps by itself, the engine has the same ones under both."""
    return float(row["seconds"]) if row.get("backend") == "reference" else 1.0 / float(row["steps_per_second"])


def _spread(row: dict[str, Any]) -> float:
    return float(row["spread"]) if row["spread"] > 0 else 1.0


def costs(bench: Any) -> list[Cost]:
    """Those that a bench measured, engine first. Raises Skipped where it has none."""
    if not hasattr(bench, "section"):
        raise Skipped("it is drawn from a file of omniroll bench --section tracking --json")
    rows = {tuple(str(row["name"]).split(", ", 1)): row for row in bench.section("tracking")}
    found = []
    for (by, tracking), row in rows.items():
        first = rows.get((by, "explicit"))
        if first is None or tracking == "explicit":
            continue
        ratio = _time(row) / _time(first)
        found.append(Cost(by, tracking, ratio, ratio / _spread(first), ratio * _spread(row)))
    if not found:
        raise Skipped("no tracking was measured beside the explicit one")
    return found


@styled
def tracking_cost(bench):
    """Time of the trackings over that of the explicit one, with the spread of their rounds, and what source 1 says."""
    found = costs(bench)
    figure, axes = one_panel(bench, 8.4, 1.7 + 0.5 * len(found), "Cost of contact tracking, over that of explicit formulas")
    for y, cost in enumerate(found):
        errors = [[cost.ratio - cost.low], [cost.high - cost.ratio]]
        axes.barh(y, cost.ratio, 0.6, color=COLORS[cost.by == "reference"], xerr=errors, error_kw={"ecolor": "#444444", "capsize": 3})
        axes.text(cost.high, y, f"  {cost.ratio:.3g}", va="center")
    axes.axvline(1, color="#444444", linewidth=1)
    axes.axvline(CLAIM, color="#888888", linestyle="--", linewidth=1.2)
    axes.annotate(f"source 1: {CLAIM:g}", (CLAIM, 1), xycoords=("data", "axes fraction"), xytext=(3, -3), textcoords="offset points",
                  va="top", color="#666666")
    axes.set_yticks(range(len(found)), [f"{cost.by}, {cost.tracking.replace('_', ' ')}" for cost in found])
    axes.invert_yaxis()
    axes.grid(False, axis="y")
    axes.set(xlim=(0, 1.15 * max(CLAIM, *(cost.high for cost in found))), xlabel="time of the same motion, explicit tracking = 1")
    set_subtitle(axes, "Best rounds; bars of error: what the slowest ones leave possible", 6.5)
    return figure


FIGURES = {"source1-tracking": (tracking_cost, f"Cost that section 5.3 tells without a figure of: {SOURCE1}. Motion: tracking_compare.json, "
                                               "by omniroll bench")}
