"""Studies before they run: omniroll.Study, load, new, sample, plan, analyze, compare; the version of the package."""

import importlib.util
import json
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
import weakref

import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

import omniroll  # noqa: E402

STUDY = os.path.join(ROOT, "tests", "analysis", "result.json")
FIRST = os.path.join(ROOT, "studies", "first.json")
PROGRAM = os.environ.get("OMNIROLL", "omniroll")
FAST = {"integrator.step": 1e-4, "integrator.duration": 0.02}
ENGINE = {"backend": "openmp", "precision": "double"}


def program(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def same(one, other):
    return list(one.variables) == list(other.variables) and all(
        one[name].values.tobytes() == other[name].values.tobytes() for name in one.variables)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class Prepared(Folder):
    def test_read_once_it_runs_many_times(self):
        with open(STUDY, encoding="utf-8") as file:
            path = self.write("s.json", file.read())
        study = omniroll.Study(path, set=FAST, **ENGINE)
        expected = omniroll.run(STUDY, set=FAST, **ENGINE)
        os.unlink(path)  # it was read
        self.assertTrue(same(study.run(), expected))
        self.assertTrue(same(omniroll.run(study, output=os.path.join(self.folder, "r.h5")), expected))

    def test_it_says_what_it_is(self):
        study = omniroll.Study(STUDY, set=FAST)
        self.assertEqual((study.title, study.model, study.instances), ("small study for the analysis tests", "omni_vehicle", 20))
        self.assertEqual(repr(study), f"<omniroll.Study 'small study for the analysis tests': omni_vehicle, 20 instances, from {STUDY}>")
        self.assertEqual(study.source["integrator"]["step"], 1e-4)
        study.source["model"] = "another"  # a copy
        self.assertEqual(study.source["model"], "omni_vehicle")
        self.assertIn("from a dict", repr(omniroll.Study(study.source)))

    def test_all_that_takes_a_study_takes_it(self):
        study, calls = omniroll.Study(STUDY, set=FAST), {"validate": {}, "operations": {}, "sample": {}}
        for name, options in calls.items():
            by_path = getattr(omniroll, name)(STUDY, set=FAST, **options)
            for found in (getattr(omniroll, name)(study, **options), getattr(study, name)(**options)):
                self.assertTrue(found.equals(by_path) if hasattr(found, "equals") else found == by_path, name)
        self.assertEqual(study.show().scene, omniroll.show(STUDY, set=FAST).scene)
        self.assertEqual(study.plan(seconds=0.01)["instances"], 20)

    def test_with_changes_it_is_another(self):
        study = omniroll.Study(STUDY, set=FAST)
        other = study.with_(set={"design.instances": 9}, **{"integrator.duration": 0.01})
        self.assertEqual((study.instances, other.instances), (20, 9))
        self.assertEqual((other.source["integrator"]["step"], other.source["integrator"]["duration"]), (1e-4, 0.01))
        self.assertEqual(study.run(set={"design.instances": 9}, **ENGINE).sizes["instance"], 9)
        with self.assertRaisesRegex(omniroll.StudyError, "did you mean \"step\""):
            study.with_(set={"integrator.stepp": 1})

    def test_pickled_it_is_read_again(self):
        study = pickle.loads(pickle.dumps(omniroll.Study(STUDY, set=FAST)))
        self.assertEqual(study.source, omniroll.Study(STUDY, set=FAST).source)

    def test_threads_share_it(self):
        study, found = omniroll.Study(STUDY, set=FAST, **ENGINE), []
        threads = [threading.Thread(target=lambda: found.append((study.run(), study.validate()["instances"]))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([count for _, count in found], [20] * 3)
        self.assertTrue(all(same(found[0][0], result) for result, _ in found))

    def test_it_goes_with_its_last_name(self):
        study = omniroll.Study(STUDY)
        loaded = weakref.ref(study.loaded)
        del study
        self.assertIsNone(loaded())

    def test_what_is_no_study(self):
        with self.assertRaisesRegex(TypeError, "a dict, the path of a JSON file or an omniroll.Study, not int"):
            omniroll.Study(3)
        with self.assertRaisesRegex(omniroll.FileError, "cannot open"):
            omniroll.Study(os.path.join(self.folder, "none.json"))


class Loading(Folder):
    def test_every_ready_study(self):
        for path in sorted(pathlib.Path(ROOT, "studies").glob("*.json")):
            study = omniroll.load(path)
            self.assertIsInstance(study, dict)
        self.assertEqual(omniroll.load(FIRST)["vary"][0]["linspace"], [0.05, 0.6, 64])

    def test_comments_are_none_of_it(self):
        path = self.write("c.json", '// first\n{"a": /* of two\nlines */ 1.50, "b": "// text /* too */"}\n')
        self.assertEqual(omniroll.load(path), {"a": 1.5, "b": "// text /* too */"})

    def test_mistakes_have_their_lines(self):
        for text, line, message in (('{\n// c\n"a": 1,\n"a": 2}', 4, "duplicate key"), ('{\n/* never\nended', 2, "comment"),
                                    ('{"a": 1,\n "b": [1, 2}', 2, "")):
            with self.subTest(text), self.assertRaisesRegex(omniroll.StudyError, message) as caught:
                omniroll.load(self.write("m.json", text))
            self.assertEqual(caught.exception.mistakes[0].line, line)
        with self.assertRaises(omniroll.FileError):
            omniroll.load(os.path.join(self.folder, "none.json"))

    def test_what_is_loaded_runs_as_the_file(self):
        study = omniroll.load(STUDY)
        self.assertTrue(same(omniroll.run(study, set=FAST, **ENGINE), omniroll.run(STUDY, set=FAST, **ENGINE)))


class Designed(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("scipy"), "scipy is not installed")
    def test_the_script_finds_the_matrix_of_the_ready_study(self):
        path = os.path.join(ROOT, "studies", "state_feedback.json")
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.abspath(PROGRAM) if os.sep in PROGRAM else shutil.which(PROGRAM), os.path.join(folder, "omniroll"))
            done = subprocess.run([sys.executable, os.path.join(ROOT, "studies", "how-to", "lqr.py"), path], capture_output=True,
                                  text=True, check=True, env={**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]})
        self.assertEqual(json.loads(done.stdout), omniroll.load(path)["parameters"]["command"]["feedback"])


class Starting(unittest.TestCase):
    def test_starters(self):
        kinds = [kind["name"] for kind in json.loads(program("new", "--list", "--json"))["kinds"]]
        for kind in kinds:
            self.assertEqual(omniroll.Study(omniroll.new(kind)).source["title"], omniroll.new(kind)["title"])
        self.assertEqual(omniroll.new(), omniroll.new("single"))
        self.assertIn("mecanum", json.dumps(omniroll.new("monte_carlo", "mecanum")))
        text = omniroll.new("sweep", text=True)
        body = re.sub(r"(?m)^//.*\n", "", text)
        self.assertIn(body[:body.index("\n\n")] if "\n\n" in body else body[:200], program("new", "sweep", "-o", "-"))

    def test_an_unknown_kind_is_refused(self):
        with self.assertRaisesRegex(omniroll.UsageError, "did you mean \"sweep\""):
            omniroll.new("swep")


class Asking(Folder):
    def test_sample(self):
        lines = program("sample", STUDY).splitlines()
        found = omniroll.sample(STUDY)
        table = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
        np.testing.assert_array_equal(found.instance, table[:, 0])
        np.testing.assert_array_equal(found.wheel_friction, table[:, 1])
        self.assertEqual(found.platform_mass.attrs["units"], "kg")
        self.assertEqual(list(found.to_dataframe().columns), ["wheel_friction", "platform_mass"])
        self.assertEqual(omniroll.sample(STUDY, set={"design.instances": 9}).sizes["instance"], 9)

    def test_plan(self):
        expected = json.loads(program("plan", STUDY, "--json", "--backend", "openmp"))
        found = omniroll.plan(STUDY, seconds=0.05, backend="openmp")
        self.assertEqual(set(found), set(expected))
        self.assertGreater(found["memory_bytes"]["without_a_file"], found["memory_bytes"]["engine"])
        for name in ("instances", "instance_steps", "chunks", "step_error"):
            self.assertEqual(found[name], expected[name])
        self.assertEqual(omniroll.plan(STUDY, output=os.path.join(self.folder, "r.h5"), seconds=0.01)["disk_bytes"]["folder"], self.folder)

    def test_analyze_of_a_file_and_of_a_run_in_memory(self):
        path = os.path.join(self.folder, "r.h5")
        file, memory = omniroll.run(STUDY, set=FAST, output=path, **ENGINE), omniroll.run(STUDY, set=FAST, **ENGINE)
        setting = {"statistics.fail": "max_slip > 0.001 m/s"}
        found = omniroll.analyze(file, set=setting)
        self.assertEqual(found, json.loads(program("analyze", path, "--json", "--set", 'statistics.fail="max_slip > 0.001 m/s"')))
        self.assertEqual(omniroll.analyze(memory, set=setting), found)
        self.assertEqual(found["criteria"][0]["met"], int((file.max_slip > 0.001).sum()))
        copy = os.path.join(self.folder, "copy.h5")
        omniroll.analyze(path, output=copy, set=setting)
        self.assertEqual(float(omniroll.statistics(copy).probability[0]), found["criteria"][0]["probability"])
        with self.assertRaisesRegex(omniroll.UsageError, "the run is over"):
            omniroll.analyze(path, set={"integrator.step": 1})

    def test_compare(self):
        wheelset = os.path.join(ROOT, "studies", "wheelset.json")
        changes = {"integrator.duration": 0.1, "output.trajectories.interval": 0.02}
        try:
            found = omniroll.compare(wheelset, instances="0", set=changes, **ENGINE)
        except omniroll.DeviceError as error:
            self.skipTest(str(error))
        self.assertEqual((found.run.values.tolist(), found.instance.values.tolist()), (["openmp double"], [0]))
        x = found.sel(run="openmp double", instance=0, quantity="x")
        self.assertEqual(str(x.unit.item()), "m")
        self.assertLess(float(x.step), 1e-9)
        self.assertEqual(bool(found.differs.any()), found.attrs["differs"])
        self.assertIn("agree" if not found.attrs["differs"] else "DIFFER", found.attrs["verdict"])
        with self.assertRaises(omniroll.UsageError):
            omniroll.compare(wheelset, instances="99", set=changes, **ENGINE)


class Version(unittest.TestCase):
    def test_it_is_the_projects(self):
        project = pathlib.Path(ROOT, "CMakeLists.txt").read_text(encoding="utf-8")
        version = re.search(r"project\(omniroll\s+VERSION\s+([\d.]+)", project)[1]
        self.assertEqual(omniroll.__version__, version)
        self.assertEqual(omniroll.__version__, omniroll.version())
        for name in ("analysis/pyproject.toml", "CITATION.cff"):
            self.assertRegex(pathlib.Path(ROOT, name).read_text(encoding="utf-8"), rf'(?m)^version\s*[=:]\s*"?{re.escape(version)}"?\s*$')

    def test_it_needs_no_library(self):
        done = subprocess.run([sys.executable, "-B", "-c", "import omniroll; print(omniroll.__version__)"], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "analysis"), "OMNIROLL_LIBRARY": "/none/libomniroll.so"})
        self.assertEqual(done.stdout.strip(), omniroll.__version__, done.stderr)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
