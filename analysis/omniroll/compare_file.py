"""The file of omniroll compare: trajectories from the reference and from every run of the engine, and a figure of their differences."""

import os
from dataclasses import dataclass
from typing import Optional

import h5py
import numpy as np

from .errors import NotAResult
from .figures.basic import QUANTITIES
from .figures.style import COLORS, Skipped, axis_unit, empty_figure, finish, legend, one_panel, plain, pretty_unit, set_subtitle, styled
from .reading.checksums import members, whole
from .reading.result import attributes, open_file, text

HALF = "_half"
COORDINATES = ("instance", "time", "wheel")


@dataclass(frozen=True)
class Side:
    """One run: samples [instance, time] or [instance, time, wheel], NaN after an end; SI units."""

    attrs: dict  # backend, device, precision, step (of the engine's runs), seconds
    samples: dict  # name -> array


@dataclass(frozen=True)
class Pair:
    path: str
    attrs: dict  # title, model, verdict, ...
    time: np.ndarray  # s
    instances: np.ndarray
    units: dict
    reference: Side
    again: Optional[Side]  # the reference once more at another tolerance (attrs); None in files that have no such run
    fast: dict  # name -> Side: "openmp_double" at the study's step, "openmp_double_half" at half of it, or at a tenth of the tolerance


def is_pair(path):
    """Whether the file is one of omniroll compare."""
    if not os.path.isfile(path) or not h5py.is_hdf5(path):
        return False
    return open_file(path, lambda _, file: "reference" in file and "fast" in file)


def _side(group):
    samples = {name: whole(data) for name, data in members(group)
               if name not in COORDINATES and data.ndim > 1 and data.dims[1][0] == group["time"]}
    return Side(attributes(group), samples)


def open_pair(path):
    """Reads a file of omniroll compare. Raises NotAResult."""
    path = os.fspath(path)
    if not is_pair(path):
        raise NotAResult(f"{path}: is no file of omniroll compare")
    return open_file(path, _read)


def _read(path, file):
    group = file["reference"]
    units = {name: text(data.attrs["units"]) for name, data in members(group) if "units" in data.attrs}
    again = _side(file["reference_again"]) if "reference_again" in file else None
    return Pair(path, attributes(file), whole(group["time"]), whole(group["instance"]).astype(int), units, _side(group), again,
                {name: _side(side) for name, side in file["fast"].items()})


def _chosen_row(pair, instance):
    index = int(pair.instances[0]) if instance is None else instance
    rows = np.flatnonzero(pair.instances == index)
    if not len(rows):
        raise Skipped(f"instance {index} was not compared; those are: {', '.join(map(str, pair.instances))}")
    return index, rows[0]


def largest(values):
    """Over the wheels, at every time; of a quantity of the whole vehicle the magnitude itself."""
    values = np.abs(values)
    if values.ndim == 1:
        return values
    return np.where(np.isnan(values).all(axis=1), np.nan, np.nanmax(np.nan_to_num(values, nan=-1.0), axis=1))


def _by_unit(pair, row):
    """Names of the samples that the reference has a number of; rollers are numbers of their own kind."""
    units = {}
    for name, values in pair.reference.samples.items():
        if name != "roller" and name in next(iter(pair.fast.values())).samples and np.isfinite(values[row]).any():
            units.setdefault(pair.units.get(name, "1"), []).append(name)
    return {unit: names for unit, names in units.items()}


def _no_zeros(values):
    """A logarithmic axis has no place for 0."""
    return np.where(values > 0, values, np.nan)


def _draw(axes, pair, run, row, names):
    fast, half = pair.fast[run].samples, pair.fast.get(run + HALF)
    drawn = 0
    for i, name in enumerate(names):
        model = largest(half.samples[name][row] - pair.reference.samples[name][row])
        step = largest(fast[name][row] - half.samples[name][row])
        if not (np.nan_to_num(model) > 0).any():
            continue
        drawn += 1
        axes.plot(pair.time, _no_zeros(model), color=COLORS[i % 8], linewidth=1.3, label=plain(name))
        axes.plot(pair.time, _no_zeros(step), color=COLORS[i % 8], linewidth=1.2, linestyle=":")
    return drawn


def steps(attrs):
    """The meaning of h in a run with these attributes, and the name of its finer run: ("h = 0.001 s", "h/2") or
    ("tolerance h = 1e-05", "h/10")."""
    if "tolerance" in attrs:
        return f"tolerance h = {attrs['tolerance']:.3g}", "h/10"
    return f"h = {attrs.get('step', float('nan')):.3g} s", "h/2"


def _checked(pair, run):
    """The run, or the first; raises Skipped."""
    if not pair.fast:
        raise Skipped("no backend ran")
    run = run or next(iter(pair.fast))
    if run not in pair.fast or run + HALF not in pair.fast:
        raise Skipped(f"there is no run '{run}'; there are: {', '.join(name for name in pair.fast if not name.endswith(HALF))}")
    return run


def units_of(pair, instance):
    """Quantities of an instance that differences can be drawn of: unit -> names."""
    return _by_unit(pair, _chosen_row(pair, instance)[1])


@styled
def difference(pair, instance, run, unit):
    """One panel of differences(), as a figure of its own. Raises Skipped where nothing differs."""
    run, (_, row) = _checked(pair, run), _chosen_row(pair, instance)
    quantity = QUANTITIES.get(unit, "")
    figure, axes = one_panel(pair, 5.4, 3.0, f"{quantity[:1].upper()}{quantity[1:]}" or unit)
    if not _draw(axes, pair, run, row, _by_unit(pair, row).get(unit, [])):
        raise Skipped("no difference")
    axes.set(yscale="log", xlabel="time [s]", ylabel=f"difference [{'–' if unit == '1' else axis_unit(unit)}]")
    axes.margins(x=0.01)
    legend(axes, 4)
    return figure


@styled
def differences(pair, instance=None, run=None):
    """Differences over time of one instance, a panel for each unit: of the run at half the step, or a tenth of the tolerance, and the
    reference (full lines, the model) and of the runs at the step and at half of it (dotted, the step error); of wheels the largest."""
    run = _checked(pair, run)
    index, row = _chosen_row(pair, instance)
    units = _by_unit(pair, row)
    heights = [max(1.4, 0.3 * len(names)) for names in units.values()]
    figure = empty_figure(pair, 10.0, 1.6 + sum(heights), f"Instance {index}: engine and reference")
    columns = np.atleast_1d(figure.subplots(len(units), 1, sharex=True, height_ratios=heights))
    for axes, (unit, names) in zip(columns, units.items()):
        drawn = _draw(axes, pair, run, row, names)
        axes.set_ylabel(f"{QUANTITIES.get(unit, '')}\n[{'–' if unit == '1' else pretty_unit(unit)}]".strip())
        axes.margins(x=0.01)
        if drawn:
            axes.set_yscale("log")
            axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        else:
            axes.set_yticks([])
            axes.text(0.5, 0.5, "no difference", transform=axes.transAxes, ha="center", va="center", color="#666666")
    what, finer = steps(pair.fast[run].attrs)
    set_subtitle(columns[0], f"{run}, {what}. Full: {finer} less reference. Dotted: h less {finer}. Of wheels the largest.", 8.0)
    return finish(figure, columns)
