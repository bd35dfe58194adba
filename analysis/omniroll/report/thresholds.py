"""Where a criterion switches, or an observable of "ask" reaches its target, along an ordered parameter (/statistics/answer)."""

from __future__ import annotations

from typing import Any, Iterator

from ..figures.style import within
from ..reading.result import Result
from .wording import code, count, joined, path_of, scale_of, value_of

MOST = 4  # sentences


def sentences(result: Result) -> Iterator[str]:
    """As HTML: slips from mass 42 kg on (40 to 44), at friction 0.3."""
    group: dict[str, Any] = result.statistics.get("answer", {})
    total = len(group.get("threshold", []))
    for k in range(min(total, MOST)):
        yield _sentence(result, group, k)
    if total > MOST:
        yield f"{count(total - MOST)} more such thresholds stand in the file (/statistics/answer)."


def _sentence(result: Result, group: dict[str, Any], k: int) -> str:
    at = int(group["threshold_asked"][k])
    name, along = str(group["asked"][at]), str(group["threshold_along"][k])
    scale = scale_of(result.units.get(along, "1"), [float(group["threshold_at"][k])])
    at_, low_, high_ = (float(group[f"threshold_{end}"][k]) for end in ("at", "low", "high"))
    value, low, high = scale.measured(at_, low_, high_)
    place = f"{code(path_of(along, result))} {joined(value, scale.unit)}"
    if str(group["kind"][at]) == "criterion":
        most = "in half of the instances " if group["attrs"].get("rows_are") == "cells" else ""
        said = f"{code(name)}: met {most}{f'from {place} on' if group['threshold_rising'][k] else f'up to {place}'}"
    else:
        target = float(group["target"][at])
        said = f"{code(name)} {'reaches' if group['threshold_rising'][k] else 'falls below'} " \
               f"{scale_of(result.units.get(name, '1'), [target]).with_unit(target)} at {place}"
    return f"{within(said, low, high)}{_others(result, group, k, along)}."


def _others(result: Result, group: dict[str, Any], k: int, along: str) -> str:
    """The other parameters of the designs on either side."""
    row = int(group["threshold_design"][k])
    names = [str(each) for each in group["parameter"]]
    parts = [f"{code(path_of(each, result))} {value_of(each, float(group['parameter_value'][row][at]), result)}"
             for at, each in enumerate(names) if each != along]
    return f", at {', '.join(parts)}" if parts else ""
