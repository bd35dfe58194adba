"""The rolling disc (model rolling_disc): axes at the contact and regularised friction of source 4, verification of source 3."""

import numpy as np

from omniroll.figures.style import COLORS, Skipped, empty_figure, finish, one_panel, set_subtitle, styled

from .shared import SOURCE3, mark_order

GREY = "#555555"
SLIP_SPEED, LATERAL, LONGITUDINAL = "friction_slip_speed", "friction_lateral", "friction_longitudinal"
AROUND = np.linspace(0, 2 * np.pi, 121)


def _check(result):
    if result.attrs.get("model") != "rolling_disc" or "gap" not in result.trajectories:
        raise Skipped("it shows traced instances of the model rolling_disc; studies/rolling_disc.json has them")


def axes_at(result, row, sample):
    """w1, w2, w3, w_lat of source 4 and the plane's normal, and the centre [m], as vectors of (x, y, z) with y up."""
    get = {name: values[row, sample] for name, values in result.trajectories.items()}
    normal = np.array([0.0, 1.0, 0.0])
    w1 = np.array([get["axis_x"], get["axis_y"], get["axis_z"]])
    w2 = np.cross(w1, normal)
    w2 /= np.linalg.norm(w2)
    return {"w1": w1, "w2": w2, "w3": np.cross(w1, w2), "lat": np.cross(normal, w2), "normal": normal,
            "centre": np.array([get["x"], get["y"], get["z"]])}


def radius(result, row=0):
    """From height and tilt of the centre: y = gap + R sin(tilt)."""
    get = {name: values[row] for name, values in result.trajectories.items()}
    return float(np.nanmedian((get["y"] - get["gap"]) / np.sin(get["tilt"])))


def contact_errors(result, row=0):
    """Largest distance of p_m1 + r w3 from the engine's lowest point p_C, and of its height from the gap [m]."""
    size, worst = radius(result, row), 0.0
    for sample in np.flatnonzero(np.isfinite(result.trajectories["y"][row])):
        at = axes_at(result, row, sample)
        point = at["centre"] + size * at["w3"]
        engine = [result.trajectories[name][row, sample] for name in ("contact_x", "gap", "contact_z")]
        worst = max(worst, float(np.max(np.abs(point - engine))))
    return worst


def _vector(axes, start, along, text, color, length):
    axes.quiver(*_seen(start), *_seen(length * along), color=color, linewidth=1.8, arrow_length_ratio=0.14)
    axes.text(*_seen(start + 1.14 * length * along), text, color=color, fontsize=11, ha="center", va="center")


def _seen(vector):
    """Axes of the drawing: z to the right, x away, y up."""
    return vector[2], vector[0], vector[1]


@styled
def geometry(result):
    """The disc on the plane with the axes w1, w2, w3, w_lat, the normal, and the contact point."""
    _check(result)
    row, sample = 0, len(result.time) // 40
    size, at = radius(result, row), axes_at(result, row, sample)
    centre, contact = at["centre"], at["centre"] + size * at["w3"]
    figure = empty_figure(result, 7.4, 5.8, "Axes at the contact of a rolling disc")
    axes = figure.add_subplot(projection="3d")
    rim = centre + size * (np.cos(AROUND)[:, None] * at["w2"] + np.sin(AROUND)[:, None] * at["w3"])
    axes.plot(*_seen(rim.T), color=COLORS[0], linewidth=2.2)
    axes.plot(*_seen(np.array([centre, contact]).T), color=GREY, linewidth=1.2)
    trail = slice(max(0, sample - 10), sample + 11)
    axes.plot(result.trajectories["contact_z"][row, trail], result.trajectories["contact_x"][row, trail], 0 * result.time[trail],
              color="#999999", linewidth=1, linestyle="--", label="trail of the contact point")
    for start, name, text, color in ((centre, "w1", "$w_1$", COLORS[1]), (contact, "w2", "$w_2$", COLORS[2]),
                                     (centre, "w3", "$w_3$", COLORS[3]), (contact, "lat", "$w_{lat}$", COLORS[5]),
                                     (contact, "normal", "$v_{PN}$", GREY)):
        _vector(axes, start, at[name], text, color, 0.6 * size)
    axes.plot(*([value] for value in _seen(contact)), "o", color="black", markersize=5)
    axes.text(*_seen(contact - 0.16 * size * at["normal"] - 0.1 * size * at["lat"]), "$p_C$", fontsize=11)
    for set_limits, value in ((axes.set_xlim, centre[2]), (axes.set_ylim, centre[0]), (axes.set_zlim, size)):
        set_limits(value - 1.15 * size, value + 1.15 * size)
    axes.set_box_aspect((1, 1, 1), zoom=1.05)
    axes.set(xlabel="z [m]", ylabel="x [m]", zlabel="height [m]")
    axes.view_init(22, np.degrees(np.arctan2(at["w1"][0], at["w1"][2])) + 38)  # obliquely onto the disc
    axes.legend(loc="upper left")
    axes.set_title(f"At {result.time[sample]:.3g} s. Over the whole run the contact point of the formulas is within "
                   f"{contact_errors(result, row):.0e} m\nof the engine's lowest point", fontsize=9, color="#444444", loc="left")
    return figure


# --- friction ---------------------------------------------------------------------------------------------------------------


def published_phi(ratio, linear):
    """phi(v, v_mu) of source 4 over v/v_mu."""
    return np.where(ratio > 1, 1.0, ratio if linear else (2 - ratio) * ratio)


def measured_phi(result):
    """v/v_mu and phi of the forces of all traced samples: f = -mu_x mu_y-scaled phi f_n v/|v|, so phi = |(f_x/mu_x, f_y/mu_y)|/f_n."""
    _check(result)
    missing = [name for name in (SLIP_SPEED, LATERAL, LONGITUDINAL) if name not in result.parameters]
    if missing:
        raise Skipped(f"it needs the varied parameters {', '.join(missing)}")
    rows = result.traced_rows
    speed, lateral, longitudinal = (result.parameters[name][rows][:, None] for name in (SLIP_SPEED, LATERAL, LONGITUDINAL))
    get = result.trajectories
    slip = np.hypot(get["slip_lateral"], get["slip_longitudinal"])
    with np.errstate(invalid="ignore", divide="ignore"):
        phi = np.hypot(get["friction_force_lateral"] / lateral, get["friction_force_longitudinal"] / longitudinal) / get["normal_force"]
    used = np.isfinite(phi) & (get["normal_force"] > 0)
    return (slip / speed)[used], phi[used]


def phi_error(result, linear):
    """Largest difference of the engine's forces from the printed function."""
    ratio, phi = measured_phi(result)
    return float(np.max(np.abs(phi - published_phi(ratio, linear))))


@styled
def friction(quadratic, linear):
    """Forces of a disc that slides, over its slip speed, on the curves of the printed regularisation."""
    figure, axes = one_panel(quadratic, 7.6, 4.6, "Regularised friction of a disc that slides out of its circle")
    across = np.linspace(0, 3, 301)
    for result, straight, color, name in ((quadratic, False, COLORS[0], "quadratic"), (linear, True, COLORS[1], "linear")):
        ratio, phi = measured_phi(result)
        near = np.unique(np.searchsorted(np.sort(ratio), np.linspace(0, 3, 40)).clip(0, len(ratio) - 1))
        near = np.argsort(ratio)[near]
        near = near[ratio[near] <= 3]
        axes.plot(across, published_phi(across, straight), color=color, linewidth=1.4, label=f"printed formula, {name}")
        axes.plot(ratio[near], phi[near], "s" if straight else "o", color=color, markersize=5, fillstyle="none",
                  label=f"forces of the engine, {name}")
    worst = max(phi_error(quadratic, False), phi_error(linear, True))
    set_subtitle(axes, f"The forces are within {worst:.0e} of the formula, over all slip speeds up to "
              f"{np.max(measured_phi(quadratic)[0]):.0f} times the regularisation speed", 7.6)
    axes.set(xlabel="slip speed / regularisation speed, $|v_t|/v_\\mu$ [–]", ylabel="friction / its limit, φ [–]", ylim=(0, 1.15))
    axes.legend(loc="lower right")
    return figure


# --- source 3, section 3.1: two models of the same ideally rolling disc -----------------------------------------------------

ORDER = 1e-7  # source 3: "errors for components are of the order 10^-7 over the time interval of the several hundreds units"
COMPARED = {"angular velocity ω": "rad s⁻¹", "vertical unit vector γ": "–"}


def _in_body(result, row, vector):
    """Components of a vector of the world, [3, time], in the axes of the disc, which its quaternion turns."""
    w, *q = (result.trajectories[name][row] for name in ("q_w", "q_x", "q_y", "q_z"))
    q = -np.array(q)  # from world to body
    twice = 2 * np.cross(q, vector, axis=0)
    return vector + w * twice + np.cross(q, twice, axis=0)


def body_vectors(result, row):
    """Angular velocity and the plane's normal in the disc's axes: what source 3 compares."""
    get = result.trajectories
    spin = np.array([get[f"angular_velocity_{axis}"][row] for axis in "xyz"])
    normal = np.zeros_like(spin)
    normal[1] = 1.0
    return dict(zip(COMPARED, (_in_body(result, row, spin), _in_body(result, row, normal))))


def rolling_differences(engine, reference):
    """Per quantity the largest component of the difference over time, of the last instance that both traced."""
    for result in (engine, reference):
        _check(result)
    both = [number for number in reference.traced if number in engine.traced]
    if not both or len(engine.time) != len(reference.time):
        raise Skipped("engine and reference need trajectories of the same instance at the same times")
    rows = [int(np.flatnonzero(result.traced == both[-1])[0]) for result in (engine, reference)]
    one, other = body_vectors(engine, rows[0]), body_vectors(reference, rows[1])
    return {name: np.max(np.abs(one[name] - other[name]), axis=0) for name in COMPARED}


@styled
def rolling_verification(engine, reference):
    """Differences of the reduced equations and of the disc in maximal coordinates over time."""
    found = rolling_differences(engine, reference)
    figure = empty_figure(engine, 8.0, 5.4, "Ideally rolling disc: reduced equations and maximal coordinates")
    columns = figure.subplots(2, 1, sharex=True)
    for axes, (name, unit), color in zip(columns, COMPARED.items(), (COLORS[0], COLORS[2])):
        axes.semilogy(engine.time, np.where(found[name] > 0, found[name], np.nan), ".", markersize=2.5, color=color)
        mark_order(axes, ORDER, "order of the errors in the paper: 1e-7")
        axes.set(ylabel=f"largest difference of\n{name} [{unit}]", ylim=(1e-17, 1e-5))
        axes.margins(x=0.01)
    words = ", ".join(f"{name} {np.nanmax(values):.1e} {COMPARED[name].replace('–', '')}".strip() for name, values in found.items())
    set_subtitle(columns[0], f"Largest component of the difference over {engine.time[-1]:g} s, in the disc's axes: {words}", 8.0)
    return finish(figure, columns)


SOURCE4 = "Exudyn, user documentation, ObjectConnectorRollingDiscPenalty"
FIGURES = {
    "source3-disc": (rolling_verification, f"After section 3.1 of: {SOURCE3}. Study: disc_ideal.json, on the engine and by omniroll "
                                           "reference"),
    "source4-geometry": (geometry, f"After the only figure of: {SOURCE4}. Study: rolling_disc.json"),
    "source4-friction": (friction, f"Functions φ(v, v_μ) printed in: {SOURCE4} (the page has no figure of them). Study: "
                                   "rolling_disc.json, with each of its zones"),
}
