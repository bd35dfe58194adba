"""The file of omniroll calibrate, read by the package and by others, and its page. The true values of the study's logs are those of
studies/calibrate.py. OMNIROLL names the program."""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [os.path.join(ROOT, "analysis"), ROOT, HERE]

import omniroll  # noqa: E402
from omniroll import calibration  # noqa: E402
from omniroll.errors import NotAResult  # noqa: E402
from omniroll.report import calibrated, report  # noqa: E402
from browser import Browser, needs_browser  # noqa: E402
from page_checks import measure_open  # noqa: E402
from short_form import nightly  # noqa: E402

OMNIROLL = os.environ["OMNIROLL"]
TRUE = {"wheels[0].radius": 50.6e-3, "wheels[1].radius": 49.7e-3, "layout.radius": 152e-3}


class Calibrated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.work.cleanup)
        cls.path = os.path.join(cls.work.name, "points.h5")
        study = os.path.join(ROOT, "studies", "calibrate.json")
        done = subprocess.run([OMNIROLL, "calibrate", study, "-q", "--json", "--output", cls.path, "--set", "calibrate.members=40",
                               "--set", "calibrate.polish=10"],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        cls.said = json.loads(done.stdout)

    def test_points_runs_and_verdict_are_those_that_the_program_prints(self):
        found = calibration.open_calibration(self.path)
        self.assertEqual(found.verdict, self.said["verdict"])
        self.assertEqual(found.summary, self.said)
        self.assertEqual(sorted(words for _, words in found.findings), sorted(one["text"] for one in self.said["findings"]))
        for about in self.said["parameters"]:
            self.assertAlmostEqual(float(np.mean(found.posterior[about["path"]])), about["mean"], delta=1e-12)
        self.assertEqual([run.use for run in found.runs], ["fit", "predict"])
        self.assertEqual(found.runs[0].units, {"x": "m", "y": "m", "yaw": "rad"})
        for run in found.runs:
            for series in run.samples.values():
                self.assertTrue(np.all(series["low"] < series["median"]) and np.all(series["median"] < series["high"]))

    def test_a_fit_in_python_has_the_bits_of_the_program(self):
        told = []
        path = os.path.join(self.work.name, "in_python.h5")
        found = calibration.fit(omniroll.load(os.path.join(ROOT, "studies", "calibrate.json")), path, progress=lambda done, total: told.append((done, total)),
                                set={"calibrate.members": 40, "data.runs": [{"file": os.path.join(ROOT, "studies", f"calibrate_{number}.csv"), **use}
                                                                            for number, use in ((1, {}), (2, {"use": "predict"}))]})
        by_program = calibration.open_calibration(self.path)
        self.assertEqual((found.path, found.verdict, found.findings), (path, by_program.verdict, by_program.findings))
        for name, points in by_program.posterior.items():
            np.testing.assert_array_equal(found.posterior[name], points)
        self.assertTrue(told and all(0 <= done <= total for done, total in told))

    def test_a_fit_that_is_stopped_goes_on_to_the_same_points(self):
        study, few = os.path.join(ROOT, "studies", "calibrate.json"), {"calibrate.members": 10}
        whole = calibration.fit(study, os.path.join(self.work.name, "whole.h5"), set=few)
        path = os.path.join(self.work.name, "stopped.h5")
        with self.assertRaises(omniroll.Stopped):
            calibration.fit(study, path, progress=lambda done, total: done < 2, set=few)
        self.assertTrue(os.path.exists(path + ".journal"))
        found = calibration.fit(study, path, set=few)
        self.assertFalse(os.path.exists(path + ".journal"))
        for name, points in whole.posterior.items():
            np.testing.assert_array_equal(found.posterior[name], points)

    def test_a_fit_that_is_stopped_or_negative_says_so(self):
        study, path = os.path.join(ROOT, "studies", "calibrate.json"), os.path.join(self.work.name, "none.h5")
        with self.assertRaises(omniroll.Stopped):
            calibration.fit(study, path, progress=lambda done, total: False, set={"calibrate.members": 10})
        with self.assertRaises(ZeroDivisionError):
            calibration.fit(study, path, progress=lambda done, total: 1 / 0, set={"calibrate.members": 10})
        self.assertFalse(os.path.exists(path))
        with self.assertRaises(omniroll.NegativeError) as caught:
            calibration.fit(study, path, restart=True, set={"calibrate.members": 10, "data.measured[0].noise": "0.01 mm"})
        self.assertIsNone(caught.exception.result)  # the prior does not predict such data: no fit was made
        self.assertIn("Farthest off is x of run 0", str(caught.exception))
        with self.assertRaisesRegex(omniroll.StudyError, "calibrat|data"):
            calibration.fit(os.path.join(ROOT, "studies", "first.json"), path)

    def test_true_values_are_within_four_deviations(self):
        found = calibration.open_calibration(self.path)
        for path, value in TRUE.items():
            points = found.posterior[path]
            self.assertLess(abs(float(np.mean(points)) - value), 4 * float(np.std(points)), path)

    def test_the_most_likely_parameters_are_those_that_the_program_prints(self):
        mode = calibration.open_calibration(self.path).mode
        said = self.said["mode"]
        self.assertEqual(mode.values, {row["path"]: row["value"] for row in said["parameters"]})
        self.assertEqual(mode.covariance.shape, (len(said["coordinates"]),) * 2)
        np.testing.assert_allclose(np.sqrt(np.diag(mode.covariance)), [row["deviation"] for row in said["coordinates"]], rtol=1e-12)
        for path, value in TRUE.items():
            self.assertLess(abs(mode.values[path] - value), 4 * mode.deviations[path], path)
        with h5py.File(self.path) as file:
            self.assertEqual(file["layout.radius"].attrs["mode"], mode.values["layout.radius"])
            np.testing.assert_array_equal(file["mode/covariance"][()], mode.covariance)
            self.assertEqual(file["mode/covariance"].dims[0][0], file["mode/unknown"])

    def test_every_variable_has_its_dimension_for_xarray(self):
        with h5py.File(self.path) as file:
            self.assertEqual(file["wheel.friction"].dims[0][0], file["draw"])
            self.assertEqual(file["run_0/x_measured"].dims[0][0], file["run_0/time"])
            self.assertEqual(file["layout.radius"].attrs["units"], "m")
        try:
            import xarray  # with h5netcdf; neither is needed
            opened = xarray.open_dataset(self.path, engine="h5netcdf")
        except (ImportError, ValueError):
            return
        self.assertEqual(opened["wheel.friction"].dims, ("draw",))

    def test_the_page_has_the_verdict_first_and_a_picture_of_each_run(self):
        where = report(self.path)
        with open(where, encoding="utf-8") as file:
            page = file.read()
        self.assertLess(page.index("Verdict"), page.index("wheels[0]"))
        for name in ("calibrate_1.csv", "calibrate_2.csv", "What the data can tell", "posterior", "most likely"):
            self.assertIn(name, page)

    def test_the_verdict_has_its_colour(self):
        found = calibration.open_calibration(self.path)
        for verdict, kind in (("good", "good"), ("with reservations", "doubt"), ("negative", "bad")):
            body = calibrated._answer(dataclasses.replace(found, verdict=verdict)).body
            self.assertIn(f'<li class="{kind}"><span>Verdict</span><strong>{verdict.capitalize()}</strong>', body)

    @needs_browser
    def test_the_first_screen_has_verdict_and_figure_and_the_answer_the_vehicle(self):
        where = report(self.path)
        with Browser() as browser:
            for width, height, shown in ((1280, 800, 1.0), (390, 844, 0.3)):
                page = browser.open(where, width, height)
                boxes = "['.keys strong', '#answer figure svg', 'figure.views svg'].map(one => document.querySelector(one).getBoundingClientRect())"
                verdict, figure, vehicle = page.value(f"{boxes}.map(box => [box.top, box.bottom])")
                self.assertLess(verdict[1], figure[0])
                self.assertLess(figure[0] + shown * (figure[1] - figure[0]), height, f"{width} px")
                self.assertGreater(vehicle[1], figure[1])
                for theme in ("light", "dark"):
                    self.assertEqual(measure_open(page, width, theme, "calibration").wrong(), [])
                page.close()

    def test_another_file_is_refused(self):
        with self.assertRaisesRegex(NotAResult, "is no file of omniroll calibrate"):
            calibration.open_calibration(__file__)


# Of each parameter so many deviations of a share, a mean and a variance of 20 independent ranks; tests/nightly.sh makes 300 fits of all ten.
REPETITIONS, DEVIATIONS = 20, 4
FOUR = ["wheels[0].radius", "layout.radius", "platform.yaw_inertia", "platform.center_of_mass.x"]


MEASURED = [
    {"sample": "x", "column": "x", "compare": "end", "noise": "3 mm"},
    {"sample": "y", "column": "y", "compare": "bins", "against": "yaw", "edges": [-4, 0.5, 5], "noise": "3 mm"},
    {"sample": "yaw", "column": "yaw", "compare": "spectrum", "bands": 2, "noise": 1},
    {"sample": "wheel_rate", "wheel": 2, "column": "w3", "compare": "orders", "against": "wheels[0].wheel_rate", "orders": [0.2, 0.35], "noise": 0.3},
    {"sample": "wheel_rate", "wheel": 0, "column": "w1", "noise": "10 rpm"},
]


class Summaries(unittest.TestCase):
    def fitted(self, measured):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        path = os.path.join(work.name, "points.h5")
        subprocess.run([OMNIROLL, "calibrate", os.path.join(ROOT, "studies", "calibrate.json"), "-q", "-o", path, "--set", "calibrate.members=20",
                        "--set", f"data.measured={json.dumps(measured)}"], check=False)
        return calibration.open_calibration(path)

    def test_what_is_no_trace_is_read_and_on_the_page(self):
        found = self.fitted(MEASURED)
        run = found.runs[0]
        self.assertEqual(list(run.samples), ["wheels[0].wheel_rate"])
        self.assertEqual({name: one.kind for name, one in run.summaries.items()},
                         {"x": "end", "y": "bins", "yaw": "spectrum", "wheels[2].wheel_rate": "orders"})
        self.assertEqual(run.units, {"wheels[0].wheel_rate": "rad s-1", "x": "m", "y": "m", "yaw": "1", "wheels[2].wheel_rate": "1"})
        bins, orders, octaves = (run.summaries[name] for name in ("y", "wheels[2].wheel_rate", "yaw"))
        np.testing.assert_array_equal(bins.place, [-1.75, 2.75])
        np.testing.assert_array_equal(orders.place, [0.2, 0.35])
        np.testing.assert_allclose(octaves.place, [0.125**0.5 / 0.1 / 2, 0.125**0.5 / 0.1], rtol=1e-15)  # the interval is 0.1 s
        self.assertEqual((bins.place_unit, orders.place_unit, octaves.place_unit), ("rad", "1", "Hz"))
        log = np.genfromtxt(os.path.join(ROOT, "studies", "calibrate_1.csv"), delimiter=",", names=True, skip_header=1)
        instants = np.arange(0, log["t_s"][-1] + 1e-9, 0.1)
        x, y, yaw = (np.interp(instants, log["t_s"], values) for values in (log["x_m"], log["y_m"], np.unwrap(log["yaw_rad"])))
        y, yaw = np.cos(yaw[0]) * (y - y[0]) - np.sin(yaw[0]) * (x - x[0]), yaw - yaw[0]  # as seen from the start
        means = [np.mean(y[(yaw >= low) & (yaw < high)]) for low, high in ((-4, 0.5), (0.5, 5))]
        np.testing.assert_allclose(bins.series["measured"], means, rtol=1e-9)
        for one in run.summaries.values():
            self.assertTrue(np.all(one.series["low"] < one.series["high"]))
        with open(report(found.path), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("wheels[2].wheel_rate", page)
        self.assertIn("middle of the bin", page)

    def test_a_study_of_ends_has_a_page(self):
        ends = [{"sample": name, "column": name, "compare": "end", "noise": noise} for name, noise in (("x", "3 mm"), ("y", "3 mm"), ("yaw", "0.3 deg"))]
        found = self.fitted(ends)
        self.assertEqual(found.runs[0].samples, {})
        self.assertEqual(found.runs[0].summaries["x"].series["measured"].shape, (1,))
        with open(report(found.path), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("What the data can tell", page)
        self.assertIn("Ends of 2 runs", page)  # predicted over measured


@nightly("calibrate/resume repeats fits to made runs, and calibrate/ensemble has an exact posterior")
class MadeRuns(unittest.TestCase):
    def test_intervals_of_fits_to_made_runs_hold(self):
        study = os.path.join(ROOT, "studies", "calibrate_sbc.json")
        with open(study, encoding="utf-8") as file:
            varied = [one for one in json.load(file)["vary"] if one["path"] in FOUR]
        done = subprocess.run([OMNIROLL, "calibrate", study, "-q", "--json", "--threads", "1", "--sbc", str(REPETITIONS), "--set",
                               "calibrate.points=100", "--set", f"vary={json.dumps(varied)}"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads(done.stdout)
        self.assertTrue(said["right"])
        self.assertEqual([one["path"] for one in said["parameters"]], FOUR)
        for one in said["parameters"]:
            self.assertEqual(sum(one["ranks"]), REPETITIONS)
            self.assertLess(abs(one["covered"] - 0.95), DEVIATIONS * (0.95 * 0.05 / REPETITIONS) ** 0.5, one)
            self.assertLess(abs(one["mean"]), DEVIATIONS * REPETITIONS**-0.5, one)
            self.assertLess(abs(one["variance"] - 1), DEVIATIONS * (2 / REPETITIONS) ** 0.5, one)

    def test_few_members_are_found_to_be_too_sure(self):
        """12 members for ten unknowns: the spread of so few collapses, and true values are beyond all of them."""
        study = os.path.join(ROOT, "studies", "calibrate_sbc.json")
        done = subprocess.run([OMNIROLL, "calibrate", study, "-q", "--threads", "1", "--sbc", "60", "--set", "calibrate.points=0", "--set",
                               "calibrate.members=12"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 12, done.stderr)
        self.assertRegex(done.stdout, r"! all: the share in 95 % is 0\.[0-8]")
        self.assertRegex(done.stdout, r"! platform\.mass: the variance is [2-9]")


if __name__ == "__main__":
    unittest.main()
