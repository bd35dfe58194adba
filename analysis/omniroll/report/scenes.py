"""Data of an instance for the animation, as numbers that a page can hold: samples quantised to integers, shapes as they are.

Samples are 16-bit (poses and wheel angles 32-bit) integers over the range of their channel, base64, [time][wheel]; animation_data.js reads
them. Poses and angles come with their rates, so that the cubic between two samples is right however coarse they are."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from ..reading import frames
from ..reading.result import Array, Result
from .bodies import block, disc, snakeboard, uk_wheel, wheelset
from .motion import alive
from .shapes import Scene, Values
from .vehicles import vehicle

PAGE_BYTES = 1_000_000  # of all instances' samples in a page
MOST = {2: 2**15 - 1, 4: 2**31 - 1}


def channel(values: Array, size: int = 2) -> dict[str, Any]:
    """Samples [time] or [time, wheel] as integers of `size` bytes over their range; the smallest integer is "no value"."""
    values = np.asarray(values, dtype=float)
    there = values[np.isfinite(values)]
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 0.0)
    most = MOST[size]
    offset, scale = 0.5 * (low + high), 0.5 * (high - low) / most or 1.0
    steps = np.clip(np.rint((np.nan_to_num(values, nan=offset) - offset) / scale), -most, most)
    integers = np.where(np.isfinite(values), steps, -most - 1).astype(f"<i{size}")
    data = base64.b64encode(integers.tobytes()).decode("ascii")
    return {"bytes": size, "wide": 1 if values.ndim == 1 else values.shape[1], "offset": offset, "scale": scale, "data": data}


def scene(result: Result, row: int, share: int = 1) -> Scene | None:
    """The instance at `row` of the trajectories, with at most PAGE_BYTES / share of samples. None where there is no picture of the model,
    or not two samples."""
    frame, result = frames.of(result), frames.drawn(result)
    makers = {"omni_vehicle": vehicle, "omni_wheel": vehicle, "disc_vehicle": vehicle, "uk_wheel": uk_wheel, "wheelset": wheelset,
              "snakeboard": snakeboard, "rolling_disc": disc, "elastic_wheel": uk_wheel, "sliding_block": block}
    made = makers.get(str(result.attrs.get("model")))
    count = alive(result, row)
    if made is None or count < 2:
        return None
    found = made(result, row, count)
    values: Values = found.pop("values")
    stride = _stride(values, count, share)
    interval = float(result.time[1] - result.time[0])
    kept = np.arange(0, count, stride)
    channels = {name: channel(array[kept], size) for name, (array, size) in values.items()}
    if frame != frames.FIRST:
        found["frame"] = frame
    return {"start": float(result.time[0]), "step": interval * stride, "count": len(kept), "stored": interval, "stride": stride,
            "channels": channels, "wheels": [], "platform": [], **found}


def _stride(values: Values, count: int, share: int) -> int:
    """One of how many samples is kept so that they fit, if possible the last one too; base64 has 4 characters for 3 bytes."""
    sample = sum(size * (1 if array.ndim == 1 else array.shape[1]) for array, size in values.values()) * 4 / 3
    least = max(1, int(np.ceil(count * sample * share / PAGE_BYTES)))
    whole = (stride for stride in range(least, least + least // 2 + 1) if (count - 1) % stride == 0)
    return next(whole, least)
