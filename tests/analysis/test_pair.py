"""Files of omniroll compare (omniroll.compare_file), against one made here whose differences are known, and one of the program (OMNIROLL) where
it has the reference; results of chosen instances (omniroll reference) in figures that look instances up by their number."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "studies"), os.path.dirname(os.path.abspath(__file__))]

import test_analysis  # noqa: E402
import omniroll  # noqa: E402
from omniroll import compare_file, figures  # noqa: E402
from papers import published  # noqa: E402

STUDY = {
    "model": "omni_wheel",
    "parameters": {"wheel": {"radius": 0.1, "rollers": 4, "friction": 0.3, "slip_speed": 0.2, "roller": {"density": 2700},
                             "initial": {"rate": -6}}, "initial": {"vx": 0.6, "vz": 0.1}},
    "vary": [{"path": "wheel.friction", "values": [0.1, 0.2, 0.3]}], "design": {"type": "grid"},
    "integrator": {"step": "0.2 ms", "duration": "0.1 s"},
    "output": {"trajectories": {"instances": [0, 2], "interval": "10 ms"}},
}


def add_side(file, name, vx, load):
    group = file.create_group(name, track_order=True)
    instance = test_analysis.add(group, "instance", np.array([4], dtype=np.uint64), None, None)
    time = test_analysis.add(group, "time", np.linspace(0, 1, 3), "s", None)
    wheel = test_analysis.add(group, "wheel", np.arange(2, dtype=np.uint64), None, None)
    test_analysis.add(group, "vx", np.array([vx], dtype=float), "m s-1", [instance, time])
    test_analysis.add(group, "normal_load", np.array([load], dtype=float), "N", [instance, time, wheel])
    group.attrs["step"] = 1e-3


class Made(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "pair.h5")
        with h5py.File(self.path, "w", libver="v108") as file:
            file.attrs["title"] = "made"
            add_side(file, "reference", [0, 1, 2], [[1, 1], [1, 1], [1, 1]])
            add_side(file, "fast/openmp_double", [0, 1.5, np.nan], [[1, 1], [1, 4], [np.nan, np.nan]])
            add_side(file, "fast/openmp_double_half", [0, 1.25, np.nan], [[1, 1], [0, 3], [np.nan, np.nan]])

    def tearDown(self):
        self.folder.cleanup()

    def test_sides_have_their_samples(self):
        content = omniroll.compare_file.open_pair(self.path)
        self.assertEqual(list(content.fast), ["openmp_double", "openmp_double_half"])
        self.assertEqual(list(content.instances), [4])
        np.testing.assert_array_equal(content.reference.samples["vx"][0], [0, 1, 2])
        self.assertEqual(content.units["normal_load"], "N")
        self.assertIsNone(content.again)  # a file from before the reference was integrated twice

    def test_the_second_integration_of_the_reference_is_read(self):
        with h5py.File(self.path, "r+") as file:
            add_side(file, "reference_again", [0, 1.125, 2], [[1, 1], [1, 1], [1, 1]])
            file["reference_again"].attrs["tolerance"] = 1e-12
        again = compare_file.open_pair(self.path).again
        self.assertEqual(again.attrs["tolerance"], 1e-12)
        np.testing.assert_array_equal(again.samples["vx"][0], [0, 1.125, 2])

    def test_the_figure_shows_model_and_step_and_of_wheels_the_largest(self):
        axes = compare_file.differences(compare_file.open_pair(self.path)).axes
        lines = [[line.get_ydata() for line in panel.lines] for panel in axes]
        np.testing.assert_array_equal(lines[0], [[np.nan, 0.25, np.nan], [np.nan, 0.25, np.nan]])  # vx: model, step
        np.testing.assert_array_equal(lines[1], [[np.nan, 2, np.nan], [np.nan, 1, np.nan]])  # loads: |3-1| > |0-1|; 1 and 1
        self.assertIn("Instance 4", axes[0].figure._suptitle.get_text())

    def test_controlled_steps_are_compared_at_a_tolerance_and_a_tenth_of_it(self):
        with h5py.File(self.path, "r+") as file:
            for name, value in (("openmp_double", 1e-5), ("openmp_double_half", 1e-6)):
                del file[f"fast/{name}"].attrs["step"]
                file[f"fast/{name}"].attrs["tolerance"] = value
            file.attrs["tolerance"] = 1e-5
        drawn = compare_file.differences(compare_file.open_pair(self.path)).findobj(lambda part: hasattr(part, "get_text"))
        words = " ".join(text.get_text() for text in drawn)
        self.assertIn("tolerance h = 1e-05. Full: h/10 less reference. Dotted: h less h/10", words)

    def test_what_is_not_there_is_named(self):
        content = compare_file.open_pair(self.path)
        with self.assertRaisesRegex(figures.Skipped, "instance 0 was not compared; those are: 4"):
            compare_file.differences(content, 0)
        with self.assertRaisesRegex(figures.Skipped, "there is no run 'opencl'; there are: openmp_double"):
            compare_file.differences(content, None, "opencl")
        with self.assertRaisesRegex(omniroll.NotAResult, "no file of omniroll compare"):
            compare_file.open_pair(os.path.join(self.folder.name, "other.h5"))

    def test_the_command_draws_every_run(self):
        done = subprocess.run([sys.executable, "-m", "omniroll.plot", self.path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(os.path.join(self.folder.name, "pair-plots")), ["differences_openmp_double.png"])


class OfTheProgram(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.study = os.path.join(self.folder.name, "study.json")
        with open(self.study, "w") as file:
            json.dump(STUDY, file)

    def tearDown(self):
        self.folder.cleanup()

    def run_program(self, *arguments):
        done = subprocess.run([os.environ["OMNIROLL"], *arguments, "-q"], capture_output=True, text=True)
        if done.returncode == 4 and "this build has no reference" in done.stderr:
            self.skipTest("this build has no reference")
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless("OMNIROLL" in os.environ, "OMNIROLL names no program")
    def test_pairs_are_read_and_their_groups_open_in_xarray(self):
        path = os.path.join(self.folder.name, "pair.h5")
        self.run_program("compare", self.study, "--backend", "scalar", "-o", path)
        content = compare_file.open_pair(path)
        self.assertEqual(list(content.instances), [0, 2])
        self.assertEqual(set(content.fast), {"scalar_double", "scalar_double_half", "scalar_single", "scalar_single_half"})
        difference = content.fast["scalar_double_half"].samples["vx"] - content.reference.samples["vx"]
        self.assertLess(np.abs(difference).max(), 1e-6)
        self.assertIn("drift_position", content.reference.samples)
        self.assertEqual((content.reference.attrs["tolerance"], content.again.attrs["tolerance"]), (1e-11, 1e-12))
        own = np.abs(content.again.samples["vx"] - content.reference.samples["vx"]).max()
        self.assertTrue(0 < own < 1e-8, own)
        self.assertEqual(content.fast["scalar_double_half"].attrs["step"], 1e-4)
        compare_file.differences(content, 2)
        try:
            import xarray
        except ImportError:
            self.skipTest("no xarray")
        with xarray.open_dataset(path, group="/fast/scalar_double", engine="netcdf4") as fast:
            self.assertEqual(fast["normal_load"].dims, ("instance", "time", "wheel"))
            self.assertEqual(fast["status"].dims, ("instance",))
            self.assertEqual(fast["vx"].attrs["units"], "m s-1")

    @unittest.skipUnless("OMNIROLL" in os.environ, "OMNIROLL names no program")
    def test_a_result_of_chosen_instances_is_found_by_their_numbers(self):
        path = os.path.join(self.folder.name, "reference.h5")
        self.run_program("reference", self.study, "-o", path)
        result = omniroll.open_result(path)
        self.assertEqual(list(result.numbers), [0, 2])
        self.assertEqual(list(result.traced_rows), [0, 1])
        self.assertEqual(result.row_of(2), 1)
        np.testing.assert_array_equal(result.parameters["wheel_friction"], [0.1, 0.3])
        self.assertIn("wheel_friction = 0.3", figures.slip_and_loads(result, 2).axes[0].get_title(loc="left"))
        figures.paths(result)
        drawn = published.draw("source2-fig10", result)
        contact = drawn.axes[-1].get_lines()[1]
        np.testing.assert_array_equal(contact.get_ydata(), result.trajectories["drift_contact"][0][1:])
        self.assertLess(np.max(contact.get_ydata()), 1e-7)

    def test_drift_is_not_drawn_without_a_reference(self):
        with self.assertRaisesRegex(figures.Skipped, "omniroll reference -o"):
            published.draw("source2-fig10", omniroll.open_result(os.environ["OMNIROLL_RESULT"]))


if __name__ == "__main__":
    unittest.main()
