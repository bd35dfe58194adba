"""Results of the ready studies in a folder: those that are there and fit are taken, the others are run."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import Any, Callable

import h5py

import omniroll
from omniroll import bench, library, lists
from omniroll.reading import checksums
from omniroll.errors import CLASSES, Error, FailuresError, FileError, LibraryError, NotAResult
from omniroll.reading.result import Result, open_result, text

from .recipes import Run

TOLERANCE = "reference_tolerance"  # attribute that tells how the reference was integrated
STATUS_OF_CODE = {code: word for word, code in lists.exit_codes().items()}
LONG = 3e7  # steps; longer studies are named before, too
Say = Callable[[str], None]


def studies_folder() -> pathlib.Path:
    """The ready studies, in whose folder these figures stand. Raises FileError."""
    asked = os.environ.get("OMNIROLL_STUDIES")
    folder = pathlib.Path(asked) if asked else pathlib.Path(__file__).resolve().parents[1]
    if not (folder / "tracking_compare.json").is_file():
        raise FileError(f"{folder}: the ready studies are not there; install omniroll whole, with cmake --install, or name their folder "
                        "in the environment variable OMNIROLL_STUDIES")
    return folder


def program(chosen: str | None = None) -> str:
    """The program omniroll, which alone has the reference: `chosen`, $OMNIROLL, that of the package, or that of PATH. Raises LibraryError."""
    for path in (chosen, os.environ.get("OMNIROLL")):
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    try:
        return library.program()
    except LibraryError:
        path = shutil.which("omniroll")
        if path is None:
            raise
        return path


@dataclass
class Results:
    """The folder of results. Every run is done once; what went wrong with it is kept and raised again."""

    folder: str
    say: Say
    quick: bool = False
    restart: bool = False
    program: str | None = None

    def __post_init__(self) -> None:
        self._done: dict[str, Any] = {}

    def path(self, run: Run) -> str:
        """Where the result of a run lies."""
        return os.path.join(self.folder, f"{run.name(self.quick)}.{'json' if run.bench else 'h5'}")

    def get(self, run: Run) -> Any:
        """The result, or what a bench measured. Raises Error, OSError or Interrupted."""
        name = run.name()
        if name not in self._done:
            try:
                self._done[name] = self._measure(run) if run.bench else self._compute(run)
            except (Error, OSError) as error:
                self._done[name] = error
                self.say(f"  {run.name(self.quick):<34} failed")
        found = self._done[name]
        if isinstance(found, Exception):
            raise found
        return found

    def _measure(self, run: Run) -> bench.Bench:
        """What the program measures, in one process; times of another day are as good."""
        path = self.path(run)
        if not self.restart and _was_measured(path):
            self.say(f"  {run.name(self.quick):<34} result is there")
            return bench.open_bench(path)
        begin = time.monotonic()
        os.makedirs(self.folder, exist_ok=True)
        sizes = ["--quick"] if self.quick else ["--rounds", "5"]
        _started([program(self.program), "bench", "-q", "--section", run.bench, *sizes, "--json", path], "bench")
        self.say(f"  {run.name(self.quick):<34} {time.monotonic() - begin:5.1f} s   bench")
        return bench.open_bench(path)

    def _compute(self, run: Run) -> Result:
        study, changes, path = str(studies_folder() / f"{run.study}.json"), run.set(self.quick), self.path(run)
        plan = omniroll.validate(study, set=changes)
        if not self.restart and _fits(path, plan, run):
            self.say(f"  {run.name(self.quick):<34} result is there")
            return open_result(path)
        steps = f", {plan['instance_steps']:.3g} steps" if plan["instance_steps"] else ""  # with a tolerance nobody knows before
        if (plan["instance_steps"] or 0) > LONG:
            self.say(f"  {run.name(self.quick):<34} runs: {plan['instances']} instances{steps}")
        begin = time.monotonic()
        os.makedirs(self.folder, exist_ok=True)
        if run.tolerance is None:
            self._run(study, changes, path, plan)
        else:
            self._reference(study, changes, path, run)
        count = plan["instances"]
        work = f"{count} instance{'' if count == 1 else 's'}{steps}" if run.tolerance is None else "reference"
        self.say(f"  {run.name(self.quick):<34} {time.monotonic() - begin:5.1f} s   {work}")
        return open_result(path)

    def _run(self, study: str, changes: dict[str, Any], path: str, plan: dict[str, Any]) -> None:
        try:
            omniroll.run(study, output=path, set=changes, restart=self.restart or _of_another_study(path, plan), overwrite=True).close()
        except FailuresError as error:
            if error.result is None:
                raise
            error.result.close()  # the result is there, and the figure says what it lacks

    def _reference(self, study: str, changes: dict[str, Any], path: str, run: Run) -> None:
        """By the program: the library has no reference."""
        sets = [word for member, value in changes.items() for word in ("--set", f"{member}={json.dumps(value)}")]
        method = ["--reference-method", run.method] if run.method else []
        command = [program(self.program), "reference", "-q", "--reference-tolerance", repr(run.tolerance), *method, *sets, "-o", path, "--", study]
        _started(command, "reference")
        with h5py.File(path, "r+") as file:
            file.attrs[TOLERANCE] = run.tolerance
            checksums.renew(file["/"])


def _started(command: list[str], name: str) -> None:
    """Runs the program. Raises Error with what it says."""
    nothing = subprocess.DEVNULL
    done = subprocess.run(command, stdin=nothing, stdout=nothing, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode != 0:
        message = done.stderr.strip().removeprefix("omniroll: ") or f"omniroll {name} ended with {done.returncode}"
        raise CLASSES.get(STATUS_OF_CODE.get(done.returncode, ""), Error)(message)


def _was_measured(path: str) -> bool:
    """Whether the file was measured by this version."""
    try:
        with open(path, encoding="utf-8") as file:
            return bool(json.load(file).get("omniroll") == omniroll.version())
    except (OSError, ValueError, AttributeError):
        return False


def _fits(path: str, plan: dict[str, Any], run: Run) -> bool:
    """Whether the file is a result of just this study, by this version and with this tolerance."""
    try:
        with h5py.File(path, "r") as file:
            found = {name: text(file.attrs[name]) for name in ("study_hash", "omniroll_version")}
            tolerance = file.attrs.get(TOLERANCE)
        open_result(path)
    except (OSError, KeyError, NotAResult):
        return False
    same = found == {"study_hash": plan.get("study_hash"), "omniroll_version": omniroll.version()}
    return same and (None if tolerance is None else float(tolerance)) == run.tolerance


def _of_another_study(path: str, plan: dict[str, Any]) -> bool:
    """Whether an unfinished run lies there that cannot be gone on with."""
    manifest = os.path.join(f"{path}.parts", "manifest.json")
    try:
        with open(manifest, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return False
    return (found.get("study_hash"), found.get("omniroll_version")) != (plan.get("study_hash"), omniroll.version())
