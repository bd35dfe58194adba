"""The n-th allocation, system call, OpenCL call or pthread_create fails, in every command.

    nth_failure.py PROGRAM SHIM [--every N | --sample N --seed S] [--kinds memory,system,thread,opencl,library_memory] [--commands run,resume]
                   [--backend B] [--seconds S]

Each command of the list below runs once undisturbed, with its calls counted, and then again and again, each time with another call
failing: every one; every N-th one (from a place that changes with the command); or a sample, N calls of each command and kind, one drawn from
each N-th part of its calls (the same for the same seed). Seconds end a run early. Demanded is: no end by a signal; an
exit code of the program's list; a message on standard error where it is not 0; and never exit code 0 with another output, on standard
output or in the file that the command writes, than undisturbed. Threads: OMP_NUM_THREADS is 2.

KNOWN lists what cannot be demanded, with the reason; it is counted and printed.

The kind library_memory fails the allocations of HDF5, UDUNITS, OpenMP's runtime and the other libraries. An end by a signal is then the
library's own, and counted by library, as is an exit that the program tells of, whatever its code; an exit code of no list without a word, and
exit code 0 with another output or file, are wrong as everywhere.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CODES = range(1, 13)
STUDY = """{"title": "t", "model": "uk_wheel", "vary": [{"path": "drive.torque", "values": [-30, 20, 60]}],
 "integrator": {"step": "1 ms", "duration": "10 ms"}, "engine": {"backend": "BACKEND", "chunk": 2},
 "statistics": {"fail": "max_speed > 5 m/s"}, "output": {"trajectories": {"instances": [0], "interval": "2 ms"}}}"""
# What a library does of itself where memory or a thread is missing; nobody after it can catch that.
KNOWN = [
    ("PoCL", r"PTHREAD ERROR in pthread_scheduler_init"),
    ("libgomp", r"libgomp: (Out of memory|Thread creation failed)"),
    ("HDF5 or UDUNITS, which is told", r"omniroll: \w+ ended this process"),
    ("HDF5, UDUNITS or the linker", r"(cannot allocate memory|ERROR: ld\.so|error while loading shared libraries|Expat|terminate called)"),
]
# What differs from run to run.
VARYING = re.compile(rb"(wall|kernels?|prepare|build|transfer|speed|time|measured|statistics|per second|[0-9.]+ s\b|\d+ of \d+ MB|free in)[^\n]*")

# name: what has to be there before, arguments, file that it writes
COMMANDS = {
    "new": ((), ["new", "single", "-o", "new.json"], "new.json"),
    "new_list": ((), ["new", "--list", "--json"], None),
    "run": ((), ["run", "s.json", "-o", "r.h5"], "r.h5"),
    "run_hash": ((), ["run", "s.json", "--hash"], None),
    "resume": (("parts",), ["resume", "r.h5"], "r.h5"),
    "merge": (("parts", "rest"), ["merge", "-o", "m.h5", "r.h5.parts"], "m.h5"),
    "merge_virtual": (("parts", "rest"), ["merge", "--virtual", "-o", "m.h5", "r.h5.parts"], "m.h5"),
    "verify_virtual": (("virtual",), ["verify", "r.h5"], None),
    "export_virtual": (("virtual",), ["export", "r.h5", "--trajectories"], None),
    "validate": ((), ["validate", "s.json"], None),
    "validate_json": ((), ["validate", "--json", "s.json"], None),
    "validate_bad": ((), ["validate", "--json", "bad.json"], None),
    "sample": ((), ["sample", "s.json"], None),
    "describe": ((), ["describe", "uk_wheel"], None),
    "schema": ((), ["schema"], None),
    "describe_json": ((), ["describe", "uk_wheel", "--json"], None),
    "devices": ((), ["devices"], None),
    "devices_json": ((), ["devices", "--json"], None),
    "plan": ((), ["plan", "s.json"], None),
    "converge": ((), ["converge", "s.json", "--budget", "1"], None),
    "reference": ((), ["reference", "s.json", "--instances", "0"], None),
    # In 10 ms the wheel does 1e-7 J of work: within the absolute tolerance of the reference, unless that is small.
    "compare": ((), ["compare", "s.json", "--instances", "0", "--backend", "scalar", "--reference-tolerance", "1e-13", "--json"], None),
    "analyze": (("result",), ["analyze", "r.h5"], None),
    "analyze_json": (("result",), ["analyze", "r.h5", "--json"], None),
    "analyze_copy": (("result",), ["analyze", "r.h5", "-o", "copy.h5"], "copy.h5"),
    "export": (("result",), ["export", "r.h5"], None),
    "export_json": (("result",), ["export", "r.h5", "--trajectories", "--json"], None),
    "verify": (("result",), ["verify", "r.h5"], None),
    "verify_parts": (("parts",), ["verify", "r.h5.parts"], None),
    "report": (("result",), ["report", "r.h5", "-o", "r.html"], None),
    "figures": ((), ["figures", "--list"], None),
    "bench": ((), ["bench", "--section", "numerics", "--backend", "scalar", "--instances", "8", "--quick", "--rounds", "1", "--seconds", "0.01", "--json"], None),
    "selftest": ((), ["selftest", "--device", "scalar", "--json"], None),
    "help": ((), ["help", "run"], None),
    "help_json": ((), ["help", "--json"], None),
    "help_paths": ((), ["help", "--paths", "s.json"], None),
}
# Their outputs hold measured times, or tell what a driver did not give: exit code, message and file alone are demanded.
MEASURED = {"devices", "devices_json", "run", "resume", "merge", "merge_virtual", "plan", "converge", "bench", "run_hash", "compare", "reference", "report", "selftest"}
# They become Python, whose calls are not the program's.
PYTHON = {"report", "figures"}


class Trial:
    def __init__(self, program, shim, folder, backend):
        self.program, self.shim, self.folder, self.backend = program, shim, folder, backend
        (folder / "s.json").write_text(STUDY.replace("BACKEND", backend))
        (folder / "bad.json").write_text('{"model": "uk_wheel", "parametres": {}, "integrator": {"step": "1 kg"}}')
        self.who = folder / "who"
        self.kept = folder / "kept"
        self.kept.mkdir()
        self.plainly("run", "s.json", "-o", "kept/r.h5")
        self.plainly("run", "--shard", "1/2", "s.json", "-o", "kept/half.h5")
        shutil.copytree(self.kept / "half.h5.parts", self.kept / "whole.h5.parts")
        self.plainly("run", "--shard", "2/2", "s.json", "-o", "kept/other.h5")
        for path in (self.kept / "other.h5.parts").iterdir():
            if path.name.startswith("chunk"):
                shutil.copy(path, self.kept / "whole.h5.parts")
        shutil.copytree(self.kept / "whole.h5.parts", folder / "whole.h5.parts")
        self.plainly("merge", "--virtual", "-o", "virtual.h5", "whole.h5.parts")

    def environment(self, **more):
        return {**os.environ, "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "PASSIVE", "OMNIROLL_CACHE": "0", "LC_ALL": "C", **more}

    def plainly(self, *arguments):
        subprocess.run([self.program, *arguments], cwd=self.folder, env=self.environment(), check=True, capture_output=True)

    def prepare(self, needs):
        for name in "r.h5", "m.h5", "new.json", "copy.h5", "r.html":
            (self.folder / name).unlink(missing_ok=True)
        for name in "r.h5.parts", "m.h5.parts":
            shutil.rmtree(self.folder / name, ignore_errors=True)
        if "result" in needs:
            shutil.copy(self.kept / "r.h5", self.folder / "r.h5")
        if "virtual" in needs:
            shutil.copy(self.folder / "virtual.h5", self.folder / "r.h5")
        if "parts" in needs:
            shutil.copytree(self.kept / ("whole.h5.parts" if "rest" in needs else "half.h5.parts"), self.folder / "r.h5.parts")

    def run(self, name, kind, number, count=None):
        needs, arguments, written = COMMANDS[name]
        self.prepare(needs)
        environment = self.environment(LD_PRELOAD=self.shim, OMR_FAIL_KIND=kind, OMR_FAIL_AT=str(number))
        if count:
            environment["OMR_FAIL_COUNT"] = str(count)
        if kind == "library_memory":
            self.who.unlink(missing_ok=True)
            environment["OMR_FAIL_WHO"] = str(self.who)
        try:
            done = subprocess.run([self.program, *arguments], cwd=self.folder, env=environment, capture_output=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return -signal.SIGALRM, b"", b"hangs", None
        return done.returncode, done.stdout, done.stderr, self.content(written)

    def library(self):
        """Whose allocation failed, without folder and version."""
        return pathlib.Path(self.who.read_text()).name.split(".so")[0] if self.who.exists() else "none"

    def content(self, written):
        """What a result says, as its export, since the file itself has times; other files as they are."""
        path = self.folder / written if written else None
        if path is None or not path.exists():
            return None
        if path.suffix != ".h5":
            return path.read_bytes()
        done = subprocess.run([self.program, "analyze", "--json", path.name], cwd=self.folder, env=self.environment(), capture_output=True, check=False)
        rows = subprocess.run([self.program, "export", path.name], cwd=self.folder, env=self.environment(), capture_output=True, check=False)
        return done.stdout + rows.stdout if done.returncode == 0 == rows.returncode else b"cannot be read: " + done.stderr + rows.stderr


def lacks_devices(plain, output):
    """Whether a list of devices is shorter and does not say why."""
    before, now = json.loads(plain), json.loads(output)
    return len(now["devices"]) < len(before["devices"]) and not now["opencl_problem"]


def judge(name, plain, found):
    """What is wrong, or None."""
    code, output, errors, content = found
    if code < 0:
        return f"ended by signal {-code}" if errors != b"hangs" else "hangs"
    if code not in CODES and code != 0:
        return f"exit code {code}"
    if code != 0:
        return None if errors.strip() or code == plain[0] else f"exit code {code} without a message"
    if plain[0] != 0:
        return "exit code 0 where it was not"
    if name not in MEASURED and VARYING.sub(b"", output) != VARYING.sub(b"", plain[1]):
        return "exit code 0 with another output"
    if name == "devices_json" and lacks_devices(plain[1], output):
        return "exit code 0 with fewer devices"
    if content != plain[3]:
        return "exit code 0 with another file"
    return None


def known(errors):
    text = errors.decode(errors="replace")
    return next((reason for reason, pattern in KNOWN if re.search(pattern, text)), None)


def told(problem, errors):
    """Whether a library called exit and the program said so."""
    return problem.startswith("exit code ") and not problem.startswith("exit code 0") and b" ended this process" in errors


def numbers(name, kind, calls, options):
    """Which calls fail, each by itself."""
    calls = min(calls, options.first or calls)
    if options.sample:
        draw = random.Random(f"{options.seed} {kind} {name}")
        parts = min(options.sample, calls)
        return [draw.randrange(calls * i // parts, calls * (i + 1) // parts) + 1 for i in range(parts)]
    step = max(1, options.every)
    return range(1 + sum(map(ord, name)) % step, calls + 1, step)


def outcome(problem, found):
    """What an allocation of a library did that failed."""
    if problem:
        return f"{problem}, told" if told(problem, found[2]) else problem
    return "refused with a message" if found[0] != 0 else "did no harm"


def try_kind(trial, name, kind, options, until):
    """Trials, calls, list of failures, excused ones by reason."""
    count = trial.folder / "count"
    count.unlink(missing_ok=True)
    plain = trial.run(name, kind, 0, count)
    calls = int(count.read_text()) if count.exists() else 0
    excused = collections.Counter()
    if plain[0] not in (0, 3, 4):
        return 0, 0, [f"{name}: undisturbed it ends with {plain[0]}: {plain[2][-200:]!r}"], excused
    again = trial.run(name, kind, 0)
    if judge(name, plain, again):
        return 0, calls, [f"{name}: {judge(name, plain, again)} undisturbed"], excused
    done, wrong = 0, []
    for number in numbers(name, kind, calls, options):
        if time.monotonic() > until:
            break
        found = trial.run(name, kind, number)
        problem = judge(name, plain, found)
        done += 1
        if kind == "library_memory" and (not (problem or "").startswith("exit code") or told(problem, found[2])):
            excused[f"{trial.library()}: {outcome(problem, found)}"] += 1
        elif problem and known(found[2]):
            excused[known(found[2])] += 1
        elif problem:
            who = f" of {trial.library()}" if kind == "library_memory" else ""
            wrong.append(f"{name}: {kind} call {number} of {calls}{who} fails: {problem}; {found[2][-160:]!r}")
    return done, calls, wrong, excused


def has_device(program):
    """Whether there is one of OpenCL."""
    listed = subprocess.run([program, "devices", "--json"], capture_output=True, check=False)
    return listed.returncode == 0 and any(device["backend"] == "opencl" for device in json.loads(listed.stdout)["devices"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("--every", type=int, default=1, help="every N-th call")
    parser.add_argument("--sample", type=int, default=0, help="so many calls of each command and kind, spread over all of its calls")
    parser.add_argument("--first", type=int, default=0, help="none but the first N calls")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--kinds", default="memory,system,thread")
    parser.add_argument("--short-commands", metavar="LIST", default="", help="these alone with OMNIROLL_TESTS=short")
    parser.add_argument("--backend", default="scalar")
    parser.add_argument("--commands", default="")
    parser.add_argument("--seconds", type=float, default=1e9)
    options = parser.parse_args()
    if options.backend == "opencl" and not has_device(os.path.abspath(options.program)):
        print("there is no OpenCL device")
        return 77
    names = options.commands.split(",") if options.commands else list(COMMANDS)
    if options.short_commands and os.environ.get("OMNIROLL_TESTS") == "short":
        names = options.short_commands.split(",")
        print("[PART] faults/nth_failure: shortened by OMNIROLL_TESTS=short; tests/nightly.sh runs it whole")
    totals, wrong, pairs, all_excused = collections.Counter(), [], len(names) * len(options.kinds.split(",")), collections.Counter()
    start = time.monotonic()
    if options.sample:
        print(f"a sample of {options.sample} calls of each command and kind, seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(os.path.abspath(options.program), os.path.abspath(options.shim), pathlib.Path(folder), options.backend)
        for kind in options.kinds.split(","):
            for name in names:
                if name in PYTHON and kind != "system":
                    pairs -= 1
                    continue
                # An equal share of what is left; what one does not need is for those after it.
                left = (options.seconds - (time.monotonic() - start)) / pairs
                pairs -= 1
                done, calls, found, excused = try_kind(trial, name, kind, options, time.monotonic() + left)
                totals[kind] += done
                wrong += found
                all_excused += excused
                print(f"{kind:7} {name:14} {done:6} of {calls} calls, {len(found)} wrong" + "".join(f"; {n} by {r}" for r, n in excused.items()), flush=True)
    for line in [*wrong, *(f"{n} by {reason}" for reason, n in sorted(all_excused.items()))]:
        print(line)
    print(", ".join(f"{n} of kind {kind}" for kind, n in totals.items()))
    print(f"{sum(totals.values())} failures injected in {time.monotonic() - start:.0f} s, {len(wrong)} wrong")
    return wrong != []


if __name__ == "__main__":
    sys.exit(main())
