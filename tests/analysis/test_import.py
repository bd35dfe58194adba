"""Robots of other programs as studies: omniroll import, omniroll.robots. Expected figures are computed by hand here, or by another way than
the package's: inertias by bodies of points, turns by scipy, rollers one by one; one model has MuJoCo's own figures."""

import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import omniroll
from omniroll import robots
from omniroll.errors import FileError, StudyError
from omniroll.robots import xml_tree

PROGRAM = os.environ["OMNIROLL"]
PLACES = {"fl": (0.2, 0.15), "fr": (0.2, -0.15), "rl": (-0.2, 0.15), "rr": (-0.2, -0.15)}


def inertial(mass, inertia, xyz="0 0 0", rpy="0 0 0"):
    xx, yy, zz, xy, xz, yz = (*inertia, 0, 0, 0)[:6]
    return (f'<inertial><origin xyz="{xyz}" rpy="{rpy}"/><mass value="{mass}"/>'
            f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="{xy}" ixz="{xz}" iyz="{yz}"/></inertial>')


def link(name, *inside):
    return f'<link name="{name}">{"".join(inside)}</link>'


def joint(name, child, xyz, *inside, kind="continuous", parent="base_link", rpy="0 0 0"):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{xyz}" rpy="{rpy}"/>{"".join(inside)}</joint>'


def robot(*parts):
    return f'<?xml version="1.0"?>\n<robot name="box">{"".join(parts)}</robot>'


CYLINDER = '<collision><origin rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.05" length="0.04"/></geometry></collision>'
LIMIT = '<limit effort="2" velocity="20"/><dynamics damping="0.01" friction="0.02"/>'
BASE = link("base_link", inertial(10, (0.1, 0.2, 0.3), "0.01 0 0.02"), '<visual><geometry><mesh filename="file:///etc/passwd"/></geometry></visual>')
LIDAR = link("lidar", inertial(1, (0.001, 0.002, 0.003))) + joint("lidar_joint", "lidar", "0.1 0.05 0.2", kind="fixed", rpy="0 0 1.2")


def wheel(name, x, y, *more, shape=CYLINDER, limit=LIMIT):
    return link(f"{name}_wheel", inertial(0.5, (4e-4, 6e-4, 4e-4)), shape) + joint(f"{name}_joint", f"{name}_wheel", f"{x} {y} 0", '<axis xyz="0 1 0"/>', limit) + "".join(more)


MECANUM = robot(BASE, LIDAR, *(wheel(name, x, y) for name, (x, y) in PLACES.items()), "<gazebo/><gazebo/>")


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def written(self, text, name="robot.urdf"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def read(self, text, name="robot.urdf"):
        return robots.read(self.written(text, name))


def number(imported, path):
    return imported.values[path].number


def turn(rpy):
    """By scipy, whose "xyz" are turns about fixed axes, as URDF's."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_euler("xyz", rpy).as_matrix()


def points(mass, inertia, center, turned, place):
    """Six points with the mass, the centre and the inertia of a body, [(mass, place)]."""
    values, axes = np.linalg.eigh(np.array(inertia))
    found = []
    for i in range(3):
        square = (values.sum() / 2 - values[i]) * 3 / mass  # of the distance along axis i, where each pair has a third of the mass
        for sign in (1, -1):
            found.append((mass / 6, turned @ (np.array(center) + sign * math.sqrt(square) * axes[:, i]) + place))
    return found


def yaw_inertia(bodies):
    """Mass, centre and inertia about the vertical through it, of points."""
    mass = sum(m for m, _ in bodies)
    center = sum(m * p for m, p in bodies) / mass
    return mass, center, sum(m * ((p - center)[0]**2 + (p - center)[1]**2) for m, p in bodies)


def points_of(study):
    """A study as points: its platform as a ring, each disc, and each roller of each wheel in its place."""
    def si(text):
        return float(str(text).split()[0])

    p = study["parameters"]
    com, bodies = p["platform"]["center_of_mass"], []
    mass, lever = si(p["platform"]["mass"]), math.sqrt(si(p["platform"]["yaw_inertia"]) / si(p["platform"]["mass"]))
    bodies += [(mass / 2, np.array([si(com["x"]) + s * lever, si(com["y"]), si(com["height"])])) for s in (1, -1)]
    for own in p["wheels"]:
        w = {**p["wheel"], **own}
        delta, psi, n = math.radians(si(w["axis_angle"])), math.radians(si(w["inclination"])), w["rollers"]
        k, i, place = np.array([-math.sin(delta), math.cos(delta), 0]), np.array([math.cos(delta), math.sin(delta), 0]), np.array([si(w["x"]), si(w["y"]), si(w["radius"])])
        disc, roller, row = w["disc"], w["roller"], si(w.get("row_distance", 0))
        alpha = math.pi / n
        slant = math.sqrt(1 - (math.sin(alpha) * math.cos(psi))**2)
        distance = si(w["center_distance"]) if "center_distance" in w else (si(w["radius"]) - si(w["tip_radius"]) / slant) * math.cos(alpha)
        axes = np.stack([i, np.array([0, 0, 1]), k], axis=1)
        bodies += points(si(disc["mass"]), np.diag([si(disc["diametral_inertia"])] * 2 + [si(disc["axial_inertia"])]), (0, 0, 0), axes, place)
        for j in range(n):
            q = 2 * alpha * j
            radial, tangent = math.sin(q) * i - math.cos(q) * np.array([0, 0, 1]), math.cos(q) * i + math.sin(q) * np.array([0, 0, 1])
            e = math.cos(psi) * tangent - math.sin(psi) * k  # vehicle.md: of the roller on the floor cos psi i - sin psi k, in the frame of ROS
            tensor = si(roller["axial_inertia"]) * np.outer(e, e) + si(roller["diametral_inertia"]) * (np.eye(3) - np.outer(e, e))
            bodies += points(si(roller["mass"]), tensor, (0, 0, 0), np.eye(3), place + distance * radial + (row / 2 if j % 2 else -row / 2) * k)
    return bodies


class TestVehicle(Files):
    def test_numbers_are_those_computed_by_hand(self):
        found = self.read(MECANUM)
        # 10 kg at (0.01, 0, 0.02) and 1 kg at (0.1, 0.05, 0.2); the floor is one radius below the axles, at -0.05.
        self.assertAlmostEqual(number(found, "platform.mass"), 11, places=12)
        self.assertAlmostEqual(number(found, "platform.center_of_mass.x"), 0.2 / 11, places=12)
        self.assertAlmostEqual(number(found, "platform.center_of_mass.y"), 0.05 / 11, places=12)
        self.assertAlmostEqual(number(found, "platform.center_of_mass.height"), 0.4 / 11 + 0.05, places=12)
        self.assertAlmostEqual(number(found, "platform.yaw_inertia"), 0.3 + 0.003 + 10 * 1 / 11 * (0.09**2 + 0.05**2), places=12)
        self.assertAlmostEqual(number(found, "wheel.radius"), 0.05)
        for i, (x, y) in enumerate(PLACES.values()):
            self.assertEqual([round(number(found, f"wheels[{i}].{word}"), 9) for word in ("x", "y", "axis_angle")], [x, y, 0])
        for path, value in (("drive.torque_limit", 2), ("axle_bearing", 0.01), ("axle_dry.torque", 0.02)):
            self.assertEqual((number(found, f"wheel.{path}"), found.values[f"wheel.{path}"].guess), (value, False))
        for path in ("wheel.rollers", "wheels[0].inclination", "wheel.friction", "command.vx", "wheel.roller.mass"):
            self.assertTrue(found.values[path].guess, path)
        self.assertEqual(found.vehicle.robot.ignored, {"<mesh>, whose file is not opened": 1, "<gazebo>": 2})
        self.assertEqual(found.doubts, [])
        self.assertIn("model=disc_vehicle of the same study, without axle_dry", found.vehicle.robot.notes[0])
        omniroll.validate(found.study, set={"model": "disc_vehicle", "parameters.wheel.axle_dry": None})
        self.assertEqual(self.read(MECANUM.replace("_wheel", "_mecanum")).vehicle.robot.notes, [])

    def test_mass_and_yaw_inertia_of_the_whole_are_kept(self):
        """Of a robot whose links are turned in every way, on wheels of both kinds; the other way has no matrix of the package."""
        rng = np.random.default_rng(7)
        for angles in ((0, 0, 0, 0), (0, 120, 240)):
            parts, bodies, pose = [], [], {"base_link": (np.eye(3), np.zeros(3))}
            for i in range(6):
                rpy, xyz, com, own = (rng.uniform(-s, s, 3) for s in (3, 0.2, 0.05, 3))
                inertia = (lambda a: a @ np.diag([0.01, 0.015, 0.02]) @ a.T)(turn(rng.uniform(-3, 3, 3)))
                mass, name = float(rng.uniform(0.5, 3)), f"part_{i}" if i else "base_link"
                if i:
                    parent = "base_link" if i == 1 else f"part_{i - 1}"
                    at, place = pose[parent]
                    pose[name] = (at @ turn(rpy), place + at @ xyz)
                    parts.append(joint(f"j{i}", name, " ".join(map(repr, map(float, xyz))), kind="fixed", parent=parent, rpy=" ".join(map(repr, map(float, rpy)))))
                row = [inertia[a, b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
                parts.append(link(name, inertial(mass, list(map(float, row)), " ".join(map(repr, map(float, com))), " ".join(map(repr, map(float, own))))))
                at, place = pose[name]
                bodies += points(mass, turn(own) @ inertia @ turn(own).T, com, at, place)
            for i, angle in enumerate(angles):
                x, y = list(PLACES.values())[i] if len(angles) == 4 else (0.2 * math.cos(math.radians(angle)), 0.2 * math.sin(math.radians(angle)))
                rpy = f"0 0 {math.radians(angle if len(angles) == 4 else angle - 90)!r}"
                parts.append(link(f"w{i}_wheel", inertial(0.5, (4e-4, 6e-4, 4e-4)), CYLINDER) +
                             joint(f"w{i}", f"w{i}_wheel", f"{x!r} {y!r} -0.3", '<axis xyz="0 1 0"/>', rpy=rpy))
                at = turn((0, 0, float(rpy.split()[2])))
                bodies += points(0.5, np.diag([4e-4, 6e-4, 4e-4]), (0, 0, 0), at, np.array([x, y, -0.3]))
            found = self.read(robot(*parts))
            mass, center, inertia = yaw_inertia(bodies)
            for got, expected in zip(yaw_inertia(points_of(found.study)), (mass, center + [0, 0, 0.35], inertia)):
                np.testing.assert_allclose(got, expected, rtol=1e-7, atol=1e-9)

    def test_guessed_rollers_leave_the_axial_inertia_of_the_wheel(self):
        study = self.read(MECANUM).study
        wheel_only = [(m, p - [0.2, 0.15, 0.05]) for m, p in points_of(study)[2:] if np.linalg.norm(p - [0.2, 0.15, 0.05]) < 0.1]
        self.assertAlmostEqual(sum(m for m, _ in wheel_only), 0.5, places=7)
        self.assertAlmostEqual(sum(m * (p[0]**2 + p[2]**2) for m, p in wheel_only), 6e-4, places=10)

    def test_guessed_inclinations_are_those_of_a_mecanum_rectangle(self):
        """The same vehicle with the layout rectangle and "mecanum": true moves alike, to the last digits."""
        given = self.read(MECANUM).study
        parameters = {**given["parameters"], "layout": {"type": "rectangle", "mecanum": True, "half_length": 0.2, "half_width": 0.15}}
        del parameters["wheels"]
        parameters["wheel"] = {**parameters["wheel"], "inclination": "45 deg"}
        ends = []
        for study in (given, {**given, "parameters": parameters}):
            result = omniroll.run({**study, "output": {"observables": ["final_x", "final_y", "final_yaw"]}}, output=str(self.folder / f"{len(ends)}.h5"), set={"integrator.duration": 0.5})
            ends.append([float(result[name][0]) for name in ("final_x", "final_y", "final_yaw")])
        np.testing.assert_allclose(ends[0], ends[1], rtol=1e-7, atol=1e-9)
        self.assertGreater(ends[0][1], 0.01)  # to the left

    def test_the_study_runs_as_it_is(self):
        found = self.read(MECANUM)
        path = self.written(found.text, "study.json")
        self.assertEqual(omniroll.validate(path)["instances"], 1)
        result = omniroll.run(path, output=str(self.folder / "r.h5"))
        self.assertEqual(int(result.status[0]), 0)
        self.assertEqual(omniroll.load(path), found.study)  # the text with its comments is the same study
        marked = [line for line in found.text.splitlines() if "GUESS" in line]
        self.assertEqual(sum(value.guess for value in found.values.values()), len(marked) - 1)  # the head explains the word

    def test_rows_of_rollers_are_read_from_their_links(self):
        """n rollers whose axes and places follow the formulas of the documentation, inclined or in two rows."""
        for psi, row, n in ((math.radians(40), 0.0, 9), (math.radians(-45), 0.0, 10), (0.0, 0.02, 8)):
            wheels = []
            for name, (x, y) in PLACES.items():
                sign = 1 if x * y > 0 else -1
                rollers = []
                for j in range(n):
                    q = 2 * math.pi * j / n
                    # About the axle, to the left (y): on the floor (q = 0) the axis is cos psi x - sin psi y.
                    place = (0.046 * math.sin(q), (row / 2 if j % 2 else -row / 2), -0.046 * math.cos(q))
                    axis = (math.cos(psi) * math.cos(q), -sign * math.sin(psi), math.cos(psi) * math.sin(q))
                    rollers.append(link(f"{name}_roller_{j}", inertial(0.01, (1e-6, 1e-6, 1e-6)), '<collision><geometry><sphere radius="0.006"/></geometry></collision>') +
                                   joint(f"{name}_r{j}", f"{name}_roller_{j}", " ".join(map(repr, place)), f'<axis xyz="{" ".join(map(repr, axis))}"/>',
                                         '<dynamics damping="1e-5"/>', parent=f"{name}_wheel"))
                wheels.append(wheel(name, x, y, *rollers))
            found = self.read(robot(BASE, *wheels))
            self.assertEqual((number(found, "wheel.rollers"), found.values["wheel.rollers"].guess), (n, False))
            for i, (x, y) in enumerate(PLACES.values()):
                path = f"wheels[{i}].inclination" if psi else "wheel.inclination"
                self.assertAlmostEqual(number(found, path), math.degrees(psi) * (1 if x * y > 0 else -1), places=9)
            for path, value in (("radius", 0.052), ("center_distance", 0.046), ("roller.mass", 0.01), ("roller.axial_inertia", 1e-6), ("disc.mass", 0.5), ("roller.bearing", 1e-5)):
                self.assertAlmostEqual(number(found, f"wheel.{path}"), value, places=12)
                self.assertFalse(found.values[f"wheel.{path}"].guess, path)
            self.assertAlmostEqual(found.values["wheel.row_distance"].number if row else 0.0, row, places=12)
            self.assertEqual([words.split(":")[0] for words in found.doubts], [] if psi else ["rank"])

    def test_rollers_that_would_run_into_each_other_are_guessed(self):
        """Places of the file that make no wheel of the model: first the rows are guessed, then how far the rollers are from the axle."""
        model = MJCF.replace('offset="0 0 0.02"', "").replace('pos="0 0 -0.01"', "")
        found = self.read(model, "robot.xml")
        self.assertEqual([found.values[f"wheel.{path}"].guess for path in ("rollers", "center_distance", "row_distance")], [False, False, True])
        self.assertEqual(found.doubts, [])
        found = self.read(model.replace("0.006 0.006 0.012", "0.02 0.02 0.02").replace('name="roller" euler="90 0 0"', 'name="roller" euler="45 0 0"'), "robot.xml")
        self.assertTrue(found.values["wheel.tip_radius"].guess)
        self.assertIn("run into each other", found.values["wheel.tip_radius"].source)
        self.assertEqual(found.doubts, [])

    def test_wheels_turned_and_held(self):
        """An axis along z of a turned joint, one to the right, a suspension, a base below joints of a simulation, and a name that asks for base_footprint."""
        flat = '<collision><geometry><cylinder radius="0.05" length="0.04"/></geometry></collision>'
        parts = [link("world"), joint("x", "slider", "0 0 0", '<axis xyz="1 0 0"/>', kind="prismatic", parent="world"), link("slider"),
                 joint("yaw", "base_footprint", "0 0 0", '<axis xyz="0 0 1"/>', parent="slider"), link("base_footprint"),
                 joint("up", "base_link", "0 0 0.08", kind="fixed", parent="base_footprint"), BASE]
        for name, (x, y) in PLACES.items():
            spring = f"{name}_spring"
            parts += [link(spring, inertial(0.1, (1e-5, 1e-5, 1e-5))), joint(spring, spring, f"{x} {y} -0.03", '<axis xyz="0 0 1"/>', kind="prismatic"),
                      link(f"{name}_wheel", inertial(0.5, (4e-4, 4e-4, 6e-4)), flat),
                      joint(f"{name}_joint", f"{name}_wheel", "0 0 0", '<axis xyz="0 0 1"/>', parent=spring, rpy=f"{math.copysign(math.pi / 2, y)!r} 0 0")]
        found = self.read(robot(*parts))
        self.assertEqual(found.vehicle.base, "base_footprint")
        self.assertAlmostEqual(found.vehicle.floor, 0.0, places=12)
        self.assertEqual([round(number(found, f"wheels[{i}].axis_angle")) % 360 for i in range(4)], [180, 0, 180, 0])  # z by +90 deg about x is -y
        self.assertAlmostEqual(number(found, "platform.mass"), 10.4, places=12)
        self.assertEqual(len(found.vehicle.held), 6)
        self.assertAlmostEqual(number(found, "wheel.disc.axial_inertia") , self.read(MECANUM).values["wheel.disc.axial_inertia"].number, places=12)

    def test_a_revolute_joint_is_a_wheel_where_its_limits_leave_it_free(self):
        """An arm turns by up to two turns, a wheel of some exporters by thousands of radians."""
        for turns, wheels in ((2, 0), (3, 4), (1e4, 4)):
            limit = f'<limit effort="2" velocity="20" lower="{-math.pi * turns!r}" upper="{math.pi * turns!r}"/>'
            found = self.read(robot(BASE, *(wheel(name, x, y, limit=limit).replace("continuous", "revolute") for name, (x, y) in PLACES.items())))
            self.assertEqual(len(found.vehicle.wheels), wheels)

    def test_radii_that_no_shape_tells_are_guessed_and_marked(self):
        mesh = '<collision><geometry><mesh filename="wheel.stl"/></geometry></collision>'
        for foot, radius, said in (("", robots.vehicle.OTHER_RADIUS, "nothing in the file"), (link("base_footprint") + joint("f", "base_link", "0 0 0.07", kind="fixed", parent="base_footprint"), 0.07, "base_footprint")):
            found = self.read(robot(foot, BASE, *(wheel(name, x, y, shape=mesh) for name, (x, y) in PLACES.items())))
            value = found.values["wheel.radius"]
            self.assertAlmostEqual(value.number, radius)
            self.assertTrue(value.guess)
            self.assertIn(said, value.source)


class TestRefused(Files):
    def refused(self, text, *words, name="robot.urdf", error=StudyError):
        with self.assertRaises(error) as caught:
            self.read(text, name)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_hostile_files(self):
        bomb = '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><robot name="&b;"/>'
        for text in (bomb, '<!DOCTYPE r SYSTEM "file:///etc/passwd"><robot/>', '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="x">&x;</robot>'):
            self.refused(text, ":1: <!DOCTYPE>", "delete it")
        self.refused("<a>" * 5000, "within each other")
        self.refused(f"<robot>{'<link/>' * (xml_tree.MOST_ELEMENTS + 1)}</robot>", "at most 200000 elements")
        self.refused(robot(*(link(f"l{i}") for i in range(5001))), "at most 5000 are read")
        self.refused(robot(BASE, wheel("fl", "1_0", 0)), 'xyz="1_0 0 0"')
        self.refused(b"<robot>" + b" " * xml_tree.MOST_BYTES, "longer than 16 MiB")
        self.refused("<robot name='\x00'/>", "no XML")
        self.refused("<?xml version='1.0' encoding='nonsense-9'?><robot/>", "robot.urdf:1:")
        self.refused(b"\xff\xfe\x00<", "no XML")
        os.mkfifo(self.folder / "pipe")
        with self.assertRaisesRegex(FileError, "is no file"):
            robots.read(self.folder / "pipe")
        with self.assertRaisesRegex(FileError, "No such file"):
            robots.read(self.folder / "none")

    def test_files_that_nobody_wrote_are_refused_or_read(self):
        """Elements left out and doubled, numbers and words changed, text cut: an error of this package, or a study."""
        rng, read = random.Random(5), 0
        odd = ("-3", "0", "1e8", "x", "1e-30", "64", "fixed", "")
        for i in range(200):
            text = (MECANUM, MJCF)[i % 2]
            for _ in range(rng.randint(1, 3)):
                parts = re.split(r"(<[^<>]*/>)", text)
                at = rng.randrange(len(parts))
                change = rng.choice((parts[at], "", parts[at] * 2, parts[at][rng.randrange(9):]) + (re.sub(r"(?<=\")[^\"]*", lambda m: rng.choice((m[0], m[0], rng.choice(odd))), parts[at]),) * 3)
                text = "".join([*parts[:at], change, *parts[at + 1:]])
            try:
                read += robots.read(self.written(text)).study is not None
            except omniroll.Error as error:
                self.assertNotIn("internal", error.status)
        self.assertGreater(read, 20)

    def test_names_end_no_comment(self):
        evil = MECANUM.replace("fl_joint", "fl&#10;&quot;command&quot;: {&quot;vx&quot;: 99}, //&#x9b;31m*/").replace('name="box"', 'name="&#10;}//"')
        found = self.read(evil)
        path = self.written(found.text, "study.json")
        self.assertEqual(omniroll.load(path), found.study)
        self.assertEqual(omniroll.validate(path)["instances"], 1)
        for text in (found.text, str(found)):
            self.assertNotIn("\x9b", text)
            self.assertFalse([line for line in text.splitlines() if line.lstrip().startswith('"command": {"vx": 99}')])

    def test_xacro_names_the_command_that_expands_it(self):
        tagged = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">\n<xacro:include filename="$(find x)/y"/></robot>'
        self.refused(tagged, ":2: has <xacro:include>", "xacro ", "| omniroll import -")
        self.refused(MECANUM, "is named as a file of xacro", name="robot.urdf.xacro")
        self.refused(robot(BASE, wheel("fl", "${x}", 0)), 'xyz="${x} 0 0"', "xacro")
        self.assertEqual(self.read(MECANUM.replace("<robot", '<robot xmlns:xacro="x"')).refusal, "")  # what xacro leaves of itself

    def test_wrong_descriptions_say_where(self):
        front = joint("j", "b", "0 0 0", kind="fixed", parent="a")
        for text, words in ((robot(), ["no link"]), (robot(link("a"), link("b")), ["2 links hang on no joint (a, b)"]),
                            (robot(link("a"), front), [":2:", "no link b"]), (robot(link("a"), link("a")), ["two links a"]),
                            (robot(link("a"), link("b"), front, joint("k", "b", "0 0 0", kind="fixed", parent="a")), ["hangs on two joints"]),
                            (robot(link("a"), link("b"), link("c"), joint("j", "c", "0 0 0", parent="b"), joint("k", "b", "0 0 0", parent="c")), ["circle"]),
                            (robot(link("a"), link("b"), front.replace("fixed", "magic")), ['"magic"', "continuous"]),
                            (robot(link("a"), link("b"), front.replace("0 0 0", "0 0 nan", 1)), ["expected 3 numbers"]),
                            (robot(link("a"), link("b"), front.replace("0 0 0", "0 1e99 0", 1)), ["expected 3 numbers"]),
                            (robot(link("a", inertial(-1, (1, 1, 1)))), ["mass below 0"]),
                            ("<sdf/>", ["this is SDF"]), ("<html/>", ["<html> describes no robot"]), ("{}", ["no XML", "URDF"])):
            self.refused(text, *words)

    def test_what_is_no_vehicle_is_told_and_still_found(self):
        caster = link("caster_wheel", '<collision><geometry><box size="0.05 0.05 0.05"/></geometry></collision>') + joint("caster", "caster_wheel", "-0.2 0 0", kind="fixed")
        found = self.read(robot(BASE, LIDAR, wheel("left", 0, 0.15), wheel("right", 0, -0.15), caster))
        self.assertIsNone(found.study)
        for word in ("2 wheels", "left_joint, right_joint", "3 to 8", "reaches the floor"):
            self.assertIn(word, found.refusal)
        self.assertAlmostEqual(number(found, "platform.mass"), 11)
        self.assertAlmostEqual(number(found, "wheel.disc.mass"), 0.5)  # whole: nothing is guessed of it
        self.assertIn("caster: stands 0.025 m above the plane", str(found))

        steered = [link(f"s{i}") + joint(f"steer{i}", f"s{i}", f"{x} {y} 0", '<axis xyz="0 0 1"/>') +
                   wheel(f"w{i}", 0, 0).replace('<parent link="base_link"/>', f'<parent link="s{i}"/>') for i, (x, y) in enumerate(PLACES.values())]
        found = self.read(robot(BASE, *steered))
        self.assertEqual((found.refusal, [one.kind for one in found.vehicle.wheels]), ("", ["swerve"] * 4))
        self.assertAlmostEqual(number(found, "platform.mass"), 10)
        arm = self.read(robot(BASE, *(part.replace('xyz="0 0 1"', 'xyz="1 0 0"') for part in steered)))
        self.assertIn("no wheel", arm.refusal)
        self.assertNotIn("guessed", str(arm))
        self.assertIn("w0_joint: turns with steer0, which is no upright swivel", str(arm))

        fixed = [wheel(name, x, y).replace("continuous", "fixed") for name, (x, y) in PLACES.items()]
        self.assertIn("make it continuous", str(self.read(robot(BASE, *fixed))))
        self.assertIn("one line", self.read(robot(BASE, *(wheel(f"w{i}", 0, 0.1 * i) for i in range(3)))).refusal)
        self.assertIn("9 wheels", self.read(robot(BASE, *(wheel(f"w{i}", 0.1 * i, 0.1 * (i % 2)) for i in range(9)))).refusal)
        high = self.read(robot(BASE, *(wheel(name, x, y) for name, (x, y) in PLACES.items()), wheel("idler", 0, 0).replace('xyz="0 0 0" rpy="0 0 0"/><axis', 'xyz="0 0 0.1"/><axis')))
        self.assertEqual((high.refusal, len(high.vehicle.wheels)), ("", 4))
        self.assertIn("idler_joint: stands 0.1 m above the plane", str(high))


MJCF = """<mujoco model="three">
  <compiler angle="degree"/>
  <default><joint damping="0.001"/><default class="roller"><joint armature="1e-7"/><geom type="ellipsoid" size="0.006 0.006 0.012" density="1200"/></default></default>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="chassis" pos="0 0 0.05">
      <freejoint/>
      <geom type="cylinder" size="0.15 0.02" mass="4" pos="0.01 0 0.03"/>
      <replicate count="3" euler="0 0 120">
        <body name="wheel" pos="0.2 0 0" euler="0 90 0">
          <joint name="drive" axis="0 0 1" damping="0.01"/>
          <geom type="cylinder" size="0.04 0.005" mass="0.2"/>
          <replicate count="2" offset="0 0 0.02" euler="0 0 45">
            <body name="row" pos="0 0 -0.01">
              <replicate count="4" euler="0 0 90">
                <body name="roller" euler="90 0 0"><joint class="roller" axis="0 0 1" pos="0.044 0 0"/><geom class="roller" pos="0.044 0 0"/></body>
              </replicate>
            </body>
          </replicate>
        </body>
      </replicate>
    </body>
  </worldbody>
  <actuator><motor joint="drive0" ctrlrange="-2 2" gear="3"/><velocity joint="drive1" ctrlrange="-10 10" forcerange="-6 6"/><motor joint="drive2" ctrlrange="-6 6"/></actuator>
</mujoco>"""


MUJOCO = (4.65211525221, (0.00859823925922, 0, 0.0757947177777), 0.0714426529118)  # kg, m, kg m2


class TestMjcf(Files):
    def test_has_the_figures_of_mujoco(self):
        """MuJoCo 4.0 of the same file: body_mass, body_inertia, xipos and ximat added up, about the vertical through the centre of mass."""
        found = self.read(MJCF, "robot.xml")
        mass, center, inertia = yaw_inertia(points_of(found.study))
        np.testing.assert_allclose([mass, *center, inertia], [MUJOCO[0], *MUJOCO[1], MUJOCO[2]], rtol=1e-7, atol=1e-9)
        for path, value in (("radius", 0.05), ("rollers", 8), ("inclination", 0), ("center_distance", 0.044), ("row_distance", 0.02), ("drive.torque_limit", 6), ("axle_bearing", 0.01), ("roller.bearing", 0.001)):
            self.assertAlmostEqual(number(found, f"wheel.{path}"), value, places=9)
            self.assertFalse(found.values[f"wheel.{path}"].guess, path)
        self.assertEqual([round(number(found, f"wheels[{i}].axis_angle")) % 360 for i in range(3)], [270, 30, 150])
        self.assertEqual((found.refusal, found.doubts), ("", []))

    def test_says_the_same_as_urdf(self):
        wheels = "".join(f'<body name="{name}_wheel" pos="{x} {y} 0"><joint name="{name}_joint" axis="0 1 0" damping="0.01" frictionloss="0.02" actuatorfrcrange="-2 2"/>'
                         f'<inertial pos="0 0 0" mass="0.5" diaginertia="4e-4 6e-4 4e-4"/><geom type="cylinder" fromto="0 -0.02 0 0 0.02 0" size="0.05"/></body>'
                         for name, (x, y) in PLACES.items())
        text = (f'<mujoco model="box"><compiler angle="radian"/><worldbody><body name="base_link"><freejoint/><inertial pos="0.01 0 0.02" mass="10" diaginertia="0.1 0.2 0.3"/>{wheels}'
                '<body name="lidar" pos="0.1 0.05 0.2" axisangle="0 0 1 1.2"><inertial pos="0 0 0" mass="1" diaginertia="0.001 0.002 0.003"/></body></body></worldbody></mujoco>')
        urdf, mjcf = self.read(MECANUM), self.read(text, "robot.xml")
        without = [path for path in urdf.values if not path.startswith("command")]  # MJCF has no largest rate
        for path in without:
            self.assertAlmostEqual(number(urdf, path), number(mjcf, path), places=9, msg=path)

    def test_poses(self):
        """Each way to give one turn of 90 deg about x, of a box with three different inertias; "XYZ" turns about fixed axes."""
        box = '<geom type="box" size="0.1 0.2 0.3" mass="3"/>'
        for way, compiler in (('euler="90 0 0"', ""), ('euler="1.5707963267948966 0 0"', 'angle="radian"'), ('quat="1 1 0 0"', ""), ('axisangle="1 0 0 90"', ""),
                              ('xyaxes="1 0 0 0 0 1"', ""), ('zaxis="0 -1 0"', ""), ('euler="90 0 0"', 'eulerseq="XYZ"')):
            found = self.read(f'<mujoco><compiler {compiler}/><worldbody><body name="a"><freejoint/><body name="b" {way}>{box}</body></body></worldbody></mujoco>', "r.xml")
            self.assertAlmostEqual(found.vehicle.platform.inertia[2, 2], 3 / 3 * (0.1**2 + 0.3**2), places=12, msg=way)
        for sequence, expected in (("xyz", [0, 0, 1]), ("XYZ", [0, 1, 0])):  # of x turned by 90 deg about x and then about z ...: y of the body
            found = self.read(f'<mujoco><compiler eulerseq="{sequence}"/><worldbody><body name="a"><freejoint/><body name="b" euler="90 90 0" pos="0 0 0">'
                              '<geom type="sphere" size="0.1" pos="1 0 0"/></body></body></worldbody></mujoco>', "r.xml")
            np.testing.assert_allclose(found.vehicle.platform.center, turn_euler(sequence) @ [1, 0, 0], atol=1e-12)

    def test_shapes_have_the_inertia_of_their_slices(self):
        """Discs across z, thick by a ten-thousandth: about the vertical (z) as they stand, about z of a body that lies as well."""
        r, h = 0.1, 0.3
        for shape, size, top, width in (("capsule", f"{r} {h}", h + r, lambda z: math.sqrt(r * r - max(abs(z) - h, 0.0)**2)), ("cylinder", f"{r} {h}", h, lambda z: r),
                                        ("ellipsoid", f"{r} {r} {h}", h, lambda z: r * math.sqrt(1 - (z / h)**2)), ("sphere", f"{r}", r, lambda z: math.sqrt(r * r - z * z))):
            z = (np.arange(20000) + 0.5) / 10000 * top - top
            rho2 = np.array([width(float(place))**2 for place in z])
            mass = 500 * math.pi * rho2 * top / 10000
            for lies, expected in (("0 0 0", (mass * rho2 / 2).sum()), ("90 0 0", (mass * (rho2 / 4 + z**2)).sum())):
                found = self.read(f'<mujoco><worldbody><body><freejoint/><geom type="{shape}" size="{size}" density="500" euler="{lies}"/></body></worldbody></mujoco>', "r.xml")
                np.testing.assert_allclose([found.vehicle.platform.mass, found.vehicle.platform.inertia[2, 2]], [mass.sum(), expected], rtol=1e-6, err_msg=f"{shape} {lies}")

    def test_other_files_are_not_opened(self):
        for tag in ('<include file="/etc/passwd"/>', "<worldbody><body><attach model='arm'/></body></worldbody>"):
            with self.assertRaisesRegex(StudyError, "is not opened.*mj_saveLastXML"):
                self.read(f"<mujoco>{tag}</mujoco>", "r.xml")
        with self.assertRaisesRegex(StudyError, "no <worldbody>"):
            self.read("<mujoco/>", "r.xml")
        with self.assertRaisesRegex(StudyError, "at most 1000 copies in all"):
            self.read(MJCF.replace('count="4"', 'count="1000000000"'), "r.xml")
        with self.assertRaisesRegex(StudyError, "size of a cylinder has 2 numbers"):
            self.read(MJCF.replace('size="0.15 0.02"', 'size="0.15"'), "r.xml")


def turn_euler(sequence):
    """By scipy: small letters there are about fixed axes, here about axes that turn."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_euler(sequence.swapcase(), [90, 90, 0], degrees=True).as_matrix()


class TestCommand(Files):
    def program(self, *words, code=0, given=None, **more):
        done = subprocess.run([PROGRAM, "import", *words], capture_output=True, text=True, input=given, cwd=self.folder, env={**os.environ, **more})
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr

    def test_study_and_table(self):
        self.written(MECANUM)
        study, table = self.program("robot.urdf")
        self.assertEqual(study, robots.read(self.folder / "robot.urdf").text)
        for part in ("came over", "guessed, for the file does not say it", "left out", "platform.mass", "11 kg", "base_link, lidar", "joint fl_joint", "20 rad/s", "2 <gazebo>"):
            self.assertIn(part, table)
        self.assertLess(table.index("wheel.radius "), table.index("guessed"))
        self.assertGreater(table.index("wheel.friction "), table.index("guessed"))
        self.assertEqual(self.program("robot.urdf", "-q")[1], "")
        piped, _ = self.program("-", given=MECANUM)
        self.assertEqual(piped.replace("standard input", "robot.urdf"), study)

    def test_a_file_that_is_there_is_kept(self):
        self.written(MECANUM)
        out, said = self.program("robot.urdf", "-o", "study.json")
        self.assertIn("study written to study.json", out)
        self.assertEqual(said, "")
        for command in (["validate", "study.json"], ["show", "study.json"], ["run", "study.json", "--set", "integrator.duration=0.05"]):
            subprocess.run([PROGRAM, *command], check=True, cwd=self.folder, capture_output=True)
        (self.folder / "study.json").write_text("mine")
        _, said = self.program("robot.urdf", "-o", "study.json", code=2)
        self.assertIn("--force", said)
        self.assertEqual((self.folder / "study.json").read_text(), "mine")
        self.program("robot.urdf", "-o", "study.json", "--force")
        self.assertIn("omni_vehicle", (self.folder / "study.json").read_text())
        self.program("robot.urdf", "-o", "robot.urdf", "--force", code=2)
        self.program("robot.urdf", "-o", "no/folder.json", code=5)
        self.program("none.urdf", "-o", "study.json", "--force", code=5)

    def test_exit_codes(self):
        self.written(robot(BASE, wheel("left", 0, 0.15), wheel("right", 0, -0.15)), "two.urdf")
        out, said = self.program("two.urdf", code=3)
        self.assertEqual(out, "")
        self.assertIn("two.urdf: no study is written: it has 2 wheels", said)
        self.assertIn("platform.mass", said)
        self.program("two.urdf", "-o", "two.json", code=3)
        self.assertFalse((self.folder / "two.json").exists())
        self.program("none.urdf", code=5)
        self.program(code=2)
        _, said = self.program("two.urdf", code=4, OMNIROLL_ANALYSIS=str(self.folder))
        self.assertIn("OMNIROLL_ANALYSIS names", said)

    def test_other_commands_name_it(self):
        self.written(MECANUM)
        done = subprocess.run([PROGRAM, "validate", "robot.urdf"], capture_output=True, text=True, cwd=self.folder)
        self.assertIn("omniroll import", done.stderr)


if __name__ == "__main__":
    unittest.main()
