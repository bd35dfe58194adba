"""The figure that compares results: python3 tests/analysis/test_compare.py. Sample files as in test_analysis.py."""

import os
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import test_analysis  # noqa: E402
from omniroll import figures, open_result, plot  # noqa: E402
from omniroll.figures import several_results  # noqa: E402

VEHICLE = {"x": "m", "z": "m", "yaw": "rad", "vx": "m s-1", "vz": "m s-1"}


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, model, traced=(0,)):
        path = os.path.join(self.folder.name, name)
        with mock.patch.object(test_analysis, "VEHICLE", VEHICLE):
            test_analysis.write_sample(path, {}, {"max_slip": [1.0]}, [0], traced, wheels=4, model=model)
        return path

    def test_models_name_the_curves_and_files_where_models_do_not_differ(self):
        rollers, disc, other = [open_result(self.write(name, model)) for name, model in
                                (("a.h5", "omni_vehicle"), ("b.h5", "disc_vehicle"), ("c.h5", "disc_vehicle"))]
        path = several_results.comparison([rollers, disc]).axes[0]
        self.assertEqual([text.get_text() for text in path.get_legend().get_texts()], ["omni_vehicle", "disc_vehicle", "start"])
        path = several_results.comparison([rollers, disc, other]).axes[0]
        self.assertEqual([text.get_text() for text in path.get_legend().get_texts()],
                         ["omni_vehicle (a)", "disc_vehicle (b)", "disc_vehicle (c)", "start"])

    def test_every_panel_has_a_curve_of_every_result(self):
        results = [open_result(self.write(name, "disc_vehicle")) for name in ("a.h5", "b.h5")]
        panels = several_results.comparison(results).axes[1:]
        self.assertEqual(len(panels), len(several_results.PANELS))
        for axes in panels:
            self.assertEqual(len(axes.lines), 2)
        yaw = results[0].trajectories["yaw"][0]
        np.testing.assert_array_equal(panels[0].lines[0].get_ydata(), np.degrees(yaw))

    def test_resisted_slip_leaves_out_what_rolls(self):
        # friction along -k alone: of the slip (3, 4) the 4 are resisted; without force nothing is
        samples = {"slip_i": np.array([[3.0, 3.0]]), "slip_k": np.array([[4.0, 4.0]]), "force_i": np.array([[0.0, 0.0]]),
                   "force_k": np.array([[-2.0, 0.0]])}
        np.testing.assert_array_equal(several_results.resisted_slip(samples), [[4.0, 0.0]])

    def test_a_result_without_the_trajectory_is_named(self):
        results = [open_result(self.write("a.h5", "omni_vehicle")), open_result(self.write("b.h5", "omni_vehicle", traced=()))]
        with self.assertRaisesRegex(figures.Skipped, "b.h5: the study asked for no trajectories"):
            several_results.comparison(results)
        with self.assertRaisesRegex(figures.Skipped, "a.h5: instance 3 was not traced"):
            several_results.comparison(results[:1], 3)

    def test_the_command_writes_one_figure(self):
        paths = [self.write(name, "omni_vehicle") for name in ("a.h5", "b.h5")]
        folder = os.path.join(self.folder.name, "plots")
        self.assertEqual(plot.main([paths[0], "--compare", paths[1], "-o", folder]), 0)
        self.assertEqual(os.listdir(folder), ["comparison.png"])
        self.assertEqual(plot.main([paths[0], "--compare", "missing.h5", "-o", folder]), 2)


if __name__ == "__main__":
    unittest.main()
