"""Tables in HDF5 that others made are read by a process of their own: a damaged one is an error of the program and of a caller of the
library, whatever HDF5 does with it. OMNIROLL names the program, OMNIROLL_LIBRARY the library.

    test_tables.py COUNT [PROGRAM]     so many damaged tables; what came of them"""

import json
import os
import random
import stat
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "analysis"))

STUDY = {"model": "snakeboard", "parameters": {"gait": {"wheelsets": "opposite"}}, "integrator": {"tolerance": 1e-4, "duration": "0.1 s"},
         "output": {"observables": ["distance"]}}
DRAWN = {**STUDY, "vary": [{"path": "coupler.mass", "normal": [2, 0.1]}, {"path": "rotor.yaw_inertia", "normal": [0.07, 0.007]}],
         "design": {"type": "monte_carlo", "instances": 50, "seed": 1}}
TABLE = {**STUDY, "design": {"type": "table", "file": "table.h5"}}
LIMIT = 120  # s


def make(program, folder):
    """A table, the study that names it, and its bytes."""
    for name, study in (("drawn.json", DRAWN), ("study.json", TABLE)):
        with open(os.path.join(folder, name), "w") as file:
            json.dump(study, file)
    subprocess.run([program, "sample", "drawn.json", "-o", "table.h5"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "table.h5"), "rb") as file:
        return file.read()


def damage(content, draw):
    """Some bytes changed; the superblock stays, so that HDF5 gets further."""
    damaged = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 8, 64))):
        damaged[draw.randrange(48, len(damaged))] = draw.randrange(256)
    return bytes(damaged)


def put(folder, content):
    with open(os.path.join(folder, "table.h5"), "wb") as file:
        file.write(content)


def outcomes(program, folder, content, count, seed=1):
    draw, found = random.Random(seed), Counter()
    for _ in range(count):
        put(folder, damage(content, draw))
        done = subprocess.run([program, "validate", "study.json"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LIMIT)
        crashed = b"HDF5 crashed" in done.stderr or b"come to an end" in done.stderr
        found["the child crashed: an error" if crashed else f"exit code {done.returncode}"] += 1
    return found


@unittest.skipUnless("OMNIROLL" in os.environ, "needs the program")
class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = os.environ["OMNIROLL"]
        self.content = make(self.program, self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def validate(self, **variables):
        return subprocess.run([self.program, "validate", "study.json"], cwd=self.folder.name, env={**os.environ, **variables},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def script(self, text):
        path = os.path.join(self.folder.name, "other")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, stat.S_IRWXU)
        return path

    def test_a_table_is_read(self):
        done = self.validate()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("instances  50", done.stdout)

    def test_a_damaged_table_never_ends_the_program_by_a_signal(self):
        found = outcomes(self.program, self.folder.name, self.content, 25)
        self.assertFalse([what for what in found if what not in ("exit code 0", "exit code 3", "the child crashed: an error")], found)

    def test_a_crash_is_an_error_with_the_table(self):
        done = self.validate(OMNIROLL_PROGRAM=self.script("kill -SEGV $$"))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, "table.h5: HDF5 crashed .*write it anew, or give the table as CSV")

    def test_an_answer_that_is_none_is_refused(self):
        for text in ("exit 0", "echo omniroll table 1; head -c 100 /dev/zero", "cat /dev/zero", "printf 'omniroll table 1\\n'; cat /dev/urandom"):
            done = self.validate(OMNIROLL_PROGRAM=self.script(text))
            self.assertEqual(done.returncode, 3, text)
            self.assertIn("table.h5", done.stderr, text)
        done = self.validate(OMNIROLL_PROGRAM="/nowhere/omniroll")
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot be started", done.stderr)

    @unittest.skipUnless("OMNIROLL_LIBRARY" in os.environ, "needs the library")
    def test_a_caller_of_the_library_survives_it(self):
        import omniroll
        study = os.path.join(self.folder.name, "study.json")
        os.environ["OMNIROLL_PROGRAM"] = self.program
        try:
            self.assertEqual(omniroll.validate(study)["instances"], 50)
            os.environ["OMNIROLL_PROGRAM"] = self.script("kill -SEGV $$")
            with self.assertRaisesRegex(omniroll.StudyError, "HDF5 crashed"):
                omniroll.validate(study)
        finally:
            del os.environ["OMNIROLL_PROGRAM"]


def main():
    program = sys.argv[2] if len(sys.argv) > 2 else os.environ["OMNIROLL"]
    with tempfile.TemporaryDirectory() as folder:
        content = make(program, folder)
        for what, number in sorted(outcomes(program, folder, content, int(sys.argv[1])).items()):
            print(f"{number:6} {what}")


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        main()
    else:
        unittest.main()
