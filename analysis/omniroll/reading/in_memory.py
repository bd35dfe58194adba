"""Results of runs that are in no file: the Dataset is made of the library's arrays, and the bytes of a result file only where they are
needed."""

from __future__ import annotations

import ctypes
import itertools
import math
import weakref
from typing import TYPE_CHECKING, Any, Callable

import h5py
import numpy as np

from ..library import call, json_of, library

if TYPE_CHECKING:
    import numpy.typing as npt

Entry = tuple[list[str], Any, dict[str, Any]]  # of a variable: dimensions, values, attributes


class Held:
    """A result of the library, which goes when this object does. Its arrays are copies: whoever changes a Dataset does not change it."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        self.instances = int(library().omr_result_instances(handle))
        self.total = int(library().omr_result_total(handle))
        self.end = weakref.finalize(self, library().omr_result_destroy, handle)

    def about(self) -> dict[str, Any]:
        """The contents of a file without its numbers."""
        return json_of("omr_result_about_json", self.handle)


    def array(self, function: str, *arguments: Any, kind: Any = ctypes.c_double, shape: tuple[int, ...] | None = None) -> npt.NDArray[Any]:
        """The array that an accessor points to; of the rows, where no shape is given."""
        shape = (self.instances,) if shape is None else shape
        count = math.prod(shape)
        place = getattr(library(), function)(self.handle, *arguments)
        if not place or not count:
            return np.empty(shape, dtype=kind)
        return np.array((kind * count).from_address(place)).reshape(shape)

    def image(self) -> bytes:
        """The bytes of a result file."""
        place, count = ctypes.c_void_p(), ctypes.c_size_t()
        call("omr_result_image", self.handle, ctypes.byref(place), ctypes.byref(count))
        try:
            return ctypes.string_at(place, count.value)
        finally:
            library().omr_text_destroy(place)


class Memory(str):
    """The attribute `path` of a Dataset whose result is in no file. It holds the result, for omniroll.statistics and all else that takes
    a Dataset in place of a file, and lives as long as a Dataset that has it; pickled, it takes the result along."""

    _make: Callable[[], bytes]

    def __new__(cls, name: str, make: Callable[[], bytes]) -> "Memory":
        new = super().__new__(cls, name)
        new._make = make
        return new

    @property
    def image(self) -> bytes:
        """The bytes of a result file, made once; then the library's result is let go of."""
        image = self._make()  # without a lock, which a fork at this moment would leave taken: concurrent callers make the same
        self._make = lambda: image
        return image

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (str(self), self.image)

    def __copy__(self) -> "Memory":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Memory":
        return self


def _unpickled(name: str, image: bytes) -> Memory:
    return Memory(name, lambda: image)


_numbers = itertools.count()


def opened(path: str) -> h5py.File:
    """A result as an HDF5 file that can be read, wherever it is."""
    if not isinstance(path, Memory):
        return h5py.File(path, "r")
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)  # a file object of Python has dimension scales that HDF5 cannot follow
    access.set_fapl_core(backing_store=False)
    access.set_file_image(path.image)
    name = f"{path} {next(_numbers)}".encode()  # HDF5 takes two of one name for one file
    return h5py.File(h5py.h5f.open(name, h5py.h5f.ACC_RDONLY, access))


def _attributes(about: dict[str, Any]) -> dict[str, Any]:
    given = about["attributes"]
    found = {**given["texts"], **{name: np.int64(value) for name, value in given["integers"].items()},
             **{name: np.float64(value) for name, value in given["numbers"].items()}}
    return {name: found[name] for name in sorted(found)}


STEP_ERROR = ("step_error", "step_error_low", "step_error_high", "step_order")


def _described(said: dict[str, Any], about: dict[str, Any]) -> dict[str, Any]:
    found = {"units": said["unit"]} if said["unit"] is not None else {}
    found["long_name"] = said["long_name"]
    if said["role"] != "retries":
        found["role"] = said["role"]
    if said["role"] == "status":
        found["flag_values"] = np.array(about["flag_values"], dtype=np.int8)
        found["flag_meanings"] = about["flag_meanings"]
    return {**found, **{name: float(said[name]) for name in STEP_ERROR if name in said}}  # also "nan" and "inf", which JSON does not know


OTHERS = {"status": ("omr_result_status", ctypes.c_int8), "status_time": ("omr_result_status_time", ctypes.c_double),
          "retries": ("omr_result_retries", ctypes.c_int8)}


def _rows(held: Held, about: dict[str, Any]) -> dict[str, Entry]:
    found: dict[str, Any] = {}
    for at, said in enumerate(about["rows"]):
        function, kind = OTHERS.get(said["role"], ("", None))
        values = held.array(function, kind=kind) if function else held.array("omr_result_column", at)
        found[said["name"]] = (["instance"], values, _described(said, about))
    return found


def _coordinates(held: Held, about: dict[str, Any]) -> dict[str, Entry]:
    lib, handle, said = library(), held.handle, about["dimensions"]
    numbers = np.fromiter((lib.omr_result_instance(handle, row) for row in range(held.instances)), np.int64, held.instances)
    found = {"instance": (["instance"], numbers, said["instance"])}
    samples = lib.omr_result_samples(handle)
    if samples and lib.omr_result_traced(handle):
        rows = [lib.omr_result_traced_row(handle, i) for i in range(lib.omr_result_traced(handle))]
        found["traced"] = (["traced"], numbers[rows], said["traced"])
        found["time"] = (["time"], held.array("omr_result_sample_times", shape=(samples,)), said["time"])
        if about["wheels"]:
            found["wheel"] = (["wheel"], np.arange(about["wheels"], dtype=np.int64), said["wheel"])
    return found  # type: ignore[return-value]


def _quantities(held: Held, about: dict[str, Any], coordinates: dict[str, Entry]) -> dict[str, Entry]:
    found: dict[str, Any] = {}
    for at, said in enumerate(about["quantities"]):
        dims = ["traced", *said["over"]]
        shape = tuple(len(coordinates[name][1]) for name in dims)
        values = held.array("omr_result_trajectory", at, None, None, shape=shape)
        units = {"units": said["unit"]} if said["unit"] is not None else {}
        found[said["name"]] = (dims, values, {**units, "long_name": said["long_name"]})
    return found


def content(held: Held, about: dict[str, Any]) -> tuple[dict[str, Entry], dict[str, Entry], dict[str, Entry], dict[str, Any]]:
    """Columns of instances, coordinates, trajectories and attributes, as dataset.py reads them from a file."""
    coordinates = _coordinates(held, about)
    return _rows(held, about), coordinates, _quantities(held, about, coordinates), _attributes(about)
