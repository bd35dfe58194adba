"""Which runs of which ready studies every drawn figure needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from . import published

NOT_PRINTED = "dimensions, masses, friction and initial velocities"


@dataclass(frozen=True)
class Run:
    """A study with changes. With a tolerance it is integrated by omniroll reference, otherwise run on the engine.

    quick   further changes that --quick makes
    bench   a section of omniroll bench that measures the study's motion; its result is a file of JSON
    method  of the reference; without one its own
    """

    study: str
    label: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float | None = None
    quick: Mapping[str, Any] = field(default_factory=dict)
    bench: str = ""
    method: str | None = None

    def name(self, quick: bool = False) -> str:
        """Of the result, without ending."""
        parts = [self.study, self.label, "quick" if quick and (self.quick or self.bench) else ""]
        return "-".join(part.replace("/", "-") for part in parts if part)

    def set(self, quick: bool = False) -> dict[str, Any]:
        """The members of the study to replace."""
        return {**self.changes, **(self.quick if quick else {})}


@dataclass(frozen=True)
class Recipe:
    """What a figure is drawn from. `assumed`: what the paper does not print; `seconds`: time of its runs on two cores, roughly."""

    runs: tuple[Run, ...]
    assumed: str
    seconds: float = 1
    quick_seconds: float | None = None


def _zone(name: str) -> Run:
    """The disc that slides out of its circle, with one kind of regularisation. What is varied stands as a column in the result."""
    varied = [{"path": "friction.lateral", "values": [0.2]}, {"path": "friction.longitudinal", "values": [0.4]},
              {"path": "friction.slip_speed", "values": ["5 mm/s"]}]
    return Run("rolling_disc", name, {"parameters.friction.zone": name, "vary": varied, "output.trajectories.instances": "all",
                                      "output.trajectories.interval": "2 ms"})


def _joints(factor: float) -> Run:
    """The wheelset on springs and dampers, c and d of the source times a factor; stiff. What is varied stands as a column in the result."""
    varied = [{"path": "joint.stiffness", "values": [1000 * factor]}, {"path": "joint.damping", "values": [5000 * factor]}]
    return Run("wheelset", f"compliant-{factor:g}", {"vary": varied}, tolerance=1e-10, method="bdf")


def _measured(robot: str, number: int) -> Run:
    """A measured run, of the posterior's mean and of points of it with what runs scatter; studies/robots/book.py wrote them."""
    return Run(f"robots/{robot}", "path", {
        "data.run": number, "vary": [], "design": {"type": "table", "file": f"{robot}_draws.csv"}, "integrator.step_error": "off",
        "output.trajectories": {"instances": "all", "interval": "200 ms"}})


TRACKING = Recipe((Run("tracking_compare"),), NOT_PRINTED + ", and the rollers' inclination")
HEIGHTS = Recipe((Run("roller_heights"),), NOT_PRINTED)
CALIBRATION = Run("uk_weight_calibration", quick={"vary": [
    {"path": "wheel.contact.stiction_gain", "values": [0, 1, 2, 4, 6]}, {"path": "wheel.contact.friction_gain", "values": [0, 1, 2, 4, 6]},
    {"path": "wheel.contact.reference_speed", "values": ["1 cm/s", "10 cm/s"]}]})
YARDSTICK = Run("uk_weight_calibration", "coulomb", {
    "parameters.contact.law": "saturated_coulomb", "vary": [], "output.trajectories.instances": [0]})
WHEEL5 = "the wheel's inertia, and middle and width of the slippery phase"
BRAKE5 = "the wheel's inertia, the time at which the ground turns slippery, and the brake torque (in print, T_bm = 15 s)"

RECIPES: dict[str, Recipe] = {
    "source1-fig4": HEIGHTS,
    "source1-fig6": TRACKING,
    "source1-fig8": TRACKING,
    "source1-fig9": TRACKING,
    "source1-fig10": TRACKING,
    "source1-figs8-10": TRACKING,
    "source1-tracking": Recipe((Run("tracking_compare", "cost", bench="tracking"),),
                               NOT_PRINTED + ", the rollers' inclination and tips (cut to a radius of 8 mm: nearest points need a normal), "
                               "integrator, tolerance and machine", 15, 5),
    "source2-fig2": Recipe((Run("vehicle_translation"),), NOT_PRINTED),
    "source2-fig8": Recipe((Run("vehicle_translation"), Run("vehicle_rotation")), NOT_PRINTED),
    "source2-fig9": HEIGHTS,
    "source2-fig10": Recipe(tuple(Run("roller_heights", f"reference-{value:.0e}", tolerance=value)
                                  for value in (1e-11, 1e-9, 1e-10, 1e-12)), NOT_PRINTED + ", integrator and tolerance", 4),
    "source2-massless": Recipe((Run("massless_limit"), Run("massless_limit", "massless", {
        "parameters.contact.law": "massless_rollers", "vary": []})), NOT_PRINTED),
    "source3-disc": Recipe((Run("disc_ideal"), Run("disc_ideal", "reference", {"output.trajectories.instances": [10]}, tolerance=1e-14)),
                           "size, mass and motion of the disc", 4),
    "source3-gaits": Recipe((Run("snakeboard_drive"), Run("snakeboard_rotate"), Run("snakeboard_parking")),
                            "lengths, masses, amplitudes, frequencies and phases"),
    "source3-wheelset": Recipe((Run("wheelset"), *(_joints(factor) for factor in (1, 10, 100))), "dimensions, masses, slope and motion"),
    "source4-geometry": Recipe((Run("rolling_disc"),), "disc and motion (the page describes a model and no case)", 2),
    "source4-friction": Recipe((_zone("quadratic"), _zone("linear")), "disc and motion (the page describes a model and no case)", 2),
    "source5-eq1": Recipe(tuple(Run("sliding_block", law, {"parameters.law": law, "output.trajectories.instances": [0]})
                                for law in ("tanh", "saturated", "regularized", "set_valued")),
                          "mass, friction coefficients and the ramp of the traction force"),
    "stick-slip": Recipe((Run("stick_slip"),), "spring, belt and all values: the paper has the block alone"),
    "elastic-rim": Recipe((Run("elastic_wheel"),), "the wheel's inertia, the rim, and the brake torque (in print, T_bm = 15 s)"),
    "source5-fig3": Recipe((Run("uk_driving_20"),), WHEEL5),
    "source5-fig4": Recipe((Run("uk_driving_60"),), WHEEL5),
    "source5-fig5": Recipe((Run("uk_driving_220"),), WHEEL5),
    "source5-fig6": Recipe((Run("uk_braking_03"),), BRAKE5),
    "source5-fig7": Recipe((Run("uk_braking_01"),), BRAKE5),
    "uk-gains": Recipe((Run("uk_gains"),), WHEEL5, 2),
    "uk-calibration": Recipe((CALIBRATION, YARDSTICK), "a vehicle; the paper has one wheel", 30, 4),
    "robots": Recipe((_measured("omni3", 49),), "mass, height and rollers", 5),
}


def caption(name: str) -> str:
    """As it stands below the figure."""
    return str(published.FIGURES[name][1])


def runs_of(names: list[str]) -> list[Run]:
    """The runs that the figures need, each once, in the order of the figures."""
    found: dict[str, Run] = {}
    for name in names:
        for run in RECIPES[name].runs:
            found.setdefault(run.name(), run)
    return list(found.values())
