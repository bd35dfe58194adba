"""The sliding block as a picture: a block on its plane, with the slope, the spring and the belt that the study has.

A block has no size, so that this is a scheme; only the slope is drawn at its angle. omr_study_scene_json makes the scene for the model
sliding_block. It may come from a file of anybody: its numbers are checked."""

from __future__ import annotations

import math
from typing import Any, Iterator, Mapping

from . import picture_parts
from .picture_parts import Paint, Panel, Place, Scene

WIDE, BLOCK = 340.0, 56.0  # px of the panel; of a block's side
LEFT, RIGHT = 26.0, 200.0  # px along the plane from its left end: the wall, the block's left side
LENGTH = 300.0  # px of the plane


def is_block(scene: Any) -> bool:
    return isinstance(scene, Mapping) and "block" in scene


def panels(scene: Scene, paint: Paint) -> list[Panel]:
    """One view, from the side. Raises ValueError where the scene cannot be one."""
    block = scene["block"]
    if not isinstance(block, Mapping):
        raise ValueError("the scene has a block that cannot be one")
    values = {name: picture_parts.number(block.get(name, 0.0), -1e12, 1e12) for name in ("x", "velocity", "slope", "stiffness", "belt", "friction")}
    slope = min(max(values["slope"], 0.0), 1.5)
    pull = _pull(block.get("pull"))
    high = 74.0 + BLOCK * math.cos(slope) + (LENGTH - 40.0) * math.sin(slope)
    lines = list(_words(block, values, pull))
    plane = _Plane(slope, high)
    parts = [picture_parts.label((4, 12), "from the side, as a scheme: a block has no size", paint("note")), *_ground(plane, values["belt"], paint),
             *_spring(plane, values["stiffness"], paint), *_block(plane, paint), *_arrows(plane, pull, paint), *_angle(plane, slope, paint)]
    foot = high + 34.0
    parts += [picture_parts.label((8, foot + 16 * at), words, paint("text")) for at, words in enumerate(lines)]
    return [Panel("The block", max(WIDE, 16 + 6.6 * max(map(len, lines))), foot + 16 * len(lines), "".join(parts))]


class _Plane:
    """Places in px by the distance along the plane, from its left end, and by the height over it."""

    def __init__(self, slope: float, floor: float) -> None:
        self.cosine, self.sine, self.floor = math.cos(slope), math.sin(slope), floor

    def at(self, along: float, over: float) -> Place:
        return 14 + along * self.cosine - over * self.sine + (BLOCK * self.sine if self.sine > 0 else 0.0), \
            self.floor - along * self.sine - over * self.cosine


def _pull(pull: Any) -> "Mapping[str, Any] | None":
    if pull is None:
        return None
    if not isinstance(pull, Mapping):
        raise ValueError("the scene has a pull that cannot be one")
    for name in ("force", "rate", "frequency"):
        picture_parts.number(pull.get(name, 0.0), -1e12, 1e12)
    return pull


def _words(block: Mapping[str, Any], values: Mapping[str, float], pull: "Mapping[str, Any] | None") -> Iterator[str]:
    """The numbers of the picture; plain text."""
    mass, start = picture_parts.number(block.get("mass"), 0.0, 1e12), picture_parts.length_words(values["x"]) if values["x"] else "0 m"
    yield f"{mass:.4g} kg, starts at x = {start} with {values['velocity']:.4g} m/s"
    yield f"friction {values['friction']:.4g}, law {picture_parts.words(block.get('law'))}"
    if values["slope"]:
        yield f"slope {math.degrees(values['slope']):.4g}°: x points up it"
    if values["stiffness"] > 0:
        yield f"spring of {values['stiffness']:.4g} N/m to a wall, at rest at x = 0"
    if values["belt"]:
        yield f"belt: the ground moves at {values['belt']:.4g} m/s along x"
    if pull is not None:
        size = f"pull {pull.get('force', 0.0):.4g} N"
        kind = picture_parts.words(pull.get("type"))
        yield size + (f", growing by {pull.get('rate', 0.0):.4g} N/s" if kind == "ramp" else
                      f" times sin({pull.get('frequency', 0.0):.4g} rad/s t)" if kind == "sine" else "")


def _ground(plane: _Plane, belt: float, paint: Paint) -> Iterator[str]:
    """The plane: hatched where it rests, with arrow heads along it where it is a belt."""
    yield picture_parts.line(plane.at(0, 0), plane.at(LENGTH, 0), paint("rod" if belt else "line"))
    for step in range(1, 15):
        along = 20.0 * step
        if belt:
            tip, back = (along + 5, along - 5) if belt > 0 else (along - 5, along + 5)
            if step % 2:
                yield picture_parts.polygon([plane.at(tip, -9), plane.at(back, -5), plane.at(back, -13)], paint("command-head"))
        else:
            yield picture_parts.line(plane.at(along, 0), plane.at(along - 8, -8), paint("line"))


def _spring(plane: _Plane, stiffness: float, paint: Paint) -> Iterator[str]:
    if stiffness <= 0:
        return
    yield picture_parts.line(plane.at(LEFT, 0), plane.at(LEFT, BLOCK), paint("rod"))
    turns, low, high = 9, LEFT + 14, RIGHT - 14
    places = [plane.at(LEFT, 0.5 * BLOCK), plane.at(low, 0.5 * BLOCK)]
    places += [plane.at(low + (high - low) * (at + 0.5) / turns, 0.5 * BLOCK + (10 if at % 2 else -10)) for at in range(turns)]
    places += [plane.at(high, 0.5 * BLOCK), plane.at(RIGHT, 0.5 * BLOCK)]
    yield f'<polyline{paint("stroke")} data-part="spring" points="{picture_parts.points(places)}"/>'


def _block(plane: _Plane, paint: Paint) -> Iterator[str]:
    corners = [plane.at(RIGHT + along, over) for along, over in ((0, 0), (BLOCK, 0), (BLOCK, BLOCK), (0, BLOCK))]
    yield f'<g data-part="block">{picture_parts.polygon(corners, paint("body"))}</g>'


def _arrow(plane: _Plane, start: Place, end: Place, role: str, paint: Paint) -> str:
    """Along the plane."""
    back = end[0] - math.copysign(9.0, end[0] - start[0])
    head = [plane.at(*end), plane.at(back, end[1] + 4.5), plane.at(back, end[1] - 4.5)]
    return picture_parts.line(plane.at(*start), plane.at(back, start[1]), paint(role)) + picture_parts.polygon(head, paint(f"{role}-head" if role == "command" else "head"))


def _arrows(plane: _Plane, pull: "Mapping[str, Any] | None", paint: Paint) -> Iterator[str]:
    """The pull at the block, and where x points."""
    if pull is not None:
        ahead = picture_parts.words(pull.get("type")) != "constant" or float(pull.get("force", 0.0)) >= 0
        start, end = (RIGHT + BLOCK, RIGHT + BLOCK + 40) if ahead else (RIGHT, RIGHT - 40)
        height = 0.5 * BLOCK if ahead else 0.8 * BLOCK
        yield f'<g data-part="pull">{_arrow(plane, (start, height), (end, height), "command", paint)}</g>'
    yield _arrow(plane, (RIGHT, BLOCK + 18), (RIGHT + BLOCK, BLOCK + 18), "arrow", paint)
    x, y = plane.at(RIGHT + BLOCK + 8, BLOCK + 18)
    yield picture_parts.label((x, y + 4), "x", paint("text"))


def _angle(plane: _Plane, slope: float, paint: Paint) -> Iterator[str]:
    """The horizontal through the plane's left end, and the angle to it."""
    if slope <= 0:
        return
    x, y = plane.at(0, 0)
    yield picture_parts.line((x, y), (x + 110, y), paint("dashed"))
    reach = 84.0
    yield (f'<path{paint("line")} d="M{x + reach:.2f},{y:.2f} A{reach:g},{reach:g} 0 0 0 {x + reach * plane.cosine:.2f},'
           f'{y - reach * plane.sine:.2f}"/>')
    yield picture_parts.label((x + reach + 6, y - 0.5 * reach * plane.sine), f"{math.degrees(slope):.4g}°", paint("halo"))
