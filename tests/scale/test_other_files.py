"""Results as Parquet files and Zarr folders: read back, every value has the bits of the result."""

import json
import os
import subprocess
import sys
import unittest
import unittest.mock
import warnings

import numpy as np
import xarray  # noqa: F401  before modules are taken away for a while

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from shared_runs import ANALYSIS, STUDY, Case, needs  # noqa: E402

import omniroll  # noqa: E402
from omniroll.reading import other_files  # noqa: E402

RESULT, FAILURES = os.environ.get("OMNIROLL_RESULT", ""), os.environ.get("OMNIROLL_FAILURES", "")


class Parquet(Case):
    def sources(self):
        run = omniroll.run(STUDY)
        yield run
        yield omniroll.open(RESULT)
        yield omniroll.open(FAILURES, lazy=True)
        yield run.isel(instance=slice(10, 33))

    def expect_written(self, read):
        """read(path): columns by name, and the words that stand beside them."""
        for number, source in enumerate(self.sources()):
            with self.subTest(source=source.attrs["path"]), unittest.mock.patch.object(other_files, "ROWS", 16):
                path = self.path(f"{number}.parquet")
                source.omniroll.to_parquet(path)
                columns, about, groups = read(path)
                expected = [name for name, variable in source.variables.items() if variable.dims == ("instance",)]
                self.assertEqual(sorted(columns), sorted(expected))
                self.assertEqual(list(columns)[0], "instance")
                self.assertEqual(groups, -(-source.sizes["instance"] // 16))
                for name in expected:
                    self.assertEqual(columns[name].dtype, source[name].dtype, name)
                    self.assertEqual(columns[name].tobytes(), source[name].values.tobytes(), name)
                    self.assertEqual(about["columns"][name].get("units"), source[name].attrs.get("units"), name)
                self.assertEqual(json.loads(about["study"]), source.omniroll.study)
                self.assertNotIn("path", about)
        self.assertEqual(sorted(os.listdir(self.folder)), ["0.parquet", "1.parquet", "2.parquet", "3.parquet"])

    @needs("pyarrow")
    def test_by_pyarrow(self):
        import pyarrow.parquet

        def read(path):
            file = pyarrow.parquet.ParquetFile(path)
            table = file.read()
            self.assertEqual(table.schema.field("final_x").metadata[b"units"], b"m")
            columns = {name: table.column(name).to_numpy() for name in table.column_names}
            return columns, json.loads(table.schema.metadata[b"omniroll"]), file.num_row_groups

        self.expect_written(read)

    @needs("fastparquet")
    def test_by_fastparquet(self):
        import fastparquet

        def read(path):
            file = fastparquet.ParquetFile(path)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)  # it leaves the file open
                table = file.to_pandas()
            return {name: table[name].to_numpy() for name in table.columns}, json.loads(file.key_value_metadata["omniroll"]), len(file.row_groups)

        with unittest.mock.patch.dict(sys.modules, {"pyarrow": None, "pyarrow.parquet": None}):
            self.expect_written(read)

    @needs("pyarrow")
    def test_columns(self):
        import pyarrow.parquet

        omniroll.open(RESULT).omniroll.to_parquet(self.path(), ["status", "final_x"])
        self.assertEqual(pyarrow.parquet.read_schema(self.path()).names, ["status", "final_x"])
        with self.assertRaisesRegex(omniroll.UsageError, "no column 'final_xx' over instance; there are: instance, "):
            omniroll.open(RESULT).omniroll.to_parquet(self.path(), ["final_xx"])
        with self.assertRaisesRegex(omniroll.FileError, "/nowhere/r.parquet: cannot be written: No such file"):
            omniroll.open(RESULT).omniroll.to_parquet("/nowhere/r.parquet")

    def test_without_a_library(self):
        gone, result = {name: None for name in ("pyarrow", "pyarrow.parquet", "fastparquet")}, omniroll.open(RESULT)
        with unittest.mock.patch.dict(sys.modules, gone), \
                self.assertRaisesRegex(omniroll.LibraryError, "a Parquet file needs the library pyarrow, or fastparquet, .*pip install pyarrow"):
            result.omniroll.to_parquet(self.path())


class Csv(Case):
    def test_name_of_another_kind(self):
        result, program = omniroll.open(RESULT), os.environ["OMNIROLL"]
        for kind in ("parquet", "zarr"):
            path = self.path(f"rows.{kind}")
            with self.assertRaisesRegex(omniroll.UsageError, f"export writes CSV; result.omniroll.to_{kind}"):
                omniroll.export(result, path)
            done = subprocess.run([program, "export", RESULT, "-o", path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f'omniroll.open("{RESULT}").omniroll.to_{kind}("{path}")', done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


class Zarr(Case):
    @needs("zarr")
    def test_reads_back(self):
        for number, source in enumerate((omniroll.run(STUDY), omniroll.open(RESULT, lazy=True), omniroll.open(FAILURES))):
            with self.subTest(source=source.attrs["path"]), unittest.mock.patch.object(other_files, "ROWS", 16), \
                    unittest.mock.patch.object(other_files, "VALUES", 64):
                path = self.path(f"{number}.zarr")
                source.omniroll.to_zarr(path)
                found = xarray.open_zarr(path, chunks=None, mask_and_scale=False)
                self.assertEqual(set(found.variables), set(source.variables))
                self.assertEqual(set(found.coords), {name for name in source.coords if source[name].dims == (name,)})
                for name, variable in source.variables.items():
                    self.assertEqual(found[name].dims, variable.dims, name)
                    if variable.dtype != object:
                        self.assertEqual(found[name].dtype, variable.dtype, name)
                        self.assertEqual(found[name].values.tobytes(), variable.values.tobytes(), name)
                    self.assertEqual(found[name].attrs.get("units"), variable.attrs.get("units"), name)
                self.assertEqual(json.loads(found.attrs["study"]), source.omniroll.study)
                plain = xarray.open_zarr(path, chunks=None)  # decoded: no zero becomes NaN
                np.testing.assert_array_equal(plain.final_x.values, source.final_x.values)
                self.assertLessEqual(found.final_x.encoding["chunks"][0], 16)

    @needs("zarr")
    def test_folder_that_is_there(self):
        os.mkdir(self.path("kept.zarr"))
        with self.assertRaisesRegex(omniroll.FileError, "kept.zarr: is there already; remove it or choose another path"):
            omniroll.open(RESULT).omniroll.to_zarr(self.path("kept.zarr"))
        with self.assertRaisesRegex(omniroll.FileError, "cannot be written"):
            omniroll.open(RESULT).omniroll.to_zarr("/proc/r.zarr")

    def test_without_the_library(self):
        result = omniroll.open(RESULT)
        with unittest.mock.patch.dict(sys.modules, {"zarr": None}), \
                self.assertRaisesRegex(omniroll.LibraryError, "a Zarr folder needs the library zarr, .*pip install zarr"):
            result.omniroll.to_zarr(self.path())


MEMORY = """
import re, sys
import omniroll
from omniroll.reading import other_files
import pyarrow.parquet, zarr
other_files.ROWS = 1 << 15
result = omniroll.open(sys.argv[1], lazy=True)
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1024
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins anew
before = peak()
getattr(result.omniroll, sys.argv[2])(sys.argv[1] + "." + sys.argv[2])
print(peak() - before)
"""


class Memory(Case):
    @needs("pyarrow", "zarr")
    @unittest.skipIf(os.environ.get("OMNIROLL_TESTS") == "short", "shortened by OMNIROLL_TESTS=short")
    def test_is_that_of_blocks(self):
        study = {"model": "wheelset", "vary": [{"path": "gravity", "uniform": [9, 10]}], "design": {"type": "monte_carlo", "instances": 400_000},
                 "integrator": {"step": "1 ms", "duration": "2 ms", "step_error": "off"}}
        omniroll.run(study, output=self.path())
        whole = sum(variable.nbytes for variable in omniroll.open(self.path(), lazy=True).variables.values()) / 2**20
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([ANALYSIS, os.environ.get("PYTHONPATH", "")])}
        for name in ("to_parquet", "to_zarr"):
            done = subprocess.run([sys.executable, "-B", "-c", MEMORY, self.path(), name], capture_output=True, text=True, check=True, env=environment)
            self.assertLess(float(done.stdout), 0.8 * whole, name)


if __name__ == "__main__":
    unittest.main()
