"""The kernels through offline compilers, as GPU drivers would get them: NVIDIA's and AMD's by clang, Intel's by ocloc, SPIR-V by
llvm-spirv. Each function gives a row's columns, or raises Missing with the package that it wants."""
import glob
import os
import re
import resource
import shutil
import signal
import subprocess

import sass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STATED = "__attribute__((reqd_work_group_size(OMR_GROUP, 1, 1)))"
VARIANTS = {"": ([], lambda text: text), "cold parts as calls": (["-DFN_COLD=FN_CALL"], lambda text: text),
            "no stated group": ([], lambda text: text.replace(STATED, ""))}
AMD_FIELDS = {"registers": "VGPRs", "scalar_registers": "TotalSGPRs", "stack_bytes": "ScratchSize [bytes/lane]",
              "occupancy": "Occupancy [waves/SIMD]", "spilled_registers": "VGPRs Spill"}


class Missing(Exception):
    """A tool is not here; the text says what to install."""


class Refused(Exception):
    """A compiler ended with an error, or took too long."""


def tool(names, package):
    """The first of these programs that is here."""
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/local/cuda/bin"
    for name in names:
        found = shutil.which(name, path=path)
        if found:
            return found
    raise Missing(f"{' or '.join(names)}: {package}")


def checked(command, limit=None, **more):
    """Output and errors of a command, and its processor time in seconds, of which `limit` are the most."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if limit:
        more["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Refused(f"{os.path.basename(command[0])} took more than {limit} s of a core")
    if done.returncode:
        raise Refused(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout + done.stderr, round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 2)


def clang(oldest=14):
    return tool([f"clang-{v}" for v in range(22, oldest - 1, -1)], f"apt-get install clang-{'22' if oldest > 16 else '14'}")


def version_of(program):
    return re.search(r"\d+\.\d+(\.\d+)?", checked([program, "--version"])[0].split("release ")[-1]).group()


class Kernel:
    """The text of the kernels with the options of a study."""

    def __init__(self, kernel_text, folder, name, study, overrides, precision):
        self.name, self.precision, self.folder, self.text = name, precision, folder, os.path.join(folder, "kernels.cl")
        if not os.path.exists(self.text):
            with open(self.text, "w") as f:
                f.write(checked([kernel_text])[0])
        listed = checked([kernel_text, os.path.join(ROOT, study), precision, "1"] + overrides)[0].split()
        self.options = [option for option in listed if option.startswith("-D")]

    def variant(self, name, group):
        """Path of the text and the options of a variant."""
        more, change = VARIANTS[name]
        path = os.path.join(self.folder, f"kernels-{name.replace(' ', '-') or 'now'}.cl")
        if not os.path.exists(path):
            with open(self.text) as f, open(path, "w") as to:
                to.write(change(f.read()))
        return path, [re.sub(r"(-DOMR_GROUP=)\d+", rf"\g<1>{group}", option) for option in self.options] + more

    def out(self, ending):
        return os.path.join(self.folder, "kernel" + ending)


def compiled(kernel, compiler, target, variant, group, ending, *more, limit=None):
    text, options = kernel.variant(variant, group)
    return checked([compiler, "-x", "cl", "-cl-std=CL1.2", *target, "-O3", "-fno-math-errno", "-w", "-include",
                    os.path.join(HERE, "device_builtins.h"), *options, *more, "-S", "-o", kernel.out(ending), text], limit)


def make_ptx(kernel, variant="", limit=None):
    """Seconds of clang; the text lies in kernel.out(".ptx")."""
    target = ["-target", "nvptx64-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", "sm_80", "-Xclang", "-target-feature", "-Xclang", "+ptx72"]
    return compiled(kernel, clang(), target, variant, 32, ".ptx", "-ffp-contract=off", limit=limit)[1]


def ptxas():
    return tool(["ptxas"], "pip install nvidia-cuda-nvcc")


def resources(log, kernel):
    """Registers, stack, spill stores and loads that ptxas reports for a kernel with what it calls."""
    own = log[log.index(f"Compiling entry function '{kernel}'"):].split("Compiling entry function", 2)[1]
    frames = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", own)
    stack, stores, loads = int(frames[0][0]), sum(int(frame[1]) for frame in frames), sum(int(frame[2]) for frame in frames)
    return {"registers": int(re.search(r"Used (\d+) registers", own).group(1)), "stack_bytes": stack, "spill_store_bytes": stores,
            "spill_load_bytes": loads}


def nvidia(kernel, arch, most=0, stages=4, limit=None):
    """Of the PTX that lies there."""
    limits = [f"--maxrregcount={most}"] if most else []
    log, seconds = checked([ptxas(), "-v", f"-arch={arch}", *limits, "-o", kernel.out(".cubin"), kernel.out(".ptx")], limit)
    row = {"assembler_seconds": seconds, **resources(log, "omr_advance")}
    try:
        listing = checked([disassembler(), "-c", kernel.out(".cubin")])[0]
        row.update(sass.pass_counts(listing, "omr_advance", stages))
    except Missing:
        pass
    return row


def constant_bytes(ptx):
    return sum(int(n) for n in re.findall(r"\.const .*\[(\d+)\]", ptx))


def roundings(kernel, arch):
    """Un-rounded products and sums in PTX, which ptxas may fuse; whether it fuses; whether it would without the roundings."""
    with open(kernel.out(".ptx")) as f:
        ptx = f.read()
    row = {"constant_bytes": constant_bytes(ptx), "unrounded": len(re.findall(r"\b(?:mul|add|sub|mad)(?:\.ftz)?\.f(?:32|64)\b", ptx)),
           "rounded": len(re.findall(r"\b(?:mul|add|sub)\.rn\.f(?:32|64)\b", ptx)), "fma": len(re.findall(r"\bfma\.rn\.f(?:32|64)\b", ptx))}
    row["tool"] = f"clang {version_of(clang())}"
    try:
        ptxas(), disassembler()
    except Missing:
        return row
    row["tool"] += f", ptxas {version_of(ptxas())}"
    loose = re.sub(r"\b(mul|add|sub)\.rn\.(f32|f64)\b", r"\1.\2", ptx)
    with open(kernel.out("-loose.ptx"), "w") as f:
        f.write(loose)
    row["fused"] = differs(kernel, arch, kernel.out(".ptx"))
    row["fused_if_loose"] = differs(kernel, arch, kernel.out("-loose.ptx"))
    return row


def disassembler():
    return tool(["nvdisasm"], "pip install nvidia-cuda-nvdisasm")


def differs(kernel, arch, ptx):
    """Whether the leave to fuse changes the code: it has a place to be used then."""
    codes = []
    for fuse in ("true", "false"):
        checked([ptxas(), f"-arch={arch}", f"--fmad={fuse}", "-o", kernel.out(".cubin"), ptx])
        codes.append(checked([disassembler(), "-c", kernel.out(".cubin")])[0])
    return "yes" if codes[0] != codes[1] else "no"


def amd_target(cpu):
    return ["-target", "amdgcn-amd-amdhsa", f"-mcpu={cpu}", "-nogpulib", "-cl-fp32-correctly-rounded-divide-sqrt"]


def amd(kernel, cpu, variant="", limit=None):
    group = 64 if cpu.startswith("gfx9") else 32
    log, seconds = compiled(kernel, clang(19), amd_target(cpu), variant, group, ".s", "-ffp-contract=on",
                            "-Rpass-analysis=kernel-resource-usage", limit=limit)
    own = log[log.index("Function Name: omr_advance"):].split("Function Name:")[1]
    row = {"clang_seconds": seconds}
    for column, words in AMD_FIELDS.items():
        row[column] = int(re.search(rf"remark: +{re.escape(words)}: (\d+)", own).group(1))
    return row


def amd_fuses(kernel, cpu):
    """Whether code with the driver's default (on) and with fast differs from that of none."""
    codes = {}
    for contract in ("off", "on", "fast"):
        compiled(kernel, clang(19), amd_target(cpu), "", 64, ".s", f"-ffp-contract={contract}")
        with open(kernel.out(".s")) as f:
            codes[contract] = [line for line in f if re.match(r"\s+v_", line)]
    return {"fused": "no" if codes["off"] == codes["on"] else "yes", "fused_if_loose": "no" if codes["off"] == codes["fast"] else "yes"}


def intel(kernel, device, variant="", limit=None):
    text, options = kernel.variant(variant, 32)
    program = tool(["ocloc"], "apt-get install intel-opencl-icd")
    log, seconds = checked([program, "compile", "-file", text, "-device", device, "-out_dir", kernel.folder,
                            "-options", "-cl-std=CL1.2 " + " ".join(options)], limit)
    found = re.search(r"kernel omr_advance +compiled (SIMD\d+) allocated (\d+) regs(?: and spilled around (\d+))?", log)
    row = {"clang_seconds": seconds, "tool": "ocloc"}
    return {**row, "simd": found.group(1), "registers": int(found.group(2)), "spilled_registers": int(found.group(3) or 0)} if found else row


def spirv(kernel, variant=""):
    """Through SPIR-V 1.2, which OpenCL 1.2 drivers take, and back; whether both kernels say that nothing may be fused."""
    text, options = kernel.variant(variant, 32)
    writer, checker = tool(["llvm-spirv-14"], "apt-get install llvm-spirv-14"), tool(["spirv-val"], "apt-get install spirv-tools")
    bitcode, words, back = kernel.out(".bc"), kernel.out(".spv"), kernel.out("-back.bc")
    seconds = checked([tool(["clang-14"], "apt-get install clang-14"), "-x", "cl", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown", "-O2",
                       "-Xclang", "-disable-llvm-passes", "-Xclang", "-finclude-default-header", "-w", *options, "-emit-llvm", "-c", "-o",
                       bitcode, text])[1]
    seconds += checked([writer, "--spirv-max-version=1.2", bitcode, "-o", words])[1]
    checked([checker, words])
    listing = checked([os.path.join(os.path.dirname(checker), "spirv-dis"), words])[0]
    checked([writer, "-r", words, "-o", back])
    machine = checked([tool(["clang-14"], ""), "-x", "ir", "-w", "-target", "x86_64-linux-gnu", "-O1", "-c", "-o", kernel.out(".o"), back])[1]
    return {"clang_seconds": round(seconds, 2), "assembler_seconds": machine, "bytes": os.path.getsize(words),
            "contraction_off": len(re.findall("OpExecutionMode .* ContractionOff", listing)), "fused": "no" if " mad " not in listing else "yes"}


def studies_of(pattern):
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, pattern)))
