"""Studies of Python: dicts with numbers, lists and numpy arrays in them become the JSON that the library reads."""

from __future__ import annotations

import ctypes
import json
import math
import numbers
import os
import weakref
from typing import Any, Mapping, Union

import numpy as np

from ..errors import StudyError, UsageError
from ..library import call, json_of, library, texts

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]
NAME = "study"  # of a dict, in messages and in the result; tables are looked for in the current folder
SHORTHANDS = ("backend", "device", "precision", "threads")  # of the section "engine", as options of the program


def _refuse(place: str, value: Any) -> TypeError:
    return TypeError(f"{place or 'the study'}: {type(value).__name__} is nothing that a study can hold; give numbers, texts, True, "
                     "False, None, lists, dicts or numpy arrays of them")


def _number(value: Any, place: str) -> float | int:
    if isinstance(value, numbers.Integral):
        return int(value)
    number = float(value)
    if not math.isfinite(number):
        raise StudyError(f"{place}: {number} is no number that a study can hold")
    return number


def _array(value: Any, place: str) -> Any:
    array = np.asarray(value)
    if array.dtype.kind not in "biufUO":
        raise _refuse(place, value)
    return plain(array.tolist() if array.dtype != object or array.ndim else array.item(), place)


def plain(value: Any, place: str = "") -> Any:
    """The value in types of JSON. Raises TypeError, or StudyError for a number that is none, naming the place."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, numbers.Real):
        return _number(value, place)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"{place or 'the study'}: the key {key!r} is no text")
        return {key: plain(item, f"{place}.{key}" if place else key) for key, item in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [plain(item, f"{place}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "__array__"):
        return _array(value, place)
    raise _refuse(place, value)


def assignment(path: str, value: Any) -> str:
    """The argument for --set of the program. Texts stay texts: "0" is no number."""
    if not isinstance(path, str):
        raise TypeError(f"a path such as \"wheel.friction\" is a text, not {type(path).__name__}")
    if "\0" in path:
        raise UsageError(f"{path!r} is no path in a study")
    return f"{path}={json.dumps(plain(value, path))}"


def assignments(set: Mapping[str, Any] | None, overrides: Mapping[str, Any]) -> list[str]:  # noqa: A002
    """Of set={"integrator.step": 1e-4}, and of keyword arguments, of which the SHORTHANDS belong to "engine"."""
    if set is not None and not isinstance(set, Mapping):
        raise TypeError(f"set is a dict of paths and values, such as {{\"integrator.step\": 1e-4}}, not {type(set).__name__}")
    named = {(f"engine.{name}" if name in SHORTHANDS else name): value for name, value in overrides.items()}
    return [assignment(path, value) for path, value in {**(set or {}), **named}.items()]


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """A path for the library."""
    name = os.fsencode(path)
    if b"\0" in name or not name:
        raise UsageError(f"{path!r} is no name of a file")
    return name


class Loaded:
    """A study that the library has read and checked. It is not changed any more, so that several threads may use it, and goes when this
    object does."""

    def __init__(self, source: Source, changes: list[str]) -> None:
        self.handle = ctypes.c_void_p()
        self.source, self.changes = source, changes
        self._end = weakref.finalize(self, library().omr_study_destroy, self.handle)
        mistake = None
        try:
            self._read()
        except StudyError as error:
            mistake = error
        if mistake:
            self._read_as_meant(mistake)

    def _read(self) -> None:
        if isinstance(self.source, Mapping):
            self._call("omr_study_parse", json.dumps(plain(self.source), indent=2).encode(), NAME.encode())
        elif isinstance(self.source, (str, os.PathLike)):
            self._call("omr_study_load", path_bytes(self.source))
        else:
            raise TypeError(f"a study is a dict, the path of a JSON file or an omniroll.Study, not {type(self.source).__name__}")

    def _read_as_meant(self, mistake: StudyError) -> None:
        """Where the study cannot be read: with the paths that the changes mean, if these are written otherwise."""
        from .meant_paths import meant, refuse_varied

        given = self.changes
        named = meant(self.source if isinstance(self.source, Mapping) else json_of("omr_json_read", path_bytes(self.source)), given)
        if named == given:
            raise mistake
        self.changes = named
        self._read()
        refuse_varied(json.loads(library().omr_study_text(self.handle)), named, given)

    def _call(self, function: str, *source: bytes) -> None:
        try:
            call(function, *source, texts(self.changes), len(self.changes), ctypes.byref(self.handle))
        except UsageError as error:
            if "--variant" not in str(error):
                raise
            raise UsageError(f"{error}\nIn Python: set={{\"variant\": NAME}} chooses one, omniroll.run_variants runs all of them") from None

    @property
    def path(self) -> bytes | None:
        """The file that it is from."""
        return None if isinstance(self.source, Mapping) else path_bytes(self.source)

    @property
    def stem(self) -> str:
        """The name of that file without folder and ending."""
        return NAME if isinstance(self.source, Mapping) else os.path.splitext(os.path.basename(os.fspath(self.source)))[0] or NAME


class Read:
    """A study that was read before, behind omniroll.Study."""

    loaded: Loaded


StudyLike = Union[str, "os.PathLike[str]", Mapping[str, Any], Read]


def loaded_of(study: StudyLike, changes: list[str]) -> Loaded:
    """The study, read where it is not read yet, or where something of it changes."""
    if not isinstance(study, Read):
        return Loaded(study, changes)
    return Loaded(study.loaded.source, [*study.loaded.changes, *changes]) if changes else study.loaded
