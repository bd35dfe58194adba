#!/usr/bin/env python3
"""False alarms of the check of a device: device_alarms.py PROGRAM [--backend opencl] [--instances N] [STUDY...]

Runs the ready studies (or those given) on the device, in double and single precision, with the check between all launches. A study keeps its
models, parameters and methods; of its instances N are taken, spread over all, and it ends after 2000 steps, or a tenth of its duration
where it has a tolerance. A device that tests/opencl finds right gives no alarm (exit code 8). Prints a line for each run and, last, studies,
runs, checks and alarms. Exit code 1 where there was an alarm, a run that ended otherwise, or one without checks; 77 where there is no device.
"""

import argparse
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

import h5py

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
STEPS = 2000
REFUSED, DEVICE, ALARM = 3, 4, 8
WITH_RESULT = (0, 10, 11)  # failures and inaccurate: instances that failed are the same on every backend


def call(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def must(program, *arguments):
    done = call(program, *arguments)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def sets(assignments):
    return [word for assignment in assignments for word in ("--set", assignment)]


def shortened(program, path, instances, folder):
    """What makes the study short: a table of some of its instances, and less time."""
    plan = json.loads(must(program, "validate", path, "--json"))
    changes = ["output={}", "statistics={}", "integrator.step_error=off", "integrator.on_failure=record"]
    end = plan["duration"] / 10 if plan.get("tolerance") else min(plan["duration"], STEPS * plan["step"])
    changes.append(f"integrator.duration={end!r}")
    if plan.get("design") == "subset_simulation":
        return [*changes, f'design={{"type": "monte_carlo", "instances": {instances}, "seed": 1}}']
    rows = must(program, "sample", path).splitlines() if plan["varied"] else []
    if len(rows) < 2:
        return changes
    count = min(instances, len(rows) - 1)
    chosen = [rows[1 + i * (len(rows) - 1) // count].split(",", 1)[1] for i in range(count)]
    table = os.path.join(folder, "table.csv")
    with open(table, "w", encoding="utf-8") as file:
        file.write("\n".join([rows[0], *(f"{i},{row}" for i, row in enumerate(chosen))]) + "\n")
    return [*changes, f'design={{"type": "table", "file": "{table}"}}', "vary=[]"]


def run(options, path, changes, precision, folder):
    """Exit code, checks and message of a run."""
    result = os.path.join(folder, "r.h5")
    engine = [f"engine.precision={precision}", "engine.check_seconds=1e-6", "engine.chunk=8"]
    done = call(options.program, "run", path, "-q", "-o", result, "--overwrite", "--restart", "--backend", options.backend,
                *sets([*changes, *engine]))
    if done.returncode not in WITH_RESULT:
        return done.returncode, 0, done.stderr.strip()
    with h5py.File(result) as file:
        return done.returncode, int(file.attrs["device_checks"]), ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program", type=os.path.realpath)
    parser.add_argument("studies", nargs="*")
    parser.add_argument("--backend", default="opencl")
    parser.add_argument("--instances", type=int, default=32)
    options = parser.parse_args()
    paths = options.studies or sorted(glob.glob(os.path.join(ROOT, "studies", "*.json")))
    counts = collections.Counter()
    for path in paths:
        name = os.path.splitext(os.path.basename(path))[0]
        with tempfile.TemporaryDirectory() as folder:
            changes = shortened(options.program, path, options.instances, folder)
            for precision in ("double", "single"):
                begin = time.monotonic()
                code, checks, message = run(options, path, changes, precision, folder)
                if code == DEVICE and not counts["runs"]:
                    print(f"no device: {message}")
                    sys.exit(77)
                kind = ("alarms" if code == ALARM else "refused" if code == REFUSED else
                        "others" if code not in WITH_RESULT or checks < 2 else "good")
                counts.update({"runs": 1, "checks": checks, kind: 1})
                print(f"{name:28} {precision:6} {checks:3} checks {time.monotonic() - begin:6.1f} s  {kind}"
                      f"{': ' + message if message else ''}", flush=True)
    print(f"{len(paths)} studies, {counts['runs']} runs, {counts['checks']} checks, {counts['refused']} refused, "
          f"{counts['others']} ended otherwise, {counts['alarms']} alarms")
    sys.exit(counts["alarms"] + counts["others"] > 0 or not counts["checks"])


if __name__ == "__main__":
    main()
