"""Is what `omniroll run` prints of every starter and ready study a screen of 25 lines and 80 columns?   screens.py PROGRAM [FOLDER]

Each study runs for an instant, with few instances, so that the numbers mean nothing and their places are those of a whole run. The screen has the
title, how many ran, the file, the time and the next command. With FOLDER the screens are kept there, a file a study.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1]) if __name__ == "__main__" else os.environ["OMNIROLL"]
KEPT = pathlib.Path(sys.argv[2]).resolve() if __name__ == "__main__" and len(sys.argv) > 2 else None
STUDIES = pathlib.Path(__file__).resolve().parents[2] / "studies"
LINES, COLUMNS = 25, 80
FEW = ("design.instances=100", "design.per_cell=4", "design.groups=8", "design.trajectories=4")


def omniroll(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=300, check=False)


def ran(study: pathlib.Path, name: str) -> "subprocess.CompletedProcess[str]":
    """The run of a study, shortened as far as it allows: a longer time where its output has intervals, fewer instances where its design counts them."""
    text = study.read_text()
    changes = [word for word in FEW if f'"{word[7:word.index("=")]}"' in text.partition('"design"')[2].partition("}")[0]]
    done = None
    for duration in ("0.002", "0.02", "", None):
        times = [f"integrator.duration={duration}"] if duration else []
        if duration == "" and done is not None:
            found = re.search(r"an interval of (\S+) s is longer", done.stderr)
            times = [f"integrator.duration={found[1]}"] if found else []
        words = [word for change in changes + times for word in ("--set", change)]
        done = omniroll("run", str(study), "-o", f"{name}.h5", "--overwrite", *words)
        if done.returncode in (0, 10, 11):
            break
        changes = [] if duration is None else changes
    assert done is not None
    return done


def faults(study: pathlib.Path, name: str) -> list[str]:
    done = ran(study, name)
    if done.returncode not in (0, 10, 11):
        return [f"exit code {done.returncode}: {done.stderr.strip()}"]
    lines = done.stdout.splitlines()
    if KEPT:
        (KEPT / f"{name}.txt").write_text(done.stdout)
    found = [f"{len(line)} columns: {line}" for line in lines if len(line) > COLUMNS and f"{name}.h5" not in line]
    if len(lines) > LINES:
        found.append(f"{len(lines)} lines")
    found += [f'no "{word}"' for word in ("  instances ", "result written to ", "  time ", "  next ") if word not in done.stdout]
    return found


def studies(folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """The ready studies, and the starters, which are written to the folder."""
    found = {path.stem: path for path in sorted(STUDIES.glob("*.json"))}
    for kind in re.findall(r"^  (\w+)  ", omniroll("new", "--list").stdout.partition("Models")[0], re.MULTILINE):
        path = folder.resolve() / f"starter_{kind}.json"
        omniroll("new", kind, "-o", str(path), "--force")
        found[path.stem] = path
    return found


def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tried = studies(pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, found in zip(tried, pool.map(faults, tried.values(), tried)):
                failed += bool(found)
                for fault in found:
                    print(f"{name}: {fault}")
    print(f"{len(tried)} screens, {failed} failed")
    return 1 if failed or len(tried) < 80 else 0


if __name__ == "__main__":
    sys.exit(main())
