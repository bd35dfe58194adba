"""A result file in memory, as numpy arrays."""

import os
from dataclasses import dataclass, field

import h5py
import numpy as np


class NotAResult(Exception):
    """The file is missing, cannot be read, or is no result of omniroll. The message is one line."""


@dataclass(frozen=True)
class Result:
    """Every array has one value per instance, but for the trajectories: [instance, time] or [instance, time, wheel],
    NaN after the end of an instance. SI units, angles in radians, NaN where there is no value."""

    path: str
    attrs: dict  # attributes of the file: title, study, seed, backend, ...
    parameters: dict  # varied parameters: name -> array
    observables: dict  # name -> array
    units: dict  # name -> CF unit, of every array that has one
    long_names: dict  # name -> meaning
    status: np.ndarray
    status_time: np.ndarray  # s
    status_names: dict  # status -> name
    trajectories: dict  # name -> array; empty where nothing was traced
    time: np.ndarray  # s, of the trajectories
    traced: np.ndarray  # indices of the instances that have a trajectory
    wheels: dict = field(default_factory=dict)  # what the traced instances' wheels are: name -> [instance, wheel]
    statistics: dict = field(default_factory=dict)  # group /statistics: name -> array or (for a group) dict; "attrs": attributes
    marks: dict = field(default_factory=dict)  # what the design says of each instance: level and accepted of a subset simulation
    numbers: np.ndarray | None = None  # the instances that were run alone (omniroll reference); None: row k is instance k

    @property
    def instances(self):
        return len(self.status)

    @property
    def traced_rows(self):
        """Where the traced instances stand in the arrays with one value per instance."""
        traced = self.traced.astype(int)
        return traced if self.numbers is None else np.searchsorted(self.numbers, traced)

    def row_of(self, instance):
        """Where an instance stands in the arrays with one value per instance."""
        return instance if self.numbers is None else int(np.searchsorted(self.numbers, instance))

    @property
    def ok(self):
        """Mask of the instances that reached the end."""
        return self.status == 0

    @property
    def varied(self):
        """Names of the parameters that have more than one value."""
        return [name for name, values in self.parameters.items() if len(_levels(values)) > 1]

    def levels(self, name):
        """Sorted distinct values of a parameter."""
        return _levels(self.parameters[name])

    @property
    def is_grid(self):
        """True where the instances are all combinations of the parameters' levels."""
        counts = [len(self.levels(name)) for name in self.varied]
        if not counts or np.prod(counts, dtype=float) != self.instances:
            return False
        if len(counts) > 1:
            return True
        steps = np.diff(self.parameters[self.varied[0]])  # random draws of one parameter do not come in order
        return bool(np.all(steps > 0) or np.all(steps < 0))


def _levels(values):
    return np.unique(values[np.isfinite(values)])


def _text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _attributes(item):
    return {name: _text(item.attrs[name]) for name in item.attrs}


def _describe(name, dataset, units, long_names):
    if "units" in dataset.attrs:
        units[name] = _text(dataset.attrs["units"])
    long_names[name] = _text(dataset.attrs.get("long_name", name))


def _columns(group, role, units, long_names):
    columns = {}
    for name, dataset in group.items():
        if _text(dataset.attrs.get("role", "")) == role:
            columns[name] = dataset[()]
            _describe(name, dataset, units, long_names)
    return columns


def _trajectories(file, units, long_names):
    """Samples, wheels, times and traced instances."""
    nothing = np.empty(0)
    if "trajectories" not in file:
        return {}, {}, nothing, nothing.astype(np.uint64)
    group = file["trajectories"]
    samples, wheels = {}, {}
    for name, dataset in group.items():
        if name not in ("instance", "time", "wheel"):
            sampled = dataset.dims[1][0] == group["time"]
            (samples if sampled else wheels)[name] = dataset[()]
            _describe(name, dataset, units, long_names)
    return samples, wheels, group["time"][()], group["instance"][()]


def _status_names(status):
    names = _text(status.attrs["flag_meanings"]).split()
    return dict(zip((int(code) for code in status.attrs["flag_values"]), names))


def _numbers(group):
    """None where every instance was run."""
    numbers = group["instance"][()].astype(int)
    return None if np.array_equal(numbers, np.arange(len(numbers))) else numbers


def _group(group):
    content = {"attrs": _attributes(group)}
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            content[name] = _group(item)
        else:
            values = item[()]
            words = h5py.check_string_dtype(item.dtype) and np.ndim(values)
            content[name] = np.array([_text(value) for value in values]) if words else values
    return content


def _read(path, file):
    units, long_names = {}, {}
    group = file["instances"]
    samples, wheels, time, traced = _trajectories(file, units, long_names)
    return Result(
        path=path,
        attrs=_attributes(file),
        parameters=_columns(group, "parameter", units, long_names),
        observables=_columns(group, "observable", units, long_names),
        marks=_columns(group, "design", units, long_names),
        units=units,
        long_names=long_names,
        status=group["status"][()],
        status_time=group["status_time"][()],
        status_names=_status_names(group["status"]),
        trajectories=samples,
        time=time,
        traced=traced,
        wheels=wheels,
        statistics=_group(file["statistics"]) if "statistics" in file else {},
        numbers=_numbers(group),
    )


def open_result(path):
    """Reads a result file whole. Raises NotAResult."""
    return _open(path, _read)


def failures(path):
    """The instances of a result that failed, as an xarray Dataset over `instance` (and `wheel`): status and its name, time, the
    last good state, and the varied parameters that they had. Its attribute invalid_reasons says why invalid instances were
    refused, instance number -> text. No rows where none failed. Raises NotAResult."""
    return _open(path, _read_failures)


def _dimensions(dataset):
    return [dimension[0].name.rsplit("/", 1)[-1] for dimension in dataset.dims]


def _failure_variables(group):
    """Every dataset of /failures that is over its instances."""
    for name, dataset in group.items():
        if name not in ("instance", "wheel") and not name.startswith("invalid_"):
            units = {"units": _text(dataset.attrs["units"])} if "units" in dataset.attrs else {}
            yield name, (_dimensions(dataset), dataset[()], {"long_name": _text(dataset.attrs["long_name"]), **units})


def _parameters_of(group, rows):
    units, long_names = {}, {}
    for name, values in _columns(group, "parameter", units, long_names).items():
        yield name, (["instance"], values[rows], {"long_name": long_names[name], "units": units.get(name, "1")})


def _read_failures(path, file):
    import xarray

    instances = file["instances"]
    names = _status_names(instances["status"])
    if "failures" not in file:
        return xarray.Dataset(coords={"instance": np.empty(0, dtype=int)})
    group = file["failures"]
    failed = group["instance"][()].astype(int)
    rows = np.flatnonzero(instances["status"][()] != 0)  # in the order of the failures
    variables = {**dict(_parameters_of(instances, rows)), **dict(_failure_variables(group))}
    variables["status_name"] = (["instance"], np.array([names[int(code)] for code in group["status"][()]], dtype=object))
    coordinates = {"instance": failed}
    if "wheel" in group:
        coordinates["wheel"] = group["wheel"][()].astype(int)
    reasons = {}
    if "invalid_reason" in group:
        texts = (_text(text) for text in group["invalid_reason"][()])
        reasons = dict(zip((int(k) for k in group["invalid_instance"][()]), texts))
    return xarray.Dataset(variables, coords=coordinates, attrs={"path": path, "invalid_reasons": reasons})


def _open(path, read):
    path = os.fspath(path)
    if not os.path.exists(path):
        raise NotAResult(f"{path}: there is no such file")
    if os.path.isdir(path):
        raise NotAResult(f"{path}: is a folder; name a result file in it")
    if not os.access(path, os.R_OK):
        raise NotAResult(f"{path}: may not be read; check its permissions")
    if not h5py.is_hdf5(path):
        raise NotAResult(f"{path}: is not an HDF5 file, so it is no result of omniroll")
    try:
        with h5py.File(path, "r") as file:
            return read(path, file)
    except KeyError as error:
        raise NotAResult(f"{path}: is an HDF5 file but no result of omniroll: {_one_line(error)}") from error
    except (OSError, TypeError, ValueError, AttributeError) as error:
        raise NotAResult(f"{path}: cannot be read as a result of omniroll: {_one_line(error)}") from error


def _dataset(group, name, scales, xarray):
    data = group[name]
    dims = [scale.name.rsplit("/", 1)[-1] for scale in scales]
    attrs = {key: _text(data.attrs[key]) for key in ("units", "long_name") if key in data.attrs}
    values = data.asstr()[()] if h5py.check_string_dtype(data.dtype) else data[()]
    return xarray.Variable(dims, values, attrs)


def _statistics(group, xarray):
    variables, coordinates = {}, {}
    for name, data in group.items():
        if not isinstance(data, h5py.Dataset):
            continue
        scale = h5py.h5ds.is_scale(data.id)
        scales = [data] if scale else [dimension[0] for dimension in data.dims]
        design = _text(data.attrs.get("role", "")) == "design" or name == "unit"
        (coordinates if scale or design else variables)[name] = _dataset(group, name, scales, xarray)
    return xarray.Dataset(variables, coordinates, _attributes(group))


def statistics(path):
    """The statistics of a result file as an xarray.Dataset over quantity, quantile, bin, criterion, status and, for a nested
    design, cell, with the values of the grid's parameters as coordinates of the cells. Raises NotAResult."""
    import xarray  # needed here alone

    path = os.fspath(path)
    if not os.path.isfile(path) or not h5py.is_hdf5(path):
        raise NotAResult(f"{path}: there is no such result file")
    with h5py.File(path, "r") as file:
        if "statistics" not in file:
            raise NotAResult(f"{path}: has no group /statistics: it is no run, or one of an older version; see omniroll analyze")
        return _statistics(file["statistics"], xarray)


MEASURES = ("sobol", "morris", "correlation")


def sensitivity(path):
    """What a result file says of the parameters' effects on the observables, as an xarray.Dataset over quantity and parameter: of a
    saltelli design first_order and total, of a morris design mu_star, mu and sigma, of designs that draw or list pearson and
    spearman, with the ends of their intervals. The attribute `measure` is sobol, morris or correlation. Raises NotAResult."""
    import xarray  # needed here alone

    path = os.fspath(path)
    if not os.path.isfile(path) or not h5py.is_hdf5(path):
        raise NotAResult(f"{path}: there is no such result file")
    with h5py.File(path, "r") as file:
        measure = next((name for name in MEASURES if f"statistics/{name}" in file), None)
        if measure is None:
            raise NotAResult(f"{path}: has no sensitivities: its design shows none (see studies/README.md, Sensitivity)")
        return _statistics(file["statistics"][measure], xarray).assign_attrs(measure=measure)


def _one_line(error):
    return " ".join(str(error).strip("'\"").split())
