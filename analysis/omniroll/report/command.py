"""Command line of the report."""

from __future__ import annotations

import argparse
import sys
from typing import Sequence

from ..errors import NotAResult
from .build import report
from .data import Choices


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="omniroll report", description="Writes a result as one HTML file that needs nothing else.")
    parser.add_argument("result", help="result file (.h5)")
    parser.add_argument("-o", "--output", metavar="FILE", help="the report (default: the result's name with .html)")
    parser.add_argument("--observable", metavar="NAME", action="append", nargs="+", help="observables to show")
    parser.add_argument("--instance", metavar="INDEX", action="append", nargs="+", type=int, help="traced instances to show and animate")
    options = parser.parse_args(arguments)
    choices = Choices(*([value for group in groups for value in group] if groups else None
                        for groups in (options.observable, options.instance)))
    try:
        print(report(options.result, options.output, choices))
    except (NotAResult, OSError) as error:
        print(f"omniroll report: {error}", file=sys.stderr)
        return 2
    return 0
