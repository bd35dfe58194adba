"""Shapes that stand for rollers: an ellipsoid, a chain of spheres, a convex mesh, and how far each is from the true roller.

The height of a wheel's centre over a level floor is the largest over its rollers. A roller at the angle a from straight down, in a wheel
with the distance R1 of its rollers, holds it at R1 cos a + h, with h the support of the roller's surface in the direction down, whose
cosine with the roller's axis is cos psi sin a. The true roller holds it at R over its whole profile."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace
from typing import Callable

import numpy as np

from ..errors import UsageError
from .bodies import Array, Roller

GRID = 721  # angles at which a share is looked at
SHAPES = ("ellipsoid", "spheres", "mesh")
STANDARD_ERROR = 1e-3  # of spheres and meshes, of the wheel's radius
MOST_PARTS = 200  # spheres of a chain, rings or corners of a mesh
Support = Callable[[Array], Array]  # of the cosine with the roller's axis


@dataclass(frozen=True)
class Shape:
    """The shape in place of a roller: its measures along the roller's axis, and its errors in m, measured."""

    kind: str
    half_length: float = 0.0  # of an ellipsoid
    radius: float = 0.0
    spheres: "list[tuple[float, float]]" = field(default_factory=list)  # place on the axis, radius
    rings: "list[tuple[float, float]]" = field(default_factory=list)  # of a mesh: place on the axis, distance of the corners
    corners: int = 0  # of each ring
    error: float = 0.0  # largest distance of the height that it gives the wheel's centre from the true one
    ripple: float = 0.0  # from the lowest to the highest of the wheel's centre
    true_ripple: float = 0.0  # the same of the true wheel

    def vertices(self) -> Array:
        """Corners of a mesh, along the axis z; every other ring is turned by half a corner."""
        rows = []
        for i, (along, distance) in enumerate(self.rings):
            angle = 2 * np.pi * (np.arange(self.corners) + 0.5 * (i % 2)) / self.corners
            rows.append(np.stack([distance * np.cos(angle), distance * np.sin(angle), np.full(self.corners, along)], axis=1))
        return np.concatenate(rows)


def _cosine(roller: Roller, angle: Array) -> Array:
    return np.asarray(np.cos(roller.inclination) * np.sin(np.abs(angle)))


def profile(roller: Roller, radius: float, angle: Array) -> "tuple[Array, Array]":
    """Place along the axis and radius of the true roller where it touches at the angle, within its end."""
    depth = radius - roller.center_distance / np.cos(angle)
    up = np.sin(angle) * np.cos(roller.inclination)
    along = roller.center_distance * np.tan(angle) / np.cos(roller.inclination)
    inner = depth - roller.undersize
    return along + inner * up, inner * np.sqrt(1 - up * up)


def true_height(roller: Roller, radius: float, angle: Array) -> Array:
    """Height of the wheel's centre on the true roller: beyond the profile on its end, which a fillet rounds."""
    cosine = _cosine(roller, angle)
    end = np.array([roller.end])
    up = np.sin(end) * np.cos(roller.inclination)
    along, distance = profile(roller, radius, end)
    level = np.sqrt(1 - up * up)
    edge = (along - roller.fillet * up) * cosine + (distance - roller.fillet * level) * np.sqrt(1 - cosine * cosine) + roller.fillet
    on_edge = roller.center_distance * np.cos(angle) + edge
    return np.where(np.abs(angle) <= roller.end, radius - roller.undersize, on_edge)


def height(roller: Roller, support: Support, angle: Array) -> Array:
    return roller.center_distance * np.cos(angle) + support(_cosine(roller, angle))


def _ripple(roller: Roller, of: Callable[[Array], Array]) -> float:
    """Peak to peak over the turn of a wheel, of the highest of a roller and its neighbours."""
    highest = np.max([of(_shares(roller) + 2 * roller.share * k) for k in (-1, 0, 1)], axis=0)
    return float(np.ptp(highest))


def _shares(roller: Roller) -> Array:
    return np.linspace(-roller.share, roller.share, GRID)


def _measured(roller: Roller, radius: float, made: Shape, support: Support) -> Shape:
    angle = _shares(roller)
    off = height(roller, support, angle) - true_height(roller, radius, angle)
    return replace(made, error=float(np.abs(off).max()), ripple=_ripple(roller, lambda a: height(roller, support, a)),
                   true_ripple=true_ripple(roller, radius))


def true_ripple(roller: Roller, radius: float) -> float:
    return _ripple(roller, lambda a: true_height(roller, radius, a))


def _ellipsoid_support(half: float, across: float) -> Support:
    return lambda cosine: np.sqrt(half ** 2 * cosine ** 2 + across ** 2 * (1 - cosine ** 2))


def ellipsoid(roller: Roller, radius: float) -> Shape:
    """The ellipsoid whose height of the centre is nearest to the true one, by least squares over the roller's share. The Chebyshev
    angles are closer at the ends, which makes the ripple about the least."""
    angle = -roller.share * np.cos(np.pi * (np.arange(GRID) + 0.5) / GRID)
    cosine, wanted = _cosine(roller, angle), true_height(roller, radius, angle) - roller.center_distance * np.cos(angle)
    columns = np.stack([cosine ** 2, 1 - cosine ** 2], axis=1)
    squares = np.linalg.lstsq(columns, wanted ** 2, rcond=None)[0]
    for _ in range(20):  # Gauss and Newton: the unknowns are squares of heights, the errors count in heights
        have = np.sqrt(columns @ squares)
        step = np.linalg.lstsq(columns / (2 * have[:, None]), wanted - have, rcond=None)[0]
        squares = squares + step
        if np.abs(step).max() < 1e-14 * np.abs(squares).max():
            break
    half, across = (float(value) for value in np.sqrt(squares))
    return _measured(roller, radius, Shape("ellipsoid", half, across), _ellipsoid_support(half, across))


def _chain_support(spheres: "list[tuple[float, float]]") -> Support:
    return lambda cosine: np.max([place * cosine + size for place, size in spheres], axis=0)


def _chain(roller: Roller, radius: float, count: int) -> Shape:
    """Spheres on the axis that touch the profile from inside at even angles, and then grow until the errors are even."""
    reach = min(roller.end, roller.share)
    at = reach * ((2 * np.arange(count) + 1) / count - 1)
    places = roller.center_distance * np.tan(at) / np.cos(roller.inclination)
    sizes = radius - roller.center_distance / np.cos(at) - roller.undersize
    angle = _shares(roller)
    low = height(roller, _chain_support(list(zip(places, sizes))), angle) - true_height(roller, radius, angle)
    spheres = [(float(place), float(size)) for place, size in zip(places, sizes - 0.5 * (low.min() + low.max()))]
    return _measured(roller, radius, Shape("spheres", spheres=spheres), _chain_support(spheres))


def spheres(roller: Roller, radius: float, error: float) -> Shape:
    """The chain of fewest spheres whose error is at most `error`."""
    reach, center = min(roller.end, roller.share), roller.center_distance
    if center * (1 - np.cos(reach / MOST_PARTS)) > 2 * error:  # the dip between the last of that many
        raise UsageError(f"--error {error:g}: takes more than {MOST_PARTS} spheres a roller; give a larger error, or --shape mesh")
    for count in range(1, MOST_PARTS + 1):
        made = _chain(roller, radius, count)
        if made.error <= error:
            return made
    raise UsageError(f"--error {error:g}: takes more than {MOST_PARTS} spheres a roller; give a larger error, or --shape mesh")


def _mesh_support(vertices: Array, turns: Array, lowest: bool) -> Support:
    """Of a mesh that is turned about its axis: the least or the largest over its turns."""
    def support(cosine: Array) -> Array:
        across = np.sqrt(1 - cosine * cosine)
        found = []
        for turn in turns:
            distance = vertices[:, 0] * np.cos(turn) + vertices[:, 1] * np.sin(turn)
            found.append(np.max(vertices[:, 2][:, None] * cosine + distance[:, None] * across, axis=0))
        return np.asarray(np.min(found, axis=0) if lowest else np.max(found, axis=0))

    return support


def _mesh(roller: Roller, radius: float, rings: int, corners: int) -> Shape:
    at = np.linspace(-roller.end, roller.end, rings)
    along, distance = profile(roller, radius, at)
    distance = np.maximum(distance, 0) / (1 - 0.5 * (1 - np.cos(np.pi / corners)))  # corners outside as far as sides are inside
    made = Shape("mesh", rings=[(float(a), float(d)) for a, d in zip(along, distance)], corners=corners)
    turns = np.linspace(0, np.pi / corners, 5)
    low, high = (_measured(roller, radius, made, _mesh_support(made.vertices(), turns, lowest)) for lowest in (True, False))
    return replace(low, error=max(low.error, high.error), ripple=max(low.ripple, high.ripple))


def mesh(roller: Roller, radius: float, error: float) -> Shape:
    """A convex mesh of rings of corners whose error is at most `error`. Half of it goes to the chords between rings, whose sagittas are
    (R1 + r cos^2 psi) dq^2/8, and half to the sides of the rings, less by growing them; more are taken until the measured error is small enough."""
    thick = radius - roller.center_distance
    step = np.sqrt(4 * error / (roller.center_distance + thick * np.cos(roller.inclination) ** 2))
    rings, corners = 2 + 2 * roller.end / step, max(np.pi / np.arccos(max(1 - error / thick, -1.0)), 5.0)
    while max(rings, corners) <= MOST_PARTS:
        made = _mesh(roller, radius, int(np.ceil(rings)), int(np.ceil(corners)))
        if made.error <= error:
            return made
        rings, corners = 1.1 * rings, 1.1 * corners
    raise UsageError(f"--error {error:g}: takes a mesh of more than {MOST_PARTS} rings or corners; give a larger error, or --shape spheres")


@functools.lru_cache(maxsize=32)  # wheels mostly share theirs
def shape_of(roller: Roller, radius: float, kind: str, error: "float | None") -> Shape:
    """The shape of the rollers of a wheel of that radius. error: m, None for the standard one. Raises UsageError."""
    if kind == "ellipsoid":
        return ellipsoid(roller, radius)
    return (spheres if kind == "spheres" else mesh)(roller, radius, STANDARD_ERROR * radius if error is None else error)
