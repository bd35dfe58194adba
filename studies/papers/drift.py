"""How far the contact of a wheel drifts from the floor in maximal coordinates: omniroll reference STUDY -o reference.h5"""

import numpy as np

from omniroll.figures.style import COLORS, Skipped, empty_figure, plain, set_subtitle, styled

SOURCE = 1e-7  # source 2, fig. 10: "about 1e-7 of the unit of length"
NAMES = ("drift_contact", "drift_position")


def _check(result):
    missing = [name for name in NAMES if name not in result.trajectories]
    if missing:
        raise Skipped(f"the result has no {', '.join(missing)}: it needs a file of omniroll reference -o")


def largest(result):
    """Largest distance of floor and body at a contact [m]."""
    _check(result)
    return float(np.nanmax(result.trajectories["drift_contact"][0]))


def tolerance(result):
    """Relative tolerance that the reference was integrated with; None where the file does not say."""
    value = result.attrs.get("reference_tolerance")
    return None if value is None else float(value)


def _name(result):
    value = tolerance(result)
    return "distance at the contacts" if value is None else f"relative tolerance {value:.0e}".replace("e-0", "e-")


def _by_roller(axes, result):
    """The distance on a linear scale, as the paper has it, in the colours of the rollers that carry wheel 0."""
    active, distance = result.trajectories["roller"][0, :, 0], result.trajectories["drift_contact"][0]
    for roller in np.unique(active[np.isfinite(active)]).astype(int):
        carries = active == roller
        axes.plot(result.time, np.where(carries, distance, np.nan), color=COLORS[roller % len(COLORS)], linewidth=2.2,
                  label=f"roller {roller} in contact")
    axes.set_ylabel("distance of roller\nand floor [m]")
    axes.margins(x=0.01)
    axes.legend(loc="upper left")


def _by_tolerance(axes, results):
    for result, color in zip(results, (COLORS[0], COLORS[1], COLORS[2], COLORS[3], COLORS[4])):
        later = result.time > 0
        for name, dash in (("drift_position", ":"), ("drift_contact", "-")):
            values = result.trajectories[name][0][later]
            text = {"drift_contact": _name(result), "drift_position": None if len(results) > 1 else "any condition on positions [m or rad]"}
            axes.semilogy(result.time[later], values, color=color, linewidth=1.4, linestyle=dash, label=text[name])
    axes.axhline(SOURCE, color="#888888", linestyle="--", linewidth=1.0, label="the paper: about 1e-7")
    axes.set(ylim=(1e-14, 3 * max(SOURCE, *[np.nanmax(result.trajectories["drift_position"][0]) for result in results])),
             xlabel="time [s]", ylabel="largest violation [m]")
    axes.legend(loc="lower right", ncols=2)


@styled
def constraint_drift(*results):
    """Distance of floor and body at the contact over time: of the first result by rollers, and of all on a logarithmic scale."""
    if not results:
        raise Skipped("it needs at least one file of omniroll reference -o")
    for result in results:
        _check(result)
    first = results[0]
    if all(tolerance(result) is not None for result in results):
        results = sorted(results, key=tolerance)
    single = first.trajectories["roller"].shape[2] == 1
    figure = empty_figure(first, 8.0, 6.4 if single else 4.6, "Drift of the contact in maximal coordinates, not held and not projected")
    panels = figure.subplots(2 if single else 1, 1, sharex=True, squeeze=False)[:, 0]
    _by_tolerance(panels[-1], results)
    if single:
        _by_roller(panels[0], first)
    largest_by = ", ".join(f"{largest(result):.1e} m" + (f" ({_name(result)})" if len(results) > 1 else "") for result in results)
    set_subtitle(panels[0], plain(f"Largest distance over {first.time[-1]:g} s: {largest_by}"), 8.0)
    return figure


FIGURES = {
    "source2-fig10": (constraint_drift, "As fig. 10 of: I. I. Kosenko, K. V. Gerasimov, Physically oriented simulation of the omnivehicle "
                                        "dynamics, Rus. J. Nonlin. Dyn. 12 (2016). From: omniroll reference roller_heights.json -o FILE, "
                                        "with one or several values of --reference-tolerance"),
}
