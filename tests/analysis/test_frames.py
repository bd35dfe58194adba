"""Results in the frame of ROS: what opening them gives, and that pictures show the same vehicle as those of the same study in y_up."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
sys.path[:0] = [HERE, os.path.join(ROOT, "analysis")]
import omniroll  # noqa: E402
from omniroll import figures  # noqa: E402
from omniroll.pictures import vehicle_picture  # noqa: E402
from omniroll.reading import frames  # noqa: E402
from omniroll.figures.several_results import comparison  # noqa: E402
from omniroll.reading.study_values import parameter  # noqa: E402
from omniroll.reading import open_result  # noqa: E402
from omniroll.report import scenes, timelines  # noqa: E402
from omniroll.report.motion import command, patches, wheels  # noqa: E402

PROGRAM = os.environ.get("OMNIROLL", "omniroll")


def study(ros):
    """The same in both frames, written by hand."""
    sign, side, v = (1, "y", "vy") if ros else (-1, "z", "vz")
    made = {
        "model": "omni_vehicle",
        "parameters": {
            "platform": {"center_of_mass": {"x": 0.01, side: 0.03 * sign}},
            "layout": {"type": "rectangle", "mecanum": True},
            "initial": {side: 0.2 * sign},
            "ground": {"type": "patches", "patch0": {"x": 0.1, side: 0.3 * sign, "yaw": "20 deg", "friction": 0.05}},
            "wheel": {"inclination": "45 deg", "drive": {"type": "body", "kp": 3}},
            "command": {"type": "table", "table": [[0, 0, 0, 0], [0.1, 0.2, 0.3 * sign, 0.1], [1, 0.2, 0.3 * sign, 0.1]]},
        },
        "vary": [{"path": f"platform.center_of_mass.{side}", "values": [0.03 * sign, -0.01 * sign]}],
        "integrator": {"method": "rk4", "step": "1 ms", "duration": "0.2 s", "step_error": "off"},
        "output": {"observables": ["final_x", f"final_{side}", f"final_{v}"], "trajectories": {"instances": "all", "interval": "10 ms"}},
        "statistics": {"fail": f"final_{side} {'>' if ros else '<'} {0.21 * sign} m"},
    }
    return {**made, "frame": "ros"} if ros else made


def disc(ros):
    sign, side, up = (1, "y", "z") if ros else (-1, "z", "y")
    made = {
        "model": "rolling_disc",
        "parameters": {"mass": 1, "radius": 0.5, "initial": {"tilt": 1.2, "spin": -3, "heading": 0.4, "velocity": {
            "x": 1, side: 0.2 * sign, up: 0}}},
        "integrator": {"method": "rk4", "step": "1 ms", "duration": "0.1 s", "step_error": "off"},
        "output": {"trajectories": {"instances": "all", "interval": "10 ms"}},
    }
    return {**made, "frame": "ros"} if ros else made


def number(label):
    """Of an axis: $\\mathdefault{−0.2}$"""
    return float(label.replace("−", "-").replace("$\\mathdefault{", "").replace("}$", ""))


class TestFrames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.paths, cls.scene = {}, {}
        for name, make in (("study", study), ("disc", disc)):
            for ros in (True, False):
                path = os.path.join(cls.folder.name, f"{name}{'_ros' if ros else ''}.json")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(make(ros), file)
                subprocess.run([PROGRAM, "run", path, "-q", "--overwrite", "-o", path[:-5] + ".h5"], check=True)
                cls.paths[name, ros] = path[:-5] + ".h5"
                shown = subprocess.run([PROGRAM, "show", path, "--json"], check=True, capture_output=True, text=True)
                cls.scene[name, ros] = json.loads(shown.stdout)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def both(self, name="study"):
        return open_result(self.paths[name, True]), open_result(self.paths[name, False])

    def test_open_has_the_names_of_the_frame(self):
        ros, usual = omniroll.open(self.paths["study", True]), omniroll.open(self.paths["study", False])
        self.assertEqual(ros.attrs["frame"], "ros")
        self.assertNotIn("frame", usual.attrs)
        self.assertIn("to the left", ros.final_vy.attrs["long_name"])
        np.testing.assert_array_equal(ros.final_y.values, -usual.final_z.values)
        np.testing.assert_array_equal(ros.y.values, -usual.z.values)
        np.testing.assert_array_equal(ros.wheel_rate.values, -usual.wheel_rate.values)
        np.testing.assert_array_equal(ros.axis_y.values, usual.axis_z.values)
        np.testing.assert_array_equal(ros.platform_center_of_mass_y.values, -usual.platform_center_of_mass_z.values)
        for name in ("z", "vz", "final_z", "wheel_z", "axis_z"):
            self.assertNotIn(name, ros)
        same = omniroll.statistics(self.paths["study", True]), omniroll.statistics(self.paths["study", False])
        self.assertEqual(*(float(one.probability[0]) for one in same))

    def test_drawn_is_the_result_in_y_up(self):
        for name in ("study", "disc"):
            ros, usual = self.both(name)
            drawn = frames.drawn(ros)
            self.assertEqual(set(drawn.trajectories), set(usual.trajectories), name)
            for key, values in usual.trajectories.items():
                np.testing.assert_array_equal(drawn.trajectories[key], values, f"{name} {key}")
            self.assertEqual(set(drawn.wheels), set(usual.wheels))
            for key, values in usual.wheels.items():
                np.testing.assert_array_equal(drawn.wheels[key], values, f"{name} {key}")
            self.assertIs(frames.drawn(drawn), drawn)
            self.assertIs(frames.drawn(usual), usual)

    def test_what_is_read_of_the_study_is_turned(self):
        ros, usual = self.both()
        self.assertEqual(parameter(ros, "initial.z", 0, 0.0), -0.2)
        self.assertEqual(parameter(ros, "platform.center_of_mass.z", 1, 0.0), parameter(usual, "platform.center_of_mass.z", 1, 0.0))
        np.testing.assert_array_equal(command(ros, 0, ros.time), command(usual, 0, usual.time))
        self.assertEqual(patches(ros, 0), patches(usual, 0))
        self.assertEqual(wheels(ros, 0), wheels(usual, 0))

    def test_the_animation_shows_the_same_and_says_the_frame(self):
        for name in ("study", "disc"):
            ros, usual = (scenes.scene(result, 0) for result in self.both(name))
            self.assertEqual(ros.pop("frame"), "ros")
            self.assertNotIn("frame", usual)
            self.assertEqual(json.dumps(ros), json.dumps(usual), name)

    def test_the_picture_of_the_vehicle_is_the_same_but_for_its_axes(self):
        for name in ("study", "disc"):
            ros, usual = self.scene[name, True], self.scene[name, False]
            self.assertEqual(ros["frame"], "ros")
            self.assertNotIn("frame", usual)
            self.assertEqual([wheel["y"] for wheel in ros["wheels"]], [-wheel["z"] or 0 for wheel in usual["wheels"]])
            pictures = [[panel.body for panel in vehicle_picture.panels(scene, lambda role: "")] for scene in (ros, usual)]
            self.assertEqual(pictures[0][1:], pictures[1][1:])
            at = [picture[0].count(f">{axis}<") for picture, axis in zip(pictures, "yz")]
            self.assertEqual(at, [1, 1])
            self.assertIn("data-wheel", pictures[0][0])
            parts = [picture[0][picture[0].index("<g"):picture[0].rindex("</g>")] for picture in pictures]
            self.assertEqual(*parts)
        self.assertEqual(self.scene["study", True]["center_of_mass"][1], -self.scene["study", False]["center_of_mass"][1])
        self.assertEqual(self.scene["study", True]["command"]["vy"], 0.3)
        with self.assertRaises(ValueError):
            vehicle_picture.panels({"frame": "ros", "wheels": [{"x": 0, "z": 0, "axis_angle": 0, "radius": 0.1}]}, lambda role: "")

    def test_figures_draw_the_same_lines_with_numbers_to_the_left(self):
        ros, usual = self.both()
        drawn = [figures.paths(result) for result in (ros, usual)]
        for figure in drawn:
            figure.canvas.draw()
        across, right = (figure.axes[0] for figure in drawn)
        self.assertEqual((across.get_xlabel(), right.get_xlabel()), ("y, to the left [m]", "z, to the right [m]"))
        for one, other in zip(across.lines, right.lines):
            np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())
        left, usual_way = ([number(tick.get_text()) for tick in axes.get_xticklabels()] for axes in (across, right))
        self.assertEqual(left, [-value or 0.0 for value in usual_way])
        comparison([ros, usual]).canvas.draw()  # results of both frames in one figure
        for make in (timelines.path, timelines.body, timelines.drives):
            make(ros, 0).canvas.draw()
        self.assertIn("towards i.", timelines.drives(ros, 0).page_subtitle)
        self.assertTrue(figures.has_path(open_result(self.paths["disc", True])))

    def test_a_report_is_made(self):
        page = os.path.join(self.folder.name, "page.html")
        subprocess.run([sys.executable, "-m", "omniroll.report", self.paths["study", True], "-o", page], check=True, capture_output=True,
                       env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "analysis")})
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("final_y", text)
        self.assertIn("y to the left", text)
        self.assertNotIn("z to the right", text)

    def test_engines_and_reference_agree_in_the_frame(self):
        path = os.path.join(self.folder.name, "agree.json")
        smooth = {"step": "0.1 ms", "duration": "20 ms", "method": "rk4", "step_error": "off"}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**disc(True), "integrator": smooth, "output": {"trajectories": {"instances": "all", "interval": "1 ms"}}}, file)
        done = subprocess.run([PROGRAM, "compare", path, "--json"], capture_output=True, text=True)
        if "without" in done.stderr and done.returncode:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        compared = json.loads(done.stdout)
        self.assertFalse(compared["differs"])
        for name in ("y", "vz", "q_y", "contact_y", "final_y"):
            self.assertIn(f'"{name}"', done.stdout)

    def test_a_table_of_another_frame_is_refused(self):
        """A rate of a wheel has the same name in both frames, and the other sign."""
        table = {**study(True), "vary": [{"path": "wheel.initial.rate", "values": [1, 2]}]}
        path = os.path.join(self.folder.name, "table.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(table, file)
        rows = os.path.join(self.folder.name, "rows.h5")
        subprocess.run([PROGRAM, "sample", path, "-o", rows], check=True)
        for ros in (True, False):
            made = {**study(ros), "design": {"type": "table", "file": "rows.h5"}}
            del made["vary"]
            with open(path, "w", encoding="utf-8") as file:
                json.dump(made, file)
            done = subprocess.run([PROGRAM, "validate", path], capture_output=True, text=True)
            self.assertEqual(done.returncode == 0, ros, done.stderr)
        self.assertIn("is in the frame ros, and this study is in the frame y_up", done.stderr)


if __name__ == "__main__":
    unittest.main()
