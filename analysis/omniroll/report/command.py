"""Command line of the report."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Iterable, Sequence

from ..errors import Error, UsageError
from ..terminal import failed, say
from .build import report, report_several
from .data import Choices


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="omniroll report", description="Shows a result as one HTML file that needs nothing else.")
    parser.add_argument("results", metavar="RESULT", nargs="+", help="file of omniroll run, trajectories of omniroll compare, points of omniroll "
                        "calibrate, JSON or CSV of omniroll bench; several of omniroll run are set side by side")
    parser.add_argument("-o", "--output", metavar="FILE", help="the page (default: the result's name with .html, beside it; of several the names of the first two)")
    parser.add_argument("--observables", metavar="LIST", action="append", nargs="+", help="observables to show, parted by commas")
    parser.add_argument("--instances", metavar="LIST", action="append", nargs="+", help="traced instances to show, such as 0,3,7-9")
    options = parser.parse_args(arguments)
    try:
        choices = Choices(_words(options.observables) or None, _numbers(_words(options.instances)) or None)
        say(_made(options.results, options.output, choices), sys.stdout)
    except Error as error:
        return failed(error)
    except OSError as error:
        return failed(f"{error.filename}: {error.strerror}" if error.filename else error, 5)
    return 0


def _made(results: Sequence[str], output: str | None, choices: Choices) -> str:
    joined = " ".join(results)
    if len(results) == 1:
        return report(results[0], output, choices)
    if os.path.exists(joined):  # the shell made several words of one name
        raise UsageError(f"a name with blanks needs quotes: omniroll report \"{joined}\"")
    return report_several(results, output, choices)


def _words(groups: Sequence[Sequence[str]] | None) -> list[str]:
    """The words of all groups and of lists parted by commas."""
    return [word.strip() for group in groups or [] for words in group for word in words.split(",") if word.strip()]


def _numbers(words: Iterable[str]) -> list[int]:
    """Numbers and ranges of them, such as 7-9. Raises UsageError."""
    found: list[int] = []
    for word in words:
        first, _, last = word.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal() or int(last or first) - int(first) not in range(10000):
            raise UsageError(f"--instances {word}: expected numbers and ranges of them, such as 0,3,7-9")
        found.extend(range(int(first), int(last or first) + 1))
    return found
