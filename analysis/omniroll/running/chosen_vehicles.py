"""Which vehicles of a study run: all, the nominal one, or some instances; and the nominal vehicle of a result."""

from __future__ import annotations

import ctypes
import numbers
import weakref
from typing import TYPE_CHECKING, Any, Iterable, Union

import h5py

from ..errors import NotAResult, UsageError
from ..library import call, library
from ..reading.dataset import dataset_of_file, prepare
from ..reading.result import Source, open_file
from .study_input import Loaded

if TYPE_CHECKING:
    import xarray

Instances = Union[int, str, Iterable[int]]
Trace = Union[bool, float, str, None]


class Chosen:
    """A study of single vehicles, made of one that was read, and used in its place: further attributes come from that one."""

    def __init__(self, whole: Loaded, function: str, *arguments: bytes | None) -> None:
        self.whole, self.handle = whole, ctypes.c_void_p()
        call(function, whole.handle, *arguments, ctypes.byref(self.handle))
        self.end = weakref.finalize(self, library().omr_study_destroy, self.handle)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)


def _numbers(instances: Instances) -> bytes:
    if isinstance(instances, str):
        return instances.encode()
    if isinstance(instances, numbers.Integral):
        return str(int(instances)).encode()
    if not isinstance(instances, Iterable) or isinstance(instances, (bytes, float)):
        raise TypeError(f"instance is a number, a list of numbers or a text such as \"0,3,7-9\", not {type(instances).__name__}")
    return ",".join(str(int(number)) for number in instances).encode()


def _interval(trace: Trace) -> bytes | None:
    """None: nothing is traced."""
    if trace is None or trace is False:
        return None
    return b"" if trace is True else str(trace).encode()


def chosen(whole: Loaded, nominal: bool, instance: Instances | None, trace: Trace) -> Loaded | Chosen:
    """The study itself, or a study of its nominal vehicle or of some instances. Raises UsageError."""
    interval = _interval(trace)
    if nominal and instance is not None:
        raise UsageError("nominal is one vehicle and instance others; give one of both")
    if nominal:
        return Chosen(whole, "omr_study_nominal", interval)
    if instance is not None:
        return Chosen(whole, "omr_study_of_instances", _numbers(instance), interval)
    if interval is not None:
        raise UsageError("trace belongs to nominal=True or instance=...; a whole study says in output.trajectories what it traces")
    return whole


def _nominal(path: str, file: h5py.File) -> "xarray.Dataset":
    if "nominal" not in file:
        raise NotAResult(f"{path}: the study does not trace its nominal vehicle; set={{\"output.trajectories.instances\": [\"nominal\"]}} "
                         "has it do so, and omniroll.run(study, nominal=True) runs that vehicle alone")
    return dataset_of_file(path, file["nominal"])


def nominal(source: Source) -> "xarray.Dataset":
    """The nominal vehicle of a result, as a Dataset like one of omniroll.open with one instance. Raises NotAResult where the study traces
    none."""
    prepare()
    return open_file(source, _nominal)
