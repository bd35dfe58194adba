"""libomniroll through ctypes: where it is, and the functions of host/include/omniroll/ that the package calls."""

from __future__ import annotations

import ctypes
import functools
import importlib
import json
import os
import pathlib
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_void_p
from typing import Any, Iterator, Sequence

from .errors import Error, LibraryError, Mistake, UsageError, of_status

INTERFACE = 2  # omr_interface_version() of the headers that this file is written after
NAMES = ("libomniroll.so.0", "libomniroll.so")
PROGRESS = ctypes.CFUNCTYPE(c_bool, c_void_p, c_double, c_double)
LINE = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class CalibrateOptions(ctypes.Structure):
    """omr_calibrate_options."""

    _fields_ = [("size", c_size_t), ("check", c_bool), ("progress", PROGRESS), ("progress_user", c_void_p), ("journal", c_char_p),
                ("restart", c_bool), ("foreign_journal", c_bool)]


class ExciteOptions(ctypes.Structure):
    """omr_excite_options."""

    _fields_ = [("size", c_size_t), ("progress", PROGRESS), ("progress_user", c_void_p)]


class ReferenceChoice(ctypes.Structure):
    """omr_reference_choice."""

    _fields_ = [("instances", c_char_p), ("sample", c_size_t), ("tolerance", c_double), ("bdf", c_bool)]


class ConvergeOptions(ctypes.Structure):
    """omr_converge_options."""

    _fields_ = [("size", c_size_t), ("choice", ReferenceChoice), ("reference", c_bool), ("budget", c_double),
                ("one_precision", c_bool), ("observables", c_char_p), ("progress", PROGRESS), ("progress_user", c_void_p)]


class RunOptions(ctypes.Structure):
    """omr_run_options."""

    _fields_ = [("size", c_size_t), ("progress", PROGRESS), ("progress_user", c_void_p), ("log", c_void_p), ("no_step_error", c_bool)]


class FileOptions(ctypes.Structure):
    """omr_file_options."""

    _fields_ = [("size", c_size_t), ("run", RunOptions), ("shard", c_int), ("shards", c_int), ("summary", c_void_p), ("restart", c_bool),
                ("overwrite", c_bool), ("foreign_folder", c_bool), ("overrides", POINTER(c_char_p)), ("override_count", c_size_t),
                ("strict", c_bool), ("oversize", c_bool), ("brief", c_bool)]


class EvaluateOptions(ctypes.Structure):
    """omr_evaluate_options."""

    _fields_ = [("size", c_size_t), ("values", c_void_p), ("count", c_size_t), ("file", c_char_p), ("per_candidate", c_size_t),
                ("settings", POINTER(c_char_p)), ("setting_count", c_size_t), ("reference", c_size_t), ("output", c_char_p), ("run", FileOptions)]


class BatchOptions(ctypes.Structure):
    """omr_batch_options."""

    _fields_ = [("size", c_size_t), ("count", c_size_t), ("log", c_void_p)]


class CriterionTable(ctypes.Structure):
    """omr_criterion_table."""

    _fields_ = [("size", c_size_t), ("names", POINTER(c_char_p)), ("units", POINTER(c_char_p)), ("values", POINTER(c_void_p)), ("status", c_void_p),
                ("columns", c_size_t), ("rows", c_size_t)]


_TEXTS = POINTER(c_char_p)
_OUT = POINTER(c_void_p)
_SIGNATURES: list[tuple[Any, list[Any], str]] = [  # the returned type, the arguments, and the functions of this kind
    (c_int, [], "omr_interface_version"),
    (c_char_p, [], "omr_version omr_build_info"),
    (c_char_p, [c_int], "omr_status_name"),
    (c_void_p, [], "omr_error_create omr_task_create"),
    (None, [c_void_p],
     "omr_error_destroy omr_text_destroy omr_study_destroy omr_batch_close omr_result_destroy omr_calibrate_destroy "
     "omr_evaluator_destroy omr_evaluation_destroy omr_excite_destroy omr_converge_destroy omr_task_destroy omr_task_stop"),
    (c_char_p, [c_void_p], "omr_error_message omr_study_title omr_study_model omr_study_text omr_batch_device omr_task_summary"),
    (c_int, [c_void_p, _OUT, c_void_p],
     "omr_error_json omr_study_sample omr_study_assembly omr_study_validate_json omr_study_warnings omr_study_operations_json "
     "omr_result_about_json omr_evaluator_about_json omr_evaluation_json omr_excite_json omr_converge_json"),
    (c_char_p, [c_size_t], "omr_model_name"),
    (c_int, [c_char_p, c_char_p, _OUT, c_void_p], "omr_describe_json_in"),
    (c_int, [c_char_p, _TEXTS, c_size_t, _OUT, c_void_p], "omr_study_load"),
    (c_int, [c_char_p, c_char_p, _TEXTS, c_size_t, _OUT, c_void_p], "omr_study_parse omr_study_variants omr_evaluator_create"),
    (c_int, [c_char_p, _OUT, c_void_p], "omr_json_read omr_json_format omr_verify_json"),
    (c_int, [c_char_p, c_char_p, c_void_p, c_size_t, _OUT, c_void_p], "omr_starter_text"),
    (c_size_t, [c_void_p],
     "omr_study_instances omr_batch_count omr_batch_wheels omr_batch_width omr_result_instances omr_result_total omr_result_traced "
     "omr_result_samples omr_task_finished"),
    (c_int, [c_void_p, c_char_p, c_double, _OUT, c_void_p], "omr_study_plan_json"),
    (c_int, [c_void_p, c_char_p, c_double, PROGRESS, c_void_p, _OUT, c_void_p], "omr_study_compare_json"),
    (c_int, [c_char_p, _TEXTS, c_size_t, c_char_p, _OUT, c_void_p], "omr_analyze_json"),
    (c_int, [c_void_p, c_char_p, _OUT, c_void_p], "omr_study_nominal"),
    (c_int, [c_void_p, c_char_p, c_char_p, _OUT, c_void_p], "omr_study_of_instances"),
    (c_int, [_OUT, c_void_p], "omr_study_schema_json"),
    (c_int, [c_void_p, c_size_t, _OUT, c_void_p], "omr_study_scene_json omr_study_bodies_json"),
    (c_int, [c_void_p, c_size_t, _TEXTS, c_size_t, _OUT, c_void_p], "omr_study_columns_json"),
    (c_void_p, [c_char_p, POINTER(c_size_t)], "omr_kernels_wasm"),
    (c_int, [c_void_p, _TEXTS, _TEXTS, c_size_t, c_void_p, c_void_p], "omr_criterion_truth"),
    (c_int, [c_void_p, c_void_p, _OUT, c_void_p],
     "omr_batch_open omr_calibrate_create omr_evaluator_run omr_excite_create omr_converge_create omr_task_run_in_memory"),
    (c_double, [c_void_p], "omr_batch_step_length"),
    (c_char_p, [c_void_p, c_size_t], "omr_batch_input omr_batch_input_unit omr_evaluation_status"),
    (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p], "omr_batch_reset"),
    (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p], "omr_batch_set"),
    (c_int, [c_void_p, c_double, c_void_p], "omr_batch_step"),
    (c_int, [c_void_p, _TEXTS, c_size_t, c_void_p], "omr_batch_observe"),
    (c_char_p, [c_void_p, c_char_p], "omr_batch_unit"),
    (c_int, [c_void_p, c_void_p, c_void_p], "omr_batch_read omr_batch_status"),
    (None, [c_void_p, c_void_p], "omr_batch_times omr_batch_instances"),
    (c_int, [c_void_p, _OUT, POINTER(c_size_t), c_void_p], "omr_result_image"),
    (c_size_t, [c_void_p, c_size_t], "omr_result_instance omr_result_traced_row"),
    (c_void_p, [c_void_p, c_size_t], "omr_result_column"),
    (c_void_p, [c_void_p], "omr_result_status omr_result_status_time omr_result_retries omr_result_sample_times"),
    (c_void_p, [c_void_p, c_size_t, c_void_p, c_void_p], "omr_result_trajectory"),
    (c_int, [c_void_p, c_void_p], "omr_calibrate_verdict"),
    (c_int, [c_void_p, c_char_p, c_void_p], "omr_calibrate_write omr_excite_write"),
    (c_bool, [c_void_p, c_char_p, c_void_p], "omr_evaluation_numbers"),
    (c_double, [c_void_p, c_void_p], "omr_evaluation_seconds"),
    (c_int, [c_char_p, c_char_p, c_void_p, c_void_p], "omr_export_instances omr_export_trajectories"),
    (c_int, [c_char_p, c_char_p, c_void_p], "omr_check_output"),
    (None, [c_void_p, PROGRESS, c_void_p], "omr_task_on_progress"),
    (None, [c_void_p, LINE, c_void_p], "omr_task_on_line"),
    (None, [c_void_p, c_bool], "omr_task_restart omr_task_overwrite omr_task_foreign_folder omr_task_strict omr_task_oversize"),
    (c_int, [c_void_p, c_void_p, c_char_p, c_void_p], "omr_task_run"),
    (c_int, [c_void_p, c_void_p, c_char_p, c_int, c_int, c_void_p], "omr_task_run_shard"),
    (c_int, [c_void_p, _TEXTS, c_size_t, c_char_p, c_void_p], "omr_task_merge"),
    (c_int, [c_void_p, c_char_p, _TEXTS, c_size_t, c_void_p], "omr_task_resume"),
    (c_bool, [c_void_p], "omr_task_complete"),
]
_FUNCTIONS = {name: (result, arguments) for result, arguments, names in _SIGNATURES for name in names.split()}


def _installed(package: pathlib.Path) -> Iterator[pathlib.Path]:
    """In the package, as pip installs it, next to it, and for PREFIX/share/omniroll/analysis/omniroll the library folders of PREFIX."""
    yield package / "native" / "lib"
    yield package
    if package.parts[-4:-1] == ("share", "omniroll", "analysis"):
        prefix = package.parents[3]
        yield prefix / "lib"
        yield prefix / "lib64"
        yield from sorted((prefix / "lib").glob("*-linux-*"))


def _built(package: pathlib.Path) -> Iterator[pathlib.Path]:
    """Build folders of the source tree that the package lies in; the one of studies/first.sh first."""
    root = package.parent.parent
    if (root / "host" / "include" / "omniroll" / "omniroll.h").is_file():
        folders = [root / "build" / "release", root / "build", *sorted(root.glob("build/*/")), *sorted(root.glob("build-*/"))]
        yield from dict.fromkeys(folders)


def folders() -> list[pathlib.Path]:
    """Where the library of this package may lie: installed, then built."""
    package = pathlib.Path(__file__).resolve().parent
    return [*_installed(package), *_built(package)]


def candidates() -> list[str]:
    """The candidates, in this order; a name without folder is the system linker's to find."""
    chosen = os.environ.get("OMNIROLL_LIBRARY")
    if chosen:
        return [chosen]
    found = [str(folder / name) for folder in folders() for name in NAMES if (folder / name).is_file()]
    return [*found, *NAMES]


def program() -> str:
    """The program of the same installation or build; else the system's. Raises LibraryError."""
    chosen = os.environ.get("OMNIROLL_PROGRAM")
    if chosen:
        return chosen
    beside = (folder / place for folder in folders() for place in ("omniroll", "../bin/omniroll", "../../bin/omniroll"))
    for path in (*beside, pathlib.Path("/usr/local/bin/omniroll"), pathlib.Path("/usr/bin/omniroll")):
        if path.is_file() and os.access(path, os.X_OK):
            return os.path.normpath(path)
    raise LibraryError("the program omniroll is neither in this package nor built beside it: pip install ./analysis in a clone of the "
                       "repository builds it, bash studies/first.sh too; or name it in the environment variable OMNIROLL_PROGRAM")


def _declare(library: ctypes.CDLL, path: str) -> ctypes.CDLL:
    try:
        library.omr_interface_version.restype = c_int
        interface = library.omr_interface_version()
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        raise LibraryError(f"{path}: is no libomniroll that this package can use ({error}); build and install both from the same "
                           "source, or name another library in OMNIROLL_LIBRARY") from None
    if interface != INTERFACE:
        raise LibraryError(f"{path}: has interface {interface}, this package needs {INTERFACE}; build and install both from the "
                           "same source, or name another library in OMNIROLL_LIBRARY")
    return library


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, loaded once. Raises LibraryError."""
    reasons = []
    for path in candidates():
        try:
            loaded = ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error) if path in str(error) else f"{path}: {error}")
            continue
        return _declare(loaded, path)
    tried = "\n".join(f"  {reason}" for reason in reasons)
    raise LibraryError(f"libomniroll cannot be loaded:\n{tried}\nReading and plotting results works without it. To run studies, build "
                       "it (bash studies/first.sh, or cmake -B build && cmake --build build), or name the file libomniroll.so in "
                       "the environment variable OMNIROLL_LIBRARY.")


@functools.lru_cache(maxsize=None)  # an import that fails takes a lock, which a fork at this moment leaves taken (checksums.py)
def _is_subinterpreter() -> bool:
    for name in ("_interpreters", "_xxsubinterpreters"):  # of Python 3.13 on, and before
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return bool(module.get_current() != module.get_main())
    return False


def check_interpreter() -> None:
    """Refuses a subinterpreter: ctypes takes the lock of the main one before it calls back, so that a run would wait for ever."""
    if _is_subinterpreter():
        raise UsageError("studies are not run in a subinterpreter of Python, where the library cannot call back; use a process "
                         "instead: multiprocessing.get_context(\"spawn\")")


def texts(values: Sequence[str]) -> Any:
    """An array of C texts; NULL where there is none."""
    return (c_char_p * len(values))(*(value.encode() for value in values)) if values else None


def call(function: str, *arguments: Any) -> None:
    """Calls a function that takes an omr_error as its last argument. Raises the exception that its status stands for."""
    status, message, mistakes = _call(function, *arguments)
    if status != "ok":
        raise of_status(status, message, mistakes)


def call_status(function: str, *arguments: Any) -> tuple[str, str]:
    """The same, with the word of the status and the message instead of an exception."""
    return _call(function, *arguments)[:2]


def taken(out: c_void_p) -> bytes | None:
    """A text that the library gave, which frees it then."""
    try:
        return ctypes.cast(out, c_char_p).value
    finally:
        library().omr_text_destroy(out)


def _mistakes(error: Any) -> tuple[Mistake, ...]:
    lib, out = library(), c_void_p()
    if lib.omr_error_json(error, ctypes.byref(out), None) != 0:
        return ()
    text = (taken(out) or b"[]").decode(errors="replace")  # a path may have any bytes
    return tuple(Mistake(**one) for one in json.loads(text))


def _call(function: str, *arguments: Any) -> tuple[str, str, tuple[Mistake, ...]]:
    lib = library()
    error = lib.omr_error_create()
    if not error:
        raise MemoryError
    try:
        code = getattr(lib, function)(*arguments, error)
        word = lib.omr_status_name(code)
        message = lib.omr_error_message(error).decode(errors="replace")
        return (word.decode() if word else "internal"), message, _mistakes(error) if code else ()
    finally:
        lib.omr_error_destroy(error)


def text_of(function: str, *arguments: Any) -> str:
    """The text that a function gives to its caller."""
    out = c_void_p()
    call(function, *arguments, ctypes.byref(out))
    value = taken(out)
    if value is None:
        raise Error(f"{function} gave no text")
    return value.decode()


def json_of(function: str, *arguments: Any) -> Any:
    """The same, where it is JSON."""
    return json.loads(text_of(function, *arguments))


def model_names() -> list[str]:
    """Names of all models."""
    names: list[str] = []
    while (name := library().omr_model_name(len(names))) is not None:
        names.append(name.decode())
    return names
