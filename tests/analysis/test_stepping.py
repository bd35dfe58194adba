"""Batches that Python steps, and the task of tracking on them. The bits are those of omniroll.run. What belongs to Gymnasium needs the library
gymnasium; without it those tests are skipped, and one says what is to be installed. OMNIROLL_LIBRARY names the library."""

import contextlib
import csv
import io
import os
import pickle
import runpy
import sys
import tempfile
import threading
import time
import unittest
import warnings
from unittest import mock

import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

import omniroll  # noqa: E402
from omniroll.stepping import FIGURES, Reference, Tracking  # noqa: E402

try:
    import gymnasium
except ImportError:
    gymnasium = None
NEEDED = unittest.skipUnless(gymnasium, "gymnasium is not installed: pip install 'gymnasium>=1.1,<2'")

PARITY = os.path.join(ROOT, "tests", "parity")
STEPPED, HELD = os.path.join(PARITY, "stepped.json"), os.path.join(PARITY, "held.json")
DRIVEN = os.path.join(ROOT, "studies", "how-to", "step_vehicles.json")
LIMITS = {"command": [0.8, 0.8, 2]}
FINAL = ("final_x", "final_z", "final_yaw", "final_vx", "path_length", "max_slip", "drive_work")


def run(study, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return omniroll.run(study, progress=False, backend="openmp", **options)


def finals(result):
    return np.stack([result[name].values for name in FINAL], axis=1)


def law(task, seen, gain=2.0):
    """Commands: the reference's velocities, and a share of the error."""
    first = task.columns.index("reference_vx")
    return (seen[:, first:first + 3] + gain * seen[:, :3]) / task.limits


class Batches(unittest.TestCase):
    def open(self, *arguments, **options):
        batch = omniroll.Batch(*arguments, backend="openmp", **options)
        self.addCleanup(batch.close)
        return batch

    def test_the_bits_are_those_of_a_run(self):
        expected = finals(run(STEPPED))
        batch = self.open(STEPPED)
        batch.observe(*FINAL)
        for steps in (1, 100, 300, 367):
            batch.step(steps * batch.step_length)
        np.testing.assert_array_equal(batch.times(), np.full(21, 0.375))
        np.testing.assert_array_equal(batch.read(), expected)

    def test_inputs_that_change_are_rows_that_a_run_holds(self):
        with open(os.path.join(PARITY, "held.csv"), encoding="utf-8") as file:
            rows = [line for line in csv.DictReader(file)]
        batch = self.open(STEPPED)
        batch.observe(*FINAL)
        for row, after in zip(rows, rows[1:]):
            torques = np.tile([float(row["tau_a"]), float(row["tau_b"])], (batch.count, 1))
            batch.set(torque=torques, command=[float(row[name]) for name in ("vx", "vz", "yaw")])
            batch.step(float(after["t"]) - float(row["t"]))
        np.testing.assert_array_equal(batch.read(), finals(run(HELD)))

    def test_inputs_are_named_by_groups_and_paths(self):
        batch = self.open(STEPPED)
        self.assertEqual(batch.groups["torque"], ("wheels[0].drive.torque", "wheels[1].drive.torque"))
        self.assertEqual(batch.groups["command"], ("command.vx", "command.vz", "command.yaw_rate"))
        self.assertEqual(batch.inputs["wheels[1].drive.torque"], "N m")
        varied = run(STEPPED, set={"vary": [{"path": "wheels[0].drive.torque", "uniform": [-1, 1]}]})
        same = self.open(STEPPED, set={"vary": [{"path": "wheels[0].drive.torque", "uniform": [-1, 1]}]})
        torques = varied.wheel0_drive_torque.values
        same.set({"wheels[0].drive.torque": torques[::-1]})
        same.set({"wheels[0].drive.torque": torques})
        same.observe(*FINAL)
        same.step(0.375)
        np.testing.assert_array_equal(same.read(), finals(varied))

    def test_the_given_array_is_the_one_that_is_written(self):
        batch = self.open(STEPPED)
        batch.observe("x", "yaw", "wheel_rate")
        self.assertEqual(batch.columns, ("x", "yaw", *(f"wheel_rate[{i}]" for i in range(4))))
        self.assertEqual(batch.units, ("m", "rad", *["rad s-1"] * 4))
        out = np.full((21, 6), 7.0)
        place = out.ctypes.data
        batch.step(0.125)
        self.assertIs(batch.read(out), out)
        self.assertEqual(out.ctypes.data, place)
        np.testing.assert_array_equal(out, batch.read())
        np.testing.assert_array_equal(np.from_dlpack(out), out)
        self.assertEqual(np.from_dlpack(batch.read()).dtype, np.float64)

        # A part of a larger array that lies together is one, too.
        whole = np.zeros((2, 21, 6))
        batch.read(whole[1])
        np.testing.assert_array_equal(whole[1], out)
        frozen = np.zeros((21, 6))
        frozen.flags.writeable = False
        for wrong in (np.zeros((21, 12))[:, ::2], np.zeros((21, 6), dtype=np.float32), np.zeros((6, 21)).T, np.zeros((20, 6)), frozen, [0]):
            with self.assertRaisesRegex(omniroll.UsageError, "C-contiguous array of float64 of the shape .21, 6.: numpy.empty"):
                batch.read(wrong)

    def test_vehicles_are_reset_alone(self):
        expected = finals(run(STEPPED))
        batch = self.open(STEPPED, count=30)
        batch.observe(*FINAL)
        np.testing.assert_array_equal(batch.instances()[[0, 20, 21, 29]], [0, 20, 0, 8])
        batch.step(0.1875)
        batch.reset(slots=[4, 29], instances=[11, 2])
        self.assertEqual(list(batch.times()[[3, 4, 29]]), [0.1875, 0, 0])
        batch.step(0.1875)
        np.testing.assert_array_equal(batch.read()[5:29], expected[np.arange(5, 29) % 21])
        batch.step(0.1875)
        np.testing.assert_array_equal(batch.read()[[4, 29]], expected[[11, 2]])
        mask = np.arange(30) == 7
        batch.reset(mask, [0])
        batch.reset(np.zeros(30, dtype=bool))
        batch.reset([])
        self.assertEqual(list(np.flatnonzero(batch.times() == 0)), [7])
        self.assertEqual(batch.instances()[7], 0)
        batch.reset()
        batch.step(0.375)
        np.testing.assert_array_equal(batch.read()[7], expected[0])

    def test_wrong_calls_are_refused_and_change_nothing(self):
        batch = self.open(STEPPED)
        with self.assertRaisesRegex(omniroll.UsageError, "nothing is chosen to be read"):
            batch.read()
        batch.observe(*FINAL)
        wrong = {
            "the nearest is 0.00097": lambda: batch.step(1e-3), "no whole number of steps": lambda: batch.step(float("nan")),
            "neither a sample": lambda: batch.observe("x", "where"), "has no input 'speed'; its inputs are torque, command": lambda: batch.set(speed=1),
            r"torque has the shape \(3,\), which is no \(21, 2\)": lambda: batch.set(torque=[1, 2, 3]),
            "is nan, and has to be": lambda: batch.set(command=[0, 0, float("nan")]),
            "named twice: wheels.0..drive.torque": lambda: batch.set({"wheels[0].drive.torque": 1}, torque=1),
            "the batch has 21 vehicles": lambda: batch.reset([21]), "whole numbers from 0 on": lambda: batch.reset([-1]),
            "the study has 21": lambda: batch.reset([0], [21]), "2 instances are given for 1": lambda: batch.reset([0], [1, 2]),
            "has to have 21 values": lambda: batch.reset(np.ones(3, dtype=bool)), "slots are whole numbers": lambda: batch.reset([0.5]),
        }
        for words, call in wrong.items():
            with self.subTest(words), self.assertRaisesRegex(omniroll.UsageError, words):
                call()
        self.assertEqual(batch.columns, FINAL)
        batch.step(0.375)
        np.testing.assert_array_equal(batch.read(), finals(run(STEPPED)))

        with self.assertRaisesRegex(omniroll.UsageError, "give integrator.step in place of integrator.tolerance"):
            omniroll.Batch(STEPPED, set={"integrator": {"tolerance": 0.01, "duration": 0.375}})
        with self.assertRaisesRegex(omniroll.UsageError, "is none of them"):
            omniroll.Batch(os.path.join(PARITY, "uk_wheel.json"))
        with self.assertRaisesRegex(omniroll.UsageError, "from one to 2147483647 vehicles, not 0"):
            omniroll.Batch(STEPPED, 0)
        with self.assertRaises(omniroll.StudyError):
            omniroll.Batch(STEPPED, set={"parameters.wheel.rollers": 1})
        with self.assertRaises((TypeError, ValueError)):
            pickle.dumps(batch)

    def test_a_closed_batch_says_so(self):
        with omniroll.Batch(omniroll.Study(STEPPED)) as batch:
            batch.observe("x")
            self.assertRegex(repr(batch), "21 vehicles on openmp")
        batch.close()
        for call in (batch.read, batch.times, batch.status, batch.reset, lambda: batch.step(0.1), lambda: batch.observe("yaw")):
            with self.assertRaisesRegex(omniroll.UsageError, "the batch is closed"):
                call()

    def test_a_vehicle_that_cannot_be_made_has_no_values(self):
        batch = self.open(STEPPED, set={"vary": [{"path": "wheel.tip_radius", "uniform": ["1 cm", "9 cm"]}]})
        batch.observe("x", "wheel_angle")
        batch.step(0.125)
        failed = batch.status() != 0
        self.assertTrue(failed.any() and not failed.all())
        np.testing.assert_array_equal(np.isnan(batch.read()).all(axis=1), failed)

    def test_threads_take_turns(self):
        """Two threads with one batch, and another one that goes on meanwhile."""
        batch = self.open(STEPPED, count=2000)
        counted, ended = 0, threading.Event()
        steppers = [threading.Thread(target=lambda: [batch.step(batch.step_length) for _ in range(40)]) for _ in range(2)]
        watcher = threading.Thread(target=lambda: [each.join() for each in steppers] and ended.set())
        for thread in (*steppers, watcher):
            thread.start()
        while not ended.wait(1e-4):
            counted += 1
        np.testing.assert_array_equal(batch.times(), np.full(2000, 80 * batch.step_length))
        self.assertGreater(counted, 10)

    def test_python_costs_little_beside_the_steps(self):
        """A loop of 4096 vehicles: what setting and reading take beside the steps, in the best of some rounds."""
        batch = self.open(DRIVEN, 4096)
        batch.observe("x", "z", "yaw", "vx", "vz", "yaw_rate", "wheel_rate")
        out, command, shares = np.empty((4096, len(batch.columns))), np.zeros((4096, 3)), []
        for _ in range(12):
            began = time.perf_counter()
            batch.set(command=command)
            set_ = time.perf_counter()
            batch.step(0.02)
            stepped = time.perf_counter()
            batch.read(out)
            shares.append((time.perf_counter() - stepped + set_ - began) / (stepped - set_))
        print(f"setting and reading: {100 * min(shares):.1f} % of the steps, median {100 * np.median(shares):.1f} %", file=sys.stderr)
        self.assertLess(min(shares), 0.05)


class References(unittest.TestCase):
    def test_rates_are_the_slopes_of_poses(self):
        for figure in FIGURES:
            reference = Reference(50, [figure])
            start = np.random.default_rng(2).normal(size=(50, 3))
            reference.draw(np.random.default_rng(1), np.arange(50), start)
            np.testing.assert_allclose(reference.at(np.zeros(50))[0], start, atol=1e-12)
            np.testing.assert_allclose(reference.at(np.zeros(50))[1], 0, atol=1e-12)
            for now in (0.1, 1.0, 7.3):
                with self.subTest(f"{figure} at {now} s"):
                    before, after = (reference.at(np.full(50, now + d))[0] for d in (-1e-5, 1e-5))
                    rates = reference.at(np.full(50, now))[1]
                    near = np.isclose((after - before) / 2e-5, rates, rtol=1e-4, atol=1e-5).all(axis=1)
                    self.assertGreaterEqual(near.sum(), 49 if figure == "square" else 50)  # one may turn a corner

    def test_figures_are_what_their_names_say(self):
        turns = 4 * np.pi * np.linspace(0, 1, 400)
        for figure in ("circle", "eight", "square"):
            reference = Reference(1, [figure], size=(0.5, 0.5), speed=(0.5, 0.5), swing=0)
            reference.draw(np.random.default_rng(1), np.arange(1), np.zeros((1, 3)))
            turn = 4 if figure == "square" else 2 * np.pi
            way = np.array([reference.at(np.array([time + 0.3]))[0][0, :2] for time in turns / (4 * np.pi) * 2 * turn + 20])
            np.testing.assert_allclose(way[0], way[-1], atol=1e-3)
            spread = np.linalg.norm(way - way.mean(axis=0), axis=1)
            if figure == "circle":
                np.testing.assert_allclose(spread, 0.5, rtol=0.02)
            elif figure == "square":
                self.assertAlmostEqual(spread.max(), 0.5 / np.sqrt(2), delta=0.01)
                self.assertAlmostEqual(spread.min(), 0.25, delta=0.01)
            else:
                self.assertLess(spread.min(), 0.02)  # through its middle
        with self.assertRaisesRegex(omniroll.UsageError, "figures are some of circle, eight, square, smooth, not 'nine'"):
            Reference(1, ["nine"])


class Task(unittest.TestCase):
    def task(self, *arguments, **options):
        task = Tracking(*arguments, actions=options.pop("actions", LIMITS), backend="openmp", **options)
        self.addCleanup(task.close)
        return task

    def test_a_law_follows_its_figures_in_either_frame(self):
        """The error is in the vehicle's axes: with a wrong turn the same gains lead away."""
        for frame in ("y_up", "ros"):
            changes = {"frame": "ros", "parameters.command": {"type": "constant"}, "output.observables": ["final_x"]} if frame == "ros" else {}
            task = self.task(DRIVEN, 32, seconds=4, set={"integrator.duration": "4 s", **changes}, swing=2.0)
            self.assertIn("error_y" if frame == "ros" else "error_z", task.columns)
            seen, _ = task.reset(3)
            for _ in range(198):
                seen, _, terminated, truncated, info = task.step(law(task, seen, 4.0))
            with self.subTest(frame):
                self.assertFalse(terminated.any() or truncated.any())
                self.assertLess(np.sqrt((info["position_error"] ** 2).mean()), 0.04)
                self.assertGreater(np.abs(task.reference.at(task.batch.times())[0][:, 2]).max(), 0.5)  # headings did turn

    def test_episodes_end_and_begin_anew(self):
        task = self.task(DRIVEN, 6, seconds=0.1, period=0.02)
        before, info = task.reset(5)
        first = info["instance"].copy()
        for step in range(5):
            seen, reward, terminated, truncated, info = task.step(np.zeros((6, 3)))
            self.assertEqual(truncated.all(), step == 4)
        self.assertTrue((reward < 0).any())
        seen, reward, terminated, truncated, info = task.step(np.ones((6, 3)))
        self.assertFalse(terminated.any() or truncated.any())
        np.testing.assert_array_equal(reward, 0)
        np.testing.assert_array_equal(task.batch.times(), 0)
        np.testing.assert_allclose(seen[:, :3], 0, atol=1e-12)
        self.assertTrue((info["instance"] != first).any())

    def test_a_lost_vehicle_pays_and_leaves_the_others(self):
        task = self.task(DRIVEN, 8, lost=0.05, weights={"failure": 3})
        task.reset(2)
        seen, ended = None, 0
        for _ in range(60):
            seen, reward, terminated, truncated, info = task.step(np.zeros((8, 3)))
            ended += terminated.sum()
            self.assertTrue((reward[terminated] <= -3).all() and (reward[~terminated] > -3).all())
            np.testing.assert_array_equal(terminated, info["position_error"] > 0.05)
        self.assertGreater(ended, 3)

    def test_failed_vehicles_end_and_observations_stay_numbers(self):
        task = self.task(DRIVEN, 24, set={"vary": [{"path": "wheel.tip_radius", "uniform": ["4 mm", "90 mm"]}]})
        seen, _ = task.reset(1)
        seen, reward, terminated, _, _ = task.step(np.zeros((24, 3)))
        self.assertTrue(terminated.any() and not terminated.all())
        np.testing.assert_array_equal(terminated, task.batch.status() != 0)
        self.assertTrue(np.isfinite(seen).all() and np.isfinite(reward).all())

    def test_the_seed_decides(self):
        def way(seed):
            task = self.task(DRIVEN, 12, seconds=0.2)
            seen, _ = task.reset(seed)
            kept = [seen]
            for step in range(25):  # beyond the end of the first episodes
                seen, reward, *_ = task.step(law(task, seen))
                kept += [seen, reward]
            return np.concatenate([each.ravel() for each in kept])

        np.testing.assert_array_equal(way(4), way(4))
        self.assertFalse(np.array_equal(way(4), way(5)))

    def test_groups_meet_the_same(self):
        task = self.task(DRIVEN, 12, groups=3)
        seen, info = task.reset(9)
        for _ in range(10):
            seen, reward, _, _, info = task.step(law(task, seen))
        np.testing.assert_array_equal(info["instance"].reshape(3, 4), np.tile(info["instance"][:4], (3, 1)))
        np.testing.assert_array_equal(seen.reshape(3, 4, -1), np.tile(seen[:4], (3, 1, 1)))
        self.assertEqual(len(np.unique(seen[:4, 0])), 4)

    def test_wheels_are_actions_too(self):
        task = self.task(STEPPED, 5, actions={"torque": [1.0, 2.0], "command": 0.5})
        np.testing.assert_array_equal(task.limits, [1, 2, 0.5, 0.5, 0.5])
        task = self.task(STEPPED, 5, actions={"torque": [1.0, 2.0]}, period=task.batch.step_length * 40)
        task.reset(1)
        task.step(np.full((5, 2), 3.0))  # cut to 1
        task.batch.observe("torque")
        np.testing.assert_allclose(task.batch.read()[:, :2], np.tile([1, 2], (5, 1)), atol=0)

    def test_wrong_tasks_are_refused(self):
        for words, options in (("weights are position", {"weights": {"speed": 1}}), ("figures are some of", {"figures": ["nine"]}),
                               ("no 3 groups", {"groups": 3}), ("has no input 'torque'", {"actions": {"torque": 1}}),
                               ("numbers above 0", {"actions": {"command": 0}}), ("seconds at least a period", {"seconds": 0.01})):
            with self.subTest(words), self.assertRaisesRegex(omniroll.UsageError, words):
                self.task(DRIVEN, 4, **options)


ID = "omniroll.stepping.gymnasium:omniroll/Tracking-v0"


@NEEDED
class Environments(unittest.TestCase):
    def vector(self, count, **options):
        env = gymnasium.make_vec(ID, num_envs=count, study=DRIVEN, actions=LIMITS, **options)
        self.addCleanup(env.close)
        return env

    def test_gymnasium_s_checker_passes_without_a_warning(self):
        from gymnasium.utils.env_checker import check_env

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            env = gymnasium.make(ID, study=DRIVEN, actions=LIMITS)
            check_env(env.unwrapped)
            env.close()

    def test_the_vector_is_what_gymnasium_asks_for(self):
        """Gymnasium 1.4 has no checker for vectors: these are its checks of an environment, for one of them."""
        from gymnasium.utils.env_checker import data_equivalence

        env = self.vector(7, seconds=0.1)
        self.assertEqual(env.metadata["autoreset_mode"], gymnasium.vector.AutoresetMode.NEXT_STEP)
        self.assertEqual(env.observation_space, gymnasium.vector.utils.batch_space(env.single_observation_space, 7))
        self.assertEqual(env.action_space, gymnasium.vector.utils.batch_space(env.single_action_space, 7))
        env.action_space.seed(1)
        actions = [env.action_space.sample() for _ in range(12)]
        seen = [env.reset(seed=123), *map(env.step, actions)]
        for observations, *_ in seen:
            self.assertIn(observations, env.observation_space)
        for _, rewards, terminations, truncations, infos in seen[1:]:
            self.assertEqual([each.shape for each in (rewards, terminations, truncations)], [(7,)] * 3)
            self.assertEqual([each.dtype for each in (rewards, terminations, truncations)], [np.float64, bool, bool])
            self.assertEqual({len(values) for values in infos.values()}, {7})
        self.assertTrue(seen[5][3].all() and not seen[6][3].any() and seen[11][3].all())
        state = env.np_random.bit_generator.state
        again = [env.reset(seed=123), *map(env.step, actions)]
        self.assertTrue(data_equivalence(tuple(seen), tuple(again), exact=True))
        self.assertEqual(env.np_random.bit_generator.state, state)
        self.assertFalse(data_equivalence(seen[0], env.reset(seed=124)))
        for k, one in enumerate(seen):
            for other in seen[k + 1:]:
                self.assertFalse(any(np.shares_memory(a, b) for a, b in zip(one[:-1], other[:-1])))

    def test_a_vector_of_one_is_the_environment(self):
        vector, env = self.vector(1), gymnasium.make(ID, study=DRIVEN, actions=LIMITS).unwrapped
        self.addCleanup(env.close)
        np.testing.assert_array_equal(vector.reset(seed=3)[0][0], env.reset(seed=3)[0])
        for action in np.random.default_rng(1).uniform(-1, 1, (20, 1, 3)):
            seen, reward, *_ = vector.step(action)
            own, own_reward, *_ = env.step(action[0])
            np.testing.assert_array_equal(seen[0], own)
            self.assertEqual(reward[0], own_reward)

    def test_wrappers_of_gymnasium_take_it(self):
        env = gymnasium.wrappers.vector.RecordEpisodeStatistics(self.vector(3, seconds=0.1))
        env.reset(seed=1)
        for _ in range(5):
            *_, infos = env.step(env.action_space.sample())
        self.assertEqual(list(infos["episode"]["l"]), [5, 5, 5])


class Missing(unittest.TestCase):
    def test_without_gymnasium_the_command_is_told(self):
        hidden = {name: None for name in ("gymnasium", "gymnasium.vector")}
        with mock.patch.dict(sys.modules, hidden), mock.patch.dict(omniroll.stepping.__dict__):
            sys.modules.pop("omniroll.stepping.gymnasium", None)
            omniroll.stepping.__dict__.pop("gymnasium", None)
            with self.assertRaisesRegex(omniroll.LibraryError, "-m pip install 'gymnasium>=1.1,<2'"):
                omniroll.stepping.TrackingVectorEnv
        with self.assertRaises(AttributeError):
            omniroll.stepping.Tracker


class Example(unittest.TestCase):
    def test_a_law_is_learned(self):
        """Few generations: the script runs, its law is no worse than the one by hand by much, and it draws its picture."""
        with tempfile.TemporaryDirectory() as folder:
            picture, here, printed = os.path.join(folder, "law.png"), os.getcwd(), io.StringIO()
            os.chdir(ROOT)
            try:
                words = ["tune_by_stepping.py", "--generations", "2", "--vehicles", "48", "--seconds", "1", "--output", picture]
                with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(printed):
                    runpy.run_path(os.path.join(ROOT, "studies", "how-to", "tune_by_stepping.py"), run_name="__main__")
            finally:
                os.chdir(here)
            self.assertRegex(printed.getvalue(), r"(?s)generation +2 of 2.*by hand +[\d.]+ mm \(.*learned +[\d.]+ mm \(.*less +-?[\d.]+ mm")
            self.assertGreater(os.path.getsize(picture), 20000)


if __name__ == "__main__":
    unittest.main()
