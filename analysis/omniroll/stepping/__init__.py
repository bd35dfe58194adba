"""Vehicles that the caller steps: omniroll.Batch, a task of tracking for learners, and its environments for Gymnasium.

>>> env = gymnasium.make_vec("omniroll.stepping.gymnasium:omniroll/Tracking-v0", num_envs=256, study="studies/how-to/step_vehicles.json",
...                          actions={"command": [0.8, 0.8, 2]})

Batch and Tracking need only numpy. TrackingEnv and TrackingVectorEnv need the library gymnasium, which is imported at their first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .batch import Batch
from .reference import FIGURES, Reference
from .tracking import WEIGHTS, Tracking

if TYPE_CHECKING:
    from .gymnasium import TrackingEnv, TrackingVectorEnv

__all__ = ["FIGURES", "WEIGHTS", "Batch", "Reference", "Tracking", "TrackingEnv", "TrackingVectorEnv"]


def __getattr__(name: str) -> Any:
    if name in ("TrackingEnv", "TrackingVectorEnv"):
        from . import gymnasium

        return getattr(gymnasium, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
