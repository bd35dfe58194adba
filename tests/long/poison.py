#!/usr/bin/env python3
"""Healthy instances beside poisoned ones: every law of contact on every backend, large ensembles.

    tests/long/poison.py build/omniroll [--instances 20000] [--backends openmp,scalar,opencl] [--laws ...]

For each law, backend and precision the same table of vehicles is run as it is and with 1, 50 and 99 % of its rows poisoned: values
that overflow, lift wheels, make no vehicle, exchange hundreds of rollers in a step. Every healthy row has to have the same bits
in all columns and trajectories. Prints a table; ends with 1 where a bit differs. tests/faults/test_poison_shares.c is the short
form."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

PATHS = ["wheel.friction", "gravity", "initial.yaw_rate", "platform.center_of_mass.x", "wheel.initial.rate", "wheel.tip_radius"]
POISON = [("initial.yaw_rate", 1e200), ("gravity", 1e300), ("platform.center_of_mass.x", 1.0), ("wheel.initial.rate", 1e5),
          ("wheel.initial.rate", 3000.0), ("gravity", 1e8), ("wheel.tip_radius", 0.09), ("platform.center_of_mass.x", -1e6)]
LAWS = ["saturated_coulomb", "regularized_coulomb", "ideal_rolling", "udwadia_kalaba", "massless_rollers"]


def healthy_values(count):
    random = np.random.default_rng(5)
    low = [0.2, 9.81, 5, -0.02, -40, 0.01]
    high = [0.5, 9.81, 10, 0.02, -40, 0.01]
    return random.uniform(low, high, (count, len(PATHS)))


def poisoned_values(values, percent):
    count = len(values)
    rows = np.random.default_rng(6).permutation(count)[:max(1, count * percent // 100)]
    poisoned = values.copy()
    for i, row in enumerate(rows):
        path, value = POISON[i % len(POISON)]
        poisoned[row, PATHS.index(path)] = value
    return poisoned, rows


def run(program, folder, law, backend, precision, values):
    study = {
        "model": "omni_vehicle",
        "parameters": {"layout": {"type": "ring", "wheels": 3}, "overlap": "allow", "contact": {"law": law},
                       "wheel": {"radius": 0.08, "roller": {"density": 4000}, "drive": {"type": "tanh", "torque": -0.4}}},
        "design": {"type": "table", "file": os.path.join(folder, "table.csv")},
        "integrator": {"step": 5e-4, "duration": 0.1, "stability": "ignore", "budget": 8},
        "output": {"trajectories": {"instances": list(range(0, len(values), 97)), "interval": 0.02}},
        "engine": {"backend": backend, "precision": precision},
    }
    np.savetxt(study["design"]["file"], values, delimiter=",", header=",".join(PATHS), comments="", fmt="%.17g")
    path, result = os.path.join(folder, "study.json"), os.path.join(folder, "result.h5")
    with open(path, "w") as file:
        json.dump(study, file)
    subprocess.run([program, "run", path, "-q", "-o", result], check=True)
    with h5py.File(result) as file:
        rows = {name: data[()] for name, data in file["instances"].items()}
        traces = {name: data[()] for name, data in file["trajectories"].items() if name not in ("time", "wheel")}
        names = file["instances/status"].attrs["flag_meanings"].split()
    return rows, traces, names


def differing(clean, other, keep):
    """Number of the rows in `keep` in which some value has other bits; NaN is NaN."""
    wrong = np.zeros(len(keep), dtype=bool)
    for name, values in clean.items():
        bits = (lambda a: a.view(np.int64)) if values.dtype.kind == "f" else (lambda a: a)
        same = (bits(values) == bits(other[name])) | ((values != values) & (other[name] != other[name]))
        wrong |= ~same.reshape(len(keep), -1).all(axis=1)
    return int((wrong & keep).sum())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--instances", type=int, default=20000)
    parser.add_argument("--backends", default="openmp,scalar,opencl")
    parser.add_argument("--laws", default=",".join(LAWS))
    parser.add_argument("--precisions", default="double,single")
    options = parser.parse_args()
    program, total = os.path.abspath(options.program), 0
    values = healthy_values(options.instances)
    with tempfile.TemporaryDirectory() as folder:
        for law in options.laws.split(","):
            for backend in options.backends.split(","):
                for precision in options.precisions.split(","):
                    clean, traces, names = run(program, folder, law, backend, precision, values)
                    for percent in (1, 50, 99):
                        poisoned, rows = poisoned_values(values, percent)
                        other, other_traces, _ = run(program, folder, law, backend, precision, poisoned)
                        keep = np.ones(len(values), dtype=bool)
                        keep[rows] = False
                        wrong = differing(clean, other, keep)
                        wrong += differing(traces, other_traces, keep[traces["instance"].astype(int)])
                        total += wrong
                        counts = np.bincount(other["status"], minlength=len(names))
                        text = " ".join(f"{name} {count}" for name, count in zip(names, counts))
                        print(f"{law:20} {backend:6} {precision:6} {percent:2} %: {text}; healthy {keep.sum()}, "
                              f"with another bit {wrong}", flush=True)
    print("no healthy instance is harmed" if total == 0 else f"{total} healthy instances are harmed")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
