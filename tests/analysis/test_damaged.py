"""A damaged result ends no process: the program has one of its own read it first, Python has it read by a fork alone. OMNIROLL names the
program.

    test_damaged.py COUNT [PROGRAM]     so many damaged results, by verify and by this package; what came of them"""

import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from unittest import mock

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "analysis"))

import omniroll  # noqa: E402
from omniroll import calibration  # noqa: E402
from omniroll.reading import lazy_variables, own_process  # noqa: E402
from omniroll.running import runs  # noqa: E402

STUDY = {"model": "omni_vehicle", "parameters": {"wheel": {"drive": {"type": "constant", "torque": "0.1 N m"}}},
         "vary": [{"path": "wheel.friction", "linspace": [0.2, 0.6, 4]}], "integrator": {"tolerance": 1e-2, "duration": "0.1 s"},
         "output": {"trajectories": {"instances": [0], "interval": "10 ms"}}}
LIMIT = 120  # s


def make(program, folder):
    """The bytes of a result."""
    with open(os.path.join(folder, "study.json"), "w", encoding="utf-8") as file:
        json.dump(STUDY, file)
    subprocess.run([program, "run", "study.json", "-q", "-o", "result.h5"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "result.h5"), "rb") as file:
        return file.read()


def damage(content, draw):
    """A bit flipped in half of them, else some bytes overwritten."""
    damaged = bytearray(content)
    if draw.random() < 0.5:
        damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
    else:
        for _ in range(draw.randint(1, 30)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
    return bytes(damaged)


def open_here(path):
    """What this package makes of the file, in this very process."""
    try:
        omniroll.open(path)
        return "read"
    except omniroll.NotAResult as error:
        return "NotAResult, HDF5 crashed" if "process of its own" in str(error) else "NotAResult"


def outcomes(program, folder, content, count, seed=1):
    """Of verify by its exit code (negative: a signal), and of this package."""
    draw, found = random.Random(seed), Counter()
    for number in range(count):
        path = os.path.join(folder, f"damaged-{number}.h5")
        with open(path, "wb") as file:
            file.write(damage(content, draw))
        done = subprocess.run([program, "verify", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LIMIT)
        found[f"verify: {done.returncode}{', HDF5 crashed' if b'process of its own' in done.stderr else ''}"] += 1
        found[open_here(path)] += 1
        os.remove(path)
    return found


@unittest.skipUnless("OMNIROLL" in os.environ, "needs the program")
class Damaged(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.program = folder.name, os.environ["OMNIROLL"]
        self.content = make(self.program, self.folder)
        self.path = os.path.join(self.folder, "result.h5")

    def script(self, text):
        path = os.path.join(self.folder, "omniroll")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, stat.S_IRWXU)
        return path

    def with_program(self, text):
        before = os.environ.get("OMNIROLL_PROGRAM")
        os.environ["OMNIROLL_PROGRAM"] = self.script(text)
        self.addCleanup(os.environ.pop if before is None else os.environ.__setitem__, "OMNIROLL_PROGRAM", *([] if before is None else [before]))

    def test_no_process_ends_by_a_damaged_result(self):
        """Without the look ahead 1 of 20 verifies of HDF5 1.10 ended by a signal."""
        found = outcomes(self.program, self.folder, self.content, 40)
        for outcome in found:
            self.assertNotRegex(outcome, r"verify: -")
        self.assertGreater(sum(count for outcome, count in found.items() if "crashed" in outcome), 0, "none of them tried it")

    def test_a_program_by_another_name_has_a_process_of_its_own_too(self):
        renamed = os.path.join(self.folder, "omniroll-next")
        shutil.copy(self.program, renamed)
        before = os.environ.pop("OMNIROLL_PROGRAM", None)
        if before is not None:
            self.addCleanup(os.environ.__setitem__, "OMNIROLL_PROGRAM", before)
        draw = random.Random(1)
        for _ in range(20):  # 1 of 6 crashes HDF5 1.10
            with open(self.path, "wb") as file:
                file.write(damage(self.content, draw))
            self.assertIn(subprocess.run([renamed, "verify", self.path], capture_output=True).returncode, (0, 5))

    def test_a_crash_is_an_error_of_the_file(self):
        self.with_program("kill -SEGV $$")
        for command in (["verify"], ["analyze"], ["export"]):
            done = subprocess.run([self.program, *command, self.path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 5, command)
            self.assertIn("result.h5: HDF5 crashed while a process of its own read this file: it is damaged; write it anew", done.stderr)

    def test_what_the_look_ahead_does_not_see_is_an_error_too(self):
        """As where HDF5 crashes by luck alone: here nothing has looked."""
        self.with_program("exit 2")
        draw, crashed = random.Random(1), 0
        for _ in range(20):
            with open(self.path, "wb") as file:
                file.write(damage(self.content, draw))
            done = subprocess.run([self.program, "verify", self.path], capture_output=True, text=True)
            self.assertIn(done.returncode, (0, 5))
            crashed += "result.h5: HDF5 crashed while it read this file: it is damaged" in done.stderr
        self.assertGreater(crashed, 0)

    def test_a_program_that_knows_nothing_of_it_is_no_error(self):
        self.with_program("exit 2")
        self.assertEqual(open_here(self.path), "read")
        self.assertEqual(subprocess.run([self.program, "verify", self.path], stdout=subprocess.DEVNULL).returncode, 0)


# Opens each file that it is given, and says what came of it.
OPEN_ALL = """
import sys
sys.path[:0] = sys.argv[1:3]
import test_damaged
for path in sys.argv[3:]:
    print(test_damaged.open_here(path))
"""


def die(number=signal.SIGSEGV):
    os.kill(os.getpid(), number)


@unittest.skipUnless("OMNIROLL" in os.environ, "needs the program")
class Interpreter(unittest.TestCase):
    """Python outlives what it reads."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.content = folder.name, make(os.environ["OMNIROLL"], folder.name)
        cls.path = os.path.join(cls.folder, "result.h5")

    def test_damaged_files_that_crash_hdf5_are_errors(self):
        """Without a process of its own the first of them that crashes HDF5 ends the interpreter."""
        draw, paths = random.Random(1), []
        for number in range(12):  # 1 of 4 crashes HDF5 1.10
            paths.append(os.path.join(self.folder, f"damaged-{number}.h5"))
            with open(paths[-1], "wb") as file:
                file.write(damage(self.content, draw))
        done = subprocess.run([sys.executable, "-c", OPEN_ALL, HERE, os.path.join(HERE, "..", "..", "analysis"), *paths],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr, len(done.stdout.splitlines())), (0, "", 12))
        self.assertIn("HDF5 crashed", done.stdout)

    def test_a_crash_is_an_error_that_names_the_file_and_says_what_to_do(self):
        for number in own_process.CRASHES:
            with self.assertRaisesRegex(omniroll.NotAResult, "^r.h5: HDF5 crashed while .*: it is damaged; run the study anew or take a copy$"):
                own_process.apart("r.h5", lambda number=number: die(number))
        with self.assertRaisesRegex(omniroll.FileError, "r.h5: the process that was to read this file was ended by signal 9, .*free some"):
            own_process.apart("r.h5", lambda: die(signal.SIGKILL))
        with self.assertRaisesRegex(omniroll.FileError, "r.h5: the process that was to read this file gave no answer"):
            own_process.apart("r.h5", lambda: os._exit(3))

    def test_a_loop_is_an_error(self):
        def loop():
            while True:
                pass

        with mock.patch.object(own_process, "SECONDS", 0), self.assertRaisesRegex(omniroll.NotAResult, "HDF5 did not come to an end"):
            own_process.apart("r.h5", loop)

    def test_an_interrupt_ends_the_process_that_reads(self):
        pids = os.path.join(self.folder, "pid")

        def wait():
            with open(pids, "w", encoding="utf-8") as file:
                file.write(str(os.getpid()))
            os.kill(os.getppid(), signal.SIGINT)
            time.sleep(60)

        with self.assertRaises(KeyboardInterrupt):
            own_process.apart("r.h5", wait)
        with open(pids, encoding="utf-8") as file, self.assertRaises(ProcessLookupError):
            os.kill(int(file.read()), 0)

    def test_whatever_reads_has_a_process_of_its_own(self):
        lazily = omniroll.open(self.path, lazy=True)
        with mock.patch.object(lazy_variables, "whole", lambda data: die()), self.assertRaisesRegex(omniroll.NotAResult, "HDF5 crashed"):
            lazily.final_x.values
        with mock.patch.object(lazy_variables, "whole", lambda data: 1 + "1"), self.assertRaisesRegex(omniroll.NotAResult, "final_x cannot be read"):
            lazily.final_x.values
        with mock.patch.object(runs, "verified", lambda path: die()), self.assertRaisesRegex(omniroll.NotAResult, "HDF5 crashed"):
            omniroll.verify(self.path)
        with mock.patch.object(own_process, "_settle", die):
            for read in (omniroll.open, omniroll.open_result, omniroll.statistics, omniroll.step_error, omniroll.failures, omniroll.analyze,
                         calibration.open_calibration, lambda path: omniroll.export(path, os.path.join(self.folder, "r.csv"))):
                with self.assertRaisesRegex(omniroll.NotAResult, "HDF5 crashed"):
                    read(self.path)

    def test_what_was_read_is_as_if_it_had_been_read_here(self):
        values = {"large": np.arange(100_000.0).reshape(2, -1), "small": np.arange(3), "none": np.empty(0), "text": "é",
                  "columns": np.asfortranarray(np.arange(40_000.0).reshape(2, -1))}
        found = own_process.apart("r.h5", lambda: values)
        for name, value in values.items():
            np.testing.assert_array_equal(found[name], value)
        found["large"][1, 2] = 7  # whoever gets it may write on it
        with self.assertRaisesRegex(KeyError, "only here"):
            own_process.apart("r.h5", lambda: {}["only here"])
        with mock.patch("os.fork", side_effect=OSError):
            self.assertEqual(own_process.apart("r.h5", os.getpid), os.getpid())


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        with tempfile.TemporaryDirectory() as work:
            who = sys.argv[2] if len(sys.argv) > 2 else os.environ["OMNIROLL"]
            os.environ.setdefault("OMNIROLL_PROGRAM", os.path.abspath(who))
            for what, how_often in sorted(outcomes(os.path.abspath(who), work, make(who, work), int(sys.argv[1])).items()):
                print(f"{how_often:8} {what}")
    else:
        unittest.main()
