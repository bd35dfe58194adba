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

QUIET = "output={}"


@claim()
def roller_count_shares(runs):
    whole = runs("roller_count")
    six, eight = (whole.probability("shakes", cell) for cell in (0, 1))
    others = "none of those with more" if all(whole.probability("shakes", cell)[0] == 0 for cell in range(2, 6)) else "some"
    return (f"{percent(six[0])} of the vehicles with 6 rollers shake too much, {percent(eight[0], 1)} of those with 8 ({between(eight)}), {others}.")


@claim()
def roller_count_tour(runs):
    more = runs("roller_count", "vary[0].values=[8, 9]", "design.per_cell=1024", QUIET)
    many, none = (more.probability("shakes", cell) for cell in (0, 1))
    met = int(more.tables["cell_met"][0, 0])
    return (f"of 1024 vehicles none shakes more than the camera bears, which means less than {percent(none[2], 1)} (95 %, Wilson). With eight "
            f"it is {met} of 1024, {percent(many[0], 1)} ({between(many)}).")


# --- other designs --------------------------------------------------------------------------------------------------------


@claim()
def mecanum_design_shaking(runs):
    mean = runs("mecanum_design")["vibration_rms"].reshape(3, 3, 64).mean(axis=2)
    return f"from {mean[0, 1]:.2f} to {mean[1, 1]:.2f} to {mean[2, 1]:.2f} m/s² at 45°"


@claim()
def roller_design_sweep_unbuilt(runs):
    unbuilt = int((runs("roller_design_sweep").status.reshape(49, 64) == 5).all(axis=1).sum())
    return f"{unbuilt} of the 49 designs cannot be built, their rollers run into each other."


@claim()
def robustness_friction_corridor(runs):
    result = runs("robustness_friction")
    corridor = result.probability("corridor")
    return (f"{percent(corridor[0])} leave the corridor of 5 cm ({result.met('corridor')} of 1024, {100 * corridor[1]:.0f} to "
            f"{between(corridor, 0).split()[-2]} %).")


@claim()
def without_rows_spin(runs):
    spins = 100 * np.array(runs("without_rows").probability("spins"))
    return f"{spins[0]:.2f} % ({spins[1]:.2f} to {spins[2]:.2f});"


@claim()
def rare_lift_off_by_draws(runs):
    draws = runs("rare_lift_off", 'design={"type": "monte_carlo", "instances": 400000, "seed": 1, "correlation": [{"paths": '
                 '["platform.mass", "platform.center_of_mass.height"], "rank": 0.5}]}', "statistics.quantiles=[]")
    return f"plain draws found {draws.met('lift')} of 400 000."


@claim()
def uk_weight_calibration(runs):
    relaxed = runs("uk_weight_calibration")
    yardstick = runs("uk_weight_calibration", "parameters.contact.law=saturated_coulomb", "vary=[]", "output.trajectories.instances=[0]")
    away = np.sqrt(np.mean((relaxed.traces["x"] - yardstick.traces["x"][0]) ** 2 + (relaxed.traces["z"] - yardstick.traces["z"][0]) ** 2, axis=1))
    names = [f"wheel_contact_{name}" for name in ("stiction_gain", "friction_gain", "reference_speed")]

    def at(*values):
        return int(np.argmin(sum(np.abs(relaxed[name] - value) for name, value in zip(names, values))))

    return f"{1e3 * away[at(6, 6, 0.01)]:.0f} mm with 6 and 6 at 1 cm/s, gains of 1 are {away[at(1, 1, 0.01)]:.2f} m off."


# --- small studies --------------------------------------------------------------------------------------------------------


@claim(short=True)
def coast_down(runs):
    result = runs("coast_down")
    way = result["path_length"]
    return f"the forward run ends after {way[0]:.3f} m, the other after {way[1]:.3f} m."


@claim(short=True)
def sag(runs):
    result = runs("sag")
    free = result["wheel_motor_current_limit"] == 20
    way = [float(result["path_length"][np.flatnonzero(free & np.isclose(result["supply_resistance"], ohms))[0]]) for ohms in (0, 0.1, 0.2, 0.5)]
    return (f"Without a limit of the current the robot comes {way[0]:.2f} m far on a battery without resistance, {way[1]:.2f} m at 0.1 Ω, {way[2]:.2f} m "
            f"at 0.2 Ω and {way[3]:.2f} m at 0.5 Ω.")


@claim()
def top_speed_where_it_was_measured(runs):
    result = runs("top_speed")
    t = {name: result.traces[name] for name in ("x", "z", "vx", "vz")}
    speed = np.array([np.interp(1.2, np.hypot(t["x"][k], t["z"][k]), np.hypot(t["vx"][k], t["vz"][k])) for k in range(10)])
    ratio = speed[5:] / speed[:5]
    forward, sideways = np.genfromtxt(os.path.join(ROOT, "studies", "team_robots_measured.csv"), delimiter=",", skip_header=5, usecols=(1, 2)).T
    return (f"At 1.2 m from rest the robot of 12 kg does {speed[2]:.2f} and {speed[7]:.2f} m/s, a ratio of {ratio[2]:.2f}; {len(forward)} measured robots have "
            f"{np.median(sideways / forward):.2f}.")


@claim()
def rough_floor(runs):
    result = runs("rough_floor")
    heave = result["vertical_vibration_rms"].reshape(5, 3, 3, 8)
    more = [float((heave[degree, 2] / heave[0, 2]).mean()) for degree in (3, 4)]
    return (f"it shakes {more[0]:.1f} times as much on 4e-6 m³ as on the level floor, and {more[1]:.1f} times on 16e-6 m³.")


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
    return f"The largest deviation from the commanded path is {off[0]:.1f} cm on rollers, {off[1]:.1f} cm and {off[2]:.1f} cm on the two kinds of disc."


@claim(short=True)
def testbench_servo(runs):
    return f"its servo's torque jumps there, up to {runs('testbench')['max_servo_torque'][0]:.1f} N m."


@claim(short=True)
def ground_ice(runs):
    result = runs("ground_ice")
    yaw, off = np.degrees(np.abs(result["final_yaw"]).max()), result["deviation"]
    return f"by up to {yaw:.0f}° where the whole way of braking is icy, and comes to rest {off.max():.2f} m from where the command ends."


@claim(short=True)
def ground_dip(runs):
    return f"Without friction for 0.3 s the odometry is off by {np.abs(runs('ground_dip')['odometry_error']).max():.1f} m"


@claim(short=True)
def uk_weights(runs):
    return f"With weight 1 the wheels push with up to {runs('uk_weights')['max_force_ratio'].max():.1f} times what friction can bear"


@claim(short=True)
def mecanum_square(runs):
    result = runs("mecanum_square")
    at = np.isclose(result["wheel_friction"], 0.4)
    return f"at 0.4 it ends {100 * result['deviation'][at].mean():.0f} cm off"


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


@claim(short=True)
def free_roller_jumps(runs):
    result = runs("free_roller")
    jumps = result["jumps"][result["tilt"] > 0]
    words = {1: "once", 2: "twice", 3: "three times"}
    return f"it leaves the plane {words[int(jumps.min())]} to {words[int(jumps.max())]}."


@claim(short=True)
def ball_bearing(runs):
    result = runs("ball_bearing", QUIET, 'vary=[{"path": "overlap", "values": ["3 um"]}]')
    return f"The cage is {result['cage'][0]:.1e} too fast with 3 µm".replace("e-08", "e-8")


@claim(short=True)
def spur_gear(runs):
    result = runs("spur_gear", 'vary=[{"path": "deviation", "values": ["0 um", "10 um"]}]')
    pairs = result["pairs_mean"]
    return f"{pairs[1]:.2f} pairs push on average and not {pairs[0]:.2f}."


@claim(short=True)
def turntable(runs):
    result = runs("turntable")
    fast = np.isclose(result["ground_turn_rate"], 0.4)
    return f"at 0.4 rad/s the disc is carried off, {np.hypot(result['final_x'], result['final_z'])[fast][0]:.0f} m away"


@claim(short=True)
def tyre_slip(runs):
    result = runs("tyre_slip")
    slip = result["max_slip"]
    return f"By {slip.min():.4f} m/s at 2° and {slip.max():.4f} m/s at 36°"


@claim(short=True)
def tyre_launch(runs):
    result = runs("tyre_launch")
    dry, torque = np.isclose(result["wheel_friction"], 0.8), -result["wheel_drive_torque"]
    best, more = (result["final_vx"][dry & np.isclose(torque, value)][0] for value in (3, 3.25))
    return f"On μ = 0.8 up to 3 N m a wheel, {best:.2f} m/s after 3 s; with 3.25 N m the front wheels spin, and it is {more:.2f} m/s."


@claim(short=True)
def massless_limit(runs):
    heavy = runs("massless_limit")
    light = runs("massless_limit", "parameters.contact.law=massless_rollers", "vary=[]")
    far = np.hypot(heavy["final_x"] - light["final_x"][0], heavy["final_z"] - light["final_z"][0])
    return f"those of 2000 kg/m³ are {100 * far[0]:.0f} cm off within 6 s."


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
def braking(runs):
    good = runs("uk_braking_03")["stop_time"]
    return f"The reference stops at {good[0]:.1f} s and the wheel with 0.3 at {good[1]:.1f} s"


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
