"""A result file in memory, as numpy arrays."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Iterator, Sequence, TypeVar, Union

import h5py
import numpy as np
import numpy.typing as npt

from ..errors import FileError, NotAResult
from .checksums import NAME as CHECKSUM, checked, members, tell_unchecked, whole
from .in_memory import Memory, opened
from .own_process import apart

if TYPE_CHECKING:
    import xarray

Array = npt.NDArray[Any]
Source = Union[str, "os.PathLike[str]", "xarray.Dataset"]  # a file, or a Dataset made of it
T = TypeVar("T")
KEPT = "kept_rows"  # attribute of /statistics where output.rows is not "all"
TOTAL = "total_instances"  # attribute of the Dataset there


@dataclass(frozen=True)
class Result:
    """Every array has one value per instance, but for the trajectories: [instance, time] or [instance, time, wheel],
    NaN after the end of an instance. SI units, angles in radians, NaN where there is no value."""

    path: str
    attrs: dict[str, Any]  # attributes of the file: title, study, seed, backend, ...
    parameters: dict[str, Array]  # varied parameters: name -> array
    observables: dict[str, Array]  # name -> array
    units: dict[str, str]  # name -> CF unit, of every array that has one
    long_names: dict[str, str]  # name -> meaning
    status: Array
    status_time: Array  # s
    status_names: dict[int, str]  # status -> name
    trajectories: dict[str, Array]  # name -> array; empty where nothing was traced
    time: Array  # s, of the trajectories
    traced: Array  # indices of the instances that have a trajectory
    wheels: dict[str, Array] = field(default_factory=dict)  # shapes of the traced instances' wheels: name -> [instance, wheel]
    statistics: dict[str, Any] = field(default_factory=dict)  # group /statistics: name -> array or (for a group) dict; "attrs": attributes
    # columns of the design for each instance: level and accepted of a subset simulation
    marks: dict[str, Array] = field(default_factory=dict)
    numbers: Array | None = None  # the instances that were run (omniroll reference); None: row k is instance k
    nominal: Result | None = None  # the nominal vehicle, a result of one row; None: the study does not trace it
    _levels: dict[str, tuple[Array, Array]] = field(default_factory=dict, repr=False, compare=False)  # values of levels()

    def __repr__(self) -> str:
        traced = f", {len(self.traced)} traced" if len(self.traced) else ""
        count = f"{self.instances} rows kept of {self.total} instances" if self.summed else f"{self.instances} instances"
        return (f"<omniroll Result {str(self.path)!r}: {count}, {self.by_status.get('ok', 0)} ok{traced}; varied: "
                f"{', '.join(self.varied) or 'nothing'}; observables: {', '.join(self.observables)}>")

    @property
    def instances(self) -> int:
        """How many instances the file has: its rows."""
        return len(self.status)

    @property
    def total(self) -> int:
        """How many instances the statistics are of: more than rows where output.rows keeps a sample or none."""
        return int(np.sum(self.statistics["instances"])) if KEPT in self.statistics.get("attrs", {}) else self.instances

    @property
    def summed(self) -> bool:
        """Whether some rows are not kept, so that only statistics cover all instances."""
        return self.total > self.instances

    @property
    def by_status(self) -> dict[str, int]:
        """Number of instances of each status that occurs, of all that were run."""
        if self.summed:
            return {str(name): int(count) for name, count in zip(self.statistics["status"], self.statistics["instances"]) if count}
        codes, counts = np.unique(self.status, return_counts=True)
        return {self.status_names.get(int(code), f"status {code}"): int(found) for code, found in zip(codes, counts)}

    @property
    def traced_rows(self) -> Array:
        """Where the traced instances stand in the arrays with one value per instance."""
        traced = self.traced.astype(int)
        return traced if self.numbers is None else np.searchsorted(self.numbers, traced)

    def row_of(self, instance: int) -> int:
        """Where an instance stands in the arrays with one value per instance."""
        return instance if self.numbers is None else int(np.searchsorted(self.numbers, instance))

    @property
    def traced_names(self) -> dict[int, list[str]]:
        """Names that the study has for traced instances: number -> "largest vibration_rms" and so on."""
        found: dict[int, list[str]] = {}
        for line in str(self.attrs.get("traced_names", "")).splitlines():
            number, _, name = line.partition(" ")
            found.setdefault(int(number), []).append(name)
        return found

    @property
    def ok(self) -> Array:
        """Mask of the instances that reached the end."""
        return np.asarray(self.status == 0)

    @property
    def varied(self) -> list[str]:
        """Names of the parameters that have more than one value."""
        return [name for name, values in self.parameters.items() if _several(self._range(name) if self.summed else values)]

    def _range(self, name: str) -> Array:
        """Smallest and largest value of a parameter in the statistics."""
        at = np.flatnonzero(np.asarray(self.statistics["quantity"]) == name)
        return np.array([float(self.statistics[end][k]) for k in at for end in ("min", "max")])

    def levels(self, name: str) -> Array:
        """Sorted distinct values of a parameter."""
        values = self.parameters[name]
        if name not in self._levels or self._levels[name][0] is not values:  # sorting a million values takes a tenth of a second
            self._levels[name] = (values, np.unique(values[np.isfinite(values)]))
        return self._levels[name][1]

    @property
    def is_grid(self) -> bool:
        """True where the instances are all combinations of the parameters' levels."""
        counts = [len(self.levels(name)) for name in self.varied]
        if not counts or self.summed or np.prod(counts, dtype=float) != self.instances:
            return False
        if len(counts) > 1:
            return True
        steps = np.diff(self.parameters[self.varied[0]])  # random draws of one parameter do not come in order
        return bool(np.all(steps > 0) or np.all(steps < 0))


def _several(values: Array) -> bool:
    finite = values[np.isfinite(values)]
    return bool(len(finite) and finite.min() < finite.max())


def text(value: Any) -> Any:
    """A text of HDF5 as a str; anything else as it is."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def attributes(item: Any) -> dict[str, Any]:
    """The attributes of a file, group or dataset."""
    if not isinstance(item, h5py.Dataset):
        checked(item)
    return {name: text(item.attrs[name]) for name in item.attrs if name != CHECKSUM}


def _describe(name: str, dataset: h5py.Dataset, units: dict[str, str], long_names: dict[str, str]) -> None:
    if "units" in dataset.attrs:
        units[name] = text(dataset.attrs["units"])
    long_names[name] = text(dataset.attrs.get("long_name", name))


ROLES = ("parameter", "observable", "design")


def _columns(group: h5py.Group, role: str, units: dict[str, str], long_names: dict[str, str]) -> dict[str, Array]:
    columns = {}
    for name, dataset in members(group):
        found = text(dataset.attrs.get("role", ""))
        if found == role:
            columns[name] = whole(dataset)
            _describe(name, dataset, units, long_names)
        elif found and found not in ROLES:
            whole(dataset)  # a damaged word; left out, nobody would notice
    return columns


def _trajectories(file: h5py.File, units: dict[str, str],
                  long_names: dict[str, str]) -> tuple[dict[str, Array], dict[str, Array], Array, Array]:
    """Samples, wheels, times and traced instances."""
    nothing: Array = np.empty(0)
    if "trajectories" not in file:
        return {}, {}, nothing, nothing.astype(np.uint64)
    group = file["trajectories"]
    samples: dict[str, Array] = {}
    wheels: dict[str, Array] = {}
    for name, dataset in members(group):
        if name not in ("instance", "time", "wheel"):
            sampled = dataset.dims[1][0] == group["time"]
            (samples if sampled else wheels)[name] = whole(dataset)
            _describe(name, dataset, units, long_names)
    return samples, wheels, whole(group["time"]), whole(group["instance"])


def _status_names(status: h5py.Dataset) -> dict[int, str]:
    names = text(status.attrs["flag_meanings"]).split()
    return dict(zip((int(code) for code in status.attrs["flag_values"]), names))


def _numbers(group: h5py.Group) -> Array | None:
    """None where every instance was run."""
    numbers = whole(group["instance"]).astype(int)
    return None if np.array_equal(numbers, np.arange(len(numbers))) else numbers


def _group(group: h5py.Group) -> dict[str, Any]:
    content: dict[str, Any] = {"attrs": attributes(group)}
    for name, item in members(group):
        if isinstance(item, h5py.Group):
            content[name] = _group(item)
        else:
            values = whole(item)
            words = h5py.check_string_dtype(item.dtype) and np.ndim(values)
            content[name] = np.array([text(value) for value in values]) if words else values
    return content


def _read(path: str, file: h5py.File) -> Result:
    units: dict[str, str] = {}
    long_names: dict[str, str] = {}
    group = file["instances"]
    samples, wheels, time, traced = _trajectories(file, units, long_names)
    return Result(
        path=path,
        attrs=attributes(file),
        parameters=_columns(group, "parameter", units, long_names),
        observables=_columns(group, "observable", units, long_names),
        marks=_columns(group, "design", units, long_names),
        units=units,
        long_names=long_names,
        status=whole(group["status"]),
        status_time=whole(group["status_time"]),
        status_names=_status_names(group["status"]),
        trajectories=samples,
        time=time,
        traced=traced,
        wheels=wheels,
        statistics=_group(file["statistics"]) if "statistics" in file else {},
        numbers=_numbers(group),
        nominal=_read(path, file["nominal"]) if "nominal" in file else None,
    )


def open_result(path: Source) -> Result:
    """Reads a result file whole, for figures and plot. Raises NotAResult."""
    return open_file(path, _read)


def nothing_kept(dataset: "xarray.Dataset") -> str:
    """The sentence for a Dataset without rows; nothing where it has some, or nothing was run."""
    total = int(dataset.attrs.get(TOTAL, 0))
    if total == 0 or dataset.sizes["instance"]:
        return ""
    return (f"{dataset.attrs.get('path')}: none of {total} rows is here (output.rows): columns are empty, and their means are NaN; "
            "result.omniroll.statistics() has the numbers of all instances")


def failures(path: Source) -> "xarray.Dataset":
    """The instances of a result that failed, as an xarray Dataset over `instance` (and `wheel`): status and its name, time, the
    last good state, and the varied parameters that they had. Its attribute invalid_reasons says why invalid instances were
    refused, instance number -> text. No rows where none failed. Where output.rows keeps a sample of the rows or none, those are there of
    which a row is kept, and of the first of each status their number and status. Its attribute total_failed is how many failed: of more than
    are there omniroll.statistics counts each status. Raises NotAResult."""
    import xarray  # noqa: F401  # before the process that reads is made

    return open_file(path, _read_failures)


def dimensions(dataset: h5py.Dataset) -> list[str]:
    """Names of the dimension scales."""
    return [dimension[0].name.rsplit("/", 1)[-1] for dimension in dataset.dims]


def _failure_variables(group: h5py.Group) -> Iterator[tuple[str, Any]]:
    """Every dataset of /failures that is over its instances."""
    for name, dataset in members(group):
        if name not in ("instance", "wheel") and not name.startswith("invalid_"):
            units = {"units": text(dataset.attrs["units"])} if "units" in dataset.attrs else {}
            yield name, (dimensions(dataset), whole(dataset), {"long_name": text(dataset.attrs["long_name"]), **units})


def _parameters_of(group: h5py.Group, rows: Array) -> Iterator[tuple[str, Any]]:
    units: dict[str, str] = {}
    long_names: dict[str, str] = {}
    for name, values in _columns(group, "parameter", units, long_names).items():
        yield name, (["instance"], values[rows], {"long_name": long_names[name], "units": units.get(name, "1")})


def _read_failures(path: str, file: h5py.File) -> "xarray.Dataset":
    found = _kept_failures(path, file)
    found.attrs["total_failed"] = _total_failed(file, found.sizes["instance"])
    if "statistics" not in file or "failed_instances" not in file["statistics"]:
        return found
    numbers, names = whole(file["statistics/failed_instances"]), [text(name) for name in whole(file["statistics/status"])]
    first = {int(k): names[status] for status, row in enumerate(numbers) for k in row if k >= 0 and k not in found.instance.values}
    codes = {name: code for code, name in _status_names(file["instances/status"]).items()}
    known = {**dict(zip(found.instance.values, found.status_name.values if len(found.instance) else [])), **first}
    every = np.array(sorted(known), dtype=int)
    said = np.array([known[k] for k in every], dtype=object)
    status = np.array([codes.get(name, -1) for name in said], dtype=np.int8)
    return found.reindex(instance=every).assign(status=("instance", status), status_name=("instance", said))


def _total_failed(file: h5py.File, kept: int) -> int:
    """How many instances failed, with or without a row."""
    group = file.get("statistics")
    if group is None or "status" not in group or "instances" not in group:
        return kept
    return sum(int(count) for name, count in zip(whole(group["status"]), whole(group["instances"])) if text(name) != "ok")


def _kept_failures(path: str, file: h5py.File) -> "xarray.Dataset":
    import xarray

    instances = file["instances"]
    names = _status_names(instances["status"])
    if "failures" not in file:
        return xarray.Dataset(coords={"instance": np.empty(0, dtype=int)})
    group = file["failures"]
    failed = whole(group["instance"]).astype(int)
    rows = np.flatnonzero(whole(instances["status"]) != 0)  # in the order of the failures
    variables = {**dict(_parameters_of(instances, rows)), **dict(_failure_variables(group))}
    variables["status_name"] = (["instance"], np.array([names[int(code)] for code in whole(group["status"])], dtype=object))
    coordinates = {"instance": failed}
    if "wheel" in group:
        coordinates["wheel"] = whole(group["wheel"]).astype(int)
    reasons = {}
    if "invalid_reason" in group:
        texts = (text(reason) for reason in whole(group["invalid_reason"]))
        reasons = dict(zip((int(k) for k in whole(group["invalid_instance"])), texts))
    return xarray.Dataset(variables, coords=coordinates, attrs={"path": path, "invalid_reasons": reasons})


def path_of(source: Source) -> str:
    """The file of a Dataset of omniroll.open or run (a Memory where it is in none), or the path itself."""
    where: Union[str, "os.PathLike[str]"] = getattr(source, "attrs", {}).get("path", source)
    return os.fspath(where)


def _why_missing(path: str) -> str:
    if os.path.isdir(f"{path}.parts"):
        return f"is not there yet, but {path}.parts is, an unfinished run: omniroll resume {path} goes on with it"
    folder, name = os.path.split(path)
    try:
        results = [other for other in os.listdir(folder or ".") if other.endswith(".h5")]
    except OSError:
        results = []
    near = difflib.get_close_matches(name, results, 1) or [other for other in results if other == f"{name}.h5"]
    remedy = f"did you mean {os.path.join(folder, near[0])}?" if near else f"omniroll run STUDY -o {path} makes a result"
    return f"there is no such file; {remedy}"


def _why_no_hdf5(path: str) -> str:
    """The kind of the file, as far as its beginning shows."""
    with open(path, "rb") as file:
        start = file.read(8192).decode(errors="replace")
    if re.match(r"(\s|//[^\n]*\n|/\*.*?\*/)*\{", start, re.DOTALL):
        return f"is a study (JSON), no result; run it first: omniroll run {path}"
    return "is not an HDF5 file, so it is no result of omniroll; omniroll run STUDY makes one, which ends in .h5"


def _require_result(path: str) -> None:
    """Raises NotAResult with a remedy where the path is no HDF5 file that can be read."""
    if isinstance(path, Memory):
        return
    if not os.path.exists(path):
        raise NotAResult(f"{path}: {_why_missing(path)}")
    if os.path.isdir(path):
        raise NotAResult(f"{path}: is a folder; name a result file in it")
    if not os.path.isfile(path):  # HDF5 would wait for the other end of a pipe for ever
        raise NotAResult(f"{path}: is a pipe, a socket or a device; a result is a plain file: copy it into one, and name that")
    if not os.access(path, os.R_OK):
        raise NotAResult(f"{path}: may not be read; check its permissions")
    if not h5py.is_hdf5(path):
        raise NotAResult(f"{path}: {_why_no_hdf5(path)}")
    tell_unchecked()


def open_file(source: Source, read: Callable[[str, h5py.File], T]) -> T:
    """The result of `read` on a result file. Raises NotAResult."""
    path = path_of(source)
    _require_result(path)
    return apart(path, lambda: _converted(path, read))


def _converted(path: str, read: Callable[[str, h5py.File], T]) -> T:
    try:
        with opened(path) as file:
            return read(path, file)
    except FileError:
        raise
    except KeyError as error:
        raise NotAResult(f"{path}: is an HDF5 file but no result of omniroll: {_one_line(error)}") from error
    except (OSError, RuntimeError, TypeError, ValueError, AttributeError) as error:
        raise NotAResult(f"{path}: cannot be read as a result of omniroll: {_one_line(error)}") from error


def taken(data: h5py.Dataset, take: Callable[[h5py.Dataset], Any] = whole) -> Any:
    """Its values, texts as objects, which are read whole."""
    return np.array([text(word) for word in whole(data)], dtype=object) if h5py.check_string_dtype(data.dtype) else take(data)


def about(data: h5py.Dataset, keys: Sequence[str] = ("units", "long_name")) -> dict[str, Any]:
    """Those of these attributes that it has."""
    return {key: text(data.attrs[key]) for key in keys if key in data.attrs}


def _statistics(group: h5py.Group, xarray: Any) -> Any:
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}
    for name, data in members(group):
        if not isinstance(data, h5py.Dataset):
            continue
        scale = h5py.h5ds.is_scale(data.id)
        design = text(data.attrs.get("role", "")) == "design" or name == "unit"
        dims = [name] if scale else dimensions(data)
        (coordinates if scale or design else variables)[name] = xarray.Variable(dims, taken(data), about(data))
    return xarray.Dataset(variables, coordinates, attributes(group))


def _step_errors(group: h5py.Group, xarray: Any) -> dict[str, Any]:
    """Variables of the group step_error that are only over quantities, quantiles and criteria."""
    if "step_error" not in group:
        return {}
    found = _statistics(group["step_error"], xarray)
    return {f"step_{name}": variable for name, variable in found.variables.items() if name in STEP_ERRORS}


# Of the group step_error; among the statistics their names begin with step_
STEP_ERRORS = ("order", "flips", "flips_high", *(f"{kind}error{end}" for kind in ("", "quantile_", "probability_") for end in ("", "_low", "_high")))


def statistics(path: Source) -> "xarray.Dataset":
    """The statistics of a result file as an xarray.Dataset over quantity, quantile, bin, criterion, status and, for a nested
    design, cell, with the values of the grid's parameters as coordinates of the cells. Where the step error was measured, step_error
    with step_error_low and step_error_high belongs to the mean, step_quantile_error to the quantiles, step_probability_error to the
    probabilities (step_error(path) has all of it). Raises NotAResult."""
    return _group_of(path, ["statistics"], "has no group /statistics: it is no run, or one of an older version; see omniroll analyze")


def _group_of(path: Source, groups: Sequence[str], missing: str) -> "xarray.Dataset":
    """The tables of the first of these groups that a result file has as an xarray.Dataset; raises NotAResult with `missing` where it has none."""
    import xarray  # only needed here

    def read(path: str, file: h5py.File) -> "xarray.Dataset":
        name = next((name for name in groups if name in file), None)
        if name is None:
            raise NotAResult(f"{path}: {missing}")
        found: xarray.Dataset = _statistics(file[name], xarray)
        if name == "statistics":
            return found.assign(_step_errors(file[name], xarray))
        return found.assign_attrs(measure=name.rpartition("/")[2]) if len(groups) > 1 else found

    return open_file(path, read)


def step_error(path: Source) -> "xarray.Dataset":
    """The step error in a result file, as an xarray.Dataset. Over quantity: `error` of the mean (the mean less its limit for
    shorter steps), with its range error_low to error_high, the observed order, the number of instances that show it (`used`), median and largest
    size in a single instance, and in a nested design how many pairs of cells were compared and are reversed. Over quantity and quantile:
    quantile_error. Over criterion: flips, probability_error. Over substeps, instance and quantity: `value`, the result. Raises
    NotAResult."""
    return _group_of(path, ["statistics/step_error"], "has no step error: its study turns it off, or an older version made it; run the study anew")


def answer(path: Source) -> "xarray.Dataset":
    """A study's answer for each of its designs, as an xarray.Dataset over `design` (cells of a nested design, or instances) and `asked`:
    `value` with the ends low and high of its interval, step_error, used of `of` instances, and `mark`, 1 of the best designs (equal values
    are best alike) and 2 of designs that do not differ from them; parameter_value has the designs. Over `threshold` where criteria and
    targets are crossed. Raises NotAResult."""
    return _group_of(path, ["statistics/answer"], f"has no answer: an older version made it; omniroll analyze {path_of(path)} -o FILE adds it")


MEASURES = ("sobol", "morris", "correlation")


def sensitivity(path: Source) -> "xarray.Dataset":
    """The parameters' effects on the observables in a result file, as an xarray.Dataset over quantity and parameter: of a
    saltelli design first_order and total, of a morris design mu_star, mu and sigma, of designs that draw or list pearson and
    spearman, with the ends of their intervals. The attribute `measure` is sobol, morris or correlation. Raises NotAResult."""
    missing = "has no sensitivities: its design shows none (see docs/explanation/statistics.md#which-parameter-matters)"
    return _group_of(path, [f"statistics/{name}" for name in MEASURES], missing)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).strip("'\"").split())
