"""studies/robots/forces.py: logs as the studies take them, models that find what made a run, and a robot of the engine's own that is fitted and predicted."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HERE = os.path.join(ROOT, "studies", "robots")
sys.path.insert(0, HERE)

import forces  # noqa: E402

PROGRAM = os.environ.get("OMNIROLL")
SHAPES = {"x": [1, 1, 1, 1], "y": [-1, 1, 1, -1], "spin": [-1, 1, -1, 1]}
TRUTH = {"wheel.motor.resistance": 1.1, "wheel.motor.torque_constant": 0.3, "platform.yaw_inertia": 0.2}
HEADER = "t [s],front_left [V],front_right [V],rear_left [V],rear_right [V],vx [m/s],vy [m/s],yaw_rate [rad/s]"


def steps(shape: list[float], volts: float) -> forces.Run:
    """Rows of a run there and back without velocities, and its axes."""
    times = np.arange(0, 1.6, forces.INTERVAL)
    level = np.where(times < 0.2, 0, np.where(times < 0.7, volts, np.where(times < 1.2, -volts, 0)))
    return times, np.outer(level, shape), np.zeros((len(times), 3))


def write(path: str, rows: np.ndarray) -> None:
    np.savetxt(path, rows, delimiter=",", header=HEADER, comments="", fmt="%.6f")


class Logs(unittest.TestCase):
    def test_duties_become_volts_and_inches_metres(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("time,battery_voltage,fl,fr,bl,br,x_position,y_position,angle,x_velocity,y_velocity,angular_velocity\n")
                for i in range(60):  # rest, 1 s of duties of 0.5 and (beyond the whole) 2, rest; the battery is not known at first
                    duty = 0.5 if 20 <= i < 40 else 0.0
                    angle = 3 * 0.05 * i - 2 * np.pi * (i > 30)  # which jumps
                    file.write(f"{0.05 * i},{0 if i == 0 else 12},{duty},{4 * duty},{-duty},0,0,0,{angle},10,-20,0.002\n")
            rows = np.array(forces.converted(path, 0.0254))
        self.assertEqual(rows[0, 0], 0)
        self.assertAlmostEqual(rows[-1, 0], 1 + 3 * forces.REST, delta=0.11)  # of what is at rest little is kept
        driven = rows[np.abs(rows[:, 1]) > 0]
        np.testing.assert_allclose(driven[:, 1:5], np.tile([6, 12, -6, 0], (20, 1)))
        np.testing.assert_allclose(rows[:, 5:7], np.tile([0.254, -0.508], (len(rows), 1)))
        np.testing.assert_allclose(rows[:, 7], 3, rtol=1e-9)  # by the angle, since the rate was not logged


    def test_the_arm_of_the_tracked_point_is_taken_off(self):
        rate = 3 * np.sin(np.arange(0, 5, 0.05))
        rows = np.column_stack([np.arange(0, 5, 0.05), np.zeros((100, 4)), -0.05 * rate, 0.02 * rate, rate])  # 2 cm ahead, 5 cm to the left
        with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
            for robot in list(forces.ROBOTS)[:1]:
                for name in forces.ROBOTS[robot]["fit"] + forces.ROBOTS[robot]["predict"]:
                    write(forces.place(data, robot, name), rows)
                np.testing.assert_allclose(forces.centred(robot, data, folder), [0.02, 0.05], atol=1e-5)
                _, _, velocity = forces.loaded(forces.place(folder, robot, "x"))
        np.testing.assert_allclose(velocity[:, :2], 0, atol=2e-4)
        np.testing.assert_allclose(velocity[:, 2], rate[:99], atol=1e-4)


class Models(unittest.TestCase):
    def test_each_finds_what_made_the_runs(self):
        truth = np.array([0.15, 0.2, 1.0, 0.12, 0.15, 1.5, 0.6, 0.07, 0.8, 0.08])
        for kind, told in forces.MODELS.items():
            runs = []
            for axis in range(3):
                times, _, still = steps([1, 1, 1, 1], 10)
                run = (times, np.outer(steps([1], 10)[1][:, 0] + 3 * np.sin(4 * times), np.eye(3)[axis]), still)
                runs.append((run[0], run[1], forces.body(kind, truth, run)))
            found = forces.fitted(kind, runs)
            np.testing.assert_allclose(found[told], truth[told], rtol=0.05, atol=2e-3, err_msg=kind)

    def test_dry_friction_holds_at_rest_and_stops_what_coasts(self):
        times = np.arange(0, 2, forces.INTERVAL)
        p = np.array([0.15, 0.2, 1.0])
        np.testing.assert_array_equal(forces.axis("with friction", p, times, np.full(len(times), 0.9)), 0)
        coasting = forces.axis("with friction", p, times, np.where(times < 1, 8.0, 0.0))
        # v' = -(v + K f) / tau: at rest after tau ln(1 + v / (K f)) = 0.2 s ln 8 = 0.42 s
        self.assertGreater(coasting[int(1.35 / forces.INTERVAL)], 0)
        self.assertEqual(coasting[int(1.5 / forces.INTERVAL)], 0)


class Book(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(HERE, "forces.json"), encoding="utf-8") as file:
            cls.books = json.load(file)

    def test_the_page_has_its_table(self):
        with open(os.path.join(ROOT, "docs", "evidence", "robots.md"), encoding="utf-8") as file:
            page = file.read()
        for line in forces.tables(self.books).splitlines():
            self.assertIn(line, page)

    def test_its_runs_are_those_of_the_script(self):
        for robot, book in self.books.items():
            self.assertEqual([run["name"] for run in book["runs"] if run["fitted"]], forces.ROBOTS[robot]["fit"])
            self.assertEqual([run["name"] for run in book["runs"] if not run["fitted"]], forces.ROBOTS[robot]["predict"])


@unittest.skipUnless(PROGRAM, "no program")
class Engine(unittest.TestCase):
    def test_a_robot_of_its_own_is_predicted_better_than_by_a_first_order_model(self):
        robot = "made"
        with tempfile.TemporaryDirectory() as folder:
            forces.ROBOTS[robot] = {"fit": ["x", "y", "spin"], "predict": ["xy"], "mass": 12.0, "half": ["198 mm", "122 mm"]}
            self.addCleanup(forces.ROBOTS.pop, robot)
            shapes = SHAPES | {"xy": [0, 1, 1, 0]}
            for name, shape in shapes.items():
                times, volts, still = steps([float(one) for one in shape], 6 if name == "xy" else 10)
                write(forces.place(folder, robot, name), np.column_stack([times, volts, still]))
            plain = forces.study(robot, folder)
            plain["design"] = {"type": "list", "paths": list(TRUTH), "rows": [list(TRUTH.values())]}
            plain.pop("vary")
            plain["data"].pop("time_offset")
            plain["output"]["trajectories"] = {"instances": "all", "interval": forces.INTERVAL}
            plain["integrator"]["step_error"] = "off"
            for index, name in enumerate(shapes):
                self.drive(plain, index, forces.place(folder, robot, name), folder)
            unknown = [one for one in forces.study(robot, folder)["vary"] if one["path"] in TRUTH]
            sets = ["--set", "calibrate.members=16", "--set", f"vary={json.dumps(unknown)}"]
            book = forces.book_of(robot, folder, lambda runs: forces.calibrated(robot, runs, str(PROGRAM), sets))
        apart = book["runs"][-1]
        self.assertFalse(apart["fitted"])
        self.assertLess(apart["errors"]["omniroll"][0], 0.1 * apart["size"][0])  # found: 0.07, of which noise has 0.04; the others have 0.39 to 0.47
        self.assertLess(apart["errors"]["omniroll"][1], 0.02)
        self.assertLess(apart["errors"]["omniroll"][0], 0.3 * apart["errors"]["first order"][0])
        for path, true in TRUTH.items():
            mean, deviation, _ = book["parameters"][path]
            self.assertLess(abs(mean - true), 3 * deviation, path)

    def drive(self, plain: dict, index: int, path: str, folder: str) -> None:
        """Puts the velocities of a run of the study, 80 ms late and with noise, into its file."""
        study, result = os.path.join(folder, "study.json"), os.path.join(folder, f"{index}.h5")
        with open(study, "w", encoding="utf-8") as file:
            json.dump(plain | {"data": plain["data"] | {"run": index}}, file)
        subprocess.run([PROGRAM, "run", "-q", study, "-o", result], check=True)
        import h5py

        rows = np.genfromtxt(path, delimiter=",", skip_header=1)
        with h5py.File(result) as file:
            for k, name in enumerate(forces.VELOCITIES):
                values = np.atleast_2d(file[f"trajectories/{name}"][()])[0]
                late = np.interp(rows[:, 0] - 0.08, forces.INTERVAL * np.arange(len(values)), values)
                rows[:, 5 + k] = late + np.random.default_rng(10 * index + k).normal(0, 0.01, len(rows))
        write(path, rows)


if __name__ == "__main__":
    unittest.main()
