"""omniroll.show: the vehicle of a study before it runs."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any, Mapping

from ..errors import UsageError
from ..library import json_of
from ..running.study_input import StudyLike, assignments, loaded_of
from . import vehicle_picture

NOMINAL = ctypes.c_size_t(-1).value  # OMR_NONE


@dataclass(frozen=True)
class Shown:
    """A vehicle: a notebook draws it."""

    scene: dict[str, Any]  # the library's data: omr_study_scene_json in omniroll/study.h

    @property
    def svg(self) -> str:
        """The picture, from above, from the side and of one roller, to scale."""
        return vehicle_picture.svg(self.scene)

    @property
    def warnings(self) -> list[str]:
        """Settings that are legal in the study and hardly meant, each with cause, numbers and remedy."""
        return vehicle_picture.warnings(self.scene)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the picture to a file whose name ends in .svg. Raises UsageError, FileError."""
        vehicle_picture.write(self.scene, os.fspath(path))

    def _repr_svg_(self) -> str:
        return self.svg


def show(study: StudyLike, *, instance: int | None = None, set: Mapping[str, Any] | None = None, **overrides: Any) -> Shown:  # noqa: A002
    """The vehicle of a study at its nominal values, or at an instance's, as `omniroll show` draws it. Nothing is run. Other arguments
    and errors are as of run; UsageError for an instance that the study does not have.

    >>> omniroll.show("studies/first.json").warnings
    []
    """
    if instance is not None and instance < 0:
        raise UsageError(f"there is no instance {instance}: they are numbered from 0")
    number = NOMINAL if instance is None else instance
    loaded = loaded_of(study, assignments(set, overrides))
    return Shown(json_of("omr_study_scene_json", loaded.handle, number))
