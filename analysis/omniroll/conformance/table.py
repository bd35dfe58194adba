"""The table of a conformance check: every manoeuvre with the measures of every simulator."""

from __future__ import annotations

import math
import textwrap
from dataclasses import asdict, dataclass, fields
from typing import Any, Mapping, Sequence

from .manoeuvres import Manoeuvre, Wheel, manoeuvres, reach
from .motion import Difference, Measures, Motion, Simulate, differ, measure

HEAD = f"{'':<17}{'way':>8}{'yaw':>8}{'slip':>7}{'ripple':>8}{'shakes':>8}{'work':>7}{'steps/s':>8}{'off':>7}"
UNITS = f"{'':<17}{'m':>8}{'deg':>8}{'%':>7}{'% of R':>8}{'m/s2':>8}{'J':>7}{'':>8}{'%':>7}"
FOOT = ("way, yaw: of the platform, from start to end. slip: how much less far than ideal\nkinematics. ripple: of a wheel's centre, "
        "lowest to highest. shakes: rms of the\nvertical acceleration. work: of the drives. off: place and yaw (as the way of a\nwheel) "
        "beside those of the first row, over the way of the wheels.")


@dataclass(frozen=True)
class Row:
    """One simulator's manoeuvre."""

    manoeuvre: str
    simulator: str
    measures: Measures
    difference: Difference
    motion: "Motion | None"  # None in a table that was kept

    def line(self) -> str:
        m, away = self.measures, math.hypot(self.difference.place, self.difference.yaw)
        numbers = [(m.way, 8, 3), (math.degrees(m.yaw), 8, 2), (100 * m.slip, 7, 2), (100 * m.ripple, 8, 3), (m.vibration, 8, 2), (m.energy, 7, 2)]
        return (f"  {self.simulator[:14]:<15}" + "".join(f"{round(value, digits) + 0.0:{width}.{digits}f}" for value, width, digits in numbers)
                + f"{_speed(m.speed):>8}{100 * away:7.2f}")


def _speed(steps: float) -> str:
    return "" if math.isnan(steps) else f"{float(f'{steps:.2g}'):.0f}"


@dataclass(frozen=True)
class Table:
    """Rows by manoeuvre; the others are compared with the first simulator. `notes`: how they ran, a text."""

    rows: Sequence[Row]
    notes: str = ""

    def text(self, foot: bool = True) -> str:
        """At most 80 columns; with the meanings of the columns below."""
        lines, last = [HEAD, UNITS], ""
        for row in self.rows:
            if row.manoeuvre != last:
                lines.append(row.manoeuvre)
            lines.append(row.line())
            last = row.manoeuvre
        return "\n".join([*lines, *([FOOT, *textwrap.wrap(self.notes, 80)] if foot else [])])

    def as_json(self) -> dict[str, Any]:
        """SI units and shares of 1."""
        told: "dict[str, Any]" = {"rows": [{"manoeuvre": row.manoeuvre, "simulator": row.simulator, **_finite(asdict(row.measures)),
                                            "off": _finite(asdict(row.difference))} for row in self.rows]}
        return {**told, "notes": self.notes} if self.notes else told

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> "Table":
        """The table from the values of as_json."""
        def numbers(kind: Any, row: Mapping[str, Any]) -> Any:
            return kind(**{field.name: math.nan if row[field.name] is None else row[field.name] for field in fields(kind)})

        return cls([Row(row["manoeuvre"], row["simulator"], numbers(Measures, row), numbers(Difference, row["off"]), None) for row in told["rows"]],
                   told.get("notes", ""))


def _finite(numbers: Mapping[str, float]) -> dict[str, "float | None"]:
    return {name: value if math.isfinite(value) else None for name, value in numbers.items()}


def compare(wheels: Sequence[Wheel], simulators: "Mapping[str, Simulate]", drive: "Sequence[Manoeuvre] | None" = None) -> Table:
    """Every simulator drives every manoeuvre, all of them where none are given. A simulator is a function from a Manoeuvre to a Motion. All
    are compared with the first."""
    size, radius, rows = reach(wheels), max(wheel.radius for wheel in wheels), []
    for manoeuvre in manoeuvres(wheels) if drive is None else drive:
        first = None
        for name, simulate in simulators.items():
            motion = simulate(manoeuvre)
            first = first or motion
            rows.append(Row(manoeuvre.name, name, measure(manoeuvre, motion, radius, size), differ(manoeuvre, motion, first, size), motion))
    return Table(rows)
