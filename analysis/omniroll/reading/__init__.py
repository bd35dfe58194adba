"""Results: files and runs in memory as Datasets and as numpy arrays, and the study that is kept in them."""

from .result import Result, failures, open_result, path_of, sensitivity, statistics, step_error

__all__ = ["Result", "failures", "open_result", "path_of", "sensitivity", "statistics", "step_error"]
