"""What a GPU would execute, without one: compiles the kernels' text with clang for NVIDIA GPUs and ptxas, and reports registers,
stack, spills and the instructions of the time loop per kind of study, precision, architecture and register limit.

    /usr/bin/python3 tests/bench/ptx.py build/tests/kernel_text [--csv FILE] [--only NAME] [--arch sm_90] [--registers 128 ...]

Needs clang with the nvptx64 target and CUDA's ptxas; with nvdisasm too (in --tools FOLDER, or in PATH) it counts instructions. The
driver's own OpenCL compiler is another one: read the numbers as what the text allows, not as what it gives. The instructions are those
of the shortest way round the time loop: a pass in which no roller is exchanged and no division needs its slow way."""
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
FIXED = ['integrator={"step": "0.1 ms", "duration": "1 s"}']
STUDIES = {
    "lean": (FIRST, LEAN),
    "first": (FIRST, []),
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
CLASSES = {
    "double": ("DFMA", "DMUL", "DADD", "DSETP", "DMNMX"), "single": ("FFMA", "FMUL", "FADD", "FSETP", "FMNMX"),
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


class Instruction:
    def __init__(self, predicate, opcode, operands, comment):
        self.predicate, self.opcode, self.operands, self.meets = predicate, opcode, operands, None
        self.targets = re.findall(r"\.L_x_\d+", operands if opcode.startswith("BRA") else comment if opcode.startswith("BRX") else "")
        jumps = opcode.split(".")[0] in ("BRA", "BRX", "EXIT", "RET")
        self.falls_through = not jumps or bool(predicate) or bool(re.match(r"\s*!?U?P\d", operands))


def code_of(listing, kernel):
    """Basic blocks of a kernel, as lists of instructions, and the numbers of the blocks that follow each."""
    section = listing.split(f".section\t.text.{kernel},", 1)[1].split(".section\t", 1)[0]
    blocks, labels = [[]], {}
    for line in section.splitlines():
        label = re.match(r"\s*(\.L_x_\d+|[$.]?\w[\w$]*):", line)
        if label:
            if blocks[-1]:
                blocks.append([])
            labels[label.group(1)] = len(blocks) - 1
        found = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(@!?U?P\w+\s+)?([A-Z0-9_.]+)\s*([^;]*);(.*)", line)
        if found:
            blocks[-1].append(Instruction(*found.groups()))
            if blocks[-1][-1].targets or blocks[-1][-1].opcode.startswith("BSYNC") or not blocks[-1][-1].falls_through:
                blocks.append([])
    return blocks, flow_of(blocks, labels)


def flow_of(blocks, labels):
    """The blocks that follow each. Where threads meet (BSYNC), they go on at the label that the BSSY of the same barrier named: mostly
    the next instruction, or else that of the last one before."""
    follows, meeting = [], {}
    for block in blocks:
        for instruction in block:
            if instruction.opcode.startswith("BSSY"):
                barrier, label = re.match(r"(B\d+), `\((\.L_x_\d+)\)", instruction.operands).groups()
                instruction.meets = (barrier, labels[label])
                meeting.setdefault(barrier, set()).add(labels[label])
    last = {}
    for i, block in enumerate(blocks):
        last.update(instruction.meets for instruction in block if instruction.meets)
        falls = not block or block[-1].falls_through
        after = {i + 1} if falls and i + 1 < len(blocks) else set()
        if block and block[-1].opcode.startswith("BSYNC"):
            barrier = block[-1].operands.strip()
            if i + 1 not in meeting.get(barrier, ()) and barrier in last:
                after = {last[barrier]} | (after if block[-1].predicate else set())
        follows.append(after | {labels[t] for t in (block[-1].targets if block else [])})
    return follows


def reachable(follows, start, barred=None):
    seen, todo = set(), [start] if start != barred else []
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += [n for n in follows[at] if n != barred]
    return seen


def loops_of(follows):
    """Natural loops by their header: {header: (blocks, latches)}."""
    alive, before = reachable(follows, 0), {}
    for i in alive:
        for n in follows[i]:
            before.setdefault(n, []).append(i)
    loops = {}
    for header in alive:
        dominated = alive - reachable(follows, 0, header)
        latches = [i for i in before.get(header, []) if i in dominated]
        if latches:
            body, todo = {header}, list(latches)
            while todo:
                at = todo.pop()
                if at not in body:
                    body.add(at)
                    todo += before.get(at, [])
            loops[header] = (body, latches)
    return loops


def shortest(blocks, follows, body, start, ends, barred=()):
    """Blocks of the path of fewest instructions from start to the first of `ends`, inside a loop."""
    best, todo = {start: (len(blocks[start]), [start])}, {start}
    while todo:
        at = min(todo, key=lambda i: best[i][0])
        todo.discard(at)
        if at in ends:
            return best[at][1]
        for n in follows[at]:
            length = best[at][0] + len(blocks[n])
            if n in body and n not in barred and (n not in best or length < best[n][0]):
                best[n] = (length, best[at][1] + [n])
                todo.add(n)
    return []


def count(blocks, path):
    counts = dict.fromkeys(("all", *CLASSES), 0)
    for i in path:
        for instruction in blocks[i]:
            counts["all"] += 1
            for name, members in CLASSES.items():
                if instruction.opcode.split(".")[0] in members or instruction.opcode in members:
                    counts[name] += 1
    return counts


def arithmetic(blocks, path):
    counts = count(blocks, path)
    return counts["double"] + counts["single"]


def pass_counts(listing, kernel, stages):
    """Instructions of a pass in which nothing special happens, the shortest way round the time loop, with its stage loop (where the
    compiler left one) run as often as the method has stages."""
    blocks, follows = code_of(listing, kernel)
    loops = loops_of(follows)
    if not loops:
        return {}
    step = max(loops, key=lambda header: arithmetic(blocks, loops[header][0]))
    body, latches = loops[step]
    inner = {h: arithmetic(blocks, l[0]) for h, l in loops.items() if h != step and h in body and l[0] < body}
    cold = {i for i in body if any(instruction.opcode.startswith("CALL") for instruction in blocks[i])}
    stage = max(inner, key=inner.get, default=None)
    if stage is not None and inner[stage] < 0.2 * arithmetic(blocks, body):
        stage = None
    if stage is None:
        path = shortest(blocks, follows, body, step, latches, cold)
        if not path:
            return {}
        counts = count(blocks, path)
    else:
        once = count(blocks, shortest(blocks, follows, loops[stage][0], stage, loops[stage][1], cold))
        around = shortest(blocks, follows, body, step, [stage], cold)[:-1] + shortest(blocks, follows, body, stage, latches, cold)
        whole = count(blocks, around)
        counts = {name: whole[name] + (stages - 1) * once[name] for name in whole}
    counts["code"] = sum(len(block) for block in blocks)
    return {"pass_" + name: value for name, value in counts.items()}


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
                    stages = {"euler": 1, "rosenbrock": 2}.get(name, 4)
                    row.update(pass_counts(checked([nvdisasm, "-c", cubin]), "omr_advance", stages))
                yield row


def show(row):
    line = (f"{row['study']:<13}{row['precision']:<8}{row['arch']:<7}{row['max_registers']:>5}{row['registers']:>6}{row['stack_bytes']:>7}"
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
    print("study        precision arch  limit  regs  stack  spill  bytes    pass  double  single    mufu     LDL     STL     LDG    call"
          "  branch    move\n" + " " * 46 + "store   load   (instructions per pass)")
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
