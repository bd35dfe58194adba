"""Types of studies that are dicts, for editors and type checkers: `study: OmniVehicleStudy = {"model": "omni_vehicle", ...}`, or
StudyDict for any model. Nothing is checked when the program runs; omniroll.validate does that.

The build writes them of the schema of study files, as study_types.pyi: into the folder of this module in an installation, which type checkers read; in a
source tree into the folder python of the build, where links to the modules make the package whole (MYPYPATH=build/release/python)."""

from __future__ import annotations

import os
import pathlib
from typing import Any

from .library import folders


def _written() -> pathlib.Path:
    """The file of the build. Raises ImportError."""
    here = pathlib.Path(__file__).with_suffix(".pyi")
    chosen = os.environ.get("OMNIROLL_LIBRARY")
    builds = [pathlib.Path(chosen).parent, *folders()] if chosen else folders()
    for path in (here, *(folder / "python" / "omniroll" / here.name for folder in builds)):
        if path.is_file():
            return path
    raise ImportError("the types of studies are written by the build, and neither this package nor a build of its source tree has "
                      f"{here.name}: bash studies/first.sh in the clone of the repository builds it (so does cmake -B build && cmake --build "
                      "build), or install omniroll whole, with cmake --install")


def __getattr__(name: str) -> Any:  # for type checkers, where study_types.pyi is in a build
    raise AttributeError(f"module {__name__} has no attribute {name}")


_path = _written()
exec(compile(_path.read_text(encoding="utf-8"), str(_path), "exec"), globals())
