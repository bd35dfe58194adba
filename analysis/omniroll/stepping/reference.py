"""Figures that vehicles are to follow, each vehicle its own: circles, eights, squares and smooth wandering."""

from __future__ import annotations

from typing import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError

Floats = NDArray[np.float64]
FIGURES = ("circle", "eight", "square", "smooth")
SQUARE = FIGURES.index("square")
HARMONICS = 3
START = 0.3  # s, in which the figure gathers its speed
CORNERS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])  # directions of a square's sides


class Reference:
    """A pose over time for each vehicle. Within START it gathers its speed, so that a vehicle at rest can follow; the heading swings
    about the way. All in the axes of the study's frame."""

    def __init__(self, count: int, figures: Sequence[str] = FIGURES, size: tuple[float, float] = (0.3, 1.0), speed: tuple[float, float] = (0.2, 0.6),
                 swing: float = 0.5) -> None:
        """figures: those that are drawn; size, m: radius, or a square's side; speed, m/s, nearly; swing, rad: largest amplitude of the heading."""
        unknown = [name for name in figures if name not in FIGURES]
        if unknown or not figures:
            raise UsageError(f"figures are some of {', '.join(FIGURES)}, not {', '.join(map(repr, unknown)) or 'none'}")
        if not (0 < size[0] <= size[1] and 0 <= speed[0] <= speed[1] and swing >= 0):
            raise UsageError("size, speed and swing: a range from low to high, of which the size is above 0, and an amplitude from 0 on")
        self.figures, self.size, self.speed, self.swing = tuple(figures), size, speed, swing
        self.kind = np.zeros(count, dtype=np.int64)
        self.start = np.zeros((count, 3))
        self.scale, self.rate, self.way = np.ones(count), np.zeros(count), np.zeros(count)
        self.amplitude, self.phase = np.zeros((count, 2, HARMONICS)), np.zeros((count, 2, HARMONICS))
        self.yaw = np.zeros((count, 3))  # amplitude, rate as a multiple, phase

    def draw(self, rng: np.random.Generator, slots: NDArray[np.intp], start: Floats) -> None:
        """New figures for these vehicles, which begin at their poses `start` (x, the second axis, yaw)."""
        count = len(slots)
        kind = np.array([FIGURES.index(name) for name in self.figures])[rng.integers(len(self.figures), size=count)]
        self.kind[slots], self.start[slots] = kind, start
        self.scale[slots] = rng.uniform(*self.size, size=count)
        self.rate[slots] = rng.uniform(*self.speed, size=count) / self.scale[slots] * rng.choice([-1, 1], size=count)
        self.way[slots] = rng.uniform(-np.pi, np.pi, size=count)
        self.yaw[slots] = np.stack([rng.uniform(0, self.swing, count), rng.uniform(0.5, 1.5, count), rng.uniform(-np.pi, np.pi, count)], axis=1)

        # Each figure but the square is a few harmonics of one angle; "smooth" draws them, with the speed of a circle's in the mean.
        amplitude, phase = np.zeros((count, 2, HARMONICS)), np.zeros((count, 2, HARMONICS))
        amplitude[kind == FIGURES.index("circle")] = [[1, 0, 0], [1, 0, 0]]
        phase[kind == FIGURES.index("circle")] = [[0, 0, 0], [-np.pi / 2, 0, 0]]
        amplitude[kind == FIGURES.index("eight")] = [[1, 0, 0], [0, 0.5, 0]]
        free = rng.normal(size=(count, 2, HARMONICS)) / np.arange(1, HARMONICS + 1)
        free *= np.sqrt(2 / ((free * np.arange(1, HARMONICS + 1)) ** 2).sum(axis=(1, 2), keepdims=True))
        phases = rng.uniform(-np.pi, np.pi, size=phase.shape)
        smooth = kind == FIGURES.index("smooth")
        amplitude[smooth], phase[smooth] = free[smooth], phases[smooth]
        self.amplitude[slots], self.phase[slots] = amplitude, phase

    def repeat(self, groups: int) -> None:
        """Gives the figures of the first of so many groups to all of them."""
        for values in (self.kind, self.start, self.scale, self.rate, self.way, self.amplitude, self.phase, self.yaw):
            first = values[:len(values) // groups]
            values[:] = np.tile(first, (groups, *[1] * (values.ndim - 1)))

    def at(self, seconds: Floats) -> tuple[Floats, Floats]:
        """Poses (count, 3) at times since each vehicle's start, and their rates in the world's axes."""
        eased = np.exp(-np.maximum(seconds, 0) / START)
        angle = self.rate * (seconds - START * (1 - eased))
        turning = self.rate * (1 - eased)
        order = np.arange(1, HARMONICS + 1)
        inside = order * angle[:, None, None] + self.phase
        place = (self.amplitude * (np.sin(inside) - np.sin(self.phase))).sum(axis=2)
        going = (self.amplitude * order * np.cos(inside)).sum(axis=2)

        square = np.flatnonzero(self.kind == SQUARE)
        if len(square):
            place[square], going[square] = _square(angle[square])
        place *= self.scale[:, None]
        going *= (self.scale * turning)[:, None]

        # The figure lies turned in the plane.
        cosine, sine = np.cos(self.way), np.sin(self.way)
        swing, multiple, phase = self.yaw.T
        pose, rates = np.empty((len(seconds), 3)), np.empty((len(seconds), 3))
        for into, of in ((pose, place), (rates, going)):
            into[:, 0] = cosine * of[:, 0] - sine * of[:, 1]
            into[:, 1] = sine * of[:, 0] + cosine * of[:, 1]
        pose[:, 2] = swing * (np.sin(multiple * angle + phase) - np.sin(phase))
        rates[:, 2] = swing * multiple * turning * np.cos(multiple * angle + phase)
        return pose + self.start, rates


def _square(angle: Floats) -> tuple[Floats, Floats]:
    """Places on a square of side 1 at that way from its first corner, and directions."""
    side = np.floor(angle).astype(np.int64)
    corner = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])[side % 4]
    direction = CORNERS[side % 4]
    return corner + (angle - side)[:, None] * direction, direction
