"""Checksums of results: messages about damaged files, and no wrong value without a message. OMNIROLL names the program."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
ANALYSIS = os.path.join(HERE, "..", "..", "analysis")
sys.path.insert(0, ANALYSIS)

import omniroll  # noqa: E402
from omniroll.reading import checksums  # noqa: E402

STUDY = {"model": "snakeboard", "parameters": {"gait": {"wheelsets": "opposite"}}, "vary": [{"path": "coupler.mass", "values": [1, 2, 3]}],
         "integrator": {"method": "rk4", "step": "0.02 s", "duration": "0.2 s", "step_error": "off"},
         "output": {"observables": ["distance"], "trajectories": {"instances": [0], "interval": "0.1 s"}}}
FLIPS = os.path.join(HERE, "..", "long", "flip_bits.py")


@unittest.skipUnless("OMNIROLL" in os.environ, "needs the program")
class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = cls.run_study("whole")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_study(cls, name):
        source, path = os.path.join(cls.folder.name, f"{name}.json"), os.path.join(cls.folder.name, f"{name}.h5")
        with open(source, "w") as file:
            json.dump(STUDY, file)
        subprocess.run([os.environ["OMNIROLL"], "run", source, "-o", path, "-q"], check=True, stdout=subprocess.DEVNULL)
        return path

    def command(self, *words):
        return subprocess.run([os.environ["OMNIROLL"], *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_python_finds_every_dataset_as_it_was_written(self):
        seen = []
        with h5py.File(self.path) as file:
            checksums.checked(file["/"])
            file.visititems(lambda name, item: seen.append(checksums.checked(item, item[()] if isinstance(item, h5py.Dataset) else None)))
            for name in ("instances/distance", "instances/status", "trajectories/x", "statistics/mean"):
                self.assertTrue(file[name].fletcher32, name)
        self.assertGreater(len(seen), 20)

    def test_without_xxhash_results_are_read_and_one_warning_says_that_nothing_is_checked(self):
        program = ("import sys, warnings, h5py\n"
                   "sys.modules['xxhash'] = None\n"
                   "import omniroll\n"
                   "from omniroll.reading import checksums\n"
                   "with warnings.catch_warnings(record=True) as told:\n"
                   "    warnings.simplefilter('always')\n"
                   "    assert omniroll.open(sys.argv[1]).sizes['instance'] == omniroll.open_result(sys.argv[1]).instances == 3\n"
                   "assert ['apt-get install python3-xxhash' in str(one.message) for one in told] == [True], told\n"
                   "assert told[0].filename == '<string>'\n"
                   "with h5py.File(sys.argv[1], 'r+') as file:\n"
                   "    try:\n"
                   "        checksums.renew(file['/'])\n"
                   "    except omniroll.LibraryError as error:\n"
                   "        assert 'a new checksum needs the library xxhash' in str(error), error\n"
                   "    else:\n"
                   "        raise SystemExit('a checksum without xxhash')\n")
        done = subprocess.run([sys.executable, "-c", program, self.run_study("unchecked")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_verify_tells_of_a_result_and_its_changed_attribute(self):
        done = self.command("verify", self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 problems", done.stdout)
        changed = self.run_study("changed")
        with h5py.File(changed, "r+") as file:
            file["instances/distance"].attrs.modify("units", "km")
        done = self.command("verify", "--json", changed)
        self.assertEqual(done.returncode, 5)
        self.assertEqual([one["where"] for one in json.loads(done.stdout)["problems"]], ["/instances/distance"])
        self.assertIn("instances/distance", self.command("verify", changed).stdout)
        for words in (("export",), ("analyze",)):
            done = self.command(*words, changed)
            self.assertEqual(done.returncode, 5, words)
            self.assertIn("checksum", done.stderr)
        with self.assertRaisesRegex(omniroll.NotAResult, "/instances/distance .*omniroll verify"):
            omniroll.open(changed)
        with h5py.File(changed, "r+") as file:
            checksums.renew(file["instances/distance"])
        self.assertEqual(self.command("verify", changed).returncode, 0)

    def test_a_checksum_that_was_taken_away_is_told(self):
        lost = self.run_study("lost")
        for name, words in (("instances/distance", ()), ("instances/status", ()), ("trajectories/x", ("--trajectories",))):
            with h5py.File(lost, "r+") as file:
                kept = file[name].attrs[checksums.NAME]
                del file[name].attrs[checksums.NAME]
            done = self.command("export", *words, lost)
            self.assertEqual(done.returncode, 5, name)
            self.assertIn("it has lost its checksum", done.stderr)
            self.assertEqual(self.command("verify", lost).returncode, 5)
            with h5py.File(lost, "r+") as file:
                file[name].attrs[checksums.NAME] = kept
        self.assertEqual(self.command("export", lost).returncode, 0)

    def test_values_of_another_type_are_held_against_the_checksum(self):
        other = self.run_study("other_type")
        with h5py.File(other, "r+") as file:
            column = file["instances/distance"]
            values, names = column[()], set(column.attrs) - {"DIMENSION_LIST", "REFERENCE_LIST"}
            attributes = {name: column.attrs[name] for name in names}
            del file["instances/distance"]
            file["instances/distance"] = values.astype("f4")
            file["instances/distance"].attrs.update(attributes)
        done = self.command("export", other)
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertIn("distance: the checksum of its values and attributes differs", done.stderr)

    def test_lengths_whose_product_overflows_are_an_error(self):
        """A row of 2^64 bytes was taken for one of none, and the program ended by a division by zero."""
        huge = self.run_study("huge")
        with h5py.File(huge, "r+") as file:
            kept = file["instances/distance"].attrs[checksums.NAME]
            del file["instances/distance"]
            made = file.create_dataset("instances/distance", (4, 2**31, 2**30), "f8", chunks=(1, 16, 16))
            made.attrs[checksums.NAME] = kept
        done = self.command("verify", huge)
        self.assertEqual(done.returncode, 5)
        self.assertIn("its lengths cannot be right", done.stdout)

    def test_more_values_than_the_file_can_have_are_an_error(self):
        """Of a flipped bit in a length HDF5 made zeros, and verify hashed terabytes of them."""
        huge = self.run_study("claims")
        with h5py.File(huge, "r+") as file:
            kept = dict(file["instances/distance"].attrs)
            del file["instances/distance"]
            made = file.create_dataset("instances/distance", (2**38,), "f8", chunks=(16,))
            made.attrs.update({name: value for name, value in kept.items() if name not in ("DIMENSION_LIST", "REFERENCE_LIST")})
        done = self.command("verify", huge)
        self.assertEqual(done.returncode, 5)
        self.assertIn("its lengths cannot be right", done.stdout)
        self.assertEqual(self.command("export", huge).returncode, 5)
        with self.assertRaisesRegex(omniroll.NotAResult, "distance claims more values than the file can have"):
            omniroll.open_result(huge)

    def test_analyze_writes_a_copy_with_checksums(self):
        copy = os.path.join(self.folder.name, "copy.h5")
        self.assertEqual(self.command("analyze", self.path, "-o", copy).returncode, 0)
        self.assertEqual(self.command("verify", copy).returncode, 0)

    def test_a_result_without_checksums_is_read(self):
        old = self.run_study("old")
        with h5py.File(old, "r+") as file:
            del file.attrs[checksums.NAME]
            file.visititems(lambda name, item: item.attrs.__delitem__(checksums.NAME))
        omniroll.open(old)
        self.assertEqual(self.command("export", old).stdout, self.command("export", self.path).stdout)
        done = self.command("verify", old)
        self.assertEqual(done.returncode, 0)
        self.assertIn("has no checksums", done.stdout)

    def test_verify_checks_a_folder_of_parts(self):
        source, path = os.path.join(self.folder.name, "parts.json"), os.path.join(self.folder.name, "parts.h5")
        with open(source, "w") as file:
            json.dump({**STUDY, "vary": [{"path": "coupler.mass", "values": list(numpy.linspace(1, 3, 40))}]}, file)
        subprocess.run([os.environ["OMNIROLL"], "run", source, "-o", path, "-q", "--shard", "1/2", "--set", "engine.chunk=4"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        folder = f"{path}.parts"
        done = self.command("verify", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        chunk = next(name for name in sorted(os.listdir(folder)) if name.endswith(".h5"))
        with open(os.path.join(folder, chunk), "r+b") as file:
            file.seek(1000)
            byte = file.read(1)[0]
            file.seek(1000)
            file.write(bytes([byte ^ 4]))
        done = self.command("verify", folder)
        self.assertEqual(done.returncode, 5)
        self.assertIn("the checksum of its file differs", done.stdout)

    @unittest.skipUnless("OMNIROLL_LIBRARY" in os.environ, "needs the library")
    def test_verify_of_python(self):
        self.assertEqual(omniroll.verify(self.path)["problems"], [])
        with self.assertRaises(omniroll.FileError):
            omniroll.verify(os.path.join(self.folder.name, "nothing.h5"))

    def test_no_flipped_bit_gives_a_wrong_output(self):
        done = subprocess.run([sys.executable, FLIPS, os.environ["OMNIROLL"], ANALYSIS, "--count", "9"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
