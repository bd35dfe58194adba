"""The report of an import, as text: the values from the file, the guesses, the parts left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .study import names
from .value import Value, one_line, tidy
from .wheels import Vehicle

BLANK = 2
PLACE = ("x", "y", "axis_angle")


@dataclass
class Imported:
    """`values` by path in the parameters of the study; `study` is for omniroll.run, None where the robot is no vehicle of 3 to 8 wheels
    (`refusal` says why); `text` is the same as JSON with comments."""

    vehicle: Vehicle
    values: "dict[str, Value]"
    study: "dict[str, Any] | None" = None
    text: str = ""
    refusal: str = ""
    doubts: "list[str]" = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([*lines_of(self), *([f"no study: {self.refusal}"] if self.refusal else [])])


def lines_of(imported: Imported) -> "list[str]":
    """The table, a line each."""
    vehicle, robot = imported.vehicle, imported.vehicle.robot
    feet = sum(bool(wheel.foot) for wheel in vehicle.wheels)
    count = len(vehicle.wheels) - feet
    slides = f"{feet} foot, " if feet == 1 else f"{feet} feet, " if feet else ""
    lines = [f"{one_line(robot.name) or 'robot'}: {count} wheel{'' if count == 1 else 's'}, {slides}"
             f"{len(robot.links)} links, {len(robot.joints)} joints; x forward and y to the left in the frame of {one_line(vehicle.base)}"]
    rows = _merged(imported.values)
    _block(lines, "came over", [(path, value, source) for path, value, source, guess in rows if not guess])
    _limits(lines, imported)
    if not imported.refusal and not any(path.endswith("torque_limit") for path in imported.values):
        rows.append(("wheel.drive.torque_limit", "none", "no joint of a wheel has an effort limit", True))
    _block(lines, "guessed, for the file does not say it: put in your own", [(path, value, source) for path, value, source, guess in rows if guess and not imported.refusal])
    _listed(lines, "missing in the study", [] if imported.refusal else vehicle.missing)
    _listed(lines, "no wheels of the study", vehicle.others)
    _listed(lines, "held where they are at zero", [names(vehicle.held)] if vehicle.held else [])
    _listed(lines, "left out", [f"{count} {what}" for what, count in robot.ignored.items()])
    _listed(lines, "doubts", [*robot.notes, *(note for wheel in vehicle.wheels for note in wheel.notes), *imported.doubts])
    return lines


def _merged(values: "dict[str, Value]") -> "list[tuple[str, str, str, bool]]":
    """Path, value, source and whether it is a guess; the place of a wheel in one row, and values that several wheels share."""
    rows: "dict[str, tuple[list[str], str, bool]]" = {}
    alike: "dict[tuple[str, ...], list[str]]" = {}
    for path, value in values.items():
        wheel, _, name = path.partition(".")
        single = wheel.startswith("wheels[")
        place = name in PLACE and single
        if single and not place:
            alike.setdefault((name, _short(value), str(value.guess)), []).append(wheel[7:-1])
        rows.setdefault(wheel if place else path, ([], one_line(value.source), value.guess))[0].append(f"{name} {_short(value)}" if place else _short(value))
    for (name, *_), wheels in alike.items():
        first, *others = [f"wheels[{i}].{name}" for i in wheels]
        if not others:
            continue
        texts, source, guess = rows[first]
        more = "" if all(rows[key][1] == source for key in others) else ", and so on"
        rows = {(f"wheels[{','.join(wheels)}].{name}" if key == first else key): row for key, row in rows.items() if key not in others}
        rows[f"wheels[{','.join(wheels)}].{name}"] = (texts, source + more, guess)
    return [(key, ", ".join(texts), source, guess) for key, (texts, source, guess) in rows.items()]


def _short(value: Value) -> str:
    if isinstance(value.number, (int, str, list)):
        return str(value.number)
    return f"{float(tidy(value.number)):.4g} {value.unit}".strip()


def _block(lines: "list[str]", title: str, rows: "list[tuple[str, str, str]]") -> None:
    if not rows:
        return
    lines.append(f"{' ' * BLANK}{title}")
    first, second = (max(len(row[i]) for row in rows) for i in (0, 1))
    lines.extend(f"{' ' * 2 * BLANK}{path:{first}}  {value:{min(second, 44)}}  {source}" for path, value, source in rows)


def _limits(lines: "list[str]", imported: Imported) -> None:
    """The largest rate of a joint, which no parameter takes without a word about the motor."""
    rates = {f"{wheel.joint.velocity:.4g} rad/s" for wheel in imported.vehicle.wheels if wheel.joint.velocity}
    if rates:
        lines.append(f"{' ' * 2 * BLANK}largest rate of the joints {', '.join(sorted(rates))}: the guessed command stays far below; "
                     "of a motor give motor.stall_torque and motor.no_load_speed")


def _listed(lines: "list[str]", title: str, items: "list[str]") -> None:
    if items:
        lines.append(f"{' ' * BLANK}{title}")
        lines.extend(f"{' ' * 2 * BLANK}{one_line(item)}" for item in items)
