"""The source papers and every figure in them: what it shows, by which of our figures it is reproduced, or why it is not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A paper. `short` names it in lines, `full` is the reference."""

    number: int
    short: str
    full: str
    url: str = ""


@dataclass(frozen=True)
class PaperFigure:
    """A figure of a paper as it is captioned there. `drawn` are names of published.FIGURES; where there is none, `why`."""

    source: int
    figure: str
    shows: str
    drawn: tuple[str, ...] = ()
    why: str = ""


SOURCES = {source.number: source for source in (
    Source(1, "Virtual testbench for the omni wheel",
           "I. Kosenko, S. Stepanov, K. Gerasimov, M. Stavrovskiy: Virtual Testbench for the Omni Wheel Dynamics Simulation: New "
           "Contact Tracking Algorithm. Conference paper, Moscow Aviation Institute, Dorodnicyn Computing Centre, Lomonosov Moscow "
           "State University, STAN Group."),
    Source(2, "Physically oriented simulation of the omnivehicle",
           "I. I. Kosenko, K. V. Gerasimov: Physically oriented simulation of the omnivehicle dynamics (in Russian: "
           "Физически-ориентированное моделирование динамики омнитележки). Russian Journal of Nonlinear Dynamics 12 (2016) 251–262."),
    Source(3, "How one can arrange a multibody model",
           "I. I. Kosenko: How One Can Arrange the Multibody System Dynamics Computer Model. Conference paper, Moscow Aviation Institute."),
    Source(4, "Exudyn's RollingDiscPenalty",
           "J. Gerstmayr: Exudyn, user documentation, item ObjectConnectorRollingDiscPenalty.", "https://exudyn.readthedocs.io"),
    Source(5, "The rolling wheel equations without magic",
           "B. Ikoki: The Rolling Wheel Equations without Magic: A Combined Slip-Stiction Approach by the Udwadia-Kalaba Formulation "
           "with Constraints Relaxation for a Smooth Simulation. Journal of Transportation Technologies 11 (2021) 378–389.",
           "https://doi.org/10.4236/jtts.2021.113024"),
    Source(6, "OptiOdom's measured robots",
           "R. B. Sousa, M. R. Petry, P. G. Costa, A. P. Moreira: OptiOdom: a Generic Approach for Odometry Calibration of Wheeled Mobile "
           "Robots. Journal of Intelligent and Robotic Systems 105:39 (2022), with a public data set.",
           "https://doi.org/10.1007/s10846-022-01630-3"),
)}

CODE = "structure of the paper's Modelica program; no data"
SKETCH = "a sketch that names forces or axes; no data"

PAPER_FIGURES = (
    PaperFigure(1, "1", "Architecture of a constraint", why=CODE),
    PaperFigure(1, "2", "The same as a bond graph", why=CODE),
    PaperFigure(1, "3", "Area of a constraint: two surfaces and their nearest points", why=SKETCH),
    PaperFigure(1, "4", "Omni wheel with four rollers, from the side and from ahead", ("source1-fig4",)),
    PaperFigure(1, "5", "Visual model of the wheel on its testbench", why=CODE),
    PaperFigure(1, "6", "Contact tracking: point of an inclined roller that is closest to the floor", ("source1-fig6",)),
    PaperFigure(1, "7", "Contact model by stages of inheritance", why=CODE),
    PaperFigure(1, "8", "Vertical velocity of roller 1's centre, explicit and implicit tracking", ("source1-fig8", "source1-figs8-10")),
    PaperFigure(1, "9", "Divergence of its vertical acceleration", ("source1-fig9", "source1-figs8-10")),
    PaperFigure(1, "10", "Divergence of its height", ("source1-fig10", "source1-figs8-10")),
    PaperFigure(1, "section 5.3", "Explicit tracking is faster approximately in 1.5 times, told without a figure", ("source1-tracking",)),
    PaperFigure(2, "1", "Omni wheel with four rollers, from the side and from ahead", ("source1-fig4",),
                "the same drawing as fig. 4 of source 1"),
    PaperFigure(2, "2", "Vehicle on three wheels from above", ("source2-fig2",)),
    PaperFigure(2, "3", "Roller above the horizontal plane, from the side", ("source1-fig6",),
                "the scheme of fig. 6 of source 1 for ψ = 0"),
    PaperFigure(2, "4", "Contact tracking of a roller, from the side", ("source1-fig6",), "the scheme of fig. 6 of source 1 for ψ = 0"),
    PaperFigure(2, "5", "Visual model of the omni wheel", why=CODE),
    PaperFigure(2, "6", "Communication of a constraint", why=CODE),
    PaperFigure(2, "7", "Visual model of the vehicle", why=CODE),
    PaperFigure(2, "8", "Types of motion of the verification: translation to the right, rotation on the spot", ("source2-fig8",)),
    PaperFigure(2, "9", "Distances of the rollers from the floor; an exchange of rollers enlarged", ("source2-fig9",)),
    PaperFigure(2, "10", "Accuracy of the contact: distance of roller and floor", ("source2-fig10",)),
    PaperFigure(2, "section 4", "Limit of massless rollers, told without a figure", ("source2-massless",)),
    PaperFigure(3, "1", "Architecture of a constraint", why=CODE),
    PaperFigure(3, "2", "The snakeboard", why="a picture of the vehicle; no data"),
    PaperFigure(3, "3", "Visual model of the rolling disc", why=CODE),
    PaperFigure(3, "4", "Rolling disc", why=SKETCH),
    PaperFigure(3, "5", "Visual model of the wheelset", why=CODE),
    PaperFigure(3, "6", "Visual model of the snakeboard", why=CODE),
    PaperFigure(3, "section 3.1", "Two models of the rolling disc agree over several hundred units of time, told without a figure",
                ("source3-disc",)),
    PaperFigure(3, "section 3.2", "Compliant and ideal wheelset, told without a figure", ("source3-wheelset",)),
    PaperFigure(3, "section 3.3", "Gaits of the snakeboard, told without a figure", ("source3-gaits",)),
    PaperFigure(4, "only figure", "Geometry of the rolling disc: axes w₁, w₂, w₃, contact point", ("source4-geometry",)),
    PaperFigure(4, "equations of φ(v)", "Regularised friction, printed as formulas", ("source4-friction",)),
    PaperFigure(5, "1", "The sliding block, and eq. (1) of its contact force", ("source5-eq1", "stick-slip")),
    PaperFigure(5, "2", "The rolling wheel", why=SKETCH),
    PaperFigure(5, "3", "Rolling with stiction for T_max = 20 N m", ("source5-fig3",)),
    PaperFigure(5, "4", "Speed variation and constraint relaxation for T_max = 60 N m", ("source5-fig4",)),
    PaperFigure(5, "5", "Traction saturation and constraint relaxation for T_max = 220 N m", ("source5-fig5",)),
    PaperFigure(5, "6", "Braking for μ_l = 0.3", ("source5-fig6",)),
    PaperFigure(5, "7", "Braking for μ_l = 0.1", ("source5-fig7",)),
    PaperFigure(5, "section 3.1.1", "Gains k_s and k_F, of which the paper says that tests have to find them",
                ("uk-gains", "uk-calibration")),
    PaperFigure(5, "section 3.1.1, elastic wheel", "Longitudinal dynamics of the elastic wheel, named without equations", ("elastic-rim",)),
    PaperFigure(6, "data set", "Measured runs of a three-wheel omni robot: end poses, and a path", ("robots",)),
)


# Where a drawn figure shows something else than the first figure that it reproduces
SHOWS = {
    "stick-slip": "The block on a belt: stick-slip against the closed form of its period",
    "source1-figs8-10": "Divergence of roller 1's motion between explicit and implicit tracking: acceleration, velocity, height",
    "uk-gains": "What the gains k_s and k_F do to the driven wheel of fig. 4",
    "uk-calibration": "Gains with which a vehicle moves as under Coulomb friction",
}


def shows(name: str) -> str:
    """What a drawn figure shows."""
    return SHOWS.get(name) or next(figure.shows for figure in PAPER_FIGURES if name in figure.drawn)


def source_of(name: str) -> int:
    """The source of a drawn figure."""
    return next(figure.source for figure in PAPER_FIGURES if name in figure.drawn)


def figures_of(name: str) -> str:
    """Which figures of which papers a drawn figure reproduces: "source 1, fig. 4; source 2, fig. 1"."""
    by_source: dict[int, list[str]] = {}
    for figure in PAPER_FIGURES:
        if name in figure.drawn:
            by_source.setdefault(figure.source, []).append(figure.figure)
    return "; ".join(f"source {number}, {_numbers(found)}" for number, found in by_source.items())


def _numbers(found: list[str]) -> str:
    if not all(figure.isdigit() for figure in found):
        return ", ".join(found)
    return f"fig. {found[0]}" if len(found) == 1 else f"figs {', '.join(found)}"
