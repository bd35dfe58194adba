"""The task of tracking as environments of Gymnasium, with the id omniroll/Tracking-v0. Importing this needs the library gymnasium."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..needed import missing
from ..running.study_input import StudyLike
from .tracking import Tracking

REQUIREMENT = "'gymnasium>=1.1,<2'"
try:
    import gymnasium
except ImportError:
    raise missing("the environment", "gymnasium", REQUIREMENT) from None
try:
    from gymnasium.vector import AutoresetMode, VectorEnv
except ImportError:
    raise missing("the environment", "gymnasium", REQUIREMENT, f"and {sys.executable} has version {gymnasium.__version__}, which is too old") from None

ID = "omniroll/Tracking-v0"


def _spaces(task: Tracking) -> tuple[Any, Any]:
    """Of one vehicle: observations, actions."""
    box, width = gymnasium.spaces.Box, len(task.limits)
    return box(-task.bounds, task.bounds, dtype=np.float64), box(-1.0, 1.0, (width,), dtype=np.float32)


class TrackingVectorEnv(VectorEnv):
    """`num_envs` vehicles that are stepped together: omniroll.stepping.Tracking, whose further arguments it takes."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, study: StudyLike, num_envs: int = 1, *, render_mode: None = None, **task: Any) -> None:
        self.task = Tracking(study, num_envs, **task)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space, self.single_action_space = _spaces(self.task)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """New episodes of all vehicles."""
        super().reset(seed=seed, options=options)
        self.task.rng = self.np_random
        return self.task.reset()

    def step(self, actions: Any) -> Any:
        """A period: observations, rewards, terminations, truncations, infos."""
        return self.task.step(actions)

    def close_extras(self, **options: Any) -> None:
        """Gives the batch's memory back."""
        self.task.close()


class TrackingEnv(gymnasium.Env):
    """One such vehicle."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, study: StudyLike, *, render_mode: None = None, **task: Any) -> None:
        self.task = Tracking(study, 1, **task)
        self.render_mode = render_mode
        self.observation_space, self.action_space = _spaces(self.task)

    @staticmethod
    def _first(info: dict[str, Any]) -> dict[str, Any]:
        return {name: values[0] for name, values in info.items() if not name.startswith("_")}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """A new episode."""
        super().reset(seed=seed, options=options)
        self.task.rng = self.np_random
        seen, info = self.task.reset()
        return seen[0], self._first(info)

    def step(self, action: Any) -> Any:
        """A period: observation, reward, terminated, truncated, info."""
        seen, reward, terminated, truncated, info = self.task.step(action)
        return seen[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), self._first(info)

    def close(self) -> None:
        """Gives the batch's memory back."""
        self.task.close()


if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point=f"{__name__}:TrackingEnv", vector_entry_point=f"{__name__}:TrackingVectorEnv")
