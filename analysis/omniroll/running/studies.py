"""Studies before they run, and new views of results: load, new, sample, plan, excite, converge, salib_problem, analyze, export, compare."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence, Union

import numpy as np

from ..errors import UsageError
from ..library import ConvergeOptions, ExciteOptions, ReferenceChoice, call, json_of, taken, text_of, texts
from ..reading.dataset import dataset_of
from ..reading.in_memory import Held, Memory
from ..reading.own_process import apart
from ..reading.result import Source, path_of
from ..whole_files import writing
from .one_at_a_time import alone
from .progress import Nothing, Progress
from .study_input import StudyLike, assignments, loaded_of, path_bytes
from .watched import Watch, said_of

if TYPE_CHECKING:
    import xarray

Path = Union[str, "os.PathLike[str]"]


def load(path: Path) -> dict[str, Any]:
    """A study file, or any JSON with comments (// and /* */), as a dict for run, which is not checked further.

    >>> study = omniroll.load("studies/first.json")
    >>> study["integrator"]["duration"] = "1 s"

    Raises StudyError with file and line for text that is no JSON, or has a key twice, and FileError."""
    return json_of("omr_json_read", path_bytes(path))


def new(kind: str = "single", model: str | None = None, *, text: bool = False) -> Any:
    """A study to begin with, as `omniroll new` writes it: a dict, or with text=True the text of a file, whose comments explain each
    member.

    kind    the question: "single", "sweep", "monte_carlo", "sensitivity", "nested", "rare" and more
    model   its subject: "omni_vehicle", "mecanum" and more; default: the model of the kind, or the first

    Raises UsageError, which names all there are, for others."""
    commented = text_of("omr_starter_text", kind.encode(), None if model is None else model.encode(), None, 0)
    return commented if text else json_of("omr_json_format", commented.encode())


def sample(study: StudyLike, *, set: Mapping[str, Any] | None = None, **overrides: Any) -> "xarray.Dataset":  # noqa: A002
    """The varied parameters of every instance, without running any: a Dataset over `instance` with the columns that a run would have
    (to_dataframe() makes a table of it). Arguments and errors are as of run.

    >>> omniroll.sample("studies/first.json").wheel_friction.max()
    """
    loaded, made = loaded_of(study, assignments(set, overrides)), ctypes.c_void_p()
    call("omr_study_sample", loaded.handle, ctypes.byref(made))
    return dataset_of(Held(made), f"{loaded.stem} (values)")


def plan(study: StudyLike, *, output: Path | None = None, seconds: float = 2, set: Mapping[str, Any] | None = None,  # noqa: A002
         **overrides: Any) -> dict[str, Any]:
    """The resources that a run would take, as `omniroll plan --json` has them: instances, steps, memory_bytes ("total" with an output,
    "without_a_file" without one), disk_bytes, estimated_seconds and more. Some instances are run to measure that.

    output    where the result would go, whose disk is looked at; default: the current folder
    seconds   to run instances for, about

    Other arguments and errors are as of run."""
    loaded = loaded_of(study, assignments(set, overrides))
    with alone():
        return json_of("omr_study_plan_json", loaded.handle, None if output is None else path_bytes(output), float(seconds))


def excite(study: StudyLike, *, output: Path | None = None, progress: Progress = None, set: Mapping[str, Any] | None = None,  # noqa: A002
           **overrides: Any) -> dict[str, Any]:
    """The run that yields most information on the varied parameters, as `omniroll excite --json` has it, with the command's table.

    output    the command as a CSV file, which a study replays
    progress  as of run; a function is called with the manoeuvres that were tried

    Other arguments and errors are as of run."""
    loaded = loaded_of(study, assignments(set, overrides))
    if output is not None:
        call("omr_check_output", path_bytes(output), loaded.path)
    return said_of("excite", loaded, ExciteOptions(), progress, None if output is None else os.fspath(output))


def converge(study: StudyLike, *, budget: float = 60, instances: str | None = None, reference: bool = False, progress: Progress = None,
             set: Mapping[str, Any] | None = None, **overrides: Any) -> dict[str, Any]:  # noqa: A002
    """The price of accuracy: some instances by every method with a ladder of steps or tolerances, and the cheapest way to the accuracy that
    the study needs, as `omniroll converge --json` has it.

    budget     seconds to take, about
    instances  "0,3,7-9"; default: the instances of the step error
    reference  the reference in maximal coordinates is the truth, and not the engine's finest step
    progress   as of run; a function is called with the seconds of the budget that are gone

    Other arguments and errors are as of run."""
    choice = ReferenceChoice(instances=None if instances is None else instances.encode())
    options = ConvergeOptions(choice=choice, budget=float(budget), reference=reference)
    return said_of("converge", loaded_of(study, assignments(set, overrides)), options, progress)


# Distributions of a study in the words of SALib; the last two take the mean and deviation first and the ends last.
SALIB = {"uniform": ("unif", lambda a: a), "log_uniform": ("logunif", lambda a: a), "normal": ("norm", lambda a: a),
         "log_normal": ("lognorm", lambda a: [float(np.log(a[0])), a[1]]), "triangular": ("triang", lambda a: [a[0], a[2], (a[1] - a[0]) / (a[2] - a[0])]),
         "truncated_normal": ("truncnorm", lambda a: [a[2], a[3], a[0], a[1]])}


def salib_problem(study: StudyLike, *, set: Mapping[str, Any] | None = None, **overrides: Any) -> dict[str, Any]:  # noqa: A002
    """The varied parameters as the problem for SALib's samplers and analyses: num_vars, names (paths), bounds (SI units) and dists.
    Arguments and errors are as of run; UsageError where SALib has no such distribution.

    >>> rows = SALib.sample.saltelli.sample(omniroll.salib_problem("studies/robustness_friction.json"), 64)
    """
    loaded = loaded_of(study, assignments(set, overrides))  # lives as long as its handle is used
    varied = json_of("omr_study_validate_json", loaded.handle)["varied"]
    unknown = [f"{row['path']} ({row['distribution'] or 'levels'})" for row in varied if row["distribution"] not in SALIB]
    if unknown or not varied:
        raise UsageError(f"SALib has no such distribution: {', '.join(unknown)}; it has: {', '.join(SALIB)}" if unknown
                         else "the study varies nothing: \"vary\" names what SALib is to draw")
    words = [SALIB[row["distribution"]] for row in varied]
    return {"num_vars": len(varied), "names": [row["path"] for row in varied], "dists": [word for word, _ in words],
            "bounds": [list(turned(row["arguments"])) for (_, turned), row in zip(words, varied)]}


def _in_a_file(path: str, work: Callable[[bytes], str]) -> str:
    """The library's text for a file, in a process of its own; or for a result in memory, which is a file while the library works on it."""
    if not isinstance(path, Memory):
        return apart(path, lambda: work(path_bytes(path)), limited=False)
    with tempfile.TemporaryDirectory(prefix="omniroll-") as folder:
        place = os.path.join(folder, "result.h5")
        with open(place, "wb") as file:
            file.write(path.image)
        return work(path_bytes(place))


def analyze(result: Source, *, output: Path | None = None, set: Mapping[str, Any] | None = None,  # noqa: A002
            **overrides: Any) -> dict[str, Any]:
    """The statistics of a result computed anew from its instances, as `omniroll analyze --json` prints them; nothing is run.

    result     a file of a run, or a Dataset of omniroll.run or omniroll.open
    output     a copy of the file with the new statistics
    set        members of the study's "statistics", and of integrator.accept: {"statistics.confidence": 0.99}
    overrides  the same by keyword

    >>> found = omniroll.analyze(result, set={"statistics.fail": "max_slip > 0.5 m/s"})

    Raises StudyError, FileError, UsageError."""
    changes = assignments(set, overrides)
    copy = None if output is None else path_bytes(output)
    said = _in_a_file(path_of(result), lambda place: text_of("omr_analyze_json", place, texts(changes), len(changes), copy))
    return json.loads(said)


def export(result: Source, output: Path, *, columns: Sequence[str] | None = None, trajectories: bool = False) -> str:
    """A result as a CSV file, as `omniroll export` writes it: a row for each instance, or with trajectories=True for each traced instance
    and time; all digits, units in the heads. Gives its path.

    result   a file of a run, or a Dataset of omniroll.run or omniroll.open
    columns  names, in this order; default: all

    Raises FileError, UsageError."""
    place, function = os.fspath(output), f"omr_export_{'trajectories' if trajectories else 'instances'}"
    kind = os.path.splitext(place)[1].lower()
    if kind in (".parquet", ".zarr"):
        raise UsageError(f"{place}: export writes CSV; result.omniroll.to_{kind[1:]}({place!r}) of the Dataset writes {kind[1:]}")
    names = None if columns is None else ",".join([columns] if isinstance(columns, str) else columns).encode()
    libc = ctypes.CDLL(None, use_errno=True)
    libc.fdopen.restype, libc.fclose.argtypes = ctypes.c_void_p, [ctypes.c_void_p]

    def work(path: bytes) -> str:
        stream = libc.fdopen(os.dup(file.fileno()), b"w")
        try:
            call(function, path, names, ctypes.c_void_p(stream))
        finally:
            if libc.fclose(stream):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return place

    with writing(place, "wb", "; choose another path, or make room") as file:
        return _in_a_file(path_of(result), work)


def _rows(found: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    for run in found["runs"]:
        for instance in run.get("instances", []):
            for quantity in instance["quantities"]:
                yield run["name"], int(instance["instance"]), quantity


SIDES = {"whole": "largest difference of the engine from the reference, in the quantity's unit",
         "step": "largest difference of the engine at the step h from h/2, likewise",
         "model": "largest difference of the engine at h/2 from the reference, likewise"}


def _compared(found: dict[str, Any]) -> "xarray.Dataset":
    import xarray

    runs = [run["name"] for run in found["runs"] if "not_run" not in run]
    instances = [int(row["instance"]) for row in found["reference"]]
    quantities: dict[str, str] = {quantity["name"]: quantity["unit"] for _, _, quantity in _rows(found)}
    names, shape = list(quantities), (len(runs), len(instances), len(quantities))
    values = {name: np.full(shape, np.nan) for name in (*SIDES, "scale")}
    differs = np.zeros(shape, dtype=bool)
    for run, instance, quantity in _rows(found):
        at = runs.index(run), instances.index(instance), names.index(quantity["name"])
        values["scale"][at], differs[at] = quantity["scale"], bool(quantity["differs"])
        for side in SIDES:
            values[side][at] = (quantity.get(side) or {}).get("largest")  # None: NaN
    over = ["run", "instance", "quantity"]
    variables = {name: (over, values[name], {"long_name": meaning}) for name, meaning in SIDES.items()}
    variables["scale"] = (over, values["scale"], {"long_name": "what differences are held against, in the quantity's unit"})
    variables["differs"] = (over, differs, {"long_name": "beyond the step error and the tolerance"})
    attrs = {name: found[name] for name in ("study", "title", "model", "duration", "verdict")}
    attrs.update(differs=bool(found["differs"]), not_run=[f"{run['name']}: {run['not_run']}" for run in found["runs"] if "not_run" in run])
    coordinates = {"run": runs, "instance": instances, "quantity": names,
                   "unit": (["quantity"], np.array(list(quantities.values()), dtype=object))}
    return xarray.Dataset(variables, coordinates, attrs)


def compare(study: StudyLike, *, instances: str | None = None, tolerance: float | None = None,
            set: Mapping[str, Any] | None = None, **overrides: Any) -> "xarray.Dataset":  # noqa: A002
    """Some instances on the engine and on the reference in maximal coordinates, as `omniroll compare` runs them: a Dataset over run (a
    backend and precision), instance and quantity with the largest differences over time, `whole`, `step` (by the step) and `model` (by the
    models), in the quantity's `unit`, the `scale` that they are held against, and `differs`. Attributes: verdict, differs (a difference is
    no error), not_run.

    instances   numbers and ranges, "0,3,7-9"; default: the traced ones, or instance 0
    tolerance   largest difference beyond the step error; default 1e-6

    Other arguments and errors are as of run; DeviceError where the library was built without the reference. Ctrl-C raises
    Interrupted."""
    loaded, out = loaded_of(study, assignments(set, overrides)), ctypes.c_void_p()
    watch = Watch(Nothing())
    chosen = None if instances is None else instances.encode()
    with alone():
        word, message = watch.call("omr_study_compare_json", loaded.handle, chosen, -1.0 if tolerance is None else float(tolerance),
                                   watch.callback, None, ctypes.byref(out))
    said = taken(out) or b"{}"
    watch.judge(word, message)
    return _compared(json.loads(said))
