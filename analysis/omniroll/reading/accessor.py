"""Methods of a Dataset of a result: result.omniroll.plot("path_length"), result.omniroll.plot_path() and more."""

from __future__ import annotations

import dataclasses
import difflib
import json
import os
import shutil
from typing import Any, Sequence, Union

import numpy as np
import xarray

from .. import reading
from ..errors import UsageError
from ..whole_files import writing
from . import other_files
from .designs import column_of
from .in_memory import Memory
from .result import Array, Result

Path = Union[str, "os.PathLike[str]"]


def _chosen(dataset: xarray.Dataset, name: str, numbers: Array) -> Array:
    """Where the numbers that a selection of a Dataset has stand among all."""
    if name not in dataset.coords:
        return np.arange(len(numbers))
    return np.flatnonzero(np.isin(numbers, np.atleast_1d(dataset[name].values)))


def restricted(result: Result, dataset: xarray.Dataset) -> Result:
    """The result with the instances that the Dataset has; statistics stay those of all instances."""
    numbers = np.arange(result.instances) if result.numbers is None else result.numbers
    rows = _chosen(dataset, "instance", numbers)
    if len(rows) == len(numbers) and len(_chosen(dataset, "traced", result.traced)) == len(result.traced):
        return result
    traced = [at for at in _chosen(dataset, "traced", result.traced) if result.traced[at] in numbers[rows]]

    def taken(columns: dict[str, Array], places: Any) -> dict[str, Array]:
        return {name: values[places] for name, values in columns.items()}

    return dataclasses.replace(
        result, parameters=taken(result.parameters, rows), observables=taken(result.observables, rows), marks=taken(result.marks, rows),
        status=result.status[rows], status_time=result.status_time[rows], numbers=numbers[rows], traced=result.traced[traced],
        trajectories=taken(result.trajectories, traced), wheels=taken(result.wheels, traced))


class Accessor:
    """`result.omniroll` of a Dataset of omniroll.run or omniroll.open: figures with units and titles on their axes, and the rest of the
    result. Figures are of matplotlib (figure.savefig, or the last line of a notebook's cell), show the instances that the Dataset has, and
    raise omniroll.figures.Skipped with the reason where the result has nothing for them.

    >>> result = omniroll.run("studies/first.json", set={"integrator.duration": 1})
    >>> result.omniroll.plot("path_length").savefig("path_length.png")
    >>> result.isel(instance=slice(0, 1000)).omniroll.plot_path("wheel_friction")
    """

    def __init__(self, dataset: xarray.Dataset) -> None:
        self._dataset = dataset

    @property
    def _path(self) -> Any:
        if "path" not in self._dataset.attrs:
            raise UsageError("this Dataset is not one of omniroll.run or omniroll.open, or has lost its attributes: its attribute path is missing")
        return reading.path_of(self._dataset)

    @property
    def result(self) -> Result:
        """The result as numpy arrays, of the instances that the Dataset has, for the functions of omniroll.figures."""
        return restricted(reading.open_result(self._path), self._dataset)

    @property
    def total(self) -> int:
        """How many instances were run: more than the rows where output.rows keeps a sample of them or none."""
        return int(self._dataset.attrs.get("total_instances", self._dataset.sizes.get("instance", 0)))

    @property
    def study(self) -> dict[str, Any]:
        """The study that was run."""
        return json.loads(self._dataset.attrs["study"])

    def plot(self, observable: str, over: str | None = None) -> Any:
        """A figure of an observable: over a varied parameter; without one as a map of a grid of two, over the parameter where only one is
        varied, and otherwise how its values spread. It is a Figure of its own, which figure.savefig("x.png") saves; plt.savefig and plt.show
        do not see it. UsageError for a name that the result does not have."""
        from .. import figures

        result = self.result
        observable = self._known("observable", observable, list(result.observables))
        if over is not None:
            return figures.dependence(result, observable, self._known("varied parameter", over, list(result.parameters)))
        if result.is_grid and len(result.varied) == 2:
            return figures.heat_map(result, observable)
        if len(result.varied) == 1:
            return figures.dependence(result, observable, result.varied[0])
        return figures.histogram(result, observable)

    def plot_path(self, parameter: str | None = None) -> Any:
        """The paths of the traced instances from above, coloured by a varied parameter; default: the first."""
        from .. import figures

        result = self.result
        if parameter is not None:
            parameter = self._known("varied parameter", parameter, list(result.parameters))
        return figures.paths(result, parameter)

    def plot_time(self, instance: int | None = None) -> Any:
        """The motion of a traced instance over time, a panel for each unit; default: the first."""
        from .. import figures

        return figures.over_time(self.result, instance)

    def plot_wheels(self, instance: int | None = None) -> Any:
        """Slip and loads of the wheels of a traced instance over time; default: the first."""
        from .. import figures

        return figures.slip_and_loads(self.result, instance)

    def column(self, name: str) -> str:
        """The column of a path of the study or of a name: "wheel.friction" is wheel_friction. Raises UsageError with the one that is meant.

        >>> result[result.omniroll.column("wheel.friction")].max()
        """
        return self._known("column", name, [str(known) for known in self._dataset.variables])

    def _known(self, kind: str, name: str, known: list[str]) -> str:
        found = name if name in known else column_of(name)
        if found in known:
            return found
        near = difflib.get_close_matches(found, known, 1) or [one for one in known if sorted(one.split("_")) == sorted(found.split("_"))]
        meant = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"{self._path}: has no {kind} '{name}'; {meant}it has: {', '.join(known) or 'none'}")

    def statistics(self) -> xarray.Dataset:
        """omniroll.statistics of the whole result."""
        return reading.statistics(self._path)

    def step_error(self) -> xarray.Dataset:
        """omniroll.step_error of the whole result."""
        return reading.step_error(self._path)

    def sensitivity(self) -> xarray.Dataset:
        """omniroll.sensitivity of the whole result."""
        return reading.sensitivity(self._path)

    def failures(self) -> xarray.Dataset:
        """omniroll.failures, of the instances that the Dataset has."""
        found = reading.failures(self._path)
        return found.isel(instance=_chosen(self._dataset, "instance", found.instance.values))

    def report(self, output: Path | None = None) -> str:
        """omniroll.report of the whole result: its page, whose path is given."""
        from ..report import report

        return report(self._dataset, output)

    def save(self, path: Path) -> None:
        """Writes the whole result, also one in memory, to a file, which takes its place whole or not at all. Raises FileError."""
        source, target = self._path, os.fspath(path)
        with writing(target, "wb", "; choose another path, or make room") as file:
            if isinstance(source, Memory):
                file.write(source.image)
            else:
                with open(source, "rb") as kept:
                    shutil.copyfileobj(kept, file)


    def to_parquet(self, path: Path, columns: Sequence[str] | None = None) -> None:
        """Writes a row for each instance of the Dataset: its number, varied parameters, observables and status, or the columns that are named.
        Needs pyarrow or fastparquet. Units, meanings and the study are the file's metadata "omniroll", a JSON object. A result that was opened
        with lazy=True is read in blocks, which are the file's row groups. Raises FileError, UsageError (also where no row is kept),
        LibraryError."""
        other_files.to_parquet(self._dataset, os.fspath(path), columns)

    def to_zarr(self, path: Path) -> None:
        """Writes the Dataset, trajectories too, as a new Zarr folder (format 2) that xarray.open_zarr reads, with units and meanings as attributes.
        Needs zarr. Of a result that was opened with lazy=True a chunk at a time is in memory. Raises FileError, LibraryError, and UsageError where no
        row is kept."""
        other_files.to_zarr(self._dataset, os.fspath(path))


def register() -> None:
    """Gives Datasets their attribute `omniroll`."""
    if getattr(xarray.Dataset, "omniroll", None) is not Accessor:
        xarray.register_dataset_accessor("omniroll")(Accessor)
