"""omniroll.Batch: vehicles of a study that the caller steps, with inputs of its own."""

from __future__ import annotations

import ctypes
import json
import threading
import warnings
import weakref
from typing import Any, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import StudyWarning, UsageError, callers_level
from ..library import BatchOptions, call, check_interpreter, library, text_of, texts
from ..running.study_input import Loaded, StudyLike, assignments, loaded_of

Floats = NDArray[np.float64]
Numbers = Union[Sequence[int], Sequence[bool], NDArray[Any]]


def _close(handle: ctypes.c_void_p, loaded: Loaded) -> None:
    """The study, which a batch needs to its end, goes after it."""
    library().omr_batch_close(handle)


def _group_of(path: str) -> str:
    """wheels[0].drive.torque: torque; command.vx: command."""
    return path.rpartition(".")[2] if path.startswith("wheels[") else path.partition(".")[0]


def _numbers(values: Numbers, name: str, most: int) -> NDArray[np.uintp]:
    """Slots or instances for the library; a mask stands for the places where it is true."""
    array = np.asarray(values)
    if array.dtype == np.bool_:
        if array.shape != (most,):
            raise UsageError(f"{name} is a mask of shape {array.shape}, and has to have {most} values")
        array = np.flatnonzero(array)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array < 0).any():
        raise UsageError(f"{name} are whole numbers from 0 on, in one row")
    return np.ascontiguousarray(array, dtype=np.uintp)


class Batch:
    """Vehicles of a study that the caller steps, with inputs of its own: for controllers and learners.

    >>> with omniroll.Batch("studies/how-to/step_vehicles.json", count=256) as batch:
    ...     batch.observe("x", "z", "yaw", "wheel_rate")
    ...     batch.set(command=[0.5, 0, 0.2])
    ...     batch.step(0.1)
    ...     seen = batch.read()  # one row for each vehicle
    ...     batch.reset(slots=[3, 7], instances=[100, 101])

    study  as of run, with set and overrides
    count  vehicles, by default the study's instances

    `batch.inputs` has paths and units, `batch.groups` the names for set; `batch.columns` and `batch.units` belong to the rows of read.
    `batch.count`, `batch.wheels`, `batch.step_length` (s), `batch.study_instances`, `batch.frame` and `batch.device` describe the batch.

    Vehicle i has the values of instance i of the study (counted round), and with the same inputs the bits of a run. Its duration does
    not end the batch. All quantities are in SI units and in the study's frame. A call takes all threads of the study's section engine
    and lets other Python threads go on; one of them at a time has the batch."""

    def __init__(self, study: StudyLike, count: int | None = None, *, set: Mapping[str, Any] | None = None,  # noqa: A002
                 **overrides: Any) -> None:
        """Raises UsageError for a study without a vehicle or without fixed steps, StudyError, DeviceError."""
        check_interpreter()
        self._loaded = loaded_of(study, assignments(set, overrides))
        self._handle = ctypes.c_void_p()
        self._lock = threading.RLock()
        self._names: tuple[str, ...] = ()
        if count is not None and not 1 <= count < 2**31:
            raise UsageError(f"a batch has from one to {2**31 - 1} vehicles, not {count}")
        options = BatchOptions(size=ctypes.sizeof(BatchOptions), count=count or 0)
        call("omr_batch_open", self._loaded.handle, ctypes.byref(options), ctypes.byref(self._handle))
        self._end = weakref.finalize(self, _close, self._handle, self._loaded)
        for line in text_of("omr_study_warnings", self._loaded.handle).splitlines():
            warnings.warn(line, StudyWarning, stacklevel=callers_level())
        lib = library()
        self.count = int(lib.omr_batch_count(self._handle))
        self.wheels = int(lib.omr_batch_wheels(self._handle))
        self.step_length = float(lib.omr_batch_step_length(self._handle))
        self.device = lib.omr_batch_device(self._handle).decode()
        self.study_instances = int(lib.omr_study_instances(self._loaded.handle))
        self.frame = str(json.loads(lib.omr_study_text(self._loaded.handle)).get("frame", "y_up"))
        self.inputs: dict[str, str] = {}
        while path := lib.omr_batch_input(self._handle, len(self.inputs)):
            self.inputs[path.decode()] = lib.omr_batch_input_unit(self._handle, len(self.inputs)).decode()
        self._places = {path: place for place, path in enumerate(self.inputs)}
        self.groups: dict[str, tuple[str, ...]] = {}
        for path in self.inputs:
            self.groups[_group_of(path)] = (*self.groups.get(_group_of(path), ()), path)
        self.columns: tuple[str, ...] = ()
        self.units: tuple[str, ...] = ()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<omniroll.Batch of {self.count} vehicles on {self.device}>"

    def close(self) -> None:
        """Gives its memory back. It may be called again; everything else is refused then."""
        with self._lock:
            self._end()

    def _call(self, function: str, *arguments: Any) -> None:
        with self._lock:
            if not self._end.alive:
                raise UsageError("the batch is closed: open another one")
            call(function, self._handle, *arguments)

    def reset(self, slots: Numbers | None = None, instances: Numbers | None = None) -> None:
        """Puts vehicles to their start, with the inputs of the study; the others go on undisturbed.

        slots      numbers of vehicles, or a mask of all; by default all
        instances  of the study, one for each of them: who they are from now on; by default who they were"""
        chosen = None if slots is None else _numbers(slots, "slots", self.count)
        count = self.count if chosen is None else len(chosen)
        new = None if instances is None else _numbers(instances, "instances", count)
        if new is not None and len(new) != count:
            raise UsageError(f"{len(new)} instances are given for {count} vehicles")
        if not count:
            return
        self._call("omr_batch_reset", None if chosen is None else chosen.ctypes.data, None if new is None else new.ctypes.data, count)

    def paths(self, name: str) -> tuple[str, ...]:
        """The inputs that a name of set stands for. Raises UsageError."""
        if name in self.inputs:
            return (name,)
        if name in self.groups:
            return self.groups[name]
        known = ", ".join([*self.groups, *self.inputs]) or ('none: give wheels a drive "constant", "speed" or "rate", or the vehicle a command of '
                                                            'type "constant"')
        raise UsageError(f"the batch has no input {name!r}; its inputs are {known}")

    def set(self, inputs: Mapping[str, ArrayLike] | None = None, **groups: ArrayLike) -> None:
        """Sets inputs, which hold until they are set again, or their vehicle is reset.

        >>> batch.set(torque=torques)                       # (count, wheels)
        >>> batch.set(command=[0.5, 0, 0])                  # the same for all vehicles
        >>> batch.set({"wheels[0].drive.torque": torques})  # (count,)

        Names are in `batch.groups`, whose paths are the columns, and the single paths of `batch.inputs`. Values broadcast to
        (count, columns). Raises UsageError, with nothing set, for a value that is no number or outside the bounds of its parameter."""
        names: list[str] = []
        blocks: list[Floats] = []
        for name, values in {**(inputs or {}), **groups}.items():
            paths = self.paths(name)
            array = np.asarray(values, dtype=np.float64)
            if name in self.inputs and array.ndim == 1:
                array = array.reshape(-1, 1)
            try:
                blocks.append(np.broadcast_to(array, (self.count, len(paths))))
            except ValueError:
                raise UsageError(f"{name} has the shape {np.shape(values)}, which is no ({self.count}, {len(paths)}): vehicles, and "
                                 f"{', '.join(paths)}") from None
            names += paths
        if not names:
            return
        if len(dict.fromkeys(names)) < len(names):
            raise UsageError(f"an input is named twice: {', '.join(sorted(path for path in self.inputs if names.count(path) > 1))}")
        block = np.ascontiguousarray(blocks[0] if len(blocks) == 1 else np.hstack(blocks))
        places = (ctypes.c_size_t * len(names))(*(self._places[path] for path in names))
        self._call("omr_batch_set", places, len(names), block.ctypes.data)

    def step(self, seconds: float) -> None:
        """Integrates all vehicles for `seconds` more, a whole number of steps of `batch.step_length`. One that fails stays where it is
        (`batch.status()`)."""
        self._call("omr_batch_step", float(seconds))

    def observe(self, *names: str) -> None:
        """Chooses what read gives: samples of trajectories ("x", "yaw_rate"; "wheel_rate" has a column for each wheel), and observables
        that the study keeps, which count from the vehicle's start. Raises UsageError for another name."""
        with self._lock:
            self._choose(names)  # refuses before anything changes
            columns: list[str] = []
            for name in names:
                self._choose((name,))
                width = int(library().omr_batch_width(self._handle))
                columns += [name] if width == 1 else [f"{name}[{wheel}]" for wheel in range(width)]
            self._choose(names)
            self.columns = tuple(columns)
            self.units = tuple(library().omr_batch_unit(self._handle, name.partition("[")[0].encode()).decode() for name in columns)

    def _choose(self, names: Sequence[str]) -> None:
        self._call("omr_batch_observe", texts(names), len(names))

    def read(self, out: Floats | None = None) -> Floats:
        """The chosen quantities of observe, as rows of `batch.columns`, one for each vehicle; NaN for vehicles that have failed.

        out  the array to be filled, which is given back: float64, (count, columns), C-contiguous. The library writes into its memory;
             any other array is refused. By default a new one."""
        with self._lock:  # another thread may not choose other columns meanwhile
            return self._read(out)

    def _read(self, out: Floats | None) -> Floats:
        if not self.columns:
            raise UsageError('nothing is chosen to be read: batch.observe("x", "yaw", "wheel_rate")')
        shape = (self.count, len(self.columns))
        if out is None:
            out = np.empty(shape)
        elif not isinstance(out, np.ndarray) or out.dtype != np.float64 or out.shape != shape or not (out.flags.c_contiguous and out.flags.writeable):
            raise UsageError(f"out has to be a writeable C-contiguous array of float64 of the shape {shape}: numpy.empty({shape})")
        self._call("omr_batch_read", out.ctypes.data)
        return out

    def status(self) -> NDArray[np.int8]:
        """0 for each vehicle that goes on, else why it failed, as in the column `status` of results."""
        found = np.empty(self.count, dtype=np.int8)
        self._call("omr_batch_status", found.ctypes.data)
        return found

    def _told(self, function: str, found: NDArray[Any]) -> NDArray[Any]:
        with self._lock:
            if not self._end.alive:
                raise UsageError("the batch is closed: open another one")
            getattr(library(), function)(self._handle, found.ctypes.data)
        return found

    def times(self) -> Floats:
        """Seconds since each vehicle's start."""
        return self._told("omr_batch_times", np.empty(self.count))

    def instances(self) -> NDArray[np.uintp]:
        """The instance of the study that each vehicle is."""
        return self._told("omr_batch_instances", np.empty(self.count, dtype=np.uintp))
