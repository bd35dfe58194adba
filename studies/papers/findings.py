"""Numbers of each figure beside what its paper says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from omniroll.figures.style import Skipped
from omniroll.reading.result import Result

from . import (disc_contact, drift, massless, published, relaxation, robots, rolling_wheel, sliding_block, tracking_cost, wheel_geometry,
               wheelset)

AGREES, DIFFERS, TOLD = "agrees", "differs", "not in the paper"


@dataclass(frozen=True)
class Finding:
    """What the paper says, what the studies say, and whether that agrees; `here` has its unit."""

    quantity: str
    paper: str
    here: str
    verdict: str


def _judged(quantity: str, paper: str, here: str, agrees: bool) -> Finding:
    return Finding(quantity, paper, here, AGREES if agrees else DIFFERS)


def _told(quantity: str, here: str) -> Finding:
    return Finding(quantity, "–", here, TOLD)


def number(value: float, digits: int = 3) -> str:
    """A number to a few digits, small and large ones as 1.2·10⁻⁷."""
    value = float(value)
    if not np.isfinite(value):
        return "none"
    if 10**digits <= abs(value) < 1e5:
        return f"{value:.0f}".replace("-", "−")
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.{digits}g}".replace("-", "−")
    mantissa, _, exponent = f"{value:.{max(0, min(digits, 2) - 1)}e}".partition("e")
    raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa}·10{raised}".replace("-", "−")


def _samples(result: Result, row: int = 0) -> dict[str, Any]:
    return {name: values[row] for name, values in result.trajectories.items()}


# --- source 1 ---------------------------------------------------------------------------------------------------------------


def _divergence(*names: str) -> Callable[[Result], list[Finding]]:
    def found(result: Result) -> list[Finding]:
        differences = published.tracking_differences(result)
        orders = {"acceleration": "10⁻⁸", "velocity": "10⁻⁷", "position": "10⁻⁶"}
        rows = []
        for name in names:
            worst, unit = float(np.nanmax(np.abs(differences[name]))), published.COMPARED[name][0]
            rows.append(_judged(f"largest divergence in {name} over {result.time[-1]:g} s",
                                f"of order {orders[name]} (units of the paper)",
                                f"{number(worst, 2)} {unit}: both are exact, and differ by rounding",
                                worst < 10 * published.COMPARED[name][1]))
        return rows

    return found


def _wheel_views(result: Result) -> list[Finding]:
    radius, center, count, _ = wheel_geometry.shape_of(result)
    contact = float(np.nanmax(np.abs(np.take_along_axis(
        published.floor_distances(result, 0), result.trajectories["roller"][0, :, 0].astype(int)[:, None], axis=1))))
    return [_judged("distance R₁ of the rollers' centres", "R cos α, α = π/n", f"{number(1e3 * center, 6)} mm, R cos α = "
                    f"{number(1e3 * radius * np.cos(np.pi / count), 6)} mm", abs(center - radius * np.cos(np.pi / count)) < 1e-12),
            _judged("contacting curve while the wheel rolls", "a circle of radius R",
                    f"off it by at most {number(contact, 2)} m", contact < 1e-12)]


def _scheme(result: Result) -> list[Finding]:
    _, roller = wheel_geometry.tracked(result)
    height, away = wheel_geometry.tracking_errors(roller)
    alpha = np.pi / roller.rollers
    length = 2 * float(roller.sections(np.array(alpha))[0])
    formula = 2 * roller.radius * np.sin(alpha) / np.cos(roller.psi)
    return [_judged("r_PB = r_OB − m i₂ − h j₁ is the lowest point of the roller", "printed",
                    f"{number(away, 1)} m from the one that a search finds, {number(abs(height), 1)} m from the floor",
                    away < 1e-7 and abs(height) < 1e-12),
            _judged("length of a roller cut where contact changes", "2 R sin α / cos ψ", f"{number(1e3 * length, 6)} mm; formula: "
                    f"{number(1e3 * formula, 6)} mm", abs(length - formula) < 1e-12)]


def _tracking_cost(bench: Any) -> list[Finding]:
    """Measured on this machine when the page is made. The paper compares what it calls implicit and explicit; the reference is, as its
    program is, a multibody system in maximal coordinates."""
    rows = []
    for cost in tracking_cost.costs(bench):
        where = "in maximal coordinates" if cost.by == "reference" else "on the engine, per step"
        quantity = f"time of tracking {tracking_cost.WORDS.get(cost.tracking, cost.tracking)} over explicit tracking, {where}"
        here = f"{number(cost.ratio)} ({number(cost.low)} to {number(cost.high)} by the spread of the rounds)"
        claim = cost.tracking == "implicit"
        near = cost.low <= 1.1 * tracking_cost.CLAIM and cost.high >= tracking_cost.CLAIM / 1.1
        rows.append(_judged(quantity, "approximately 1.5", f"{here}, {number(cost.ratio / tracking_cost.CLAIM, 2)} of the paper's", near)
                    if claim else _told(quantity, here))
    return rows


# --- source 2 ---------------------------------------------------------------------------------------------------------------


def _triangle(result: Result) -> list[Finding]:
    centres = np.column_stack([result.wheels["wheel_z"][0], result.wheels["wheel_x"][0]])
    sides = np.linalg.norm(centres - np.roll(centres, 1, axis=0), axis=1)
    return [_judged("centres of the wheels", "an equilateral triangle",
                    f"sides of {number(sides.mean(), 4)} m, which differ by {number(np.ptp(sides), 1)} m", bool(np.ptp(sides) < 1e-12))]


def _largest_slip(result: Result) -> float:
    return float(np.nanmax(np.hypot(result.trajectories["slip_i"][0], result.trajectories["slip_k"][0])))


def _motions(translation: Result, rotation: Result) -> list[Finding]:
    along, around = _samples(translation), _samples(rotation)
    aside, turned = float(np.nanmax(np.abs(along["x"]))), float(np.nanmax(np.abs(along["yaw"])))
    away = float(np.nanmax(np.hypot(around["x"], around["z"])))
    return [
        _judged("(a) motion to the right", "purely translational", f"{number(aside, 1)} m to the side, {number(turned, 1)} rad of yaw "
                f"over {number(along['z'][-1])} m", aside < 1e-9 and turned < 1e-9),
        _judged("(b) rotation about the vertical", "purely rotational", f"the middle moves by {number(away, 1)} m over "
                f"{number(abs(around['yaw'][-1]))} rad", away < 1e-9),
        _told("(a) slip around exchanges of rollers",
              f"rises to {number(_largest_slip(translation), 2)} m s⁻¹: the pointed end of a roller has no radius to roll on. It brakes "
              f"the vehicle from {number(along['vz'][0])} to {number(along['vz'][-1], 2)} m s⁻¹ in {translation.time[-1]:g} s"),
        _told("(b) slip around exchanges of rollers", f"at most {number(_largest_slip(rotation), 2)} m s⁻¹; yaw rate from "
              f"{number(around['yaw_rate'][0])} to {number(around['yaw_rate'][-1])} rad s⁻¹"),
    ]


def landing_power(result: Result) -> float:
    """The power of the time left with which the distance of the next roller falls before it comes down: 2 where it comes down with a
    level tangent, 1 where it hits the floor."""
    at, half = published._first_exchange(result, 0, 0)
    nearest = int(result.trajectories["roller"][0, at + 1, 0])
    distance, rate = published.floor_distances(result, 0)[:, nearest], abs(result.trajectories["wheel_rate"][0, at, 0])
    angle = published.roller_angles(result, 0)[:, nearest]
    left = (np.abs(angle) - np.pi / result.wheels["rollers"][0, 0]) / rate  # until its angle is that of the exchange
    near = slice(max(0, at - half), at)
    used = (left[near] > 0) & (distance[near] > 0)
    return float(np.polyfit(np.log(left[near][used]), np.log(distance[near][used]), 1)[0])


def _heights(result: Result) -> list[Finding]:
    power = landing_power(result)
    return [_judged("the next roller comes down", "smoothly, without impact",
                    f"its distance falls with the power {number(power, 3)} of the time left (2: level tangent; 1: impact)", power > 1.9),
            _told("wheel speed", f"{number(abs(result.trajectories['wheel_rate'][0, 0, 0]))} rad s⁻¹, assumed, and held by a controller")]


def _drift(*results: Result) -> list[Finding]:
    first = drift.largest(results[0])
    tolerances = [number(drift.tolerance(result) or 0, 1) for result in results]
    contact = results[0].trajectories["drift_contact"][0]
    growing = bool(np.nanmin(np.diff(contact[np.isfinite(contact)][::max(1, len(contact) // 16)])) > 0)
    grows = "grows, without a jump at exchanges" if growing else "does not grow throughout"
    rows = [_judged("distance of roller and floor over time", "grows slowly, from roller to roller", grows, growing),
            _judged(f"after {results[0].time[-1]:g} s", "about 10⁻⁷ of the unit of length",
                    f"{number(first, 2)} m with a relative tolerance of {tolerances[0]}", 1e-8 < first < 1e-6)]
    for result, tolerance in zip(results[1:], tolerances[1:]):
        rows.append(_told(f"with a relative tolerance of {tolerance}", f"{number(drift.largest(result), 2)} m"))
    rows.append(_told("the engine itself", "keeps the contact in its coordinates; it has no such drift"))
    return rows


def _massless(explicit: Result, limit: Result) -> list[Finding]:
    density, way, _ = massless.deviations(explicit, limit)
    order = np.argsort(density)
    slope = np.log(way[order][3] / way[order][0]) / np.log(density[order][3] / density[order][0])
    return [_judged("motion for rollers of vanishing mass", "comes arbitrarily close to that of massless rollers",
                    f"within {number(way[order][0], 2)} m at {number(density[order][0] / density.max(), 1)} of the mass, falling with its "
                    f"power {number(slope, 5)}", bool(abs(slope - 1) < 0.01))]


# --- sources 3 and 4 --------------------------------------------------------------------------------------------------------


def _gaits(*results: Result) -> list[Finding]:
    drive, rotate, parking = ({name: result.observables[f"final_{name}"][0] for name in ("x", "z", "yaw")} for result in results)
    away = float(np.nanmax(np.hypot(results[1].trajectories["x"][0], results[1].trajectories["z"][0])))
    spans = [result.time[-1] for result in results]
    return [
        _judged("drive, ω_f = ω_b = ω_ψ", "forward (by its name)",
                f"{number(drive['x'])} m forward, {number(abs(drive['z']), 2)} m aside in {spans[0]:g} s",
                bool(drive["x"] > 10 * abs(drive["z"]))),
        _judged("rotate, 2 ω_f = 2 ω_b = ω_ψ", "on the spot (by its name)",
                f"{number(abs(rotate['yaw']))} rad in {spans[1]:g} s, within {number(away, 2)} m",
                bool(abs(rotate["yaw"]) > 6 and away < 0.2)),
        _judged("parking, 3 ω_f = 3 ω_b = 2 ω_ψ", "sideways (by its name)",
                f"{number(abs(parking['z']))} m sideways, yaw {number(parking['yaw'], 1)} rad in {spans[2]:g} s",
                bool(abs(parking["z"]) > 0.5 and abs(parking["yaw"]) < 0.1)),
        _told("the same gaits with 10⁻⁷ of the wheelsets' masses", f"{number(results[0].observables['final_x'][1])} m, "
              f"{number(abs(results[1].observables['final_yaw'][1]))} rad, {number(abs(results[2].observables['final_z'][1]))} m"),
    ]


def _compliance(ideal: Result, *compliant: Result) -> list[Finding]:
    """How far joints that give way are from the ideal wheelset; ten times as stiff, a tenth of it."""
    rows: list[Finding] = []
    before: float | None = None
    for result in compliant:
        stiffness, damping = wheelset.joints(result)
        away, yaw = (float(np.nanmax(values)) for values in wheelset.distances(ideal, result))
        here = f"{number(away, 2)} m and {number(yaw, 2)} rad from the ideal wheelset in {ideal.time[-1]:g} s"
        if before is None:
            rows.append(_judged(f"c = {stiffness:g}, d = {damping:g}", "a high degree of concordance", here, away < 0.01))
        else:
            rows.append(_told(f"c = {stiffness:g}, d = {damping:g}", f"{here}, 1/{number(before / away, 3)} of the one before"))
        before = away
    return rows


def _two_discs(engine: Result, reference: Result) -> list[Finding]:
    """Reduced equations of the engine, and bodies and constraints of the reference."""
    found = disc_contact.rolling_differences(engine, reference)
    rows = [_judged(f"difference of {name} over {engine.time[-1]:g} s", "errors of order 10⁻⁷", f"{number(np.nanmax(values), 2)} "
                    f"{disc_contact.COMPARED[name].replace('–', '')}".strip(), float(np.nanmax(values)) < 10 * disc_contact.ORDER)
            for name, values in found.items()]
    first = found[next(iter(found))]
    third = len(first) // 3
    early, late = float(np.nanmax(first[:third])), float(np.nanmax(first[-third:]))
    return [*rows, _judged("over time", "increase inevitably",
                           f"from {number(early, 1)} in the first third to {number(late, 1)} rad s⁻¹ in the last", late > early)]


def _disc_axes(result: Result) -> list[Finding]:
    worst = max(disc_contact.contact_errors(result, row) for row in range(len(result.traced)))
    return [_judged("p_C = p_m1 + r w₃, w₃ = w₁ × w₂", "printed",
                    f"within {number(worst, 1)} m of the engine's lowest point, {len(result.traced)} instances, {result.time[-1]:g} s",
                    worst < 1e-9)]


def _friction(quadratic: Result, linear: Result) -> list[Finding]:
    rows = []
    for result, straight, name in ((quadratic, False, "quadratic"), (linear, True, "linear")):
        worst, fastest = disc_contact.phi_error(result, straight), np.max(disc_contact.measured_phi(result)[0])
        rows.append(_judged(f"φ(v, v_μ), {name} zone", "printed as a formula",
                            f"forces within {number(worst, 1)} of it, up to {number(fastest, 2)} v_μ", worst < 1e-12))
    return rows


# --- source 5 ---------------------------------------------------------------------------------------------------------------


def _driven(result: Result) -> dict[str, float]:
    get = _samples(result)
    slippery = rolling_wheel._slippery(result, 0)
    inside = np.flatnonzero(slippery)
    before, after = get["velocity"][:inside[0] + 1], get["velocity"][inside[0]:]
    low = int(np.argmin(after))
    slip = np.abs(get["slip"])
    return {"applied": float(np.nanmax(np.abs(get["applied_traction"] / get["saturation"]))),
            "first_slip": float(slip[inside[0]]), "slip": float(np.nanmax(slip[inside])),
            "end_slip": float(abs(get["slip"][-1])), "top": float(before.max()), "low": float(after[low]), "end": float(after[low:].max()),
            "force": float(np.nanmax(np.abs(get["contact_force"] / get["saturation"]))), "s": float(np.nanmin(get["stiction"])),
            "constraint": float(np.nanmin(np.abs(get["constraint_force"][inside]))), "limit": float(np.nanmin(get["saturation"]))}


def _block(*results: Result) -> list[Finding]:
    first, set_valued = results[0], results[-1]
    get = _samples(first)
    demand, ratio = get["demand"], get["force_ratio"]
    small, large = (demand > 0) & (demand <= sliding_block.ASYMPTOTE), demand >= 1 / sliding_block.ASYMPTOTE
    below, under = float(np.max(1 - ratio[small] / demand[small])), float(np.max(1 - ratio[large]))
    torn = float(set_valued.observables["first_slip"][0])
    early = first.time <= torn
    return [_judged("T up to a third of μN_c", "F_c = T", f"F_c at most {number(100 * below, 2)} % below T", below < 0.05),
            _judged("T from three times μN_c on", "F_c = μN_c", f"F_c at most {number(100 * under, 2)} % below μN_c", under < 0.05),
            _judged("T below μN_c", "the block remains at rest",
                    f"creeps to {number(get['velocity'][early][-1], 2)} m s⁻¹ by then: eq. (1) leaves T − F_c; the law set_valued rests until "
                    f"{number(torn, 4)} s", get["velocity"][early][-1] < 1e-3)]


def _stick_slip(result: Result) -> list[Finding]:
    found, expected = sliding_block.periods(result)
    known = np.isfinite(found)
    return [_told("periods of stick-slip", f"{int(known.sum())} of {len(found)} blocks; from the closed form they differ by at most "
                                           f"{number(np.max(np.abs(found[known] - expected[known])), 1)} s")]


def _elastic_rim(result: Result) -> list[Finding]:
    twist = result.observables["max_twist"]
    return [_told("largest twist of the rim", f"{number(np.min(twist))} to {number(np.max(twist))} rad"),
            _told("largest slip of the tread", f"{number(np.min(result.observables['max_slip']))} to "
                                               f"{number(np.max(result.observables['max_slip']))} m s⁻¹")]


def _driving20(result: Result) -> list[Finding]:
    get = _driven(result)
    return [_judged("applied traction T_m/R", "stays below μN_c", f"at most {number(get['applied'], 2)} of it", get["applied"] < 1),
            _judged("in the slippery phase", "stiction",
                    f"slips, by {number(get['first_slip'], 2)} to {number(get['slip'], 2)} m s⁻¹ at {number(get['top'], 2)} m s⁻¹, and by "
                    f"{number(get['end_slip'], 2)} m s⁻¹ at the end; by the printed equations s < 1 under any torque, and "
                    "R θ'' − x'' is 1 − s² times its value without constraint", get["slip"] < 0.1)]


def _driving60(result: Result) -> list[Finding]:
    get = _driven(result)
    return [_judged("entering the slippery phase", "spins noticeably and slows down",
                    f"slip from {number(get['first_slip'], 2)} to {number(get['slip'], 2)} m s⁻¹; the velocity falls from "
                    f"{number(get['top'])} to {number(get['low'])} m s⁻¹",
                    get["slip"] > 1 and get["low"] < 0.9 * get["top"]),
            _judged("afterwards", "accelerates as it regains traction", f"rises to {number(get['end'])} m s⁻¹",
                    get["end"] > get["low"] + 0.3),
            _judged("slip after that", "regains traction",
                    f"{number(get['end_slip'], 2)} m s⁻¹ at the end: nothing in the equations closes it", get["end_slip"] < 0.1)]


def _driving220(result: Result) -> list[Finding]:
    get = _driven(result)
    return [_judged("contact force against μN_c", "saturated",
                    f"at most {number(get['force'], 3)} of it; above 1 for a while as s falls", get["force"] < 1.1),
            _judged("constraint force Q_ic in slip", "lowered to near zero",
                    f"down to {number(get['constraint'], 1)} N (limit {number(get['limit'])} N), s down to {number(get['s'], 1)}",
                    get["constraint"] < 0.05 * get["limit"])]


def _braking(lower: float) -> Callable[[Result], list[Finding]]:
    def found(result: Result) -> list[Finding]:
        reference, slippery = rolling_wheel._braking_rows(result, lower)
        stops = result.observables["stop_time"][result.traced_rows]
        get, onset = _samples(result, slippery), rolling_wheel._onset(result, reference)
        after = slice(onset, None)
        moving = get["velocity"][after] > 0.5
        ratio = float(np.nanmin((get["rim_speed"][after] / get["velocity"][after])[moving]))
        spin = float(np.nanmax(get["slip"][:onset + 1]))
        way = result.observables["braking_distance"][result.traced_rows]
        late = float(stops[slippery] - stops[reference])
        time = f"stops at {number(stops[slippery])} s, reference {number(stops[reference])} s (brake at {number(result.time[onset])} s)"
        rows = [_judged("before braking", "the wheel first spins", f"slip up to {number(spin, 2)} m s⁻¹", spin > 1)]
        if lower == 0.3:
            rows.append(_judged("braking time", "approximately that of the reference", time, abs(late) < 0.5))
        else:
            rows.append(_judged("braking time", "significantly longer", time, late > 1))
            locked = f"rim down to {number(max(0.0, ratio), 1)} of the velocity"
            rows.append(_judged("while it slides", "almost locked", locked, ratio < 0.2))
        ways = f"{number(way[slippery])} m, reference {number(way[reference])} m: the spinning wheel has lost speed before"
        return [*rows, _told("way from the brake on", ways)]

    return found


def _gains(result: Result) -> list[Finding]:
    across, up, table = rolling_wheel._table(result, "max_traction_ratio")
    at = int(np.argmin(np.abs(up - 1))), int(np.argmin(np.abs(across - 1)))
    return [_told("largest contact force over its limit",
                  f"{number(table[at])} at k_s = {number(across[at[1]])}, k_F = {number(up[at[0]])} (the paper: 1, 1); over all gains "
                  f"{number(np.nanmin(table), 2)} to {number(np.nanmax(table), 2)}")]


def _calibration(relaxed: Result, yardstick: Result) -> list[Finding]:
    _, best, away, turned = relaxation.closest(relaxed, yardstick)
    speed = best[relaxation.SPEED]
    ones = relaxation._row_of(relaxed, {relaxation.STICTION: 1.0, relaxation.FRICTION: 1.0, relaxation.SPEED: speed})
    distance = relaxation.distances(relaxed, yardstick)[0]
    gains = f"k_s = {number(best[relaxation.STICTION])}, k_F = {number(best[relaxation.FRICTION])}"
    return [_told("gains closest to saturated Coulomb friction",
                  f"{gains}, v_ref = {number(100 * speed)} cm s⁻¹: {number(1e3 * away, 2)} mm and {number(np.degrees(turned), 2)}° rms"),
            _told("the paper's gains of 1 and 1", f"{number(1e3 * distance[ones], 2)} mm rms")]


def _robots(*_: Result) -> list[Finding]:
    """The column of the paper is the kinematic yardstick on the same runs."""
    rows = []
    for robot, found in robots.book().items():
        for (shape, fitted), runs in robots.groups(found["runs"]).items():
            stick, here = (float(np.median([run[who]["mm"] for run in runs])) for who in ("yardstick", "engine"))
            rows.append(_judged(f"{robot}, {shape}, {'fitted' if fitted else 'predicted'}: median end error of {len(runs)} runs",
                                f"{number(stick, 2)} mm by kinematic odometry", f"{number(here, 2)} mm", here <= stick))
    return rows


FINDINGS: dict[str, Callable[..., list[Finding]]] = {
    "source1-fig4": _wheel_views,
    "source1-fig6": _scheme,
    "source1-fig8": _divergence("velocity"),
    "source1-fig9": _divergence("acceleration"),
    "source1-fig10": _divergence("position"),
    "source1-figs8-10": _divergence("acceleration", "velocity", "position"),
    "source1-tracking": _tracking_cost,
    "source2-fig2": _triangle,
    "source2-fig8": _motions,
    "source2-fig9": _heights,
    "source2-fig10": _drift,
    "source2-massless": _massless,
    "source3-disc": _two_discs,
    "source3-gaits": _gaits,
    "source3-wheelset": _compliance,
    "source4-geometry": _disc_axes,
    "source4-friction": _friction,
    "source5-eq1": _block,
    "stick-slip": _stick_slip,
    "elastic-rim": _elastic_rim,
    "source5-fig3": _driving20,
    "source5-fig4": _driving60,
    "source5-fig5": _driving220,
    "source5-fig6": _braking(0.3),
    "source5-fig7": _braking(0.1),
    "uk-gains": _gains,
    "uk-calibration": _calibration,
    "robots": _robots,
}


def findings(name: str, results: list[Result]) -> list[Finding]:
    """Those of a drawn figure. Raises Skipped where its results do not give them."""
    try:
        return FINDINGS[name](*results)
    except (KeyError, IndexError, ValueError) as error:
        raise Skipped(f"its numbers cannot be told from these results ({error!r})") from error
