"""Rollers that a file does not describe: guessed so that wheel and rollers together have the mass and the inertia that the file gives."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..reading.roller_geometry import Wheel as Shape
from .robot import Array

MECANUM, OMNI = 9, 10  # rollers of a wheel
TIP = 0.08  # radius of their ends over the wheel's
SHARE = 0.4  # of the wheel's mass, in its rollers
LEFT = 0.2  # of the wheel's inertias, at least left to the disc


@dataclass
class Parts:
    """A wheel as the study has it. Masses in kg, inertias in kg m2, of one roller and of the disc that carries all."""

    roller_mass: float
    roller_axial: float
    roller_diametral: float
    disc_mass: float
    disc_axial: float
    disc_diametral: float


def center_distance(radius: float, count: int, inclination: float, tip: float) -> float:
    """R1 of rollers whose end faces have the radius `tip` (host/model/roller.c)."""
    alpha = math.pi / count
    return (radius - tip / math.sqrt(1 - (math.sin(alpha) * math.cos(inclination))**2)) * math.cos(alpha)


def of_unit_mass(shape: Shape) -> "tuple[float, float]":
    """Axial and diametral inertia of a solid roller of 1 kg, from its profile."""
    axial, radius = shape.profile(2001)
    step, square = np.diff(axial), radius**2

    def over(values: Array) -> float:
        return float(np.sum((values[1:] + values[:-1]) / 2 * step))

    volume = over(square)
    along = over(square**2) / 2 / volume
    return along, along / 2 + over(square * axial**2) / volume


def about_wheel(shape: Shape, axial: float, diametral: float) -> "tuple[float, float]":
    """Inertias that one roller of 1 kg adds to its wheel about the axle and, on average over the turn, about a diameter."""
    sine2 = math.sin(shape.inclination)**2
    about_axle = axial * sine2 + diametral * (1 - sine2) + shape.center_distance**2
    whole = axial + 2 * diametral + 2 * shape.center_distance**2 + shape.row_distance**2 / 2
    return about_axle, (whole - about_axle) / 2


def split(shape: Shape, mass: float, axial: float, diametral: float) -> Parts:
    """Parts a wheel of this mass and these inertias into rollers and disc. The rollers get SHARE of the mass, less where the inertias of the file
    have no room for it."""
    own = of_unit_mass(shape)
    share = SHARE
    for whole, each in zip((axial, diametral), about_wheel(shape, *own)):
        share = min(share, (1 - LEFT) * whole / (mass * each))
    each_axial, each_diametral = (share * mass * part for part in about_wheel(shape, *own))
    roller = share * mass / shape.rollers
    return Parts(roller, roller * own[0], roller * own[1], (1 - share) * mass, axial - each_axial, diametral - each_diametral)
