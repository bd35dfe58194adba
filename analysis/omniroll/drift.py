"""How far the constraints of a run on the reference drift: omniroll reference STUDY -o reference.h5"""

import numpy as np

from .figures import COLORS, Skipped, _empty_figure, _subtitle, styled

SOURCE = 1e-7  # source 2, fig. 10: "about 1e-7 of the unit of length"
NAMES = ("drift_contact", "drift_position")


@styled
def constraint_drift(result):
    """Distance of floor and body at the contacts, and the largest violation of any condition on positions, over time."""
    missing = [name for name in NAMES if name not in result.trajectories]
    if missing:
        raise Skipped(f"the result has no {', '.join(missing)}: it needs a file of omniroll reference -o")
    contact, position = (result.trajectories[name][0] for name in NAMES)
    largest = [float(np.nanmax(values)) for values in (contact, position)]
    figure = _empty_figure(result, 8.0, 4.6, "Drift of the constraints in maximal coordinates, none of them held or projected")
    axes = figure.add_subplot()
    later = result.time > 0
    axes.semilogy(result.time[later], position[later], color=COLORS[1], linewidth=1.4, label="any condition on positions [m or rad]")
    axes.semilogy(result.time[later], contact[later], color=COLORS[0], linewidth=1.4, label="distance at the contacts [m]")
    axes.axhline(SOURCE, color="#888888", linestyle="--", linewidth=1.0, label="what source 2 saw at the contacts")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("largest violation")
    axes.set_ylim(min(1e-13, *[value / 100 for value in largest if value > 0]), max(3 * SOURCE, *[3 * value for value in largest]))
    axes.legend(loc="lower right")
    _subtitle(axes, f"Largest over {result.time[-1]:g} s: contacts {largest[0]:.1e} m, any condition {largest[1]:.1e}", 8.0)
    return figure


FIGURES = {
    "source2-fig10": (constraint_drift, "After fig. 10 of: I. I. Kosenko, K. V. Gerasimov, Physically oriented simulation of the omnivehicle "
                                        "dynamics, Rus. J. Nonlin. Dyn. 12 (2016). From: omniroll reference vehicle_translation.json --reference-tolerance 1e-12 -o FILE"),
}
