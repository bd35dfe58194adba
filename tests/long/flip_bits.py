"""One flipped bit in a result: whatever reads it gives what it gives of the whole file, or an error.

    flip_bits.py PROGRAM ANALYSIS [--count N] [--seed S] [--maker PROGRAM]

Makes small results that have every kind of dataset, flips one bit in each of N copies, in every dataset and in what lies between
them, and runs export, export --trajectories, analyze and verify on it, and Python's open, statistics, step_error and failures.
Prints a table of what came out; exits with 1 where an output is wrong without an error, the program crashes, or verify overlooks a
flip that something else tells of."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter

import h5py

LIMIT = 60  # s
MODEL = {"model": "snakeboard", "parameters": {"gait": {"wheelsets": "opposite"}}}
SMALL = {**MODEL, "title": "flipped", "vary": [{"path": "coupler.mass", "normal": [2, 0.1]}, {"path": "rotor.yaw_inertia", "normal": [0.07, 0.007]}],
         "design": {"type": "monte_carlo", "instances": 40, "seed": 1}, "integrator": {"tolerance": 1e-4, "duration": "1 s"},
         "statistics": {"fail": "distance < 0.1 m", "quantiles": [0.5]},
         "output": {"observables": ["distance", "path_length"], "trajectories": {"instances": [0, 1], "interval": "0.1 s"}}}
# Datasets of more than 64 KiB, which are compressed.
LARGE = {**SMALL, "design": {"type": "monte_carlo", "instances": 9000, "seed": 2},
         "integrator": {"method": "rk4", "step": "0.02 s", "duration": "0.04 s", "step_error": "off"},
         "output": {"observables": ["distance", "path_length"]}}
# Every second instance fails: they have a step that is too long for them.
FAILED = {"model": "omni_vehicle", "parameters": {"overlap": "allow"}, "vary": [{"path": "wheel.radius", "values": [0.1, 1e-3, 0.11, 2e-3]}],
          "integrator": {"step": "1 ms", "duration": "20 ms", "step_error": "off"}, "output": {"observables": ["final_x"]}}

PYTHON = r"""
import hashlib, sys, warnings
sys.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")
import numpy, omniroll
from omniroll import reading
def show(value, out):
    if hasattr(value, "to_dict"):
        out.update(repr(value.to_dict()).encode())
    elif isinstance(value, dict):
        for name in sorted(value):
            out.update(name.encode()); show(value[name], out)
    else:
        out.update(numpy.asarray(value).tobytes() if numpy.asarray(value).dtype != object else repr(value).encode())
numpy.set_printoptions(threshold=sys.maxsize)
for path in sys.stdin.read().split("\n"):
    if not path:
        continue
    for read in (omniroll.open, omniroll.statistics, omniroll.step_error, omniroll.failures):
        try:
            out = hashlib.sha256()
            found = read(path)
            found.attrs.pop("path", None)
            show(found, out)
            print(path, read.__name__, out.hexdigest(), flush=True)
        except Exception as error:
            print(path, read.__name__, "error", type(error).__name__, flush=True)
"""


def run_program(program, words):
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
    return done.returncode, done.stdout


def make(program, folder):
    """Results and what they are read as."""
    paths = []
    for name, study in (("small", SMALL), ("large", LARGE), ("failed", FAILED)):
        source, path = os.path.join(folder, f"{name}.json"), os.path.join(folder, f"{name}.h5")
        with open(source, "w") as file:
            json.dump(study, file)
        done = subprocess.run([program, "run", source, "-o", path, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if not os.path.exists(path):
            sys.exit(f"{name}: {done.stderr}")
        paths.append(path)
    return paths


def ranges(path):
    """Where the values of each dataset are: (name, first byte, bytes)."""
    found = []

    def take(name, item):
        if not isinstance(item, h5py.Dataset):
            return
        if item.chunks:
            for i in range(item.id.get_num_chunks()):
                chunk = item.id.get_chunk_info(i)
                found.append((name, chunk.byte_offset, chunk.size))
        elif item.id.get_offset() is not None:
            found.append((name, item.id.get_offset(), item.id.get_storage_size()))

    with h5py.File(path, "r") as file:
        file.visititems(take)
    return [one for one in found if one[2]]


def places(path, count, draw):
    """Bytes to change: in datasets in turn, in every third place what lies between them."""
    data = ranges(path)
    size = os.path.getsize(path)
    inside = [False] * size
    for _, first, bytes_ in data:
        inside[first:first + bytes_] = [True] * bytes_
    between = [at for at in range(size) if not inside[at]]
    draw.shuffle(data)
    for i in range(count):
        if i % 3 == 2:
            yield "metadata", draw.choice(between)
        else:
            name, first, bytes_ = data[i % len(data)]
            yield name, first + draw.randrange(bytes_)


def flip(path, copy, at, bit):
    with open(path, "rb") as file:
        content = bytearray(file.read())
    content[at] ^= 1 << bit
    with open(copy, "wb") as file:
        file.write(content)


READERS = 4  # of Python
COMMANDS = {"export": ["export"], "trajectories": ["export", "--trajectories"], "analyze": ["analyze", "--json"]}


def by_program(program, path):
    found = {}
    for name, words in COMMANDS.items():
        code, out = run_program(program, [*words, path])
        # what names the file is the same of every copy
        found[name] = ("ok", hashlib.sha256(out.replace(path.encode(), b"")).hexdigest()) if code == 0 else ("error" if code > 0 else "crash", code)
    return found


def by_python(analysis, paths):
    found = {path: {} for path in paths}
    left = list(paths)
    while left:
        done = subprocess.run([sys.executable, "-c", PYTHON, analysis], input="\n".join(left), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        for line in done.stdout.splitlines():
            path, name, *rest = line.split()
            found[path][f"python {name}"] = ("error", rest[-1]) if rest[0] == "error" else ("ok", rest[0])
        # where it crashed, the next process goes on with the file after that
        reached = next((i for i, path in enumerate(left) if len(found[path]) < READERS), len(left))
        left = left[reached + 1:]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("analysis")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--maker", help="program that writes the results, where it is another one")
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    counts, wrong, overlooked, told = Counter(), [], [], 0
    verifies = run_program(arguments.program, ["verify", "--help"])[0] == 0
    with tempfile.TemporaryDirectory() as folder:
        originals = make(arguments.maker or arguments.program, folder)
        flips = []
        for path in originals:
            for name, at in places(path, arguments.count // len(originals) + 1, draw):
                flips.append((path, name, at, draw.randrange(8), f"{path[:-3]}-{len(flips)}.h5"))
        for path, _, at, bit, copy in flips:
            flip(path, copy, at, bit)
        read = by_python(arguments.analysis, [*originals, *(one[-1] for one in flips)])
        clean = {path: {**by_program(arguments.program, path), **read[path]} for path in originals}
        for path, name, at, bit, copy in flips:
            got = {**by_program(arguments.program, copy), **read[copy]}
            verdicts = []
            for reader, expected in clean[path].items():
                if expected[0] != "ok":
                    continue
                found = got.get(reader, ("crash", "no answer"))
                verdict = found[0] if found[0] != "ok" else "same" if found == expected else "WRONG"
                counts[reader, verdict] += 1
                verdicts.append(verdict)
                if verdict in ("WRONG", "crash"):
                    wrong.append(f"{os.path.basename(path)} bit {bit} of byte {at} ({name}): {reader} {verdict}")
            if verifies:
                code = run_program(arguments.program, ["verify", copy])[0]
                counts["verify", "problem" if code else "nothing"] += 1
                told += code != 0
                if code == 0 and set(verdicts) != {"same"}:
                    overlooked.append(f"{os.path.basename(path)} bit {bit} of byte {at} ({name}): {verdicts}")
    for (reader, verdict), number in sorted(counts.items()):
        print(f"{reader:22} {verdict:8} {number}")
    silent = sum(number for (_, verdict), number in counts.items() if verdict == "WRONG")
    print(f"{len(flips)} files with one flipped bit, {told} of them told of by verify: {silent} outputs silently wrong, "
          f"{len(wrong) - silent} crashes, {len(overlooked)} overlooked by verify")
    wrong.sort(key=lambda line: not line.endswith("WRONG"))
    for line in [*wrong[:40], *overlooked[:20]]:
        print(f"  {line}")
    return 1 if silent or overlooked or any("crash" in line for line in wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
