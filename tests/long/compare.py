#!/usr/bin/env python3
"""Every ready comparison with the multibody reference, whole: compare.py PROGRAM [STUDY...]

Runs `omniroll compare` on studies/compare_*.json with the reference integrated at 1e-12 and holds the engine's run at the study's own step h
against it: states 1e-8 of their range, normal loads 1e-7; wheels exchange their rollers several times. Likewise a vehicle on springs,
tests/reference/landing.json over 2 s: 1e-6, every lifting and exchange. On every backend that has double precision. Prints one line per
study; the exit code is the number of studies that miss. Takes minutes."""

import glob
import json
import os
import subprocess
import sys

SPRINGS = "tests/reference/landing.json"
STATES = ("x", "z", "yaw", "vx", "vz", "yaw_rate", "wheel_angle", "wheel_rate", "contact_angle", "roller_spin")
VERTICAL = ("height", "pitch", "roll", "vy", "suspension_travel")
STATE_BOUND, LOAD_BOUND, SPRING_BOUND = 1e-8, 1e-7, 1e-6
EXCHANGES, LIFTINGS = 5, 20


def is_sprung(study):
    return study.endswith(SPRINGS)


def compare(program, study):
    command = [program, "compare", study, "--reference-tolerance", "1e-12", "--precision", "double", "--json", "--quiet"]
    if is_sprung(study):
        command += ["--set", "integrator.duration=2 s"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 9):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return json.loads(done.stdout)


def worst(quantities, names):
    """Largest difference of the run at h and the reference, over the scale, and whose it is."""
    found = [(q["whole"]["largest"] / q["scale"], q["name"]) for q in quantities if q["name"] in names and q["whole"]["compared"]]
    return max(found)


def judge(study, report):
    reference = report["reference"][0]
    missed = []
    for run in report["runs"]:
        if "not_run" in run:
            print(f"  {run['name']}: not run; {run['not_run']}")
            continue
        instance = run["instances"][0]
        quantities = instance["quantities"]
        state, load = worst(quantities, STATES), worst(quantities, ("normal_load",))
        exchanges = next(q["reference"] for q in quantities if q["name"] == "exchanges")
        bound, load_bound = STATE_BOUND, LOAD_BOUND
        counted = True
        if is_sprung(study):
            state, bound, load_bound = worst(quantities, STATES + VERTICAL), SPRING_BOUND, SPRING_BOUND
            counts = {q["name"]: (q["reference"], q["whole"]["largest"]) for q in quantities if q["name"] in ("wheel_liftings", "exchanges")}
            counted = counts["wheel_liftings"][0] >= LIFTINGS and not any(apart for _, apart in counts.values())
        left_out = instance["rollers"]["whole"]["differ"]
        good = (state[0] <= bound and load[0] <= load_bound and exchanges >= EXCHANGES and counted and not run["differs"]
                and report["duration"] >= 2)
        same = f", the bits of {run['same_bits_as']}" if "same_bits_as" in run else ""
        print(f"{'ok    ' if good else 'MISSED'} {os.path.basename(study):38} {run['name']:18} states {state[0]:.1e} ({state[1]}), "
              f"loads {load[0]:.1e}, {exchanges:.0f} exchanges, {left_out} samples at exchanges left out{same}")
        if not good:
            missed.append(run["name"])
    drift = max(reference["drift"], key=lambda d: d["position"])
    print(f"       {reference['bodies']} bodies, {reference['evaluations']} evaluations, "
          f"{reference['seconds_per_simulated_second']:.3g} s per simulated second, drift {drift['position']:.1e} ({drift['class']})", flush=True)
    return not missed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    studies = sys.argv[2:] or sorted(glob.glob(os.path.join(root, "studies", "compare_*.json"))) + [os.path.join(root, SPRINGS)]
    missed = [study for study in studies if not judge(study, compare(sys.argv[1], study))]
    print(f"{len(studies) - len(missed)} of {len(studies)} studies agree")
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
