"""Vehicles of studies as models in MJCF: shapes of rollers against points of their surfaces, masses and places against the study, motors against the formulas of
drives, what is refused, files that come back by omniroll import; and in MuJoCo, where it is installed, rest, losses and ways against omniroll's own."""

import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

import omniroll  # noqa: E402
from omniroll.exporting import export_model  # noqa: E402
from omniroll.exporting.bodies import Roller, vehicle_of  # noqa: E402
from omniroll.exporting.masses import about_up, along, mobilities, platform_of
from omniroll.exporting.mjcf import quaternion  # noqa: E402
from omniroll.exporting.motors import axle_friction, motor_of  # noqa: E402
from omniroll.exporting.newton_program import newton_program  # noqa: E402
from omniroll.exporting.roller_shapes import _chain, ellipsoid, height, mesh, profile, spheres, true_height, true_ripple  # noqa: E402
from omniroll.running.study_input import loaded_of  # noqa: E402

try:
    import mujoco
except ImportError:
    mujoco = None
try:
    import mujoco_warp  # noqa: F401
    import newton
except ImportError:
    newton = None

LIBRARY = unittest.skipUnless(os.environ.get("OMNIROLL_LIBRARY"), "OMNIROLL_LIBRARY names no library")
PROGRAM = os.environ.get("OMNIROLL")
IN_MUJOCO = unittest.skipUnless(mujoco and os.environ.get("OMNIROLL_LIBRARY"), "mujoco is not installed: pip install mujoco==4.0.0")
KINDS = ("omni_vehicle", "mecanum", "mecanum_tracking", "kiwi", "differential", "h_drive", "six_wheels", "swerve", "two_wheels", "compliant")
MECANUM = Roller(9, math.pi / 4, 0.85, 0.0, math.pi / 9, 0.0, 0.0, 0.0, 0.15, 0.0, 0.0, 0.0)  # of a wheel with the radius 1


def vehicle(study, **changes):
    return vehicle_of(loaded_of(study, [f"{path}={json.dumps(value)}" for path, value in changes.items()]), 0)


def starter(model, **wheel):
    study = omniroll.new("single", model)
    study["parameters"]["wheel"].update(wheel)
    return study


def lowest(roller, points, angle):
    """Height of the centre of a wheel that is turned by the angle: over the points of one roller, along its axis (third), from the first roller's frame."""
    place, axis = roller.place(0), roller.axis(0)
    second = np.cross(axis, [0.0, 0.0, 1.0])
    second /= np.linalg.norm(second)
    inside = place + points @ np.stack([np.cross(second, axis), second, axis])
    turned = inside[:, 2] * math.cos(angle) - inside[:, 0] * math.sin(angle)
    return -turned.min()


def surface(along, distance):
    turns = np.linspace(0, 2 * np.pi, 721)
    return np.stack([np.outer(distance, np.cos(turns)), np.outer(distance, np.sin(turns)), np.outer(along, np.ones_like(turns))], axis=-1).reshape(-1, 3)


class Shapes(unittest.TestCase):
    def test_ripples_of_ellipsoids_are_those_that_are_known(self):
        """Rollers of 0.12 and 0.25 R at 45 degrees, per cent of R."""
        for count, most, least in ((6, 1.2, 0.6), (9, 0.28, 0.13), (12, 0.10, 0.04), (15, 0.04, 0.02)):
            for radius, known in ((0.12, most), (0.25, least)):
                one = replace(MECANUM, count=count, center_distance=1 - radius, end=math.pi / count)
                self.assertAlmostEqual(100 * ellipsoid(one, 1.0).ripple, known, delta=0.05 * known + 0.003)

    def test_the_true_roller_holds_the_centre_at_the_radius(self):
        points = surface(*profile(MECANUM, 1.0, np.linspace(-MECANUM.end, MECANUM.end, 2001)))
        for angle in np.linspace(-MECANUM.share, MECANUM.share, 11):
            self.assertAlmostEqual(lowest(MECANUM, points, angle), 1.0, delta=2e-5)
        self.assertEqual(true_ripple(MECANUM, 1.0), 0.0)

    def test_an_end_with_a_fillet_holds_it_as_its_points_do(self):
        one = replace(MECANUM, end=0.8 * MECANUM.share, fillet=0.02, undersize=0.01)
        at = np.linspace(-one.end, one.end, 801)
        along, distance = profile(replace(one, undersize=0.03), 1.0, at)  # a ball of the fillet's radius rolls inside
        ball = np.linspace(-np.pi / 2, np.pi / 2, 201)
        points = np.concatenate([surface(a + 0.02 * np.sin(ball), np.maximum(d + 0.02 * np.cos(ball), 0)) for a, d in zip(along[::40], distance[::40])])
        for angle in (0.0, 0.9 * one.share, one.share):
            self.assertAlmostEqual(lowest(one, points, angle), float(true_height(one, 1.0, np.array([angle]))[0]), delta=5e-5)
        self.assertGreater(true_ripple(one, 1.0), 1e-3)

    def test_heights_of_shapes_are_those_of_their_points(self):
        shape = ellipsoid(MECANUM, 1.0)
        turn = np.linspace(-np.pi / 2, np.pi / 2, 2001)
        points = surface(shape.half_length * np.sin(turn), shape.radius * np.cos(turn))
        angles = np.linspace(-MECANUM.share, MECANUM.share, 7)
        found = height(MECANUM, lambda c: np.sqrt(shape.half_length ** 2 * c ** 2 + shape.radius ** 2 * (1 - c ** 2)), angles)
        for angle, known in zip(angles, found):
            self.assertAlmostEqual(lowest(MECANUM, points, angle), float(known), delta=1e-5)
        self.assertAlmostEqual(float(np.abs(found - 1).max()), shape.error, delta=0.1 * shape.error)

    def test_an_error_is_kept_with_the_fewest_spheres(self):
        for error in (1e-2, 1e-3, 1e-4):
            made = spheres(MECANUM, 1.0, error)
            self.assertLessEqual(made.error, error)
            self.assertGreater(_chain(MECANUM, 1.0, len(made.spheres) - 1).error, error)
            heights = [max(place * c + size for place, size in made.spheres) for c in math.cos(math.pi / 4) * np.sin(np.linspace(0, MECANUM.share, 301))]
            off = np.abs(0.85 * np.cos(np.linspace(0, MECANUM.share, 301)) + heights - 1).max()
            self.assertAlmostEqual(off, made.error, delta=0.05 * made.error)

    def test_an_error_is_kept_by_a_mesh_that_is_turned_anyhow(self):
        made = mesh(MECANUM, 1.0, 2e-3)
        points, random = made.vertices(), np.random.default_rng(1)
        for turn, angle in zip(random.uniform(0, 2 * np.pi, 40), random.uniform(-MECANUM.share, MECANUM.share, 40)):
            c, s = math.cos(turn), math.sin(turn)
            self.assertAlmostEqual(lowest(MECANUM, points @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), angle), 1.0, delta=2e-3)
        self.assertLess(len(points), 2000)

    def test_what_takes_too_many_parts_is_refused(self):
        for make in (spheres, mesh):
            with self.assertRaises(omniroll.UsageError):
                make(MECANUM, 1.0, 1e-12)


@LIBRARY
class Model(unittest.TestCase):
    def test_masses_and_yaw_inertia_add_up_to_the_study_s(self):
        for model in KINDS:
            of = vehicle(omniroll.new("single", model))
            bodies = _placed(platform_of(of))
            mass = sum(body.mass for body, _, _ in bodies)
            center = sum(body.mass * (at + axes @ body.center) for body, at, axes in bodies) / mass
            yaw = 0.0
            for body, at, axes in bodies:
                inertia = body.inertia.copy()
                inertia[2] *= body.roller is None  # rollers turn on their own
                free = body.wheel is not None and of.wheels[body.wheel].swivels  # forks too
                lever = (at + axes @ body.center - center)[:2]
                yaw += (0 if free else (axes @ np.diag(inertia) @ axes.T)[2, 2]) + (0 if free else body.mass * float(lever @ lever))
            yaw += sum(wheel.total_mass * float(np.sum((wheel.place - center)[:2] ** 2)) for wheel in of.wheels if wheel.swivels)
            self.assertAlmostEqual(mass, of.about["whole"]["mass"], delta=1e-9 * mass, msg=model)
            np.testing.assert_allclose(center, of.about["whole"]["center_of_mass"], atol=1e-9, err_msg=model)
            self.assertAlmostEqual(yaw, of.about["whole"]["yaw_inertia"], delta=1e-6 * yaw, msg=model)

    def test_rollers_without_mass_take_theirs_from_the_disc(self):
        study = omniroll.new("single", "mecanum")
        study["parameters"]["contact"] = {"law": "massless_rollers"}
        of = vehicle(study)
        bodies = platform_of(of).every()
        self.assertAlmostEqual(sum(body.mass for body in bodies), of.mass, places=12)
        self.assertTrue(all(body.mass > 0 and (body.inertia > 0).all() for body in bodies))
        self.assertTrue(any("without mass" in line for line in export_model(study).omitted))

    def test_inertias_that_no_body_can_have_are_raised_and_told(self):
        study = starter("mecanum", disc={"mass": "0.35 kg", "axial_inertia": "4e-4 kg m2", "diametral_inertia": 0})
        disc = next(body for body in platform_of(vehicle(study)).every() if body.name == "wheel_0")
        np.testing.assert_allclose(disc.inertia, [2e-4, 4e-4, 2e-4])
        self.assertTrue(any("no body can have" in line for line in export_model(study).omitted))
        self.assertFalse(any("no body can have" in line for line in export_model(starter("mecanum")).omitted))
        if mujoco:
            loaded(export_model(study))

    def test_every_kind_of_wheel_has_its_parts(self):
        for model in KINDS:
            study = omniroll.new("single", model)
            made, of = export_model(study), vehicle(study)
            root = ElementTree.fromstring(made.text)
            names = {tag: [element.get("name") for element in root.iter(tag) if element.get("name")] for tag in ("body", "joint", "position", "motor", "geom")}
            self.assertEqual(made.wheels, [wheel.name for wheel in of.wheels])
            for tag, known in names.items():
                self.assertEqual(len(known), len(set(known)), f"{model}: {tag}")
            for wheel in of.wheels:
                self.assertIn(f"wheel_{wheel.name}", names["body"])
                self.assertEqual(f"swivel_{wheel.name}" in names["joint"], wheel.swivels)
                self.assertEqual(f"steer_{wheel.name}" in names["position"], wheel.kind == "swerve")
                self.assertEqual(f"drive_{wheel.name}" in names["motor"], wheel.drive != "none")
                self.assertEqual(sum(name.startswith(f"roller_{wheel.name}_") for name in names["joint"]), wheel.roller.count if wheel.roller else 0)
            collides = [geom for geom in root.iter("geom") if geom.get("conaffinity") == "1"]
            self.assertEqual(len(collides), sum(wheel.roller.count if wheel.roller else 1 for wheel in of.wheels))
            self.assertTrue(all(geom.get("contype") == "0" for geom in collides), "nothing touches but the floor")

    def test_rates_have_the_sign_of_the_study(self):
        study = omniroll.new("single", "mecanum")
        known = export_model(study)
        study["frame"] = "ros"
        study["parameters"]["platform"]["center_of_mass"].pop("z")
        study["parameters"]["command"].pop("vz")
        turned = export_model(study)
        axes = [[joint.get("axis") for joint in ElementTree.fromstring(made.text).iter("joint") if joint.get("name", "").startswith("wheel_")]
                for made in (known, turned)]
        self.assertEqual(axes, [["0 -1 0"] * 4, ["0 1 0"] * 4])  # forward is negative in the frame y_up
        places = [[body.get("pos") for body in ElementTree.fromstring(made.text).iter("body")] for made in (known, turned)]
        self.assertEqual(*places)

    def test_axes_near_half_a_turn_are_theirs(self):
        for degrees in (0, 90, 170, 175, 177.5, 179.9, 180, -176, -90):
            w, _, _, z = quaternion(about_up(math.radians(degrees)))
            self.assertAlmostEqual(math.sin(2 * math.atan2(z, w) - math.radians(degrees)), 0.0, places=12)
        random = np.random.default_rng(2)
        for axis in random.normal(size=(2000, 3)):
            axes = along(axis)
            w, x, y, z = quaternion(axes)
            np.testing.assert_allclose([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axes[:, 2], atol=1e-12)

    def test_an_instance_has_its_values(self):
        study = omniroll.new("single", "mecanum")
        study["vary"] = [{"path": "wheel.friction", "values": [0.3, 0.7]}]
        for instance, friction in ((0, "0.3 0 0"), (1, "0.7 0 0")):
            made = export_model(study, instance=instance)
            self.assertIn(f'friction="{friction}"', made.text)
            self.assertIn(f"its instance {instance}", made.text)
        made = export_model(study)
        self.assertIn(f'friction="{study["parameters"]["wheel"]["friction"]} 0 0"', made.text)
        self.assertIn("its nominal values", made.text)
        with self.assertRaises(omniroll.UsageError):
            export_model(study, instance=2)
        with self.assertRaises(omniroll.UsageError):
            export_model(study, instance=-1)

    def test_gravity_leans_on_a_slope(self):
        study = omniroll.new("single", "compliant")
        study["parameters"]["floor"] = {"slope": 0.2, "slope_direction": math.pi / 2}
        gravity = np.array(vehicle(study).about["gravity"])
        np.testing.assert_allclose(gravity, [0, -9.81 * math.sin(0.2), -9.81 * math.cos(0.2)], atol=1e-12)  # heading left is uphill

    def test_motors_are_those_of_the_drives(self):
        drive = {"type": "constant", "by": "voltage", "voltage": 3}
        motor = {"resistance": 2, "torque_constant": 0.05, "gear_ratio": 10, "rotor_inertia": 1e-5, "no_load_current": 0.1, "current_limit": 4}
        of = vehicle(starter("mecanum", drive=drive, motor=motor))
        made = motor_of(of.wheels[0], of)
        for voltage, rate in ((12.0, 0.0), (12.0, 5.0), (-3.0, 2.0)):
            current = (voltage - 10 * 0.05 * rate) / 2
            self.assertAlmostEqual(made.attributes["gain"] * voltage - made.attributes["back"] * rate, 10 * 0.05 * current)
        self.assertAlmostEqual(made.ranges["forcerange"], 10 * 0.05 * 4)
        self.assertAlmostEqual(axle_friction(of.wheels[0]), 10 * 0.05 * 0.1)
        line = {"stall_torque": 0.3, "no_load_speed": 100, "gear_ratio": 10}
        of = vehicle(starter("mecanum", motor=line))
        made = motor_of(of.wheels[0], of)
        self.assertAlmostEqual(made.attributes["gain"], 3.0)
        self.assertAlmostEqual(made.attributes["gain"] - made.attributes["back"] * 10.0, 0.0)  # no load at the full control

    def test_losses_and_what_is_left_out_are_told(self):
        study = starter("mecanum", axle_bearing=0.01)
        study["parameters"]["wheel"]["roller"] = {"density": 1500, "bearing": 1e-5, "dry": {"torque": 1e-3, "friction": 0.1, "pin_radius": 1e-3},
                                                  "rolling_resistance": 5e-4}
        made = export_model(study)
        root = ElementTree.fromstring(made.text)
        joints = {joint.get("name"): joint for joint in root.iter("joint")}
        self.assertEqual((joints["roller_0_0"].get("damping"), joints["roller_0_0"].get("frictionloss")), ("1e-05", "0.001"))
        self.assertEqual(joints["wheel_0"].get("damping"), "0.01")
        self.assertIn('condim="6" friction="0.3 1e-5 0.0005"', made.text.replace("0.5 1e-5", "0.3 1e-5"))
        self.assertTrue(any("pins" in line for line in made.omitted))
        for line in made.omitted:
            self.assertIn(line, made.text)

    def test_surroundings_that_are_left_out_are_told(self):
        study = omniroll.new("single", "compliant")
        study["parameters"].update(initial={"vx": 0.1}, floor={"wave": {"amplitude": "1 mm"}}, external={"type": "constant", "force": {"x": 1}},
                                   ground={"type": "patches", "patch0": {"x": 1, "z": 0, "length": 0.5, "width": 2, "friction": 0.05}})
        omitted = "\n".join(export_model(study).omitted)
        for words in ("velocities at the start", "heights of the floor", "external forces", "ground of type patches"):
            self.assertIn(words, omitted)

    def test_what_has_no_platform_is_refused_with_a_remedy(self):
        for model, words in (("omni_wheel", "no platform on wheels"), ("disc_vehicle", "painted axes"), ("wheelset", "no platform on wheels")):
            with self.assertRaises(omniroll.StudyError) as refused:
                export_model(omniroll.new("single", model))
            self.assertIn(words, str(refused.exception))
            self.assertIn("omni_vehicle", str(refused.exception))
        mecanum = omniroll.new("single", "mecanum")
        for more in ({"shape": "cube"}, {"error": 1e-4}, {"shape": "spheres", "error": "5 l"}, {"shape": "mesh", "error": -1}):
            with self.assertRaises(omniroll.UsageError):
                export_model(mecanum, **more)

    def test_a_model_is_shown_in_short(self):
        made = export_model(omniroll.new("single", "mecanum"))
        self.assertEqual(str(made), repr(made))
        self.assertRegex(str(made), r"^<ExportedModel: .*, nominal values, 16.35 kg, 4 wheels; \d+ kB of MJCF in .text, \d+ lines in .omitted>$")

    def test_errors_of_shapes_are_told(self):
        made = export_model(omniroll.new("single", "mecanum"), shape="spheres", error="0.1 mm")
        for wheel in made.numbers["wheels"]:
            self.assertLessEqual(wheel["error"], 1e-4)
            self.assertGreater(wheel["parts"], 3)
        self.assertEqual(made.text.count('type="sphere"'), 4 * 9 * made.numbers["wheels"][0]["parts"])
        for shape in ("spheres", "mesh"):
            self.assertEqual(export_model(omniroll.new("single", "mecanum"), shape=shape, error="0.093 mm").numbers["hints"], [])
            (hint,) = export_model(omniroll.new("single", "mecanum"), shape=shape, error="0.1 mm").numbers["hints"]
            self.assertIn("an ellipsoid a roller is within 0.1 mm too (0.0933 mm)", hint)
            self.assertIn("leave out --shape", hint)
        study = omniroll.new("single", "mecanum")
        study["title"] = "a -- b <&> \u0001"
        made = export_model(study, shape="mesh", error="0.2 mm")
        self.assertEqual((made.text.count("<mesh "), made.text.count('type="mesh"')), (1, 36))

    def test_a_file_comes_back_by_the_import(self):
        from omniroll import robots

        for model in ("mecanum", "kiwi"):
            study = omniroll.new("single", model)
            of, made = vehicle(study), export_model(study)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "robot.xml")
                made.save(path)
                back = vehicle(json.loads(json.dumps(robots.read(path).study)))
            for mine, its in zip(of.wheels, back.wheels):
                np.testing.assert_allclose(its.place[:2], mine.place[:2], atol=1e-6)
                self.assertAlmostEqual(its.radius, mine.radius, delta=made.numbers["wheels"][0]["error"] * 1.01)
                self.assertEqual(its.roller.count, mine.roller.count)
                self.assertAlmostEqual(abs(its.roller.inclination), abs(mine.roller.inclination), places=6)
                self.assertAlmostEqual(its.roller.center_distance, mine.roller.center_distance, delta=1e-6)
                self.assertAlmostEqual(its.total_mass, mine.total_mass, delta=1e-6)
            for name in ("mass", "yaw_inertia"):
                self.assertAlmostEqual(back.about["whole"][name], of.about["whole"][name], delta=1e-5 * of.about["whole"][name])

    @unittest.skipUnless(PROGRAM, "OMNIROLL names no program")
    def test_the_command_writes_and_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            def run(*words):
                return subprocess.run([PROGRAM, "export-model", *words], cwd=folder, capture_output=True, text=True)

            with open(os.path.join(folder, "robot.json"), "w", encoding="utf-8") as file:
                json.dump(omniroll.new("single", "mecanum"), file)
            done = run("robot.json", "--mjcf", "robot.xml")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("ripple of the wheel's centre 0.249% of R", " ".join(done.stdout.split()))
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)
            self.assertIn(", nominal values, 16.35 kg", done.stdout)
            self.assertIn(", instance 0, 16.35 kg", run("robot.json", "--mjcf", "robot.xml", "--instance", "0").stdout)
            self.assertEqual(run("robot.json", "--mjcf", "robot.xml", "-q").returncode, 0)
            self.assertEqual(run("robot.json", "--mjcf", "robot.xml", "-q").stdout, "", "its own file is replaced")
            piped = run("robot.json", "--mjcf", "-")
            with open(os.path.join(folder, "robot.xml"), encoding="utf-8") as file:
                self.assertEqual(piped.stdout, file.read())
            known = json.loads(run("robot.json", "--mjcf", "robot.xml", "--json").stdout)
            self.assertAlmostEqual(known["mass"], 16.352231493, places=6)
            with open(os.path.join(folder, "mine.xml"), "w", encoding="utf-8") as file:
                file.write("<mujoco/>")
            self.assertEqual(run("robot.json", "--mjcf", "robot.xml", "--newton", "robot.py", "-q").returncode, 0)
            with open(os.path.join(folder, "robot.py"), encoding="utf-8") as file:
                compile(file.read(), "robot.py", "exec")
            for words, code, text in ((("robot.json",), 2, "--mjcf"), (("robot.json", "--newton", "a.py"), 2, "--mjcf robot.xml"),
                                      (("robot.json", "--mjcf", "a", "--newton", "a"), 2, "same name"), (("robot.json", "--mjcf", "robot.json"), 2, "choose another file with --mjcf FILE"),
                                      (("robot.json", "--mjcf", "mine.xml"), 2, "--force"), (("robot.json", "--mjcf", "a.xml", "--instance", "x"), 2, "--instance"),
                                      (("robot.json", "--mjcf", "a.xml", "--shape", "spheres", "--error", "2"), 2, "0.1mm"),
                                      (("none.json", "--mjcf", "a.xml"), 5, "none.json")):
                done = run(*words)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(text, done.stderr)
            self.assertEqual(run("robot.json", "--mjcf", "mine.xml", "--force").returncode, 0)
            self.edited(run, folder)

    def edited(self, run, folder):
        """Files that were changed since they were written, by one letter, are kept."""
        words = ("robot.json", "--mjcf", "robot.xml", "--newton", "robot.py", "-q")
        self.assertEqual(run(*words).returncode, 0)
        for name in ("robot.xml", "robot.py"):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            changed = text.replace("</mujoco>", "</mujoco> ") if name == "robot.xml" else text.replace("pose()", "Pose()", 1)
            self.assertNotEqual(changed, text)
            with open(path, "w", encoding="utf-8") as file:
                file.write(changed)
            done = run(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{name} was changed since omniroll export-model wrote it; choose another file, or --force", done.stderr)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), changed)
            self.assertEqual(run(*words, "--force").returncode, 0)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)


def _placed(body, at=np.zeros(3), axes=np.eye(3)):
    place, turned = at + axes @ body.place, axes @ body.axes
    return [(body, place, turned), *(one for child in body.inside for one in _placed(child, place, turned))]


def loaded(made):
    model = mujoco.MjModel.from_xml_string(made.text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    return model, data


def yaw_of(data):
    w, x, y, z = data.qpos[3:7]
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


@IN_MUJOCO
class InMuJoCo(unittest.TestCase):
    def test_every_kind_loads_and_stands(self):
        for model in KINDS:
            for shape in ("ellipsoid", "spheres", "mesh") if model == "mecanum" else ("ellipsoid",):
                made = export_model(omniroll.new("single", model), shape=shape)
                simulated, data = loaded(made)
                self.assertAlmostEqual(float(simulated.body_mass.sum()), made.numbers["mass"], places=6)
                mujoco.mj_step(simulated, data, 1000)
                self.assertLess(float(np.abs(data.qvel).max()), 5e-3, model)
                self.assertLess(float(np.abs(data.qpos[:3]).max()), 1e-3, model)
                self.assertGreaterEqual(data.ncon, 2)

    def test_mobilities_are_those_of_mujoco(self):
        for model in ("mecanum", "swerve", "mecanum_tracking"):
            study = omniroll.new("single", model)
            simulated, _ = loaded(export_model(study))
            for name, mobility in mobilities(platform_of(vehicle(study))).items():
                self.assertAlmostEqual(simulated.body_invweight0[simulated.body(name).id, 0], mobility, delta=1e-6 * mobility, msg=name)

    def test_soft_contacts_sink_and_swing_as_the_study_s(self):
        """At rest the vehicle sinks by M g/4k, and after a push it heaves at the rate of sqrt(4k/M) with the study's damping."""
        study = omniroll.new("single", "compliant")
        study["parameters"]["wheel"]["contact"] = {"stiffness": "50 kN/m", "damping_ratio": 0.1}
        study["parameters"]["contact"] = {"normal": "compliant", "damper": "kelvin_voigt"}
        of, made = vehicle(study), export_model(study)
        simulated, data = loaded(made)
        mujoco.mj_step(simulated, data, 1000)
        depth = -np.mean([contact.dist for contact in data.contact])
        self.assertAlmostEqual(depth, of.mass * 9.81 / (4 * 5e4), delta=1e-3 * depth)
        rest, heights = data.qpos[2], []
        data.qvel[2] = 0.01
        for _ in range(200):
            mujoco.mj_step(simulated, data)
            heights.append(data.qpos[2] - rest)
        rate = math.sqrt(4 * 5e4 / of.mass)
        damped = rate * math.sqrt(1 - 0.1 ** 2)
        t = 1e-3 * (1 + np.arange(200))
        known = 0.01 / damped * np.exp(-0.1 * rate * t) * np.sin(damped * t)
        self.assertLess(np.abs(heights - known).max(), 0.12 * known.max())

    def test_a_wheel_in_the_air_is_slowed_by_its_bearing(self):
        """The rate falls by exp(-t beta/J), with the inertia of the disc and of rollers that turn freely."""
        study = starter("mecanum", axle_bearing=1e-3)
        of, made = vehicle(study), export_model(study)
        simulated, data = loaded(made)
        simulated.opt.gravity[:] = 0
        data.qpos[2] = 1
        joint = simulated.joint("wheel_0").dofadr[0]
        data.qvel[joint] = 5.0
        mujoco.mj_step(simulated, data, 500)
        wheel, roller = of.wheels[0], of.wheels[0].roller
        inertia = wheel.value("disc.axial_inertia") + roller.count * (roller.mass * roller.center_distance ** 2 + 0.5 * roller.diametral_inertia)
        self.assertAlmostEqual(data.qvel[joint], 5 * math.exp(-0.5 * 1e-3 / inertia), delta=0.03)

    def test_stiff_contacts_get_a_shorter_step_and_stand(self):
        study = starter("compliant", contact={"stiffness": "20 MN/m", "damping_ratio": 0.2})
        made = export_model(study)
        self.assertLess(made.numbers["timestep"], 0.5 / math.sqrt(4 * 2e7 / made.numbers["mass"]) * 1.001)
        simulated, data = loaded(made)
        self.assertEqual(simulated.opt.timestep, made.numbers["timestep"])
        mujoco.mj_step(simulated, data, 3000)
        self.assertLess(float(np.abs(data.qvel).max()), 1e-3)

    def test_tracking_wheels_carry_their_preload(self):
        study = omniroll.new("single", "mecanum_tracking")
        of = vehicle(study)
        simulated, data = loaded(export_model(study))
        mujoco.mj_step(simulated, data, 2000)
        loads, force = {}, np.zeros(6)
        for number, contact in enumerate(data.contact):
            name = simulated.body(simulated.geom_bodyid[max(contact.geom)]).name
            mujoco.mj_contactForce(simulated, data, number, force)
            loads[name.split("_")[1]] = loads.get(name.split("_")[1], 0.0) + force[0]
        for wheel in of.wheels[4:]:
            self.assertAlmostEqual(loads[wheel.name], wheel.value("tracking.preload"), delta=0.05 * wheel.value("tracking.preload"))

    def test_wheels_on_suspensions_stand_where_the_study_s_do(self):
        study = omniroll.new("single", "compliant")
        study["parameters"]["wheel"]["suspension"] = {"stiffness": "20 kN/m", "damping": 300, "mass": "0.2 kg"}
        study["parameters"]["platform"]["center_of_mass"]["x"] = "3 cm"
        of, made = vehicle(study), export_model(study)
        simulated, data = loaded(made)
        begin = data.qpos.copy()
        mujoco.mj_step(simulated, data, 1500)
        down = ellipsoid(of.wheels[0].roller, of.wheels[0].radius).radius - of.wheels[0].roller.largest_radius  # of the middle of an ellipsoid
        self.assertAlmostEqual(data.qpos[2], begin[2] + down, delta=2e-6)
        np.testing.assert_allclose(data.qpos[3:7], begin[3:7], atol=2e-5)
        self.assertEqual(data.ncon, 4)

    def test_a_motor_in_the_air_comes_to_its_rate_without_load(self):
        drive = {"type": "constant", "by": "voltage", "voltage": 3}
        study = starter("mecanum", drive=drive, motor={"resistance": 2, "torque_constant": 0.05, "gear_ratio": 10})
        simulated, data = loaded(export_model(study))
        simulated.opt.gravity[:] = 0
        data.qpos[2] = 1
        data.ctrl[:] = [3.0, -3.0, 3.0, -3.0]
        mujoco.mj_step(simulated, data, 500)
        for number, sign in enumerate((1, -1, 1, -1)):
            self.assertAlmostEqual(data.qvel[simulated.joint(f"wheel_{number}").dofadr[0]], sign * 3 / (10 * 0.05), delta=1e-3)

    def test_a_servo_turns_its_fork_and_a_caster_trails(self):
        study = omniroll.new("single", "swerve")
        simulated, data = loaded(export_model(study))
        data.ctrl[simulated.actuator("steer_0").id] = 0.3
        mujoco.mj_step(simulated, data, 1500)
        self.assertAlmostEqual(data.joint("swivel_0").qpos[0], 0.3, delta=0.05)
        study = omniroll.new("single", "differential")
        for rollers in ("rollers", "tip_radius", "row_distance", "roller", "inclination"):
            study["parameters"]["wheel"].pop(rollers, None)
        study["parameters"]["wheels"] = [*study["parameters"]["wheels"][:2], {"kind": "caster", "x": "-20 cm", "z": 0, "radius": "4 cm", "name": "tail",
                                                                             "drive": {"type": "none"}, "initial": {"steer": 1.0}}]
        simulated, data = loaded(export_model(study))
        self.assertAlmostEqual(data.joint("swivel_tail").qpos[0], 1.0)
        for _ in range(3000):
            data.ctrl[:] = -0.05  # forward
            mujoco.mj_step(simulated, data)
        self.assertGreater(data.qpos[0], 0.2)
        self.assertAlmostEqual(data.joint("swivel_tail").qpos[0], 0.0, delta=0.05)

    def test_ways_are_those_of_the_study(self):
        """2 s of forward, strafe and turn at prescribed wheel rates: friction 0.8, a step of 1 ms, 1 % of the way."""
        for model, rollers in (("mecanum", 9), ("mecanum", 12), ("kiwi", 8)):
            for move in ((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 1.5)):
                study = starter(model, friction=0.8, rollers=rollers)
                with tempfile.TemporaryDirectory() as folder:
                    rates = self._prescribed(study, move, folder)
                    result = omniroll.run(study)
                    simulated, data = loaded(export_model(study))
                self._drive(simulated, data, rates)
                ours = np.array([float(result[name][0]) for name in ("final_x", "final_z", "final_yaw")]) * [1, -1, 1]
                theirs = np.array([data.qpos[0], data.qpos[1], yaw_of(data)])
                theirs[2] += 2 * np.pi * round((ours[2] - theirs[2]) / (2 * np.pi))
                size = max(abs(ours[0]), abs(ours[1]), 0.25 * abs(ours[2]))
                self.assertLess(np.abs((ours - theirs) * [1, 1, 0.25]).max() / size, 0.01, f"{model} {rollers} {move}: {ours} {theirs}")

    @unittest.skipUnless(newton, "newton is not installed: pip install 'newton[sim]==1.8'")
    def test_newton_drives_as_mujoco_does(self):
        made = export_model(starter("mecanum", friction=0.8))
        with tempfile.TemporaryDirectory() as folder:
            made.save(os.path.join(folder, "robot.xml"))
            path = os.path.join(folder, "robot.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(newton_program(made, "robot.xml", path))
            program = importlib.util.module_from_spec(importlib.util.spec_from_file_location("robot", path))
            program.__spec__.loader.exec_module(program)
            way = program.drive(program.Robot(cpu=True))
        simulated, data = loaded(made)
        for wheel, inertia in zip(program.WHEELS, program.ARMATURE):
            drive = simulated.actuator(f"drive_{wheel}").id
            simulated.actuator_gainprm[drive, 0], simulated.actuator_biastype[drive], simulated.actuator_biasprm[drive, 2] = 300 * inertia, 1, -300 * inertia
            simulated.actuator_ctrllimited[drive] = 0
            simulated.dof_armature[simulated.joint(f"wheel_{wheel}").dofadr[0]] = inertia
        mujoco.mj_setConst(simulated, data)
        mujoco.mj_resetDataKeyframe(simulated, data, 0)
        self._drive(simulated, data, 0.5 * np.array(program.FORWARD))
        np.testing.assert_allclose(way, [data.qpos[0], data.qpos[1], yaw_of(data)], atol=1e-3)

    @staticmethod
    def _rate(t):
        share = min(t / 0.25, 1.0)
        return share * share * (3 - 2 * share)

    def _prescribed(self, study, move, folder):
        """Puts drives into the study that turn its wheels for a motion of the ideal vehicle; their rates."""
        of, path = vehicle(study), os.path.join(folder, "rates.csv")
        rates = []
        for wheel in of.wheels:
            i, k = np.array([math.cos(wheel.axis_angle), math.sin(wheel.axis_angle)]), np.array([math.sin(wheel.axis_angle), -math.cos(wheel.axis_angle)])
            at = np.array([move[0] - move[2] * wheel.place[1], move[1] + move[2] * wheel.place[0]])
            rates.append(-float(at @ i + math.tan(wheel.roller.inclination) * (at @ k)) / wheel.radius)
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(["t", *(f"w{n}" for n in range(len(rates)))]) + "\n")
            for t in np.linspace(0, 2.5, 501):
                file.write(",".join(map(repr, [float(t), *(float(self._rate(t) * rate) for rate in rates)])) + "\n")
        parameters = study["parameters"]
        parameters.pop("command", None)
        parameters["wheel"].pop("drive", None)
        own = parameters.setdefault("wheels", [{} for _ in rates])
        for number, wheel in enumerate(own):
            wheel["drive"] = {"type": "replay_rate", "replay": {"file": path, "columns": {"time": {"column": "t", "unit": "s"}, "rate": f"w{number}"}}}
        study["integrator"] = {"tolerance": 1e-4, "duration": 2}
        study["output"] = {"observables": ["final_x", "final_z", "final_yaw"]}
        return rates

    def _drive(self, simulated, data, rates):
        mujoco.mj_step(simulated, data, 200)
        start, begin = data.qpos[:2].copy(), data.time
        while data.time - begin < 2 - 1e-9:
            data.ctrl[:] = [self._rate(data.time - begin) * rate for rate in rates]
            mujoco.mj_step(simulated, data)
        data.qpos[:2] -= start


if __name__ == "__main__":
    unittest.main()
