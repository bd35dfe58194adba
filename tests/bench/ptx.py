"""What a GPU would execute, without one: compiles the kernels' text with clang for NVIDIA GPUs and ptxas, and reports registers,
stack, spills and the instructions of the time loop per kind of study, precision, architecture and register limit.

    /usr/bin/python3 tests/bench/ptx.py build/tests/kernel_text [--csv FILE] [--only NAME] [--arch sm_90] [--registers 128 ...]

Needs clang with the nvptx64 target and CUDA's ptxas; with nvdisasm too (in --tools FOLDER, or in PATH) it counts instructions. The
driver's own OpenCL compiler is another one: read the numbers as what the text allows, not as what it gives. Loops run from a label to
a branch back to it; "step" is the largest (one pass of the integrator), "stage" the largest inside it. Counts are static: code that
only exchanges run is in them, and a stage loop that is not unrolled runs four times in RK4 ("per pass" counts it so)."""
import argparse
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FIRST = "studies/first.json"
CUT = ["parameters.overlap=allow", "parameters.wheel.tip_radius=8 mm"]
LEAN = ['output={"observables": ["final_x", "final_z", "final_yaw"]}',
        "parameters.wheels=[" + ", ".join('{"drive": {"type": "constant", "torque": %s}}' % t for t in (-0.45, 0.22, 0.3)) + "]"]
STUDIES = {
    "lean": (FIRST, LEAN),
    "first": (FIRST, []),
    "command": (FIRST, ['parameters.command={"type": "constant", "vx": 0.5}']),
    "euler": (FIRST, LEAN + ["integrator.method=semi_implicit_euler"]),
    "rosenbrock": (FIRST, LEAN + ["integrator.method=rosenbrock"]),
    "rolling": (FIRST, LEAN + CUT + ['parameters.contact={"law": "ideal_rolling"}']),
    "relaxed": (FIRST, LEAN + CUT + ['parameters.contact={"law": "udwadia_kalaba"}']),
    "bearing": (FIRST, LEAN + ["parameters.wheel.roller.bearing=1e-4"]),
    "mecanum": ("studies/mecanum_square.json", []),
    "testbench": ("studies/testbench.json", []),
}
CLASSES = {
    "double": ("DFMA", "DMUL", "DADD", "DSETP", "DMNMX"), "single": ("FFMA", "FMUL", "FADD", "FSETP", "FMNMX", "FSEL", "FCHK"),
    "mufu": ("MUFU",), "local_load": ("LDL",), "local_store": ("STL",), "global_load": ("LDG", "LD"), "global_store": ("STG", "ST"),
    "constant_load": ("LDC", "ULDC"), "call": ("CALL",), "branch": ("BRA", "BSSY", "BSYNC", "WARPSYNC", "RET"),
    "move": ("MOV", "IMAD.MOV.U32", "IMAD.MOV", "SEL", "FSEL", "UMOV", "CS2R")}


def tool(name, folder=None):
    """Path of a tool; None where there is none."""
    places = [folder] if folder else []
    places += os.environ.get("PATH", "").split(os.pathsep) + ["/usr/local/cuda/bin"]
    return shutil.which(name, path=os.pathsep.join(places))


def checked(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-3000:]}")
    return done.stdout + done.stderr


def compile_text(kernel_text, text, study, overrides, precision, out):
    """PTX of the text with the options that the program would pass."""
    options = checked([kernel_text, os.path.join(ROOT, study), precision, "1"] + overrides).split()
    options = [o for o in options if o.startswith("-D")]
    checked([tool("clang") or tool("clang-14"), "-x", "cl", "-cl-std=CL1.2", "-target", "nvptx64-nvidia-cuda", "-Xclang", "-target-cpu",
             "-Xclang", "sm_80", "-Xclang", "-target-feature", "-Xclang", "+ptx72", "-O3", "-ffp-contract=off", "-fno-math-errno", "-w",
             "-include", os.path.join(HERE, "ptx_builtins.h")] + options + ["-S", "-o", out, text])


def resources(log, kernel):
    """Registers, stack, spill stores and loads that ptxas reports for a kernel."""
    at = log.index(f"Compiling entry function '{kernel}'")
    own = log[at:].split("Compiling entry function", 2)[1]
    stack, stores, loads = map(int, re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", own).groups())
    return {"registers": int(re.search(r"Used (\d+) registers", own).group(1)), "stack_bytes": stack, "spill_store_bytes": stores,
            "spill_load_bytes": loads}


def code_of(listing, kernel):
    """Instructions of a kernel: (labels before it, opcode, operands), the subroutines of division and square root too."""
    section = listing.split(f".section\t.text.{kernel},", 1)[1].split(".section\t", 1)[0]
    code, labels = [], []
    for line in section.splitlines():
        label = re.match(r"\s*(\.L_x_\d+|\$?\w+\$?\w*):", line)
        if label:
            labels.append(label.group(1))
        found = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_.]+)\s*([^;]*);", line)
        if found:
            code.append((labels, found.group(1), found.group(2)))
            labels = []
    return code


def loops_of(code):
    """(first, last) of every loop, the longest first."""
    where = {label: i for i, (labels, _, _) in enumerate(code) for label in labels}
    found = {}
    for i, (_, opcode, operands) in enumerate(code):
        target = re.search(r"`\((\.L_x_\d+)\)", operands)
        if opcode.startswith("BRA") and target and where.get(target.group(1), i + 1) < i:
            start = where[target.group(1)]
            found[start] = max(found.get(start, 0), i)
    return sorted(found.items(), key=lambda loop: loop[0] - loop[1])


def count(code, first, last):
    counts = {name: 0 for name in CLASSES}
    counts["all"] = last - first + 1
    for _, opcode, _ in code[first:last + 1]:
        base = opcode.split(".")[0]
        for name, members in CLASSES.items():
            if base in members or opcode in members:
                counts[name] += 1
    return counts


def step_counts(code, method):
    """Counts of one pass: the time loop with its stage loop as often as the method has stages."""
    loops = loops_of(code)
    if not loops:
        return {}
    step = loops[0]
    counts = count(code, *step)
    size = counts["all"]
    inner = [l for l in loops[1:] if l[0] >= step[0] and l[1] <= step[1] and l[1] - l[0] > size // 5]
    stages = {"euler": 1, "rosenbrock": 2}.get(method, 4)
    result = {"step_" + name: value for name, value in counts.items()}
    stage = count(code, *inner[0]) if inner else {name: 0 for name in counts}
    result.update({"stage_" + name: value for name, value in stage.items()})
    result.update({"pass_" + name: counts[name] + (stages - 1) * stage[name] for name in counts})
    return result


def study_rows(arguments, name, text, folder):
    study, overrides = STUDIES[name]
    for precision in arguments.precision:
        ptx = os.path.join(folder, "kernel.ptx")
        compile_text(arguments.kernel_text, text, study, overrides, precision, ptx)
        for arch in arguments.arch:
            for limit in arguments.registers:
                cubin = os.path.join(folder, "kernel.cubin")
                log = checked([tool("ptxas", arguments.tools), "-v", f"-arch={arch}", f"--maxrregcount={limit}", "-o", cubin, ptx])
                row = {"study": name, "precision": precision, "arch": arch, "max_registers": limit, **resources(log, "omr_advance")}
                nvdisasm = tool("nvdisasm", arguments.tools)
                if nvdisasm:
                    row.update(step_counts(code_of(checked([nvdisasm, "-c", cubin]), "omr_advance"), name))
                yield row


def show(row):
    line = (f"{row['study']:<11}{row['precision']:<8}{row['arch']:<7}{row['max_registers']:>5}{row['registers']:>6}{row['stack_bytes']:>7}"
            f"{row['spill_store_bytes']:>7}{row['spill_load_bytes']:>7}")
    if "pass_all" in row:
        line += "".join(f"{row['pass_' + key]:>8}" for key in ("all", "double", "single", "mufu", "local_load", "local_store",
                                                                "global_load", "call", "branch", "move"))
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel_text", help="the program of that name in the build's folder tests")
    parser.add_argument("--csv")
    parser.add_argument("--only", action="append", choices=list(STUDIES))
    parser.add_argument("--precision", nargs="+", default=["double", "single"])
    parser.add_argument("--arch", nargs="+", default=["sm_90"])
    parser.add_argument("--registers", nargs="+", type=int, default=[128, 168, 255])
    parser.add_argument("--tools", help="folder with ptxas and nvdisasm")
    parser.add_argument("--text", help="kernel text to compile in place of the embedded one")
    arguments = parser.parse_args()
    rows = []
    print("study      precision arch  limit  regs  stack  spill  bytes    pass  double  single    mufu     LDL     STL     LDG    call"
          "  branch    move\n" + " " * 44 + "store   load   (static instructions per pass)")
    with tempfile.TemporaryDirectory() as folder:
        text = arguments.text
        if not text:
            text = os.path.join(folder, "kernels.cl")
            with open(text, "w") as f:
                f.write(checked([arguments.kernel_text]))
        for name in arguments.only or STUDIES:
            for row in study_rows(arguments, name, text, folder):
                rows.append(row)
                show(row)
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as f:
            keys = list(dict.fromkeys(key for row in rows for key in row))
            writer = csv.DictWriter(f, keys, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
