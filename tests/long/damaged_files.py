#!/usr/bin/env python3
"""A damaged result ends no process: mutated files, many of which HDF5's own checksums let pass.

    tests/long/damaged_files.py PROGRAM [--minutes M] [--seed S] [--keep FOLDER]

Makes small results and damages a copy of one at a time: bytes anywhere; or bytes of HDF5's headers, trees and heaps, whose checksums are
made right again, of the result itself and of one without the hashes that omniroll adds. `verify` reads each, and export and analyze in turn;
an interpreter of Python that goes on from file to file reads each by omniroll.open and by another reader in turn. Prints what came out, and
exits with 1 where a signal ended the program or the interpreter, or the program
did not end in a minute; --keep has those files."""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import signal
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

import h5py

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "analysis"), HERE]

from flip_bits import FAILED, SMALL  # noqa: E402
from test_damaged import STUDY, damage  # noqa: E402

LIMIT = 60  # s
SIGNATURES = (b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"FHIB", b"BTHD", b"BTLF", b"BTIN", b"FAHD", b"FADB", b"EAHD", b"EAIB", b"EASB", b"EADB")
COLLECTION = b"GCOL"  # texts of any length; HDF5 gives it no checksum
LONGEST = 6000  # bytes of a structure that is looked for
WORDS = (["export"], ["export", "--trajectories"], ["analyze", "--json"])
READERS = r"""
import sys, warnings
sys.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")
import omniroll
def lazily(path):
    return omniroll.open(path, lazy=True).load()
others = (omniroll.open_result, omniroll.statistics, omniroll.step_error, omniroll.failures, lazily, omniroll.verify, omniroll.analyze)
for number, line in enumerate(sys.stdin):
    said = []
    for read in (omniroll.open, others[number % len(others)]):
        try:
            read(line.strip())
            said.append("read")
        except omniroll.Error as error:
            crashed = "HDF5 crashed" in str(error) or "did not come to an end" in str(error)
            said.append("error, HDF5 crashed in a process of its own" if crashed else "error")
        except Exception as error:
            said.append(f"{type(error).__name__} of Python")
    print("|".join(said), flush=True)
"""


class Interpreter:
    """Reads file after file in one process, which is started anew after a crash."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", READERS, os.path.join(HERE, "..", "..", "analysis")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def read(self, path: str) -> list[str]:
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line:
            return line.strip().split("|")
        code = self.process.wait()
        self.start()
        return [f"signal {-code}"]


def checksum(data: bytes) -> bytes:
    """Of HDF5's headers: lookup3, which its library has."""
    return checksum.function(data, len(data), 0).to_bytes(4, "little")  # type: ignore[attr-defined]


def find_checksum() -> None:
    """In the library of HDF5 that h5py has loaded."""
    with open("/proc/self/maps", encoding="utf-8") as file:
        paths = {line.split()[-1] for line in file if "libhdf5" in line and "_hl" not in line}
    function = ctypes.CDLL(sorted(paths)[0]).H5_checksum_lookup3
    function.restype, function.argtypes = ctypes.c_uint32, [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32]
    checksum.function = function  # type: ignore[attr-defined]


def structures(content: bytes) -> list[tuple[int, int, bool]]:
    """First and last byte of what HDF5 keeps beside values, and whether its checksum follows."""
    found = [(0, 44, True)] if checksum(content[:44]) == content[44:48] else []
    for signature in (*SIGNATURES, COLLECTION):
        at = content.find(signature)
        while at >= 0:
            if signature == COLLECTION:
                found.append((at, at + int.from_bytes(content[at + 8:at + 16], "little"), False))
            else:
                end = next((end for end in range(at + 8, min(at + LONGEST, len(content) - 4))
                            if checksum(content[at:end]) == content[end:end + 4]), None)
                found += [(at, end, True)] if end else []
            at = content.find(signature, at + 4)
    return found


def mended(content: bytes, places: list[tuple[int, int, bool]], draw: random.Random) -> bytes:
    """Some bytes of one or two structures changed, and their checksums made right again."""
    damaged = bytearray(content)
    for _ in range(draw.randint(1, 2)):
        begin, end, summed = draw.choice(places)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(begin + 4, end)
            damaged[at] = draw.choice((damaged[at] ^ 1 << draw.randrange(8), draw.randrange(256), 0, 255))
        if summed:
            damaged[end:end + 4] = checksum(bytes(damaged[begin:end]))
    return bytes(damaged)


def without_hashes(path: str) -> bytes:
    bare = f"{path}.bare"
    shutil.copy(path, bare)
    with h5py.File(bare, "r+") as file:
        items = [file]
        file.visititems(lambda name, item: items.append(item))
        for item in items:
            if "checksum" in item.attrs:
                del item.attrs["checksum"]
    with open(bare, "rb") as made:
        return made.read()


def originals(program: str, folder: str) -> list[tuple[str, bytes, list[tuple[int, int, bool]]]]:
    """What is damaged: a name, the bytes, and the structures."""
    found = []
    for name, study in (("traced", STUDY), ("statistics", SMALL), ("failed", FAILED)):
        source, path = os.path.join(folder, f"{name}.json"), os.path.join(folder, f"{name}.h5")
        with open(source, "w", encoding="utf-8") as file:
            json.dump(study, file)
        subprocess.run([program, "run", source, "-o", path, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        with open(path, "rb") as made:
            contents = {"": made.read(), " without hashes": without_hashes(path)}
        found += [(name + which, content, structures(content)) for which, content in contents.items()]
    return found


def by_program(program: str, path: str, number: int) -> list[tuple[str, str]]:
    found = []
    for words in (["verify"], WORDS[number % len(WORDS)]):
        try:
            done = subprocess.run([program, *words, path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            found.append((f"program {words[0]}", "no end"))
            continue
        own = ", HDF5 crashed in a process of its own" if b"process of its own" in done.stderr else ""
        late = ", HDF5 crashed later" if b"crashed while it read" in done.stderr else ""
        said = f"signal {-done.returncode}" if done.returncode < 0 else "read" if done.returncode == 0 else f"error{own}{late}"
        found.append((f"program {words[0]}", said))
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for those files")
    arguments = parser.parse_args()
    program, draw, counts, kinds = os.path.abspath(arguments.program), random.Random(arguments.seed), Counter(), Counter()
    os.environ["OMNIROLL_PROGRAM"] = program
    find_checksum()
    end, number, bad = time.monotonic() + 60 * arguments.minutes, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        bases, python = originals(program, folder), Interpreter()
        while time.monotonic() < end:
            name, content, places = draw.choice(bases)
            mend = draw.random() < 0.7
            path = os.path.join(folder, f"damaged-{number}.h5")
            with open(path, "wb") as file:
                file.write(mended(content, places, draw) if mend else damage(content, draw))
            kinds["HDF5's checksums right" if mend else "bytes anywhere", "without hashes" if "without" in name else "with hashes"] += 1
            said = by_program(program, path, number) + [("Python", outcome) for outcome in python.read(path)]
            counts.update(said)
            if any(outcome.startswith("signal") or outcome == "no end" for _, outcome in said):
                bad += 1
                print(f"file {number} of {name}: {said}", flush=True)
                if arguments.keep:
                    os.makedirs(arguments.keep, exist_ok=True)
                    shutil.copy(path, arguments.keep)
            os.remove(path)
            number += 1
    for (kind, hashes), many in sorted(kinds.items()):
        print(f"{many:8} files: {kind}, {hashes}")
    for (who, outcome), many in sorted(counts.items()):
        print(f"{many:8} {who}: {outcome}")
    print(f"{number} files, {bad} of them ended a process by a signal, or did not let it end")
    return 1 if bad else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
