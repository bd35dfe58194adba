#!/usr/bin/python3
"""A long run is killed (SIGKILL) again and again and resumed: kill.py PROGRAM [--kills N] [--short] [--seed S]

PROGRAM is the one with failure points, which the tests build: build/release/tests/omniroll_failpoints.

Each round starts `omniroll run` of tests/cluster/study.json (51 chunks), kills it, resumes it, kills that too with some luck, and lets a
last resume finish. Every dataset must then have the bits of a run that nothing interrupted, and the folder must hold the result alone.
Kills come in three ways: at a point (OMNIROLL_FAILPOINT: the program kills itself where it enters a phase), on sight (from here, as soon
as OMNIROLL_PHASE_LOG shows the phase) and at a random time. At least N kills (20) fall in each of six phases on each of two backends; the
table says in which phase the process died. Then the disk is full (a small tmpfs for root, else a limit on the size of files) and read-only,
while chunks are written and while the result is put together: the program has to say so, keep what it has, and go on later.
--short: one kill in each phase with openmp, in two with opencl, and one full disk, for ctest. The exit code is 1 where anything differs."""

import argparse
import collections
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py

HERE = os.path.dirname(os.path.abspath(__file__))
STUDY = os.path.join(HERE, "..", "cluster", "study.json")
sys.path.insert(0, os.path.join(HERE, "..", "parity"))
import compare_results  # noqa: E402

CHUNKS = 51
BACKENDS = ("openmp", "opencl")
PHASES = {
    "sampling": ("prepare",),
    "integration": ("integrate",),
    "chunk write": ("chunk", "chunk_there", "journal"),
    "rename": ("rename",),
    "assembly": ("assemble_start", "assemble", "result_there"),
    "resume": ("resume", "enter", "work"),
}
ONCE = ("assemble_start", "result_there", "resume", "enter", "work")
SHORT = {"openmp": PHASES, "opencl": ("integration", "assembly")}
ATTEMPTS = 3  # kills in a round, at most


def phase_of(point, resumed):
    """Which row of the table a death at this point belongs to; the begin of a first run is none of them."""
    for phase, points in PHASES.items():
        if point in points:
            return phase if phase != "resume" or resumed else "start"
    return "resume" if resumed else "start"


class Failure(Exception):
    pass


class Campaign:
    def __init__(self, program, folder, seed):
        self.program = program
        self.folder = folder
        self.result = os.path.join(folder, "r.h5")
        self.log = os.path.join(folder, "phases")
        self.random = random.Random(seed)
        self.whole = {}
        self.seconds = {}
        self.size = {}
        self.kills = collections.Counter()
        self.ways = collections.Counter()
        self.deepest = 0

    def begin(self, backend):
        return ["run", STUDY, "-o", self.result, "--backend", backend, "-q"]

    def resume(self, backend):
        return ["resume", self.result, "--backend", backend, "-q"]

    def start(self, arguments, point=None, **options):
        environment = dict(os.environ, OMNIROLL_PHASE_LOG=self.log)
        environment.setdefault("OMP_WAIT_POLICY", "passive")  # threads that spin take the cores from the others
        environment.pop("OMNIROLL_FAILPOINT", None)
        if point:
            environment["OMNIROLL_FAILPOINT"] = point
        if os.path.exists(self.log):
            os.unlink(self.log)
        return subprocess.Popen([self.program, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, **options)

    def finish(self, arguments, **options):
        """Exit code and everything printed of an undisturbed process."""
        process = self.start(arguments, **options)
        text = process.communicate()[0]
        return process.returncode, text

    def phases(self):
        try:
            with open(self.log) as file:
                return file.read().split("\n")[:-1]
        except FileNotFoundError:
            return []

    def reference(self, backend):
        path = os.path.join(self.folder, f"whole-{backend}.h5")
        begun = time.monotonic()
        code, text = self.finish(["run", STUDY, "-o", path, "--backend", backend, "-q"])
        if code == 4 and backend == "opencl":
            return False
        if code:
            raise Failure(f"the uninterrupted run on {backend} ends with {code}: {text}")
        self.seconds[backend] = time.monotonic() - begun
        self.size[backend] = os.path.getsize(path)
        if (chunks := self.phases().count("chunk")) != CHUNKS:
            raise Failure(f"{chunks} chunks, not {CHUNKS}; {self.program} may have no failure points (tests/omniroll_failpoints has them)")
        self.whole[backend] = path
        return True

    def judge(self, backend, what):
        with h5py.File(self.whole[backend]) as expected, h5py.File(self.result) as found:
            names, _ = compare_results.differences(expected, found)
        left = [n for n in os.listdir(self.folder) if n.startswith("r.h5") and n != "r.h5"]
        if names or left:
            raise Failure(f"{what} on {backend}: {'; '.join(names + [f'{n} is left' for n in left])}")
        os.unlink(self.result)

    # ---- kills

    def die_at(self, arguments, phase):
        point = self.random.choice(PHASES[phase])
        process = self.start(arguments, point if point in ONCE else f"{point}:{self.random.randint(1, CHUNKS - 1)}")
        process.communicate()
        return process.returncode

    def kill_on_sight(self, arguments, phase):
        point = self.random.choice(PHASES[phase])
        count = 1 if point in ONCE else self.random.randint(1, CHUNKS - 1)
        delay = self.random.choice((0, 0, self.random.uniform(0, 2e-3)))
        process = self.start(arguments)
        while process.poll() is None and self.phases().count(point) < count:
            time.sleep(1e-4)
        time.sleep(delay)
        process.kill()
        process.communicate()
        return process.returncode

    def kill_some_time(self, arguments, backend):
        process = self.start(arguments)
        try:
            process.communicate(timeout=self.random.uniform(0, 1.1 * self.seconds[backend]))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        return process.returncode

    def kill(self, arguments, phase, backend):
        """True where the process was killed; counts in which phase."""
        way = self.random.choice(("point", "point", "sight", "time")) if phase else "time"
        if way == "point":
            code = self.die_at(arguments, phase)
        elif way == "sight":
            code = self.kill_on_sight(arguments, phase)
        else:
            code = self.kill_some_time(arguments, backend)
        if code == 0:
            return False
        if code != -signal.SIGKILL:
            raise Failure(f"{' '.join(arguments)} ends with {code}, {way}, {phase}")
        seen = self.phases()
        self.kills[phase_of(seen[-1] if seen else None, arguments[0] == "resume"), backend] += 1
        self.ways[way, backend] += 1
        return True

    def round(self, backend, phase):
        """One result, killed once or more; a phase that only a resumed run has is aimed at in one."""
        aims = [None if phase == "resume" else phase] + [phase] * self.random.randint(phase == "resume", ATTEMPTS - 1)
        arguments, killed = self.begin(backend), 0
        for aim in aims:
            if not self.kill(arguments, aim or "integration", backend):
                break
            killed += 1
            # Killed before its folder had a manifest: there is nothing to resume.
            there = os.path.exists(self.result) or os.path.exists(os.path.join(self.result + ".parts", "manifest.json"))
            arguments = self.resume(backend) if there else self.begin(backend)
        code, text = self.finish(arguments)
        if code:
            raise Failure(f"{' '.join(arguments)} after {killed} kills ends with {code}: {text}")
        self.deepest = max(self.deepest, killed)
        self.judge(backend, f"{killed} kills, aimed at {phase}")

    def missing(self, least, phases):
        return [(b, p) for b in self.whole for p in phases[b] if self.kills[p, b] < least]

    def campaign(self, least, phases):
        while cells := self.missing(least, phases):
            for backend, phase in cells:
                if self.kills[phase, backend] < least:
                    self.round(backend, phase)

    def print(self):
        print(f"{'phase':12}", *(f"{b:>8}" for b in self.whole), " result")
        for phase in ("start", *PHASES):
            counts = [self.kills[phase, b] for b in self.whole]
            if any(counts):
                print(f"{phase:12}", *(f"{count:8}" for count in counts), " every bit the same")
        total = sum(self.kills.values())
        ways = {"point": "at a point", "sight": "on sight", "time": "at a random time"}
        said = ", ".join(f"{sum(self.ways[w, b] for b in self.whole)} {text}" for w, text in ways.items())
        print(f"{total} kills ({said}), up to {self.deepest} of one result")

    # ---- disk full and read-only

    def broken(self, what, arguments, remedy, options=None):
        """The process must fail, say why, and the same result must come out once the cause is removed."""
        code, text = self.finish(arguments, **(options or {}))
        if code <= 0:
            raise Failure(f"{what}: exit code {code}: {text}")
        print(f"{what}: exit code {code}\n  " + text.strip().replace("\n", "\n  "))
        remedy()
        there = os.path.exists(os.path.join(self.result + ".parts", "manifest.json"))
        code, text = self.finish(self.resume("openmp") if there else self.begin("openmp"))
        if code:
            raise Failure(f"{what}, then resumed: exit code {code}: {text}")
        self.judge("openmp", what)
        print("  " + ("resumed: every bit the same" if there else "begun again: every bit the same"))

    def full_files(self, bytes_each, what):
        """Without root: files may not grow beyond a size. SIGXFSZ stays ignored as Python has it, so that writing fails."""
        limit = {"restore_signals": False,
                 "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_each, bytes_each))}
        self.broken(f"files limited to {bytes_each} bytes, {what}", self.begin("openmp"), lambda: None, limit)

    def folder_size(self):
        """Bytes on disk of the folder of chunks, just before the result is put together."""
        self.start(self.begin("openmp"), "assemble_start").communicate()
        parts = self.result + ".parts"
        size = sum(os.stat(os.path.join(parts, n)).st_blocks * 512 for n in os.listdir(parts))
        if self.finish(self.resume("openmp"))[0]:
            raise Failure("resume after the death before the assembly fails")
        self.judge("openmp", "killed before the assembly")
        return size

    def on_tmpfs(self, size, what, test):
        mount = tempfile.mkdtemp()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "omniroll-test", mount], check=True)
        try:
            inside = Campaign(self.program, mount, 0)
            inside.log, inside.whole, inside.seconds = self.log, self.whole, self.seconds
            test(inside, mount, what)
        finally:
            subprocess.run(["umount", mount], check=True)
            os.rmdir(mount)

    @staticmethod
    def remount(mount, options):
        subprocess.run(["mount", "-o", f"remount,{options}", mount], check=True)

    def disk_full(self, size, what):
        def test(inside, mount, text):
            inside.broken(text, inside.begin("openmp"), lambda: self.remount(mount, "size=64m"))
        self.on_tmpfs(size, f"disk of {size >> 10} KiB, {what}", test)

    def read_only(self, point, what):
        def test(inside, mount, text):
            inside.start(inside.begin("openmp"), point).communicate()
            self.remount(mount, "ro")
            inside.broken(text, inside.resume("openmp"), lambda: self.remount(mount, "rw"))
        self.on_tmpfs("64m", f"read-only disk, {what}", test)


def can_mount():
    if os.geteuid() != 0:
        return False
    folder = tempfile.mkdtemp()
    done = subprocess.run(["mount", "-t", "tmpfs", "omniroll-test", folder], stderr=subprocess.DEVNULL)
    if done.returncode == 0:
        subprocess.run(["umount", folder], check=True)
    os.rmdir(folder)
    return done.returncode == 0


def break_disks(campaign, short):
    chunks, result = campaign.folder_size(), campaign.size["openmp"]
    if can_mount():
        campaign.disk_full(chunks // 2 >> 12 << 12, "while chunks are written")
        if short:
            return
        campaign.disk_full((chunks + result // 2) >> 12 << 12, "while the result is put together")
        campaign.read_only("chunk:20", "while chunks are written")
        campaign.read_only("assemble:20", "while the result is put together")
    else:
        campaign.full_files(4096, "while chunks are written")
        campaign.full_files(result // 2, "while the result is put together")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=20, help="at least so many in each phase on each backend")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    folder = tempfile.mkdtemp()
    campaign = Campaign(os.path.abspath(given.program), folder, given.seed)
    try:
        for backend in BACKENDS:
            if not campaign.reference(backend):
                print(f"[PART] {backend}: not here")
        campaign.campaign(1 if given.short else given.kills, SHORT if given.short else {b: PHASES for b in BACKENDS})
        campaign.print()
        break_disks(campaign, given.short)
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
