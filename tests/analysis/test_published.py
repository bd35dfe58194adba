"""Figures of the source papers (studies/papers): what they compute, against motions made here whose answers are known, and
that each is drawn from its ready study by the program (OMNIROLL)."""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from matplotlib.figure import Figure

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(ROOT, "analysis"), os.path.join(ROOT, "studies"), os.path.dirname(os.path.abspath(__file__))]

from omniroll import figures  # noqa: E402
from omniroll.reading import Result, open_result  # noqa: E402
from short_form import nightly  # noqa: E402
from papers import massless, published, snakeboard, wheelset  # noqa: E402

RADIUS, ROLLERS = 0.1, 4
TIME = np.linspace(0, 2, 2001)


def result(trajectories, wheels, parameters=None, model="omni_wheel", time=TIME):
    count = len(next(iter(trajectories.values())))
    return Result(path="made.h5", attrs={"model": model, "title": "made"}, parameters=parameters or {}, observables={}, units={},
                  long_names={}, status=np.zeros(count, dtype=int), status_time=np.full(count, time[-1]),
                  status_names={0: "ok"}, trajectories=trajectories, time=time, traced=np.arange(count, dtype=np.uint64),
                  wheels=wheels)


def wheel(count=1, psi=0.0, center=RADIUS * np.cos(np.pi / ROLLERS)):
    shape = (count, 1)
    return {"wheel_radius": np.full(shape, RADIUS), "center_distance": np.full(shape, center),
            "rollers": np.full(shape, float(ROLLERS)), "inclination": np.full(shape, psi)}


def rolling(rate=3.0, growth=0.0, shift=0.0):
    """chi = rate t + growth t^2 / 2 + shift, with the roller that then is in contact: [time, 1] each."""
    angle = rate * TIME + 0.5 * growth * TIME**2 + shift
    turn = 2 * np.pi / ROLLERS
    return {"wheel_angle": angle[:, None], "wheel_rate": (rate + growth * TIME)[:, None],
            "wheel_acceleration": np.full((len(TIME), 1), growth), "roller": ((-np.round(angle / turn)) % ROLLERS)[:, None]}


def traced(*motions):
    return {name: np.array([motion[name] for motion in motions]) for name in motions[0]}


class Tracking(unittest.TestCase):
    def compared(self, shift):
        return result(traced(rolling(), rolling(shift=shift)), wheel(2), {"contact_tracking": np.array([0.0, 1.0])})

    def test_velocity_and_acceleration_of_a_roller_are_the_derivatives_of_its_height(self):
        motion = published.roller_centre(result(traced(rolling(growth=2.0)), wheel()), 0, 1)
        h = TIME[1] - TIME[0]
        for rate, of in (("velocity", "position"), ("acceleration", "velocity")):
            differences = (motion[of][2:] - motion[of][:-2]) / (2 * h)  # error h^2/6 times the third derivative, of order 10
            np.testing.assert_allclose(motion[rate][1:-1], differences, atol=1e-4)

    def test_a_shift_of_the_angle_is_the_difference_that_is_drawn(self):
        shift = 1e-9
        found = published.tracking_differences(self.compared(shift))["position"]
        q = 3.0 * TIME + 2 * np.pi / ROLLERS  # roller 1
        expected = RADIUS * np.cos(np.pi / ROLLERS) * np.sin(q) * shift
        np.testing.assert_allclose(found, expected, atol=1e-16)
        figure = published.draw("source1-fig10", self.compared(shift))
        np.testing.assert_array_equal(figure.axes[0].lines[0].get_ydata(), found)
        np.testing.assert_allclose(np.nan_to_num(figure.axes[1].lines[0].get_ydata()), np.abs(found))
        self.assertEqual([axes.get_yscale() for axes in figure.axes], ["linear", "log"])
        self.assertIn("7.1e-11 m in position (paper: 1e-6)", figure.axes[0].get_title(loc="left"))

    def test_equal_motions_are_drawn_too(self):
        published.draw("source1-figs8-10", self.compared(0.0))

    def test_the_order_of_the_instances_does_not_matter(self):
        one = self.compared(1e-9)
        other = dataclasses.replace(one, trajectories={name: values[::-1] for name, values in one.trajectories.items()},
                                    parameters={"contact_tracking": np.array([1.0, 0.0])})
        for name, values in published.tracking_differences(one).items():
            np.testing.assert_array_equal(values, published.tracking_differences(other)[name])

    def test_a_study_of_something_else_is_refused_with_the_one_to_run(self):
        for parameters in ({}, {"contact_tracking": np.array([0.0, 0.0])}):
            with self.assertRaises(figures.Skipped) as caught:
                published.draw("source1-fig8", result(traced(rolling(), rolling()), wheel(2), parameters))
            self.assertRegex(str(caught.exception), "tracking_compare.json|one with explicit")


class Rollers(unittest.TestCase):
    def test_centres_stand_on_a_circle(self):
        made = result(traced(rolling()), wheel())
        center = RADIUS * np.cos(np.pi / ROLLERS)
        expected = RADIUS - center * np.cos(3.0 * TIME[:, None] + 2 * np.pi * np.arange(ROLLERS) / ROLLERS)
        np.testing.assert_allclose(published.centre_heights(made, 0), expected, atol=1e-15)

    def test_the_roller_in_contact_is_on_the_floor_and_no_other_below_it(self):
        for psi, center in ((0.0, RADIUS * np.cos(np.pi / ROLLERS)), (0.35, RADIUS * np.cos(np.pi / ROLLERS)), (-0.6, 0.06)):
            made = result(traced(rolling()), wheel(psi=psi, center=center))
            distance = published.floor_distances(made, 0)
            active = made.trajectories["roller"][0, :, 0].astype(int)
            np.testing.assert_allclose(distance[np.arange(len(TIME)), active], 0, atol=1e-16)
            self.assertGreater(distance.min(), -1e-15)

    def test_tips_of_straight_pointed_rollers_ride_on_the_rim(self):
        """With psi = 0 the tip is a point of the rolling rim, R (1 - cos) high (as tests/physics/test_geometry.c)."""
        distance = published.floor_distances(result(traced(rolling()), wheel()), 0)
        beyond = np.abs((3.0 * TIME + np.pi) % (2 * np.pi) - np.pi) - np.pi / ROLLERS
        near = (beyond > 0) & (beyond < np.pi / ROLLERS)
        np.testing.assert_allclose(distance[near, 0], RADIUS * (1 - np.cos(beyond[near])), atol=1e-15)

    def test_the_highest_roller_hangs_with_its_middle_lowest(self):
        """Straight above the wheel's centre: the lowest point of its thickest section, R + R1 - (R - R1) = 2 R1 high."""
        distance = published.floor_distances(result(traced(rolling(rate=0.0)), wheel()), 0)
        np.testing.assert_allclose(distance[:, 2], 2 * RADIUS * np.cos(np.pi / ROLLERS), atol=1e-15)

    def test_exchanges_are_drawn_where_the_roller_passes_its_edge(self):
        """A wheel at 3 rad/s gives the floor to the next roller at (2 k + 1) pi/n over its rate, whichever samples are near."""
        for rate in (3.0, -3.0):
            made = result(traced(rolling(rate=rate)), wheel())
            found = published.exchange_times(made, 0)
            moments = (2 * np.arange(len(found)) + 1) * np.pi / ROLLERS / 3.0
            self.assertGreater(len(found), 1)
            np.testing.assert_allclose([moment for moment, _, _ in found], moments, atol=1e-12)
            figure = published.draw("source2-fig9", made)
            dotted = [line for line in figure.axes[1].lines if line.get_linestyle() == ":"]
            self.assertAlmostEqual(dotted[0].get_xdata()[0], moments[1], delta=1e-12)
            thick = [line for line in figure.axes[1].lines if line.get_linewidth() == 4.0]
            self.assertEqual(len(thick), 2)  # one roller carries up to the instant, the next from it on
            self.assertAlmostEqual(thick[0].get_xdata()[-1], moments[1], delta=1e-12)
            self.assertAlmostEqual(thick[1].get_xdata()[0], moments[1], delta=1e-12)

    def test_a_wheel_that_exchanges_no_roller_is_refused(self):
        with self.assertRaises(figures.Skipped):
            published.draw("source2-fig9", result(traced(rolling(rate=0.1)), wheel()))


class Vehicles(unittest.TestCase):
    def vehicle(self, speed, yaw_rate):
        zero = np.zeros((1, len(TIME)))
        samples = {"x": zero, "z": speed * TIME[None], "yaw": yaw_rate * TIME[None], "vx": zero, "vz": zero + speed,
                   "yaw_rate": zero + yaw_rate}
        angle = 2 * np.pi * np.arange(3) / 3
        wheels = {"wheel_x": 0.25 * np.sin(angle), "wheel_z": 0.25 * np.cos(angle), "axis_x": np.sin(angle),
                  "axis_z": np.cos(angle), "wheel_radius": np.full(3, RADIUS)}
        return result(samples, {name: values[None] for name, values in wheels.items()}, model="omni_vehicle")

    def test_both_runs_stand_side_by_side(self):
        figure = published.draw("source2-fig8", self.vehicle(0.5, 0.0), self.vehicle(0.0, 2.0))
        titles = [axes.get_title(loc="left") for axes in figure.axes]
        self.assertIn("(a) translation to the right", titles)
        self.assertIn("(b) rotation on the spot", titles)
        self.assertIn("fig. 8", figure._supxlabel.get_text())

    def test_wheels_are_drawn_where_they_stand(self):
        """Wheel 0 stands to the right with its plane forward; a quarter turn of yaw > 0 puts it ahead, its plane to the left."""
        for yaw, ends in ((0.0, [(0.25, -0.1), (0.25, 0.1)]), (np.pi / 2, [(0.1, 0.25), (-0.1, 0.25)])):
            made = self.vehicle(0.0, yaw / TIME[-1])
            axes = Figure().add_subplot()
            published._vehicle_outline(axes, made, 0, len(TIME) - 1, "black")
            np.testing.assert_allclose(axes.lines[1].get_xydata(), ends, atol=1e-15)


class Registry(unittest.TestCase):
    def run_plot(self, *arguments):
        environment = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "analysis"), MPLBACKEND="Agg")
        return subprocess.run([sys.executable, "-B", "-m", "omniroll.plot", *arguments], capture_output=True, text=True,
                              env=environment)

    def test_every_entry_has_a_function_with_a_docstring_and_a_caption_with_its_source(self):
        for name, (function, caption) in published.FIGURES.items():
            self.assertRegex(name, r"^(source\d-(figs?\d+(-\d+)?|massless|gaits|disc|geometry|friction|tracking|wheelset|eq\d+)|uk-gains|uk-calibration|stick-slip|elastic-rim|robots)$")
            self.assertTrue(function.__doc__)
            self.assertRegex(caption, r"figs? ?\.? ?\d+|section \d|only figure of|printed in|closed form|measured by")
            self.assertIn(".json", caption)

    def massless(self, folder):
        """Explicit rollers tend to massless ones with the first power of their mass."""
        study = os.path.join(ROOT, "studies", "massless_limit.json")
        files = [os.path.join(folder, f"{name}.h5") for name in ("massless_limit", "massless")]
        for file, sets in zip(files, ([], ["--set", "parameters.contact.law=massless_rollers", "--set", "vary=[]"])):
            subprocess.run([os.environ["OMNIROLL"], "run", study, "-o", file, "--quiet", "--set", "engine.backend=openmp", *sets],
                           check=True, capture_output=True)
        density, way, _ = massless.deviations(*map(open_result, files))
        light = density < 1
        self.assertGreater(light.sum(), 5)
        ratio = way[light] / density[light]
        self.assertLess(np.ptp(ratio) / ratio.mean(), 2e-3)  # by mass alone, the next order is the mass itself
        done = self.run_plot(*files, "--figure", "source2-massless", "-o", os.path.join(folder, "plots"))
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(os.environ.get("OMNIROLL"), "OMNIROLL names no program")
    def test_gaits_of_source_3_are_drawn_from_their_studies(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for name in ("drive", "rotate", "parking"):
                files.append(os.path.join(folder, f"{name}.h5"))
                study = os.path.join(ROOT, "studies", f"snakeboard_{name}.json")
                subprocess.run([os.environ["OMNIROLL"], "run", study, "-o", files[-1], "--quiet", "--set", "engine.backend=openmp"],
                               check=True, capture_output=True)
            drive, rotate, parking = map(open_result, files)
            for opened in (drive, rotate, parking):  # the study's half_length
                self.assertAlmostEqual(snakeboard.half_length(opened, 0), 0.2, places=12)
            way = {name: (r.observables["final_x"][0], r.observables["final_z"][0], r.observables["final_yaw"][0])
                   for name, r in (("drive", drive), ("rotate", rotate), ("parking", parking))}
            self.assertGreater(way["drive"][0], 20 * abs(way["drive"][1]))
            self.assertGreater(abs(way["rotate"][2]), 12)
            self.assertLess(np.nanmax(np.hypot(rotate.trajectories["x"][0], rotate.trajectories["z"][0])), 0.12)
            self.assertGreater(abs(way["parking"][1]), 1)
            self.assertLess(abs(way["parking"][2]), 0.01)
            figure = published.draw("source3-gaits", drive, rotate, parking)
            self.assertEqual(len(figure.axes), 9)  # six panels, three of them with a second axis
            done = self.run_plot(*files, "--figure", "source3-gaits", "-o", os.path.join(folder, "plots"))
            self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(os.environ.get("OMNIROLL"), "OMNIROLL names no program")
    def test_compliant_wheelsets_come_to_the_ideal_one(self):
        """Ten times the stiffness and damping of source 3, a tenth of the distance: order 1."""
        program, study = os.environ["OMNIROLL"], os.path.join(ROOT, "studies", "wheelset.json")
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, f"{name}.h5") for name in ("ideal", "1", "10")]
            subprocess.run([program, "run", study, "-o", files[0], "--quiet", "--set", "engine.backend=openmp"], check=True, capture_output=True)
            for file, factor in zip(files[1:], (1, 10)):
                varied = [{"path": "joint.stiffness", "values": [1000 * factor]}, {"path": "joint.damping", "values": [5000 * factor]}]
                done = subprocess.run([program, "reference", "-q", "--reference-method", "bdf", "--reference-tolerance", "1e-10", "--set",
                                       f"vary={json.dumps(varied)}", "-o", file, "--", study], capture_output=True, text=True)
                if done.returncode == 4:
                    self.skipTest("this build has no reference")
                self.assertEqual(done.returncode, 0, done.stderr)
            ideal, *compliant = map(open_result, files)
            away, turned = zip(*(map(np.nanmax, wheelset.distances(ideal, result)) for result in compliant))
            for values in (away, turned):
                self.assertLess(values[0], 5e-3)
                self.assertAlmostEqual(values[0] / values[1], 10, delta=1)
            self.assertEqual(wheelset.joints(compliant[1]), (10000, 50000))
            self.assertEqual(len(published.draw("source3-wheelset", ideal, *compliant).axes), 3)
            with self.assertRaises(figures.Skipped):
                published.draw("source3-wheelset", ideal, ideal)

    def test_gaits_are_not_drawn_of_another_model(self):
        with self.assertRaises(figures.Skipped):
            published.draw("source3-gaits", result(traced(rolling()), wheel()))

    def test_each_has_its_row_in_the_documentation(self):
        with open(os.path.join(ROOT, "docs", "evidence", "papers.md"), encoding="utf-8") as file:
            text = file.read()
        for name in published.FIGURES:
            self.assertIn(f"\n| `{name}` | ", text)

    def test_help_lists_them(self):
        done = self.run_plot("--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in published.FIGURES:
            self.assertIn(name, done.stdout)

    @nightly("studies/papers draws figures by the program, and the tests above draw each of motions that are made here")
    @unittest.skipUnless(os.environ.get("OMNIROLL"), "OMNIROLL names no program")
    def test_each_is_drawn_from_its_ready_study(self):
        runs = {"tracking_compare": ["source1-fig8", "source1-fig9", "source1-fig10", "source1-figs8-10"],
                "vehicle_translation+vehicle_rotation": ["source2-fig8"], "roller_heights": ["source2-fig9"]}
        with tempfile.TemporaryDirectory() as folder:
            for studies, names in runs.items():
                files = [os.path.join(folder, f"{study}.h5") for study in studies.split("+")]
                for file, study in zip(files, studies.split("+")):
                    subprocess.run([os.environ["OMNIROLL"], "run", os.path.join(ROOT, "studies", f"{study}.json"), "-o", file,
                                    "--quiet", "--set", "engine.backend=openmp"], check=True, capture_output=True)
                done = self.run_plot(*files, "--figure", *names, "-o", os.path.join(folder, "plots"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual([os.path.basename(path) for path in done.stdout.split()], [f"{name}.png" for name in names])
            self.massless(folder)
            self.refusals(os.path.join(folder, "tracking_compare.h5"), os.path.join(folder, "vehicle_rotation.h5"))
            self.agreement(os.path.join(folder, "tracking_compare.h5"))

    def refusals(self, testbench, vehicle):
        for arguments, fragment in (([testbench, "--figure", "source1-fig7"], "there is no figure 'source1-fig7'"),
                                    ([testbench, "--figure", "source2-fig8"], "it shows vehicles"),
                                    ([vehicle, "--figure", "source1-fig8"], "does not vary contact.tracking"),
                                    ([testbench, vehicle, "--figure", "source1-fig8"], "not drawn from 2 result files"),
                                    ([testbench, vehicle], "several results go together only")):
            done = self.run_plot(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(fragment, done.stderr)
            self.assertEqual(len(done.stderr.strip().split("\n")), 1, done.stderr)

    def agreement(self, path):
        """Source 1: 1e-8, 1e-7 and 1e-6 over 10 units of time. It must not be zero either: two computations are compared."""
        import omniroll
        compared = omniroll.open_result(path)
        self.assertEqual(compared.time[-1], 10.0)
        for name, difference in published.tracking_differences(compared).items():
            self.assertLess(np.abs(difference).max(), published.COMPARED[name][1])
            self.assertGreater(np.abs(difference).max(), 0.0)


if __name__ == "__main__":
    unittest.main()
