"""The sensitivities in results of the program, computed again by numpy and scipy from their instances. OMNIROLL names the program."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ANALYSIS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "analysis")
sys.path.insert(0, ANALYSIS)

import omniroll  # noqa: E402

try:
    import xarray
except ImportError:
    xarray = None
try:
    import scipy.stats as stats
except ImportError:
    stats = None

VARY = [
    {"path": "mass", "uniform": [5, 20]},
    {"path": "drive.torque", "normal": [20, 5]},
    {"path": "radius", "triangular": [0.2, 0.3, 0.35]},
]
STUDY = {
    "model": "uk_wheel",
    "parameters": {"brake": {"torque": 60, "time": 5}},
    "integrator": {"step": "2 ms", "duration": "0.6 s"},
    "statistics": {"fail": "max_speed > 12 cm/s"},
}
N, D = 128, len(VARY)


@unittest.skipUnless(xarray and "OMNIROLL" in os.environ, "needs xarray and the program")
class Sensitivity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def run_design(self, design, vary=VARY):
        study, path = (os.path.join(self.folder.name, design["type"] + end) for end in (".json", ".h5"))
        with open(study, "w") as file:
            json.dump({**STUDY, "vary": vary, "design": design}, file)
        command = [os.environ["OMNIROLL"], "run", study, "-v", "-o", path, "--backend", "openmp"]
        self.printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        self.result = omniroll.open_result(path)
        return path

    def test_indices_are_those_of_the_rows(self):
        data = omniroll.sensitivity(self.run_design({"type": "saltelli", "groups": N, "seed": 3}))
        self.assertEqual(data.measure, "sobol")
        self.assertEqual(data.attrs["ok"], N)
        self.assertIn("Sobol' indices: 128 of 128 row groups", self.printed)
        speed = self.result.observables["max_speed"]
        for name, values in {"max_speed": speed, "fail": (speed > 0.12).astype(float)}.items():
            y = values.reshape(N, D + 2)
            a, b = y[:, :1], y[:, -1:]
            both = np.concatenate([a, b])
            variance = both.var(ddof=1)
            row = data.sel(quantity=name)
            first = ((b - both.mean()) * (y[:, 1:-1] - a)).mean(axis=0) / variance
            total = ((y[:, 1:-1] - a) ** 2).mean(axis=0) / (2 * variance)
            np.testing.assert_allclose(row.first_order, first, atol=1e-12)
            np.testing.assert_allclose(row.total, total, atol=1e-12)
            self.assertTrue((row.total_low <= row.total).all() and (row.total <= row.total_high).all())
        self.assertEqual(list(data["parameter"].values), ["mass", "drive_torque", "radius"])

    def test_effects_are_those_of_the_rows(self):
        data = omniroll.sensitivity(self.run_design({"type": "morris", "trajectories": 20, "levels": 6, "seed": 3}))
        self.assertEqual(data.measure, "morris")
        y = self.result.observables["max_speed"].reshape(20, D + 1)
        row = data.sel(quantity="max_speed")
        for i, name in enumerate(["mass", "drive_torque", "radius"]):
            x = self.result.parameters[name].reshape(20, D + 1)
            moved = np.diff(x, axis=1) != 0
            self.assertTrue((moved.sum(axis=1) == 1).all())
            step = 0.5 if name == "drive_torque" else 0.6  # a normal distribution has no ends
            effects = (np.diff(y, axis=1) * np.sign(np.diff(x, axis=1)))[moved] / step
            self.assertAlmostEqual(row.mu.values[i], effects.mean(), places=12)
            self.assertAlmostEqual(row.mu_star.values[i], abs(effects).mean(), places=12)
            self.assertAlmostEqual(row.sigma.values[i], effects.std(ddof=1), places=12)

    @unittest.skipUnless(stats, "needs scipy")
    def test_correlations_are_those_of_scipy(self):
        data = omniroll.sensitivity(self.run_design({"type": "sobol", "instances": 200, "seed": 3}))
        self.assertEqual(data.measure, "correlation")
        y = self.result.observables["max_speed"]
        for name in ["mass", "drive_torque", "radius"]:
            x, row = self.result.parameters[name], data.sel(quantity="max_speed", parameter=name)
            self.assertAlmostEqual(row.pearson.item(), stats.pearsonr(x, y)[0], places=12)
            self.assertAlmostEqual(row.spearman.item(), stats.spearmanr(x, y)[0], places=12)

    def test_a_grid_has_none(self):
        path = self.run_design({"type": "grid"}, [{"path": "mass", "values": [5, 10]}])
        with self.assertRaisesRegex(omniroll.NotAResult, "its design shows none"):
            omniroll.sensitivity(path)
        with self.assertRaisesRegex(omniroll.NotAResult, "there is no such file"):
            omniroll.sensitivity(path + "x")


if __name__ == "__main__":
    unittest.main()
