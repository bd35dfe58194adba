"""The vehicle of a study as a picture to scale: from above, from the side, and one roller with its measures.

It shows the scene that libomniroll makes of a study (omr_study_scene_json): SI units, body axes x forward and z to the right, or
in the frame of ROS y to the left, as the axes in the picture say. A scene may come from a file of anybody: its numbers are checked and its texts escaped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from ..errors import UsageError
from ..reading.roller_geometry import Wheel
from ..whole_files import writing
from . import block_picture, picture_parts, system_picture
from .picture_parts import LARGEST, Paint, Panel, Place, Scene, length_words

HIGH, WIDE = 200.0, 300.0  # px of a panel
EDGE, FOOT = 20.0, 22.0  # px around the vehicle, and below it for the scale
MOST_WHEELS, MOST_RODS = 8, 8
NO_WIDTH = 0.12  # of the radius: half width as drawn of a wheel whose model has none

# Colours of a page of omniroll report, light and dark (report/style.css).
LIGHT = {"ink": "#1d2125", "ink-2": "#555b61", "paper": "#ffffff", "surface": "#f5f6f7", "failed": "#c0392b", "series-0": "#0072B2",
         "series-1": "#D55E00"}
DARK = {"ink": "#e8e9ea", "ink-2": "#a9afb5", "paper": "#16191c", "surface": "#1f2327", "failed": "#ff7b6b", "series-0": "#5AB0E8",
        "series-1": "#F28A4B"}
RULES = {
    "text": "fill:var(--ink);font:12px sans-serif",
    "note": "fill:var(--ink-2);font:11px sans-serif",
    "halo": "fill:var(--ink);font:11px sans-serif;stroke:var(--paper);stroke-width:3px;paint-order:stroke",
    "number": "fill:var(--ink);font:bold 12px sans-serif;stroke:var(--paper);stroke-width:3px;paint-order:stroke",
    "wheel": "fill:var(--surface);stroke:var(--ink-2);stroke-width:1px",
    "warned": "fill:var(--surface);stroke:var(--failed);stroke-width:2px",
    "roller": "fill:var(--series-0);fill-opacity:0.35;stroke:var(--series-0);stroke-width:0.8px",
    "stroke": "fill:none;stroke:var(--series-0);stroke-width:1.5px",
    "line": "fill:none;stroke:var(--ink-2);stroke-width:1px",
    "dashed": "fill:none;stroke:var(--ink-2);stroke-width:1px;stroke-dasharray:4 3",
    "rod": "fill:none;stroke:var(--ink-2);stroke-width:3px",
    "arrow": "fill:none;stroke:var(--ink);stroke-width:1.5px",
    "head": "fill:var(--ink);stroke:none",
    "command": "fill:none;stroke:var(--series-1);stroke-width:2.5px",
    "command-head": "fill:var(--series-1);stroke:none",
    "mass": "fill:var(--paper);stroke:var(--ink);stroke-width:1.5px",
    "mass-out": "fill:var(--paper);stroke:var(--failed);stroke-width:2px",
    "paper": "fill:var(--paper);stroke:none",
    "body": "fill:var(--paper);stroke:var(--series-0);stroke-width:2px",
    "ground": "fill:var(--surface);stroke:var(--ink-2);stroke-width:2px",
    "body-name": "fill:var(--ink);font:12px sans-serif",
    "joint": "fill:var(--series-1);stroke:var(--paper);stroke-width:1.5px",
    "kind": "fill:var(--ink-2);font:11px sans-serif;stroke:var(--paper);stroke-width:3px;paint-order:stroke",
}


def svg(scene: Scene) -> str:
    """The picture as a file of its own, light or dark as the reader's screen. Raises ValueError where the scene cannot be one."""
    found = panels(scene, lambda role: f' class="{role}"')
    top = 30.0
    words = picture_parts.words(scene.get("title")) or ("System" if "edges" in scene else "Vehicle")
    width = max(sum(panel.width for panel in found) + 12 * (len(found) - 1), 16 + 7 * len(words))
    height = top + max(panel.height for panel in found)
    title = picture_parts.text(words)
    light, dark = (";".join(f"--{name}:{value}" for name, value in colours.items()) for colours in (LIGHT, DARK))
    rules = "".join(f".omr-vehicle .{role}{{{rule}}}" for role, rule in RULES.items())
    style = f".omr-vehicle{{{light}}}@media(prefers-color-scheme:dark){{.omr-vehicle{{{dark}}}}}{rules}"
    parts, at = [], 0.0
    for panel in found:
        parts.append(f'<g transform="translate({at:.2f} {top:g})">{panel.body}</g>')
        at += panel.width + 12
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="omr-vehicle" role="img" viewBox="0 0 {width:.2f} {height:.2f}" '
            f'width="{width:.2f}" height="{height:.2f}"><title>{title}</title><style>{style}</style>'
            f'<rect class="paper" width="{width:.2f}" height="{height:.2f}"/><text class="text" x="8" y="18">{title}</text>'
            f'{"".join(parts)}</svg>\n')


def panels(scene: Scene, paint: Paint) -> list[Panel]:
    """The views. `paint` gives the attribute, with a space before it, that an element of a role (RULES) gets. Raises ValueError."""
    if system_picture.is_graph(scene):
        return system_picture.panels(scene, paint)
    if block_picture.is_block(scene):
        return block_picture.panels(scene, paint)
    scene = _to_the_right(scene)
    _check(scene)
    found = [_above(scene, paint), _side(scene, paint)]
    wheel = scene["wheels"][0]
    return [*found, _roller(wheel, scene["roller"], paint)] if wheel.get("rollers") and "roller" in scene else found


# --- limits of a scene ----------------------------------------------------------------------------------------------------


def _to_the_right(scene: Scene) -> Scene:
    """A scene of a study in the frame of ROS with z to the right in place of y to the left, as the views are drawn. Raises ValueError."""
    if not isinstance(scene, Mapping) or scene.get("frame") != "ros":
        return scene
    turned = dict(scene)
    wheels = picture_parts.items(scene.get("wheels"), MOST_WHEELS)
    turned["wheels"] = [{**wheel, "z": -picture_parts.number(wheel.get("y"))} if isinstance(wheel, Mapping) else wheel for wheel in wheels]
    for name, width in (("polygon", MOST_WHEELS), ("rods", MOST_RODS)):
        if name in scene:
            turned[name] = [_across(row) for row in picture_parts.items(scene[name], width)]
    if scene.get("center_of_mass") is not None:
        turned["center_of_mass"] = _across(scene["center_of_mass"], 3)
    command = scene.get("command")
    if isinstance(command, Mapping):
        turned["command"] = {**command, "vz": -picture_parts.number(command.get("vy"))}
    return turned


def _across(row: Any, most: int = 4) -> list[float]:
    """Places x, y, x, y (or one with a height) with the other sign of y."""
    values = [picture_parts.number(value) for value in picture_parts.items(row, most)]
    return [-value if at in (1, 3) else value for at, value in enumerate(values)]


def _check(scene: Scene) -> None:
    """Raises ValueError."""
    if not isinstance(scene, Mapping) or not picture_parts.items(scene.get("wheels"), MOST_WHEELS):
        raise ValueError("the scene has no wheels")
    for wheel in scene["wheels"]:
        if not isinstance(wheel, Mapping):
            raise ValueError("the scene has a wheel that cannot be one")
        for name in ("x", "z", "axis_angle"):
            picture_parts.number(wheel.get(name))
        radius = picture_parts.number(wheel.get("radius"), 1e-9)
        for name, high in (("half_width", LARGEST), ("tilt", math.pi), ("rollers", 64.0), ("row_distance", LARGEST)):
            picture_parts.number(wheel.get(name, 0.0), 0.0, high)
        picture_parts.number(wheel.get("inclination", 0.0), -1.56, 1.56)
        if wheel.get("rollers"):
            picture_parts.number(wheel["rollers"], 3, 64)
            picture_parts.number(wheel.get("center_distance"), 1e-9, radius)
    for rod in picture_parts.items(scene.get("rods", []), MOST_RODS):
        picture_parts.numbers(rod, 4)
    for corner in picture_parts.items(scene.get("polygon", []), MOST_WHEELS):
        picture_parts.numbers(corner, 2)
    if scene.get("center_of_mass") is not None:
        picture_parts.numbers(scene["center_of_mass"], 3)
    _check_parts(scene)


def _check_parts(scene: Scene) -> None:
    for name, members in (("command", ("vx", "vz", "yaw_rate", "time")), ("roller", ("length", "largest_radius", "tip_radius", "inclination"))):
        part = scene.get(name)
        if part is None:
            continue
        if not isinstance(part, Mapping):
            raise ValueError(f"the scene has a {name} that cannot be one")
        for member in members:
            picture_parts.number(part.get(member))
    for warning in picture_parts.items(scene.get("warnings", []), 50):
        if not isinstance(warning, Mapping):
            raise ValueError("the scene has a warning that cannot be one")
        picture_parts.items(warning.get("wheels", []), MOST_WHEELS)


def warnings(scene: Scene) -> list[str]:
    """Settings that are legal in the study and hardly meant: a sentence each, plain text."""
    return [f"{picture_parts.words(one.get('kind'))}: {str(one.get('text', ''))[:600]}" for one in scene.get("warnings", []) if isinstance(one, Mapping)]


# --- drawing --------------------------------------------------------------------------------------------------------------


def _arrow(a: Place, b: Place, line: str, head: str, size: float = 7.0) -> str:
    """From a to b, with its head at b."""
    length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    u, v = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    neck = (b[0] - size * u, b[1] - size * v)
    tip = [b, (neck[0] - 0.5 * size * v, neck[1] + 0.5 * size * u), (neck[0] + 0.5 * size * v, neck[1] - 0.5 * size * u)]
    return picture_parts.line(a, neck, line) + picture_parts.polygon(tip, head)


def _half(wheel: Mapping[str, Any]) -> float:
    return float(wheel.get("half_width") or NO_WIDTH * wheel["radius"])


def _extent(wheel: Mapping[str, Any]) -> tuple[float, float]:
    """Half the extent forward and to the right."""
    s, c = abs(math.sin(wheel["axis_angle"])), abs(math.cos(wheel["axis_angle"]))
    lean = wheel["radius"] * abs(math.cos(wheel.get("tilt", 0.5 * math.pi)))
    half = max(_half(wheel), lean)
    return wheel["radius"] * c + half * s, wheel["radius"] * s + half * c


def _scale_bar(at: Place, scale: float, paint: Paint) -> str:
    """A round length of 30 to 80 px."""
    power = 10.0 ** math.floor(math.log10(70 / scale))
    metres = max(step * power for step in (1, 2, 5) if step * power * scale <= 75)
    end = (at[0] + metres * scale, at[1])
    ends = "".join(picture_parts.line((x, at[1] - 3), (x, at[1] + 3), paint("line")) for x in (at[0], end[0]))
    return picture_parts.line(at, end, paint("line")) + ends + picture_parts.label((end[0] + 5, at[1] + 4), length_words(metres), paint("note"))


def _hull_role(scene: Scene, number: int) -> str:
    return "warned" if any(number in one.get("wheels", []) for one in scene.get("warnings", [])) else "wheel"


@dataclass(frozen=True)
class _View:
    """Places of the floor in px: x forward is up, z to the right is right."""

    x0: float
    z0: float
    scale: float
    middle: Place

    def at(self, x: float, z: float) -> Place:
        return self.middle[0] + (z - self.z0) * self.scale, self.middle[1] - (x - self.x0) * self.scale

    def of(self, wheel: Mapping[str, Any], along: float, across: float) -> Place:
        """A place of a wheel: along its plane i, along its axle k."""
        s, c = math.sin(wheel["axis_angle"]), math.cos(wheel["axis_angle"])
        return self.at(wheel["x"] + along * c + across * s, wheel["z"] - along * s + across * c)


def _bounds(scene: Scene) -> tuple[float, float, float, float]:
    """Smallest and largest x, smallest and largest z; of the centre of mass too."""
    boxes = [(wheel["x"], wheel["z"], *_extent(wheel)) for wheel in scene["wheels"]]
    boxes += [(scene["center_of_mass"][0], scene["center_of_mass"][1], 0.0, 0.0)] if scene.get("center_of_mass") else []
    return (min(x - a for x, _, a, _ in boxes), max(x + a for x, _, a, _ in boxes),
            min(z - b for _, z, _, b in boxes), max(z + b for _, z, _, b in boxes))


def _above(scene: Scene, paint: Paint) -> Panel:
    low_x, high_x, low_z, high_z = _bounds(scene)
    axes = 40.0  # px for the axes at the left
    scale = min((HIGH - 2 * EDGE - FOOT) / (high_x - low_x), (WIDE - 2 * EDGE - axes) / (high_z - low_z))
    width = max(150.0, (high_z - low_z) * scale + 2 * EDGE + axes)
    view = _View(0.5 * (low_x + high_x), 0.5 * (low_z + high_z), scale, (0.5 * (width + axes), EDGE + 0.5 * (HIGH - 2 * EDGE - FOOT)))
    parts = [picture_parts.label((4, 12), "from above", paint("note"))]
    if scene.get("polygon"):
        parts.append(picture_parts.polygon([view.at(x, z) for x, z in scene["polygon"]], paint("dashed")))
    parts += [picture_parts.line(view.at(rod[0], rod[1]), view.at(rod[2], rod[3]), paint("rod")) for rod in scene.get("rods", [])]
    parts += [_wheel_above(scene, number, view, paint) for number in range(len(scene["wheels"]))]
    parts += _command(scene, view, paint, 0.3 * min((high_x - low_x), (high_z - low_z)))
    if scene.get("center_of_mass"):
        role = "mass-out" if picture_parts.number(scene.get("margin", 0.0)) < 0 else "mass"
        parts.append(_mass(view.at(scene["center_of_mass"][0], scene["center_of_mass"][1]), role, paint))
    parts += _axes(scene, (14.0, HIGH - FOOT - 12), paint)
    parts.append(_scale_bar((min(axes + EDGE, width - 130), HIGH - 8), scale, paint))
    return Panel("From above", width, HIGH, "".join(parts))


def _wheel_above(scene: Scene, number: int, view: _View, paint: Paint) -> str:
    wheel = scene["wheels"][number]
    radius, half = wheel["radius"], _half(wheel)
    lean = math.cos(wheel.get("tilt", 0.5 * math.pi))
    if abs(lean) > 1e-6:  # a disc that leans is an ellipse
        x, y = view.at(wheel["x"], wheel["z"])
        turn = -90 - math.degrees(wheel["axis_angle"])
        body = (f'<ellipse{paint(_hull_role(scene, number))} cx="{x:.2f}" cy="{y:.2f}" rx="{radius * view.scale:.2f}" '
                f'ry="{max(abs(lean) * radius, half) * view.scale:.2f}" transform="rotate({turn:.3f} {x:.2f} {y:.2f})"/>')
    else:
        corners = [view.of(wheel, a * radius, b * half) for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))]
        body = picture_parts.polygon(corners, paint(_hull_role(scene, number))) + "".join(_rollers_above(wheel, view, paint))
    outward = wheel["z"] * math.cos(wheel["axis_angle"])
    if not scene.get("rods"):  # wheels on a rod have it on their other side
        outward += wheel["x"] * math.sin(wheel["axis_angle"])
    at = view.of(wheel, 0.0, math.copysign(half + 9 / view.scale, outward))
    words = picture_parts.label((at[0], at[1] + 4), str(number), paint("number"), "middle") if len(scene["wheels"]) > 1 else ""
    return f'<g data-wheel="{number}">{body}{words}</g>'


def _shape(wheel: Mapping[str, Any]) -> Wheel:
    return Wheel(wheel["radius"], wheel["center_distance"], int(wheel["rollers"]), wheel.get("inclination", 0.0), wheel.get("row_distance", 0.0))


def _outline(middle: Place, axis: Place, axial: Any, size: Any) -> list[Place]:
    """Of a roller: its sections along an axis, with their radii to either side of it."""
    (x, y), (along, up) = middle, axis
    length = math.hypot(along, up) or 1.0
    edges = [[(x + a * along - side * r * up / length, y + a * up + side * r * along / length) for a, r in zip(axial, size)] for side in (1, -1)]
    return [*edges[0], *reversed(edges[1])]


def _rollers_above(wheel: Mapping[str, Any], view: _View, paint: Paint) -> Iterator[str]:
    """The rollers of the upper half, at wheel angle 0, as one sees them; of a painted disc its direction."""
    psi = wheel.get("inclination", 0.0)
    if not wheel.get("rollers"):
        for share in (-0.6, -0.2, 0.2, 0.6) if psi else ():
            u, v = 0.12 * wheel["radius"] * math.cos(psi), -0.12 * wheel["radius"] * math.sin(psi)
            middle = share * wheel["radius"]
            yield picture_parts.line(view.of(wheel, middle - u, -v), view.of(wheel, middle + u, v), paint("stroke"))
        return
    shape = _shape(wheel)
    axial, size = shape.profile(9)
    for roller in range(shape.rollers):
        q = roller * shape.pitch
        if math.cos(q) > -0.15:
            continue
        along, across = math.cos(psi) * math.cos(q), math.sin(psi)  # its axis, seen from above
        middle, row = shape.center_distance * math.sin(q), float(shape.row_shift(np.asarray(roller)))
        outline = _outline((middle, row), (along, across), axial, size)
        yield picture_parts.polygon([view.of(wheel, *place) for place in outline], paint("roller"))


def _mass(at: Place, role: str, paint: Paint) -> str:
    x, y = at
    quarter = "".join(f'<path{paint("head")} d="M{x:.2f},{y:.2f} L{x:.2f},{y + 5 * v:.2f} A5,5 0 0 0 {x + 5 * v:.2f},{y:.2f} Z"/>'
                      for v in (-1, 1))
    return f'<g data-part="center-of-mass"><circle{paint(role)} cx="{x:.2f}" cy="{y:.2f}" r="5"/>{quarter}</g>'


def _command(scene: Scene, view: _View, paint: Paint, length: float) -> Iterator[str]:
    command = scene.get("command")
    if not command:
        return
    vx, vz, yaw = (float(command[name]) for name in ("vx", "vz", "yaw_rate"))
    speed = math.hypot(vx, vz)
    if speed > 0:
        tip = view.at(vx / speed * length, vz / speed * length)
        yield f'<g data-part="command">{_arrow(view.at(0, 0), tip, paint("command"), paint("command-head"), 9)}</g>'
    if yaw:
        behind = math.degrees(math.atan2(vx, vz)) + 180 if speed > 0 else 90.0
        yield _turning(view, 0.7 * length, behind, yaw > 0, paint)


def _turning(view: _View, radius: float, middle: float, counterclockwise: bool, paint: Paint) -> str:
    """An arc of a quarter about the body origin; `middle` is its own direction, in degrees from the right, over forward."""
    ends = (middle - 45, middle + 45) if counterclockwise else (middle + 45, middle - 45)
    start, end = (view.at(radius * math.sin(math.radians(a)), radius * math.cos(math.radians(a))) for a in ends)
    turn = math.radians(ends[1]) + (0.5 if counterclockwise else -0.5) * math.pi
    back = (end[0] - 9 * math.cos(turn), end[1] + 9 * math.sin(turn))
    r = radius * view.scale
    arc = (f'<path{paint("command")} d="M{start[0]:.2f},{start[1]:.2f} A{r:.2f},{r:.2f} 0 0 {0 if counterclockwise else 1} '
           f'{end[0]:.2f},{end[1]:.2f}"/>')
    tip = (end[0] + 4 * math.cos(turn), end[1] - 4 * math.sin(turn))
    return f'<g data-part="turning">{arc}{_arrow(back, tip, paint("command"), paint("command-head"), 9)}</g>'


def _axes(scene: Scene, at: Place, paint: Paint) -> Iterator[str]:
    """x forward; z to the right, or in the frame of ROS y to the left."""
    ros = scene.get("frame") == "ros"
    corner = (at[0] + 22, at[1]) if ros else at
    side = (corner[0] - 22, corner[1]) if ros else (corner[0] + 22, corner[1])
    yield _arrow(corner, (corner[0], corner[1] - 30), paint("arrow"), paint("head"))
    yield _arrow(corner, side, paint("arrow"), paint("head"))
    yield picture_parts.label((corner[0] - 8, corner[1] - 36), "x", paint("text"))
    yield picture_parts.label((corner[0] - 12, corner[1] - 50), "forward", paint("note"))
    yield picture_parts.label((side[0] + (-2 if ros else 3), side[1] + (14 if ros else 4)), "y" if ros else "z", paint("text"))


def _side(scene: Scene, paint: Paint) -> Panel:
    """From the right: forward points to the right."""
    low, high, _, _ = _bounds(scene)
    mass = scene.get("center_of_mass")
    top = max([2 * wheel["radius"] for wheel in scene["wheels"]] + ([1.1 * mass[2]] if mass else []))
    scale = min((WIDE - 2 * EDGE) / (high - low), (HIGH - 2 * EDGE - FOOT) / top)
    width, floor = max(150.0, (high - low) * scale + 2 * EDGE), 26 + top * scale
    left = 0.5 * (width - (high - low) * scale)
    told = f"{length_words(mass[2])} high" if mass else ""
    wide = 6.6 * len(told)  # of words of 11 px in the wider ones of the fonts that a reader may have
    if mass:  # its words stand to the right of it
        width = max(width, left + (mass[0] - low) * scale + 14 + wide)

    def at(x: float, y: float) -> Place:
        return left + (x - low) * scale, floor - y * scale

    parts = [picture_parts.label((4, 12), "from the side", paint("note")), picture_parts.line((4, floor), (width - 4, floor), paint("line"))]
    order = sorted(range(len(scene["wheels"])), key=lambda number: scene["wheels"][number]["z"])
    parts += [_wheel_side(scene, number, at, scale, paint) for number in order]
    parts += _side_numbers(scene, at, paint)
    if mass:
        parts.append(picture_parts.line(at(mass[0], 0), at(mass[0], mass[2]), paint("dashed")))
        parts.append(_mass(at(mass[0], mass[2]), "mass", paint))
        spot = at(mass[0], mass[2])
        # On paper of their own: rollers behind them are as dark as some letters, and where these stand depends on the font.
        parts.append(f'<rect{paint("paper")} x="{spot[0] + 8:.2f}" y="{spot[1] - 17:.2f}" width="{wide + 2:.2f}" height="14"/>')
        parts.append(picture_parts.label((spot[0] + 9, spot[1] - 7), told, paint("halo")))
    parts.append(_arrow((width - 62, 18), (width - 30, 18), paint("arrow"), paint("head")))
    parts.append(picture_parts.label((width - 26, 22), "x", paint("text")))
    parts.append(_scale_bar((EDGE, floor + FOOT - 6), scale, paint))
    return Panel("From the side", width, floor + FOOT + 2, "".join(parts))


def _wheel_side(scene: Scene, number: int, at: Callable[[float, float], Place], scale: float, paint: Paint) -> str:
    """Outline of a cylinder: two ellipses and the area between them."""
    wheel = scene["wheels"][number]
    s, c = abs(math.sin(wheel["axis_angle"])), abs(math.cos(wheel["axis_angle"]))
    high = wheel["radius"] * math.sin(wheel.get("tilt", 0.5 * math.pi))
    x, y = at(wheel["x"], high)
    wide, tall, half = wheel["radius"] * c * scale, max(high * scale, 1.0), _half(wheel) * s * scale
    path = (f"M{x - half:.2f},{y - tall:.2f} A{wide:.2f},{tall:.2f} 0 0 0 {x - half:.2f},{y + tall:.2f} L{x + half:.2f},{y + tall:.2f} "
            f"A{wide:.2f},{tall:.2f} 0 0 0 {x + half:.2f},{y - tall:.2f} Z")
    shown = f'<path{paint(_hull_role(scene, number))} d="{path}"/>'
    rollers = "".join(_rollers_side(wheel, at, paint)) if wheel.get("rollers") else ""
    return f'<g data-wheel="{number}">{shown}{rollers}</g>'


def _rollers_side(wheel: Mapping[str, Any], at: Callable[[float, float], Place], paint: Paint) -> Iterator[str]:
    """The rollers at wheel angle 0 that the wheel does not hide, seen from the right: z points at the reader."""
    psi, s, c = wheel.get("inclination", 0.0), math.sin(wheel["axis_angle"]), math.cos(wheel["axis_angle"])
    shape = _shape(wheel)
    axial, size = shape.profile(9)
    for roller in range(shape.rollers):
        q = roller * shape.pitch
        ahead, row = shape.center_distance * math.sin(q), float(shape.row_shift(np.asarray(roller)))
        if ahead * s > 0.15 * shape.center_distance:  # on the far side
            continue
        along, up = math.cos(psi) * math.cos(q) * c + math.sin(psi) * s, math.cos(psi) * math.sin(q)  # its axis in the picture
        x, y = wheel["x"] + ahead * c + row * s, wheel["radius"] - shape.center_distance * math.cos(q)
        yield picture_parts.polygon([at(*place) for place in _outline((x, y), (along, up), axial, size)], paint("roller"))


def _side_numbers(scene: Scene, at: Callable[[float, float], Place], paint: Paint) -> Iterator[str]:
    """Wheels behind each other have their numbers in one place, wheels behind the centre of mass to its side."""
    places: dict[tuple[int, int], list[int]] = {}
    for number, wheel in enumerate(scene["wheels"] if len(scene["wheels"]) > 1 else []):
        x, y = at(wheel["x"], wheel["radius"])
        places.setdefault((round(x), round(y)), []).append(number)
    mass = scene.get("center_of_mass")
    line = at(mass[0], mass[2])[0] if mass else -LARGEST
    for (x, y), numbers in places.items():
        words = ", ".join(map(str, numbers))
        aside = 12.0 + 3.5 * len(words) - abs(x - line)  # px that it is too near
        yield picture_parts.label((x + (math.copysign(aside, x - line - 0.5) if aside > 0 else 0), y + 4), words, paint("number"), "middle")


def _roller(wheel: Mapping[str, Any], measures: Mapping[str, Any], paint: Paint) -> Panel:
    """One roller, its axis level, with its measures, and the wheel's plane at the inclination to it."""
    axial, size = _shape(wheel).profile(21)
    length, widest = float(measures["length"]), max(float(measures["largest_radius"]), 1e-9)
    scale = min(104 / max(length, 1e-9), 40 / (2 * widest))
    width, height, x, y = 310.0, 100.0, 72.0, 48.0
    outline = [(x + a * scale, y - r * scale) for a, r in zip(axial, size)] + [(x + a * scale, y + r * scale) for a, r in zip(axial[::-1], size[::-1])]
    end, below = 0.5 * length * scale, y + widest * scale + 14
    turn = float(measures["inclination"])
    reach = min(58.0, 28 / max(abs(math.sin(turn)), 1e-9))
    plane = [(x - reach * math.cos(turn), y - reach * math.sin(turn)), (x + reach * math.cos(turn), y + reach * math.sin(turn))]
    parts = [picture_parts.label((4, 12), f"one of {int(wheel['rollers'])} rollers", paint("note")), picture_parts.polygon(outline, paint("roller"))]
    parts += [picture_parts.line(plane[0], plane[1], paint("dashed")) if turn else ""]
    parts += [picture_parts.line((x - end - 10, y), (x + end + 10, y), paint("line"))]
    parts += [_arrow((x, below), (x + sign * end, below), paint("line"), paint("head"), 5) for sign in (-1, 1)]
    tip = float(measures["tip_radius"])
    told = [f"length {length_words(length)}", f"largest radius {length_words(widest)}",
            f"ends {length_words(tip)} in radius" if tip > 1e-9 else "pointed ends",
            f"inclination {math.degrees(turn):.3g}° (dashed)" if turn else "in the plane of the wheel"]
    parts += [picture_parts.label((148, 31 + 17 * at), words, paint("text")) for at, words in enumerate(told)]
    return Panel("One roller", width, height, "".join(parts))


def write(scene: Scene, output: str) -> None:
    """The picture as a file, all of it or nothing. Raises UsageError for a name that is none of an SVG, and FileError."""
    if not output.lower().endswith(".svg"):
        raise UsageError(f"{output}: the picture is SVG; give a name that ends in .svg")
    with writing(output) as file:
        file.write(svg(scene))
