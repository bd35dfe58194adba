#!/usr/bin/env python3
"""Compares the results of two programs, column by column and bit by bit: which columns differ, in how many instances and by how
much. For changes of the numbers that mean some columns alone.

    python3 tests/long/columns.py OLD NEW [STUDY ...] [--set PATH=VALUE ...]

OLD and NEW are programs; without studies those of the golden hashes run, in both precisions and under the laws that these have.
Columns that one side alone has are named. Trajectories, statuses and times count as columns."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy

ROOT = Path(__file__).resolve().parents[2]


def golden() -> list[tuple[str, list[str]]]:
    """Studies of tests/parity/test_golden.c with their overrides."""
    text = (ROOT / "tests/parity/test_golden.c").read_text()
    cases = []
    for study, precision, law in re.findall(r'\{"(\w+)", "(\w+)", "[0-9a-f]{32}", (NULL|"\w+")\}', text):
        sets = [f"engine.precision={precision}"]
        if law != "NULL":
            sets.append(f"parameters.contact.law={law.strip(chr(34))}")
        cases.append((f"tests/parity/{study}.json", sets))
    return cases


def run(program: str, study: str, sets: list[str], path: Path) -> dict[str, numpy.ndarray]:
    command = [program, "run", study, "-o", str(path), "-q", "--set", "engine.backend=openmp"]
    for item in sets:
        command += ["--set", item]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 10):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    columns: dict[str, numpy.ndarray] = {}
    with h5py.File(path) as file:
        for group in ("instances", "trajectories", "failures"):
            if group in file:
                file[group].visititems(lambda name, item, group=group: columns.update(
                    {f"{group}/{name}": item[...]}) if isinstance(item, h5py.Dataset) else None)
    return columns


def same_bits(a: numpy.ndarray, b: numpy.ndarray) -> numpy.ndarray:
    if a.dtype.kind != "f":
        return a == b
    return (a == b) | (numpy.isnan(a) & numpy.isnan(b))


def compare(label: str, old: dict[str, numpy.ndarray], new: dict[str, numpy.ndarray]) -> int:
    equal, lines = 0, []
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            lines.append(f"  {name}: in {'NEW' if name in new else 'OLD'} alone")
            continue
        a, b = old[name], new[name]
        if a.shape != b.shape:
            lines.append(f"  {name}: {a.shape} and {b.shape}")
            continue
        same = same_bits(a, b)
        if same.all():
            equal += 1
            continue
        change = numpy.abs(b[~same] - a[~same]) if a.dtype.kind == "f" else numpy.array([numpy.nan])
        scale = numpy.nanmax(numpy.abs(a)) if a.dtype.kind == "f" else 1
        lines.append(f"  {name}: {(~same).sum()} of {same.size} differ, by up to {numpy.nanmax(change):.3g} of {scale:.3g}")
    print(f"{label}: {equal} columns equal" + ("" if not lines else ", but"))
    print("\n".join(lines), end="\n" if lines else "")
    return len(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("studies", nargs="*")
    parser.add_argument("--set", action="append", default=[], dest="sets")
    arguments = parser.parse_args()
    cases = [(study, []) for study in arguments.studies] or golden()
    with tempfile.TemporaryDirectory() as folder:
        for number, (study, sets) in enumerate(cases):
            sides = [run(program, study, sets + arguments.sets, Path(folder) / f"{number}-{side}.h5")
                     for side, program in enumerate((arguments.old, arguments.new))]
            words = [item.split("=")[1] for item in sets]
            compare(" ".join([Path(study).stem, *words]), *sides)


if __name__ == "__main__":
    main()
