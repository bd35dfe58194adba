"""The wheel with an elastic rim (model elastic_wheel): twist and slip where it sets off and brakes; published.py names it."""

import numpy as np

from omniroll.figures.style import COLORS, empty_figure, finish, set_subtitle, styled

from .shared import SOURCE5, require_model

ROWS = (("drive_torque", "drive [N m]"), ("rim_torque", "rim [N m]"), ("twist", "twist [rad]"), ("slip", "slip [m s$^{-1}$]"),
        ("velocity", "velocity [m s$^{-1}$]"))


@styled
def twist_and_slip(result):
    """Torques, twist of the rim, slip of the tread and velocity, of every traced instance."""
    require_model(result, "elastic_wheel", "it shows the model elastic_wheel; studies/elastic_wheel.json is one of its studies")
    figure = empty_figure(result, 9.0, 9.0, "A wheel with an elastic rim sets off and brakes")
    columns = figure.subplots(len(ROWS), 1, sharex=True)
    stiffness = result.parameters.get("rim_stiffness")
    for row, instance in enumerate(result.traced_rows):
        name = "as it is" if stiffness is None else f"c = {stiffness[instance]:g} N m/rad"
        for axes, (sample, label) in zip(columns, ROWS):
            axes.plot(result.time, result.trajectories[sample][row], color=COLORS[row % len(COLORS)], linewidth=1.0, label=name)
            axes.set_ylabel(label)
    twist = [np.nanmax(np.abs(values)) for values in result.trajectories["twist"]]
    set_subtitle(columns[0], f"Largest twist {max(twist):.3g} rad of the softest rim, {min(twist):.3g} rad of the stiffest", 9.0)
    columns[2].legend(loc="upper right")
    return finish(figure, columns)


FIGURES = {
    "elastic-rim": (twist_and_slip, f"The elastic wheel that section 3.1.1 names and does not print, of: {SOURCE5}. "
                                    "Study: elastic_wheel.json"),
}
