"""Runs without an output: the result is in memory, the same as in a file to the last bit, and no disk sees anything of it."""

import copy
import gc
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
import weakref

import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "analysis"), os.path.dirname(os.path.abspath(__file__))]

import omniroll  # noqa: E402
from omniroll import library  # noqa: E402
from omniroll.reading.in_memory import Memory  # noqa: E402
from short_form import few  # noqa: E402

STUDY = os.path.join(ROOT, "tests", "analysis", "result.json")
FAST = {"integrator.step": 1e-4, "integrator.duration": 0.02}
OF_A_FOLDER = {"chunks", "sessions"}
OF_A_MOMENT = {"created", "path", *(f"{part}_seconds" for part in ("build", "prepare", "transfer", "kernel", "wall", "statistics", "write")),
               "steps_per_second"}
STUDIES = {  # a design, a model or an option of each kind that keeps its result in a way of its own
    "draws, traces": (STUDY, FAST),
    "failures": (os.path.join(ROOT, "tests", "analysis", "failures.json"), {}),
    "one instance": (STUDY, {**FAST, "vary": [], "design": {"type": "grid"}, "output.trajectories.instances": [0]}),
    "retries": (STUDY, {"integrator.duration": 0.05, "integrator.on_failure": "retry_half_step"}),
    "single precision": (STUDY, {**FAST, "engine.precision": "single"}),
    "no step error": (STUDY, {**FAST, "integrator.step_error": "off"}),
    "traces by name": (STUDY, {**FAST, "output.trajectories.instances": [3, "nominal", "extremes of path_length"]}),
    "another frame": (STUDY, {**FAST, "frame": "ros"}),
    "no traces": (STUDY, {**FAST, "output": {}}),
    "a small model": (os.path.join(ROOT, "studies", "wheelset.json"), {"integrator.duration": 0.02}),
}

FEW = ("failures", "one instance", "retries", "traces by name", "a small model")


def files(case):
    folder = tempfile.TemporaryDirectory()
    case.addCleanup(folder.cleanup)
    return folder.name


def quiet(study, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return omniroll.run(study, backend="openmp", progress=False, **options)


class Same(unittest.TestCase):
    def assert_same(self, memory, file):
        self.assertEqual(list(memory.variables), list(file.variables))
        self.assertEqual(list(memory.coords), list(file.coords))
        for name, expected in file.variables.items():
            found = memory[name].variable
            self.assertEqual((found.dims, found.dtype, set(found.attrs)), (expected.dims, expected.dtype, set(expected.attrs)), name)
            self.assertEqual(found.values.tobytes(), expected.values.tobytes(), name)
            for key, value in expected.attrs.items():
                np.testing.assert_array_equal(found.attrs[key], value, f"{name}.{key}")
                self.assertIs(type(found.attrs[key]), type(value), f"{name}.{key}")
        self.assertEqual(set(file.attrs) - set(memory.attrs), OF_A_FOLDER)
        self.assertLessEqual(set(memory.attrs), set(file.attrs))
        for key in set(memory.attrs) - OF_A_MOMENT:
            self.assertEqual(memory.attrs[key], file.attrs[key], key)
            self.assertIs(type(memory.attrs[key]), type(file.attrs[key]), key)

    def test_as_in_a_file(self):
        folder = files(self)
        for name in few(self, STUDIES, FEW):
            study, changes = STUDIES[name]
            with self.subTest(name):
                memory = quiet(study, set=changes)
                file = quiet(study, set=changes, output=os.path.join(folder, "r.h5"), overwrite=True)
                self.assert_same(memory, file)
                self.assertTrue(omniroll.statistics(memory).identical(omniroll.statistics(file)))
                self.assertEqual(omniroll.open_result(memory).instances, file.sizes["instance"])
                failed, expected = omniroll.failures(memory), omniroll.failures(file)
                self.assertTrue(failed.equals(expected))
                self.assertEqual(failed.attrs.get("invalid_reasons"), expected.attrs.get("invalid_reasons"))
                if "nominal" in str(changes):
                    self.assertTrue(omniroll.nominal(memory).equals(omniroll.nominal(file)))
                if "integrator.step_error" not in changes:
                    self.assertTrue(omniroll.step_error(memory).identical(omniroll.step_error(file)))

    def test_levels_of_a_subset_simulation(self):
        folder, study = files(self), os.path.join(ROOT, "studies", "rare_lift_off.json")
        changes = {"design.instances": 100, "design.levels": 2, "integrator.duration": 0.05, "integrator.step_error": "off", "output": {}}
        memory = quiet(study, set=changes)
        self.assertEqual(memory.level.attrs["role"], "design")
        self.assertIn("level", omniroll.open_result(memory).marks)
        file = quiet(study, set=changes, output=os.path.join(folder, "r.h5"))
        self.assertTrue(memory.equals(file))

    def test_sensitivities(self):
        memory = quiet(STUDY, set=FAST)
        self.assertEqual(omniroll.sensitivity(memory).attrs["measure"], "correlation")


class Held(unittest.TestCase):
    def test_it_lives_as_long_as_a_dataset_of_it(self):
        result = quiet(STUDY, set=FAST)
        path = result.attrs["path"]
        self.assertIsInstance(path, Memory)
        self.assertEqual(path, "result (in memory)")
        held = weakref.ref(path._make.__self__)
        part, deep = result.isel(instance=slice(3)), copy.deepcopy(result)
        del result, path
        gc.collect()
        self.assertIsNotNone(held())
        for dataset in (part, deep):
            self.assertEqual(omniroll.statistics(dataset).sizes["quantile"], 5)
        gc.collect()
        self.assertIsNone(held())  # the bytes of a file took its place

    def test_changed_values_change_no_other(self):
        result = quiet(STUDY, set=FAST)
        expected = result.path_length.values.copy()
        result.path_length.values[:] = 0
        np.testing.assert_array_equal(omniroll.open_result(result).observables["path_length"], expected)

    def test_pickled_it_takes_its_result_along(self):
        result = quiet(STUDY, set=FAST)
        again = pickle.loads(pickle.dumps(result))
        self.assertTrue(omniroll.statistics(again).identical(omniroll.statistics(result)))

    def test_results_of_one_name_are_not_mixed_up(self):
        one, other = quiet(STUDY, set=FAST), quiet(STUDY, set={**FAST, "design.seed": 9})
        self.assertEqual(one.attrs["path"], other.attrs["path"])
        self.assertFalse(omniroll.statistics(one).equals(omniroll.statistics(other)))

    def test_too_much_for_this_machine_is_refused_with_the_numbers(self):
        with self.assertRaisesRegex(omniroll.OutOfMemory, r"200000000000 instances, with their result in memory, may need .* GB of memory, "
                                                          r"and this machine has .* GB\. Run them into a file"):
            quiet(STUDY, set={**FAST, "design.instances": 200_000_000_000, "output": {}})


CODE = """
import json, os, sys, warnings
import omniroll, xarray, h5py
warnings.simplefilter("ignore")
omniroll.version()
os.write(1, b"BEGIN")
result = omniroll.run(json.loads(sys.argv[1]), backend="openmp", progress=False)
found = omniroll.statistics(result), omniroll.step_error(result), omniroll.failures(result)
os.write(1, b"END")
"""


class Disk(unittest.TestCase):
    def test_nothing_is_made_or_synced(self):
        strace = shutil.which("strace")
        if not strace:
            self.skipTest("strace, which shows what a process asks of its disk, is not installed")
        with open(STUDY, encoding="utf-8") as file:
            study = json.load(file)
        study["integrator"].update(step=1e-4, duration=0.02)
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            done = subprocess.run([strace, "-f", "-o", log, "-e", "trace=/^(open|creat|mkdir|rename|unlink|link|symlink|f?sync|fdatasync|"
                                   "ftruncate|truncate|write|pwrite)", sys.executable, "-B", "-c", CODE, json.dumps(study)],
                                  capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "analysis"),
                                                                       "OMNIROLL_LIBRARY": library.library()._name})
            if "ptrace" in done.stderr:
                self.skipTest(f"this machine lets no process be traced: {done.stderr.strip()}")
            self.assertEqual(done.stdout, "BEGINEND", done.stderr)
            with open(log, encoding="utf-8", errors="replace") as file:
                calls = file.read().split('"BEGIN"')[1].split('"END"')[0].splitlines()
        makes = [line for line in calls if re.search(r"\b(f?sync|fdatasync|mkdir\w*|rename\w*|creat|unlink\w*|link\w*|symlink\w*)\(", line)
                 or re.search(r"\bopen\w*\(.*(O_CREAT|O_WRONLY|O_RDWR)", line)]
        self.assertEqual(makes, [])


if __name__ == "__main__":
    unittest.main()
