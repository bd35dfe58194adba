"""The study behind a result: its design, the cells of a nested one, its criteria."""

import json
import re
from statistics import NormalDist

import numpy as np

from .. import lists

RANDOM = lists.designs("sample", "groups", "adaptive")


def study_of(result):
    """The study as it was run, or {} where the file has none that can be read."""
    try:
        study = json.loads(result.attrs.get("study", "{}"))
    except ValueError:
        return {}
    return study if isinstance(study, dict) else {}


def kind(result):
    """The type of the design; a study with vary and without a design is a grid."""
    study = study_of(result)
    return study.get("design", {}).get("type", "grid" if study.get("vary") else "single")


def is_random(result):
    return kind(result) in RANDOM


def column_of(path):
    """Column of a varied parameter: wheel.friction is wheel_friction, wheels[0].friction is wheel0_friction."""
    return re.sub(r"^wheels\[(\d+)\]", r"wheel\1", path).replace(".", "_")


def design_variables(result):
    """Columns that are the grid of a nested design; [] for other designs."""
    if kind(result) != "nested":
        return []
    on_grid = [column_of(v["path"]) for v in study_of(result).get("vary", []) if "values" in v or "linspace" in v]
    return [name for name in on_grid if name in result.parameters]


def compared_variables(result):
    """Columns whose values make a design: the grid of a nested design, the variables of candidates; [] for other designs."""
    if kind(result) != "candidates":
        return design_variables(result)
    listed = [column_of(path) for path in study_of(result)["design"].get("paths", [])]
    return [name for name in listed if name in result.parameters]


def drawn_variables(result):
    """Columns that are drawn at random."""
    grid = compared_variables(result)
    return [name for name in result.varied if name not in grid]


def cell_table(result, variables, values):
    """[level of the first variable, level of the second, ...] -> list of the values in that cell, in the order of the rows."""
    levels = [result.levels(name) for name in variables]
    table = np.empty([len(each) for each in levels], dtype=object)
    places = [np.searchsorted(each, result.parameters[name]) for name, each in zip(variables, levels)]
    cells = np.ravel_multi_index(places, table.shape) if variables else np.zeros(len(values), dtype=int)
    order = np.argsort(cells, kind="stable")
    sorted_values = np.asarray(values)[order].tolist()
    bounds = np.searchsorted(cells[order], np.arange(table.size + 1)).tolist()
    for cell in range(table.size):
        table.flat[cell] = sorted_values[bounds[cell]:bounds[cell + 1]]
    return table


def criteria(result):
    """Criteria of the study: name -> text."""
    fail = study_of(result).get("statistics", {}).get("fail", {})
    return {"fail": fail} if isinstance(fail, str) else {name: each if isinstance(each, str) else each["when"] for name, each in fail.items()}


def is_good(result, criterion):
    """Whether being met is good; otherwise it is a failure."""
    fail = study_of(result).get("statistics", {}).get("fail", {})
    each = fail.get(criterion) if isinstance(fail, dict) else None
    return isinstance(each, dict) and each.get("met") == "good"


# Units that thresholds and values of studies have, in SI
UNITS = {"": 1.0, "m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "km": 1e3, "rad": 1.0, "deg": np.pi / 180, "s": 1.0, "ms": 1e-3, "us": 1e-6,
         "min": 60.0, "m/s": 1.0, "cm/s": 1e-2, "mm/s": 1e-3, "km/h": 1 / 3.6, "m/s2": 1.0, "rad/s": 1.0, "deg/s": np.pi / 180,
         "rpm": np.pi / 30, "kg": 1.0, "N": 1.0, "kN": 1e3, "N m": 1.0, "J": 1.0, "%": 1e-2}
COMPARISON = re.compile(r"^\s*(?P<abs>abs\()?\s*(?P<name>[A-Za-z_]\w*)\s*(?(abs)\))\s*(?P<operator>>=?|<=?)\s*"
                        r"(?P<number>[-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(?P<unit>[A-Za-z%][\w/ ]*)?\s*$")


def comparison(text):
    """(observable, "abs" or "", operator, threshold in SI) of a criterion that compares one observable with a number.
    None of any other criterion."""
    match = COMPARISON.match(text)
    unit = (match["unit"] or "").strip() if match else None
    if unit not in UNITS:
        return None
    return match["name"], "abs" if match["abs"] else "", match["operator"], float(match["number"]) * UNITS[unit]


def thresholds(result, name):
    """Thresholds that the study's criteria set to an observable: [(criterion, value)], both signs for an absolute value."""
    found = []
    for criterion, text in criteria(result).items():
        for part in re.split(r"&&|\|\|", text):
            simple = comparison(part.strip(" ()") if part.count("(") != part.count(")") else part)
            if simple and simple[0] == name:
                found += [(criterion, simple[3])] + ([(criterion, -simple[3])] if simple[1] else [])
    return found


def wilson(met, total, confidence=0.95):
    """Wilson's score interval of a probability; NaN where nothing was looked at."""
    if total == 0:
        return np.nan, np.nan
    z = 1.959963984540054 if confidence == 0.95 else NormalDist().inv_cdf(0.5 + confidence / 2)
    share, weight = met / total, z * z / total
    middle, half = share + weight / 2, z * np.sqrt(share * (1 - share) / total + weight / total / 4)
    return max(0.0, (middle - half) / (1 + weight)), min(1.0, (middle + half) / (1 + weight))
