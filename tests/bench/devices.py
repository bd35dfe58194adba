"""What can be known of devices that are not here: compilers alone, drivers for processors, and drivers with wrong flags. One table.

    python3 tests/bench/devices.py build/release [--rows 1 2 ...] [--csv tests/bench/results/devices.csv]
    python3 tests/bench/devices.py build/release --every-study tests/bench/results/studies-sm_90.csv
    python3 tests/bench/devices.py build/release --devices          # row 6: the drivers that are here
    python3 tests/bench/devices.py build/release --first-minutes    # where a GPU is

A row whose tools are not here says which package it wants; tools are looked for in PATH. A line that ran replaces its like in the
CSV, and what grew by more than a tenth since is said. Exit code 1: a bar is not met; 77: nothing could run.

The drivers' own compilers are others: read the numbers as what the text allows. `pass` counts the instructions of a pass."""
import argparse
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

import compilers
from compilers import HERE, ROOT, Kernel, Missing, Refused, checked, tool

FIRST = "studies/first.json"
CUT = ["parameters.overlap=allow", "parameters.wheel.tip_radius=8 mm"]
LEAN = ['output={"observables": ["final_x", "final_z", "final_yaw"]}',
        "parameters.wheels=[" + ", ".join('{"drive": {"type": "constant", "torque": %s}}' % t for t in (-0.45, 0.22, 0.3)) + "]"]
FIXED = ['integrator={"step": "0.1 ms", "duration": "1 s"}']
STUDIES = {
    "lean": (FIRST, LEAN),
    "first": (FIRST, []),
    "yardstick": ("tests/bench/yardstick.json", ['integrator={"method": "ros2", "tolerance": 1e-3, "duration": "1 s"}']),
    "command": (FIRST, ['parameters.command={"type": "constant", "vx": 0.5}']),
    "euler": (FIRST, LEAN + ["integrator.method=semi_implicit_euler"]),
    "rosenbrock": (FIRST, LEAN + ["integrator.method=rosenbrock"]),
    "rolling": (FIRST, LEAN + CUT + ['parameters.contact={"law": "ideal_rolling"}']),
    "relaxed": (FIRST, LEAN + CUT + ['parameters.contact={"law": "udwadia_kalaba"}']),
    "bearing": (FIRST, LEAN + ["parameters.wheel.roller.bearing=1e-4"]),
    "mecanum": ("studies/mecanum_square.json", ['integrator={"method": "rosenbrock", "step": "0.5 ms", "duration": "6.4 s"}']),
    "testbench": ("studies/testbench.json", FIXED),
    "uk_wheel": ("studies/uk_driving_20.json", []),
    "rolling_disc": ("studies/euler_disc.json", FIXED),
    "disc_ideal": ("studies/disc_ideal.json", []),
    "snakeboard": ("studies/snakeboard_drive.json", []),
    "wheelset": ("studies/wheelset.json", []),
}
STAGES = {"euler": 1, "rosenbrock": 2, "yardstick": 3}
BAR = 60  # s of a core that a kernel may take
COLUMNS = ("row", "study", "precision", "target", "variant", "tool")
GROW = ("clang_seconds", "assembler_seconds", "registers", "stack_bytes", "spill_store_bytes", "spilled_registers")
WRONG_FLAGS = ("-cl-denorms-are-zero", "-cl-mad-enable", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math")
GROUPS, DEPTHS = (1, 7, 32, 33, 64, 128, 255, 256), (1, 2, 8)
SMALL = "tests/parity/one_wheel.json"
LITTLE = ["design.instances=300", "engine.lanes=1", "engine.launch_seconds=2 ms", "integrator.duration=50 ms"]


class Table:
    """Rows as they come, beside those that are kept."""

    def __init__(self, path):
        self.path, self.rows, self.bad, self.kept = path, [], False, []
        if path and os.path.exists(path):
            with open(path, newline="") as f:
                self.kept = list(csv.DictReader(f))

    def add(self, **row):
        said = {name: row.pop(name, "") for name in COLUMNS}
        row = {**said, **row}
        self.rows.append(row)
        slow = sum(float(row.get(name, 0)) for name in ("clang_seconds", "assembler_seconds")) > BAR
        if slow:
            row["verdict"] = f"BAD: more than {BAR} s"
        self.bad = self.bad or str(row.get("verdict", "")).startswith("BAD")
        shown = [f"{name.replace('_bytes', '').replace('_seconds', ' s')} {value}" for name, value in row.items()
                 if name not in COLUMNS and not name.startswith("pass_") and value != ""]
        if self.path:
            self.write()
        print(f"{row['row']:<3}{row['study']:<11}{row['precision']:<7}{row['target']:<9}{row['variant']:<20}{'  '.join(shown)}{self.grown(row)}",
              flush=True)

    def grown(self, row):
        before = [old for old in self.kept if all(str(row[name]) == old[name] for name in COLUMNS[:5])]
        notes = [f"{name} was {old[name]}" for old in before[:1] for name in GROW
                 if old.get(name) and str(row.get(name, "")) != "" and float(row[name]) > 1.1 * float(old[name]) + 1]
        return "  GREW: " + ", ".join(notes) if notes else ""

    def write(self):
        ran = {tuple(str(row[name]) for name in COLUMNS[:5]) for row in self.rows}
        rows = sorted([old for old in self.kept if tuple(old[name] for name in COLUMNS[:5]) not in ran] + self.rows,
                      key=lambda row: int(row["row"]))
        write_csv(self.path, rows)


def write_csv(path, rows):
    keys = list(dict.fromkeys(key for row in rows for key in row))
    with open(path, "w", newline="") as f:
        writer = csv.DictWriter(f, keys, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


class Bench:
    def __init__(self, arguments, folder):
        self.build, self.arguments, self.folder = arguments.build, arguments, folder
        self.program, self.kernel_text = (os.path.join(arguments.build, name) for name in ("omniroll", "tests/kernel_text"))
        self.table = Table(arguments.csv)

    def kernels(self, names, precisions):
        for name in self.arguments.studies or names:
            for precision in self.arguments.precision or precisions:
                yield Kernel(self.kernel_text, self.folder, name, *STUDIES[name], precision)

    def add(self, row, kernel, target, variant="", used="", **columns):
        self.table.add(row=row, study=kernel.name, precision=kernel.precision, target=target, variant=variant, tool=used, **columns)

    def measure(self, row, kernel, target, variant, used, compiler):
        """A row of what the compiler gives; one that it refuses ends no other."""
        try:
            columns = compiler()
            self.add(row, kernel, target, variant, columns.pop("tool", used), **columns)
        except Refused as why:
            self.add(row, kernel, target, variant, used, verdict=f"BAD: {str(why)[:300]}")


# ---- rows 1 to 5 and 9: compilers

BOTH = ("double", "single")


def clang_tool(oldest=14):
    return f"clang {compilers.version_of(compilers.clang(oldest))}"


def nvidia_tools():
    return f"{clang_tool()}, ptxas {compilers.version_of(compilers.ptxas())}"


def row_1(bench):
    for kernel in bench.kernels(("lean", "first", "yardstick"), BOTH):
        seconds = compilers.make_ptx(kernel, limit=10 * BAR)
        for arch in bench.arguments.arch or ("sm_80", "sm_90", "sm_100", "sm_120"):
            for most in bench.arguments.registers:
                bench.add(1, kernel, arch, f"{most} registers" if most else "", nvidia_tools(), clang_seconds=seconds,
                          **compilers.nvidia(kernel, arch, most, STAGES.get(kernel.name, 4), 10 * BAR))


def row_2(bench):
    for kernel in bench.kernels(("first", "yardstick"), BOTH):
        compilers.make_ptx(kernel)
        found = compilers.roundings(kernel, "sm_90")
        good = not found["unrounded"] and found.get("fused", "no") == "no" and found.get("fused_if_loose", "yes") == "yes"
        bench.add(2, kernel, "sm_90", used=found.pop("tool"), **found, verdict="good" if good else "BAD: something may be fused")
    for kernel in () if bench.arguments.short else bench.kernels(("wheelset",), ("double",)):
        found = compilers.amd_fuses(kernel, "gfx942")
        bench.add(2, kernel, "gfx942", used=clang_tool(19), **found,
                  verdict="good" if found["fused"] == "no" else "BAD: the pragma is not obeyed")


def row_3(bench):
    for kernel in bench.kernels(("lean", "first"), BOTH):
        for cpu in ("gfx90a", "gfx942", "gfx1100", "gfx1201"):
            bench.measure(3, kernel, cpu, "", clang_tool(19), lambda cpu=cpu: compilers.amd(kernel, cpu, limit=10 * BAR))


def row_4(bench):
    for kernel in bench.kernels(("lean", "first"), BOTH):
        for device in ("pvc", "dg2") if kernel.precision == "single" else ("pvc",):
            bench.measure(4, kernel, device, "", "", lambda device=device: compilers.intel(kernel, device, limit=10 * BAR))


def row_5(bench):
    for kernel in bench.kernels(("first", "yardstick"), BOTH):
        found = compilers.spirv(kernel)
        good = found["contraction_off"] == 2 and found["fused"] == "no"
        bench.add(5, kernel, "spirv 1.2", **found, verdict="valid" if good else "BAD: ContractionOff is missing")


def row_9(bench):
    for kernel in bench.kernels(("lean", "first"), ("double",)):
        for variant in compilers.VARIANTS:
            seconds = compilers.make_ptx(kernel, variant)
            bench.add(9, kernel, "sm_90", variant, nvidia_tools(), clang_seconds=seconds,
                      **compilers.nvidia(kernel, "sm_90", stages=STAGES.get(kernel.name, 4)))
    for kernel in bench.kernels(("first",), ("double",)):
        for variant in compilers.VARIANTS:
            for compiler, target in ((compilers.amd, "gfx942"), (compilers.intel, "pvc")):
                try:
                    bench.measure(9, kernel, target, variant, "", lambda: compiler(kernel, target, variant, 10 * BAR))
                except Missing as lacking:
                    print(f"9  {target} skipped: {lacking}", flush=True)
    for variant in ("", "cold parts as calls"):
        flags = " ".join(compilers.VARIANTS[variant][0])
        speeds, seconds, hashes = [], [], set()
        for _ in range(3):
            run = bench_run(bench, FIRST, ["integrator.duration=1 s", "design.instances=256"], POCL_EXTRA_BUILD_FLAGS=flags,
                            POCL_CACHE_DIR=tempfile.mkdtemp(dir=bench.folder))
            speeds.append(float(run["steps_per_second"]))
            seconds.append(float(run["build_seconds"]))
            hashes.add(run["hash"])
        bench.table.add(row=9, study="first", precision="double", target="PoCL", variant=variant, clang_seconds=round(min(seconds), 2),
                        million_steps_per_second=round(max(speeds) / 1e6, 3), hash=" ".join(sorted(hashes)))


# ---- rows 6 to 8: drivers

def pocl_environment(bench, **more):
    icd = "/etc/OpenCL/vendors/pocl.icd"
    if not os.path.exists(icd):
        raise Missing("PoCL: apt-get install pocl-opencl-icd")
    cache = os.path.join(bench.folder, "pocl")
    os.makedirs(cache, exist_ok=True)
    return {**os.environ, "OCL_ICD_VENDORS": icd, "OMNIROLL_CACHE": "0", "POCL_CACHE_DIR": cache, **more}


def bench_run(bench, study, settings, **environment):
    """A run on PoCL: the fields of its JSON that are looked at."""
    command = [bench.program, "run", os.path.join(ROOT, study), "--backend", "opencl", "--hash", "--json"]
    for setting in settings:
        command += ["--set", setting]
    out, _ = checked(command, env=pocl_environment(bench, **environment))
    return dict(re.findall(r'^ *"(hash|steps_per_second|build_seconds|kernel_seconds|work_group)": "?([^",]+)"?', out, re.M))


def row_6(bench):
    command = ["sh", os.path.join(ROOT, "tests/opencl/drivers.sh"), "-t", "180", "-b", str(min(bench.arguments.seconds, 200))]
    found = drivers_of(bench, command, os.environ)
    for icd in bench.arguments.icds:
        found += drivers_of(bench, command + ["-d", "PoCL"], {**os.environ, "POCL_ICD": icd})
    if not found:
        raise Missing("drivers: apt-get install pocl-opencl-icd oclgrind mesa-opencl-icd libclc-15, and tests/opencl/drivers.sh -i")


def drivers_of(bench, command, environment):
    """Rows of the table that drivers.sh prints, of the drivers that it finds."""
    done = subprocess.run(command + [bench.program], capture_output=True, text=True, env=environment, check=False)
    lines = [[part.strip() for part in line.split(" | ")] for line in done.stdout.splitlines() if line.count(" | ") == 6][1:]
    print("\n".join(line for line in done.stdout.splitlines() if line.startswith("[PART]") or "other bits" in line or "exit code" in line))
    for driver, device, selftest, double, single, speed, seconds in lines:
        wrong = re.search(rf"^{driver} .*other bits", done.stdout, re.M) if driver != "rusticl" else None
        bench.table.add(row=6, target=driver, tool=device, selftest=selftest, bits_double=double, bits_single=single, speed_over_openmp=speed,
                        compile_seconds=seconds, verdict="BAD: other bits" if wrong else "")
    return lines


def row_7(bench):
    """PoCL gets flags behind the program's back: where they change a result, the self-test has to say so."""
    hashes = {}
    for flag in ("",) + WRONG_FLAGS:
        environment = pocl_environment(bench, POCL_EXTRA_BUILD_FLAGS=flag)
        found = probe(bench, environment)
        for precision in BOTH:
            try:
                value = bench_run(bench, SMALL, LITTLE + [f"engine.precision={precision}"], POCL_EXTRA_BUILD_FLAGS=flag)["hash"]
            except Refused as why:
                if "gives wrong numbers" not in str(why):
                    raise
                value = "the run ended"
            same = hashes.setdefault(precision, value) == value
            wrong = ", ".join(f"{name}: {count}" for name, count in found[precision].items() if count)
            verdict = "found" if wrong else "nothing changes" if same else "BAD: other bits, and nothing is found"
            bench.table.add(row=7, study="one_wheel", precision=precision, target="PoCL", variant=flag or "no wrong flag", wrong=wrong or "nothing",
                            bits="same" if same else value if " " in value else "other", verdict=verdict)


def probe(bench, environment):
    """Wrong results by precision and operation, as `omniroll selftest` finds them."""
    done = subprocess.run([bench.program, "selftest", "--device", "Portable", "--json"], capture_output=True, text=True, env=environment,
                          check=False)
    rows = [row for row in json.loads(done.stdout)["checks"] if row["check"] == "rounding"]
    return {row["precision"]: {o["operation"]: o["wrong"] for o in row["operations"]} for row in rows}


def row_8(bench):
    shim = os.path.join(bench.build, "tests/libdevice_shim.so")
    runs = [(f"groups of {group}", [f"engine.work_group={group}"], {}) for group in (GROUPS[:4:3] if bench.arguments.short else GROUPS)]
    runs += [(f"{depth} launches queued", [], {"LD_PRELOAD": shim, "OMNIROLL_SHIM_QUEUE": str(depth)}) for depth in DEPTHS]
    runs += [("at most 2 queued", [], {"LD_PRELOAD": shim})]  # or the shim ends the process
    first = None
    for variant, settings, environment in runs:
        value = bench_run(bench, SMALL, LITTLE + settings, **environment)["hash"]
        first = first or value
        bench.table.add(row=8, study="one_wheel", precision="double", target="PoCL", variant=variant, hash=value,
                        verdict="same" if value == first else "BAD: other bits")


ROWS = {1: row_1, 2: row_2, 3: row_3, 4: row_4, 5: row_5, 6: row_6, 7: row_7, 8: row_8, 9: row_9}


# ---- every ready study on sm_90

def every_study(bench, path):
    """One line for each different kernel, written as it is done; goes on where it was stopped."""
    rows = []
    if os.path.exists(path):
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
    by_kernel = {row["kernel"]: row for row in rows}
    text = hashlib.sha256(checked([bench.kernel_text])[0].encode()).hexdigest()[:8]
    for study in bench.arguments.studies or compilers.studies_of("studies/*.json"):
        precision = "double"
        try:
            kernel = Kernel(bench.kernel_text, bench.folder, study, study, [], precision)
        except Refused as why:
            print(f"{study}: no kernel: {str(why).splitlines()[-1][:120]}", flush=True)
            continue
        name = hashlib.sha256(" ".join(kernel.options).encode()).hexdigest()[:8] + "-" + text
        short = os.path.basename(study)[:-5]
        if name in by_kernel:
            seen = by_kernel[name]["studies"].split()
            if short not in seen:
                by_kernel[name]["studies"] = " ".join(seen + [short])
                write_csv(path, rows)
            continue
        row = {"kernel": name, "studies": short, "precision": precision, "clang_seconds": compilers.make_ptx(kernel, limit=10 * BAR)}
        row.update(compilers.nvidia(kernel, "sm_90", limit=10 * BAR))
        row = {key: value for key, value in row.items() if not key.startswith("pass_") or key == "pass_code"}
        with open(kernel.out(".ptx")) as f:
            ptx = f.read()
        row["unrounded"] = len(re.findall(r"\b(?:mul|add|sub|mad)(?:\.ftz)?\.f(?:32|64)\b", ptx))
        row["constant_bytes"] = compilers.constant_bytes(ptx)
        by_kernel[name] = row
        rows.append(row)
        write_csv(path, rows)
        print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)
    worst = max(rows, key=lambda row: float(row["clang_seconds"]) + float(row["assembler_seconds"]))
    total = float(worst["clang_seconds"]) + float(worst["assembler_seconds"])
    print(f"{len(rows)} kernels; the longest: {worst['studies']}, {total:.1f} s of a core; the bar is {BAR} s")
    return 1 if total > BAR or any(int(row["unrounded"]) for row in rows) else 0


def first_minutes(bench):
    """What to do first where a GPU is, in this order: compile, self-test, bits, speed (single and lean first), un-rounded PTX."""
    out = bench.arguments.out
    more = ["-a"] if bench.arguments.processors else []
    return subprocess.run(["sh", os.path.join(HERE, "gpu.sh"), "-m", "-t", str(bench.arguments.seconds), "-o", out, "-p", bench.program, *more],
                          check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder of the build: omniroll, tests/kernel_text and tests/libdevice_shim.so are taken from there")
    parser.add_argument("--rows", nargs="+", type=int, choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--short", action="store_true", help="rows 2 and 8: less of them, as a test")
    parser.add_argument("--csv", help="kept rows: compared, and written again")
    parser.add_argument("--studies", nargs="+", help="of " + ", ".join(STUDIES) + "; with --every-study paths")
    parser.add_argument("--precision", nargs="+", choices=BOTH)
    parser.add_argument("--arch", nargs="+", help="of NVIDIA, for row 1")
    parser.add_argument("--registers", nargs="+", type=int, default=[0], help="limits of ptxas, for row 1; 0: none")
    parser.add_argument("--every-study", metavar="CSV", help="compiles every ready study for sm_90; goes on where it was stopped")
    parser.add_argument("--devices", action="store_true", help="row 6 alone")
    parser.add_argument("--icds", nargs="*", default=[], help="row 6: files of vendors (.icd) of other builds of PoCL")
    parser.add_argument("--first-minutes", action="store_true", help="where a GPU is: gpu.sh -m")
    parser.add_argument("--processors", action="store_true", help="with --first-minutes: processors too (PoCL), to try it out")
    parser.add_argument("--seconds", type=int, default=440, help="budget of --first-minutes; of a driver and precision in row 6")
    parser.add_argument("--out", default=os.environ.get("OUT", "gpu-results"), help="folder of --first-minutes")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, folder)
        if arguments.first_minutes:
            return first_minutes(bench)
        if arguments.every_study:
            return every_study(bench, arguments.every_study)
        ran = False
        for number in [6] if arguments.devices else arguments.rows:
            try:
                ROWS[number](bench)
                ran = True
            except Missing as lacking:
                print(f"{number:<3}skipped: {lacking}", flush=True)
            except Refused as why:
                bench.table.add(row=number, verdict=f"BAD: {why}")
    return 1 if bench.table.bad else 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main())
