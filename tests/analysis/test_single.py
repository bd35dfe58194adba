"""Sections of single runs: which instances, and what is computed of their samples."""

import dataclasses
import json
import os
import sys
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "analysis")]
from omniroll.reading.roller_geometry import Wheel  # noqa: E402
from omniroll.reading.study_values import parameter, si  # noqa: E402
from omniroll.reading import open_result  # noqa: E402
from omniroll.report import motion, single, timelines  # noqa: E402
from omniroll.report.chosen import chosen, missing  # noqa: E402
from omniroll.report.data import Choices, Data  # noqa: E402

RESULT = os.environ["OMNIROLL_RESULT"]


def with_study(result, **parameters):
    study = json.loads(result.attrs["study"])
    study["parameters"].update(parameters)
    return dataclasses.replace(result, attrs={**result.attrs, "study": json.dumps(study)})


class TestQuantities(unittest.TestCase):
    def test_units_of_studies(self):
        for text, value in (("25 cm", 0.25), ("-60 rpm", -2 * np.pi), ("45 deg/s", np.pi / 4), (3, 3.0), ("1e-3", 1e-3), ("36 km/h", 10.0)):
            self.assertAlmostEqual(si(text), value)
        for text in ("3 furlong", "fast", None, True, [1]):
            self.assertIsNone(si(text))

    def test_a_path_that_is_followed_is_drawn_below_the_track(self):
        result = open_result(RESULT)
        path = with_study(result, command={"type": "path", "points": [[0, 0], ["1 m", "50 cm"], [2, 0]], "closed": True})
        np.testing.assert_allclose(motion.followed(path), [[0, 0], [1, 0.5], [2, 0], [0, 0]])
        lines = {line.get_label(): line for line in timelines.path(path, 0).axes[0].lines}
        np.testing.assert_allclose(lines["path to follow"].get_xydata(), [[0, 0], [0.5, 1], [0, 2], [0, 0]])
        self.assertIsNone(motion.followed(result))
        self.assertIsNone(motion.followed(with_study(result, command={"type": "way_points", "points": [[1, 0]]})))

    def test_a_varied_value_goes_before_that_of_the_study(self):
        result = with_study(open_result(RESULT), platform={"mass": 3, "yaw_inertia": "2 cm"})
        self.assertEqual(parameter(result, "platform.mass", 4, 0.0), result.parameters["platform_mass"][4])
        self.assertAlmostEqual(parameter(result, "platform.yaw_inertia", 4, 0.0), 0.02)
        self.assertEqual(parameter(result, "command.vx", 4, 7.0), 7.0)


class TestMotion(unittest.TestCase):
    def test_exchanges_are_where_the_angle_passes_between_two_rollers(self):
        """A wheel of 4 rollers at 2 rad/s passes (j + 1/2) 90 deg at (j + 1/2) pi/4 s; turning back it passes the same edges again."""
        time = np.linspace(0.0, 6.0, 13)
        edges = (np.arange(8) + 0.5) * np.pi / 4
        np.testing.assert_allclose(motion.exchange_times(time, 2.0 * time, 4), edges[edges < 6.0])
        np.testing.assert_allclose(motion.exchange_times(time, -2.0 * time, 4), edges[edges < 6.0])
        there_and_back = np.minimum(time, 6.0 - time)
        self.assertEqual(len(motion.exchange_times(time, 2.0 * there_and_back, 4)), 2 * np.sum(edges < 3.0))

    def test_a_steered_wheel_turns_at_the_rate_of_its_present_axle(self):
        """At right angles to the way its axle points along it; a quarter turn further it rolls along."""
        wheel = Wheel(radius=0.1, center_distance=0.1, rollers=1, inclination=0.0, x=0.3, z=0.2)
        one = np.array([1.0])
        for steer, motions in ((0.0, (-10.0, 0.0, -2.0)), (np.pi / 2, (0.0, 10.0, -3.0))):
            for motion_of, rate in zip(np.eye(3), motions):
                self.assertAlmostEqual(motion.ideal_rate(wheel, *(each * one for each in motion_of), steer)[0], rate)

    def test_thinning_keeps_peaks_and_ends(self):
        time = np.linspace(0.0, 1.0, 20000)
        values = np.sin(40 * time)
        values[7777] = 9.0
        kept, thin = motion.thinned(time, values)
        self.assertLess(len(kept), 2 * motion.BUCKETS + 3)
        self.assertEqual(thin.max(), 9.0)
        self.assertEqual((kept[0], kept[-1]), (0.0, 1.0))
        self.assertTrue(np.all(np.diff(kept) > 0))

    def test_commands(self):
        result, time = open_result(RESULT), np.array([0.0, 0.5, 2.0])
        self.assertIsNone(motion.command(result, 0, time))
        tanh = motion.command(with_study(result, command={"type": "tanh", "vx": "50 cm/s", "ramp_time": "500 ms"}), 0, time)
        np.testing.assert_allclose(tanh[0], 0.5 * np.tanh(time / 0.5))
        table = motion.command(with_study(result, command={"type": "table", "table": [[0, 0, 0, 0], ["1 s", "1 m/s", 0, "90 deg/s"]]}), 0, time)
        np.testing.assert_allclose(table[0], [0.0, 0.5, 1.0])
        np.testing.assert_allclose(table[2], np.array([0.0, 0.25, 0.5]) * np.pi)

    def test_patches_lie_where_the_study_says(self):
        """1 m along yaw 90 deg, which points to -z; a half plane lies on its forward side."""
        ground = {"type": "patches", "patch0": {"x": "2 m", "length": 1, "width": "20 cm", "yaw": "90 deg", "friction": 0.03},
                  "patch2": {"shape": "half_plane", "x": 3}}
        strip, half = motion.patches(with_study(open_result(RESULT), ground=ground), 0)
        np.testing.assert_allclose(np.ptp(strip["corners"], axis=0), [0.2, 1.0])
        np.testing.assert_allclose(np.mean(strip["corners"], axis=0), [2.0, 0.0], atol=1e-12)
        self.assertEqual((strip["friction"], half["friction"]), (0.03, 0.1))
        self.assertEqual(min(corner[0] for corner in half["corners"]), 3.0)
        self.assertEqual(motion.patches(open_result(RESULT), 0), [])

    def test_ideal_rates_roll(self):
        """At that rate the roller straight below rolls: v_i = 0 and v_k = 0 for some spin (Wheel.slip at q = 0)."""
        wheel = Wheel(0.1, 0.085, 9, np.pi / 4, 0.0, 0.25, -0.2, np.sin(0.3), np.cos(0.3))
        vx, vz, yaw_rate = 0.3, -0.5, 0.7
        rate = motion.ideal_rate(wheel, vx, vz, yaw_rate)
        slips = np.array([wheel.slip((vx, vz, yaw_rate), rate, 0.0, 0, spin) for spin in (0.0, 1.0)])
        spin = -slips[0, 1] / (slips[1, 1] - slips[0, 1])
        np.testing.assert_allclose(wheel.slip((vx, vz, yaw_rate), rate, 0.0, 0, spin), 0.0, atol=1e-14)

    def test_energy_is_the_integral_of_power(self):
        """Of sin t it is 1 - cos t; trapezia are off by at most h^2/12 times the time."""
        time = np.linspace(0.0, 3.0, 301)
        np.testing.assert_allclose(motion.integral(time, np.sin(time)), 1 - np.cos(time), atol=3.0 * 0.01**2 / 12)


class TestChosen(unittest.TestCase):
    def test_those_asked_for(self):
        data = Data(open_result(RESULT), Choices(instances=[7, 3, 7]))
        self.assertEqual([one.instance for one in chosen(data)], [7])
        self.assertEqual(missing(data), [3])

    def test_median_worst_and_failed_of_those_traced(self):
        result = open_result(RESULT)
        traced = np.arange(6, dtype=np.uint64)
        slip = np.arange(20.0)[::-1]
        status = np.zeros(20, dtype=np.int8)
        status[4] = 1
        many = dataclasses.replace(result, traced=traced, status=status, observables={"max_slip": slip},
                                   trajectories={name: np.repeat(values[:1], 6, axis=0) for name, values in result.trajectories.items()})
        found = {one.instance: one.why for one in chosen(Data(many))}
        self.assertEqual(list(found), [2, 0, 4])  # slips of 19, 18, 17, 16, 14: median 17, largest 19
        self.assertIn("median max_slip", found[2])
        self.assertIn("largest max_slip", found[0])
        self.assertEqual(found[4], "failed: wheel lifted")


class TestSection(unittest.TestCase):
    def test_has_every_picture_of_the_model_and_says_why_not(self):
        body = next(single.sections(Data(open_result(RESULT), Choices(instances=[7, 3])))).body
        for title in ("Path", "Velocity of the body", "Slip, friction and normal loads", "Contact forces", "Wheels and drives", "Energy"):
            self.assertTrue(f"<strong>{title}</strong>" in body, title)
        for words in ("No roller is exchanged", "Not traced, so not shown: 3", "max<wbr>_slip"):
            self.assertTrue(words in body, words)
        self.assertFalse("Relaxation" in body)

    def test_an_unbalanced_energy_is_said(self):
        result = open_result(RESULT)
        wrong = dataclasses.replace(result, observables={"energy_error": np.full(20, 0.5)})
        self.assertIn("do not balance", single._balance(wrong, 7))
        right = dataclasses.replace(result, observables={"energy_error": np.full(20, 1e-6)})
        self.assertEqual(single._balance(right, 7), "")


if __name__ == "__main__":
    unittest.main()
