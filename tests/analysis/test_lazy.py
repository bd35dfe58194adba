"""omniroll.open with lazy=True, and with chunks where dask is there."""

import builtins
import multiprocessing
import os
import pickle
import shutil
import sys
import tempfile
import unittest
import unittest.mock
import warnings

import h5py
import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

import omniroll  # noqa: E402
from omniroll.reading import lazy_variables  # noqa: E402

STUDY = os.path.join(ROOT, "tests", "analysis", "result.json")
try:
    import dask
except ImportError:
    dask = None


def of_child(path, queue):
    queue.put(float(omniroll.open(path, lazy=True).path_length.mean()))


class Lazy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        cls.path = os.path.join(cls.kept.name, "r.h5")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            omniroll.run(STUDY, output=cls.path, backend="openmp", progress=False)

    def setUp(self):
        self.read = []
        true = lazy_variables.Stored._read

        def seen(stored, key):
            self.read.append(stored.name)
            return true(stored, key)

        patch = unittest.mock.patch.object(lazy_variables.Stored, "_read", seen)
        patch.start()
        self.addCleanup(patch.stop)

    def test_it_is_the_same_dataset(self):
        found, expected = omniroll.open(self.path, lazy=True), omniroll.open(self.path)
        self.assertEqual(self.read, [])
        self.assertTrue(found.identical(expected))
        self.assertIn("step_error", found.path_length.attrs)

    def test_what_is_asked_for_is_read_once(self):
        result = omniroll.open(self.path, lazy=True)
        self.assertEqual(result.sizes["instance"], 20)
        part = result.path_length.isel(instance=slice(2, 4)).values
        self.assertEqual(self.read, ["/instances/path_length"])
        whole = omniroll.open(self.path)
        np.testing.assert_array_equal(part, whole.path_length[2:4])
        np.testing.assert_array_equal(result.path_length.isel(instance=[7, 3, 3]), whole.path_length[[7, 3, 3]])
        self.assertEqual(float(result.path_length.mean()), float(whole.path_length.mean()))
        result.path_length.values[0] = 1  # in memory
        self.assertEqual(self.read.count("/instances/path_length"), 3)  # two parts, and all of it
        self.assertNotIn("/instances/max_slip", self.read)
        np.testing.assert_array_equal(result.x.sel(traced=7).isel(time=[0, 2]), whole.x.sel(traced=7).isel(time=[0, 2]))
        self.assertNotEqual(float(whole.path_length[0]), 1)

    def test_chosen_instances_keep_their_numbers(self):
        path = os.path.join(self.kept.name, "chosen.h5")
        shutil.copyfile(self.path, path)
        with h5py.File(path, "r+") as file:
            file["instances/instance"][-1] = 77
            for item in (file, file["instances/instance"]):
                del item.attrs["checksum"]
        self.assertEqual(omniroll.open(path, lazy=True).instance.values[-1], 77)

    def test_damage_is_found_where_it_is_read(self):
        path = os.path.join(self.kept.name, "damaged.h5")
        with open(self.path, "rb") as file:
            content = bytearray(file.read())
        with h5py.File(self.path) as file:
            data = file["instances/path_length"]
            at = data.id.get_chunk_info(0).byte_offset if data.chunks else data.id.get_offset()
        content[at + 9] ^= 0x10
        with open(path, "wb") as file:
            file.write(content)
        with self.assertRaisesRegex(omniroll.NotAResult, "checksum"):
            omniroll.open(path)
        result = omniroll.open(path, lazy=True)
        self.assertTrue(np.isfinite(result.max_slip.values).all())
        for take in (lambda: result.path_length.values, lambda: result.path_length.isel(instance=slice(0, 2)).values):
            with self.assertRaisesRegex(omniroll.NotAResult, "path_length"):
                take()

    def test_another_file_in_the_place_is_refused(self):
        path = os.path.join(self.kept.name, "replaced.h5")
        with open(self.path, "rb") as file:
            content = file.read()
        with open(path, "wb") as file:
            file.write(content)
        result = omniroll.open(path, lazy=True)
        np.testing.assert_array_equal(result.path_length, omniroll.open(self.path).path_length)
        os.unlink(path)
        with self.assertRaisesRegex(omniroll.NotAResult, "cannot be read any more"):
            result.max_slip.load()
        with open(path, "wb") as file:
            file.write(content + b"\0")
        with self.assertRaisesRegex(omniroll.NotAResult, "another file"):
            result.max_slip.load()
        self.assertEqual(len(result.path_length.values), 20)  # read before

    def test_pickled_and_in_another_process(self):
        result = omniroll.open(self.path, lazy=True)
        self.assertTrue(pickle.loads(pickle.dumps(result)).identical(omniroll.open(self.path)))
        queue = multiprocessing.get_context("fork").SimpleQueue()
        child = multiprocessing.get_context("fork").Process(target=of_child, args=(self.path, queue))
        child.start()
        child.join()
        self.assertEqual(queue.get(), float(result.path_length.mean()))

    def test_functions_of_results_take_it(self):
        result = omniroll.open(self.path, lazy=True)
        self.assertEqual(omniroll.statistics(result).sizes["quantile"], 5)
        self.assertEqual(omniroll.open_result(result).instances, 20)

    def test_chunks(self):
        if dask is None:
            with self.assertRaisesRegex(omniroll.UsageError, "python3-dask"):
                omniroll.open(self.path, chunks="auto")
            self.skipTest("dask is not installed: its arrays are not made")
        result = omniroll.open(self.path, chunks={"instance": 8})
        self.assertEqual(result.path_length.chunks, ((8, 8, 4),))
        self.assertEqual(self.read, [])
        self.assertEqual(float(result.path_length.mean().compute(scheduler="synchronous")), float(omniroll.open(self.path).path_length.mean()))
        self.assertIsNotNone(omniroll.open(self.path, chunks="auto").path_length.chunks)

    def test_without_dask_the_error_names_it(self):
        true = builtins.__import__

        def without(name, *rest):
            if name.split(".")[0] == "dask":
                raise ImportError(name)
            return true(name, *rest)

        with unittest.mock.patch.object(builtins, "__import__", without), self.assertRaisesRegex(omniroll.UsageError, "python3-dask.*lazy=True"):
            omniroll.open(self.path, chunks="auto")


if __name__ == "__main__":
    unittest.main()
