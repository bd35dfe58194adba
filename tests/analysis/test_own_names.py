"""Results of the model multibody, whose parameters, observables and samples have names of the study's own: h = v t - g t^2/2."""

import os
import tempfile
import unittest

import matplotlib
import numpy as np

matplotlib.use("Agg")

import omniroll  # noqa: E402
from omniroll.figures import Skipped  # noqa: E402

STUDY = {
    "title": "A stone thrown up", "model": "multibody",
    "parameters": {"v": {"value": "18 km/h", "meaning": "speed at the start"}, "m": "500 g"},
    "system": {"bodies": {"stone": {"mass": "m", "inertia": [0.1, 0.1, 0.1], "velocity": [0, "v", 0]}},
               "measures": {"final_height": {"take": "final", "of": "stone.y"}}, "samples": {"height": "stone.y"}},
    "vary": [{"path": "v", "uniform": [1, 10]}],
    "design": {"type": "monte_carlo", "instances": 24, "seed": 3},
    "integrator": {"step": "10 ms", "duration": "0.5 s"},
    "output": {"trajectories": {"instances": [0, 5], "interval": "0.1 s"}},
    "statistics": {"fail": {"high": "final_height > 2"}},
}


def height(v, t):
    return v * t - 0.5 * 9.81 * t**2


class TestOwnNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = omniroll.run(STUDY)

    def test_the_dataset_has_the_names_and_units_of_the_study(self):
        result = self.result
        self.assertEqual(result.v.attrs["units"], "m s-1")
        self.assertEqual(result.v.attrs["long_name"], "speed at the start")
        np.testing.assert_allclose(result.final_height, height(result.v, 0.5), rtol=0, atol=1e-9)
        speeds = result.v.values[[0, 5]][:, np.newaxis]
        np.testing.assert_allclose(result.height, height(speeds, result.time.values), rtol=0, atol=1e-9)

    def test_statistics_know_them(self):
        found = self.result.omniroll.statistics()
        self.assertEqual(list(found.quantity.values), ["v", "final_height"])
        high = float(np.mean(height(self.result.v.values, 0.5) > 2))
        self.assertEqual(float(found.probability.sel(criterion="high")), high)

    def test_one_vehicle_is_run(self):
        self.assertAlmostEqual(float(omniroll.run(STUDY, nominal=True).final_height[0]), height(5, 0.5), 9)

    def test_figures_are_drawn_or_say_why_not(self):
        self.result.omniroll.plot("final_height")
        self.result.omniroll.plot_time()
        with self.assertRaisesRegex(Skipped, "no x and z of one body; plot_time"):
            self.result.omniroll.plot_path()

    def test_a_report_names_them(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            self.result.omniroll.report(path)
            with open(path, encoding="utf-8") as file:
                page = file.read()
        for name in ("final_height", "height", "speed at the start"):
            self.assertIn(name, page)


if __name__ == "__main__":
    unittest.main()
