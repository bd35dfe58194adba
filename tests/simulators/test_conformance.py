"""Conformance of other simulators: kinematics, measures on motions that are known exactly, the table; and where MuJoCo and Exudyn are installed,
short runs of exported models and of their cheap equivalents."""

import contextlib
import importlib.util
import io
import json
import math
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

import numpy as np

import omniroll
from omniroll import lists
from omniroll.conformance import Manoeuvre, Motion, MujocoModel, Vehicle, check, compare, manoeuvres, measure, paths_picture, wheels_of
from omniroll.conformance.manoeuvres import LARGEST, RAMP, rates_of, reach
from omniroll.conformance.motion import differ, ideal, trail, travelled
from omniroll.conformance import table as tables
from omniroll.conformance.table import Table
from omniroll.exporting import command
from omniroll.exporting import equivalent as cheap
from omniroll.exporting.checksum import is_unchanged

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUITE = os.path.join(ROOT, "tests", "bench", "conformance")
KEPT = os.path.join(ROOT, "tests", "bench", "results", "conformance-amd-epyc.json")
sys.path.insert(0, SUITE)
import simulators  # noqa: E402
import suite  # noqa: E402

MUJOCO = importlib.util.find_spec("mujoco")
EXUDYN = importlib.util.find_spec("exudyn")
NEEDED = unittest.skipUnless(MUJOCO, "mujoco is not installed: pip install mujoco==4.0.0")
FIRST_WAY = 2.0 - RAMP / 2  # s at full speed that forward, strafe and turn are worth: the ramp is symmetric
M, J = 16 + 4 * 1.0642853294, 4 * 0.0053590242  # of mecanum_9: mass, and all wheels about their axles, by hand (appendix/vehicle.md#masses)


def study(name, **parameters):
    with open(os.path.join(SUITE, f"{name}.json"), encoding="utf-8") as file:
        made = json.load(file)
    made["parameters"]["wheel"].update(parameters)
    return made


def y_up(name):
    """The same vehicle in omniroll's own frame, whose rates count the other way."""
    made = study(name)
    del made["frame"]
    return made


def pick(wheels, *names):
    return [manoeuvre for manoeuvre in manoeuvres(wheels) if manoeuvre.name in names]


class Toy:
    """A simulator that has nothing but ideal kinematics, which it takes from the wheel rates."""

    def __init__(self, wheels, shorter=1.0):
        self.back, self.shorter = np.linalg.pinv(rates_of(wheels)), shorter

    def __call__(self, manoeuvre):
        count = round(manoeuvre.duration / 1e-3)
        pose = np.zeros((count + 1, 3))
        for k in range(count):
            vx, vy, turn = self.shorter * self.back @ manoeuvre.rates((k + 0.5) * 1e-3)
            yaw = pose[k, 2] + turn * 5e-4
            pose[k + 1] = pose[k] + 1e-3 * np.array([math.cos(yaw) * vx - math.sin(yaw) * vy, math.sin(yaw) * vx + math.cos(yaw) * vy, turn])
        return Motion(np.arange(count + 1) * 1e-3, *pose.T, np.zeros(count + 1), 2.0 * self.shorter, count, 0.5)


class Kinematics(unittest.TestCase):
    def test_of_a_mecanum_vehicle_are_those_of_the_textbook(self):
        wheels = wheels_of(omniroll.show(study("mecanum_9")).scene)
        front_left, front_right, rear_left, rear_right = 10 * np.array([[1, -1, -0.45], [1, 1, 0.45], [1, 1, -0.45], [1, -1, 0.45]])
        np.testing.assert_allclose(rates_of(wheels), [front_left, front_right, rear_left, rear_right], atol=1e-6)

    def test_do_not_depend_on_the_frame_but_for_the_sign_of_the_rates(self):
        for name in ("mecanum_9", "omni_8"):
            ros, own = wheels_of(omniroll.show(study(name)).scene), wheels_of(omniroll.show(y_up(name)).scene)
            both = sorted(np.round(rates_of(ros), 6).tolist()), sorted(np.round(-rates_of(own), 6).tolist())
            np.testing.assert_allclose(*both, atol=1e-5)

    def test_wheels_that_steer_are_refused(self):
        with self.assertRaisesRegex(omniroll.UsageError, "wheel 0 .* steers: .* leave out --check"):
            Vehicle(omniroll.new("single", "swerve"))

    def test_a_vehicle_that_cannot_go_aside_has_no_strafe(self):
        scene = {"wheels": [{"kind": "plain", "x": 0, "y": y, "radius": 0.1, "axis_angle": 0, "drive": "body"} for y in (0.2, -0.2)]}
        self.assertEqual([manoeuvre.name for manoeuvre in manoeuvres(wheels_of(scene))], ["forward", "turn", "circle"])


class Measures(unittest.TestCase):
    def setUp(self):
        self.wheels = wheels_of(omniroll.show(study("mecanum_9")).scene)
        self.size = reach(self.wheels)

    def test_of_ideal_motion(self):
        ways = {"forward": (0.1 * LARGEST * FIRST_WAY, 0), "strafe": (0.1 * LARGEST * FIRST_WAY, 0), "turn": (0, 0.1 * LARGEST * FIRST_WAY / 0.45)}
        for manoeuvre in pick(self.wheels, *ways):
            found = measure(manoeuvre, Toy(self.wheels)(manoeuvre), 0.1, self.size)
            self.assertAlmostEqual(found.way, ways[manoeuvre.name][0], delta=1e-6)
            self.assertAlmostEqual(found.yaw, ways[manoeuvre.name][1], delta=1e-6)
            self.assertAlmostEqual(found.slip, 0, delta=1e-6)
            self.assertEqual((found.ripple, found.vibration, found.speed), (0, 0, 4000))

    def test_the_square_ends_where_it_began(self):
        (square,) = pick(self.wheels, "square")
        np.testing.assert_allclose(ideal(square), 0, atol=1e-6)
        self.assertAlmostEqual(trail(square, self.size), 4 * 0.1 * LARGEST * 1.0, delta=1e-5)  # four sides, each 1.5 s with two ramps

    def test_rates_reach_the_largest_and_no_more(self):
        for manoeuvre in manoeuvres(self.wheels):
            rates = np.array([manoeuvre.rates(t) for t in np.linspace(0, manoeuvre.duration, 400)])
            self.assertAlmostEqual(np.max(np.abs(rates)), LARGEST, delta=1e-3)
            steepest = LARGEST * 1.875 / RAMP  # of the rise
            self.assertLess(np.max(np.abs(np.diff(rates, axis=0))), 1.01 * steepest * manoeuvre.duration / 399)
            self.assertEqual(np.max(np.abs(rates[0])), 0)

    def test_slip_and_difference_of_a_shorter_way(self):
        (turn,) = pick(self.wheels, "turn")
        whole, short = Toy(self.wheels)(turn), Toy(self.wheels, 0.97)(turn)
        self.assertAlmostEqual(measure(turn, short, 0.1, self.size).slip, 0.03, delta=1e-5)
        away = differ(turn, short, whole, self.size)
        self.assertAlmostEqual(away.yaw, 0.03, delta=1e-5)
        self.assertAlmostEqual(away.energy, -0.03, delta=1e-12)
        self.assertAlmostEqual(away.place, 0, delta=1e-12)
        self.assertAlmostEqual(travelled(whole, self.size), trail(turn, self.size), delta=1e-5)

    def test_ripple_and_vibration_of_a_wave(self):
        t = np.arange(2001) * 1e-3
        wave = 1e-4 * np.sin(2 * math.pi * 20 * t)
        manoeuvre = Manoeuvre("forward", 2.0, lambda t: np.zeros(4), lambda t: np.array([1.0, 0, 0]))
        flat = np.zeros_like(t)
        found = measure(manoeuvre, Motion(t, t, flat, flat, wave, 1.0, 2000, 1.0), 0.1, 0.3)
        self.assertAlmostEqual(found.ripple, 2e-3, delta=1e-5)
        self.assertAlmostEqual(found.vibration, 1e-4 * (2 * math.pi * 20)**2 / math.sqrt(2), delta=2e-3)
        heights = np.stack([wave, 3 * wave], axis=1)
        self.assertAlmostEqual(measure(manoeuvre, Motion(t, t, flat, flat, flat, 1.0, 2000, 1.0, heights), 0.1, 0.3).ripple, 6e-3, delta=2e-5)


class Tables(unittest.TestCase):
    def test_fits_into_80_columns_and_comes_back_from_json(self):
        wheels = wheels_of(omniroll.show(study("omni_8")).scene)
        table = compare(wheels, {"omniroll": Toy(wheels), "another, with a long name": Toy(wheels, 0.9)})
        self.assertLessEqual(max(len(line) for line in table.text().split("\n")), 80)
        self.assertEqual(len(table.rows), 10)
        back = Table.of_json(json.loads(json.dumps(table.as_json())))
        self.assertEqual(back.text(), table.text())
        self.assertIn("10.00", next(line for line in table.text().split("\n") if "another" in line))

    def test_pictures_show_every_simulator(self):
        wheels = wheels_of(omniroll.show(study("omni_8")).scene)
        table = compare(wheels, {"omniroll": Toy(wheels), "mine": Toy(wheels, 0.9)}, pick(wheels, "forward", "turn"))
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual([os.path.basename(path) for path in paths_picture.save(table, folder)], ["paths_forward.png", "paths_turn.png"])
            self.assertGreater(os.path.getsize(os.path.join(folder, "paths_turn.png")), 5000)
        for name, figure in paths_picture.figures(table).items():
            (axes,) = figure.axes
            self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["omniroll", "mine"])
            self.assertEqual(axes.get_ylabel(), "yaw [deg]" if name == "turn" else "forward [m]")
        self.assertEqual(len(paths_picture.sheet(table).axes), 6)


class Suite(unittest.TestCase):
    def test_takes_another_simulator_by_one_function(self):
        with mock.patch.dict(simulators.SIMULATORS, clear=True):
            @simulators.simulator("toy")
            def toy(case):
                return Toy(case.vehicle.wheels)

            @simulators.simulator("absent")
            def absent(case):
                raise ImportError("no such simulator")

            table, missing = suite.run_case("omni_8")
        self.assertEqual(missing, {"absent": "no such simulator"})
        self.assertEqual([row.simulator for row in table.rows[:2]], ["omniroll", "toy"])
        self.assertTrue(all(math.hypot(row.difference.place, row.difference.yaw) < 0.005 for row in table.rows))
        kept = {"machine": "m", "date": "d", "versions": {}, "vehicles": {"omni_8": {"title": "an omni", **table.as_json(), "missing": missing}}}
        self.assertIn("| an omni | toy | 0.", suite.summary(kept)[3])
        self.assertIn("left out: absent: no such simulator", suite.text_of(kept))

    def test_page_shows_the_kept_table(self):
        with open(KEPT, encoding="utf-8") as file:
            lines = suite.summary(json.load(file))
        with open(os.path.join(ROOT, "docs", "evidence", "bench.md"), encoding="utf-8") as file:
            page = file.read().split("\n")
        for line in lines:
            self.assertIn(line, page)

    def test_kept_models_are_within_5_per_cent(self):
        with open(KEPT, encoding="utf-8") as file:
            kept = json.load(file)
        seen = [row for told in kept["vehicles"].values() for row in told["rows"] if row["simulator"] == "MuJoCo"]
        self.assertEqual(len(seen), 15)
        for row in seen:
            self.assertLess(max(row["off"]["place"], row["off"]["yaw"]), 0.05)

    def test_prints_a_kept_file(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", ["suite.py", "--table", KEPT]):
            self.assertEqual(suite.main(), 0)
        self.assertIn("MuJoCo, cheap", out.getvalue())


class Ours(unittest.TestCase):
    def test_strafe_falls_short_by_the_mean_of_cos_q(self):
        """Seen from above a roller that touches at the angle q is steeper by 1/cos q, so that the vehicle drives aside at cos q of the speed."""
        vehicle = Vehicle(study("mecanum_9"))
        (strafe,) = pick(vehicle.wheels, "strafe")
        motion = vehicle(strafe)
        share = math.sin(math.pi / 9) / (math.pi / 9)
        self.assertAlmostEqual(motion.y[-1], 0.1 * LARGEST * FIRST_WAY * share, delta=2e-3)
        self.assertLess(abs(motion.x[-1]) + abs(motion.yaw[-1]), 1e-9)

    def test_work_of_driving_forward_is_the_kinetic_energy(self):
        """Rollers do not spin then, and friction takes little."""
        for made in (study("mecanum_9"), y_up("mecanum_9")):
            vehicle = Vehicle(made)
            (forward,) = pick(vehicle.wheels, "forward")
            motion = vehicle(forward)
            kinetic = 0.5 * M * (0.1 * LARGEST)**2 + 0.5 * J * LARGEST**2
            self.assertAlmostEqual(motion.energy, kinetic, delta=0.01 * kinetic)
            self.assertAlmostEqual(motion.x[-1], 0.1 * LARGEST * FIRST_WAY, delta=1e-3)
            self.assertGreater(motion.seconds, 0)

    def test_drives_an_instance_without_what_drove_it(self):
        made = study("omni_8", drive={"type": "body", "kp": "1 N m s", "ki": 0},
                     motor={"stall_torque": "0.1 N m", "no_load_speed": "300 rad/s", "gear_ratio": 10})
        made["parameters"]["command"] = {"type": "constant", "vx": "0.1 m/s"}
        made["vary"] = [{"path": "wheel.friction", "values": [0.5, 0.6]}, {"path": "command.vx", "values": [0.1, 0.2]},
                        {"path": "wheel.motor.stall_torque", "values": [0.1, 0.2]}]
        made["design"] = {"type": "grid"}
        found = Vehicle(made, 7).driven("rates.csv", {"step": 1e-3, "duration": 1})
        self.assertEqual(found["design"]["paths"], ["wheel.friction"])
        self.assertEqual(found["design"]["rows"], [[0.6]])
        self.assertEqual(found["parameters"]["wheel"]["motor"], {"gear_ratio": 10})
        self.assertNotIn("command", found["parameters"])
        self.assertEqual({wheel["drive"]["type"] for wheel in found["parameters"]["wheels"]}, {"replay_rate"})

    def test_the_floor_is_as_level_as_that_of_the_model(self):
        made = Vehicle(os.path.join(ROOT, "studies", "uneven_floor.json"), 3).driven("rates.csv", {"step": 1e-3, "duration": 1})
        self.assertEqual(made["parameters"]["floor"], {})
        self.assertEqual(made["design"]["paths"], ["wheel.suspension.stiffness"])

    def test_laws_that_forbid_slip_are_refused_with_a_way_out(self):
        made = study("omni_8")
        made["parameters"]["contact"] = {"law": "ideal_rolling"}
        made["integrator"]["method"] = "rk4"
        del made["parameters"]["wheel"]["slip_speed"]
        with self.assertRaisesRegex(omniroll.UsageError, "law ideal_rolling .* --set parameters.contact.law=saturated_coulomb"):
            Vehicle(made)
        Vehicle(omniroll.Study(made, set={"parameters.contact.law": "saturated_coulomb"}))

    def test_without_mujoco_the_command_is_told(self):
        with mock.patch.dict(sys.modules, {"mujoco": None}):
            with self.assertRaisesRegex(omniroll.LibraryError, "-m pip install mujoco==4.0.0"):
                check(study("omni_8"), None)
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                code = command.main([os.path.join(SUITE, "omni_8.json"), "--check"])
        self.assertEqual(code, lists.exit_codes()["device"])
        self.assertIn("-m pip install mujoco==4.0.0", said.getvalue())


class Bounded(unittest.TestCase):
    def test_least_squares_stays_above_bounds(self):
        slopes, last = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([1.0, -1.0, 0.0])
        np.testing.assert_allclose(cheap._bounded(slopes, last, np.full(2, -9.0)), [-1, 1], atol=1e-9)
        np.testing.assert_allclose(cheap._bounded(slopes, last, np.array([0.0, -9.0])), [0, 0.5], atol=1e-9)


@NEEDED
class Mujoco(unittest.TestCase):
    def test_the_work_is_that_of_prescribed_rates(self):
        """Neither a motor's own friction nor the armature of a drive that prescribes its rate is work; and both begin at yaw and angles 0."""
        motor = {"resistance": 1.3, "torque_constant": 0.0187, "gear_ratio": 13.7, "rotor_inertia": "70 g cm2", "no_load_current": 0.25}
        for wheel in ({"drive": {"type": "constant", "by": "voltage", "voltage": 3}, "motor": motor}, {"drive": {"type": "rate", "rate": 1}}):
            one = omniroll.new("single", "mecanum")
            one["parameters"].pop("command")
            one["parameters"]["wheel"].update({**wheel, "friction": 0.8, "initial": {"angle": 0.3}})
            one["parameters"]["initial"] = {"yaw": 1.0}
            vehicle, model = Vehicle(one), omniroll.export_model(one)
            have = [row["of_drive"] for row in model.numbers["wheels"]]
            ahead = manoeuvres(vehicle.wheels)[0]
            found = MujocoModel(model.text, model.wheels, [True] * 4, drives_have=have)(ahead)
            self.assertAlmostEqual(found.energy / vehicle(ahead).energy, 1.0, delta=0.15)

    """Exported models beside omniroll's own runs: forward, strafe and turn end within 5 per cent."""

    def near(self, name):
        vehicle, model = Vehicle(study(name)), omniroll.export_model(study(name))
        drive = pick(vehicle.wheels, "forward", "strafe", "turn")
        driven = [wheel.driven for wheel in vehicle.wheels]
        lumped = cheap.Equivalent(model.text, model.wheels, vehicle.wheels, [wheel["axis_angle"] for wheel in vehicle.scene["wheels"]],
                                  [True] * len(vehicle.wheels))
        numbers = cheap.start_of(vehicle.scene)
        table = compare(vehicle.wheels, {"omniroll": vehicle, "MuJoCo": MujocoModel(model.text, model.wheels, driven),
                                         "cheap": MujocoModel(lumped.text(numbers), model.wheels, driven)}, drive)
        self.assertEqual(len(table.rows), 9)
        for row in table.rows:
            self.assertLess(max(row.difference.place, row.difference.yaw), 0.05 if row.simulator == "MuJoCo" else 0.02, row)
        return lumped

    def test_omni(self):
        self.near("omni_8")

    def test_mecanum(self):
        """With what the cheap model takes together, by hand (appendix/vehicle.md#masses)."""
        one = self.near("mecanum_9").lumped[0]
        self.assertAlmostEqual(one.mass, (M - 16) / 4, delta=1e-8)
        self.assertAlmostEqual(one.about_axle, J / 4, delta=1e-8)
        self.assertAlmostEqual(one.upright, 0.0006 + 9 * (0.0626983699 * 0.0862217354**2 / 2 + 3.644915759e-5 * 0.75), delta=1e-8)

    def test_cheap_states_the_errors_that_it_has(self):
        """Fitted with bearings in the study, read again from its text, in the frame whose rates count the other way."""
        made = y_up("omni_8")
        made["parameters"]["wheel"]["axle_bearing"] = "1 mN m s"
        vehicle, model = Vehicle(made), omniroll.export_model(made)
        few = mock.patch.object(cheap, "manoeuvres", lambda wheels: pick(wheels, "forward", "strafe", "square"))
        with few, mock.patch.object(cheap, "TURNS", 2):
            found = cheap.equivalent(made, model, ours=vehicle)
        self.assertLess(max(max(error.place, error.yaw) for error in found.errors.values()), 0.01)
        again = MujocoModel(found.text, found.wheels, [True] * 3)
        (square,) = pick(vehicle.wheels, "square")
        there, stated = differ(square, again(square), vehicle(square), vehicle.size), found.errors["square"]
        np.testing.assert_allclose([there.place, there.yaw, there.energy], [stated.place, stated.yaw, stated.energy], rtol=1e-9)
        self.assertIn(f"square (not fitted): place {100 * found.errors['square'].place:.2f} %", found.text)
        root = xml.fromstring(found.text)
        self.assertEqual([body.get("name") for body in root.iter("body")], ["platform", "wheel_0", "wheel_1", "wheel_2"])
        self.assertLess(abs(found.errors["forward"].energy), 0.1)
        self.assertLess(len(repr(found)), 300)
        self.reads_wheel_rates(found)

    def reads_wheel_rates(self, found):
        """Gears are positive, and a joint turns as fast as the file says: R cos psi of the fit over R, for an omni wheel its fitted radius."""
        import mujoco

        model = mujoco.MjModel.from_xml_string(found.text)
        data = mujoco.MjData(model)
        data.qvel[model.jnt_dofadr[model.joint("wheel_1").id]] = found.numbers["joints"]["1"]
        mujoco.mj_forward(model, data)
        np.testing.assert_allclose(data.actuator_velocity, [0, 1, 0], atol=1e-6)
        self.assertTrue((model.actuator_gear[:, 0] > 0).all())
        self.assertAlmostEqual(found.numbers["joints"]["1"], found.fitted.radius, places=9)
        self.assertIn(f"actuator_velocity of its drive; its joint turns at the rate times {found.fitted.radius:.4g}.", found.text)

    def test_steps_are_those_of_the_file(self):
        made = omniroll.new("single", "compliant")
        made["parameters"]["wheel"]["contact"] = {"stiffness": "20 MN/m", "damping_ratio": 0.2}
        vehicle, model = Vehicle(made), omniroll.export_model(made)
        few = mock.patch.object(tables, "manoeuvres", lambda wheels: pick(wheels, "turn"))
        with few:
            table = check(made, model)
        self.assertLess(model.numbers["timestep"], 5e-4)
        self.assertEqual(table.rows[1].motion.steps, round(2 / model.numbers["timestep"]))
        self.assertEqual(len(table.rows[1].motion.t), table.rows[1].motion.steps + 1)
        self.assertIn(f"MuJoCo's {1e3 * model.numbers['timestep']:g} ms, as in the file", Table.of_json(table.as_json()).text().replace("\n", " "))

    def test_an_unstable_run_has_no_numbers(self):
        vehicle, model = Vehicle(study("omni_8")), omniroll.export_model(study("omni_8"))
        simulate = MujocoModel(model.text, model.wheels, [True] * 3)
        simulate.model.opt.gravity[:] = [1e12, 0, 0]
        self.addCleanup(os.chdir, os.getcwd())
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)  # where MuJoCo writes its log
            table = compare(vehicle.wheels, {"omniroll": vehicle, "MuJoCo": simulate}, pick(vehicle.wheels, "forward"))
            os.chdir(ROOT)
        self.assertTrue(math.isnan(table.rows[1].measures.way))
        self.assertIsNone(table.as_json()["rows"][1]["way"])
        self.assertIn("nan", table.text())

    def test_the_command_writes_and_checks(self):
        """A run of the command in this process, with two of the manoeuvres."""
        few, out = lambda wheels: pick(wheels, "forward", "turn"), io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
            place = os.path.join(folder, "cheap.xml")
            with mock.patch.object(cheap, "manoeuvres", few), mock.patch.object(tables, "manoeuvres", few), \
                    mock.patch.object(cheap, "TURNS", 1):
                code = command.main([os.path.join(SUITE, "omni_8.json"), "--cheap", place, "--check"])
            with open(place, encoding="utf-8") as file:
                text = file.read()
        self.assertEqual(code, 0)
        self.assertTrue(is_unchanged(text.encode()))
        self.assertIn("turn: place", text)
        self.assertEqual(out.getvalue().count("  MuJoCo, cheap "), 2)
        self.assertIn("rad/s: forward 2 s, turn 2 s. Steps: MuJoCo's 1 ms, as in", out.getvalue())
        self.assertLessEqual(max(map(len, out.getvalue().split("vertical acceleration")[1].split("\n"))), 80)
        self.assertIn("one body a wheel\n  forward: place 0.", out.getvalue())

    def test_cheap_needs_rollers(self):
        made = omniroll.new("single", "two_wheels")
        with self.assertRaisesRegex(omniroll.UsageError, "no wheel of this vehicle has rollers.* leave out --cheap"):
            cheap.equivalent(made, omniroll.export_model(made))


@unittest.skipUnless(MUJOCO and EXUDYN, "exudyn or mujoco is not installed: pip install exudyn==1.13.6 mujoco==4.0.0")
class Exudyn(unittest.TestCase):
    def test_discs_drive_where_omniroll_does(self):
        vehicle = Vehicle(study("omni_8"))
        case = simulators.Case("", vehicle, omniroll.export_model(study("omni_8")))
        table = compare(vehicle.wheels, {"omniroll": vehicle, "Exudyn": simulators.SIMULATORS["Exudyn, discs"](case)}, pick(vehicle.wheels, "strafe", "turn"))
        for row in table.rows:
            self.assertLess(max(row.difference.place, row.difference.yaw), 0.03, row)


if __name__ == "__main__":
    unittest.main()
