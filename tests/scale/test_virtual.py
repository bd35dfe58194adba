"""Results whose rows stay in the files of chunks (omniroll merge --virtual), read by Python: what a copy gives, or a refusal."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import h5py
import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

import omniroll  # noqa: E402
from omniroll.reading import virtual  # noqa: E402

OMNIROLL = os.environ["OMNIROLL"]
STUDY = os.path.join(ROOT, "tests", "parity", "parity.json")


FEW = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
import omniroll
for lazy in (False, True):
    print(repr(float(omniroll.open(sys.argv[1], lazy=lazy).final_x.sum())))
"""


class Virtual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        for shard in (1, 2):
            cls.call("run", STUDY, "-q", "-o", f"{shard}.h5", "--shard", f"{shard}/2", "--set", "engine.chunk=16", "--set", "integrator.duration=0.02")
        folders = ["1.h5.parts", "2.h5.parts"]
        cls.call("merge", "-q", "-o", "copy.h5", *folders)
        cls.call("merge", "-q", "--virtual", "-o", "v.h5", *folders)

    @classmethod
    def call(cls, *words):
        subprocess.run([OMNIROLL, *words], cwd=cls.kept.name, check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        shutil.copytree(self.kept.name, self.folder.name, dirs_exist_ok=True)
        self.path = os.path.join(self.folder.name, "v.h5")

    def same(self, found, expected):
        self.assertEqual(set(found.variables), set(expected.variables))
        for name, values in expected.variables.items():
            self.assertEqual(found[name].dtype, values.dtype, name)
            self.assertEqual(found[name].values.tobytes(), np.ascontiguousarray(values.values).tobytes(), name)

    def test_gives_what_a_copy_gives(self):
        copy = omniroll.open(os.path.join(self.folder.name, "copy.h5"))
        self.same(omniroll.open(self.path), copy)
        self.assertGreater(len(omniroll.failures(self.path).instance), 0)
        lazy = omniroll.open(self.path, lazy=True)
        for key in (slice(None), slice(3, 60), slice(40, 2, -1), slice(2, 70, 3), slice(5, 5), [4, 70, 17], 33):
            self.same(lazy.isel(instance=key), copy.isel(instance=key))
        self.same(lazy.isel(traced=slice(1, None)), copy.isel(traced=slice(1, None)))

    def refused(self, what, **options):
        with self.assertRaisesRegex(omniroll.NotAResult, what):
            omniroll.open(self.path, **options)

    def test_is_refused_without_its_files(self):
        away = os.path.join(self.folder.name, "away")
        os.mkdir(away)
        shutil.move(os.path.join(self.folder.name, "2.h5.parts"), away)
        for options in ({}, {"lazy": True}):
            self.refused("virtual, over 6 files .* 2.h5.parts/chunk-000001.h5 is missing.* omniroll merge -o FILE 1.h5.parts 2.h5.parts", **options)
        os.symlink(os.path.join(away, "2.h5.parts"), os.path.join(self.folder.name, "2.h5.parts"))
        self.refused("leads through a link")
        found = str(virtual._refused("v.h5", [virtual.Chunk(1, 0, 1, f"{at}/c.h5") for at in range(300)], "7/c.h5", "is missing"))
        self.assertIn("over 300 files", found)
        self.assertTrue(found.endswith("-o FILE 0 1 2 and 297 more"), found)

    def test_few_files_are_open_at_a_time(self):
        for shard in (3, 4):
            self.call("run", STUDY, "-q", "-o", f"{shard}.h5", "--shard", f"{shard - 2}/2", "--set", "engine.chunk=2", "--set", "integrator.duration=0.02")
        self.call("merge", "-q", "--virtual", "-o", "many.h5", "3.h5.parts", "4.h5.parts")
        many = os.path.join(self.kept.name, "many.h5")
        with h5py.File(many) as file:
            self.assertGreater(len(file["virtual"].attrs["files"].splitlines()), 32)
        done = subprocess.run([sys.executable, "-c", FEW, many], env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "analysis")}, capture_output=True, text=True)
        total = repr(float(omniroll.open(os.path.join(self.folder.name, "copy.h5")).final_x.sum()))
        self.assertEqual(done.stdout.splitlines()[:2], [total, total], done.stderr)

        def no_more(*arguments, dir_fd=None, usual=os.open):
            if dir_fd is not None:
                raise OSError(errno.EMFILE, "Too many open files")
            return usual(*arguments)

        for options in ({}, {"lazy": True}):
            with unittest.mock.patch.object(virtual.os, "open", no_more), \
                    self.assertRaisesRegex(omniroll.FileError, "^[^:]*: 1.h5.parts/chunk.*, which holds rows of it, cannot be opened: Too many open files. .*ulimit -n"):
                omniroll.open(self.path, **options)

    def test_a_changed_file_is_refused(self):
        place = os.path.join(self.folder.name, "2.h5.parts", "chunk-000003.h5")
        with h5py.File(place, "r+") as file:
            file["instances/status_time"][3] += 1e-9
        self.refused("status_time is not what was written")
        with open(place, "ab") as file:
            file.write(b"x")
        self.refused("another length")

    def test_another_list_or_column_is_refused(self):
        with h5py.File(self.path, "r+") as file:
            text = file["virtual"].attrs["files"]
            file["virtual"].attrs["files"] = text.replace("2.h5.parts", "../2.h5.parts")
        self.refused("below the result's own folder|checksum")
        with h5py.File(self.path, "r+") as file:
            del file["virtual"]
        self.refused("names other files")


if __name__ == "__main__":
    unittest.main()
