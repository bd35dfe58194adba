"""Threads, forks and interpreters of Python around libomniroll. Each case is a fresh process under a time limit, since what it
looks for ends a process or waits for ever. OMNIROLL_LIBRARY names the library, OMNIROLL_FEW_THREADS the object that refuses threads,
OMNIROLL_SHIM the one that makes a device hang."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from short_form import nightly  # noqa: E402

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LIMIT = 120  # s; each takes a few

BEGIN = f"""
import os, sys, threading, time
sys.path.insert(0, {os.path.join(ROOT, "analysis")!r})
import omniroll

STUDY = {{"model": "omni_vehicle", "parameters": {{"wheel": {{"friction": "30 %"}}}},
         "vary": [{{"path": "platform.mass", "linspace": ["2 kg", "4000 g", 64]}}],
         "integrator": {{"step": "0.1 ms", "duration": "5 ms"}}, "engine": {{"backend": "openmp", "threads": 3}}}}


def run(number=0, **changes):
    result = omniroll.run(STUDY, progress=False, **changes)
    return result.final_x.values.tobytes()


def check(number=0):
    return omniroll.validate(STUDY)["instances"]


def wait(child, limit=60):
    "Exit code of a child; it is ended where it waits for ever."
    end = time.monotonic() + limit
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise SystemExit("a child waits for ever")
"""


class Processes(unittest.TestCase):
    def python(self, text, code=0, **environment):
        """What a program of Python prints."""
        source = BEGIN + textwrap.dedent(text)
        ended = subprocess.run([sys.executable, "-B", "-c", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               timeout=LIMIT, env={**os.environ, **environment}, check=False)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout

    def test_eight_threads_from_a_cold_start(self):
        for _ in range(3):
            self.assertEqual("1\n", self.python("""
                from concurrent.futures import ThreadPoolExecutor
                with ThreadPoolExecutor(8) as pool:
                    checks = [pool.submit(check) for _ in range(12)]
                    runs = [pool.submit(run) for _ in range(4)]
                    assert {one.result() for one in checks} == {64}
                    print(len({one.result() for one in runs}))
                """))

    def pool(self, method, text):
        """Start methods that import the main module need one: a file."""
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "main.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(BEGIN + textwrap.dedent(text))
            ended = subprocess.run([sys.executable, "-B", path, method], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, timeout=LIMIT, check=False)
        self.assertEqual((ended.returncode, ended.stdout), (0, "same\n"))

    def test_every_start_method_after_a_run(self):
        for method in ("fork", "forkserver", "spawn"):
            with self.subTest(method):
                self.pool(method, """
                    import multiprocessing
                    if __name__ == "__main__":
                        own = run()
                        with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
                            found = pool.map_async(run, range(3)).get(60)
                        print("same" if set(found) == {own} else "other bits")
                    """)

    def test_forks_while_other_threads_read_and_run(self):
        self.python("""
            stop = False

            def work(what):
                while not stop:
                    what()

            own = run()
            threads = [threading.Thread(target=work, args=(what,)) for what in (run, check, check)]
            for thread in threads:
                thread.start()
            try:
                for number in range(12):
                    child = os.fork()
                    if child == 0:
                        os._exit(0 if (check() == 64 and (number % 3 or run() == own)) else 1)
                    assert wait(child) == 0
            finally:
                stop = True
            for thread in threads:
                thread.join()
            assert run() == own
            """)

    def test_a_second_run_looks_for_no_module(self):
        """The child of a fork waits for ever for the lock of an import that another thread of its parent had begun."""
        self.python("""
            class Finder:  # as on a machine without tqdm
                def find_spec(self, name, path=None, target=None):
                    looked_for.append(name)
                    if name == "tqdm":
                        raise ModuleNotFoundError(name)

            def every_way():
                run()
                check()
                omniroll.run(STUDY, progress=True)

            looked_for = []
            sys.meta_path.insert(0, Finder())
            every_way()
            assert "tqdm" in looked_for, looked_for
            looked_for.clear()
            every_way()
            assert not looked_for, looked_for
            """)

    def test_a_child_of_a_thread_that_never_ran(self):
        self.python("""
            own = run()

            def fork():
                child = os.fork()
                if child == 0:
                    os._exit(0 if run() == own else 1)
                codes.append(wait(child))

            codes = []
            thread = threading.Thread(target=fork)
            thread.start()
            thread.join()
            assert codes == [0], codes
            """)

    def test_a_child_that_ends_as_usual_leaves_the_files_of_its_parent(self):
        """Finalizers of Python and of HDF5 run in it: of results in memory, and of a file that another thread writes."""
        self.python("""
            import atexit, ctypes, tempfile
            kept = omniroll.run(STUDY, progress=False)
            expected = omniroll.statistics(omniroll.run(STUDY, progress=False))

            def end_in_child():
                child = os.fork()
                if child == 0:
                    assert omniroll.statistics(kept).identical(expected)
                    atexit._run_exitfuncs()
                    ctypes.CDLL(None).exit(3)
                assert wait(child) == 3

            end_in_child()
            assert omniroll.statistics(kept).identical(expected)
            folder = tempfile.mkdtemp()
            path = os.path.join(folder, "r.h5")
            changes = {"engine.chunk": 8, "engine.threads": 1, "integrator.duration": 0.02}
            thread = threading.Thread(target=lambda: omniroll.run(STUDY, output=path, progress=False, **changes))
            thread.start()
            while thread.is_alive():
                end_in_child()
            thread.join()
            written = omniroll.open(path)
            expected = omniroll.run(STUDY, progress=False, **changes)
            assert written.final_x.values.tobytes() == expected.final_x.values.tobytes()
            os.unlink(path)
            os.rmdir(folder)
            """)

    def test_opencl_of_the_parent_is_refused_in_a_child(self):
        text = self.python("""
            try:
                own = run(backend="opencl")
            except omniroll.DeviceError as error:
                print("no OpenCL:", error)
                raise SystemExit
            child = os.fork()
            if child == 0:
                try:
                    run(backend="opencl")
                    os._exit(1)
                except omniroll.DeviceError as error:
                    os._exit(0 if "spawn" in str(error) and run(backend="auto") == own else 2)
            assert wait(child) == 0
            assert run(backend="opencl") == own
            """)
        if text.startswith("no OpenCL"):
            self.skipTest(text)

    @nightly("campaign/device has a device that hangs")
    def test_a_device_that_hangs_is_an_error_and_its_chunks_are_kept(self):
        shim = os.environ.get("OMNIROLL_SHIM", "")
        if not os.path.exists(shim):
            self.skipTest("this build has no OpenCL, and no object that makes a device hang")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.h5")
            # The device hangs once chunk 3 is there: a check has covered chunks before it by then. The process ends by os._exit, as the
            # page says, since PoCL may end it by a signal while a launch still runs.
            text = self.python(f"""
                path = {path!r}
                changes = {{"engine.chunk": 8, "engine.check_seconds": 1e-6}}
                try:
                    # PoCL compiles for seconds in the first launch of a size, and keeps what it compiled.
                    omniroll.run(STUDY, output=path + ".first", progress=False, backend="opencl", **changes)
                    omniroll.run(STUDY, output=path, progress=False, backend="opencl", **changes, **{{"engine.hang_seconds": 2}})
                    raise SystemExit("it ran")
                except omniroll.DeviceError as error:
                    caught = error
                if " hangs: " in str(caught):
                    again = omniroll.resume(path, progress=False, backend="openmp")
                    assert again.final_x.values.tobytes() == run()
                    print("resumed")
                else:
                    print("no OpenCL:", caught)
                print(caught, flush=True)
                os._exit(0)
                """, LD_PRELOAD=shim, OMNIROLL_SHIM_FAULT="hangs", OMNIROLL_SHIM_LAUNCH="1",
                               OMNIROLL_SHIM_AFTER=f"{path}.parts/chunk-000003.h5")
        if text.startswith("no OpenCL"):
            self.skipTest(text)
        for part in ("resumed", "the device ", " hangs: clEnqueue", "; it was at ", " of 8 chunks are kept in ",
                     ", backend=\"openmp\")\n"):
            self.assertIn(part, text)

    def test_fewer_threads_are_told_and_recorded(self):
        few = os.environ.get("OMNIROLL_FEW_THREADS", "")
        if not os.path.exists(few):
            self.skipTest("this build has no object that refuses threads")
        for most, wanted, got in ((0, 6, 1), (2, 6, 3), (40, 6, 6)):
            with self.subTest(most):
                text = self.python(f"""
                    import warnings
                    with warnings.catch_warnings(record=True) as told:
                        warnings.simplefilter("always", omniroll.StudyWarning)
                        result = omniroll.run(STUDY, progress=False, threads={wanted})
                    print(int(result.attrs["threads"]), [str(one.message) for one in told], result.attrs.get("warnings", ""))
                    """, LD_PRELOAD=few, OMNIROLL_TEST_THREADS=str(most), OPENBLAS_NUM_THREADS="1")
                self.assertEqual(int(text.split()[0]), got)
                self.assertEqual(text.count(f"{got} thread{'s' if got > 1 else ''} instead of {wanted}"), 2 * (got < wanted), text)

    def test_packing_and_analyze_tell_of_fewer_threads_once(self):
        """A run by one thread needs no other, the packing of its result takes as many as usual; so does analyze."""
        few, program = os.environ.get("OMNIROLL_FEW_THREADS", ""), os.environ.get("OMNIROLL", "")
        if not os.path.exists(few):
            self.skipTest("this build has no object that refuses threads")
        for most, threads, told in ((0, 1, "1 thread instead of 4"), (0, 6, "1 thread instead of 6"), (9, 1, "")):
            with self.subTest(most=most, threads=threads):
                text = self.python(f"""
                    import subprocess, tempfile, warnings
                    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as told:
                        warnings.simplefilter("always", omniroll.StudyWarning)
                        path = os.path.join(folder, "r.h5")
                        result = omniroll.run(STUDY, output=path, progress=False, threads={threads})
                        result.close()
                        for message in (*(str(one.message) for one in told), *result.attrs.get("warnings", "").splitlines()):
                            print(message)
                        print("analyze")
                        shown = subprocess.run([{program!r}, "analyze", path, "--json"], capture_output=True, text=True, check=True)
                        for line in __import__("json").loads(shown.stdout)["warnings"]:
                            print(line)
                    """, LD_PRELOAD=few, OMNIROLL_TEST_THREADS=str(most), OMP_NUM_THREADS="4", OPENBLAS_NUM_THREADS="1")
                run, analyze = text.split("analyze\n")
                self.assertEqual(run.count(" instead of "), 2 * bool(told), text)  # the warning, and the attribute
                self.assertEqual(run.count(told), run.count(" instead of ") if told else len(run) + 1, text)
                self.assertEqual(analyze.count("1 thread instead of 4"), bool(told), text)

    def test_subinterpreters_are_told_what_to_take_instead(self):
        """ctypes calls back into the main interpreter alone, so that a run would wait for ever."""
        self.python("""
            try:
                import _xxsubinterpreters as interpreters
            except ImportError:
                raise SystemExit
            made = interpreters.create(isolated=False)
            interpreters.run_string(made, f'''if True:
                import sys, warnings
                warnings.simplefilter("ignore")
                sys.path[:] = {sys.path!r}
                try:
                    import omniroll
                    study = {STUDY!r}
                    assert omniroll.validate(study)["instances"] == 64
                except ImportError as error:  # numpy or h5py that one interpreter of a process alone may load
                    study = None
                try:
                    if study:
                        omniroll.run(study, progress=False)
                        raise SystemExit("it ran")
                except omniroll.UsageError as error:
                    assert "spawn" in str(error)
                ''')
            """)


if __name__ == "__main__":
    unittest.main()
