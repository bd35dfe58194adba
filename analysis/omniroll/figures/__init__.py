"""Figures of a result: every function takes a Result and returns a matplotlib Figure.

They use no pyplot and no display: save them with figure.savefig(...), or show them in a notebook.
A figure that cannot be made of the result raises Skipped with the reason."""

from .basic import dependence, has_path, has_wheels, heat_map, histogram, over_time, paths, slip_and_loads
from .style import Skipped

__all__ = ["Skipped", "dependence", "has_path", "has_wheels", "heat_map", "histogram", "over_time", "paths", "slip_and_loads"]
