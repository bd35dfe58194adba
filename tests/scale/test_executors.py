"""omniroll.run(study, executor=E): the bits of one process, whatever the executor, and whatever happens to its workers."""

import concurrent.futures
import glob
import json
import multiprocessing
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import unittest
import unittest.mock
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from shared_runs import ANALYSIS, ROOT, SHARDS, SLOW, STUDY, Case, bits, needs  # noqa: E402

import omniroll  # noqa: E402
from omniroll.sharing import names, run as sharing, shard as shards, workers  # noqa: E402


def pool(count=2, how="fork"):
    return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context(how))


class Processes(Case):
    """concurrent.futures.ProcessPoolExecutor."""

    @classmethod
    def setUpClass(cls):
        cls.pool = pool(how="spawn")

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown()

    def test_file_has_the_bits_of_one_process(self):
        result = omniroll.run(STUDY, output=self.path(), executor=self.pool, shards=SHARDS)
        self.expect_bits_of_one_process(self.path())
        self.assertEqual(len(np.unique(result.final_yaw)), 96)
        self.assertEqual(result.attrs["path"], self.path())
        with h5py.File(self.path()) as file:
            self.assertEqual(file.attrs["sessions"], SHARDS)
            self.assertNotIn("threads", json.loads(file.attrs["study"])["engine"])

    def test_result_in_memory_and_one_that_was_sent_back(self):
        expected = bits(omniroll.run(STUDY))
        for folder in ("", None, self.path("shared")):
            with self.subTest(folder=folder):
                result = omniroll.run(STUDY, executor=self.pool, shards=3, folder=folder)
                self.assertEqual(bits(result), expected)
                self.assertEqual(result.omniroll.statistics().sizes["quantity"], omniroll.run(STUDY).omniroll.statistics().sizes["quantity"])
        self.assertEqual(os.listdir(self.path("shared")), [])

    def test_fork_and_one_shard_and_as_many_shards_as_chunks(self):
        with pool() as forked:
            omniroll.run(STUDY, output=self.path("fork.h5"), executor=forked, shards=2)
        omniroll.run(STUDY, output=self.path("one.h5"), executor=self.pool, shards=1)
        omniroll.run(STUDY, output=self.path("many.h5"), executor=self.pool, shards=12)
        for name in ("fork.h5", "one.h5", "many.h5"):
            self.expect_bits_of_one_process(self.path(name))

    def test_study_that_says_no_chunk_is_cut_for_the_shards(self):
        study = {**STUDY, "engine": {"threads": 1}}
        result = omniroll.run(study, executor=self.pool)  # four shards for each of two workers
        self.assertEqual(result.attrs["sessions"], 6)  # of 96 instances
        kept = json.loads(result.attrs["study"])["engine"]
        self.assertEqual(kept, {"threads": 1, "chunk": 4})
        self.assertEqual(bits(result), bits(omniroll.run(study)))

    def test_more_shards_than_files_that_may_be_open(self):
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        resource.setrlimit(resource.RLIMIT_NOFILE, (80, before[1]))
        with pool(1) as executor:
            result = omniroll.run(STUDY, executor=executor, shards=48, set={"engine.chunk": 2, "integrator.duration": 0.01})
        self.assertEqual(result.attrs["sessions"], 48)

    def test_study_in_a_file_with_a_table_beside_it(self):
        os.mkdir(self.path("studies"))
        with open(self.path("studies/rows.csv"), "w", encoding="utf-8") as file:
            file.write("wheel.friction\n" + "".join(f"{0.3 + 0.01 * row}\n" for row in range(40)))
        study = {**STUDY, "vary": [], "design": {"type": "table", "file": "rows.csv"}, "output": {}}
        with open(self.path("studies/study.json"), "w", encoding="utf-8") as file:
            json.dump(study, file)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)  # the workers are still where they were
        expected = omniroll.run("studies/study.json")
        result = omniroll.run("studies/study.json", executor=self.pool, shards=3)
        self.assertEqual(bits(result), bits(expected))

    def test_progress_counts_instance_steps_and_can_stop(self):
        seen = []
        omniroll.run(STUDY, executor=self.pool, shards=SHARDS, progress=lambda done, total: seen.append((done, total)))
        total = omniroll.validate(STUDY)["instance_steps"]
        self.assertEqual({each[1] for each in seen}, {total})
        held = omniroll.run(STUDY, executor=self.pool, shards=2, progress=lambda done, total: seen.append((done, total)),
                            set={"integrator": {"tolerance": "1e-6", "duration": 0.02}})
        self.assertEqual(seen.pop()[1], 0.02 * held.sizes["instance"])
        seen = [each for each in seen if each[1] == total]
        self.assertEqual(sorted(seen), seen)
        with self.assertRaises(omniroll.Stopped) as caught:
            omniroll.run(STUDY, output=self.path(), executor=self.pool, shards=SHARDS, set=SLOW, progress=lambda done, total: done == 0)
        self.assertRegex(str(caught.exception), "(?s)stopped: [1-4] of 4 shards are missing.*The same call goes on")
        omniroll.run(STUDY, output=self.path(), executor=self.pool, shards=SHARDS, set=SLOW)
        self.expect_bits_of_one_process(self.path(), 0.6)

    def test_interrupt_cancels_what_has_not_begun(self):
        class Never(concurrent.futures.Executor):
            made = []

            def submit(self, function, *arguments):
                self.made.append(concurrent.futures.Future())
                if len(self.made) == SHARDS:
                    signal.raise_signal(signal.SIGINT)
                return self.made[-1]

        with self.assertRaisesRegex(omniroll.Interrupted, "4 of 4 shards are missing") as caught:
            omniroll.run(STUDY, output=self.path(), executor=Never(), shards=SHARDS)
        self.assertIn("The same call goes on", str(caught.exception))
        self.assertTrue(all(future.cancelled() for future in Never.made[:-1]))

    def test_failures_beyond_the_limit_come_with_the_result(self):
        study, limit = os.path.join(ROOT, "tests", "analysis", "failures.json"), {"statistics.failed_limit": 0}
        with self.assertRaises(omniroll.FailuresError) as one:
            omniroll.run(study, set=limit)
        with self.assertRaises(omniroll.FailuresError) as caught:
            omniroll.run(study, set=limit, output=self.path(), executor=self.pool, shards=2)
        self.assertEqual(bits(caught.exception.result), bits(one.exception.result))
        self.assertEqual(os.listdir(self.folder), ["r.h5"])

    def test_step_that_is_not_accepted_comes_with_the_result(self):
        accept = {"integrator.accept": {"final_yaw": "1e-12 %"}}
        with self.assertRaisesRegex(omniroll.InaccurateError, "final_yaw: the step makes") as caught:
            omniroll.run(STUDY, set=accept, executor=self.pool, shards=2, strict=True)
        self.assertEqual(bits(caught.exception.result), bits(omniroll.run(STUDY, set=accept)))

    def test_warnings_are_told_once(self):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            omniroll.run({**STUDY, "integrator": {"step": "0.2 ms", "duration": "20 ms"}}, executor=self.pool, shards=SHARDS)
        told = [str(each.message) for each in seen if each.category is omniroll.StudyWarning]
        self.assertEqual(len([text for text in told if text.startswith("a step of 0.2 ms is too long")]), 1, told)
        self.assertEqual([each.filename for each in seen if each.category is omniroll.StudyWarning], [__file__] * len(told))


class Killed(Case):
    """A worker that dies in the middle."""

    def test_pool_breaks_and_the_same_call_goes_on(self):
        executor = pool()
        self.addCleanup(executor.shutdown, wait=False)
        self.once(self.has_chunks(self.path(), 2), lambda: os.kill(next(iter(executor._processes)), signal.SIGKILL))
        with self.assertRaises(omniroll.ShardsError) as caught:
            omniroll.run(STUDY, output=self.path(), executor=executor, shards=SHARDS, set=SLOW)
        error = caught.exception
        self.assertTrue(error.missing)
        self.assertLessEqual(set(error.missing), {1, 2, 3, 4})
        self.assertEqual((error.shards, error.path), (4, self.path() + ".shards"))
        self.assertRegex(str(error), r"[1-4] of 4 shards are missing \(.*\): BrokenProcessPool: .*\n.*The same call with a new executor goes on: the finished "
                                     "shards are kept in .*r.h5.shards")
        kept = [os.path.join(os.path.dirname(path), f"chunk-{int(line.split()[1]):06d}.h5")  # of the others the line may be missing
                for path in glob.glob(os.path.join(error.path, "*", "chunks-*.txt")) for line in pathlib.Path(path).read_text("utf-8").splitlines() if line.startswith("chunk ")]
        self.assertGreaterEqual(len(kept), 1)
        before = {os.path.basename(path): os.stat(path).st_mtime_ns for path in kept}
        after = {}
        publish = shutil.rmtree

        def look(folder, *arguments, **options):  # before the shards are removed
            for path in glob.glob(os.path.join(folder, "*", "chunk-*.h5")):
                after[os.path.basename(path)] = os.stat(path).st_mtime_ns
            publish(folder, *arguments, **options)

        with pool() as executor, unittest.mock.patch.object(sharing.shutil, "rmtree", look):
            omniroll.run(STUDY, output=self.path(), executor=executor, set=SLOW)  # as many shards as there were
        self.expect_bits_of_one_process(self.path(), 0.6)
        self.assertEqual({name: after[name] for name in before}, before, "no chunk that was finished is computed again")

    def test_shard_that_fails_is_tried_again(self):
        calls = []

        class Unreliable(ThreadPoolExecutor):
            def submit(self, function, order):
                calls.append((order.shard, order.attempt))
                broken = order.shard == 2 and order.attempt < 2
                return super().submit((lambda: 1 / 0) if broken else lambda: function(order))

        with Unreliable(1) as executor:
            omniroll.run(STUDY, output=self.path(), executor=executor, shards=3)
            self.expect_bits_of_one_process(self.path())
            self.assertEqual(sorted(calls), [(1, 0), (2, 0), (2, 1), (2, 2), (3, 0)])
            with self.assertRaisesRegex(omniroll.ShardsError, r"1 of 3 shards are missing \(2\): ZeroDivisionError: division by zero") as caught:
                omniroll.run(STUDY, output=self.path(), executor=executor, shards=3, retries=1)
        self.assertEqual(caught.exception.missing, (2,))
        self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)
        with pool() as executor:
            omniroll.run(STUDY, output=self.path(), executor=executor, shards=3)
        self.expect_bits_of_one_process(self.path())


class Twice(Case):
    """A shard that is run twice has the same bits, or is an error."""

    def order(self, **members):
        with ThreadPoolExecutor(1) as executor:
            shared = sharing._Shared(omniroll.Study(STUDY).loaded, self.path(), sharing.Sharing(executor, 3, "", 0),
                                     {"oversize": False, "foreign_folder": False, "strict": False})
            with shared.entered(False):
                shared.cut()
                shared.begin()
            shared.at_once = 1
            with open(os.path.join(shared.place, shared.mark), "w", encoding="utf-8"):
                pass
            order = shared.order(2, 0)
        return type(order)(**{**vars(order), **members})

    def test_attempts_meet(self):
        order = self.order()
        target = names.shard(order.place, 2, 3)
        first = shards.run_shard(order)
        self.assertFalse(first.there)
        self.assertTrue(shards.run_shard(order).there)
        os.rename(target, target + ".other")
        real = shards._in_place

        def other_was_faster(*arguments):
            found = real(*arguments)
            os.rename(target + ".other", target)
            return found

        with unittest.mock.patch.object(shards, "_in_place", other_was_faster):
            second = shards.run_shard(order)
        self.assertTrue(second.there)
        self.assertEqual(first.bits, second.bits)
        self.assertEqual([name for name in os.listdir(order.place) if names.ATTEMPT.fullmatch(name)], [])

        os.rename(target, target + ".other")
        chunk = sorted(glob.glob(os.path.join(target + ".other", "chunk-*.h5")))[0]
        with h5py.File(chunk, "r+") as file:
            file["instances/final_x"][3] = np.nextafter(file["instances/final_x"][3], 1)
        with unittest.mock.patch.object(shards, "_in_place", other_was_faster), \
                self.assertRaisesRegex(omniroll.DiffersError, "shard 2/3 was run twice and its bits differ"):
            shards.run_shard(order)

    def test_shard_that_comes_back_twice(self):
        order = self.order(place=None)
        done = shards.run_shard(order)
        self.assertEqual(shards.run_shard(order).bits, done.bits)
        with ThreadPoolExecutor(1) as executor:
            shared = sharing._Shared(omniroll.Study(STUDY).loaded, self.path(), sharing.Sharing(executor, 3, None, 0),
                                     {"oversize": False, "foreign_folder": False, "strict": False})
            shared.shards = 3
            shared.take(done)
            shared.take(done)
            wrong = type(done)(**{**vars(done), "bits": "0" * 32, "host": "node7", "files": ()})
            with self.assertRaisesRegex(omniroll.DiffersError, "shard 2/3 was run twice and its bits differ, the second time on node7"):
                shared.take(wrong)

    def test_damaged_shard_is_computed_again(self):
        order = self.order()
        shards.run_shard(order)
        chunk = sorted(glob.glob(os.path.join(names.shard(order.place, 2, 3), "chunk-*.h5")))[0]
        with open(chunk, "r+b") as file:
            file.seek(5000)
            file.write(b"damaged")
        with pool() as executor:
            omniroll.run(STUDY, output=self.path(), executor=executor, shards=3)
        self.expect_bits_of_one_process(self.path())

    def test_run_that_is_not_wanted_any_more(self):
        order = self.order()
        os.unlink(os.path.join(order.place, order.mark))
        with self.assertRaisesRegex(omniroll.Stopped, "shard 2/3 is not wanted any more"):
            shards.run_shard(order)
        with unittest.mock.patch.object(shards, "LATE", 0.1), \
                self.assertRaisesRegex(omniroll.FileError, "does not see the folder /nowhere .*folder=None"):
            shards.run_shard(self.order(place="/nowhere"))


class Mistakes(Case):
    def refused(self, kind, text, study=STUDY, **options):
        with self.assertRaisesRegex(kind, text) as caught:
            omniroll.run(study, **options)
        return str(caught.exception)

    def test_what_is_no_executor(self):
        self.refused(TypeError, "is a concurrent.futures.Executor, such as ProcessPoolExecutor.8., .*not int", executor=4)
        self.refused(TypeError, "the class ProcessPoolExecutor: make one of it", executor=ProcessPoolExecutor)
        with multiprocessing.get_context("spawn").Pool(1) as other:
            self.refused(TypeError, "not Pool", executor=other)
        client = unittest.mock.Mock(spec=["submit", "get_executor"])
        self.refused(TypeError, "get_executor", executor=client)
        self.refused(omniroll.UsageError, "executor=", shards=4)
        self.refused(omniroll.UsageError, "executor=", folder=None)

    def test_numbers(self):
        with ThreadPoolExecutor(1) as executor:
            self.refused(omniroll.UsageError, "shards=0: it is at least 1", executor=executor, shards=0)
            self.refused(TypeError, "shards is a whole number, not str", executor=executor, shards="4")
            self.refused(omniroll.UsageError, "shards=15: the run has 12 chunks, .*ask for 12 shards or fewer.*\"engine.chunk\": 6", executor=executor, shards=15)
            self.refused(omniroll.UsageError, "shards=97: the study has 96 instances", executor=executor, shards=97)
            self.refused(omniroll.UsageError, "shard='1/4': .*executor= and shards=N.*--shard I/N, or with OMNIROLL_SHARD=I/N", executor=executor, shard="1/4")
            self.refused(omniroll.UsageError, "retries=-1: it is at least 0", executor=executor, retries=-1)
            self.refused(omniroll.UsageError, "nominal, instance and trace are of single vehicles", executor=executor, nominal=True)
        unknown = unittest.mock.Mock(spec=["submit"])
        self.refused(omniroll.UsageError, "how many shards", executor=unknown)

    def test_studies_that_run_in_one_process(self):
        rare = omniroll.new("rare")
        stop = {**STUDY, "statistics": {"stop": {"quantity": "mean final_x", "width": 1e-3}}}
        with ThreadPoolExecutor(1) as executor:
            for study in (rare, stop):
                for count in (1, 3):
                    self.refused(omniroll.UsageError, "(?s)depend on what came out before.*run it without an executor", study, executor=executor, shards=count)

    def test_folder_of_others(self):
        with ThreadPoolExecutor(1) as executor, pool() as processes:
            class Lame(ThreadPoolExecutor):
                def submit(self, function, order):
                    return super().submit((lambda: 1 / 0) if order.shard == 2 else lambda: function(order))

            with Lame(1) as lame:
                self.refused(omniroll.ShardsError, "1 of 2 shards", executor=lame, shards=2, output=self.path(), retries=0)
            self.refused(omniroll.UsageError, "has shards of 2: shards=2 goes on with them, restart=True", executor=executor, shards=3, output=self.path())
            said = self.refused(omniroll.FileError, "(?s)integrator.duration was .* and now is .*restart=True", executor=executor, output=self.path(), set=SLOW)
            self.assertNotIn("resume", said)
            omniroll.run(STUDY, output=self.path(), executor=processes, shards=3, restart=True)
        self.expect_bits_of_one_process(self.path())

    def test_output_that_is_another_file_keeps_the_shards(self):
        with open(self.path(), "w", encoding="utf-8") as file:
            file.write("something else")
        with pool() as executor:
            self.refused(omniroll.FileError, "(?s)overwrite=True.*The same call goes on", executor=executor, shards=2, output=self.path())
            with unittest.mock.patch.object(sharing, "_scatter"):  # as if it was killed while it put the result together
                self.refused(omniroll.FileError, "overwrite=True", executor=executor, shards=2, output=self.path())
            self.assertTrue(os.path.exists(self.path("r.h5.shards/moved.json")))
            omniroll.run(STUDY, output=self.path(), executor=unittest.mock.Mock(spec=["submit"]), overwrite=True)
        self.expect_bits_of_one_process(self.path())

    def test_shards_that_are_too_large_to_be_sent(self):
        large = {**STUDY, "design": {"type": "monte_carlo", "instances": 20_000_000}, "output": {}}
        with ThreadPoolExecutor(1) as executor:
            self.refused(omniroll.UsageError, r"a shard has .* GB, and at most 1.1 GB are sent back: take shards=\d+ or more", large, executor=executor,
                         shards=2, folder=None)
        order = Twice.order(self, place=None)
        with unittest.mock.patch.object(shards, "LARGEST", 100_000), self.assertRaisesRegex(omniroll.UsageError, "shard 2/3 has .* GB.*shards=[3-9]"):
            shards.run_shard(order)


class Threads(unittest.TestCase):
    def test_share_of_the_cores(self):
        with unittest.mock.patch.object(os, "sched_getaffinity", lambda _: set(range(16))), unittest.mock.patch.object(os, "cpu_count", lambda: 64), \
                unittest.mock.patch.dict(os.environ, clear=True):
            self.assertEqual([shards.threads_of(at_once) for at_once in (1, 4, 5, 40, None)], [16, 4, 3, 1, None])
            for ranks, expected in (("8", 8), ("2", 16), ("100", 1), ("1", None)):
                os.environ["OMPI_COMM_WORLD_LOCAL_SIZE"] = ranks
                self.assertEqual(shards.threads_of(None), expected)

    def test_executors_say_how_many_run_at_once(self):
        with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(5) as processes:
            self.assertEqual((workers.at_once(threads), workers.at_once(processes)), (1, 5))
            self.assertEqual(workers.shards_for(processes), 20)
        dask = unittest.mock.Mock(spec=["submit", "_client"])
        dask._client.nthreads = lambda: {"tcp://10.0.0.1:40001": 2, "tcp://10.0.0.1:40002": 2, "tcp://10.0.0.2:40001": 2}
        self.assertEqual((workers.at_once(dask), workers.count(dask)), (2, 3))


@needs("distributed")
class Dask(Case):
    def test_worker_killed_in_the_middle(self):
        from distributed import Client, LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
            executor = client.get_executor()
            self.assertEqual(workers.at_once(executor), 2)
            omniroll.run(STUDY, output=self.path("plain.h5"), executor=executor, shards=SHARDS)
            self.expect_bits_of_one_process(self.path("plain.h5"))
            sent = omniroll.run(STUDY, executor=executor, shards=3, folder=None)
            self.assertEqual(bits(sent), bits(omniroll.run(STUDY)))
            killed = []
            self.once(self.has_chunks(self.path(), 2), lambda: killed.append(_kill_one(client)))
            omniroll.run(STUDY, output=self.path(), executor=executor, shards=SHARDS, set=SLOW)
            self.assertTrue(killed)
            self.expect_bits_of_one_process(self.path(), 0.6)


def _kill_one(client):
    process = sorted(client.run(os.getpid).values())[0]
    os.kill(process, signal.SIGKILL)
    return process


MPI = """
import sys, warnings
from mpi4py.futures import MPIPoolExecutor
import omniroll, shared_runs
if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with MPIPoolExecutor() as executor:
        omniroll.run(shared_runs.STUDY, output=sys.argv[1], executor=executor, shards=4)
        omniroll.run(shared_runs.STUDY, output=sys.argv[2], executor=executor, folder=None)
"""


@needs("mpi4py")
@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun (Debian: openmpi-bin)")
class Mpi(Case):
    def test_ranks_of_mpirun(self):
        script = self.path("script.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(MPI)
        here = os.path.dirname(os.path.abspath(__file__))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([ANALYSIS, here, os.environ.get("PYTHONPATH", "")]),
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", "3", sys.executable, "-B", "-m", "mpi4py.futures", script, self.path("a.h5"),
                               self.path("b.h5")], capture_output=True, text=True, timeout=240, env=environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        self.expect_bits_of_one_process(self.path("a.h5"))
        self.expect_bits_of_one_process(self.path("b.h5"))


@needs("submitit")
class Submitit(Case):
    def test_jobs_that_call_nobody_back(self):
        import submitit

        executor = submitit.LocalExecutor(self.path("logs"))
        executor.update_parameters(timeout_min=5)
        omniroll.run(STUDY, output=self.path(), executor=executor, shards=2)
        self.expect_bits_of_one_process(self.path())


@needs("loky")
class Loky(Case):
    def test_reusable_executor(self):
        import loky

        executor = loky.get_reusable_executor(max_workers=2)
        self.addCleanup(executor.shutdown, wait=True, kill_workers=True)
        self.assertEqual(workers.at_once(executor), 2)
        omniroll.run(STUDY, output=self.path(), executor=executor, shards=SHARDS)
        self.expect_bits_of_one_process(self.path())


if __name__ == "__main__":
    unittest.main()
