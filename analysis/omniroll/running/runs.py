"""Studies run through libomniroll: run, resume, validate, describe."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Mapping, Union

from ..errors import FailuresError, Interrupted, Stopped, StudyError, UsageError, of_status
from ..library import call, json_of, library, model_names, texts
from ..reading.dataset import dataset_of, open_dataset
from ..reading.in_memory import Held
from ..reading.own_process import apart
from .chosen_vehicles import Chosen, Instances, Trace, chosen
from .infeasible import check, feasible, without_numbers
from .one_at_a_time import alone
from .progress import Progress, bar_for
from .study_input import Loaded, StudyLike, assignment, assignments, loaded_of, path_bytes
from .tasks import WITH_RESULT, Task, given, verified

if TYPE_CHECKING:
    import xarray

Path = Union[str, "os.PathLike[str]"]
NOTHING_KEPT = "\nOf a run without an output nothing is kept: give one, output=\"NAME.h5\", and omniroll.resume goes on with it"


def _how_to_go_on(message: str, path: str | None, kept: bool, changes: str = "") -> str:
    if path is None:
        return message + NOTHING_KEPT
    return f"{message}\nIn Python: omniroll.resume({path!r}{changes})" if kept else message


def _judge(task: Task, word: str, message: str, path: str | None) -> None:
    """Raises the error that a run has ended with, unless its result is there and no message is left. path None: a run in memory."""
    left = path if task.finished or task.complete else None
    if word == "interrupted":
        text = _how_to_go_on(message, path, left is not None)
        if task.raised is not None:
            raise task.raised from Interrupted(text, left)
        if task.interrupted:
            raise Interrupted(text, left)
        stopped = Stopped(text)
        stopped.path = left
        raise stopped
    if task.interrupted:
        ended = task.complete and path is not None
        raise Interrupted(f"interrupted when the run was at its end; the result is in {path}" if ended else message or "interrupted", left)
    if task.raised is not None:
        raise task.raised
    if word in ("device", "selftest"):  # a device that fails, hangs or is wrong on the way; its chunks so far are kept
        raise of_status(word, _how_to_go_on(message, path, task.finished > 0, ', backend="openmp"') if path else message)
    if word != "ok" and not (word in WITH_RESULT and task.complete):
        options = [option for option in ("overwrite", "foreign_folder") if word == "io" and f"--{option.replace('_', '-')}" in message]
        raise of_status(word, "\nIn Python: ".join([message, *(f"{option}=True" for option in options)]))


def _carry_out(path: str | None, progress: Progress, function: str, *arguments: Any, **options: bool) -> tuple[str, str]:
    """Status and message of a run whose result is there. options: restart, overwrite, strict, oversize, foreign_folder, as the library's
    tasks have them."""
    import xarray  # noqa: F401  where it is missing, that is said before hours of work

    with alone():
        task = Task(bar_for(progress), **options)
        try:
            word, message = task.do(function, *arguments)
            _judge(task, word, message, path)
        finally:
            task.close()
    return word, message


def _do(path: str, progress: Progress, function: str, *arguments: Any, **options: bool) -> "xarray.Dataset":
    word, message = _carry_out(path, progress, function, *arguments, **options)
    return given(word, message, open_dataset(path))


def run(study: StudyLike, *, output: Path | None = None, progress: Progress = None, restart: bool = False,
        overwrite: bool = False, strict: bool = False, oversize: bool = False, foreign_folder: bool = False,
        nominal: bool = False, instance: Instances | None = None, trace: Trace = None, infeasible: str = "raise",
        executor: Any = None, shards: int | None = None, folder: Path | None = "", retries: int = 2,
        set: Mapping[str, Any] | None = None,  # noqa: A002
        **overrides: Any) -> "xarray.Dataset":
    """Runs a study and gives its result, a Dataset as of omniroll.open.

    study      a dict with the members of a study file (numbers, texts, lists, numpy arrays in it), the path of such a file, or an
               omniroll.Study, which was read before
    output     the result file; without it the result is only in memory, in the Dataset: nothing is written to a disk, and nothing is
               left of a run that is stopped
    progress   None: a bar in notebooks and on terminals; True or False; or a function of (done, total) instance-steps, which
               stops the run by returning False
    restart    forget an unfinished run of `output`
    overwrite  replace the file `output` also where it is no result of this same study, which otherwise is an error
    strict     raise InaccurateError where the step error is larger than the study's integrator.accept allows; the observables have it
               in their attributes step_error, step_error_low and step_error_high
    oversize   begin also where disk or memory seem too small for the run, which otherwise is an error
    foreign_folder  work in a folder `output`.parts that belongs to another user, who decides what is read and written there
    nominal    run only the nominal vehicle: base values, and of a varied parameter without one its median
    instance   run only these instances: a number, numbers, or a text such as "0,3,7-9"
    trace      with one of both: True, or the time between samples ("10 ms" or seconds), to have trajectories
    infeasible "nan": numbers in set and overrides that make no vehicle (beyond their bounds, rollers that run into each other) are no
               StudyError, and instances that fail no FailuresError; the Dataset has NaN, and for a study that cannot run the status
               "invalid" and the attribute invalid_reason, so that an optimiser goes on
    executor   any concurrent.futures.Executor, whose workers share the run with the same bits: processes of this machine, dask's
               client.get_executor(), mpi4py's MPIPoolExecutor and more. A worker takes its share of the machine's cores, or threads=N.
               The same call goes on with the finished shards, also after a worker was killed. Where a shard runs twice its bits are
               compared: DiffersError. ShardsError, whose `missing` numbers them, where some could not be done
    shards     with an executor: how many tasks; default: four for each worker
    folder     with an executor: where OUTPUT.shards is made, which all workers see; default: the output's folder, else one among this
               machine's temporary files. None: the workers send their shards back, 1 GiB each at most
    retries    with an executor: how often a shard that fails is tried again
    set        members to replace or add before the study is checked: {"parameters.wheel.friction": 0.3, "vary[0].values": [1, 2]}
    overrides  the same by keyword, run(study, **{"integrator.step": 1e-4}); backend, device, precision and threads belong to
               the section "engine"

    >>> result = omniroll.run("studies/first.json", set={"integrator.duration": 1})
    >>> result.path_length.where(result.status == 0).mean()

    Raises StudyError and the other kinds of omniroll.Error with the message of the program; FailuresError where more instances
    fail than the study allows; a step whose error is larger than accepted is a StudyWarning, or with strict an InaccurateError.
    Ctrl-C raises Interrupted, a KeyboardInterrupt: with an output omniroll.resume(error.path) goes on.
    """
    check(infeasible)
    if "shard" in overrides:
        raise UsageError(f"shard={overrides['shard']!r}: Python runs all shards, by executor= and shards=N; one alone is for the program: omniroll run STUDY "
                         "--shard I/N, or with OMNIROLL_SHARD=I/N")
    try:
        read = loaded_of(study, assignments(set, overrides))
        if executor is not None or shards is not None or folder != "":
            return _share(read, output, executor, (shards, folder, retries), progress, nominal or instance is not None or trace is not None,
                          restart=restart, overwrite=overwrite, strict=strict, oversize=oversize, foreign_folder=foreign_folder)
        loaded = chosen(read, nominal, instance, trace)
        if output is None:
            return _run_in_memory(loaded, progress, strict=strict, oversize=oversize)
        path = os.fspath(output)
        call("omr_check_output", path_bytes(path), loaded.path)
        return _do(path, progress, "omr_task_run", loaded.handle, path_bytes(path), restart=restart, overwrite=overwrite,
                   strict=strict, oversize=oversize, foreign_folder=foreign_folder)
    except StudyError as error:
        if infeasible == "raise":
            raise
        return without_numbers(feasible(study, error), str(error))
    except FailuresError as error:
        if infeasible == "raise" or error.result is None:
            raise
        return error.result


def _share(loaded: Loaded, output: Path | None, executor: Any, how: tuple[Any, ...], progress: Progress, single: bool,
           **options: bool) -> "xarray.Dataset":
    from ..sharing import run as shared

    if executor is None:
        raise UsageError("shards and folder belong to executor=..., whose workers do the shards, such as concurrent.futures.ProcessPoolExecutor(8)")
    if single:
        raise UsageError("nominal, instance and trace are of single vehicles, which run here: leave out executor")
    shards, folder, retries = how
    sharing = shared.Sharing(executor, shards, None if folder is None else os.fspath(folder), retries)
    sharing.check()
    path = None if output is None else os.fspath(output)
    if path is not None:
        call("omr_check_output", path_bytes(path), loaded.path)
    return shared.run(loaded, path, sharing, progress, **options)


def _run_in_memory(loaded: Loaded | Chosen, progress: Progress, **options: bool) -> "xarray.Dataset":
    made = ctypes.c_void_p()
    try:
        word, message = _carry_out(None, progress, "omr_task_run_in_memory", loaded.handle, ctypes.byref(made), **options)
    except BaseException:
        library().omr_result_destroy(made)
        raise
    return given(word, message, dataset_of(Held(made), f"{loaded.stem} (in memory)"))


def resume(path: Path, *, progress: Progress = None, strict: bool = False, oversize: bool = False, foreign_folder: bool = False,
           **engine: Any) -> "xarray.Dataset":
    """Goes on with the unfinished run of the result file `path` and gives its result; where the result is there, just that.

    strict, oversize, foreign_folder  as of run
    engine     backend, device, threads, launch_seconds, lanes, if others than before; they change no bit of the result
    """
    name = os.fspath(path)
    result = name[:-len(".parts")] if name.rstrip("/").endswith(".parts") else name
    changes = [assignment(f"engine.{key}", value) for key, value in engine.items()]
    return _do(result, progress, "omr_task_resume", path_bytes(name), texts(changes), len(changes), strict=strict,
               oversize=oversize, foreign_folder=foreign_folder)


def validate(study: StudyLike, *, set: Mapping[str, Any] | None = None, **overrides: Any) -> dict[str, Any]:  # noqa: A002
    """Checks a study, and describes its run: title, model, instances, design, varied parameters, steps, warnings. Arguments
    and errors are as of run."""
    loaded = loaded_of(study, assignments(set, overrides))
    plan: dict[str, Any] = json_of("omr_study_validate_json", loaded.handle)
    lines = ctypes.c_void_p()
    call("omr_study_assembly", loaded.handle, ctypes.byref(lines))  # raises StudyError where a system of one's own makes none
    library().omr_text_destroy(lines)
    return plan


def verify(path: Path) -> dict[str, Any]:
    """Holds a result file, or the folder R.h5.parts of an unfinished run, against its checksums: kind ("result" or "folder"), how many
    parts were checked, how many have no checksum, and `problems`, each with `where` and `what`: empty where all is as it was written.
    Raises FileError where there is nothing that can be checked."""
    return apart(os.fsdecode(path), lambda: verified(path_bytes(path)), limited=False)


def operations(study: StudyLike, *, set: Mapping[str, Any] | None = None, **overrides: Any) -> dict[str, float]:  # noqa: A002
    """Floating-point operations per instance-step, counted on the first steps of some instances: "useful" (additions,
    multiplications, divisions and roots are one each, fused multiply-adds two), each kind, and "steps", the instance-steps that
    were counted. The same on every machine. Arguments and errors are as of run."""
    loaded = loaded_of(study, assignments(set, overrides))
    return json_of("omr_study_operations_json", loaded.handle)


def describe(model: str | None = None, *, frame: str | None = None) -> dict[str, Any]:
    """The parameters, observables, samples, words and designs of a model, each a list of dicts with name, unit, default, bounds
    and meaning as far as it has them. Without a model: of all models, by name. In the names and meanings of a frame: "y_up",
    the default, or "ros"."""
    if model is None:
        return {name: describe(name, frame=frame) for name in model_names()}
    return json_of("omr_describe_json_in", model.encode(), None if frame is None else frame.encode())


def schema() -> dict[str, Any]:
    """The schema of study files (JSON Schema, draft 2020-12), a dict of its own for each caller: members with their meanings, words, units
    as patterns, bounds, for each model. Whatever the program reads as a study fits it, and the rest is refused; that a study
    fits does not say that it runs: validate says that.

    >>> import jsonschema, omniroll
    >>> jsonschema.validate({"model": "wheelset", "integrator": {"step": "1 ms", "duration": "1 s"}}, omniroll.schema())
    """
    return json_of("omr_study_schema_json")


def version() -> str:
    """Version of the library."""
    return str(library().omr_version().decode())


def build_info() -> str:
    """Compiler, flags and instruction sets of the library."""
    return str(library().omr_build_info().decode())
