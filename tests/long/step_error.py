#!/usr/bin/env python3
"""The step error that runs print against the true one, over the ready studies: step_error.py [--short] [--spread K] PROGRAM [STUDY...]

Each study runs as it is, with all observables. Truth is the same instances, those that the run took again, with a sixteenth and a
thirty-second of the step, continued to steps of length zero (Aitken); with a ten-thousandth of the tolerance where the study has one, or a
hundred-thousandth where it has not 500 instances, which run again with a ten-thousandth; that of energy_error is 0. With --spread K also the
mean over K instances spread over the whole study: then the estimate has to say something of instances that it did not see.

Of the observables whose true error exceeds its own sampling noise (the interval of the mean over the chosen instances; nothing where all are
chosen) and a millionth of their scale (the largest of mean and spread; numbers below 1e-6 in SI units are zero but for rounding), at least
90 % have an estimate within a factor of two, and of 95 % the truth is no larger than the upper end of the printed range. Every miss is
printed with what its errors do as the step gets shorter. Where the finest two steps differ by more than half of the error, the truth is
not known, and nothing is judged; these are named. Exit code 1 where an aim is missed.

Takes minutes on two cores for what has no vertical motion, and hours for the rest, whose steps are microseconds; --short (as in the
tests) takes small studies alone and seconds."""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

SHORT = ("snakeboard_drive", "snakeboard_gaits", "uk_braking_01", "uk_driving_20", "mecanum_square")
SHORTER = {"snakeboard_gaits": ["vary[0].linspace=[1, 3, 20]"], "mecanum_square": ["integrator.duration=1"]}
LEFT_OUT = {
    "edge_holds": "bounces shorter than a step count as rest, so that it depends on the step",
}
LEVELS = 5  # the truth has 2^5 steps to one of the study
TENTHS, OF_FEW = 4, 5  # or 10^-4 and 10^-5 of the tolerance
MANY = 500
LEAST_TOLERANCE = 1e-10  # that the program takes
FLOOR = 1e-6  # SI: scales are no smaller
DIFFERENT_DESIGN = {  # what table designs cannot repeat: the input distribution of a subset simulation
    "rare_lift_off": ['design={"type": "monte_carlo", "instances": 1000, "seed": 1, "correlation": '
                      '[{"paths": ["platform.mass", "platform.center_of_mass.height"], "rank": 0.5}]}'],
}


def call(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 10):
        sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def sets(assignments):
    return [word for assignment in assignments for word in ("--set", assignment)]


class Study:
    """A ready study, and its instances alone with other steps."""

    def __init__(self, program, path, folder, changes):
        self.program, self.path, self.folder = program, path, folder
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.changes = [*changes, *DIFFERENT_DESIGN.get(self.name, [])]
        plan = json.loads(call(program, "validate", path, "--json", *sets(self.changes)))
        self.tolerance = plan.get("tolerance")
        self.step, self.instances, self.varied = plan["step"], plan["instances"], [item["column"] for item in plan["varied"]]
        self.tenths = OF_FEW if self.instances < MANY and self.tolerance and self.tolerance / 10**OF_FEW >= LEAST_TOLERANCE * 0.999 else TENTHS
        self.table = call(program, "sample", path, *sets(self.changes)).splitlines() if self.varied else []

    def run(self):
        """The result of the study as it is."""
        path = os.path.join(self.folder, f"{self.name}.h5")
        call(self.program, "run", self.path, "-q", "-o", path, "--overwrite", "--backend", "openmp", *sets([*self.changes, "output={}"]))
        return path

    def values(self, rows, level):
        """Observables of these instances with 2^level steps to one of the study, or 10^-level of the tolerance; NaN where one has failed."""
        path = os.path.join(self.folder, f"{self.name}-{level}.h5")
        finer = f"integrator.tolerance={self.tolerance / 10**level:.6g}" if self.tolerance else f"integrator.step={self.step / 2**level!r}"
        changes = [*self.changes, "output={}", "integrator.step_error=off", finer]
        if self.varied:
            table = os.path.join(self.folder, f"{self.name}.csv")
            with open(table, "w", encoding="utf-8") as file:
                lines = [f"{i},{self.table[1 + row].split(',', 1)[1]}" for i, row in enumerate(rows)]
                file.write("\n".join([self.table[0], *lines]) + "\n")
            changes += [f'design={{"type": "table", "file": "{table}"}}', "vary=[]"]
        call(self.program, "run", self.path, "-q", "-o", path, "--overwrite", "--backend", "openmp", *sets(changes))
        with h5py.File(path) as file:
            group = file["instances"]
            ok = group["status"][()] == 0
            found = {name: np.where(ok, data[()], np.nan) for name, data in group.items() if data.attrs.get("role") == "observable"}
        os.remove(path)
        return found


def limit(last, before, one):
    """Of the sequence one, before, last, each with half the step of the one before, for the whole sample."""
    first, second = (before - one).mean(), (last - before).mean()
    ratio = second / first if first else 0.0
    share = ratio / (1 - ratio) if 0 < ratio < 0.75 else 0.0
    return last + share * (last - before)


def noise(differences, part, n):
    """Half the interval, by chance, of the mean of n such differences."""
    if part >= 1:
        return 0.0
    if min(n, len(differences)) < 2:
        return np.inf
    z, f = 1.959964, n - 1
    student = z + (z**3 + z) / (4 * f) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * f**2)  # Abramowitz and Stegun 26.7.5
    return student * differences.std(ddof=1) / np.sqrt(n) * np.sqrt(1 - part)


def estimates(path):
    """Observable -> (error, low, high) of the result, and the rows that were taken again."""
    with h5py.File(path) as file:
        if "statistics/step_error" not in file:
            return {}, np.empty(0, int)
        group = file["statistics/step_error"]
        names = [word.decode() for word in group["quantity"][()]]
        columns = [group[key][()] for key in ("error", "error_low", "error_high")]
        found = {name: tuple(float(column[i]) for column in columns) for i, name in enumerate(names) if group["used"][i]}
        return found, group["instance"][()].astype(int)


class Tally:
    def __init__(self, title):
        self.title, self.judged, self.near, self.above, self.inside = title, 0, 0, 0, 0
        self.missed, self.unsettled = [], []

    def add(self, study, name, truth, estimate, course):
        error, low, high = estimate
        near = error * truth > 0 and 0.5 <= error / truth <= 2
        above = max(abs(low), abs(high)) >= abs(truth) * (1 - 1e-12)  # sums in another order round otherwise
        self.judged += 1
        self.near += near
        self.above += above
        self.inside += low <= truth <= high
        if not (near and above):
            self.missed.append(f"  {study:24} {name:20} estimate {error / truth:6.2f} of the truth, range {low / truth:6.2f} to "
                               f"{high / truth:6.2f}; error at h, h/2, ...: {course}")

    def close(self):
        if not self.judged:
            print(f"{self.title}: nothing to judge")
            return True
        shares = [100 * count / self.judged for count in (self.near, self.above, self.inside)]
        print(f"{self.title}: {self.judged} observables; within a factor of two {shares[0]:.1f} %, upper end above the truth {shares[1]:.1f} %, "
              f"truth inside the range {shares[2]:.1f} %")
        print("\n".join(self.missed))
        if self.unsettled:
            print(f"  not judged, since the finest two steps differ by more than half of the error: {', '.join(self.unsettled)}")
        return shares[0] >= 90 and shares[1] >= 95


def judge(study, rows, found, seen, tally):
    """Holds the estimates, seen on so many instances, against the truth of these rows."""
    top = study.tenths if study.tolerance else LEVELS
    levels = {level: study.values(rows, level) for level in (0, 1, 2, top - 2, top - 1, top)}
    for name, estimate in found.items():
        if name in LEFT_OUT:
            continue
        known = np.all([np.isfinite(values[name]) for values in levels.values()], axis=0)
        if not known.any():
            continue
        q = {level: values[name][known] for level, values in levels.items()}
        end = q[top] if study.tolerance else limit(q[top], q[top - 1], q[top - 2])
        if name == "energy_error":
            end = np.zeros_like(end)  # exactly
        errors, truth = q[0] - end, float((q[0] - end).mean())
        scale = max(abs(end.mean()), end.std(), FLOOR)
        if abs(truth) > max(noise(errors, seen / study.instances, seen), 1e-6 * scale):
            if name != "energy_error" and abs((q[top] - q[top - 1]).mean()) > 0.5 * abs(truth):
                tally.unsettled.append(f"{study.name} {name}")
                continue
            course = " ".join(f"{(q[level] - end).mean() / scale:.1e}" for level in sorted(q))
            tally.add(study.name, name, truth, estimate, course)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--spread", type=int, default=0)
    parser.add_argument("program")
    parser.add_argument("studies", nargs="*")
    choices = parser.parse_args()
    program = os.path.abspath(choices.program)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ready = sorted(glob.glob(os.path.join(root, "studies", "*.json")))
    names = choices.studies or ([os.path.join(root, "studies", f"{name}.json") for name in SHORT] if choices.short else ready)
    seen, whole = Tally("the instances that were taken again"), Tally(f"{choices.spread} instances spread over the study")
    with tempfile.TemporaryDirectory() as folder:
        for path in names:
            name = os.path.splitext(os.path.basename(path))[0]
            with open(path, encoding="utf-8") as file:
                if '"multibody"' in file.read():  # its steps are the reference's
                    continue
            study = Study(program, path, folder, SHORTER.get(name, []) if choices.short else [])
            if study.tolerance and study.tolerance / 10**TENTHS < LEAST_TOLERANCE * 0.999:
                print(f"{name}: nothing is finer than a tolerance of {study.tolerance:g}", flush=True)
                continue
            result = study.run()
            found, rows = estimates(result)
            os.remove(result)
            before = seen.judged, whole.judged
            judge(study, rows, found, len(rows), seen)
            if choices.spread:
                count = min(choices.spread, study.instances)
                spread = np.array([int((i + 0.5) * study.instances / count) for i in range(count)])
                judge(study, spread, found, len(rows), whole)
            print(f"{name}: {study.instances} instances, {len(rows)} again; judged {seen.judged - before[0]}, {whole.judged - before[1]}",
                  flush=True)
    good = seen.close()
    if choices.spread:
        whole.close()
    sys.exit(not good)


if __name__ == "__main__":
    main()
