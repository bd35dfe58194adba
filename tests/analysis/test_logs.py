"""Logs of robots: bags of ROS and Parquet files to tables, tables to CSV files and to a study that is fitted; and the page's ten lines.

All that is done with messages is tested by a reader that stands in for rosbags (bags.py), and once more by rosbags itself with bags that it
wrote, as .mcap and as sqlite3, where it is installed. OMNIROLL_LIBRARY names the library."""

import ast
import contextlib
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [os.path.join(ROOT, "analysis"), HERE]

import bags  # noqa: E402
from bags import EPOCH, SECOND, header, joints, pose, pose_stamped, transform, twist  # noqa: E402
from documented import blocks, quiet  # noqa: E402

import omniroll  # noqa: E402
from omniroll import calibration, logs  # noqa: E402
from omniroll.logs import log_bag, log_series  # noqa: E402
from omniroll.errors import FileError, OutOfMemory, UsageError  # noqa: E402
from omniroll.logs.log_series import Series, joined  # noqa: E402

POSE, JOINTS, TWIST = "geometry_msgs/msg/PoseStamped", "sensor_msgs/msg/JointState", "geometry_msgs/msg/Twist"
STUDIES = os.path.join(ROOT, "studies")
MS = SECOND // 1000

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:
    pyarrow = None


def at(ms, late=2):
    """Times of a header and of receipt, a little later."""
    return EPOCH + ms * MS, EPOCH + (ms + late) * MS


def drive():
    """A robot that turns past half a turn: poses every 100 ms, joints every 20 ms in another order in every other message, commands twice."""
    rows = []
    for ms in range(0, 2001, 100):
        stamp, received = at(ms)
        yaw = (3.0 + 0.4 * ms / 1000 + np.pi) % (2 * np.pi) - np.pi
        rows.append(("/mocap", POSE, received, pose_stamped(stamp, 0.3 * ms / 1000, -0.1, yaw)))
    for ms in range(-40, 1961, 20):
        stamp, received = at(ms)
        names = {"left": 5 + ms / 1000, "arm": 0.0, "right": -5.0} if ms % 40 else {"right": -5.0, "left": 5 + ms / 1000}
        rows.append(("/joint_states", JOINTS, received, joints(stamp, **names)))
    for ms, speed in ((-30, 0.1), (1000, 0.2)):
        rows.append(("/cmd_vel", TWIST, at(ms)[1], twist(speed, 0.0, -speed)))
    return rows


class OfBags(unittest.TestCase):
    storage = "stand-in"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        if self.storage == "stand-in":
            stack = contextlib.ExitStack()
            self.addCleanup(stack.close)
            stack.enter_context(bags.stand_in())

    def bag(self, rows, name="drive"):
        return bags.write(os.path.join(self.folder.name, name), rows, self.storage)

    def refused(self, words, rows, *arguments, **named):
        with self.assertRaisesRegex(UsageError, words):
            logs.read(self.bag(rows), *arguments, **named)

    def test_topics_of_different_rates_are_put_on_the_times_of_the_fastest(self):
        log = logs.read(self.bag(drive()), {"/mocap": ["x", "y", "yaw"], "/joint_states": {"w1": "left.velocity", "w2": "right.velocity", "a1": "left.position"}})
        self.assertEqual(log.units, {"time": "s", "x": "m", "y": "m", "yaw": "rad", "w1": "rad/s", "w2": "rad/s", "a1": "rad"})
        np.testing.assert_allclose(log.time, np.arange(0, 1.961, 0.02), atol=1e-12)  # where both are, by their headers
        self.assertEqual(log.start, EPOCH / SECOND)
        np.testing.assert_allclose(log["x"], 0.3 * log.time, atol=1e-12)
        np.testing.assert_allclose(log["yaw"], 3.0 + 0.4 * log.time, atol=1e-9)  # on past half a turn
        np.testing.assert_allclose(log["w1"], 5 + log.time, atol=1e-12)
        np.testing.assert_allclose(log["a1"], 10 * log["w1"], atol=1e-12)
        self.assertTrue(np.all(log["w2"] == -5))
        self.assertRegex(repr(log), r"/mocap: 21 rows, every 100 ms, longest gap 100 ms, stamps of headers")
        self.assertRegex(repr(log), r"rows are those of /joint_states; the others are read there by straight lines")

    def test_rows_may_be_those_of_another_topic_and_times_those_of_receipt(self):
        fields = {"/mocap": ["x"], "/joint_states": ["left.velocity"]}
        log = logs.read(self.bag(drive()), fields, onto="/mocap", stamps="received")
        np.testing.assert_allclose(log.time, np.arange(0, 1.91, 0.1), atol=1e-12)
        self.assertAlmostEqual(log.start, EPOCH / SECOND + 2e-3, delta=1e-6)
        self.assertIn("times of receipt", repr(log))
        np.testing.assert_allclose(log["left.velocity"], 5 + log.time, atol=1e-12)

    def test_a_command_holds_until_the_next_one(self):
        log = logs.read(self.bag(drive()), {"/mocap": ["x"], "/cmd_vel": None}, stamps="received")
        self.assertEqual(list(log.columns), ["time", "x", "vx", "vy", "yaw_rate"])
        np.testing.assert_array_equal(log["vx"], np.where(log.time < 1, 0.1, 0.2))
        np.testing.assert_array_equal(log["yaw_rate"], -log["vx"])
        self.assertAlmostEqual(log.time[-1], 2.0)
        self.assertRegex(repr(logs.read(self.bag(drive(), "again"), {"/mocap": ["x"], "/cmd_vel": ["vx"]})), "times are of two clocks")

    def test_types_with_a_pose_and_a_velocity(self):
        rows = []
        for ms in (0, 100, 200):
            stamp, received = at(ms)
            where = 0.1 * ms, -0.2 * ms, 0.001 * ms
            covariance = [0.0] * 36
            rows += [("/odom", "nav_msgs/msg/Odometry", received, bags.Message(
                header=header(stamp), child_frame_id="base", pose=bags.Message(pose=pose(*where), covariance=covariance),
                twist=bags.Message(twist=twist(1.0, 2.0, 3.0), covariance=covariance))),
                ("/vicon", "geometry_msgs/msg/TransformStamped", received, transform(stamp, "robot", *where)),
                ("/amcl", "geometry_msgs/msg/PoseWithCovarianceStamped", received, bags.Message(
                    header=header(stamp), pose=bags.Message(pose=pose(*where), covariance=covariance))),
                ("/tf", "tf2_msgs/msg/TFMessage", received, bags.Message(transforms=[transform(stamp, "base", *where), transform(stamp, "arm", 9.0, 9.0, 0.0)])),
                ("/twist", "geometry_msgs/msg/TwistStamped", received, bags.Message(header=header(stamp), twist=twist(1.0, 2.0, 3.0)))]
        path = self.bag(rows)
        for topic in ("/odom", "/vicon", "/amcl", "/tf:base"):
            log = logs.read(path, {topic: ["x", "y", "yaw"]})
            np.testing.assert_allclose(np.array([log["x"], log["y"], log["yaw"]]), np.outer([100.0, -200.0, 1.0], log.time), atol=1e-9, err_msg=topic)
        self.assertEqual(list(logs.read(path, ["/odom"]).columns), ["time", "x", "y", "yaw", "vx", "vy", "yaw_rate"])
        self.assertEqual([logs.read(path, ["/twist"])[name][0] for name in ("vx", "vy", "yaw_rate")], [1, 2, 3])
        for words, topic in ((r"several frames; name one after a colon", "/tf"), (r"no transform to a frame 'leg'; there are: arm, base", "/tf:leg"),
                             (r"this topic is of nav_msgs", "/odom:base")):
            with self.assertRaisesRegex(UsageError, words):
                logs.read(path, [topic])

    def test_any_number_of_any_message_has_a_path(self):
        rows = [("/speeds", "std_msgs/msg/Float64MultiArray", at(ms)[1], bags.Message(
            layout=bags.Message(dim=[], data_offset=7), data=[1.0 * ms, 2.0 * ms])) for ms in (0, 100, 200)]
        path = self.bag(rows)
        log = logs.read(path, {"/speeds": {"w2": "data[1]", "offset": "layout.data_offset"}})
        np.testing.assert_allclose(log["w2"], 2000 * log.time)
        self.assertTrue(np.all(log["offset"] == 7))
        self.assertEqual(list(logs.read(path, {"/speeds": ["data[0]"]}).columns), ["time", "data.0"])
        for words, fields in ((r"nothing is known of messages of std_msgs/msg/Float64MultiArray; name their fields.*such a message has data, layout", None),
                              (r"'data\[2\]': data has no element 2; it has 2", ["data[2]"]), (r"has no field 'dta'; it has data, layout", ["dta"]),
                              (r"'layout' is .* and no number; name one of its members: data_offset, dim", ["layout"]),
                              (r"'__class__' is no field", ["__class__"]), (r"'data\[1\]; x' is no field", ["data[1]; x"])):
            with self.assertRaisesRegex(UsageError, words):
                logs.read(path, {"/speeds": fields})

    def test_contents_names_what_read_takes(self):
        found = logs.contents(self.bag(drive()))
        self.assertEqual(list(found), ["/cmd_vel", "/joint_states", "/mocap"])
        self.assertEqual(found["/mocap"], (POSE, 21, ["x", "y", "yaw"]))
        self.assertEqual(found["/joint_states"].fields, ["right.position", "left.position", "right.velocity", "left.velocity"])

    def test_what_is_not_there_is_refused_with_what_there_is(self):
        rows = drive()
        self.refused(r"there is no topic '/odom'; there are: /cmd_vel, /joint_states, /mocap", rows, ["/odom"])
        path = self.bag(rows, "again")
        for words, arguments, named in (
                (r"no joint 'middle'; there are: arm, left, right", [{"/joint_states": ["middle.velocity"]}], {}),
                (r"no message has the effort of the joint 'left'", [{"/joint_states": ["left.effort"]}], {}),
                (r"has no field 'z'; it has header, pose\. Of geometry_msgs/msg/PoseStamped read takes x, y, yaw too", [{"/mocap": ["z"]}], {}),
                (r"say which topics to read; there are: /cmd_vel", [], {}), (r"topics names none", [[]], {}),
                (r"onto='/x' is none of what is read: /mocap", [["/mocap"]], {"onto": "/x"}),
                (r"stamps is \"header\" or \"received\"", [["/mocap"]], {"stamps": "bag"}),
                (r"two columns 'x'; name them", [{"/mocap": ["x"], "/joint_states": {"x": "left.velocity"}}], {}),
                (r"'a,b' cannot be a column", [{"/mocap": {"a,b": "x"}}], {}), (r"columns, units and time are of tables", [["/mocap"]], {"columns": ["x"]}),
                (r"/mocap has no message between start and end", [["/mocap"]], {"start": 10.0})):
            with self.subTest(words), self.assertRaisesRegex(UsageError, words):
                logs.read(path, *arguments, **named)

    def test_a_part_is_read_by_its_times_of_receipt(self):
        log = logs.read(self.bag(drive()), ["/mocap"], start=0.55, end=1.05)  # from the first message on, at -38 ms
        self.assertAlmostEqual(log["x"][0], 0.18)
        self.assertAlmostEqual(log["x"][-1], 0.3)

    def test_times_that_run_backwards_are_refused_and_equal_ones_left_out(self):
        rows = [("/mocap", POSE, at(ms)[1], pose_stamped(at(stamp)[0], ms / 1000, 0.0, 0.0)) for ms, stamp in ((0, 0), (100, 100), (200, 100), (300, 300))]
        log = logs.read(self.bag(rows), {"/mocap": ["x"]})
        np.testing.assert_array_equal(log["x"], [0.0, 0.1, 0.3])
        self.assertIn("left out: 1 with the time of the row before", repr(log))
        rows[2] = ("/mocap", POSE, at(200)[1], pose_stamped(at(50)[0], 0.2, 0.0, 0.0))
        path = self.bag(rows, "back")
        with self.assertRaisesRegex(UsageError, r"/mocap: times run backwards \(stamps of headers\): 0.05 s comes after 0.1 s.*stamps=\"received\""):
            logs.read(path, {"/mocap": ["x"]})
        self.assertEqual(len(logs.read(path, {"/mocap": ["x"]}, stamps="received").time), 4)

    def test_stamps_that_are_missing_and_clocks_that_never_meet(self):
        rows = [("/mocap", POSE, at(ms)[1], pose_stamped(0, ms / 1000, 0.0, 0.0)) for ms in (0, 100)]
        self.assertIn("times of receipt", repr(logs.read(self.bag(rows, "none"), {"/mocap": ["x"]})))
        rows.append(("/mocap", POSE, at(200)[1], pose_stamped(at(200)[0], 0.0, 0.0, 0.0)))
        self.refused(r"2 of 3 messages have no stamp in their header; stamps=\"received\"", rows, {"/mocap": ["x"]})
        rows = [row for row in drive() if row[0] != "/mocap"]
        rows += [("/mocap", POSE, at(ms)[1], pose_stamped(5 * SECOND + ms * MS, 0.0, 0.0, 0.0)) for ms in range(0, 200, 100)]
        with self.assertRaisesRegex(UsageError, r"no time at which all of it was logged: /mocap .* from 0 s to 0.1 s; /joint_states .* from 1.7e\+09 s.*two clocks"):
            logs.read(self.bag(rows, "boot"), {"/mocap": ["x"], "/joint_states": ["left.velocity"]})

    def test_a_pose_that_was_not_seen_is_left_out_and_one_that_is_no_rotation_refused(self):
        rows = [("/mocap", POSE, at(ms)[1], pose_stamped(at(ms)[0], ms / 1000, 0.0, 0.1)) for ms in (0, 100, 200, 300)]
        for place in (rows[1][3].pose.position, rows[1][3].pose.orientation):
            place.x = float("nan")
        log = logs.read(self.bag(rows), {"/mocap": ["x", "yaw"]})
        np.testing.assert_array_equal(log["x"], [0.0, 0.2, 0.3])
        self.assertIn("left out: 1 without a value", repr(log))
        rows[1][3].pose.orientation = bags.Message(x=0.0, y=0.0, z=0.0, w=0.0)
        path = self.bag(rows, "unset")
        with self.assertRaisesRegex(UsageError, r"quaternion \(0, 0, 0, 0\) is no rotation"):
            logs.read(path, {"/mocap": ["x", "yaw"]})
        self.assertEqual(len(logs.read(path, {"/mocap": ["y"]}).time), 4)

    def test_sizes_have_bounds(self):
        path = self.bag(drive())
        with mock.patch.object(log_bag, "MOST_ROWS", 20), self.assertRaisesRegex(UsageError, r"/mocap has more than 20 messages.*start and end"):
            logs.read(path, ["/mocap"])
        with mock.patch.object(log_bag, "MOST_BYTES", 0), self.assertRaisesRegex(UsageError, "/mocap has a message of 0 MB"):
            logs.read(path, ["/mocap"])
        with mock.patch.object(log_series, "MOST_ROWS", 20), self.assertRaisesRegex(UsageError, "has 21 rows, and a table 20 at most"):
            logs.read(path, ["/mocap"])

    def test_the_csv_file_has_the_same_bits_and_says_where_it_is_from(self):
        log = logs.read(self.bag(drive()), {"/mocap": ["x", "yaw"], "/joint_states": {"w1": "left.velocity"}})
        path = log.write_csv(os.path.join(self.folder.name, "drive.csv"))
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        comments = [line for line in lines if line.startswith("#")]
        self.assertRegex("\n".join(comments), r"# From drive.*\n# /mocap: 21 rows")
        self.assertEqual(lines[len(comments)], "time [s],x [m],yaw [rad],w1 [rad/s]")
        np.testing.assert_array_equal(np.loadtxt(lines[len(comments) + 1:], delimiter=","), np.column_stack(list(log.columns.values())))
        self.assertFalse([name for name in os.listdir(self.folder.name) if ".tmp" in name])
        with self.assertRaisesRegex(FileError, "nowhere.*cannot be written"):
            log.write_csv(os.path.join(self.folder.name, "nowhere", "drive.csv"))

    def test_a_link_in_the_place_of_the_unfinished_file_is_not_followed(self):
        log, path = logs.read(self.bag(drive()), {"/mocap": ["x"]}), os.path.join(self.folder.name, "drive.csv")
        victim, before = os.path.join(self.folder.name, "victim"), os.listdir(self.folder.name)
        with open(victim, "w", encoding="utf-8") as file:
            file.write("kept")
        for name in ("unfinished", f"tmp{os.getpid()}", f"tmp-{os.getpid()}", "tmp-guessed"):
            os.symlink(victim, f"{path}.{name}")
        self.assertEqual(log.write_csv(path), path)
        with mock.patch("secrets.token_hex", return_value="guessed"), self.assertRaisesRegex(FileError, "cannot be written: File exists"):
            log.write_csv(path)
        with open(victim, encoding="utf-8") as file:
            self.assertEqual(file.read(), "kept")
        self.assertEqual(len(os.listdir(self.folder.name)), len(before) + 6)


class ByRosbags(unittest.TestCase):
    @unittest.skipUnless(bags.HAVE, "rosbags is not installed: a reader stood in for it, and no bag was read")
    def test_bags_are_mcap_and_sqlite(self):
        with tempfile.TemporaryDirectory() as folder:
            for storage, ending in (("mcap", ".mcap"), ("sqlite3", ".db3")):
                path = bags.write(os.path.join(folder, storage), drive(), storage)
                inside = os.listdir(path if storage == "sqlite3" else os.path.dirname(path))
                self.assertEqual(sorted(os.path.splitext(name)[1] for name in inside), sorted([ending, ".yaml"]))
                whole = logs.read(os.path.join(folder, storage), {"/mocap": ["x", "yaw"]})
                alone = logs.read(os.path.join(folder, storage, next(name for name in inside if name.endswith(ending))), {"/mocap": ["x", "yaw"]})
                np.testing.assert_array_equal(np.array(list(whole.columns.values())), np.array(list(alone.columns.values())))


class OfMcap(OfBags):
    """All of OfBags, of bags that rosbags wrote."""

    storage = "mcap"

    def test_damaged_bags_are_errors_of_files(self):
        path = self.bag(drive())
        with open(path, "rb") as file:
            good = file.read()
        rng = np.random.default_rng(5)
        for trial in range(60):
            bad = bytearray(good[:int(rng.integers(len(good)))] if trial % 3 == 0 else good)
            for place in rng.integers(len(bad), size=8) if trial % 3 and len(bad) else []:
                bad[place] = int(rng.integers(256))
            with open(path, "wb") as file:
                file.write(bad)
            with contextlib.suppress(FileError, UsageError, OutOfMemory):
                logs.read(path, {"/mocap": ["x"], "/joint_states": ["left.velocity"]})

    def test_what_is_no_bag_is_refused(self):
        for path, words in ((os.path.join(self.folder.name, "none"), "there is no such bag"), (self.folder.name, r"is no bag.*metadata\.yaml"), (__file__, "cannot be read as a bag")):
            with self.assertRaisesRegex(FileError, words):
                logs.contents(path)


class OfSqlite(OfBags):
    storage = "sqlite3"


if not bags.HAVE:  # ByRosbags says so, once
    del OfMcap, OfSqlite


class WithoutLibraries(unittest.TestCase):
    def test_what_is_missing_is_said_with_the_remedy(self):
        for name, path in (("rosbags", "x.mcap"), ("pyarrow", "x.parquet")):
            with mock.patch.dict(sys.modules, {name: None, f"{name}.highlevel": None, f"{name}.parquet": None}):
                with self.assertRaisesRegex(UsageError, f"library {name}, which this Python does not have: pip install {name}"):
                    logs.contents(path)


class Together(unittest.TestCase):
    def series(self, name, time, values, source="/a", **more):
        return Series(name, "", source, np.array(time, dtype=np.int64), np.array(values, dtype=float), **more)

    def test_nanoseconds_since_1970_are_kept(self):
        found = joined([self.series("a", [EPOCH, EPOCH + 1, EPOCH + 3], [0, 1, 3])], "x")
        np.testing.assert_array_equal(found.columns["time"], [0, 1e-9, 3e-9])

    def test_straight_lines_between_rows_and_nothing_beyond_them(self):
        found = joined([self.series("a", np.arange(0, 11) * SECOND, np.arange(11)), self.series("b", [1 * SECOND, 3 * SECOND, 8 * SECOND], [10, 20, 70], "/b")], "x")
        np.testing.assert_allclose(found.columns["time"], np.arange(8))
        np.testing.assert_allclose(found.columns["b"], [10, 15, 20, 30, 40, 50, 60, 70])
        np.testing.assert_allclose(found.columns["a"], np.arange(1, 9))

    def test_one_row_is_no_run(self):
        with self.assertRaisesRegex(UsageError, r"/a has 1 row of 'a'; a measured run has 2 at least"):
            joined([self.series("a", [1, 2], [0, np.nan])], "x")


@unittest.skipUnless(pyarrow, "pyarrow is not installed")
class OfParquet(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, **columns):
        path = os.path.join(self.folder.name, "drive.parquet")
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
        return path

    def test_columns_by_name_with_units(self):
        path = self.file(time=[10.0, 10.5, 11.0], speed=[1.0, 2.0, 3.0], count=[1, 2, 4], name=["a", "b", "c"])
        log = logs.read(path)
        self.assertEqual(list(log.columns), ["time", "speed", "count"])
        np.testing.assert_array_equal(log.time, [0, 0.5, 1])
        log = logs.read(path, columns={"w1": "speed"}, units={"w1": "turn/min"}, start=0.4)
        np.testing.assert_array_equal(log["w1"], [2, 3])
        self.assertEqual(log.units["w1"], "turn/min")
        self.assertEqual(logs.contents(path)["count"], ("int64", 3, ["count"]))

    def test_times_are_stamps_seconds_or_whole_numbers_in_a_unit(self):
        values = [0.0, 1.0, 2.0]
        stamps = pyarrow.array(np.array([EPOCH, EPOCH + MS, EPOCH + 3 * MS]), type=pyarrow.timestamp("ns"))
        for time in (stamps, stamps.cast(pyarrow.timestamp("ms")), [1.7e9, 1.7e9 + 1e-3, 1.7e9 + 3e-3]):
            np.testing.assert_allclose(logs.read(self.file(time=time, x=values)).time, [0, 1e-3, 3e-3], atol=3e-7)
        path = self.file(t=[5, 6, 8], x=values)
        np.testing.assert_allclose(logs.read(path, time="t", columns=["x"], units={"time": "ms"}).time, [0, 1e-3, 3e-3])
        with self.assertRaisesRegex(UsageError, r"column 't' has int64, and times are stamps.*units=\{\"time\": \"ns\"\}"):
            logs.read(path, time="t")

    def test_columns_of_different_rates_have_gaps(self):
        log = logs.read(self.file(time=[0.0, 1.0, 2.0, 3.0, 4.0], x=[0.0, None, 2.0, None, 8.0], w1=[None, 1.0, 2.0, 3.0, 4.0], yaw=[3.1, None, -3.1, None, -3.0]))
        np.testing.assert_allclose(log.time, [0, 1, 2, 3])
        np.testing.assert_allclose(log["x"], [1, 2, 5, 8])
        self.assertAlmostEqual(log["yaw"][1], 2 * np.pi - 3.1)

    def test_what_is_not_there_and_what_is_too_much(self):
        path = self.file(time=[0.0, 1.0, 2.0], x=[0.0, 1.0, 2.0], name=["a", "b", "c"])
        for words, named in ((r"there is no column 'z'; there are: name, time, x", {"columns": ["z"]}), (r"no column 't' for the time \(time=", {"time": "t"}),
                             (r"column 'name' has string, and columns are numbers", {"columns": ["name"]}), (r"has columns and no topics", {"topics": ["/x"]}),
                             (r"units names 'y'", {"units": {"y": "m"}}), (r"has no row between start and end", {"start": 7}), (r"times are in s, ms", {"units": {"time": "h"}})):
            with self.subTest(words), self.assertRaisesRegex(UsageError, words):
                logs.read(path, **named)
        with mock.patch("omniroll.logs.log_table.MOST_ROWS", 2), self.assertRaisesRegex(UsageError, "has more than 2 rows"):
            logs.read(path)
        with self.assertRaisesRegex(UsageError, "1 rows have no time"):
            logs.read(self.file(time=[0.0, None, 2.0], x=[0.0, 1.0, 2.0]))
        with open(path, "wb") as file:
            file.write(b"PAR1 and no more")
        with self.assertRaisesRegex(FileError, "cannot be read as Parquet"):
            logs.read(path)
        with self.assertRaisesRegex(FileError, "there is no such file"):
            logs.read(path + "_2.parquet")


def robot():
    """The vehicle of studies/calibrate.json without drives and data."""
    study = omniroll.load(os.path.join(STUDIES, "calibrate.json"))
    for section in ("data", "vary", "calibrate", "design"):
        del study[section]
    study["parameters"]["wheels"] = [{"radius": "50.6 mm"}, {"radius": "49.7 mm"}, {"radius": "50.2 mm"}]
    return study


@unittest.skipUnless(os.environ.get("OMNIROLL_LIBRARY"), "OMNIROLL_LIBRARY names no library")
class ToAStudy(unittest.TestCase):
    """The logs of studies/calibrate.json as bags: rates and poses as topics of their own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        if not bags.HAVE:
            stack.enter_context(bags.stand_in())
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)
        with open("robot.json", "w", encoding="utf-8") as file:
            json.dump(robot(), file)

    def bag(self, number):
        table = np.genfromtxt(os.path.join(STUDIES, f"calibrate_{number}.csv"), delimiter=",", names=True, skip_header=1)
        rows = []
        for row in table:
            stamp = EPOCH + int(round(row["t_s"] * 1000)) * MS
            rows += [("/joint_states", JOINTS, stamp + MS, joints(stamp, wheel_1=row["w1_rads"], wheel_2=row["w2_rads"], wheel_3=row["w3_rads"])),
                     ("/mocap/pose", POSE, stamp + 5 * MS, pose_stamped(stamp, row["x_m"], row["y_m"], row["yaw_rad"]))]
        return bags.write(f"drive_{number}", rows, "sqlite3" if bags.HAVE else "stand-in")

    def test_the_page_goes_from_a_log_to_a_calibrated_study_and_a_report_in_eleven_statements(self):
        names = {f"drive_{number}": self.bag(number) for number in (1, 2)}
        block = next(block for block in blocks("docs/reference/calibrate.md") if block.kind == "python" and "logs.read" in block.text)
        self.assertLessEqual(len(ast.parse(block.text).body), 11)  # statements, whatever the width of the page makes of their lines
        code = block.text
        for name, path in names.items():
            code = code.replace(f'"{name}"', f'"{path}"')
        shorter = {"calibrate.members": 20, "calibrate.seed": 1, "engine.backend": "openmp"}
        fit = calibration.fit
        space = {}
        with mock.patch.object(calibration, "fit", lambda study, output: fit(study, output, set=shorter)), quiet() as printed:
            exec(compile(code, block.place, "exec"), space)  # noqa: S102
        found = space["found"]
        self.assertTrue(printed.getvalue().startswith(found.verdict))
        self.assertEqual([run.use for run in found.runs], ["fit", "predict"])
        self.assertLess(abs(float(np.mean(found.posterior["layout.radius"])) - 0.152), 1e-3)  # the true one; the prior's is 0.15 +- 0.003
        self.assertTrue(os.path.getsize("points.html") > 10000)

    def test_the_study_is_the_robot_with_drives_data_and_unknowns(self):
        runs = [logs.read(self.bag(number), {"/mocap/pose": ["x", "y", "yaw"], "/joint_states": {"w1": "wheel_1.velocity", "a2": "wheel_2.position"}}) for number in (1, 2)]
        study = logs.to_study("robot.json", runs, measured={"x": "3 mm", "yaw": {"noise": "1 deg", "correlation_time": "1 s"}, "wheels[2].wheel_rate": {"column": "w1", "noise": "1 rpm"}}, rates=["w1", "a2"],
                              vary=[{"path": "wheel.friction", "uniform": [0.3, 0.8]}], origin="world", interval="0.2 s")
        self.assertEqual(study["data"], {"runs": [{"file": "drive_1.csv"}, {"file": "drive_2.csv", "use": "predict"}], "origin": "world", "interval": "0.2 s", "measured": [
            {"sample": "x", "column": "x", "noise": "3 mm"}, {"sample": "yaw", "column": "yaw", "noise": "1 deg", "correlation_time": "1 s"},
            {"sample": "wheel_rate", "wheel": 2, "column": "w1", "noise": "1 rpm"}]})
        wheels = study["parameters"]["wheels"]
        self.assertEqual([wheel["radius"] for wheel in wheels], ["50.6 mm", "49.7 mm", "50.2 mm"])
        self.assertEqual([wheel.get("drive", {}).get("replay", {}).get("columns") for wheel in wheels], [{"rate": "w1"}, {"angle": "a2"}, None])
        self.assertNotIn("drive", omniroll.load("robot.json")["parameters"]["wheels"][0])

    def test_what_does_not_fit_is_refused(self):
        log = logs.read(self.bag(1), ["/mocap/pose"])
        for words, study, named in ((r"there is no column 'w1'; there are: time, x, y, yaw", robot(), {"rates": ["w1"]}), (r"no column 'vx'", robot(), {"measured": {"vx": 1}}),
                                    (r"predict=1 of 1 logs leaves none", robot(), {"predict": 1}), (r"write \"frame\": \"ros\"", {**robot(), "frame": "y_up"}, {})):
            with self.subTest(words), self.assertRaisesRegex(UsageError, words):
                logs.to_study(study, log, **{"measured": {"x": "3 mm"}, **named})
        self.assertNotIn("drive_1.csv", os.listdir("."))


if __name__ == "__main__":
    unittest.main()
