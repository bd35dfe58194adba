"""Figures 3 to 7 of source 5 (the rolling wheel, model uk_wheel), and what its two gains do; published.py names them."""

import numpy as np

from omniroll.figures.style import COLORMAP, COLORS, Skipped, empty_figure, finish, pretty_unit, set_subtitle, styled

from .shared import SOURCE5, require_model

GREY = "#555555"
DRIVING = ("uk_driving_20.json", "uk_driving_60.json", "uk_driving_220.json")
BRAKING = ("uk_braking_03.json", "uk_braking_01.json")


def _wheel(result):
    require_model(result, "uk_wheel", f"it shows the model uk_wheel; studies/{DRIVING[0]} is one of its studies")


def _slippery(result, row):
    """Mask of the samples whose ground is nearer to the worst than to the best of the run; nothing where it is constant."""
    mu = result.trajectories["friction"][row]
    low, high = np.nanmin(mu), np.nanmax(mu)
    return mu < 0.5 * (low + high) if high - low > 1e-6 * high else np.zeros(len(mu), dtype=bool)


def _shade(axes, result, slippery, name="slippery ground"):
    if not slippery.any():
        return
    edges = np.flatnonzero(np.diff(np.concatenate([[False], slippery, [False]])))
    for first, last in zip(edges[::2], edges[1::2]):
        axes.axvspan(result.time[first], result.time[min(last, len(result.time) - 1)], color="#56B4E9", alpha=0.18, linewidth=0,
                     label=name if first == edges[0] else None)


def _legend(axes):
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    axes.margins(x=0.01)


# --- figs 3 to 5: driving ---------------------------------------------------------------------------------------------------


def _driven_row(result, torque):
    """The first traced instance; refused where it is driven by another torque than the figure shows."""
    _wheel(result)
    drive, brake = result.trajectories["drive_torque"][0], result.trajectories["brake_torque"][0]
    study = f"studies/uk_driving_{torque}.json"
    if np.nanmax(np.abs(brake)) > 0:
        raise Skipped(f"it shows driving without a brake; {study} does")
    most = np.nanmax(np.abs(drive))
    if abs(most - torque) > 0.01 * torque:
        raise Skipped(f"it shows a torque of {torque} N m, and this one is {most:.3g} N m; {study} has it")
    return 0


def _driving_text(result, row):
    values = {name: samples[row] for name, samples in result.trajectories.items()}
    ratio = np.nanmax(np.abs(values["applied_traction"] / values["saturation"]))
    return (f"Applied traction up to {ratio:.2g} times the saturation limit; largest slip "
            f"{np.nanmax(np.abs(values['slip'])):.3g} m/s; s falls to {np.nanmin(values['stiction']):.2g}")


def _driving(torque):
    @styled
    def function(result):
        row = _driven_row(result, torque)
        sample = {name: values[row] for name, values in result.trajectories.items()}
        figure = empty_figure(result, 9.0, 8.4, f"Wheel driven by up to {torque} N m on a ground that is slippery for a while")
        columns = figure.subplots(4, 1, sharex=True, height_ratios=[3, 2, 3, 2])
        slippery = _slippery(result, row)
        set_subtitle(columns[0], _driving_text(result, row), 9.0)
        time = result.time
        columns[0].plot(time, sample["rim_speed"], color=COLORS[1], linestyle="--", label="rim, Rθ'")
        columns[0].plot(time, sample["velocity"], color=COLORS[0], label="wheel centre, x'")
        columns[0].set_ylabel("velocity [m s$^{-1}$]")
        columns[1].plot(time, sample["velocity"], color=COLORS[0], label="wheel centre, x',\nenlarged")
        columns[1].set_ylabel("velocity\n[m s$^{-1}$]")
        columns[2].plot(time, sample["applied_traction"], color=GREY, linestyle="--", label="applied, $T_m/R$")
        columns[2].plot(time, sample["saturation"], color=COLORS[1], linestyle=":", linewidth=2,
                        label="saturation limit, $\\mu N_c$")
        columns[2].plot(time, sample["contact_force"], color=COLORS[2], linestyle="-.",
                        label="whole contact force,\n$Q_{ic}+Q_{nic}$")
        columns[2].plot(time, sample["constraint_force"], color=COLORS[0], label="constraint force, $Q_{ic}$")
        columns[2].set_ylabel("traction force [N]")
        columns[3].plot(time, sample["stiction"], color=COLORS[3], label="stiction parameter, s")
        columns[3].set(ylabel="s [–]", ylim=(-0.05, 1.05))
        for axes in columns:
            _shade(axes, result, slippery)
            _legend(axes)
        return finish(figure, columns)

    function.__doc__ = f"Velocities, traction forces and stiction parameter with up to {torque} N m."
    return function


# --- figs 6 and 7: braking --------------------------------------------------------------------------------------------------


def _braking_rows(result, lower):
    """Rows of the reference on constant ground and of the run on slippery ground."""
    _wheel(result)
    study = f"studies/uk_braking_{'03' if lower == 0.3 else '01'}.json"
    brake, mu = result.trajectories["brake_torque"], result.trajectories["friction"]
    constant = [row for row in range(len(mu)) if np.nanmax(mu[row]) - np.nanmin(mu[row]) < 1e-9]
    slippery = [row for row in range(len(mu)) if abs(np.nanmin(mu[row]) - lower) < 1e-6]
    if not np.nanmax(np.abs(brake)) > 0 or len(constant) != 1 or len(slippery) != 1:
        raise Skipped(f"it shows a reference on constant ground and braking on ground with a friction coefficient of {lower}; "
                      f"{study} has both")
    return constant[0], slippery[0]


def _stop_text(result, rows):
    stops = [result.observables.get("stop_time", np.full(result.instances, np.nan))[result.traced_rows[row]] for row in rows]
    words = [f"{stop:.1f} s" if np.isfinite(stop) else "not by the end" for stop in stops]
    return f"The reference stops at {words[0]}, the wheel on slippery ground at {words[1]} (speed below 1 % of its largest)"


def _onset(result, row):
    """Sample at which the brake reaches half its largest torque: t_b, where 1 + tanh(t - t_b) is 1 of at most 2."""
    brake = np.abs(result.trajectories["brake_torque"][row])
    return int(np.argmax(brake >= 0.5 * np.nanmax(brake)))


@styled
def _braking_figure(result, lower):
    reference, slippery = _braking_rows(result, lower)
    runs = [(reference, COLORS[0], "-", "reference, μ constant"), (slippery, COLORS[1], "--", f"slippery, $\\mu_l$ = {lower}")]
    figure = empty_figure(result, 9.0, 9.0, f"Braking on ground that suddenly turns slippery, μ falls to {lower}")
    columns = figure.subplots(5, 1, sharex=True, height_ratios=[2, 3, 3, 3, 1.6])
    set_subtitle(columns[0], _stop_text(result, (reference, slippery)), 9.0)
    onset, moving = _onset(result, reference), _slippery(result, slippery)
    for row, color, dashes, name in runs:
        sample = {key: values[row] for key, values in result.trajectories.items()}
        way = np.where(np.arange(len(result.time)) < onset, np.nan, sample["x"] - sample["x"][onset])
        shown = (sample["brake_torque"], sample["velocity"], sample["rim_speed"], way, sample["friction"])
        for axes, values in zip(columns, shown):
            axes.plot(result.time, values, color=color, linestyle=dashes, label=name)
    for axes, text in zip(columns, ("brake torque\n$T_b$ [N m]", "velocity\nx' [m s$^{-1}$]", "rim speed\nRθ' [m s$^{-1}$]",
                                    "way since\n$t_b$ [m]", "ground μ [–]")):
        axes.set_ylabel(text)
        _shade(axes, result, moving, "ground of the dashed run\nis slippery")
        axes.margins(x=0.01)
    first = max(0.0, min(result.time[onset], result.time[np.argmax(moving)]) - 2.0)
    columns[0].set_xlim(first, result.time[-1])
    columns[4].set_ylim(0, 1.1 * np.nanmax(result.trajectories["friction"]))
    _legend(columns[0])
    columns[0].margins(x=0)
    return finish(figure, columns)


def _braking(lower):
    def function(result):
        return _braking_figure(result, lower)

    function.__doc__ = f"Braking with mu_l = {lower} beside the reference: torque, velocities, way and ground."
    return function


# --- what the gains do ------------------------------------------------------------------------------------------------------

# Observable, title, and the level that separates what is possible from what is not
GAIN_MAPS = (("max_slip", "largest slip speed", None), ("final_vx", "velocity at the end", None),
             ("min_weight", "smallest relaxation weight s²", None),
             ("max_traction_ratio", "contact force / saturation limit", 1.0))


def _unit(result, name):
    unit = result.units.get(name, "1")
    return "[–]" if unit == "1" else f"[{pretty_unit(unit)}]"


def _table(result, name):
    across, up = result.levels("stiction_gain"), result.levels("friction_gain")
    table = np.full((len(up), len(across)), np.nan)
    at = np.searchsorted(up, result.parameters["friction_gain"]), np.searchsorted(across, result.parameters["stiction_gain"])
    table[at] = np.where(result.ok, result.observables[name], np.nan)
    return across, up, table


@styled
def gains(result):
    """Slip, final speed, weight and force over the gains k_s and k_F."""
    if result.attrs.get("model") != "uk_wheel" or set(result.varied) != {"stiction_gain", "friction_gain"} or not result.is_grid:
        raise Skipped("it shows a grid of the gains stiction_gain and friction_gain; studies/uk_gains.json has it")
    figure = empty_figure(result, 9.6, 7.6, "What the two gains do to the driven wheel")
    for axes, (name, title, limit) in zip(figure.subplots(2, 2, sharex=True, sharey=True).flat, GAIN_MAPS):
        across, up, table = _table(result, name)
        axes.grid(False)
        axes.set_facecolor("#DDDDDD")
        mesh = axes.pcolormesh(across, up, np.ma.masked_invalid(table), shading="nearest", cmap=COLORMAP, rasterized=True)
        figure.colorbar(mesh, ax=axes, label=_unit(result, name), fraction=0.06, pad=0.02)
        axes.set_title(title, loc="left", fontsize=10)
        if limit is not None and np.nanmin(table) < limit < np.nanmax(table):
            lines = axes.contour(across, up, table, levels=[limit], colors="white", linewidths=1.6)
            axes.clabel(lines, fmt="limit", fontsize=8)
        axes.plot(1, 1, "P", color="white", markeredgecolor="black", markersize=9, label="paper: 1, 1")
        axes.set(xlabel="gain $k_s$ of the stiction parameter", ylabel="gain $k_F$ of the friction force")
        axes.label_outer()
    figure.axes[0].legend(loc="upper right")
    return figure


FIGURES = {
    "source5-fig3": (_driving(20), f"As fig. 3 of: {SOURCE5}. Study: {DRIVING[0]}"),
    "source5-fig4": (_driving(60), f"As fig. 4 of: {SOURCE5}. Study: {DRIVING[1]}"),
    "source5-fig5": (_driving(220), f"As fig. 5 of: {SOURCE5}. Study: {DRIVING[2]}"),
    "source5-fig6": (_braking(0.3), f"As fig. 6 of: {SOURCE5}. Study: {BRAKING[0]}"),
    "source5-fig7": (_braking(0.1), f"As fig. 7 of: {SOURCE5}. Study: {BRAKING[1]}"),
    "uk-gains": (gains, f"Gains of the wheel of fig. 4, for which section 3.1.1 asks, of: {SOURCE5}. Study: uk_gains.json"),
}
