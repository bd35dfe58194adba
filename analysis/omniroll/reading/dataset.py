"""A result file as one xarray Dataset."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Union

import h5py
import numpy as np

from ..errors import StudyWarning, callers_level
from .checksums import members, whole
from .in_memory import Entry, Held, Memory, content
from .result import KEPT, TOTAL, about, attributes, dimensions, nothing_kept, open_file, taken, text

if TYPE_CHECKING:
    import xarray

# The attribute "role" of a variable; variables of instances have theirs in the file.
SAMPLE, SHAPE, STATUS, TIME = "sample", "shape", "status", "status_time"
COPIED = ("units", "long_name", "role", "flag_values", "flag_meanings")
STEP_ERROR = {"step_error": "error", "step_error_low": "error_low", "step_error_high": "error_high", "step_order": "order"}
with_datasets: list[Callable[[], None]] = []  # called when the first Dataset is made; backend.py, which imports this module, joins

Take = Callable[[h5py.Dataset], Any]  # the values of a dataset, or an object that reads them later


def _entry(data: h5py.Dataset, names: Mapping[str, str], take: Take, **more: str) -> Entry:
    dims = [names.get(name, name) for name in dimensions(data)]
    return dims, taken(data, take), {**about(data, COPIED), **more}


def _instances(group: h5py.Group, take: Take) -> Iterator[tuple[str, Entry]]:
    for name, data in members(group):
        if name != "instance":
            yield name, _entry(data, {}, take, **({"role": name} if name in (STATUS, TIME) else {}))


def _trajectories(group: h5py.Group, take: Take) -> Iterator[tuple[str, Entry]]:
    for name, data in members(group):
        if name not in ("instance", "time", "wheel"):
            yield name, _entry(data, {"instance": "traced"}, take)


def _scale(data: h5py.Dataset, take: Take = whole) -> tuple[Any, dict[str, Any]]:
    return take(data), about(data)


def _coordinates(file: h5py.File, take: Take = whole) -> Iterator[tuple[str, Entry]]:
    values, told = _scale(file["instances/instance"], take)
    yield "instance", (["instance"], values.astype(np.int64), told)
    for name, dimension in (("instance", "traced"), ("time", "time"), ("wheel", "wheel")):
        if f"trajectories/{name}" in file:
            values, told = _scale(file["trajectories"][name])
            yield dimension, ([dimension], values if name == "time" else values.astype(np.int64), told)


def _add_step_errors(file: h5py.File, variables: Mapping[str, Entry]) -> None:
    """Adds the step error of an observable's mean to its attributes."""
    if "statistics/step_error" not in file:
        return
    group = file["statistics/step_error"]
    used, found = whole(group["used"]), {source: whole(group[source]) for source in STEP_ERROR.values()}
    for at, name in enumerate(text(word) for word in whole(group["quantity"])):
        if name in variables and variables[name][2].get("role") == "observable" and used[at]:
            variables[name][2].update({attribute: float(found[source][at]) for attribute, source in STEP_ERROR.items()})


def _cells(attrs: Mapping[str, Any], numbers: Any) -> dict[str, Entry]:
    """Of a nested design the cell of each instance, of candidates their number, numbered as the cells of omniroll.statistics are."""
    try:
        design = json.loads(attrs.get("study", "{}")).get("design", {})
        names = {"nested": "cell of the nested design", "candidates": "candidate"}
        if design.get("type") not in names:
            return {}
        return {"cell": (["instance"], numbers // int(design.get("per_cell", 1)), {"long_name": names[design["type"]]})}
    except (AttributeError, KeyError, TypeError, ValueError):  # a study that cannot be read has no cells
        return {}


def _told(dataset: "xarray.Dataset") -> "xarray.Dataset":
    if words := nothing_kept(dataset):
        warnings.warn(words, StudyWarning, stacklevel=callers_level())
    return dataset


def prepare() -> None:
    """Modules that a process needs before it has a Dataset, also one that another process has made (own_process.py)."""
    from . import accessor

    accessor.register()
    for do in with_datasets:
        do()


def _assembled(variables: dict[str, Entry], coordinates: dict[str, Entry], trajectories: Mapping[str, Entry],
               attrs: dict[str, Any]) -> "xarray.Dataset":
    """Trajectories are over `traced`, the numbers of the traced instances. A name that is taken gets "traced_" before it."""
    import xarray

    coordinates = {**coordinates, **{name: entry for name, entry in variables.items() if entry[2].get("role") == "parameter"}}
    coordinates = {**_cells(attrs, coordinates["instance"][1]), **coordinates}
    taken, data = {**variables, **coordinates}, {**variables}
    for name, (dims, values, facts) in trajectories.items():
        role = SAMPLE if "time" in dims else SHAPE
        data[f"traced_{name}" if name in taken else name] = (dims, values, {**facts, "role": role})
    return xarray.Dataset({name: entry for name, entry in data.items() if name not in coordinates}, coordinates, attrs)


def dataset_of_file(path: str, file: h5py.File, take: Take = whole, numbers: Take = whole) -> "xarray.Dataset":
    """Of an open file, or a group that is laid out like one."""
    variables = dict(_instances(file["instances"], take))
    _add_step_errors(file, variables)
    trajectories = dict(_trajectories(file["trajectories"], take)) if "trajectories" in file else {}
    return _assembled(variables, dict(_coordinates(file, numbers)), trajectories, {**attributes(file), **_total(file), "path": path})


def _total(file: h5py.File) -> dict[str, Any]:
    """How many instances were run, where not all of them have a row."""
    group = file.get("statistics")
    return {TOTAL: np.int64(np.sum(whole(group["instances"])))} if group is not None and KEPT in group.attrs else {}


def _lazy(path: str, file: h5py.File) -> "xarray.Dataset":
    from . import lazy_variables  # open_dataset has imported it before the fork

    return dataset_of_file(path, file, lazy_variables.taker(path), lazy_variables.numbers)


def dataset_of(held: Held, name: str) -> "xarray.Dataset":
    """A result in memory as open_dataset gives one of a file."""
    prepare()
    told, path = held.about(), Memory(name, held.image)
    if told["marked"]:
        return _told(open_file(path, dataset_of_file))
    variables, coordinates, trajectories, attrs = content(held, told)
    if held.total > held.instances:
        attrs[TOTAL] = np.int64(held.total)
    return _told(_assembled(variables, coordinates, trajectories, {**attrs, "path": path}))


def open_dataset(path: Union[str, "os.PathLike[str]"], *, lazy: bool = False, chunks: Any = None) -> "xarray.Dataset":
    """A result file as one xarray Dataset.

    Over `instance`, its number: the varied parameters (coordinates), the observables, status (0: reached the end; flag_meanings
    names the others) and status_time, the time it ended. Over `traced`, the numbers of the traced instances, `time` and `wheel`:
    the trajectories, NaN after the end of an instance, and over `traced` and `wheel` the wheels' shapes. Of a name that both
    have, the one of the traced instances gets "traced_" before it, as traced_wheel_radius where wheel.radius is varied.

    Units (CF) and meanings are the attributes units and long_name; the attribute role is parameter, observable, design, status,
    status_time, sample or shape: result.filter_by_attrs(role="observable") keeps only the observables. An observable's attributes
    step_error, step_error_low, step_error_high and step_order are the step error of its mean (omniroll.step_error has the rest).
    Attributes of the Dataset are the file's, among them title, study (its text), seed, backend and precision, and path, the file;
    where output.rows keeps a sample of the rows or none, total_instances is how many were run: omniroll.statistics is of all of them. A
    StudyWarning says where none is kept.

    >>> result = omniroll.open("result.h5")
    >>> result.path_length.where(result.status == 0).groupby("wheel_friction").mean()
    >>> result.normal_load.sel(traced=0).plot.line(x="time")

    lazy    read a variable at its first use, and not before: of a million instances opening reads almost nothing. A whole read is held
            against the checksum then; of a part HDF5 checks the blocks that it lies in. The file has to stay as it is.
    chunks  likewise as arrays of dask, which has to be installed: "auto", or sizes by dimension, {"instance": 100_000}

    Its attribute `omniroll` draws: result.omniroll.plot("path_length"), plot_path() and more (omniroll.reading.accessor.Accessor).

    A nested design has the coordinate `cell`: result.groupby("cell").mean(). xarray.open_dataset(path, engine="omniroll") gives the same
    Dataset where the package is installed, and elsewhere once this process has opened or run something with omniroll.

    Over a grid of parameters: result.set_index(instance=["wheel_friction", "wheel_inclination"]).unstack("instance").
    Raises NotAResult, and UsageError for chunks without dask.
    """
    prepare()
    if chunks is None and not lazy:
        return _told(open_file(path, dataset_of_file))
    from .lazy_variables import check_dask

    if chunks is None:
        return _told(open_file(path, _lazy))
    check_dask()
    return _told(open_file(path, _lazy)).chunk(chunks)
