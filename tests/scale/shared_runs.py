"""What the tests of executors share: a study that takes some seconds in twelve chunks, the same run in one process, and the bits of both."""

import functools
import importlib.util
import os
import sys
import tempfile
import threading
import time
import unittest
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ANALYSIS = os.path.join(ROOT, "analysis")
for path in (os.path.join(ROOT, "tests", "parity"), ANALYSIS):
    sys.path.insert(0, path)
import h5py  # noqa: E402
from compare_results import differences  # noqa: E402

import omniroll  # noqa: E402

STUDY = {"model": "omni_vehicle", "parameters": {"wheel": {"drive": {"type": "constant", "torque": 0.02}}},
         "vary": [{"path": "wheel.friction", "uniform": [0.3, 0.9]}, {"path": "platform.mass", "uniform": [8, 12]}], "design": {"type": "monte_carlo", "instances": 96, "seed": 7},
         "integrator": {"step": "50 us", "duration": "0.1 s"},
         "output": {"trajectories": {"instances": [0, 50], "interval": "10 ms"}},
         "engine": {"chunk": 8, "lanes": 1, "launch_seconds": 0.01}}
SLOW = {"integrator.duration": 0.6}  # s of a vehicle: a shard takes a second or more
SHARDS = 4


@functools.lru_cache(maxsize=None)
def _alone(duration):
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "alone.h5")
    omniroll.run(STUDY, output=path, set={"integrator.duration": duration})
    unittest.addModuleCleanup(_remove, folder)
    return path


def _remove(folder):
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    _alone.cache_clear()


def needs(*modules):
    """Skips a test where a module is missing, which the reason names."""
    packages = {"distributed": "Debian: python3-distributed", "mpi4py": "Debian: python3-mpi4py", "zarr": "Debian: python3-zarr"}
    for module in modules:
        if importlib.util.find_spec(module) is None:
            return unittest.skip(f"there is no {module} ({packages.get(module, f'pip install {module}')})")
    return lambda test: test


def bits(dataset):
    return {name: (variable.dims, variable.values.tobytes()) for name, variable in dataset.variables.items() if variable.dtype != object}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # workers of a test that failed may still write there
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        warnings.simplefilter("ignore", omniroll.StudyWarning)
        self.addCleanup(warnings.resetwarnings)

    def path(self, name="r.h5"):
        return os.path.join(self.folder, name)

    def expect_bits_of_one_process(self, path, duration=0.1):
        """Every dataset of a file, statistics and trajectories too."""
        with h5py.File(_alone(duration)) as one, h5py.File(path) as other:
            names, count = differences(one, other)
        self.assertEqual(names, [])
        self.assertGreater(count, 60)
        self.assertFalse(os.path.exists(f"{path}.shards"), "the shards are removed once the result is there")

    def once(self, there, do, patience=60):
        """Calls `do` in a thread as soon as `there()` is true."""
        def wait():
            end = time.monotonic() + patience
            while time.monotonic() < end and not there():
                time.sleep(0.02)
            do()

        thread = threading.Thread(target=wait)
        thread.start()
        self.addCleanup(thread.join)
        return thread

    def has_chunks(self, path, count=1):
        """A function: attempts at shards have so many chunks by now."""
        def there():
            found = 0
            for folder, _, files in os.walk(f"{path}.shards"):
                found += sum(name.startswith("chunk-") and name.endswith(".h5") for name in files)
            return found >= count

        return there
