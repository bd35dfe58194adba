"""Ensembles of omni-wheel and mecanum vehicles with explicit rollers: run studies, read and plot their results.

>>> import omniroll
>>> result = omniroll.run("studies/first.json", set={"integrator.duration": 1})
>>> result.path_length.where(result.status == 0).mean()

All that takes a study (run, Batch, Study, validate, plan, sample, show, compare, calibrate, excite, converge) and load, new, resume, verify, analyze,
export, schema and describe need libomniroll, which their first call looks for: the file that OMNIROLL_LIBRARY names, the one
installed with the package, a build of the source tree, the one that the system's linker finds. open reads a result file as an xarray
Dataset; answer, statistics, step_error, sensitivity and failures read the rest of it. report writes it as a page for the browser. side_by_side
compares the results of several robots, such as the ones of run_variants.

Figures: result.omniroll.plot("path_length") of a Dataset; omniroll.figures, of open_result(path); files of figures: python3 -m omniroll.plot result.h5
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from .errors import (DeviceError, DiffersError, Error, FailuresError, FileError, InaccurateError, Interrupted, LibraryError, NegativeError,
                     NotAResult, OutOfMemory, SelftestError, ShardsError, Stopped, StudyError, StudyWarning, UsageError)
from .exporting import ExportedModel, export_model
from .optimising import Optimum, Problem
from .pictures.showing import Shown, show
from .reading.dataset import open_dataset, with_datasets
from .reading.result import Result, answer, failures, open_result, sensitivity, statistics, step_error
from .report import report, side_by_side
from .running.chosen_vehicles import nominal
from .running.prepared_study import Study
from .running.runs import build_info, describe, operations, resume, run, schema, validate, verify, version
from .running.studies import analyze, compare, converge, excite, export, load, new, plan, salib_problem, sample
from .running.study_input import StudyLike
from .running.variants import run_variants, variants
from .stepping import Batch

if TYPE_CHECKING:
    from .calibration import Calibration


def _name_engine() -> None:
    """xarray.open_dataset(path, engine="omniroll") without an installed package, which has an entry point."""
    from .reading import backend

    backend.register()


with_datasets.append(_name_engine)
if "xarray" in sys.modules:
    _name_engine()


def calibrate(study: StudyLike, output: "str | os.PathLike[str]", **options: Any) -> "Calibration":
    """Fits the varied parameters of a study to its measured runs: omniroll.calibration.fit, whose arguments it takes."""
    from .calibration import fit

    return fit(study, output, **options)


open = open_dataset  # noqa: A001  omniroll.open
__version__ = "0.1.0"  # of the package; omniroll.version() is the library's

__all__ = [
    "Batch", "DeviceError", "DiffersError", "Error", "ExportedModel", "FailuresError", "FileError", "InaccurateError", "Interrupted",
    "LibraryError", "NegativeError", "NotAResult", "Optimum", "OutOfMemory", "Problem", "Result", "SelftestError", "ShardsError", "Shown", "Stopped", "Study",
    "StudyError", "StudyWarning", "UsageError", "__version__", "analyze", "answer", "build_info", "calibrate", "compare", "converge", "describe", "excite", "export", "export_model",
    "failures", "load", "new", "nominal", "open", "open_dataset", "open_result", "operations", "plan", "report", "resume", "run", "run_variants",
    "salib_problem", "sample", "schema", "sensitivity", "show", "side_by_side", "statistics", "step_error", "validate", "variants", "verify", "version",
]
MODULES = ("calibration", "conformance", "errors", "figures", "logs", "optimising", "robots", "stepping")  # public ones, which an import of their own brings


def __dir__() -> list[str]:
    """Only the public names."""
    return sorted([*__all__, *MODULES])
