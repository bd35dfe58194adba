"""Command line of the export: run by omniroll export-model."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from typing import Any, Sequence, TextIO

from ..conformance.mujoco_model import mujoco_library
from ..errors import Error, FileError, UsageError
from ..library import call
from ..optimising.command import changes_of, source_of
from ..running.prepared_study import Study
from ..running.study_input import path_bytes
from ..terminal import failed, say
from ..whole_files import writing
from .checksum import MADE_BY, is_unchanged
from .model import ExportedModel, export_model, whose
from .newton_program import newton_program
from .roller_shapes import SHAPES

COLUMNS = 80


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="omniroll export-model", description="Writes the vehicle of a study as MJCF.")
    parser.add_argument("study", metavar="STUDY")
    parser.add_argument("--mjcf", metavar="FILE", help="where the model goes")
    parser.add_argument("--newton", metavar="FILE", help="where a program for Newton goes")
    parser.add_argument("--cheap", metavar="FILE", help="where the cheap equivalent goes")
    parser.add_argument("--shape", default="ellipsoid", metavar="WORD", help=f"what stands for a roller: {', '.join(SHAPES)}")
    parser.add_argument("--error", metavar="LENGTH", help="largest error of spheres or meshes")
    parser.add_argument("--instance", metavar="K", help="whose values the vehicle has; without it, the nominal ones")
    parser.add_argument("--check", action="store_true", help="run the models in MuJoCo and the study's vehicle here")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="a member of the study")
    parser.add_argument("--json", action="store_true", help="print what is known of the model")
    parser.add_argument("--quiet", action="store_true", help="print nothing but the table of --check")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    options = parser.parse_args(arguments)
    try:
        _export(options)
    except Error as error:
        return failed(error)
    return 0


def _instance(text: "str | None") -> "int | None":
    """None: the nominal values."""
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text) < 2 ** 63):
        raise UsageError(f"--instance {text}: expected the number of an instance, from 0 on")
    return int(text)


def _check_place(option: str, place: str, study: str, force: bool) -> None:
    """Before the work: nothing is replaced that this command did not write, or that was changed since. Raises UsageError, FileError."""
    if place == "-":
        return
    if study != "-":
        try:
            call("omr_check_output", path_bytes(place), path_bytes(study))
        except UsageError as error:
            raise UsageError(str(error).replace("-o FILE", f"{option} FILE")) from None
    try:
        with open(place, "rb") as file:
            head = file.read(4096)
            ours = MADE_BY.encode() in head
            unchanged = ours and is_unchanged(head + file.read())
    except FileNotFoundError:
        return
    except OSError as error:
        raise FileError(f"{place}: cannot be written: {error.strerror}; choose another file") from error
    if not ours and not force:
        raise UsageError(f"{place} is there already, and omniroll export-model did not write it; choose another file, or --force to replace it")
    if not unchanged and not force:
        raise UsageError(f"{place} was changed since omniroll export-model wrote it; choose another file, or --force to replace it")


def _write(model: ExportedModel, place: str) -> None:
    if place != "-":
        model.save(place)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(model.text.encode("utf-8"))  # whatever the terminal has


def _folded(line: str, indent: str = "") -> str:
    return textwrap.fill(line, COLUMNS, initial_indent=indent, subsequent_indent=indent + "  ", break_long_words=False, break_on_hyphens=False)


def _lines(place: str, about: "dict[str, Any]") -> "list[str]":
    """Lines on a file for the screen."""
    return [_folded(f"{place}: {about['title']}, {whose(about)}, {about['mass']:.4g} kg"),
            *(_folded(line, "  ") for line in [*about["shapes"], *about["hints"], *about["controls"]]),
            "not in the file:", *(_folded(line, "  ") for line in about["omitted"])]


def _cheap_lines(place: str, about: "dict[str, Any]") -> "list[str]":
    rows = [_folded(f"{name}: place {error['place']:.2%}, yaw {error['yaw']:.2%} of the wheels' way, work {error['energy']:+.0%} beside omniroll's", "  ")
            for name, error in about["errors"].items()]
    return [f"{place}: its cheap equivalent, one body a wheel", *rows]


def _check_and_fit(options: argparse.Namespace, model: ExportedModel, study: Study, shown: TextIO) -> "dict[str, Any]":
    """Work that needs MuJoCo: the cheap equivalent, and the table of --check."""
    from ..conformance import check
    from .equivalent import equivalent

    found: "dict[str, Any]" = {}
    instance, quiet = _instance(options.instance), options.quiet or options.json
    cheap = equivalent(study, model, instance=instance) if options.cheap else None
    if cheap is not None:
        _write(cheap, options.cheap)
        found["cheap"] = {name: cheap.numbers[name] for name in ("fitted", "errors")}
        if not quiet:
            say("\n".join(_cheap_lines(options.cheap, cheap.numbers)), shown)
    if options.check:
        table = check(study, model, cheap, instance=instance)
        found["check"] = table.as_json()
        if not options.json:
            say(table.text(foot=not quiet), shown)
    return found


def _check_places(options: argparse.Namespace) -> "list[str]":
    """The files to write, each another."""
    named = [(f"--{name}", getattr(options, name)) for name in ("mjcf", "newton", "cheap") if getattr(options, name) is not None]
    places = [place for _, place in named]
    if len({os.path.abspath(place) for place in places}) < len(places):
        raise UsageError("--mjcf, --newton and --cheap are files of their own; two of them have the same name")
    if options.newton and options.mjcf in (None, "-"):
        raise UsageError("--newton FILE is a program that reads the model; name that too, such as --mjcf robot.xml")
    for option, place in named:
        _check_place(option, place, options.study, options.force)
    return places


def _write_newton(options: argparse.Namespace, model: ExportedModel) -> None:
    mjcf = os.path.relpath(options.mjcf, os.path.dirname(os.path.abspath(options.newton)))
    text = newton_program(model, mjcf, options.newton)
    with writing(options.newton) as file:
        file.write(text)


def _export(options: argparse.Namespace) -> None:
    places = _check_places(options)
    if options.cheap or options.check:
        mujoco_library()
    source, changes = source_of(options.study), changes_of(options.set)
    model = export_model(source, instance=_instance(options.instance), shape=options.shape, error=options.error, set=changes)
    about: "dict[str, Any]" = dict(model.numbers)
    shown = sys.stderr if "-" in places else sys.stdout  # standard output has only the model then
    if options.mjcf:
        _write(model, options.mjcf)
        if not options.quiet and not options.json:
            say("\n".join(_lines(options.mjcf, about)), shown)
    if options.newton:
        _write_newton(options, model)
        if not options.quiet and not options.json:
            say(f"{options.newton}: drives it in Newton: python3 {options.newton} cpu", shown)
    if options.cheap or options.check:
        about.update(_check_and_fit(options, model, Study(source, set=changes), shown))
    if options.json:
        say(json.dumps(about, indent=2), shown)
