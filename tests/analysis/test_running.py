"""Studies run from Python through libomniroll. OMNIROLL names the program, whose results and messages are what is expected here,
and OMNIROLL_LIBRARY the library."""

import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import warnings

import h5py
import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
ANALYSIS = os.path.join(ROOT, "analysis")
sys.path.insert(0, ANALYSIS)

import omniroll  # noqa: E402
from omniroll import library  # noqa: E402
from omniroll.running import progress, tasks  # noqa: E402

STUDY = os.path.join(ROOT, "tests", "analysis", "result.json")
PROGRAM = os.environ.get("OMNIROLL", "omniroll")
FAST = {"integrator.step": 1e-4, "integrator.duration": 0.02}  # stable, and over soon
LONG = {"integrator.step": 1e-4, "integrator.duration": 1, "design.instances": 48, "engine.chunk": 8, "engine.lanes": 1,
        "engine.threads": 1, "engine.launch_seconds": 0.01}


def study():
    with open(STUDY, encoding="utf-8") as file:
        return json.load(file)


def columns(path):
    """Everything that a run has computed, as bytes."""
    with h5py.File(path) as file:
        found = {}
        for group in ("instances", "trajectories", "failures"):
            for name, data in file.get(group, {}).items():
                if not h5py.check_string_dtype(data.dtype):
                    found[f"{group}/{name}"] = data[()].tobytes()
        return found


def same(one, other):
    """Two Datasets with the same bits."""
    return list(one.variables) == list(other.variables) and all(
        one[name].values.tobytes() == other[name].values.tobytes() for name in one.variables if one[name].dtype != object)


def program(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=ROOT)


def python(code, **environment):
    return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, cwd=tempfile.gettempdir(),
                          env={**os.environ, "PYTHONPATH": ANALYSIS, **environment})


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)


class Running(Case):
    def test_changes_have_names_of_vary_and_of_columns(self):
        whole = omniroll.run(STUDY, set={**FAST, "parameters.wheel.radius": 0.11})
        for name in ("wheel.radius", "wheel_radius"):
            self.assertTrue(same(omniroll.run(STUDY, set={**FAST, name: 0.11}), whole), name)
        self.assertTrue(same(omniroll.run(STUDY, integrator_step=1e-4, set={"integrator.duration": 0.02}, wheel_radius=0.11), whole))
        one_wheel = {**FAST, "parameters.wheels": [{}, {}, {}]}
        for name in ("wheels.1.radius", "wheel1_radius"):
            self.assertEqual(omniroll.Study(STUDY, set={**one_wheel, name: 0.11}).loaded.changes[-1], "parameters.wheels[1].radius=0.11")
        own = {"model": "multibody", "parameters": {"v": 3}, "system": {"bodies": {"stone": {"mass": 1, "inertia": [1, 1, 1], "velocity": [0, "v", 0]}}},
               "integrator": {"step": "1 ms", "duration": "2 ms"}}
        self.assertEqual(omniroll.Study(own, v=4).loaded.changes, ["parameters.v=4"])

    def test_the_program_gives_the_same_bits(self):
        sets = [f"--set={path}={value}" for path, value in FAST.items()]
        done = program("run", "-q", STUDY, "-o", self.path("program.h5"), *sets)
        self.assertEqual(done.returncode, 0, done.stderr)
        omniroll.run(STUDY, output=self.path("python.h5"), set=FAST)
        expected = columns(self.path("program.h5"))
        self.assertEqual(columns(self.path("python.h5")), expected)
        self.assertGreater(len(expected), 50)

    def test_a_dict_is_its_file(self):
        made = study()
        made["integrator"] = {"method": "rk4", "step": np.float64(1e-4), "duration": "0.02 s"}
        made["vary"][0]["uniform"] = np.array([0.2, 0.4])
        made["vary"][1]["uniform"] = (np.int64(8), 12)
        made["output"]["trajectories"]["instances"] = np.arange(0, 8, 7)
        result = omniroll.run(made)
        self.assertTrue(same(result, omniroll.run(STUDY, set=FAST)))
        self.assertEqual(result.attrs["title"], "small study for the analysis tests")

    def test_overrides_are_those_of_the_command_line(self):
        by_set = omniroll.run(STUDY, set={**FAST, "parameters.wheel.friction": "0.3", "vary[0].path": "platform.yaw_inertia"})
        by_name = omniroll.run(STUDY, set=FAST, **{"parameters.wheel.friction": np.float32(0.3), "vary[0].path": "platform.yaw_inertia"})
        self.assertEqual(list(by_set.coords)[-2:], ["platform_yaw_inertia", "platform_mass"])
        self.assertNotEqual(by_set.final_yaw[0], omniroll.run(STUDY, set=FAST).final_yaw[0])
        self.assertAlmostEqual(float(by_set.final_yaw[0]), float(by_name.final_yaw[0]), 7)  # 0.3 of single precision is another
        single = omniroll.run(STUDY, set=FAST, backend="scalar", precision="single", threads=1)
        self.assertEqual([single.attrs[name] for name in ("backend", "precision", "threads")], ["scalar", "single", 1])

    def test_units_dimensions_and_roles(self):
        result = omniroll.run(STUDY, set=FAST)
        self.assertEqual(dict(result.sizes), {"instance": 20, "traced": 2, "time": 3, "wheel": 3})
        self.assertEqual(list(result.traced), [0, 7])
        self.assertEqual(result.normal_load.dims, ("traced", "time", "wheel"))
        self.assertEqual(result.normal_load.attrs["units"], "N")
        self.assertEqual(result.wheel_friction.attrs["long_name"], "friction coefficient mu between roller and floor")
        self.assertEqual(result.time.attrs["units"], "s")
        roles = {role: list(result.filter_by_attrs(role=role).variables) for role in ("observable", "sample", "shape", "parameter")}
        self.assertIn("path_length", roles["observable"])
        self.assertIn("slip_i", roles["sample"])
        self.assertIn("rollers", roles["shape"])
        self.assertIn("platform_mass", roles["parameter"])
        self.assertEqual(result.status.attrs["flag_meanings"].split()[0], "ok")
        self.assertEqual(float(result.path_length.where(result.status == 0).mean()), float(result.path_length.mean()))

    def test_a_name_of_both_groups_is_told_apart(self):
        result = omniroll.run(STUDY, set={**FAST, "integrator.stability": "ignore",
                                          "vary[0]": {"path": "wheel.radius", "uniform": [0.05, 0.06]}})
        self.assertEqual(result.wheel_radius.dims, ("instance",))
        self.assertEqual(result.traced_wheel_radius.dims, ("traced", "wheel"))
        self.assertEqual(float(result.wheel_radius[7]), float(result.traced_wheel_radius.sel(traced=7, wheel=2)))

    def test_a_grid_unfolds(self):
        grid = {"design": {"type": "grid"}, "vary": [{"path": "wheel.friction", "values": [0.2, 0.3, 0.4]},
                                                    {"path": "platform.mass", "values": [8, 12]}]}
        result = omniroll.run(STUDY, set={**FAST, "output.trajectories.instances": [0]}, **grid)
        table = result.set_index(instance=["wheel_friction", "platform_mass"]).unstack("instance").path_length
        self.assertEqual(dict(table.sizes), {"wheel_friction": 3, "platform_mass": 2})
        self.assertEqual(float(table.sel(wheel_friction=0.3, platform_mass=12)), float(result.path_length[3]))

    def test_the_output_stays_and_opens_again(self):
        result = omniroll.run(STUDY, output=self.path("kept.h5"), set=FAST)
        self.assertTrue(same(result, omniroll.open(self.path("kept.h5"))))
        result.drop_vars("status").to_netcdf(self.path("copy.nc"), engine="h5netcdf")

    def test_runs_of_several_threads_wait_for_each_other(self):
        results = []
        threads = [threading.Thread(target=lambda: results.append(omniroll.run(STUDY, set=FAST))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 3)
        self.assertTrue(same(results[0], results[2]))


class Refusals(Case):
    def assert_message(self, error, *arguments):
        done = program(*arguments)
        self.assertEqual(done.stderr.splitlines()[-len(str(error).splitlines()):], ("omniroll: " + str(error)).splitlines())
        self.assertNotEqual(done.returncode, 0)

    def test_messages_are_those_of_the_program(self):
        warnings.simplefilter("ignore")  # unittest restores the filters
        for change, kind, word in (("parameters.wheel.frction=0.3", omniroll.StudyError, "study"),
                                   ("integrator.step=-1", omniroll.StudyError, "study"),
                                   ("vary[5].path=\"x\"", omniroll.StudyError, "study"),
                                   ("engine.device=\"avx9000\"", omniroll.DeviceError, "device"),
                                   ("parameters.wheel.radius=\"3 kg\"", omniroll.StudyError, "study")):
            path, value = change.split("=", 1)
            with self.assertRaises(kind) as caught:
                omniroll.run(STUDY, set={path: json.loads(value)}, backend="openmp")
            self.assert_message(caught.exception, "run", "-q", STUDY, "-o", self.path("x.h5"), "--set", change, "--backend", "openmp")
            self.assertEqual(caught.exception.status, word)

    def test_mistakes_are_told_one_by_one(self):
        wrong = self.path("wrong.json")
        with open(wrong, "w", encoding="utf-8") as file:
            file.write('{"model": "omni_vehicle",\n "parameters": {"wheel": {"frction": 0.3, "radius": "3 kg"}},\n'
                       ' "integrator": {"step": -1, "duration": 1}}\n')
        with self.assertRaises(omniroll.StudyError) as caught:
            omniroll.validate(wrong)
        self.assertEqual([mistake[:4] for mistake in caught.exception.mistakes],
                         [("unknown_key", wrong, 2, "/parameters/wheel/frction"), ("unit", wrong, 2, "/parameters/wheel/radius"),
                          ("out_of_range", wrong, 3, "/integrator/step")])
        self.assertEqual(caught.exception.mistakes[2].message, "is -1 s; it must be above 0")
        self.assertEqual(len(str(caught.exception).splitlines()), 3)
        self.assert_message(caught.exception, "validate", wrong)
        printed = json.loads(program("validate", "--json", wrong).stdout)
        self.assertEqual([tuple(one.values()) for one in printed["mistakes"]], [tuple(one) for one in caught.exception.mistakes])
        codes = {row["name"] for row in omniroll.describe("omni_vehicle")["mistakes"]}
        self.assertLessEqual({one.code for one in caught.exception.mistakes}, codes)
        with self.assertRaises(omniroll.FileError) as caught:
            omniroll.validate(self.path("none.json"))
        self.assertEqual(caught.exception.mistakes[0][:4], ("io", self.path("none.json"), None, None))

    def test_a_broken_file_is_refused_with_its_line(self):
        broken = self.path("broken.json")
        with open(broken, "w", encoding="utf-8") as file:
            file.write('{"model": "omni_vehicle",\n "parameters": {"wheel": {"friction": }}}\n')
        for call in (omniroll.run, omniroll.validate):
            with self.assertRaises(omniroll.StudyError) as caught:
                call(broken)
            self.assertIn("broken.json:2", str(caught.exception))
            self.assert_message(caught.exception, "validate", broken)

    def test_files_that_are_not_there(self):
        with self.assertRaises(omniroll.FileError) as caught:
            omniroll.run(self.path("none.json"))
        self.assertIsInstance(caught.exception, OSError)
        self.assert_message(caught.exception, "run", self.path("none.json"), "-o", self.path("x.h5"))
        with self.assertRaises(omniroll.FileError) as caught:
            omniroll.resume(self.path("none.h5"))
        self.assert_message(caught.exception, "resume", self.path("none.h5"))
        for output, kind in ((self.path("no/folder.h5"), omniroll.FileError), (self.folder, omniroll.FileError),
                             ("/dev/null", omniroll.FileError), (STUDY, omniroll.UsageError)):
            with self.assertRaises(kind) as caught:
                omniroll.run(STUDY, output=output)
            self.assert_message(caught.exception, "run", STUDY, "-o", output)

    def test_the_place_of_what_is_wrong_in_a_dict_is_named(self):
        made = study()
        made["parameters"]["wheel"]["frction"] = 0.3
        with self.assertRaisesRegex(omniroll.StudyError, r'study:\d+: parameters.wheel.frction: unknown key'):
            omniroll.run(made)

    def test_wrong_types(self):
        for wrong in (3, None, ["studies/first.json"]):
            with self.assertRaisesRegex(TypeError, "a study is a dict, the path"):
                omniroll.run(wrong)
        for value in (1j, {1, 2}, object(), np.array([1j])):
            with self.assertRaisesRegex(TypeError, r"parameters\.wheel\.friction"):
                omniroll.run({"parameters": {"wheel": {"friction": value}}})
        with self.assertRaisesRegex(TypeError, r"vary\[0\]: the key 3 is no text"):
            omniroll.run({"vary": [{3: 4}]})
        with self.assertRaisesRegex(omniroll.StudyError, r"vary\[0\]\.values\[1\]: nan"):
            omniroll.run({"vary": [{"values": np.array([1, np.nan])}]})
        self.assertEqual(omniroll.running.study_input.plain({"a": (np.bool_(True), np.array(2), np.array(["x"]), range(2), None)}),
                         {"a": [True, 2, ["x"], [0, 1], None]})
        with self.assertRaisesRegex(TypeError, "set is a dict"):
            omniroll.run(STUDY, set=["integrator.step=1"])
        with self.assertRaisesRegex(TypeError, "progress is"):
            omniroll.run(STUDY, progress="yes")
        with self.assertRaises(omniroll.UsageError):
            omniroll.run(STUDY, output="")
        for wrong, meant in (({"platform.mas": 3}, 'no "platform.mas"; did you mean "platform.mass"'), ({"wheel_raduis": 3}, 'did you mean "wheel.radius"'),
                             ({"vary.7.values": [1]}, "index 7 is beyond the end of vary"), ({"integrator.stp": 1}, 'did you mean "step"'),
                             ({"wheel.friction": 0.3}, r"wheel\.friction is varied, .* vary\[0\]")):
            with self.assertRaisesRegex(omniroll.StudyError, meant):
                omniroll.run(STUDY, set=wrong)
        with self.assertRaisesRegex(omniroll.StudyError, 'unknown word "omni_vehicel"'):
            omniroll.run(STUDY, set={"model": "omni_vehicel", "wheel_radius": 1})
        with self.assertRaisesRegex(omniroll.StudyError, 'unknown key "ouput"'):
            omniroll.run(STUDY, ouput="x.h5")

    def test_too_many_failures_are_an_error_that_has_the_result(self):
        failing = os.path.join(ROOT, "tests", "analysis", "failures.json")
        with self.assertRaises(omniroll.FailuresError) as caught, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            omniroll.run(failing, set={"statistics.failed_limit": 0})
        self.assertGreater(int((caught.exception.result.status != 0).sum()), 0)
        self.assertIn("quantity", omniroll.statistics(caught.exception.result).dims)

    def test_a_step_that_is_not_accepted_is_an_error_that_has_the_result(self):
        accept = {"integrator.accept": {"final_yaw": "1e-9 %"}}
        with self.assertWarnsRegex(omniroll.StudyWarning, "step error: final_yaw"):
            result = omniroll.run(STUDY, set=accept)
        self.assertIn("step_error", result.final_yaw.attrs)
        with self.assertRaisesRegex(omniroll.InaccurateError, "final_yaw: the step makes") as caught, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            omniroll.run(STUDY, set=accept, strict=True)
        np.testing.assert_array_equal(caught.exception.result.final_yaw, result.final_yaw)
        self.assertIn("quantity", omniroll.statistics(caught.exception.result).dims)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            omniroll.run(STUDY, strict=True, set={"integrator.accept": {"final_yaw": "100 %"}})

    def test_warnings_of_the_program_are_warnings(self):
        with self.assertWarnsRegex(omniroll.StudyWarning, "a step of 1 ms is too long") as caught:
            omniroll.run(STUDY)
        self.assertEqual(os.path.basename(caught.filename), "test_running.py")
        with warnings.catch_warnings(), self.assertRaises(omniroll.StudyWarning):
            warnings.simplefilter("error")
            omniroll.run(STUDY)


class Stopping(Case):
    @classmethod
    def setUpClass(cls):
        cls.whole = omniroll.run(STUDY, set=LONG)

    def setUp(self):
        super().setUp()
        patch = unittest.mock.patch.object(tasks, "INTERVAL", 0)  # told after every launch, however fast the machine is
        patch.start()
        self.addCleanup(patch.stop)

    def test_progress_is_told_to_the_end(self):
        seen = []
        omniroll.run(STUDY, set=LONG, progress=lambda done, total: seen.append((done, total)))
        self.assertEqual(seen[-1], (48e4, 48e4))
        self.assertEqual(seen, sorted(seen))
        self.assertGreater(len(seen), 2)

    def test_progress_stops_a_run_that_can_be_gone_on_with(self):
        with self.assertRaises(omniroll.Stopped) as caught:
            omniroll.run(STUDY, output=self.path("s.h5"), set=LONG, progress=lambda done, total: done < 0.3 * total)
        self.assertEqual(caught.exception.path, self.path("s.h5"))
        self.assertIn(f"omniroll.resume('{self.path('s.h5')}')", str(caught.exception))
        self.assertFalse(os.path.exists(self.path("s.h5")))
        with self.assertRaisesRegex(omniroll.FileError, "holds . finished chunks of another run"):
            omniroll.run(STUDY, output=self.path("s.h5"), set={**LONG, "parameters.wheel.friction": 0.1})
        with self.assertRaisesRegex(omniroll.UsageError, "only backend, device and threads may change"):
            omniroll.resume(self.path("s.h5"), precision="single")
        first = []
        result = omniroll.resume(self.path("s.h5.parts"), threads=2, progress=lambda done, total: first.append(done))
        self.assertTrue(same(result, self.whole))
        self.assertGreater(first[0], 0)
        self.assertTrue(same(omniroll.resume(self.path("s.h5")), self.whole))  # nothing to do

    def test_what_progress_raises_is_raised(self):
        def fail(done, total):
            raise ZeroDivisionError("of the caller")

        with self.assertRaisesRegex(ZeroDivisionError, "of the caller"):
            omniroll.run(STUDY, set=LONG, progress=fail)

    def test_restart_forgets(self):
        with self.assertRaises(omniroll.Stopped):
            omniroll.run(STUDY, output=self.path("r.h5"), set=LONG, progress=lambda done, total: np.bool_(done < 0.3 * total))
        result = omniroll.run(STUDY, output=self.path("r.h5"), set={**FAST, "design.instances": 3}, restart=True,
                              **{"output.trajectories.instances": [0]})
        self.assertEqual(result.sizes["instance"], 3)

    def test_another_result_is_replaced_where_that_is_said(self):
        path, other = self.path("r.h5"), {**FAST, "design.seed": 9}
        first = omniroll.run(STUDY, output=path, set=FAST)
        self.assertTrue(same(omniroll.run(STUDY, output=path, set=FAST), first))
        with self.assertRaisesRegex(omniroll.FileError, "(?s)another run: design.seed .*\nIn Python: overwrite=True"):
            omniroll.run(STUDY, output=path, set=other)
        self.assertTrue(same(omniroll.open(path), first))
        self.assertFalse(same(omniroll.run(STUDY, output=path, set=other, overwrite=True), first))

    @unittest.skipUnless(os.geteuid() == 0, "only the superuser can give a folder away")
    def test_a_folder_of_another_user_has_to_be_allowed(self):
        path = self.path("r.h5")
        os.mkdir(f"{path}.parts")
        os.chown(f"{path}.parts", 4321, -1)
        with self.assertRaisesRegex(omniroll.FileError, "(?s)belongs to user 4321.*\nIn Python: foreign_folder=True"):
            omniroll.run(STUDY, output=path, set=FAST)
        self.assertTrue(same(omniroll.run(STUDY, output=path, set=FAST, foreign_folder=True), omniroll.run(STUDY, set=FAST)))

    def interrupted(self, call):
        """Sends SIGINT to a Python that runs the long study once a third is done; what it says about its KeyboardInterrupt."""
        code = f"""
import json, signal, sys, omniroll
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
omniroll.running.tasks.INTERVAL = 0
told = []
def tell(done, total):
    if done > 0.3 * total and not told:
        print("ready", flush=True)
        told.append(sys.stdin.readline())
try:
    omniroll.run({STUDY!r}, set=json.loads({json.dumps(LONG)!r}), progress=tell, {call})
except KeyboardInterrupt as error:
    print(json.dumps([type(error).__name__, str(error), error.path]))
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
        child = subprocess.Popen([sys.executable, "-B", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                 env={**os.environ, "PYTHONPATH": ANALYSIS},
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        with child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            child.send_signal(signal.SIGINT)
            child.stdin.write("go on\n")
            child.stdin.close()
            lines = child.stdout.read().splitlines()
        self.assertEqual(child.returncode, 0)
        self.assertEqual(lines[-1], "True")
        return json.loads(lines[-2])

    def test_after_control_c_resume_gives_the_same_bits(self):
        kind, message, path = self.interrupted(f"output={self.path('i.h5')!r}")
        self.assertEqual((kind, path), ("Interrupted", self.path("i.h5")))
        self.assertRegex(message, rf"^interrupted\n\d of 6 chunks are kept in {path}.parts; `omniroll resume {path}` goes on\n"
                                  rf"In Python: omniroll.resume\('{path}'\)$")
        self.assertTrue(same(omniroll.resume(path), self.whole))

    def test_after_control_c_of_a_run_without_output_nothing_is_left(self):
        kind, message, path = self.interrupted("output=None")
        self.assertEqual((kind, path), ("Interrupted", None))
        self.assertRegex(message, r"^stopped; no result was written\nOf a run without an output nothing is kept: give one, output=\"NAME.h5\"")


class Bars(unittest.TestCase):
    def shown(self, terminal, code):
        class Stream(io.StringIO):
            def isatty(self):
                return terminal

        quick = unittest.mock.patch.multiple(progress, PATIENCE=0), unittest.mock.patch.object(tasks, "INTERVAL", 0)
        with contextlib.redirect_stderr(Stream()) as out, quick[0], quick[1]:
            code()
        return out.getvalue()

    def test_nothing_is_shown_where_nobody_looks(self):
        self.assertEqual(self.shown(False, lambda: omniroll.run(STUDY, set=FAST)), "")
        self.assertEqual(self.shown(True, lambda: omniroll.run(STUDY, set=FAST, progress=False)), "")

    def test_a_terminal_has_a_bar(self):
        self.assertIn("omniroll:", self.shown(True, lambda: omniroll.run(STUDY, set=FAST)))

    def test_without_tqdm_there_is_a_line(self):
        def draw():
            line = progress.Plain()
            line.start, line.base = 0.0, 0.0
            line.show(25.0, 100.0)
            line.close()

        self.assertRegex(self.shown(True, draw), r"^\romniroll:  25\.0 %  .* left.*\r\033\[K$")


class Describing(unittest.TestCase):
    def test_models_are_described_as_by_the_program(self):
        models = omniroll.describe()
        self.assertEqual(list(models), ["omni_vehicle", "omni_wheel", "disc_vehicle", "uk_wheel", "rolling_disc", "wheelset", "snakeboard",
                                        "sliding_block", "elastic_wheel", "multibody"])
        for name, model in models.items():
            text = program("describe", name, "--all").stdout
            for table in (value for value in model.values() if isinstance(value, list)):
                self.assertTrue(all(f" {row['name']}" in text for row in table), name)
                self.assertTrue(all(row["meaning"] for row in table), name)
            rows = sum(len(value) for value in model.values() if isinstance(value, list))
            self.assertGreater(rows, 60)
            self.assertEqual(json.loads(program("describe", name, "--json").stdout), model)
        mass = next(row for row in models["omni_vehicle"]["parameters"] if row["name"] == "platform.mass")
        self.assertEqual((mass["unit"], mass["default"], mass["low"], mass["high"]), ("kg", 10, 0, None))

    def test_an_unknown_model_is_refused_as_by_the_program(self):
        with self.assertRaises(omniroll.UsageError) as caught:
            omniroll.describe("omni_vehicl")
        self.assertEqual(program("describe", "omni_vehicl").stderr, f"omniroll: {caught.exception}\n")

    def test_validate_says_what_would_run(self):
        plan = omniroll.validate(STUDY, set={"design.instances": 9})
        self.assertEqual([plan[name] for name in ("instances", "design", "steps", "instance_steps", "traced", "law")],
                         [9, "monte_carlo", 500, 4500, [0, 7], "saturated_coulomb"])
        self.assertEqual([item["column"] for item in plan["varied"]], ["wheel_friction", "platform_mass"])
        self.assertIn("a step of 1 ms is too long", plan["warnings"][0])
        self.assertEqual(json.loads(program("validate", STUDY, "--json").stdout), omniroll.validate(STUDY))
        self.assertEqual(omniroll.validate(study())["instances"], 20)


class Library(Case):
    def test_version(self):
        self.assertEqual(program("--version").stdout, f"omniroll {omniroll.version()}\n{omniroll.build_info()}\n")

    def test_it_exports_what_the_headers_declare(self):
        headers = (path.read_text(encoding="utf-8") for path in (pathlib.Path(ROOT) / "host/include/omniroll").glob("*.h"))
        declared = {name for text in headers for name in re.findall(r"\bOMR_API [^()]*?\b(omr_[a-z0-9_]+)\(", text)}
        table = subprocess.run(["nm", "-D", "--defined-only", library.library()._name], capture_output=True, text=True, check=True)
        exported = {line.split()[-1] for line in table.stdout.splitlines()}
        self.assertLessEqual(set(library._FUNCTIONS), declared)
        self.assertLessEqual(declared, exported)
        if "omr_read_file" not in exported:  # with BUILD_SHARED_LIBS the tests use the library, and what the headers leave out as well
            self.assertEqual(exported, declared)

    def test_without_it_results_open_and_the_error_says_what_to_do(self):
        omniroll.run(STUDY, output=self.path("r.h5"), set=FAST)
        code = f"import omniroll; omniroll.open({self.path('r.h5')!r}); omniroll.version()"
        done = python(code, OMNIROLL_LIBRARY=self.path("none.so"))
        self.assertIn("omniroll.errors.LibraryError: libomniroll cannot be loaded:", done.stderr)
        self.assertIn("none.so: cannot open shared object file", done.stderr)
        self.assertIn("OMNIROLL_LIBRARY", done.stderr.splitlines()[-1])
        other = python("import omniroll; omniroll.version()", OMNIROLL_LIBRARY="libm.so.6")
        self.assertIn("libm.so.6: is no libomniroll that this package can use", other.stderr)

    def test_it_is_looked_for_beside_an_installed_package(self):
        package = self.path("share/omniroll/analysis/omniroll")
        shutil.copytree(os.path.join(ANALYSIS, "omniroll"), package, ignore=shutil.ignore_patterns("__pycache__"))
        os.makedirs(self.path("lib"))
        os.symlink(os.path.realpath(library.library()._name), self.path("lib/libomniroll.so.0"))
        environment = {"PYTHONPATH": os.path.dirname(package), "OMNIROLL_LIBRARY": ""}
        done = python("import omniroll.library as l; print(l.library()._name)", **environment)
        self.assertEqual(done.stdout.strip(), os.path.realpath(self.path("lib")) + "/libomniroll.so.0", done.stderr)


if __name__ == "__main__":
    unittest.main()
