"""Robots on tyres with casters, balls and steered wheels: omniroll import. Expected figures are computed here by hand, or by formulas of the pages."""

import math
import os
import pathlib
import random
import re
import subprocess
import sys
import unittest

import numpy as np
import omniroll
from omniroll.errors import StudyError
from omniroll.robots import bare

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_import import CYLINDER, Files, inertial, joint, link, number, robot, wheel  # noqa: E402

PROGRAM = os.environ["OMNIROLL"]
BASE = link("base_link", inertial(10, (0.1, 0.2, 0.3), "-0.03 0 0.02"))
TYRES = wheel("left", 0, 0.15), wheel("right", 0, -0.15)
UP = '<axis xyz="0 0 1"/>'


def shape(what, xyz="0 0 0", rpy="0 0 0"):
    return f'<collision><origin xyz="{xyz}" rpy="{rpy}"/><geometry>{what}</geometry></collision>'


def ball(name="ball", place="-0.2 0 -0.03", radius=0.02, kind="fixed"):
    return link(name, inertial(0.2, (1e-5, 1e-5, 1e-5)), shape(f'<sphere radius="{radius}"/>')) + joint(f"{name}_joint", name, place, kind=kind)


def fork(name, place, trail, more="", kind="continuous", mass=0.3, aside=0.0):
    """A swivel at `place`, and a wheel of 2 cm behind it by `trail`, whose underside is that of the tyres."""
    round_ = shape('<cylinder radius="0.02" length="0.01"/>', rpy="1.5707963267948966 0 0")
    return (link(f"{name}_fork", inertial(mass, (1e-4, 1e-4, 2e-4), "-0.01 0 0")) + joint(f"{name}_swivel", f"{name}_fork", place, UP, more, kind=kind) +
            link(f"{name}_wheel", inertial(0.1, (1e-5, 2e-5, 1e-5)), round_) +
            joint(f"{name}_axle", f"{name}_wheel", f"{-trail} {aside} -0.03", '<axis xyz="0 1 0"/>', parent=f"{name}_fork"))


class Runs(Files):
    def runs(self, found, *observables, **settings):
        """A result of the study, which is valid and whose text says the same."""
        path = self.written(found.text, "study.json")
        self.assertEqual(omniroll.load(path), found.study)
        if observables:
            settings["output.observables"] = list(observables)
        result = omniroll.run(path, output=str(self.folder / f"r{len(list(self.folder.iterdir()))}.h5"), set=settings)
        self.assertEqual(int(result.status[0]), 0)
        return result

    def kinds(self, found):
        wheels = found.study["parameters"]["wheels"]
        return [own.get("kind", found.study["parameters"]["wheel"].get("kind", "roller")) for own in wheels]


class TestTyres(Runs):
    def test_a_ball_on_the_floor(self):
        found = self.read(robot(BASE, *TYRES, ball()))
        self.assertEqual((found.refusal, found.doubts, self.kinds(found)), ("", [], ["plain"] * 3))
        self.assertEqual([number(found, f"wheels[2].{word}") for word in ("x", "y", "radius")], [-0.2, 0, 0.02])
        self.assertAlmostEqual(number(found, "platform.mass"), 10.2, places=12)  # with the ball
        self.assertEqual(number(found, "wheels[2].drive.type"), "rate")
        self.assertTrue(0 < number(found, "wheels[2].disc.mass") < 1.1e-5)
        self.assertEqual((number(found, "wheels[2].friction"), found.values["wheels[2].friction"].guess), (bare.FOOT_FRICTION, True))
        for path, value in (("kind", "plain"), ("disc.mass", 0.5), ("disc.axial_inertia", 6e-4), ("disc.diametral_inertia", 4e-4), ("axle_bearing", 0.01)):
            self.assertEqual((number(found, f"wheel.{path}"), found.values[f"wheel.{path}"].guess), (value, False))  # no rollers take a share
        self.assertNotIn("wheel.rollers", found.values)
        table = str(found)
        self.assertIn("2 wheels, 1 foot, ", table)
        self.assertIn("missing in the study\n    wheels[2], ball_joint: that a ball rolls", table)
        result = self.runs(found, "odometry_error", "odometry_yaw_error", "deviation", "path_length")
        self.assertLess(abs(float(result["odometry_error"][0])), 0.02 * float(result["path_length"][0]))  # 0.2 of it with the locked wheel

    def test_a_ball_slides_alike_in_every_direction(self):
        """Tyres without friction, and a vehicle pushed forward, aside and at 45 degrees: the ball alone brakes, by mu N / m."""
        found = self.read(robot(BASE.replace("-0.03 0 0.02", "0 0 0.02"), *TYRES, ball("rear"), ball("front", "0.2 0 -0.03")))
        for angle in (0, 45, 90):
            v = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
            parameters = {key: value for key, value in found.study["parameters"].items() if key not in ("command", "odometry")}
            study = {**found.study, "parameters": {**parameters, "initial": {"vx": float(v[0]), "vy": float(v[1])}}}
            parameters["wheel"]["drive"] = {"type": "none"}
            study["parameters"]["wheels"] = [{**own, "friction": 0.1 if own.get("drive") else 0.0, "axle_bearing": 0, "axle_dry": {"torque": 0}, "drive": own.get("drive", {"type": "none"})}
                                             for own in study["parameters"]["wheels"]]
            result = omniroll.run({**study, "output": {"observables": ["final_vx", "final_vy", "max_load"]}}, output=str(self.folder / f"{angle}.h5"), set={"integrator.duration": 0.2})
            end = np.array([float(result["final_vx"][0]), float(result["final_vy"][0])])
            self.assertLess(abs(end[0] * v[1] - end[1] * v[0]), 0.01)  # along the push
            if angle == 0:
                slowed = 1 - np.linalg.norm(end)
            self.assertAlmostEqual(1 - np.linalg.norm(end), slowed, delta=0.02 * slowed)

    def test_where_a_foot_is_found(self):
        """Spheres of any link that reach the floor, and what is named a caster: a box, a mesh, a wheel without a swivel."""
        sphere = link("base_link", inertial(10, (0.1, 0.2, 0.3), "-0.03 0 0"), shape('<sphere radius="0.02"/>', "-0.15 0.01 -0.03"), shape('<sphere radius="0.02"/>', "0.1 0 0.3"))
        box = link("rear_caster", shape('<box size="0.04 0.02 0.03"/>', "0 0.005 0")) + joint("skid", "rear_caster", "-0.15 0.005 -0.035", kind="fixed")
        mesh = link("caster_link", shape('<mesh filename="x.stl"/>')) + joint("castor", "caster_link", "-0.15 0.01 0.1", kind="fixed")
        rolls = link("castor_wheel", CYLINDER) + joint("c", "castor_wheel", "-0.15 0.01 0", '<axis xyz="0 1 0"/>')
        loose = ball("orb", "-0.15 0.01 -0.03", kind="continuous").replace("</joint>", '<axis xyz="0 1 0"/></joint>')
        for parts, radius in (((sphere,), 0.02), ((BASE, box), None), ((BASE, mesh), None), ((BASE, rolls), 0.05), ((BASE, loose), 0.02)):
            found = self.read(robot(*parts, *TYRES))
            self.assertEqual((found.refusal, len(found.vehicle.wheels)), ("", 3), parts)
            self.assertEqual([round(number(found, f"wheels[2].{word}"), 9) for word in "xy"], [-0.15, 0.01])
            value = found.values.get("wheels[2].radius", found.values["wheel.radius"])
            self.assertEqual((value.guess, None if value.guess else value.number), (radius is None, radius))
            self.runs(found)
        for height, feet, said in ((-0.03, 1, ""), (-0.04, 1, "its underside, 10 mm below that of the wheels, is put there"), (-0.05, 0, "stands 0.02 m below the plane")):
            found = self.read(robot(BASE, *TYRES, ball("caster", f"-0.2 0 {height}")))
            self.assertEqual(sum(bool(one.foot) for one in found.vehicle.wheels), feet)
            self.assertIn(said, str(found))

    def test_a_caster_comes_over(self):
        found = self.read(robot(BASE, *TYRES, fork("rear", "-0.2 0 0", 0.025), fork("front", "0.2 0 0", -0.025, '<dynamics damping="3e-4" friction="1e-3"/>')))
        self.assertEqual((found.refusal, self.kinds(found)), ("", ["plain", "plain", "caster", "caster"]))
        self.assertAlmostEqual(number(found, "platform.mass"), 10, places=12)
        for i, x in ((2, -0.2), (3, 0.2)):
            self.assertAlmostEqual(number(found, f"wheels[{i}].x"), x, places=12)  # of the swivel axis
            self.assertAlmostEqual(number(found, f"wheels[{i}].swivel.trail"), 0.025, places=12)
            self.assertAlmostEqual(number(found, f"wheels[{i}].radius"), 0.02, places=12)
            self.assertEqual(number(found, f"wheels[{i}].drive.type"), "none")
        self.assertNotIn("wheels[2].initial.steer", found.values)  # it trails in the file
        self.assertAlmostEqual(abs(number(found, "wheels[3].initial.steer")), 180, places=9)
        self.assertEqual((number(found, "wheels[3].swivel.bearing"), found.values["wheels[3].swivel.bearing"].guess), (3e-4, False))
        self.assertTrue(found.values["wheels[2].swivel.bearing"].guess)
        self.assertEqual(number(found, "wheels[2].axle_bearing"), 0)  # the tyres' joints have one, the caster's none
        self.assertIn("front_swivel: its dry friction", str(found))
        self.runs(found)

    def test_wheel_and_fork_keep_mass_and_inertia_about_the_swivel(self):
        """appendix/vehicle.md: J_s = J_f + m_f e^2 + J_d + m_w t^2 with m_f e = m_w t; in the file J_f is about the fork's centre, 1 cm behind the axis."""
        for mass in (0.3, 0.02, 0.0):
            found = self.read(robot(BASE, *TYRES, fork("rear", "-0.2 0 0", 0.025, mass=mass)))
            m_f, j_f, m_w = (number(found, f"wheels[2].{path}") for path in ("swivel.mass", "swivel.inertia", "disc.mass"))
            e = m_w * 0.025 / m_f
            self.assertAlmostEqual(m_f + m_w, mass + 0.1, places=12)
            own = 2e-4 + mass * 0.01**2 if mass else 0.0
            self.assertAlmostEqual(j_f + m_f * e**2 + m_w * 0.025**2, own + 0.1 * 0.025**2, places=12)
            self.assertEqual(found.values["wheels[2].swivel.mass"].guess, mass == 0)
            self.assertGreater(j_f, 0)  # the reference wants every body to have some

    def test_a_caster_beside_its_axis_and_twins(self):
        for angle in (0, 90, 137, -60):
            turned = fork("rear", "-0.2 0 0", 0.025, aside=0.004).replace('<origin xyz="-0.2 0 0" rpy="0 0 0"/>', f'<origin xyz="-0.2 0 0" rpy="0 0 {math.radians(angle)!r}"/>')
            found = self.read(robot(BASE, *TYRES, turned))
            self.assertAlmostEqual(number(found, "wheels[2].swivel.trail"), 0.025, places=12)
            self.assertAlmostEqual(number(found, "wheels[2].initial.steer") if angle else 0, angle, places=9)  # axis_angle is 0
            self.assertIn("rear_swivel: that its axis is 4 mm beside the wheel", str(found))
        second = link("twin", inertial(0.1, (1e-5, 2e-5, 1e-5)), shape('<cylinder radius="0.02" length="0.01"/>', rpy="1.5707963267948966 0 0"))
        second += joint("twin_axle", "twin", "-0.025 -0.004 -0.03", '<axis xyz="0 1 0"/>', parent="rear_fork")
        found = self.read(robot(BASE, *TYRES, fork("rear", "-0.2 0 0", 0.025, aside=0.004), second))
        self.assertEqual(len(found.vehicle.wheels), 3)
        self.assertAlmostEqual(number(found, "wheels[2].disc.axial_inertia"), 4e-5, places=12)
        self.assertIn("twins side by side", str(found))
        self.assertNotIn("beside the wheel", str(found))

    def test_swerve_or_caster(self):
        """What the file says of actuators decides, then names, then the trail."""
        places = ("0.2 0.15 0", "0.2 -0.15 0", "-0.2 0.15 0", "-0.2 -0.15 0")
        control = "".join(f'<ros2_control><joint name="{name}"><command_interface name="velocity"/></joint></ros2_control>' for i in range(4) for name in (f"w{i}_swivel", f"w{i}_axle"))
        modules = [fork(f"w{i}", place, 0.0, '<limit effort="3" velocity="9"/>') for i, place in enumerate(places)]
        for more, parts in ((control, modules), ("", modules)):
            found = self.read(robot(BASE, *parts, more))
            self.assertEqual((found.refusal, self.kinds(found)), ("", ["swerve"] * 4))
            self.assertAlmostEqual(number(found, "wheel.swivel.mass"), 0.3)
            self.assertAlmostEqual(number(found, "wheel.swivel.inertia"), 2e-4 + 0.3 * 1e-4)
            self.assertEqual((number(found, "wheel.steer.torque_limit"), number(found, "wheels[3].y")), (3, -0.15))
            result = self.runs(found)
            self.assertLess(float(result["deviation"][0]), 0.02)
        self.assertEqual(self.kinds(self.read(robot(BASE, *TYRES, fork("w", "-0.2 0 0", 0.025), control.replace("w0_", "left_").replace("left_axle", "left_joint")))), ["plain", "plain", "caster"])
        for name, trail, kind in (("caster", 0.0, "caster"), ("steer", 0.025, "swerve"), ("w", 0.025, "caster"), ("w", 0.0, "swerve")):
            found = self.read(robot(BASE, *TYRES, fork(name, "-0.2 0 0", trail)))
            self.assertEqual(self.kinds(found), ["plain", "plain", kind], name)
            self.runs(found)

    def test_a_car_is_steered_in_front_and_driven_behind(self):
        limit = '<limit effort="3" velocity="9" lower="-0.5" upper="0.5"/>'
        plugin = "<gazebo><plugin><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint><left_steering_joint>fl_swivel</left_steering_joint>" \
                 "<right_steering_joint>fr_swivel</right_steering_joint></plugin></gazebo>"
        found = self.read(robot(BASE.replace("-0.03 0 0.02", "0.1 0 0.02"), *TYRES, *(fork(name, f"0.3 {y} 0", 0.0, limit, kind="revolute") for name, y in (("fl", 0.15), ("fr", -0.15))), plugin))
        self.assertEqual(self.kinds(found), ["plain", "plain", "swerve", "swerve"])
        self.assertEqual([number(found, f"wheels[{i}].drive.kp") for i in (2, 3)], [0, 0])
        self.assertIn("fl_swivel: its limits", str(found))
        result = self.runs(found, "deviation", "yaw_deviation", "path_length")
        self.assertLess(float(result["deviation"][0]), 0.05 * float(result["path_length"][0]))  # on the circle

    def test_an_axle_ahead_of_the_origin_rolls_straight_on(self):
        """The command moves the middle of the axle along the tyres: vy = -yaw rate x."""
        tyres = wheel("left", 0.12, 0.15), wheel("right", 0.12, -0.15)
        found = self.read(robot(BASE, *tyres, ball()))
        self.assertAlmostEqual(number(found, "command.vy"), -0.12 * number(found, "command.yaw_rate"), places=12)
        self.assertEqual(found.doubts, [])
        result = self.runs(found, "deviation", "path_length")
        self.assertLess(float(result["deviation"][0]), 0.05 * float(result["path_length"][0]))

    def test_which_tyres_are_driven(self):
        """Four parallel wheels with actuators on two, and three of which two share an axle; without casters and actuators, four have rollers as before."""
        four = [*TYRES, wheel("a", -0.2, 0.1), wheel("b", -0.2, -0.1)]
        moved = "".join(f'<transmission><joint name="{name}_joint"/></transmission>' for name in ("left", "right"))
        found = self.read(robot(BASE, *four, moved))
        self.assertEqual((self.kinds(found), [one.driven for one in found.vehicle.wheels]), (["plain"] * 4, [True, True, False, False]))
        self.runs(found)
        found = self.read(robot(BASE, *four[:3]))
        self.assertEqual([one.driven for one in found.vehicle.wheels], [True, True, False])
        found = self.read(robot(BASE, *four[:2], wheel("omni", -0.2, 0)))
        self.assertEqual(self.kinds(found), ["plain", "plain", "roller"])
        self.assertEqual(number(found, "wheels[2].inclination"), 0)
        self.runs(found)
        self.assertEqual(self.kinds(self.read(robot(BASE, *four))), ["roller"] * 4)
        self.assertEqual(self.kinds(self.read(robot(BASE, *four, ball("caster", "0.3 0 -0.03")))), ["plain"] * 5)

    def test_what_has_no_mass_is_guessed_inside_the_support(self):
        found = self.read(robot(link("base_link"), *TYRES, ball().replace('value="0.2"', 'value="0"')))
        self.assertTrue(found.values["platform.center_of_mass.x"].guess)
        self.assertAlmostEqual(number(found, "platform.center_of_mass.x"), -0.2 / 3, places=12)
        self.runs(found)

    def test_refusals(self):
        for parts, words in ((TYRES, ("2 wheels", "left_joint, right_joint", "nothing else reaches the floor", '"caster"')),
                             ((fork("caster1", "0.2 0 0", 0.02), fork("caster2", "-0.2 0.1 0", 0.02), fork("caster3", "-0.2 -0.1 0", 0.02)), ("nothing drives its 3 wheels",)),
                             ((*TYRES, ball("caster", "0 0.05 -0.03")), ("on one line",))):
            found = self.read(robot(BASE, *parts))
            self.assertIsNone(found.study)
            for word in words:
                self.assertIn(word, found.refusal)

    def test_what_no_robot_has_is_named_with_its_line(self):
        good = robot(BASE, *TYRES, ball())
        for old, new, words in (('sphere radius="0.02"', 'sphere radius="-0.02"', ('radius="-0.02" of <sphere> is below 0',)),
                                ('cylinder radius="0.05"', 'cylinder radius="-0.05"', ("of <cylinder> is below 0",)),
                                ("<sphere", "<box", ("<box> has no size",)),
                                ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><mimic joint="nobody"/>', ("joint left_joint", "no joint nobody"))):
            with self.assertRaises(StudyError) as caught:
                self.read(good.replace(old, new))
            for word in (":2: ", *words):
                self.assertIn(word, str(caught.exception))
        for old, new, said in (('iyy="0.0006"', 'iyy="-0.0006"', "link left_wheel has a moment of inertia below 0"),
                               ('damping="0.01"', 'damping="-0.01"', "joint left_joint: damping is below 0, and left out")):
            found = self.read(good.replace(old, new))
            self.assertIn(said, str(found))
            self.assertIn(":2: ", found.vehicle.robot.notes[0])
            self.runs(found)
        found = self.read(good.replace('effort="2" velocity="20"', 'effort="-1" velocity="-1"'))  # of some files, for none
        self.assertNotIn("wheel.drive.torque_limit", found.values)
        self.assertGreater(number(found, "command.vx"), 0)

    def test_changed_files_are_refused_or_read(self):
        """As in test_import, of robots with casters and steered wheels."""
        rng, read = random.Random(11), 0
        odd = ("-3", "0", "1e8", "x", "1e-30", "fixed", "continuous", "revolute", "0 0 1", "0 0 0", "caster")
        texts = robot(BASE, *TYRES, ball(), fork("rear", "-0.2 0 0", 0.025)), MJCF.format(more='<geom type="sphere" size="0.02" pos="-0.1 0 -0.03" condim="1" mass="0"/>')
        for i in range(120):
            text = texts[i % 2]
            for _ in range(rng.randint(1, 3)):
                parts = re.split(r"(<[^<>]*/>)", text)
                at = rng.randrange(len(parts))
                change = rng.choice(("", parts[at] * 2) + (re.sub(r"(?<=\")[^\"]*", lambda m: rng.choice((m[0], m[0], rng.choice(odd))), parts[at]),) * 3)
                text = "".join([*parts[:at], change, *parts[at + 1:]])
            try:
                found = omniroll.robots.read(self.written(text))
                read += found.study is not None
                self.assertNotIn("does not run yet", str(found))
            except omniroll.Error as error:
                self.assertNotIn("internal", error.status)
        self.assertGreater(read, 20)

    def test_what_turns_and_is_no_wheel(self):
        steered = link("front_wheel", CYLINDER) + joint("steer", "front_wheel", "0.3 0 0", UP, kind="revolute")
        found = self.read(robot(BASE, *TYRES, ball(), steered))
        self.assertEqual((found.refusal, len(found.vehicle.wheels)), ("", 3))
        self.assertIn("steer: turns the wheel front_wheel about an upright axis, and nothing about its axle", str(found))
        turntable = link("table") + joint("turn", "table", "0.3 0 0", UP)
        three = [wheel(f"t{i}", 0.1 * i, 0.1 * (i % 2)).replace('parent link="base_link"', 'parent link="table"') for i in range(3)]
        found = self.read(robot(BASE, *TYRES, ball(), turntable, *three))
        self.assertEqual((found.refusal, len(found.vehicle.wheels)), ("", 3))
        self.assertIn("t0_joint: turns with turn and 2 more", str(found))

    def test_a_joint_that_mimics_another(self):
        found = self.read(robot(BASE, *TYRES, ball()).replace('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><mimic joint="right_joint"/>', 1))
        self.assertIn("wheels[0], left_joint: that it turns with right_joint", str(found))

    def test_show_draws_the_caster_where_it_stands(self):
        found = self.read(robot(BASE, *TYRES, fork("rear", "-0.2 0 0", 0.025), ball("front_caster", "0.2 0 -0.03")))
        path = self.written(found.text, "study.json")
        said = subprocess.run([PROGRAM, "show", path], capture_output=True, text=True, check=True).stdout
        for row in ("plain", "caster", "rate"):
            self.assertIn(row, said)


MJCF = """<mujoco model="two"><worldbody><body name="base" pos="0 0 0.05"><freejoint/><geom type="box" size="0.1 0.1 0.02" mass="3" pos="-0.02 0 0.03"/>
  {more}
  <body name="left" pos="0 0.12 0"><joint name="l" axis="0 1 0"/><geom type="cylinder" size="0.05 0.01" mass="0.3" euler="90 0 0"/></body>
  <body name="right" pos="0 -0.12 0"><joint name="r" axis="0 1 0"/><geom type="cylinder" size="0.05 0.01" mass="0.3" euler="90 0 0"/></body>
</body></worldbody><actuator><motor joint="l" ctrlrange="-2 2"/><motor tendon="t"/></actuator><tendon><fixed name="t"><joint joint="r"/></fixed></tendon></mujoco>"""


class TestMjcf(Runs):
    """Balls and casters of MuJoCo."""

    def test_copies_of_geoms_weigh(self):
        """Two geoms that <replicate> makes of one, within the body: 0.2 kg each at x = -0.1, y = 0 and 0.05."""
        once = MJCF.format(more='<geom type="sphere" size="0.02" pos="-0.1 0 -0.03" mass="0.2"/><geom type="sphere" size="0.02" pos="-0.1 0.05 -0.03" mass="0.2"/>')
        copied = MJCF.format(more='<replicate count="2" offset="0 0.05 0"><geom type="sphere" size="0.02" pos="-0.1 0 -0.03" mass="0.2"/></replicate>')
        a, b = (self.read(text, "robot.xml") for text in (once, copied))
        self.assertAlmostEqual(number(b, "platform.mass"), 3.4, places=12)
        self.assertEqual({path: value.number for path, value in a.values.items()}, {path: value.number for path, value in b.values.items()})
        with self.assertRaisesRegex(StudyError, "0 and more"):
            self.read(copied.replace('count="2"', 'count="-2"'), "robot.xml")
        with self.assertRaisesRegex(StudyError, "three letters of xyz"):
            self.read(once.replace("<worldbody>", '<compiler eulerseq="abc"/><worldbody>'), "robot.xml")
        with self.assertRaisesRegex(StudyError, "size of a sphere"):
            self.read(once.replace('size="0.02"', 'size="-0.02"'), "robot.xml")

    def test_spheres_that_slide_roll_and_swivel(self):
        for more, friction, kind in (('<geom type="sphere" size="0.02" pos="-0.1 0 -0.03" condim="1" mass="0"/>', 0.0, "plain"),
                                     ('<geom type="sphere" size="0.02" pos="-0.1 0 -0.03" friction="0.2 0.005 0.0001" mass="0"/>', 0.2, "plain"),
                                     ('<body pos="-0.1 0 -0.03"><joint type="ball"/><geom type="sphere" size="0.02"/></body>', None, "plain"),
                                     ('<body name="fork" pos="-0.09 0 0"><joint axis="0 0 1"/><geom type="box" size="0.01 0.01 0.01" mass="0.1"/><body pos="-0.01 0 -0.03">'
                                      '<joint axis="0 1 0"/><geom type="cylinder" size="0.02 0.005" euler="90 0 0"/></body></body>', None, "caster"),
                                     ('<body name="wheel" pos="-0.1 0 -0.03"><joint axis="0 0 1" pos="0.01 0 0"/><joint axis="0 1 0"/>'
                                      '<geom type="cylinder" size="0.02 0.005" euler="90 0 0"/></body>', None, "caster")):
            found = self.read(MJCF.format(more=more), "robot.xml")
            self.assertEqual((found.refusal, self.kinds(found)), ("", ["plain", "plain", kind]), more)
            if kind == "caster":
                self.assertAlmostEqual(number(found, "wheels[2].swivel.trail"), 0.01, places=12)
            elif friction is None:
                self.assertTrue(found.values["wheels[2].friction"].guess)
            else:
                self.assertEqual((number(found, "wheels[2].friction"), found.values["wheels[2].friction"].guess), (friction, False))
            self.runs(found)


if __name__ == "__main__":
    unittest.main()
