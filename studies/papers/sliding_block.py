"""Figure 1 and eq. (1) of source 5 (the block that is pulled, model sliding_block), and the block on a belt; published.py names
them."""

import numpy as np

from omniroll.reading import designs
from omniroll.figures.style import COLORS, Skipped, empty_figure, set_subtitle, styled

from .shared import SOURCE5, require_model

LAWS = {"tanh": "eq. (1)", "saturated": "its asymptotes", "regularized": "friction of the slip", "set_valued": "Coulomb, sticks and slips"}
DASHES = ("-", "--", "-.", ":")
ASYMPTOTE = 1 / 3  # the source: up to here F_c is about T, from 1/ASYMPTOTE on about mu N_c
GREY = "#555555"
GRAVITY = 9.81  # of the study, which keeps the default


def _law(result):
    """Word of the law in the study of a result."""
    return designs.study_of(result).get("parameters", {}).get("law", "tanh")


def _blocks(results):
    for result in results:
        require_model(result, "sliding_block", "it shows the model sliding_block; studies/sliding_block.json is one of its studies")


def _text(result):
    """How far the curve of eq. (1) is from both asymptotes, of the samples."""
    demand, ratio = (np.abs(result.trajectories[name][0]) for name in ("demand", "force_ratio"))
    small, large = (demand > 0) & (demand <= ASYMPTOTE), demand >= 1 / ASYMPTOTE
    words = []
    if small.any():
        words.append(f"Up to a third of the limit it is at most {100 * np.max(1 - ratio[small] / demand[small]):.1f} % below T")
    if large.any():
        words.append(f"from three times the limit on at most {100 * np.max(1 - ratio[large]):.1f} % below it")
    return ", ".join(words)


@styled
def applied_force(*results):
    """Contact force over applied force, both over the saturation limit, with the two asymptotes of eq. (1), and the velocities."""
    _blocks(results)
    figure = empty_figure(results[0], 9.0, 8.0, "A block that is pulled harder and harder, by four laws of its contact")
    above, below = figure.subplots(2, 1, height_ratios=[3, 2])
    first = next((result for result in results if _law(result) == "tanh"), results[0])
    set_subtitle(above, _text(first), 9.0)
    most = max(np.nanmax(result.trajectories["demand"][0]) for result in results)
    above.plot([0, min(most, 1.2)], [0, min(most, 1.2)], color=GREY, linewidth=0.8, label="asymptotes of eq. (1): $F_c=T$")
    above.plot([0, most], [1, 1], color=GREY, linewidth=0.8, label="and $F_c=\\mu N_c$")
    for end in (ASYMPTOTE, 1 / ASYMPTOTE):
        above.axvline(end, color=GREY, linewidth=0.5, linestyle=":")
    for number, result in enumerate(results):
        name = f"{_law(result)}: {LAWS.get(_law(result), '')}"
        style = {"color": COLORS[number % len(COLORS)], "linestyle": DASHES[number % len(DASHES)], "label": name}
        samples = {key: values[0] for key, values in result.trajectories.items()}
        above.plot(samples["demand"], samples["force_ratio"], **style)
        below.plot(samples["demand"], samples["velocity"], **style)
    above.set_ylabel("contact force $F_c/(\\mu N_c)$ [–]")
    below.set(ylabel="velocity of the block [m s$^{-1}$]", xlabel="applied force $T/(\\mu N_c)$ [–]")
    above.legend(loc="lower right")
    return figure


def belt_period(mass, load, kinetic, static, stiffness, speed):
    """Period of a block on a belt in closed form, s: it sticks for 2 D/(k u) and slips for (2/w)(pi - arctan(D w/(k u))), with
    D = (mu_s - mu) N and w^2 = k/m; load: N."""
    surplus, rate = (static - kinetic) * load, np.sqrt(stiffness / mass)
    return 2 * surplus / (stiffness * speed) + 2 / rate * (np.pi - np.arctan(surplus * rate / (stiffness * speed)))


def periods(result):
    """Periods of all blocks, NaN where there were no two slips, and those of the closed form."""
    _blocks((result,))
    if set(result.varied) != {"friction_static", "belt_speed"}:
        raise Skipped("it shows a study of friction.static and belt.speed; studies/stick_slip.json is one")
    samples = {key: values[0] for key, values in result.trajectories.items()}
    load, kinetic = samples["normal_load"][0], float(designs.study_of(result)["parameters"]["friction"]["kinetic"])
    at = np.argmax(np.abs(samples["x"]))
    stiffness = -samples["spring_force"][at] / samples["x"][at]
    speeds, static = result.parameters["belt_speed"], result.parameters["friction_static"]
    return result.observables["stick_slip_period"], belt_period(load / GRAVITY, load, kinetic, static, stiffness, speeds)


@styled
def stick_slip(result):
    """A block on a belt: velocity and applied force over time, and its periods over those of the closed form."""
    found, expected = periods(result)
    samples = {key: values[0] for key, values in result.trajectories.items()}
    known = np.isfinite(found)
    figure = empty_figure(result, 9.0, 8.4, "A block on a belt sticks and slips")
    columns = figure.subplots(3, 1, height_ratios=[2, 2, 3])
    shown = result.time <= 6
    columns[0].plot(result.time[shown], samples["velocity"][shown], color=COLORS[0])
    columns[0].set_ylabel("velocity\n[m s$^{-1}$]")
    columns[1].plot(result.time[shown], samples["applied_force"][shown], color=COLORS[1], label="applied")
    columns[1].plot(result.time[shown], samples["contact_force"][shown], color=COLORS[2], linestyle="--", label="contact")
    columns[1].set(ylabel="force [N]", xlabel="time [s]")
    columns[1].legend(loc="lower right")
    line = [0, float(np.max(expected[known])) if known.any() else 1.0]
    columns[2].plot(line, line, color=GREY, linewidth=0.8)
    columns[2].plot(expected[known], found[known], "o", color=COLORS[0], markersize=4)
    columns[2].set(xlabel="period in closed form [s]", ylabel="period found [s]")
    if known.any():
        worst = np.max(np.abs(found[known] - expected[known]))
        set_subtitle(columns[0], f"{int(known.sum())} of {len(found)} blocks had two slips; largest difference of a period {worst:.1g} s", 9.0)
    return figure


FIGURES = {
    "source5-eq1": (applied_force, f"Eq. (1) for the block of fig. 1 of: {SOURCE5}. Study: sliding_block.json, under each law"),
    "stick-slip": (stick_slip, "A block on a belt against the closed form of its period. Study: stick_slip.json"),
}
