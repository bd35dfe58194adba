"""Reads and plots the result files of omniroll.

>>> import omniroll
>>> result = omniroll.open("result.h5")
>>> result.observables["path_length"][result.ok].mean()

Figures: omniroll.figures; files of figures: python3 -m omniroll.plot result.h5
"""

from .reading import NotAResult, Result, failures, open_result, sensitivity, statistics

open = open_result

__all__ = ["NotAResult", "Result", "failures", "open", "open_result", "sensitivity", "statistics"]
