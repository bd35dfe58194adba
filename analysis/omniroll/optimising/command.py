"""Command line of the search."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shlex
import sys
from textwrap import shorten
from typing import Any, NoReturn, Sequence

from .. import lists
from ..errors import Error, FileError, UsageError
from ..library import call, json_of, library
from ..running.study_input import Source, path_bytes
from ..terminal import failed, say
from . import finalist_study, found_file
from .journal import KIND
from .optimum import Optimum
from .study_problem import StudyProblem

EXIT_CODES = lists.exit_codes()
STUDIES = 5  # candidates that become studies of their own


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="omniroll optimize", description="Searches the best candidate of a study.")
    parser.add_argument("study", metavar="STUDY")
    parser.add_argument("-o", "--output", metavar="FILE", help="what was found, as JSON (default: STUDY.optimum.json in the current folder)")
    parser.add_argument("--budget", type=float, metavar="N", help="instances, candidates times draws")
    parser.add_argument("--seconds", type=float, metavar="S", help="an end by the clock as well")
    parser.add_argument("--seed", type=_whole, default=0, metavar="N")
    parser.add_argument("--population", type=_whole, metavar="N", help="candidates of a generation, at least")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="a member of the study")
    parser.add_argument("--json", action="store_true", help="print what the file holds")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--restart", action="store_true", help="forget the search that the journal holds")
    options = parser.parse_args(arguments)
    output = options.output or os.path.splitext(os.path.basename(options.study))[0].replace("-", "study", options.study == "-") + ".optimum.json"
    try:
        _search(options, output)
    except Error as error:
        return failed(error)
    except OSError as error:
        return failed(f"{error.filename or output}: cannot be written: {error.strerror}", EXIT_CODES["io"])
    except KeyboardInterrupt:
        return failed(f"interrupted; {output}.journal keeps what is done, and the same command goes on", EXIT_CODES["interrupted"])
    return 0


def _whole(text: str) -> int:
    return int(float(text))


def _value(text: str) -> Any:
    """JSON or a bare word."""
    def refuse(word: str) -> NoReturn:
        raise ValueError(word)

    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError:
        return text


def changes_of(assignments: Sequence[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for one in assignments:
        path, _, value = one.partition("=")
        made.pop(path, None)  # the last of several stands where it was given
        made[path] = _value(value)
    return made


def source_of(name: str) -> Source:
    """A path, or the study on standard input."""
    if name != "-":
        return name
    return json_of("omr_json_format", sys.stdin.buffer.read())


def _search(options: argparse.Namespace, output: str) -> None:
    source, journal = source_of(options.study), f"{output}.journal"
    _check_places(output, journal, options.study)
    problem = StudyProblem(source, set=changes_of(options.set))
    if options.restart:
        _forget(journal)
    more: dict[str, Any] = {} if options.population is None else {"population": options.population}
    if not problem.about["drawn"]:
        more.update(draws=2, growth=1.0)  # nothing is uncertain, and a vehicle is a candidate; an interval needs two draws at least
    try:
        found = problem.minimize(budget=options.budget, seconds=options.seconds, journal=journal, progress=False if options.quiet or options.json else None,
                                 seed=options.seed, **more)
    except UsageError as error:
        if "population= and draws=" in str(error):
            raise UsageError(str(error).replace("population= and draws=", "--population or --set design.per_cell=N")) from None
        if str(error).startswith("population is"):
            raise UsageError(f"--{error}") from None
        if not str(error).startswith(f"{journal}: is the journal of another search"):
            raise
        changed = shorten(str(error).partition("another search: ")[2].rpartition(". Name")[0], 240, placeholder=" ...")
        raise UsageError(f"{journal}: is the journal of another search: {changed}. --restart forgets it, and -o FILE keeps both") from None
    made, names = _write(problem, source, found, output, _command(options))
    try:
        if options.json:
            print(made, end="", flush=True)
        else:
            title = [problem.about["title"]] if problem.about["title"] else []
            say("\n".join([*title, found.to_text(), *_where(output, names)]), sys.stdout)
    except OSError as error:
        raise FileError(f"standard output: {error.strerror}; {output} is written") from None


def _check_places(output: str, journal: str, study: str) -> None:
    """Before the search: nothing that another made is replaced. Raises FileError, UsageError."""
    ours = found_file.is_optimum(output)
    if os.path.exists(output) and not ours:
        raise UsageError(f"{output}: is there already, and omniroll optimize did not write it; choose another file with -o FILE")
    for place in _studies(output):
        if os.path.exists(place) and not ours and not os.path.exists(journal):
            raise UsageError(f"{place}: is there already, and the study of a candidate would replace it; choose another file with -o FILE")
    for place in (output, *_studies(output)):
        if study != "-":
            call("omr_check_output", path_bytes(place), path_bytes(study))


def _studies(output: str) -> list[str]:
    """FILE.1.json and so on."""
    stem, ending = os.path.splitext(output)
    return [f"{stem}.{number}{ending or '.json'}" for number in range(1, STUDIES + 1)]


def _forget(journal: str) -> None:
    """Removes the journal, unless it is none, or a search writes it."""
    try:
        with open(journal, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            begin = f'{{"kind": "{KIND}"'.encode()
            head = file.read(len(begin))
            if head != begin[:len(head)]:
                raise FileError(f"{journal}: is no journal of a search, and is not removed; choose another file with -o FILE")
            os.unlink(journal)
    except FileNotFoundError:
        return
    except BlockingIOError:
        raise FileError(f"{journal}: another search writes this journal") from None


def _command(options: argparse.Namespace) -> str:
    words = ["omniroll", "optimize", options.study]
    for name in ("output", "budget", "seconds", "seed", "population"):
        value = getattr(options, name)
        words += [f"--{name}", f"{value:.15g}" if isinstance(value, float) else str(value)] if value not in (None, 0) else []
    return shlex.join([*words, *(word for one in options.set for word in ("--set", one))])


def _write(problem: StudyProblem, source: Source, found: Optimum, output: str, line: str) -> tuple[str, list[str]]:
    """The studies of the best candidates, and then the file: its text, and the names of the studies."""
    known = found_file.searched(problem, f"{output}.journal")
    title = problem.about["title"] or "A search"
    best = [found.best, *(one for one in found.finalists if one is not found.best)]
    best = [one for one in best if not one.status and (one.feasible or one is found.best)][:STUDIES]
    names, scene = [], None
    fine = problem.finer()  # with the steps that finalists had
    for number, (one, place) in enumerate(zip(best, _studies(output)), 1):
        loaded = finalist_study.study_of(fine, source, one, known.seed, f"{title}: candidate {number} of the search")
        found_file.write(place, finalist_study.text_in(loaded, os.path.dirname(output)))
        names.append(place)
        scene = finalist_study.scene_of(loaded) if number == 1 else scene
    given = problem.identity()
    texts = {one["name"]: one["text"] for kind in ("objectives", "constraints") for one in problem.about[kind]}
    about = {"version": library().omr_version().decode(), "command": line, "scene": scene, "studies": [os.path.basename(name) for name in names],
             "study": {"name": os.fspath(source) if isinstance(source, (str, os.PathLike)) else "-", "title": problem.about["title"], "source": given["study"],
                       "changes": given["changes"], "texts": texts}}
    made = found_file.text_of(found_file.content(problem, found, known, about))
    found_file.write(output, made)
    for place in _studies(output)[len(names):]:  # of a search before
        if os.path.exists(place):
            os.unlink(place)
    return made, names


def _where(output: str, names: Sequence[str]) -> list[str]:
    """The files, and the next commands."""
    several = [f"studies  {names[0]}{f' to {os.path.basename(names[-1])}' if len(names) > 1 else ''}"] if names else []
    return [f"written  {output}", *several,
            f"journal  {output}.journal; a larger --budget goes on from it",
            f"next     omniroll report {output}",
            *([f"         omniroll evaluate {names[0]}"] if names else [])]
