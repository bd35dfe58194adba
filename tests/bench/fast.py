"""What fast numerics bring and cost: /usr/bin/python3 tests/bench/fast.py PROGRAM [STUDY ...] [--rounds N] [--set PATH=VALUE ...] [--csv FILE]

Runs every study with exact and fast numerics by turns and once more, exactly, with half the step. Per study: instance-steps per
second of the best round each, and over all instances that reach the end in all three runs the largest difference of every
observable, in parts of the largest size of the observable, once between exact and fast and once between the step and half of it.
Printed are the observables with the largest differences; statuses and numbers of exchanges are compared too.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
STUDIES = ["first.json", "mecanum.json", "testbench.json"]


def run(program, study, path, settings):
    command = [program, "run", study, "-o", path, "--restart", "--overwrite", "-q"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(" ".join(command) + "\n" + done.stderr)
    with h5py.File(path) as file:
        columns = {name: np.array(data) for name, data in file["instances"].items() if data.ndim == 1}
        return dict(file.attrs), columns


def step_of(attributes):
    return float(attributes["step"])


def differences(one, other, good):
    """Largest difference of each observable over its largest size, the largest first."""
    found = []
    for name, values in one.items():
        if values.dtype.kind != "f" or name not in other:
            continue
        a, b = values[good], other[name][good]
        there = np.isfinite(a) & np.isfinite(b)
        size = np.max(np.abs(a[there]), initial=0)
        if size > 0 and not np.array_equal(a[there], b[there]):
            found.append((float(np.max(np.abs(a[there] - b[there])) / size), name))
    return sorted(found, reverse=True)


def measure(options, study, folder):
    path = os.path.join(folder, "r.h5")
    best, results = {"exact": 0.0, "fast": 0.0}, {}
    for _ in range(options.rounds):
        for numerics in best:
            attributes, columns = run(options.program, study, path, options.set + ["engine.numerics=" + numerics])
            best[numerics] = max(best[numerics], float(attributes["steps_per_second"]))
            results[numerics] = columns
    half = options.set + ["integrator.step=%r" % (step_of(attributes) / 2)]
    results["half"] = run(options.program, study, path, half)[1]
    return attributes, best, results


def report(study, attributes, best, results):
    exact, fast, half = results["exact"], results["fast"], results["half"]
    good = (exact["status"] == 0) & (fast["status"] == 0) & (half["status"] == 0)
    rounding, step = differences(exact, fast, good), differences(exact, half, good)
    by_step = {name: value for value, name in step}
    print("%s: %s, %s, %s" % (os.path.basename(study), attributes["backend"], attributes["device"], attributes["precision"]))
    print("  exact %.4g, fast %.4g instance-steps per second: %+.1f %%" %
          (best["exact"], best["fast"], 100 * (best["fast"] / best["exact"] - 1)))
    print("  %d instances, %d of another status" % (len(good), np.sum(exact["status"] != fast["status"])))
    for value, name in rounding[:4]:
        print("  %-22s differs by %.1e of its size, by half the step %.1e" % (name, value, by_step.get(name, 0)))
    worst = rounding[0] if rounding else (0.0, "none")
    return {"study": os.path.basename(study), "backend": attributes["backend"], "device": attributes["device"],
            "precision": attributes["precision"], "exact": best["exact"], "fast": best["fast"],
            "gain": best["fast"] / best["exact"] - 1, "difference": worst[0], "observable": worst[1],
            "half_step": by_step.get(worst[1], 0.0), "statuses": int(np.sum(exact["status"] != fast["status"]))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("studies", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--csv")
    options = parser.parse_args()
    studies = options.studies or [os.path.join(HERE, "..", "..", "studies", name) for name in STUDIES]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for study in studies:
            rows.append(report(study, *measure(options, study, folder)))
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
