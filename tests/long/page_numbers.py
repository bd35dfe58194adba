#!/usr/bin/python3
"""The numbers on the pages against the runs they come from: page_numbers.py [--short] [--print] PROGRAM [NAME...]

A claim is a sentence of a page with its numbers computed from runs of ready studies as they are. The sentence has to stand on the page, and it
has to come out the same with a tenth of the tolerance, or half the step: then the step's error is smaller than the digits that are shown. Rare
failures and means over samples are of one sample: their intervals stand beside them.

--short (as in the tests) takes the studies that are done in a moment, and not the finer runs; --print writes the sentences instead.
Takes about half an hour on two idle cores."""

import argparse
import functools
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ANY = "docs"  # any page of that folder


class Result:
    """Columns of a result by name; NaN where an instance has failed."""

    def __init__(self, path):
        with h5py.File(path) as file:
            group = file["instances"]
            self.status, self.status_time = group["status"][()], group["status_time"][()]
            ok = self.status == 0
            self.columns = {name: np.where(ok, data[()], np.nan) if data.attrs.get("role") in ("observable", b"observable") else data[()]
                            for name, data in group.items() if data.shape == ok.shape}
            self.traces = {name: data[()] for name, data in file.get("trajectories", {}).items()}
            statistics = file.get("statistics", {})
            names = [word.decode() for word in statistics["criterion"][()]] if "criterion" in statistics else []
            self.tables = {name: data[()] for name, data in statistics.items() if isinstance(data, h5py.Dataset)}
            self.criteria = {name: at for at, name in enumerate(names)}
            self.attrs = dict(file.attrs)

    def __getitem__(self, name):
        return self.columns[name]

    def probability(self, criterion, cell=None):
        """Probability, and both ends of its interval."""
        names = [("cell_" if cell is not None else "") + name for name in ("probability", "probability_low", "probability_high")]
        at = self.criteria[criterion]
        return [float(self.tables[name][cell, at] if cell is not None else self.tables[name][at]) for name in names]

    def met(self, criterion):
        return int(self.tables["met"][self.criteria[criterion]])


class Runs:
    """Results of ready studies, each run once; finer: with a tenth of the tolerance or half the step."""

    def __init__(self, program, folder, finer):
        self.program, self.folder, self.finer, self.done = program, folder, finer, {}

    def call(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, cwd=ROOT)
        if done.returncode:
            sys.exit(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def __call__(self, name, *sets):
        key = (name, sets)
        if key not in self.done:
            path = os.path.join(self.folder, f"{len(self.done)}.h5")
            changes = [word for item in sets for word in ("--set", item)]
            study = os.path.join("studies", f"{name}.json")
            if self.finer:
                plan = json.loads(self.call("validate", study, "--json", *changes))
                finer = f"tolerance={plan['tolerance'] / 10!r}" if plan.get("tolerance") else f"step={plan['step'] / 2!r}"
                changes += ["--set", f"integrator.{finer}"]
            self.call("run", study, "-q", "-o", path, "--set", "integrator.step_error=off", "--set", "integrator.stability=ignore", *changes)
            self.done[key] = Result(path)
            os.remove(path)
        return self.done[key]


@dataclass
class Claim:
    name: str
    page: str
    short: bool
    sentence: object


CLAIMS = []


def claim(page=ANY, short=False):
    """A function of the runs that returns a sentence of the page; short: it takes a moment."""
    def keep(function):
        CLAIMS.append(Claim(function.__name__, page, short, function))
        return function
    return keep


def percent(value, digits=0):
    return f"{100 * value:.{digits}f} %"


def between(interval, digits=1):
    return f"{100 * interval[1]:.{digits}f} to {100 * interval[2]:.{digits}f} %"


# --- roller_count ---------------------------------------------------------------------------------------------------------

NINE = ('{"path": "wheel.rollers", "values": [9]}, {"path": "wheel.friction", "uniform": [0.2, 0.8]}, '
        '{"path": "platform.mass", "truncated_normal": ["20 kg", "4 kg", "12 kg", "30 kg"]}')
QUIET = "output={}"


@claim()
def roller_count_shares(runs):
    whole, more = runs("roller_count"), runs("roller_count", "vary[0].values=[8, 9]", "design.per_cell=1024", QUIET)
    six, eight = (whole.probability("shakes", cell) for cell in (0, 1))
    many, none = (more.probability("shakes", cell) for cell in (0, 1))
    others = "none of those with more" if all(whole.probability("shakes", cell)[0] == 0 for cell in range(2, 6)) else "some"
    return (f"{percent(six[0])} of the vehicles with 6 rollers shake more than that, {percent(eight[0], 1)} of those with 8 ({between(eight)}), "
            f"{others}; 1024 samples of 8 and 9 rollers leave {percent(many[0], 1)} ({between(many)}) and "
            f"{'none' if none[0] == 0 else percent(none[0], 1)} (up to {percent(none[2], 1)}).")


@claim()
def roller_count_tour(runs):
    more = runs("roller_count", "vary[0].values=[8, 9]", "design.per_cell=1024", QUIET)
    many, none = (more.probability("shakes", cell) for cell in (0, 1))
    met = int(more.tables["cell_met"][0, 0])
    return (f"of 1024 vehicles none shakes more than the camera bears, which means less than {percent(none[2], 1)} (95 %, Wilson). With eight "
            f"it is {met} of 1024, {percent(many[0], 1)} ({between(many)}).")


@claim()
def roller_count_angles(runs):
    aligned = runs("roller_count", f"vary=[{NINE}]", QUIET, "design.per_cell=1024").probability("shakes")
    angle = '{"path": "wheel.initial.angle", "uniform": [0, "360 deg"]}'
    common = runs("roller_count", f"vary=[{NINE}, {angle}]", QUIET, "design.per_cell=1024").probability("shakes")
    return (f"where all four start at the angle 0, {percent(aligned[0])} of 1024 vehicles with 9 rollers shake too much ({between(aligned, 0)}), where they "
            f"have one random angle in common, {percent(common[0])} ({between(common, 0)}).")


# --- other designs --------------------------------------------------------------------------------------------------------


@claim()
def mecanum_design_shaking(runs):
    shaking = runs("mecanum_design")["vibration_rms"].reshape(3, 3, 64)
    mean = shaking.mean(axis=2)
    common, own = (shaking[0, 1] - shaking[1, 1]).std(ddof=1), np.sqrt(shaking[0, 1].var(ddof=1) + shaking[1, 1].var(ddof=1))
    return (f"from {mean[0, 1]:.2f} to {mean[1, 1]:.2f} to {mean[2, 1]:.2f} m/s² at 45°, and rises with the inclination for 6 rollers "
            f"({mean[0, 0]:.2f} to {mean[0, 2]:.2f}); the way lost to slip falls with both. Common random numbers pay: between 6 and 9 rollers at 45° "
            f"the difference of `vibration_rms` scatters by {common:.3f} m/s² from point to point, with samples of their own it would by {own:.3f}.")


@claim()
def mecanum_design_criteria(runs):
    course = [runs("mecanum_design").probability("off_course", cell)[0] for cell in range(9)]
    shakes = [runs("mecanum_design").probability("shakes", cell)[0] for cell in range(9)]
    words = "with 6 rollers no vehicle does" if min(course[:3]) == 1 else "?"
    none = "none of either" if course[5] == course[8] == 0 else "?"
    return (f"By cell: {words}. At 30° {percent(course[3])} of those with 9 rollers leave the corridor and {percent(course[6])} of those with 12; at 45° "
            f"{percent(course[4])} and {'none' if course[7] == 0 else '?'}; at 60° {none}. With 6 rollers at 60° {percent(shakes[2])} also shake too much.")


def by_design(result, name):
    """Mean over the sample of every design; NaN where none can be built."""
    values = result[name].reshape(7, 7, 64)
    there = np.isfinite(values)
    return np.where(there.any(axis=2), np.where(there, values, 0).sum(axis=2) / np.maximum(there.sum(axis=2), 1), np.nan)


@claim()
def roller_design_sweep_ways(runs):
    result = runs("roller_design_sweep")
    way = 1e3 * by_design(result, "max_cross_track")
    eight = 1e3 * result["max_cross_track"].reshape(7, 7, 64)[2, 2]
    unbuilt = int((result.status.reshape(49, 64) == 5).all(axis=1).sum())
    at = [f"{way[row, 1]:.{digits}f}" for row, digits in ((0, 0), (2, 1), (6, 1))]
    last = [f"{way[row, 6]:.0f}" for row in (0, 2, 6)]
    return (f"{unbuilt} of the 49 designs cannot be built, their rollers run into each other; the fewer rollers, the smaller the inclination at "
            f"which that begins. The way beside the path (`max_cross_track`, mean over the sample) is about {np.median(way[1:, 0]):.0f} mm without "
            f"inclination for every count but 4 ({way[0, 0]:.1f} mm), and falls with the count otherwise: at 10° {at[0]}, {at[1]} and {at[2]} mm with 4, 8 "
            f"and 16 rollers, at 60° {last[0]}, {last[1]} and {last[2]} mm. It depends on the design, hardly on load and floor: with 8 rollers at 20° it "
            f"is {eight.mean():.1f} mm with a standard deviation of {eight.std(ddof=1):.1f} mm.")


@claim()
def roller_design_sweep_path(runs):
    result = runs("roller_design_sweep")
    some, many = result.probability("path", 2 * 7 + 1), result.probability("path", 4 * 7 + 2)
    return f"between are, for example, 8 rollers at 10° ({percent(some[0])}, {between(some, 0)}) and 12 at 20° ({percent(many[0])})."


@claim()
def roller_design_sweep_work(runs):
    result = runs("roller_design_sweep")
    work = by_design(result, "drive_work")[:, 0]
    return f"The drive work falls from {work[0]:.1f} J to {work[1]:.1f}, {work[2]:.1f} and {work[3]:.1f} J with 4, 6, 8 and 10 rollers"


@claim()
def robustness_friction_corridor(runs):
    result = runs("robustness_friction")
    corridor, heading = result.probability("corridor"), result.probability("heading")
    way, yaw = 1e3 * result["max_cross_track"], np.degrees(result["yaw_deviation"])
    return (f"{percent(corridor[0])} leave the corridor ({result.met('corridor')} of 1024, {100 * corridor[1]:.0f} to {between(corridor, 0).split()[-2]} %), "
            f"{percent(heading[0])} end more than 2° off, and all but {result.met('any') - result.met('heading')} that leave the corridor do. The largest "
            f"distance from the path is {np.median(way):.0f} mm in the median, {np.quantile(way, 0.95):.0f} mm at 95 %; the heading ends at "
            f"−{abs(yaw.mean()):.1f}° ± {yaw.std(ddof=1):.1f}° (mean and standard deviation).")


@claim()
def robustness_friction_without_errors(runs):
    turns = [abs(np.degrees(runs("robustness_friction", "vary=[]", "design=null", "output={}", f"parameters.wheel.rollers={n}")["yaw_deviation"][0]))
             for n in (15, 9)]
    return f"without any error the vehicle turns too little, by {turns[0]:.1f}° in four corners with 15 rollers and by {turns[1]:.1f}° with 9"


@claim()
def rare_lift_off_by_draws(runs):
    draws = runs("rare_lift_off", 'design={"type": "monte_carlo", "instances": 400000, "seed": 1, "correlation": [{"paths": '
                 '["platform.mass", "platform.center_of_mass.height"], "rank": 0.5}]}', "statistics.quantiles=[]")
    lift = draws.probability("lift")
    return f"found {draws.met('lift')} of 400 000, {1e4 * lift[0]:.1f}e-4 ({1e4 * lift[1]:.1f}e-4 to {1e4 * lift[2]:.1f}e-4)"


@claim()
def rare_lift_off_angles(runs):
    drawn = ('{"path": "wheel.friction", "truncated_normal": [0.45, 0.06, 0.2, 0.8]}, {"path": "platform.mass", "truncated_normal": ["35 kg", "4 kg", '
             '"20 kg", "50 kg"]}, {"path": "platform.center_of_mass.x", "truncated_normal": [0, "1 cm", "-4 cm", "4 cm"]}')
    angle = ', {"path": "wheel.initial.angle", "uniform": ["-20 deg", "20 deg"]'
    met = [runs("rare_lift_off", f"vary=[{drawn}{more}]", "parameters.platform.center_of_mass.height=0.36",
                'design={"type": "monte_carlo", "instances": 4096, "seed": 1}').met("lift") for more in ("", angle + "}", angle + ', "each": true}')]
    return (f"at a height of 36 cm {'none' if met[0] == 0 else met[0]} of 4096 lifted where all wheels start at the angle 0, {'nor' if met[1] == 0 else met[1]} "
            f"where they have one random angle in common, and {met[2]} did where each has its own")


@claim()
def uk_weight_calibration(runs):
    relaxed = runs("uk_weight_calibration")
    yardstick = runs("uk_weight_calibration", "parameters.contact.law=saturated_coulomb", "vary=[]", "output.trajectories.instances=[0]")
    away = np.sqrt(np.mean((relaxed.traces["x"] - yardstick.traces["x"][0]) ** 2 + (relaxed.traces["z"] - yardstick.traces["z"][0]) ** 2, axis=1))
    turned = np.degrees(np.sqrt(np.mean((relaxed.traces["yaw"] - yardstick.traces["yaw"][0]) ** 2, axis=1)))
    names = [f"wheel_contact_{name}" for name in ("stiction_gain", "friction_gain", "reference_speed")]

    def at(*values):
        return int(np.argmin(sum(np.abs(relaxed[name] - value) for name, value in zip(names, values))))

    way = [f"{1e3 * away[at(s, f, 0.01)]:.0f} mm" for s, f in ((4, 3), (4, 4), (4, 5), (6, 6))]
    best = at(6, 6, 0.01)
    return (f"at v_ref = 1 cm/s, the slip speed of the yardstick, {way[0]} with 4 and 3, {way[1]} with 4 and 4, {way[2]} with 4 and 5, {way[3]} with 6 and 6, the "
            f"corner of the grid (the yaw then within {turned[best]:.1f}° rms, dissipated energy {relaxed['dissipated_energy'][best]:.1f} J against "
            f"{yardstick['dissipated_energy'][0]:.1f} J). With 3 cm/s it stays at {1e3 * away[at(6, 6, 0.03)]:.0f} mm, with 10 cm/s at "
            f"{1e3 * away[at(6, 6, 0.1)]:.0f} mm.")


# --- small studies --------------------------------------------------------------------------------------------------------


@claim(short=True)
def coast_down(runs):
    result = runs("coast_down")
    way = result["path_length"]
    rate = 0.76**2 / 2 / way
    return (f"The forward run ends after {way[0]:.3f} m, the other after {way[1]:.3f} m; v²/2 over the path is {rate[0]:.3f} and {rate[1]:.3f} m/s², a ratio of "
            f"{rate[1] / rate[0]:.2f}.")


@claim(short=True)
def sag(runs):
    result = runs("sag")
    free = result["wheel_motor_current_limit"] == 20
    at = [int(np.flatnonzero(free & np.isclose(result["supply_resistance"], ohms))[0]) for ohms in (0, 0.1, 0.2, 0.5)]
    way, volts = ([float(result[name][row]) for row in at] for name in ("path_length", "supply_voltage_min"))
    return (f"Without a limit the robot comes {way[0]:.2f} m far on a battery without resistance, {way[1]:.2f} m at 0.1 Ω, {way[2]:.2f} m at 0.2 Ω and {way[3]:.2f} m "
            f"at 0.5 Ω; the least voltage is {volts[0]:.0f}, {volts[1]:.1f}, {volts[2]:.1f} and {volts[3]:.1f} V")


@claim()
def top_speed_where_it_was_measured(runs):
    result = runs("top_speed")
    t = {name: result.traces[name] for name in ("x", "z", "vx", "vz")}
    speed = np.array([np.interp(1.2, np.hypot(t["x"][k], t["z"][k]), np.hypot(t["vx"][k], t["vz"][k])) for k in range(10)])
    ratio = speed[5:] / speed[:5]
    forward, sideways = np.genfromtxt(os.path.join(ROOT, "studies", "team_robots_measured.csv"), delimiter=",", skip_header=5, usecols=(1, 2)).T
    medians = [float(np.median(values)) for values in (forward, sideways, sideways / forward)]
    return (f"and there it does {speed[2]:.2f} and {speed[7]:.2f} m/s, a ratio of {ratio[2]:.2f}: forward it still gains speed, sideways it has all "
            f"that it gets. Of {len(forward)} measured robots the medians are {medians[0]:.2f} and {medians[1]:.2f} m/s, {medians[2]:.2f} for the ratio. "
            f"The ratio of the model grows with the mass there, from {ratio[0]:.2f} to {ratio[4]:.2f},")


@claim()
def rough_floor(runs):
    result = runs("rough_floor")
    heave = result["vertical_vibration_rms"].reshape(5, 3, 3, 8)
    more = [float((heave[degree, 2] / heave[0, 2]).mean()) for degree in (3, 4)]
    return (f"the same robot on 1 MN/m shakes {more[0]:.1f} times as much on 4e-6 m³ as on the level floor, and {more[1]:.1f} times on 16e-6 m³ "
            f"(mean over pairs of the same angles).")


@claim(short=True)
def load_cases_lift(runs):
    result = runs("load_cases")
    times = sorted(float(time) for time, status in zip(result.status_time, result.status) if status == 1)
    return f"On the clean floor the box at the edge and the tall box lift a wheel within the start ({times[0]:.3f} and {times[1]:.3f} s)"


@claim(short=True)
def discs_or_rollers(runs):
    rollers = runs("mecanum_disc_vs_rollers")
    painted = [runs("mecanum_disc_vs_rollers", "model=disc_vehicle", *more) for more in ((), ("parameters.contact.saturation=components",))]
    off = [100 * float(each["max_deviation"][0]) for each in (rollers, *painted)]
    apart = [100 * float(np.hypot(each["final_x"] - rollers["final_x"], each["final_z"] - rollers["final_z"])[0]) for each in painted]
    return (f"The largest deviation from the commanded path is {off[0]:.1f} cm on rollers, {off[1]:.1f} cm and {off[2]:.1f} cm on the two kinds of disc; they "
            f"end {apart[0]:.1f} cm and {apart[1]:.1f} cm from the vehicle on rollers.")


@claim(short=True)
def discs_or_rollers_loads(runs):
    result = runs("mecanum_disc_vs_rollers")
    return (f"at exchanges the slip peaks (up to {result['max_slip'][0]:.1f} m/s, briefly) and the load of a wheel swings between "
            f"{result['min_load'][0]:.0f} and {result['max_load'][0]:.0f} N")


@claim(short=True)
def testbench_servo(runs):
    return f"because the contact of an inclined roller jumps sideways, and reaches {runs('testbench')['max_servo_torque'][0]:.1f} N m."


@claim(short=True)
def ground_ice(runs):
    result = runs("ground_ice")
    yaw, off = np.degrees(np.abs(result["final_yaw"]).max()), result["deviation"]
    return (f"by up to {yaw:.0f}° where the whole way of braking is icy, and comes to rest {off.max():.2f} m from where the command ends; on the floor "
            f"alone it ends {off.min():.2f} m beyond it, straight.")


@claim(short=True)
def ground_dip(runs):
    result = runs("ground_dip")
    way, factor = result["final_x"], result["ground_factor"]
    return (f"without any of it for 0.3 s the odometry is off by {np.abs(result['odometry_error']).max():.1f} m. The way made is longest not without a dip "
            f"({way[factor == 1].max():.2f} m) but with one down to {factor[way.argmax()]:.2f} ({way.max():.2f} m)")


@claim(short=True)
def uk_weights(runs):
    return f"With weight 1 the wheels push with up to {runs('uk_weights')['max_force_ratio'].max():.1f} times what friction can bear"


@claim(short=True)
def mecanum_square(runs):
    result = runs("mecanum_square")
    at = np.isclose(result["wheel_friction"], 0.4)
    return f"at 0.4 the vehicle ends {100 * result['deviation'][at].mean():.0f} cm off"


@claim(short=True)
def rolling_disc(runs):
    result = runs("rolling_disc")
    return f"(`max_slip` {1e3 * result['max_slip'][np.isclose(result['friction_lateral'], 0.4)].max():.1f} mm/s)"


@claim(short=True)
def euler_disc(runs):
    result = runs("euler_disc")
    at = int(np.nanargmin(result["max_speed"]))
    return (f"along Ω² = 4 g/(R sin α) the centre rests (at {np.degrees(result['initial_tilt'][at]):.1f}° and {result['initial_precession'][at]:.0f} rad/s it never "
            f"is faster than {1e3 * result['max_speed'][at]:.1f} mm/s) while the contact point runs round; above and below it the disc wobbles, and far from "
            f"it ({int((result['lift_offs'] > 0).sum())} instances) it leaves the ground for a while.")


@claim(short=True)
def rattleback(runs):
    result = runs("rattleback")
    pitch = np.degrees(np.abs(result.traces["pitch"]).max())
    return (f"Spun with 5 rad/s one way it begins to pitch, by up to {pitch:.0f}°, and turns back after {result['reversal'][0]:.1f} s; spun the other way it turns "
            f"back only after {result['reversal'][1]:.1f} s.")


@claim(short=True)
def tippe_top_over(runs):
    result = runs("tippe_top", QUIET)
    fast = int(np.argmax(result["spin"]))
    return f"the axis is level after {result['over'][fast]:.1f} s at {result['spin'][fast]:.0f} rad/s"


@claim()
def tippe_top_threshold(runs):
    result = runs("tippe_top", QUIET, "integrator.duration=150", 'vary=[{"path": "spin", "linspace": ["72 rad/s", "77 rad/s", 6]}]')
    spin = np.polyval(np.polyfit(1 + np.cos(result["tilt_end"]), result["spin"], 3), 0)
    return f"Six spins from 72 to 77 rad/s, run for 150 s, put it at {spin:.5f} rad/s (cos θ extrapolated to −1 by a cubic), as the formula does."


@claim(short=True)
def free_roller_jumps(runs):
    result = runs("free_roller")
    jumps = result["jumps"][result["tilt"] > 0]
    words = {1: "once", 2: "twice", 3: "three times"}
    return f"it leaves the plane {words[int(jumps.min())]} to {words[int(jumps.max())]}, with some spin it stands on an end for moments"


@claim(short=True)
def ball_bearing(runs):
    result = runs("ball_bearing", QUIET, 'vary=[{"path": "overlap", "values": ["3 um"]}]')
    return (f"goes round presses outwards with m ω² ρ = {result['load_difference'][0]:.3f} N, so that the balls run on a circle wider by that over both stiffnesses. "
            f"With 3 µm, about what steel would have, the cage is {result['cage'][0]:.1e} too fast.".replace("e-08", "e-8"))


@claim(short=True)
def skateboard(runs):
    result = runs("skateboard", 'vary=[{"path": "speed", "values": ["1.3 m/s"]}]')
    return f"At 1.3 m/s the lean of {np.degrees(result['lean_final'][0]):.0f}° at the end already feels what the linear equation leaves out."


@claim(short=True)
def spur_gear(runs):
    result = runs("spur_gear", 'vary=[{"path": "deviation", "values": ["0 um", "10 um"]}]')
    pairs = result["pairs_mean"]
    return (f"one of them is off the flank within the path of contact: {pairs[1]:.2f} pairs push on average "
            f"and not {pairs[0]:.2f}.")


@claim(short=True)
def turntable(runs):
    result = runs("turntable")
    fast = np.isclose(result["ground_turn_rate"], 0.4)
    return f"at 0.4 rad/s the disc is carried off, {np.hypot(result['final_x'], result['final_z'])[fast][0]:.0f} m away"


@claim(short=True)
def tyre_slip(runs):
    result = runs("tyre_slip")
    slip = result["max_slip"]
    return (f"It is {slip.min():.4f} m/s at 2°, where a force in proportion to the slip would tell {np.hypot(8, 0.1) * np.tan(np.radians(2)) / 12:.4f}, "
            f"and {slip.max():.4f} m/s at 36°")


@claim(short=True)
def tyre_launch(runs):
    result = runs("tyre_launch")
    dry, torque = np.isclose(result["wheel_friction"], 0.8), -result["wheel_drive_torque"]
    best, more = (result["final_vx"][dry & np.isclose(torque, value)][0] for value in (3, 3.25))
    return (f"On μ = 0.8 it grows in proportion up to 3 N m a wheel, {best:.2f} m/s after 3 s; with 3.25 N m the front wheels, from which the start takes "
            f"load, go over their peak and spin, and it is {more:.2f} m/s.")


@claim(short=True)
def massless_limit(runs):
    heavy = runs("massless_limit")
    light = runs("massless_limit", "parameters.contact.law=massless_rollers", "vary=[]")
    far = np.hypot(heavy["final_x"] - light["final_x"][0], heavy["final_z"] - light["final_z"][0])
    density = next(values for name, values in heavy.columns.items() if "density" in name)
    return (f"({far[-1] / density[-1]:.3e} m per kg/m³ of density, to four figures); the rollers of 2000 kg/m³ are {100 * far[0]:.0f} cm off within 6 s."
            .replace("e-04", "e-4"))


@claim(short=True)
def vehicle_translation(runs):
    result = runs("vehicle_translation")
    return f"after 10 s the vehicle has come {abs(result['final_z'][0]):.2f} m and moves at {abs(result['final_vz'][0]):.2f} m/s."


@claim(short=True)
def vehicle_rotation(runs):
    result = runs("vehicle_rotation")
    return f"after 10 s and {result['exchanges'][0]:.0f} exchanges the yaw rate is still {result['final_yaw_rate'][0]:.2f} rad/s."


@claim(short=True)
def wheelset_slope(runs):
    return f"in {int((runs('wheelset_slope').status == 1).sum())} of the 806 instances the inner wheel lifts"


@claim(short=True)
def gaits(runs):
    drive, rotate, parking = (runs(f"snakeboard_{name}") for name in ("drive", "rotate", "parking"))
    return (f"Without the wheelsets' masses the same gaits go further ({drive['final_x'][1]:.1f} m, {abs(rotate['final_yaw'][1]):.1f} rad, "
            f"{abs(parking['final_z'][1]):.1f} m).")


@claim(short=True)
def braking(runs):
    good, slippery = runs("uk_braking_03")["stop_time"], runs("uk_braking_01")["stop_time"][1]
    return (f"The reference stops at {good[0]:.1f} s and the wheel with 0.3 at {good[1]:.1f} s, about the same, as the paper says; with 0.1 it takes until "
            f"{slippery:.1f} s")


# --- judgement ------------------------------------------------------------------------------------------------------------


@functools.lru_cache
def page_text(page):
    """What a page says, or all pages together."""
    path = os.path.join(ROOT, page)
    folders = (path, os.path.join(ROOT, "studies")) if page == ANY else ()
    pages = sorted(name for folder in folders for name in glob.glob(f"{folder}/**/*.md", recursive=True)) or [path]
    text = ""
    for name in pages:
        with open(name, encoding="utf-8") as file:
            text += file.read() + "\n"
    return re.sub(r"\s+", " ", text)


def judge(claim, runs, level):
    """Whether the page has the sentence; says what comes out otherwise."""
    sentence = re.sub(r"\s+", " ", claim.sentence(runs))
    if sentence in page_text(claim.page):
        return True
    print(f"{claim.name}: {level} gives, and {claim.page} has not:\n  {sentence}", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--print", action="store_true", dest="shown")
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    choices = parser.parse_args()
    chosen = [each for each in CLAIMS if (each.name in choices.names if choices.names else each.short or not choices.short)]
    good = bool(chosen)
    with tempfile.TemporaryDirectory() as folder:
        for finer in (False,) if choices.short or choices.shown else (False, True):
            runs = Runs(os.path.abspath(choices.program), folder, finer)
            for each in chosen:
                if choices.shown:
                    print(f"{each.name}: {each.sentence(runs)}", flush=True)
                else:
                    good &= judge(each, runs, "a finer step" if finer else "the study as it is")
    if not choices.shown:
        print(f"{len(chosen)} sentences, {'all' if good else 'not all'} as on the pages")
    sys.exit(not good)


if __name__ == "__main__":
    main()
