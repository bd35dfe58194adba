"""No double in single precision: compiles the kernels' text as the program would, with clang to LLVM's intermediate text, for every
model, law of contact, method and observer, and looks for the type double in it. A GPU runs double 2 to 64 times slower, and silently.

    /usr/bin/python3 tests/opencl/single_precision.py build/tests/kernel_text

Exit code 77: no clang here."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CUT = ["parameters.overlap=allow", "parameters.wheel.tip_radius=8 mm"]
ALL_LAWS = ("saturated_coulomb", "regularized_coulomb", "ideal_rolling", "udwadia_kalaba", "massless_rollers", "classical_rollers")
METHODS = ("rk4", "midpoint", "heun", "semi_implicit_euler", "rosenbrock")
FIXED = 'integrator={"step": "0.1 ms", "duration": "1 s"}'
STUDIES = ("testbench", "tracking_compare", "mecanum_square", "mecanum_disc_vs_rollers", "ground_dip", "ground_ice", "uk_weights",
           "disc_ideal", "rolling_disc", "snakeboard_drive", "snakeboard_parking", "uk_braking_01", "wheelset")


def cases():
    """(name, study, overrides)"""
    found = [(law, "first", CUT + [f'parameters.contact={{"law": "{law}"}}']) for law in ALL_LAWS]
    found += [(method, "first", [f"integrator.method={method}"]) for method in METHODS[1:]]
    found += [("bearing", "first", ["parameters.wheel.roller.bearing=1e-6", "integrator.exchange=straddle"])]
    found += [(f"{name}, fixed steps", name, [FIXED]) for name in ("testbench", "mecanum_square", "ground_dip", "rolling_disc")]
    found += [(name, name, ["integrator.tolerance=1e-5"] if name == "testbench" else []) for name in STUDIES]
    if os.environ.get("OMNIROLL_TESTS") != "short":
        return found
    print("[PART] opencl/single_precision: shortened by OMNIROLL_TESTS=short; tests/nightly.sh runs it whole")
    return found[::2]


def doubles(clang, text, options):
    """Lines of the compiled text with a double in them."""
    command = [clang, "-x", "cl", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown", "-O0", "-ffp-contract=off", "-w",
               *options, "-emit-llvm", "-S", "-o", "-", text]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-2000:]}")
    if "define" not in done.stdout:
        sys.exit(f"{' '.join(command)}: nothing was compiled")
    return [line.strip() for line in done.stdout.splitlines() if re.search(r"\bdouble\b", line)]


def options_of(kernel_text, study, lanes, overrides):
    command = [kernel_text, os.path.join(ROOT, "studies", study + ".json"), "single", lanes, *overrides]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return [option for option in done.stdout.split() if option.startswith("-D")]


def main():
    kernel_text = sys.argv[1]
    clang = shutil.which("clang-14") or shutil.which("clang")
    if not clang:
        print("no clang here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        text, wrong = os.path.join(folder, "kernels.cl"), os.path.join(folder, "wrong.cl")
        source = subprocess.run([kernel_text], capture_output=True, text=True, check=True).stdout
        for path, addition in ((text, ""), (wrong, "__kernel void wrong(__global float *x) { x[0] = x[0] * 0.1; }\n")):
            with open(path, "w") as f:
                f.write(source + "\n" + addition)
        if not doubles(clang, wrong, options_of(kernel_text, "first", "1", [])):
            sys.exit("a product with a double literal was not found: the search is worth nothing")

        def look(case):
            name, study, overrides = case
            lanes = "8" if name == "saturated_coulomb" else "1"
            return name, doubles(clang, text, options_of(kernel_text, study, lanes, overrides))

        failed = False
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = cases()
            for name, lines in pool.map(look, found):
                failed |= bool(lines)
                for line in lines[:5]:
                    print(f"{name}: double in single precision: {line}")
    print(f"{len(found)} kinds of studies, double in {'some' if failed else 'none'}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
