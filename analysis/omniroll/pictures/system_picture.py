"""The graph of a multibody system as a picture: bodies and constraints in two colours, each constraint between its two bodies (source 3).

omr_study_scene_json makes the scene for the model multibody. It may come from a file of anybody: its lists are checked."""

from __future__ import annotations

import math
from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import picture_parts
from .picture_parts import Paint, Panel, Place, Scene

Places = npt.NDArray[np.float64]
MOST_BODIES, MOST_EDGES, LONGEST = 201, 2000, 60
STEP = 70.0  # px between neighbours
MARGIN = 14.0  # px around
ROUNDS = 500


def is_graph(scene: Any) -> bool:
    return isinstance(scene, Mapping) and "edges" in scene and "bodies" in scene


def _named(row: Any) -> str:
    if not isinstance(row, Mapping) or not isinstance(row.get("name"), str) or not row["name"]:
        raise ValueError("the scene has a part without a name")
    return str(row["name"])[:LONGEST]


def _parts(scene: Scene) -> tuple[list[str], list[tuple[str, str, str, int, int]]]:
    """Names of the bodies; name, class, kind and both bodies of the edges. Raises ValueError."""
    bodies = [_named(row) for row in picture_parts.items(scene["bodies"], MOST_BODIES)]
    place = {name: at for at, name in enumerate(bodies)}
    edges = []
    for row in picture_parts.items(scene["edges"], MOST_EDGES):
        name = _named(row)
        between = picture_parts.items(row.get("between"), 2)
        if len(between) != 2 or any(not isinstance(one, str) or one not in place for one in between):
            raise ValueError(f"the edge {name} does not join two bodies of the scene")
        edges.append((name, picture_parts.words(row.get("class")), picture_parts.words(row.get("kind")), place[between[0]], place[between[1]]))
    return bodies, edges


def _distances(count: int, links: Sequence[tuple[int, int]]) -> Places:
    """Links between all nodes; parts that nothing joins lie as far apart as the longest way and one more."""
    far = np.full((count, count), np.inf)
    np.fill_diagonal(far, 0.0)
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)
    for start in range(count):
        ring, reached = [start], {start}
        for steps in range(1, count + 1):
            ring = [to for to in dict.fromkeys(to for one in ring for to in near[one]) if to not in reached]
            for to in ring:
                far[start, to] = steps
            reached.update(ring)
            if not ring:
                break
    joined = far[np.isfinite(far)]
    return np.where(np.isfinite(far), far, joined.max() + 1.0)


def layout(count: int, links: Sequence[tuple[int, int]]) -> Places:
    """Places whose distances come near to the numbers of links between nodes, in units of a link: stress majorization (Gansner, Koren,
    North 2005), weights 1/d^2. The same for the same graph."""
    wanted = _distances(count, links)
    weight = np.divide(1.0, wanted ** 2, out=np.zeros_like(wanted), where=wanted > 0)
    turn = np.arange(count) * (math.pi * (3 - math.sqrt(5)))  # a start without two places alike
    place = np.stack([np.cos(turn), np.sin(turn)], axis=1) * np.sqrt(np.arange(count) + 0.5)[:, None]
    total = weight.sum(axis=1)
    for _ in range(ROUNDS if count > 1 else 0):
        for node in range(count):
            away = place[node] - place
            size = np.hypot(away[:, 0], away[:, 1])
            pull = np.divide(wanted[node], size, out=np.zeros(count), where=size > 1e-9)
            place[node] = (weight[node, :, None] * (place + away * pull[:, None])).sum(axis=0) / total[node]
    return _wide(place)


def _wide(place: Places) -> Places:
    """Turned so that the longer extent is across."""
    middle = place - place.mean(axis=0)
    _, _, axes = np.linalg.svd(middle, full_matrices=False) if len(place) > 1 else (None, None, np.eye(2))
    return middle @ np.asarray(axes).T


def _half_body(name: str) -> tuple[float, float]:
    return 4.0 + 3.4 * len(name), 10.0


def _half_edge(lines: Sequence[str]) -> tuple[float, float]:
    return max(6.0, *(3.0 * len(line) for line in lines)), 6.0 + 6.5 * len(lines)


def _apart(place: Places, half: Places) -> Places:
    """Pushes rectangles of these half sizes apart, each pair along the shorter way, until none overlaps or it does not get better."""
    place = place.copy()
    for _ in range(ROUNDS):
        away = place[:, None] - place[None, :]
        room = half[:, None] + half[None, :] - np.abs(away)
        hit = (room > 0).all(axis=2)
        np.fill_diagonal(hit, False)
        if not hit.any():
            break
        along = np.where(room[:, :, 0] < 1.6 * room[:, :, 1], 0, 1)  # labels are wide: up and down costs less
        order = np.sign(np.arange(len(place))[:, None] - np.arange(len(place))[None, :])
        push = np.zeros_like(away)
        for axis in (0, 1):
            sign = np.where(away[:, :, axis] == 0, order, np.sign(away[:, :, axis]))
            push[:, :, axis] = np.where(hit & (along == axis), 0.26 * sign * (room[:, :, axis] + 1), 0)
        place += push.sum(axis=1)
    return place


def _body(at: Place, name: str, paint: Paint) -> str:
    half, high = _half_body(name)
    role = "ground" if name == "base" else "body"
    return (f'<rect{paint(role)} x="{at[0] - half:.2f}" y="{at[1] - high:.2f}" width="{2 * half:.2f}" height="{2 * high:.2f}" rx="6"/>'
            + picture_parts.label((at[0], at[1] + 4), name, paint("body-name"), "middle"))


def _joint(at: Place, lines: Sequence[str], paint: Paint) -> str:
    """A dot with its name below, and with its kind where there is room."""
    top = at[1] - 6.5 * len(lines)
    dot = f'<circle{paint("joint")} cx="{at[0]:.2f}" cy="{top:.2f}" r="5"/>'
    roles = ("halo", "kind")
    return dot + "".join(picture_parts.label((at[0], top + 15 + 12 * k), line, paint(roles[k]), "middle") for k, line in enumerate(lines))


def _short(names: Sequence[str]) -> list[str]:
    """Without the beginning that all but the base share."""
    own = [name for name in names if name != "base"]
    first = own[0].split(".")[0] + "." if own else ""
    shared = len(own) > 1 and all(name.startswith(first) for name in own)
    return [name[len(first):] if shared and name != "base" else name for name in names]


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


FEW = 14  # edges that have their kind below their name


def panels(scene: Scene, paint: Paint) -> list[Panel]:
    """The graph. Raises ValueError where the scene cannot be one."""
    bodies, edges = _parts(scene)
    names = _short(bodies)
    lines = [[edge[0].rsplit(".", 1)[-1]] + ([edge[2].replace("_", " ")] if len(edges) <= FEW else []) for edge in edges]
    links = [(len(bodies) + at, one) for at, edge in enumerate(edges) for one in edge[3:5]]
    half = np.array([_half_body(name) for name in names] + [_half_edge(line) for line in lines] or np.zeros((0, 2))).reshape(-1, 2)
    place = _apart(layout(len(half), links) * STEP, half + 3.0) if len(half) else np.zeros((0, 2))
    low = (place - half).min(axis=0) if len(half) else np.zeros(2)
    high = (place + half).max(axis=0) if len(half) else np.zeros(2)
    note = f"boxes: {_counted(len(bodies) - 1, 'body', 'bodies')} and the base; dots: {_counted(len(edges), 'edge', 'edges')} between two each"
    width = max(16.0 + 6.3 * len(note), float(high[0] - low[0]) + 2 * MARGIN)
    height = float(high[1] - low[1]) + 2 * MARGIN + 24
    shift = np.array([(width - float(high[0] - low[0])) / 2, MARGIN]) - low
    at: list[Place] = [(float(x), float(y)) for x, y in place + shift]
    anchors = at[:len(bodies)] + [(x, y - 6.5 * len(line)) for (x, y), line in zip(at[len(bodies):], lines)]
    parts = [picture_parts.line(anchors[a], anchors[b], paint("line")) for a, b in links]
    parts += [_joint(one, line, paint) for one, line in zip(at[len(bodies):], lines)]
    parts += [_body(one, name, paint) for one, name in zip(at, names)]
    parts.append(picture_parts.label((8, height - 10), note, paint("note")))
    return [Panel("Graph of bodies and constraints", width, height, "".join(parts))]
