"""The animated view: geometry of wheels against the samples of a run, its scenes, and the player in a browser."""

import base64
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "analysis")]
from browser import Browser, needs_browser  # noqa: E402
from omniroll.reading import checksums, roller_geometry  # noqa: E402
from omniroll.reading.roller_geometry import Wheel, wheels_of  # noqa: E402
from omniroll.reading import Result, open_result  # noqa: E402
from omniroll.report import animation, page, scenes, vehicles  # noqa: E402
from omniroll.report.data import Choices, Data, load  # noqa: E402

RESULT = os.environ["OMNIROLL_RESULT"]
FAILED_AT = 20  # sample of the instance that a copy of the result lets fail


def decoded(channel):
    """Samples [time, wheel] of a channel, as animation_data.js reads them."""
    integers = np.frombuffer(base64.b64decode(channel["data"]), dtype=f"<i{channel['bytes']}").astype(float)
    integers[integers == -2.0 ** (8 * channel["bytes"] - 1)] = np.nan
    return (channel["offset"] + channel["scale"] * integers).reshape(-1, channel["wide"])


def lowest_point(wheel, q):
    """(i, j, k) of the lowest point of a roller at the angle q from straight down, searched for on its surface: circles about its axis."""
    axial, size = wheel.profile(4001)
    c, s = np.cos(wheel.inclination), np.sin(wheel.inclination)
    axis = np.array([c * np.cos(q), c * np.sin(q), s])
    down = np.array([0.0, -1.0, 0.0]) - (-axis[1]) * axis  # the lowest point of a circle lies down its plane
    points = wheel.center_distance * np.array([np.sin(q), -np.cos(q), 0.0]) + axial[:, None] * axis + size[:, None] * down / np.linalg.norm(down)
    return points[np.argmin(points[:, 1])]


class TestGeometry(unittest.TestCase):
    SHAPES = [Wheel(0.1, 0.1 * np.cos(np.pi / 4), 4, 0.0), Wheel(0.1, 0.085, 9, np.pi / 4), Wheel(0.05, 0.04, 8, -0.6), Wheel(0.1, 0.08, 6, 0.0, 0.04)]

    def test_active_roller_angle_and_slip_are_those_of_the_kernels(self):
        """Stored by the run: roller, contact_angle, slip_i, slip_k."""
        result = open_result(RESULT)
        samples = {name: values[0] for name, values in result.trajectories.items()}
        for i, wheel in enumerate(wheels_of(result, 0)):
            one = {name: values[:, i] for name, values in samples.items() if values.ndim == 2}
            roller, q = wheel.active_roller(one["wheel_angle"], one["wheel_rate"])
            np.testing.assert_array_equal(roller, one["roller"])
            np.testing.assert_allclose(q, one["contact_angle"], atol=1e-12)
            motion = samples["vx"], samples["vz"], samples["yaw_rate"]
            slip = wheel.slip(motion, one["wheel_rate"], q, roller, one["roller_spin"])
            np.testing.assert_allclose(slip, (one["slip_i"], one["slip_k"]), atol=1e-12)

    def test_between_two_rollers_the_rate_decides(self):
        wheel = self.SHAPES[0]
        roller, q = wheel.active_roller(np.full(2, np.pi / 4), np.array([1.0, -1.0]))
        np.testing.assert_array_equal(roller, [3, 0])
        np.testing.assert_allclose(q, [-np.pi / 4, np.pi / 4])

    def test_the_lowest_point_of_a_roller_is_the_contact_point(self):
        """The profile rolls the wheel's centre at the height R, and the contact stands at -R j - p k (physics: source 1, section 5.2)."""
        for wheel in self.SHAPES:
            for q in np.linspace(-0.9, 0.9, 7) * np.pi / wheel.rollers:
                i, j, k = lowest_point(wheel, q)
                self.assertAlmostEqual(j, -wheel.radius, delta=1e-8)
                self.assertAlmostEqual(i, 0.0, delta=1e-4)
                self.assertAlmostEqual(k + wheel.row_shift(0), -wheel.contact_offset(q, 0), delta=1e-4)

    def test_a_disc_vehicle_has_no_rollers(self):
        result = open_result(RESULT)
        bare = dataclasses.replace(result, trajectories={name: v for name, v in result.trajectories.items() if name != "roller"})
        self.assertEqual([wheel.rollers for wheel in roller_geometry.wheels_of(bare, 0)], [0, 0, 0])


class TestScenes(unittest.TestCase):
    def test_channels_keep_values_to_their_precision(self):
        values = np.array([[1.0, -3.5], [np.nan, 2.25], [0.125, 7.0]])
        for size, bits in ((2, 15), (4, 31)):
            found = decoded(scenes.channel(values, size))
            np.testing.assert_array_equal(np.isnan(found), np.isnan(values))
            self.assertLessEqual(np.nanmax(np.abs(found - values)), 10.5 / 2 ** (bits + 1))
        np.testing.assert_array_equal(decoded(scenes.channel(np.full(3, 4.0))), np.full((3, 1), 4.0))

    def test_a_scene_has_the_samples_of_the_file(self):
        result = open_result(RESULT)
        made = scenes.scene(result, 1)
        for name, source in (("x", "x"), ("angle", "wheel_angle"), ("slip_i", "slip_i"), ("load", "normal_load")):
            stored = result.trajectories[source][1].reshape(made["count"], -1)
            np.testing.assert_allclose(decoded(made["channels"][name]), stored, atol=2e-5 * np.ptp(stored) + 1e-15)

    def test_long_trajectories_are_thinned_to_fit(self):
        result = open_result(RESULT)
        whole = scenes.scene(result, 0)
        before = scenes.PAGE_BYTES
        try:
            scenes.PAGE_BYTES = 2000
            made = scenes.scene(result, 0, 2)
        finally:
            scenes.PAGE_BYTES = before
        self.assertGreater(made["stride"], 1)
        self.assertAlmostEqual(made["step"], made["stride"] * made["stored"])
        np.testing.assert_allclose(decoded(made["channels"]["x"])[:, 0], decoded(whole["channels"]["x"])[::made["stride"], 0], atol=1e-9)

    def test_pure_rolling_leaves_the_lowest_point_of_the_rim_at_rest(self):
        """Floor and rim pass by equally: way of the centre along i plus R times the wheel angle stays 0; a positive rate drives towards -i."""
        time = np.linspace(0.0, 3.0, 61)
        vx, vz, yaw_rate = 0.4 * np.sin(time), 0.2 * time, 0.3 * np.cos(time)
        wheel = Wheel(0.1, 0.07, 4, 0.0, 0.0, 0.1, 0.2, np.sin(0.7), np.cos(0.7))
        speed = vehicles.along(wheel, vx, vz, yaw_rate)
        fine = np.linspace(0.0, 3.0, 60001)
        exact = vehicles.along(wheel, 0.4 * np.sin(fine), 0.2 * fine, 0.3 * np.cos(fine))
        angle = -np.concatenate([[0.0], np.cumsum(np.diff(fine) * 0.5 * (exact[1:] + exact[:-1]))])[::1000] / wheel.radius
        np.testing.assert_allclose(vehicles.travelled(time, speed[:, None])[:, 0] + wheel.radius * angle, 0.0, atol=2e-5)
        self.assertGreater(vehicles.along(Wheel(0.1, 0.07, 4, 0.0), 1.0, 0.0, 0.0), 0)  # axis to the right: i is forward

    def test_what_was_not_traced_says_how_to_trace(self):
        result = dataclasses.replace(open_result(RESULT), trajectories={}, traced=np.empty(0, dtype=np.uint64))
        body = next(animation.sections(Data(result))).body
        self.assertIn("output.trajectories", body)
        self.assertIn("&quot;interval&quot;: 0.001", body)  # 0.5 s in some 500 samples, whole steps of 1 ms


def failing_copy(folder):
    """The result, its second traced instance failing after FAILED_AT samples."""
    path = os.path.join(folder, "failing.h5")
    shutil.copy(RESULT, path)
    with h5py.File(path, "r+") as file:
        traces = file["trajectories"]
        for name in traces:
            if traces[name].ndim > 1 and traces[name].dims[1][0] == traces["time"]:
                traces[name][1, FAILED_AT + 1:] = np.nan
        number = int(traces["instance"][1])
        file["instances/status"][number] = 1
        file["instances/status_time"][number] = traces["time"][FAILED_AT] + 0.004
        changed: list = []
        file.visititems(lambda _, item: changed.append(item))
        for item in changed:
            checksums.renew(item)
    return path


def written(folder, path, choices=None):
    """A page with the animation alone."""
    data = load(path, choices)
    where = os.path.join(folder, os.path.basename(path) + ".html")
    with open(where, "w", encoding="utf-8") as file:
        file.write(page.page("animation", "", list(animation.sections(data)), ""))
    return where


def small_result(model, samples, study=None):
    """A result of a model of its own; samples [time] of one instance."""
    time = np.linspace(0.0, 1.0, len(next(iter(samples.values()))))
    return Result(path="made.h5", attrs={"model": model, "study": json.dumps(study or {})}, parameters={}, observables={}, units={}, long_names={},
                  status=np.zeros(1), status_time=np.ones(1), status_names={0: "ok"}, trajectories={k: v[None] for k, v in samples.items()},
                  time=time, traced=np.zeros(1, dtype=np.uint64))


STATE = "omniroll.animation.state()"


FORKS = {"model": "omni_vehicle", "parameters": {
    "layout": {"type": "explicit"}, "initial": {"vx": 0.5, "yaw_rate": 2}, "wheel": {"kind": "caster", "swivel": {"trail": 0.05}},
    "wheels": [{"x": 0.2, "z": -0.2, "kind": "plain"}, {"x": -0.2, "z": 0.1, "initial": {"steer": 2}}, {"x": 0.1, "z": 0.2, "axis_angle": 0.4},
               {"x": -0.1, "z": -0.2, "kind": "roller"}]},
    "integrator": {"tolerance": 1e-3, "duration": 0.1}, "output": {"trajectories": {"instances": [0], "interval": 0.01}}}


@needs_browser
@unittest.skipUnless("OMNIROLL" in os.environ, "needs the program")
class TestForks(unittest.TestCase):
    def test_wheels_stand_where_their_forks_have_them(self):
        """A wheel trails by t behind its swivel axis, against i of its turned axle, and touches the floor below its centre."""
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            study, path = (os.path.join(folder, name) for name in ("forks.json", "forks.h5"))
            with open(study, "w", encoding="utf-8") as file:
                json.dump(FORKS, file)
            subprocess.run([os.environ["OMNIROLL"], "run", study, "-q", "-o", path], check=True)
            result, page_of = open_result(path), browser.open(written(folder, path))
            k = 4
            page_of.value(f"(s => {{ s.value = {result.time[k]}; s.dispatchEvent(new Event('input')); }})(document.querySelector('[data-part=slider]'))")
            found = page_of.value(STATE)["wheels"]
            pose = [result.trajectories[name][0, k] for name in ("x", "z", "yaw")]
            for i, wheel in enumerate(FORKS["parameters"]["wheels"][:3]):
                delta = wheel.get("axis_angle", 0.0) + np.nan_to_num(result.trajectories["steer_angle"][0, k, i])
                trail = 0.05 if i else 0.0
                a, b, (c, s) = wheel["x"] - trail * np.cos(delta), wheel["z"] + trail * np.sin(delta), (np.cos(pose[2]), np.sin(pose[2]))
                np.testing.assert_allclose(found[i]["contact"], (pose[0] + a * c + b * s, pose[1] + b * c - a * s), atol=1e-6)
                self.assertEqual(found[i]["roller"], -1)  # none


@needs_browser
class TestPlayer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.source = failing_copy(cls.folder.name)
        cls.path = written(cls.folder.name, cls.source, Choices(instances=[0, 7]))
        cls.result = open_result(cls.source)
        cls.browser = Browser().__enter__()
        cls.page = cls.browser.open(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def setUp(self):
        self.page.value("omniroll.animation.instance(0), omniroll.animation.wheel(0), 0")

    def tearDown(self):
        self.assertEqual(self.page.errors, [])
        self.assertEqual(self.page.requests, [])

    def slide(self, time):
        """As by hand."""
        self.page.value(f"(s => {{ s.value = {time}; s.dispatchEvent(new Event('input')); }})(document.querySelector('[data-part=slider]'))")
        return self.page.value(STATE)

    def test_leaves_one_name_in_the_window(self):
        names = "Object.getOwnPropertyNames(window)"
        fresh = "(f => { const w = document.body.appendChild(f).contentWindow; const n = Object.getOwnPropertyNames(w); f.remove(); return n; })"
        blank = self.page.value(f"{fresh}(document.createElement('iframe'))")
        ours = [name for name in self.page.value(names) if name not in blank and not re.match(r"^\d+$|animation-|theme$", name)]
        self.assertEqual(ours, ["omniroll"])

    def test_does_not_start_by_itself_and_draws(self):
        self.assertFalse(self.page.value(f"{STATE}.playing"))
        for view in ("above", "side", "contact"):
            self.assertGreater(self.colors(view), 8, view)

    def colors(self, view):
        """How many colours a canvas has."""
        return self.page.value("(c => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size)"
                               f"(document.querySelector('[data-part={view}]'))")

    def test_slider_moves_to_the_pose_of_the_file(self):
        k = 33
        found = self.slide(float(self.result.time[k]))
        for name in ("x", "z", "yaw"):
            self.assertAlmostEqual(found[name], self.result.trajectories[name][0, k], delta=1e-8)
        for i, wheel in enumerate(found["wheels"]):
            stored = {name: values[0, k, i] for name, values in self.result.trajectories.items() if values.ndim == 3}
            self.assertEqual(wheel["roller"], stored["roller"])
            self.assertAlmostEqual(wheel["q"], stored["contact_angle"], delta=1e-7)
            for name, parts in (("slip", wheel["slip"]), ("force", wheel["force"])):
                for axis, value in zip("ik", parts):
                    column = self.result.trajectories[f"{name}_{axis}"][0, :, :]
                    self.assertAlmostEqual(value, stored[f"{name}_{axis}"], delta=np.ptp(column) / 2 ** 16 + 1e-12)

    def test_contact_points_stand_where_the_formulas_put_them(self):
        k = 21
        found = self.slide(float(self.result.time[k]))
        x, z, yaw = (self.result.trajectories[name][0, k] for name in ("x", "z", "yaw"))
        for i, wheel in enumerate(wheels_of(self.result, 0)):
            angle, rate = (self.result.trajectories[name][0, k, i] for name in ("wheel_angle", "wheel_rate"))
            roller, q = wheel.active_roller(angle, rate)
            p = wheel.contact_offset(q, roller)
            a, b = wheel.x - p * wheel.axis_x, wheel.z - p * wheel.axis_z
            expected = x + a * np.cos(yaw) + b * np.sin(yaw), z + b * np.cos(yaw) - a * np.sin(yaw)
            np.testing.assert_allclose(found["wheels"][i]["contact"], expected, atol=1e-7)

    def test_between_samples_angles_follow_their_rates(self):
        """The cubic through both samples with their rates: nearer to the neighbours' own interpolation than a straight line."""
        k = 10
        found = self.slide(float(self.result.time[k] + 0.3 * (self.result.time[1] - self.result.time[0])))
        h = self.result.time[1] - self.result.time[0]
        for i, wheel in enumerate(found["wheels"]):
            y0, y1 = self.result.trajectories["wheel_angle"][0, k:k + 2, i]
            d0, d1 = h * self.result.trajectories["wheel_rate"][0, k:k + 2, i]
            s = 0.3
            cubic = y0 * (1 + 2 * s) * (1 - s)**2 + d0 * s * (1 - s)**2 + y1 * s * s * (3 - 2 * s) + d1 * s * s * (s - 1)
            self.assertAlmostEqual(wheel["angle"], cubic, delta=1e-6)

    def test_play_advances_and_pause_stops(self):
        self.page.value("document.querySelector('[data-part=play]').click()")
        moved = self.page.value("new Promise(done => setTimeout(() => done(omniroll.animation.state().time), 250))")
        self.assertGreater(moved, 0.02)
        self.page.value("document.querySelector('[data-part=play]').click()")
        self.assertFalse(self.page.value(f"{STATE}.playing"))

    def test_keys(self):
        self.page.value("document.getElementById('animation-player').focus()")
        self.page.press("ArrowRight", 39)
        self.assertAlmostEqual(self.page.value(f"{STATE}.time"), self.result.time[1], places=9)
        self.page.press("End", 35)
        self.assertAlmostEqual(self.page.value(f"{STATE}.time"), self.result.time[-1], places=9)
        self.page.press("ArrowLeft", 37)
        self.assertAlmostEqual(self.page.value(f"{STATE}.time"), self.result.time[-2], places=9)
        self.page.press("Home", 36)
        self.page.press(" ", 32)
        self.assertTrue(self.page.value(f"{STATE}.playing"))
        self.page.press(" ", 32)
        self.assertFalse(self.page.value(f"{STATE}.playing"))

    def test_another_wheel_and_another_instance(self):
        self.page.value("(s => { s.value = '2'; s.dispatchEvent(new Event('change')); })(document.querySelector('[data-part=wheel]'))")
        self.assertEqual(self.page.value(f"{STATE}.wheel"), 2)
        self.page.value("(s => { s.value = '1'; s.dispatchEvent(new Event('change')); })(document.querySelector('[data-part=instance]'))")
        self.assertEqual(self.page.value(f"{STATE}.instance"), 7)
        found = self.slide(float(self.result.time[5]))
        self.assertAlmostEqual(found["x"], self.result.trajectories["x"][1, 5], delta=1e-8)

    def test_a_failed_instance_stops_where_it_failed_and_says_so(self):
        self.page.value("omniroll.animation.instance(1), 0")
        found = self.slide(99)
        self.assertAlmostEqual(found["time"], self.result.time[FAILED_AT], places=9)
        self.assertGreater(self.colors("marks"), 1)  # the end is marked
        self.assertIn("wheel lifted", self.page.value("document.querySelector('[data-part=failed]').textContent"))

    def test_follows_the_theme(self):
        pixel = "Array.from(document.querySelector('[data-part=side]').getContext('2d').getImageData(0, 0, 400, 400).data).reduce((a, b) => a + b, 0)"
        light = self.page.value(pixel)
        self.page.value("document.getElementById('theme').click()")
        self.assertNotEqual(self.page.value(pixel), light)
        self.page.value("document.getElementById('theme').click()")
        self.assertEqual(self.page.value(pixel), light)

    def test_fits_a_phone(self):
        self.page.resize(390, 844)
        self.assertLessEqual(self.page.value("document.documentElement.scrollWidth"), 390)
        self.page.resize(1280)

    def test_models_of_bodies_alone(self):
        """Wheelset, snakeboard, disc, and wheel and block of source 5, moving along x at 0.5 m/s."""
        ramp, zero, one = np.linspace(0.0, 0.5, 11), np.zeros(11), np.ones(11)
        plane = {"x": ramp, "z": zero, "yaw": zero, "yaw_rate": zero}
        models = {
            "wheelset": {**plane, "forward_velocity": 0.5 * one, "left_x": ramp, "left_z": -one, "right_x": ramp, "right_z": one,
                         "left_force": one, "right_force": one, "lateral_force": zero},
            "snakeboard": {**plane, "vx": 0.5 * one, "vz": zero, "front_angle": 0.1 * one, "rear_angle": zero, "rotor_angle": zero,
                           "front_force": one, "rear_force": one},
            "rolling_disc": {"x": ramp, "z": zero, "vx": 0.5 * one, "vz": zero, "contact_x": ramp, "contact_z": zero, "heading": zero,
                             "axis_x": zero, "axis_y": zero, "axis_z": -one, "tilt": one, "spin": one, "slip_lateral": zero,
                             "slip_longitudinal": 0.1 * one, "friction_force_lateral": zero, "friction_force_longitudinal": one},
            "uk_wheel": {"x": ramp, "velocity": 0.5 * one, "wheel_angle": ramp / 0.3, "wheel_rate": one / 0.6, "slip": zero, "contact_force": one,
                         "normal_load": one, "friction": one, "weight": one},
            "sliding_block": {"x": ramp, "velocity": 0.5 * one, "applied_force": one, "contact_force": 0.5 * one},
        }
        models["elastic_wheel"] = models["uk_wheel"]
        for model, samples in models.items():
            with self.subTest(model):
                where = os.path.join(self.folder.name, f"{model}.html")
                with open(where, "w", encoding="utf-8") as file:
                    file.write(page.page(model, "", list(animation.sections(Data(small_result(model, samples)))), ""))
                shown = self.browser.open(where)
                found = shown.value("omniroll.animation.seek(0.55), omniroll.animation.state()")
                self.assertEqual(shown.errors, [])
                self.assertAlmostEqual(found["x"], 0.275, places=6)
                if model in ("uk_wheel", "elastic_wheel"):  # rolls: way of the centre plus R times the angle about k
                    self.assertAlmostEqual(found["wheels"][0]["travel"] + 0.3 * found["wheels"][0]["angle"], 0.0, places=6)
                shown.close()


if __name__ == "__main__":
    unittest.main()
