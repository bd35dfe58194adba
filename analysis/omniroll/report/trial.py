"""The traced vehicle with other values: its columns at the stops of sliders, which the page integrates anew by the kernels themselves.

The library folds the values, so that the page has no formula of its own; the page has the kernels as the library carries them. Pages are
without this part where the library, or the kernels in it, are missing."""

from __future__ import annotations

import base64
import ctypes
import itertools
import json
import os
from dataclasses import dataclass, replace
from typing import Any, Iterator, Sequence

import numpy as np

from ..errors import Error, StudyError
from ..library import json_of, library, texts
from ..reading import frames
from ..reading.result import Array
from ..running.study_input import Loaded
from .chosen import Chosen, chosen
from .data import Data
from .motion import alive, wheels
from .page import Section, asset, paragraph

SCRIPTS = ("canvas.js", "trial_kernels.js", "trial_draw.js", "trial.js")
BASES = (0x01000193, 0x5bd1e995)  # trial_kernels.js
PATHS = ("wheel.friction", "platform.mass", "wheel.rollers")
SUMMED = ("x", "z", "yaw", "vx", "vz", "yaw_rate", "wheel_rate", "slip_i", "slip_k", "normal_load", "force_i", "force_k")
DRAWN = 1000  # samples of the stored path in the page
MOST_BYTES = 1_500_000  # of columns


@dataclass(frozen=True)
class Slider:
    """A parameter at its stops: their labels, and their values for the library; "" leaves the study's value."""

    name: str
    label: str
    unit: str
    shown: list[float]
    settings: list[str]
    start: int


def sections(data: Data) -> Iterator[Section]:
    """The part of the page, where there is something to play with."""
    made = player(data)
    if made is None:
        return
    script = "(function () {\n\"use strict\";\n" + "\n".join(asset(name) for name in SCRIPTS) + "\n})();"
    yield Section("Try other values", _body(made), script, asset("trial.css"), wasm=True)


def player(data: Data) -> dict[str, Any] | None:
    """All that the page needs; None where the result is of no vehicle that can be integrated there, or kernels or library are missing."""
    result = data.result
    if not data.study or not result.trajectories or str(result.attrs.get("model")) not in ("omni_vehicle", "disc_vehicle"):
        return None
    if str(result.attrs.get("precision", "double")) != "double" or str(result.attrs.get("numerics", "exact")) == "fast":
        return None
    picked = [one for one in chosen(data) if alive(result, one.row) > 1]
    if not picked:
        return None
    try:
        return _made(data, picked[0])
    except (Error, OSError):  # another version's study, a file that it reads, no library
        return None


def _made(data: Data, one: Chosen) -> dict[str, Any] | None:
    loaded = _Kept(data)
    plain = _columns(loaded, one.instance, PATHS)
    kernels = _kernels(plain["laws"])
    if kernels is None:
        return None
    tried = (_tried(loaded, one.instance, plain, slider) for slider in _sliders(plain["values"]))
    sliders = [slider for slider in tried if slider is not None]
    groups = _groups(loaded, one.instance, plain, sliders)
    for group in groups:
        del group["found"]
    made = {**_stored(data, one), **{name: plain[name] for name in ("step", "end", "settings", "places", "wheels")},
            **{name: _packed(plain[name]) for name in ("tables", "params", "state", "spins")}, "groups": groups,
            "controlled": plain["laws"].endswith("_pair"), "kernels": kernels,
            "columns": [len(plain["vehicle_samples"]), len(plain["wheel_samples"])],
            "of_vehicle": {name: at for at, name in enumerate(plain["vehicle_samples"]) if name in SUMMED},
            "of_wheel": {name: at for at, name in enumerate(plain["wheel_samples"]) if name in SUMMED},
            "sliders": [{"name": slider.name, "label": slider.label, "unit": slider.unit, "stops": slider.shown, "start": slider.start}
                        for slider in sliders]}
    return made if sliders and len(json.dumps(made)) - len(kernels) < MOST_BYTES else None


def _body(made: dict[str, Any]) -> str:
    content = json.dumps(made, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    rows = "".join(f'<tr data-row="{name}"><td>{words}</td><td class="number"></td><td class="number"></td><td class="number"></td></tr>'
                   for name, words in _rows(made["frame"]))
    sliders = "".join(f'<label>{slider["label"]} <output data-part="value-{at}"></output>'
                      f'<input type="range" data-part="slider-{at}" min="0" max="{len(slider["stops"]) - 1}" step="1" value="{slider["start"]}"></label>'
                      for at, slider in enumerate(made["sliders"]))
    words = (f"Instance {made['instance']} with other values: this page integrates it anew, with the kernels of the run compiled to "
             "WebAssembly. Thick strokes are wheels, the thin line is the path; grey: as it was run.")
    return (paragraph(words, "note") + '<div id="trial" role="group" aria-label="The vehicle with other values" hidden>'
            '<div class="trial-parts"><figure><canvas data-part="view" role="img" aria-label="Paths from above"></canvas></figure>'
            f'<div><div class="trial-sliders">{sliders}</div>'
            '<div class="trial-controls"><button type="button" data-part="play">Play</button>'
            '<button type="button" data-part="back">As it was run</button>'
            '<label>Time <output data-part="time"></output><input type="range" data-part="clock" min="0" max="1" step="1" value="0"></label></div>'
            '<p class="trial-said" data-part="said" role="status"></p>'
            '<div class="scroll" tabindex="0" role="group" aria-label="table"><table><thead><tr><th>At the end</th><th class="number">as run</th>'
            f'<th class="number">now</th><th class="number">difference</th></tr></thead><tbody>{rows}</tbody></table></div></div></div></div>'
            "<noscript><p>This part needs JavaScript.</p></noscript>"
            f'<script type="application/json" id="trial-data">{content}</script>')


def _rows(frame: str) -> list[tuple[str, str]]:
    """Numbers of the table, by the names of trial.js."""
    return [("x", "x, m"), ("z", "y, m" if frame == "ros" else "z, m"), ("yaw", "yaw, °"), ("work", "work put in, J"),
            ("dissipated", "lost to friction, J"), ("slip", "largest slip at the samples, mm/s"), ("end", "time, s")]


# --- the library ------------------------------------------------------------------------------------------------------------------


class _Kept(Loaded):
    """The study that a result keeps; files that it names are looked for in the result's folder."""

    def __init__(self, data: Data) -> None:
        self._beside = os.path.join(os.path.dirname(os.path.abspath(data.path)), "study.json")
        super().__init__(data.study, [])

    def _read(self) -> None:
        self._call("omr_study_parse", json.dumps(self.source).encode(), os.fsencode(self._beside))


def _kernels(laws: str) -> str | None:
    """The module as the page has it; None in builds without."""
    size = ctypes.c_size_t()
    place = library().omr_kernels_wasm(laws.encode(), ctypes.byref(size))
    return base64.b64encode(ctypes.string_at(place, size.value)).decode("ascii") if place else None


def _columns(loaded: Loaded, instance: int, settings: Sequence[str]) -> dict[str, Any]:
    """Raises StudyError where the values make no vehicle."""
    found: dict[str, Any] = json_of("omr_study_columns_json", loaded.handle, instance, texts(settings), len(settings))
    for name in ("tables", "params", "state", "spins"):
        found[name] = np.frombuffer(bytes.fromhex(found[name]), dtype=">f8").astype(float)
    return found


def _packed(values: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")


# --- sliders ----------------------------------------------------------------------------------------------------------------------


def _sliders(values: dict[str, list[float]]) -> list[Slider]:
    """Friction and rollers where all wheels have the same, load where the platform has a mass."""
    friction, mass, rollers = (sorted(set(values[path])) for path in PATHS)
    made = []
    if len(friction) == 1 and friction[0] > 0:
        made.append(_slider("friction", "Friction coefficient", "", PATHS[0], _ladder(0.05, max(1.0, 2 * friction[0])), friction[0]))
    if mass[0] > 0:
        loads = [load * _nice(mass[0] / 8) for load in range(13)]
        settings = [f"{PATHS[1]}={mass[0] + load!r}" if load else "" for load in loads]
        made.append(Slider("load", "Load on the platform", "kg", loads, settings, 0))
    if len(rollers) == 1:
        steps = [rollers[0] + more for more in range(-4, 5) if rollers[0] + more > 0]
        made.append(_slider("rollers", "Rollers of a wheel", "", PATHS[2], steps, rollers[0]))
    return made


def _slider(name: str, label: str, unit: str, path: str, stops: list[float], own: float) -> Slider:
    """With the study's own value among the stops."""
    kept = sorted([own, *(stop for stop in stops if abs(stop - own) > 1e-9 * own)])
    return Slider(name, label, unit, kept, ["" if stop == own else f"{path}={stop!r}" for stop in kept], kept.index(own))


def _ladder(step: float, end: float) -> list[float]:
    return [round(step * k, 10) for k in range(1, int(round(end / step)) + 1)][:40]


def _nice(value: float) -> float:
    """1, 2 or 5 times a power of ten, near the value."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(f"{max(step for step in (1, 2, 5) if step * power <= value * (1 + 1e-9)) * power:.6g}")


def _tried(loaded: Loaded, instance: int, plain: dict[str, Any], slider: Slider) -> Slider | None:
    """The slider without stops at its ends that make no vehicle; None where no other stop makes another vehicle."""
    made: list[dict[str, Any] | None] = []
    for setting in slider.settings:
        try:
            made.append(_columns(loaded, instance, [setting] if setting else []))
        except StudyError:
            made.append(None)
    there = [at for at, columns in enumerate(made) if columns is not None]
    kept = slice(there[0], there[-1] + 1)
    if not any(_differ(one, plain, name) for one in made if one is not None for name in ("params", "state", "spins")):
        return None
    return replace(slider, shown=slider.shown[kept], settings=slider.settings[kept], start=slider.start - there[0])


def _differ(one: dict[str, Any], other: dict[str, Any], name: str) -> bool:
    return len(one[name]) != len(other[name]) or bool(np.any(_bits(one[name]) != _bits(other[name])))


# --- effects of the sliders -------------------------------------------------------------------------------------------------------


def _groups(loaded: Loaded, instance: int, plain: dict[str, Any], sliders: list[Slider]) -> list[dict[str, Any]]:
    """The columns that sliders change. A slider whose columns no other one changes, or has a say in, is a group of its own."""
    names = [slider.name for slider in sliders]
    apart = [[at for at, name in enumerate(names) if name == "friction"], [at for at, name in enumerate(names) if name != "friction"]]
    apart = [group for group in apart if group]
    found = [_group(loaded, instance, plain, sliders, group) for group in apart]
    if len(found) < 2 or _independent(loaded, instance, sliders, found):
        return found
    return [_group(loaded, instance, plain, sliders, list(range(len(sliders))))]


def _settings(sliders: list[Slider], stops: dict[int, int]) -> list[str]:
    return [sliders[at].settings[stop] for at, stop in stops.items() if sliders[at].settings[stop]]


def _group(loaded: Loaded, instance: int, plain: dict[str, Any], sliders: list[Slider], members: list[int]) -> dict[str, Any]:
    """Rows at all stops of the group's sliders, the last one's stops fastest."""
    rows: list[dict[str, Any] | None] = []
    refused: dict[int, str] = {}
    for stops in itertools.product(*(range(len(sliders[at].shown)) for at in members)):
        try:
            rows.append(_columns(loaded, instance, _settings(sliders, dict(zip(members, stops)))))
        except StudyError as error:
            refused[len(rows)] = str(error)
            rows.append(None)
    there = [row for row in rows if row is not None]
    changed = {name: [int(at) for at in np.flatnonzero(np.any([_bits(row[name]) != _bits(plain[name]) for row in there], axis=0))]
               for name in ("params", "state")}
    spins = any(_differ(row, plain, "spins") for row in there)
    packed = ["" if row is None else _packed(np.concatenate([row["params"][changed["params"]], row["state"][changed["state"]],
                                                             row["spins"] if spins else []])) for row in rows]
    rollers = [0 if row is None else row["settings"][row["places"]["max_rollers"]] for row in rows]
    return {"sliders": members, **changed, "spins": spins, "rollers": rollers if spins else [], "rows": packed, "refused": refused,
            "found": rows}


def _bits(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=float).view(np.uint64)


def _independent(loaded: Loaded, instance: int, sliders: list[Slider], found: list[dict[str, Any]]) -> bool:
    """Whether two groups put together agree with the library's result for both: no column is of both, and in the corners they add up."""
    first, second = found
    if any(set(first[name]) & set(second[name]) for name in ("params", "state")) or (first["spins"] and second["spins"]):
        return False
    for one, other in itertools.product(_ends(first), _ends(second)):
        stops = {**_stops(sliders, first, one), **_stops(sliders, second, other)}
        try:
            both = _columns(loaded, instance, _settings(sliders, stops))
        except StudyError:
            return False
        for name in ("params", "state"):
            joined = first["found"][one][name].copy()
            joined[second[name]] = second["found"][other][name][second[name]]
            if np.any(_bits(joined) != _bits(both[name])):
                return False
    return True


def _ends(group: dict[str, Any]) -> list[int]:
    """First, middle and last row that makes a vehicle."""
    there = [at for at, row in enumerate(group["found"]) if row is not None]
    return [there[0], there[len(there) // 2], there[-1]]


def _stops(sliders: list[Slider], group: dict[str, Any], row: int) -> dict[int, int]:
    shape = [len(sliders[at].shown) for at in group["sliders"]]
    return {at: int(stop) for at, stop in zip(group["sliders"], np.unravel_index(row, shape))}


# --- the run ----------------------------------------------------------------------------------------------------------------------


def _stored(data: Data, one: Chosen) -> dict[str, Any]:
    """Values of the stored samples that the page draws and compares."""
    result = frames.drawn(data.result)
    count = alive(result, one.row)
    interval = float(result.time[1] - result.time[0])
    samples = {name: result.trajectories[name][one.row, :count] for name in SUMMED if name in result.trajectories}
    thin = max(1, int(np.ceil((count - 1) / DRAWN)))
    kept = np.unique([*range(0, count, thin), count - 1])
    shapes = wheels(data.result, one.row)
    step = float(data.result.attrs.get("step", 0) or 0)
    controlled = "tolerance" in data.result.attrs
    names = data.result.status_names
    return {"instance": one.instance, "count": len(result.time), "stored": count, "interval": interval, "start": float(result.time[0]),
            "stride": 0 if controlled else round(interval / step), "time": _packed(result.time) if controlled else "",
            "path": {name: _packed(samples[name][kept]) for name in ("x", "z", "yaw")}, "kept": kept.tolist(),
            "sums": {name: sums(values) for name, values in samples.items() if np.all(np.isfinite(values))},
            "frame": frames.of(data.result), "statuses": {str(code): word.replace("_", " ") for code, word in names.items()},
            "shapes": [{"x": wheel.x, "z": wheel.z, "axis_x": wheel.axis_x, "axis_z": wheel.axis_z, "radius": wheel.radius} for wheel in shapes]}


def sums(values: Array) -> list[int]:
    """The numbers in one, as trial_kernels.js sums them up."""
    words = (np.ascontiguousarray(values, dtype="<f8").ravel() + 0.0).view("<u4")
    found = []
    for base in BASES:
        powers = np.cumprod(np.full(len(words), base, dtype=np.uint32), dtype=np.uint32)
        powers = np.concatenate([[1], powers[:-1]]).astype(np.uint32)[::-1]
        found.append(int(np.sum(words * powers, dtype=np.uint32).astype(np.int32)))
    return found
