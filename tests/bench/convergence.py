"""Largest step at which a torque manoeuvre is converged, for laws and methods: a table, run by hand.

    /usr/bin/python3 tests/bench/convergence.py build/release/omniroll [--study FILE] [--row NAME=SET[;SET...]]... [--set SET]...

Each row is a name and --set changes, for example
    --row 'Coulomb 1 mm/s, Rosenbrock=integrator.method=rosenbrock;parameters.wheel.slip_speed=1e-3'
Without --row every method runs with the study's law; --laws runs every law, --torque multiplies the manoeuvre's torques. The step is halved from --longest until the motion of the manoeuvre (pose and
velocities at the end, relative to --scale metres, metres per second, radians) with that step and with every shorter one down to
--shortest differs by less than --tolerance from the one with the row's shortest step, which is halved once more for it.

Without --study: three wheels, eight rollers, sine torques, 1 s. Steps are those of a 1, 2, 4 ... division of the duration, so that any
halving fits. The last column is the largest friction over mu N, where the program has that observable (max_friction_ratio)."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy

STATES = ("final_x", "final_z", "final_yaw", "final_vx", "final_vz", "final_yaw_rate")
METHODS = ("rk4", "midpoint", "heun", "semi_implicit_euler", "rosenbrock")
IMPLICIT = "integrator.method=rosenbrock"
LAWS = [["v_s 1 cm/s", "parameters.contact.law=saturated_coulomb"],
        ["v_s 1 cm/s, implicit", f"parameters.contact.law=saturated_coulomb;{IMPLICIT}"],
        ["v_s 1 mm/s, implicit", f"parameters.contact.law=saturated_coulomb;{IMPLICIT};parameters.wheel.slip_speed=1e-3"],
        ["quadratic zone", "parameters.contact.law=regularized_coulomb"],
        ["quadratic zone, implicit", f"parameters.contact.law=regularized_coulomb;{IMPLICIT}"],
        ["", "parameters.contact.law=ideal_rolling"],
        ["weights from the demand", "parameters.contact.law=udwadia_kalaba"],
        ["tanh weights", "parameters.contact.law=udwadia_kalaba;parameters.contact.weights=tanh"],
        ["contact-wise", "parameters.contact.law=udwadia_kalaba;parameters.contact.relaxation=contact_wise"],
        ["", "parameters.contact.law=massless_rollers"],
        ["", "parameters.contact.law=classical_rollers"]]
RATIOS = ("max_friction_ratio", "max_force_ratio", "max_demand")


def manoeuvre(factor):
    drives = [{"drive": {"type": "sine", "torque": factor * t, "frequency": 0.4, "phase": 0.5}} for t in (0.6, -0.3, 0.5)]
    return {
        "model": "omni_vehicle",
        "parameters": {
            "overlap": "allow",
            "platform": {"mass": 12, "yaw_inertia": 0.4, "center_of_mass": {"x": 0.02, "z": 0.01, "height": 0.12}},
            "layout": {"type": "ring", "wheels": 3, "radius": 0.25},
            "wheel": {"radius": 0.1, "rollers": 8, "tip_radius": 0.008, "friction": 0.5, "slip_speed": 0.01,
                      "roller": {"density": 1200}},
            "wheels": drives},
        "integrator": {"step": 1e-3, "duration": 1}, "engine": {"backend": "openmp", "threads": 1}}


def run(program, study, folder, overrides):
    """Final state and friction ratio (None: no such observable) of one run; None where the instance failed, text for a refusal."""
    path = os.path.join(folder, "result.h5")
    command = [program, "run", study, "-o", path, "--overwrite", "--quiet"]
    for override in overrides:
        command += ["--set", override]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip()
    found = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, item: found.update({name.split("/")[-1]: item[()]}) if isinstance(item, h5py.Dataset) else None)
    if found["status"][0] != 0:
        return None
    ratio = next((float(found[name][0]) for name in RATIOS if name in found), None)
    return numpy.array([float(found[name][0]) for name in STATES]), ratio


def converged_step(program, study, folder, overrides, arguments):
    """The largest converged step, the ratio of its run, and a remark."""
    steps = [arguments.longest]
    while steps[-1] / 2 >= arguments.shortest * (1 - 1e-9):
        steps.append(steps[-1] / 2)
    runs = [run(program, study, folder, overrides + [f"integrator.step={step!r}"]) for step in steps + [steps[-1] / 2]]
    refused = next((r for r in runs if isinstance(r, str)), None)
    if refused or runs[-1] is None:
        return None, None, refused or "the instance failed at the shortest step"
    best, ratio = None, None
    for step, got in reversed(list(zip(steps, runs))):
        if got is None or not numpy.max(numpy.abs(got[0] - runs[-1][0])) < arguments.tolerance * arguments.scale:
            break
        best, ratio = step, got[1]
    return best, ratio, "" if best else f"not converged at {steps[-1]:g} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--study")
    parser.add_argument("--row", action="append", default=[], help="name=set;set...")
    parser.add_argument("--laws", action="store_true")
    parser.add_argument("--torque", type=float, default=1.0)
    parser.add_argument("--set", action="append", default=[], dest="sets")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--longest", type=float, default=4e-3)
    parser.add_argument("--shortest", type=float, default=2e-6)
    arguments = parser.parse_args()
    rows = [row.split("=", 1) for row in arguments.row] or (LAWS if arguments.laws else []) or [[m, f"integrator.method={m}"] for m in METHODS]
    with tempfile.TemporaryDirectory() as folder:
        study = arguments.study
        if not study:
            study = os.path.join(folder, "study.json")
            with open(study, "w") as f:
                json.dump(manoeuvre(arguments.torque), f)
        print(f"{'law':<22}{'method':<22}{'row':<36}{'step / s':>12}{'|F|/(mu N)':>12}")
        for name, sets in rows:
            overrides = ["integrator.stability=ignore"] + arguments.sets + [s for s in sets.split(";") if s]
            said = dict(s.split("=", 1) for s in overrides)
            step, ratio, remark = converged_step(arguments.program, study, folder, overrides, arguments)
            law, method = said.get("parameters.contact.law", "of the study"), said.get("integrator.method", "of the study")
            print(f"{law:<22}{method:<22}{name:<36}{step if step else '-':>12}{f'{ratio:.3f}' if ratio is not None else '-':>12}"
                  f"  {remark}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
