"""Command line: omniroll figures [NAME...] [-o FOLDER]"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
import time
from typing import Sequence

import omniroll
from omniroll import lists
from omniroll.errors import Error, UsageError
from omniroll.figures.style import Skipped
from omniroll.report.wording import counted
from omniroll.terminal import failed, say

from .drawing import FORMATS, Drawn, Failed, draw
from .page import write_page
from .recipes import RECIPES, Run, runs_of
from .results import Results, studies_folder
from .sources import figures_of, shows

EXIT_CODES = lists.exit_codes()
FOLDER = "omniroll-figures"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Its exit codes are those of the program; 1 where a figure cannot be drawn from its results."""
    options = _parser().parse_args(arguments)
    try:
        names = _chosen(options.names)
        if options.list:
            print(listing(names), flush=True)
            return 0
        return _draw_all(names, options)
    except Error as error:
        return failed(error)
    except BrokenPipeError:  # of head, say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return failed(f"{error.filename}: {error.strerror}" if error.filename else str(error), 5)
    except KeyboardInterrupt:
        return failed("interrupted; the same command goes on", 7)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="omniroll figures", description="Draws the figures of the source papers that the ready studies "
                                     "reproduce, with a page of them beside what the papers say. Runs the studies that are needed.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="figures to draw (default: all); --list tells them")
    parser.add_argument("-o", "--output", metavar="FOLDER", default=FOLDER,
                        help="where figures, results and page go (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="list the figures, with studies and times, and draw nothing")
    parser.add_argument("--format", metavar="LIST", default="png,svg", help="png, svg, pdf, parted by commas (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="fewer instances in the long studies")
    parser.add_argument("--restart", action="store_true", help="run every study anew, whatever is in the folder")
    parser.add_argument("--program", help=argparse.SUPPRESS)  # the program that starts this
    return parser


def _chosen(names: Sequence[str]) -> list[str]:
    """The names, each once; all without any. Raises UsageError."""
    for name in names:
        if name not in RECIPES:
            near = difflib.get_close_matches(name, RECIPES, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UsageError(f"there is no figure '{name}'{hint}\nFigures: {', '.join(RECIPES)}\n"
                             "omniroll figures --list tells more of them")
    return list(dict.fromkeys(names)) or list(RECIPES)


def _formats(text: str) -> list[str]:
    found = [word.strip().lower() for word in text.split(",") if word.strip()]
    for word in found:
        if word not in FORMATS:
            raise UsageError(f"--format {text}: '{word}' is none of {', '.join(FORMATS)}")
    if not found:
        raise UsageError(f"--format: expected some of {', '.join(FORMATS)}")
    return list(dict.fromkeys(found))


def listing(names: Sequence[str]) -> str:
    """The figures, what they show, their studies and how long these take."""
    lines = []
    for name in names:
        studies = f"{_studies(RECIPES[name].runs)}; {_seconds(name)}"
        lines += [f"{name:<18} {figures_of(name)}", f"{'':<18} {shows(name)}", f"{'':<18} {studies}", ""]
    return "\n".join([*lines, "Times are for two cores; studies that several figures need run once."])


def _studies(runs: Sequence[Run]) -> str:
    words = dict.fromkeys(f"{run.study}.json" + (" on the reference" if run.tolerance is not None else "")
                          + (" by omniroll bench" if run.bench else "") for run in runs)
    return ", ".join(words)


def _seconds(name: str) -> str:
    recipe = RECIPES[name]
    quick = "" if recipe.quick_seconds is None else f", with --quick {recipe.quick_seconds:g} s"
    return f"about {recipe.seconds:g} s{quick}"


def _draw_all(names: list[str], options: argparse.Namespace) -> int:
    begin, formats = time.monotonic(), _formats(options.format)
    os.makedirs(options.output, exist_ok=True)
    _use_library_beside(options.program)
    omniroll.version()  # without the library nothing can be drawn, which is said once
    studies_folder()
    results = Results(os.path.join(options.output, "results"), say, options.quick, options.restart, options.program)
    say(f"{counted(len(names), 'figure')} from {counted(len(runs_of(names)), 'run')}, in {options.output}")
    drawn: list[Drawn] = []
    not_drawn: list[Failed] = []
    for name in names:
        try:
            drawn.append(draw(name, results, options.output, formats))
            say(f"{name:<18} {' '.join(drawn[-1].files)}")
        except (Error, Skipped, OSError, ValueError, ArithmeticError, LookupError, TypeError) as error:
            not_drawn.append(Failed(name, _reason(error), EXIT_CODES.get(getattr(error, "status", ""), 1)))
            say(f"{name:<18} not drawn, see below")
    page = write_page(options.output, drawn, not_drawn, results, options.quick)
    say(f"{len(drawn)} of {len(names)} drawn in {time.monotonic() - begin:.0f} s")
    say(page, sys.stdout)
    for failure in not_drawn:
        say(f"omniroll: {failure.name} cannot be drawn: {failure.reason}")
    return not_drawn[0].code if not_drawn else 0


def _use_library_beside(program: str | None) -> None:
    """The library that was built with the program, where there are several."""
    if not program or os.environ.get("OMNIROLL_LIBRARY"):
        return
    for name in ("libomniroll.so.0", "libomniroll.so"):
        path = os.path.join(os.path.dirname(program), name)
        if os.path.isfile(path):
            os.environ["OMNIROLL_LIBRARY"] = path
            return


def _reason(error: BaseException) -> str:
    """A failure that nobody foresaw is named with its kind."""
    known = isinstance(error, (Error, Skipped, OSError))
    return str(error) if known else f"{type(error).__name__}: {error}"
