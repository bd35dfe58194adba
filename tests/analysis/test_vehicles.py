"""Single vehicles of a study from Python, and traced instances by name: in Datasets, results and reports. OMNIROLL_LIBRARY names the
library."""

import os
import re
import sys
import tempfile
import unittest
import warnings

import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

import omniroll  # noqa: E402

STUDY = os.path.join(ROOT, "tests", "analysis", "result.json")
FAST = {"integrator.step": 1e-4, "integrator.duration": 0.02}
NAMES = {"output.trajectories": {"instances": ["nominal", "extremes of path_length", 5], "interval": "1 ms"}}


def run(changes=(), **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", omniroll.StudyWarning)
        return omniroll.run(STUDY, progress=False, set={**FAST, **dict(changes)}, **arguments)


class SingleVehicles(unittest.TestCase):
    def test_instances_have_the_values_of_the_whole_run(self):
        whole = run()
        some = run(instance=[0, 5], trace="1 ms")
        self.assertEqual(some.path_length.values.tobytes(), whole.path_length.values[[0, 5]].tobytes())
        self.assertEqual(dict(some.sizes)["traced"], 2)
        self.assertAlmostEqual(float(some.time[1]), 1e-3)
        for same in ("0,5", np.array([5, 0]), (5, 0)):
            self.assertEqual(run(instance=same).path_length.values.tobytes(), some.path_length.values.tobytes())

    def test_the_nominal_vehicle_alone_is_that_of_the_whole_run(self):
        alone, whole = run(nominal=True, trace=1e-3), run(NAMES)
        beside = omniroll.nominal(whole)
        self.assertEqual(alone.sizes["instance"], 1)
        self.assertEqual(alone.x.values.tobytes(), beside.x.values.tobytes())
        self.assertEqual(alone.path_length.values.tobytes(), beside.path_length.values.tobytes())

    def test_what_does_not_fit_is_refused(self):
        for arguments in ({"nominal": True, "instance": 0}, {"trace": True}, {"instance": 10 ** 6}, {"instance": 0, "trace": "1 kg"}):
            with self.subTest(arguments), self.assertRaises(omniroll.UsageError):
                run(**arguments)
        with self.assertRaises(TypeError):
            run(instance=1.5)
        with self.assertRaises(omniroll.NotAResult):
            omniroll.nominal(run())


class Names(unittest.TestCase):
    def test_extremes_stand_among_the_trajectories_under_their_names(self):
        found = run(NAMES)
        result = omniroll.open_result(found)
        lengths = np.where(result.ok, result.observables["path_length"], np.nan)
        least, most = int(np.nanargmin(lengths)), int(np.nanargmax(lengths))
        self.assertEqual(sorted({5, least, most}), found.traced.values.tolist())
        self.assertEqual(result.traced_names, {least: ["smallest path_length"], most: ["largest path_length"]})
        self.assertEqual(result.nominal.instances, 1)

    def test_the_report_names_them(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            result = run(NAMES)
            omniroll.report(result, page)
            with open(page, encoding="utf-8") as file:
                text = file.read()
        number = next(line for line in result.attrs["traced_names"].splitlines() if "largest" in line).split()[0]
        self.assertRegex(text, rf"<summary>Instance {number}: largest path_length")
        self.assertTrue(re.search("<summary>The nominal vehicle</summary>", text))

    def test_traces_that_set_puts_out_of_range_are_dropped_with_a_warning(self):
        with self.assertWarnsRegex(omniroll.StudyWarning, "not traced: instance"):
            omniroll.run(STUDY, progress=False, set={**FAST, "design.instances": 1})


if __name__ == "__main__":
    unittest.main()
