"""Command line of the import: python3 -m omniroll.robots ROBOT [-o FILE], run by omniroll import."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Sequence

from ..errors import Error, StudyError, UsageError
from ..terminal import failed, say
from ..whole_files import writing
from .reader import read
from .table import lines_of


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="omniroll import", description="Makes a study of a robot in URDF or MJCF.")
    parser.add_argument("robot", metavar="ROBOT", help="file of the robot, - for standard input")
    parser.add_argument("-o", "--output", metavar="FILE", help="where the study goes (default: standard output)")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.add_argument("-q", "--quiet", action="store_true", help="no table of what came over")
    options = parser.parse_args(arguments)
    try:
        _import(options.robot, None if options.output in (None, "-") else options.output, options.force, options.quiet)
    except Error as error:
        return failed(error)
    return 0


def _import(robot: str, output: str | None, force: bool, quiet: bool) -> None:
    if output and os.path.lexists(output) and not force:
        raise UsageError(f"{output} is there already; give another name with -o FILE, or --force to replace it")
    if output and all(map(os.path.exists, (output, robot))) and os.path.samefile(output, robot):
        raise UsageError(f"{output} is the robot itself; give another name with -o FILE")
    imported = read(robot)
    table = sys.stdout if output else sys.stderr
    if not quiet or imported.refusal:
        say("\n".join(lines_of(imported)), table)
    if imported.refusal:
        raise StudyError(f"{imported.vehicle.robot.path}: no study is written: {imported.refusal}")
    if not output:
        sys.stdout.flush()
        sys.stdout.buffer.write(imported.text.encode("utf-8"))  # whatever the terminal has
        return
    with writing(output, advice="; choose another file with -o FILE") as file:
        file.write(imported.text)
    if not quiet:
        say(f"study written to {output}; next:\n  omniroll show {output}\n  omniroll validate {output}", sys.stdout)
