"""How Python is used around omniroll: xarray's engine, cells, arviz, SALib, optimisers, names on TAB, CSV files. OMNIROLL_LIBRARY names
the library. SALib and arviz are optional: their tests run where they are installed."""

import csv
import os
import sys
import tempfile
import unittest
import warnings

import numpy as np
import xarray

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

import omniroll  # noqa: E402
from omniroll import calibration, logs  # noqa: E402

STUDY = os.path.join(ROOT, "tests", "analysis", "result.json")
NESTED = {"integrator.step": 1e-4, "integrator.duration": 0.02, "design": {"type": "nested", "sample": "sobol", "per_cell": 4, "seed": 1},
          "vary": [{"path": "wheel.rollers", "values": [8, 9, 10]}, {"path": "wheel.friction", "uniform": [0.2, 0.8]}]}
SHORT = {"integrator.step": 1e-4, "integrator.duration": 0.02}
try:
    import SALib.sample.latin
except ImportError:
    SALib = None
try:
    import arviz
except ImportError:
    arviz = None


def run(study=STUDY, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return omniroll.run(study, backend="openmp", progress=False, **options)


def one():
    """The study of a single vehicle."""
    return {name: part for name, part in omniroll.load(STUDY).items() if name not in ("vary", "design", "output", "statistics")}


class Uses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        cls.path = os.path.join(cls.kept.name, "r.h5")
        cls.nested = run(output=cls.path, set=NESTED)

    def test_instances_of_a_nested_design_know_their_cell(self):
        self.assertEqual(list(self.nested.cell.values), [0] * 4 + [1] * 4 + [2] * 4)
        of_file = omniroll.statistics(self.path).cell_mean.sel(quantity="path_length")
        np.testing.assert_allclose(self.nested.path_length.groupby("cell").mean(), of_file, rtol=1e-12)
        self.assertTrue(run(set=NESTED).cell.equals(self.nested.cell))  # in memory too
        self.assertIn("cell", omniroll.open(self.path, lazy=True).coords)
        self.assertNotIn("cell", run(one(), set=SHORT).coords)

    def test_xarray_opens_a_result(self):
        self.assertTrue(xarray.open_dataset(self.path, engine="omniroll").identical(omniroll.open(self.path)))
        self.assertNotIn("status", xarray.open_dataset(self.path, engine="omniroll", drop_variables="status"))
        with self.assertRaises(omniroll.NotAResult):
            xarray.open_dataset(STUDY, engine="omniroll")

    def test_paths_are_names_of_columns(self):
        self.nested.omniroll.plot("path_length", over="wheel.friction")
        self.assertEqual(self.nested.omniroll.column("wheel.friction"), "wheel_friction")
        with self.assertRaisesRegex(omniroll.UsageError, "did you mean path_length"):
            self.nested.omniroll.plot("length_path")

    def test_tab_shows_public_names_and_reprs_are_short(self):
        names = [name for name in dir(omniroll) if not name.startswith("__")]
        self.assertNotIn("library", names)
        self.assertTrue({"run", "export", "excite", "converge", "calibrate", "salib_problem"} <= set(names))
        for name in names:
            if name not in omniroll.MODULES:
                self.assertTrue(hasattr(omniroll, name), name)
        self.assertLess(len(repr(self.nested.omniroll.result)), 1500)
        self.assertIn("12 instances", repr(self.nested.omniroll.result))

    def test_values_that_make_no_vehicle_are_nan_with_a_reason(self):
        for values, reason in (({"parameters.wheel.rollers": 2}, "at least 3"), ({"parameters.wheel.tip_radius": 0.04}, "rollers|roller centres")):
            with self.assertRaises(omniroll.StudyError):
                run(one(), set={**SHORT, **values})
            found = run(one(), set={**SHORT, **values}, infeasible="nan")
            self.assertTrue(np.isnan(found.path_length.values).all())
            self.assertEqual(list(found.status.values), [5])
            self.assertRegex(found.attrs["invalid_reason"], reason)
        with self.assertRaisesRegex(omniroll.StudyError, "did you mean \"rollers\""):
            run(one(), set={**SHORT, "parameters.wheel.rolers": 9}, infeasible="nan")
        with self.assertRaisesRegex(omniroll.UsageError, "'raise', 'nan'"):
            run(one(), set=SHORT, infeasible="ignore")
        self.assertTrue(np.isfinite(run(one(), set=SHORT, infeasible="nan").path_length.values).all())

    def test_a_result_is_exported(self):
        for source in (self.path, run(set=NESTED)):
            target = omniroll.export(source, os.path.join(self.kept.name, "r.csv"), columns=["wheel_friction", "path_length"])
            with open(target, encoding="utf-8") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows[0], ["instance", "wheel_friction", "path_length [m]"])
            np.testing.assert_array_equal(np.array(rows[1:], dtype=float)[:, 2], self.nested.path_length.values)
        with self.assertRaisesRegex(omniroll.UsageError, "nope"):
            omniroll.export(self.path, target, columns=["nope"])
        with open(target, encoding="utf-8") as file:  # which stays as it was
            self.assertEqual(list(csv.reader(file)), rows)
        with self.assertRaisesRegex(omniroll.FileError, "cannot be written"):
            omniroll.export(self.path, os.path.join(self.kept.name, "none", "r.csv"))

    def test_converge_and_excite_say_what_the_program_says(self):
        found = omniroll.converge(STUDY, budget=0.5, set={"integrator.duration": 0.02}, progress=False)
        self.assertIn("rows", found)
        target = os.path.join(self.kept.name, "command.csv")
        tried = omniroll.excite(os.path.join(ROOT, "studies", "excite.json"), output=target, set={"excite.tries": 4, "excite.duration": "2 s"}, progress=False)
        self.assertEqual(tried["tries"], 4)
        with open(target, encoding="utf-8") as file:
            self.assertTrue(file.readline().startswith("time [s],vx"))

    def test_a_study_is_a_problem_of_salib(self):
        vary = [{"path": "wheel.friction", "log_uniform": [0.1, 0.9]}, {"path": "platform.mass", "truncated_normal": ["20 kg", "4 kg", "15 kg", "30 kg"]},
                {"path": "wheel.tip_radius", "triangular": ["5 mm", "6 mm", "9 mm"]}, {"path": "platform.yaw_inertia", "log_normal": [0.8, 0.2]},
                {"path": "wheel.radius", "normal": ["10 cm", "1 mm"]}]
        change = {"vary": vary, "design": {"type": "latin_hypercube", "instances": 2000, "seed": 1}}
        problem = omniroll.salib_problem(one(), set=change)
        self.assertEqual(problem["names"], [entry["path"] for entry in vary])
        with self.assertRaisesRegex(omniroll.UsageError, "wheel.rollers \\(levels\\)"):
            omniroll.salib_problem(one(), set={**change, "vary": [{"path": "wheel.rollers", "values": [8, 9]}], "design": {"type": "grid"}})
        if SALib is None:
            self.skipTest("SALib is not installed")
        theirs = SALib.sample.latin.sample(problem, 2000, seed=1)
        ours = omniroll.sample(one(), set=change)
        for at, name in enumerate(problem["names"]):  # the same distribution: quantiles of 2000 draws, each in its own part of 2000
            column = ours[name.replace(".", "_")].values
            quantiles = np.quantile(column, [0.1, 0.5, 0.9])
            np.testing.assert_allclose(np.quantile(theirs[:, at], [0.1, 0.5, 0.9]), quantiles, atol=2e-3 * np.ptp(column), rtol=0, err_msg=name)

    def test_a_posterior_is_inference_data(self):
        found = calibration.Calibration("p.h5", {}, "good", [], {"wheel.friction": np.array([0.3, 0.4, 0.5])}, {"wheel.friction": "1"}, [], {})
        self.assertIn("3 points of wheel.friction", repr(found))
        if arviz is None:
            with self.assertRaisesRegex(omniroll.UsageError, "pip install arviz"):
                found.inference_data()
            return
        data = found.inference_data()
        self.assertEqual(data.posterior["wheel.friction"].shape, (1, 3))
        self.assertEqual(data.posterior["wheel.friction"].attrs["units"], "1")

    def test_a_log_is_a_csv_file(self):
        target = os.path.join(self.kept.name, "log.csv")
        with open(target, "w", encoding="utf-8") as file:
            file.write("# a comment\ntime [ms],x [mm],yaw [deg],note\n0,1,359,a\n100,2,1,b\n200,3.5,2,c\n")
        found = logs.read(target)
        np.testing.assert_allclose(found.time, [0, 0.1, 0.2])
        np.testing.assert_allclose(found["yaw"], [359, 361, 362])  # unwrapped
        self.assertEqual(found.units["x"], "mm")
        self.assertEqual(list(logs.contents(target)), ["time", "x", "yaw", "note"])
        again = logs.read(found.write_csv(os.path.join(self.kept.name, "again.csv")))
        np.testing.assert_array_equal(again["x"], found["x"])
        part = logs.read(target, columns={"forward": "x"}, units={"forward": "m"}, start=0.05)
        self.assertEqual((list(part.columns), part.units["forward"], len(part.time)), (["time", "forward"], "m", 2))
        for columns, words in ((["note"], "not of numbers: it has 'a'"), (["z"], "no column 'z'; there are: note, time, x, yaw")):
            with self.assertRaisesRegex(omniroll.UsageError, words):
                logs.read(target, columns=columns)
        with self.assertRaisesRegex(omniroll.FileError, "no such file"):
            logs.read("nowhere.csv")
        with open(target, "w", encoding="utf-8") as file:
            file.write("stamp,x\n2026-11-29T12:00:00Z,1\n2026-11-29T12:00:00.5Z,2\n")
        np.testing.assert_allclose(logs.read(target, time="stamp").time, [0, 0.5])


if __name__ == "__main__":
    unittest.main()
