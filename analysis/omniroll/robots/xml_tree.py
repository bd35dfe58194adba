"""XML of strangers as a tree of elements that know their lines.

The parser is expat, of the standard library. A document type is refused, since entities and references to other files stand nowhere else;
so are files that are too long, too deep, or hold too many elements. Nothing but the file itself is ever opened."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from ..errors import FileError, StudyError

MOST_BYTES = 16 << 20
MOST_ELEMENTS = 200_000
MOST_DEPTH = 200
LARGEST = 1e9  # of a number, in its unit of SI
XACRO = "xacro robot.xacro | omniroll import -"  # the remedy, without ROS: pip install xacro


@dataclass
class Element:
    """An element with its attributes, its elements and the place where it begins, such as "robot.urdf:12"."""

    tag: str
    attributes: dict[str, str]
    where: str
    inside: "list[Element]" = field(default_factory=list)
    words: str = ""  # its text, without its elements

    def all(self, *tags: str) -> "list[Element]":
        """Its elements of these tags."""
        return [element for element in self.inside if element.tag in tags]

    def first(self, tag: str) -> "Element | None":
        """Its first element of this tag."""
        return next(iter(self.all(tag)), None)

    def every(self) -> "Iterator[Element]":
        """Itself and all elements below it."""
        below = [self]
        while below:
            element = below.pop()
            yield element
            below.extend(reversed(element.inside))

    def text(self, name: str, otherwise: str | None = None) -> str:
        """An attribute. Raises StudyError where it is missing."""
        value = self.attributes.get(name, otherwise)
        if value is None:
            raise StudyError(f"{self.where}: <{self.tag}> has no {name}; give it one")
        return value

    def numbers(self, name: str, count: int, otherwise: "tuple[float, ...] | None" = None) -> "tuple[float, ...]":
        """An attribute of `count` finite numbers; any count where that is 0. Raises StudyError."""
        if otherwise is not None and name not in self.attributes:
            return otherwise
        text = self.text(name)
        try:
            found = tuple(float(word.replace("_", "no")) for word in text.split())  # Python reads 1_0 as 10
        except ValueError:
            found = ()
        if not found or (count and len(found) != count) or not all(abs(number) <= LARGEST for number in found):
            more = f"; a file of xacro has to be expanded first: {XACRO}" if "$" in text else ""
            what = {0: "numbers", 1: "one number"}.get(count, f"{count} numbers")
            raise StudyError(f"{self.where}: {name}=\"{text[:60]}\" of <{self.tag}>: expected {what}, none beyond {LARGEST:.0e}{more}")
        return found

    def number(self, name: str, otherwise: float | None = None) -> float:
        """An attribute that is one finite number. Raises StudyError."""
        return self.numbers(name, 1, None if otherwise is None else (otherwise,))[0]


def at_least_0(element: Element, name: str, count: int) -> "tuple[float, ...]":
    """Measures of a shape. Raises StudyError."""
    found = element.numbers(name, count)
    if min(found) < 0:
        raise StudyError(f"{element.where}: {name}=\"{element.text(name)[:60]}\" of <{element.tag}> is below 0; measures are above")
    return found


def read(path: str) -> Element:
    """The root of a file; "-" is standard input. Raises FileError, and StudyError for text that is no XML or not to be trusted."""
    return parse(_bytes(path), "standard input" if path == "-" else path)


def _bytes(path: str) -> bytes:
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # a pipe without a writer would wait for ever
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise FileError(f"{path}: is no file; give the file of a robot, or - for standard input")
                data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise error if isinstance(error, FileError) else FileError(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise StudyError(f"{path}: is longer than {MOST_BYTES >> 20} MiB, which no description of a robot is: meshes belong into files of their own")
    return data


def parse(data: bytes, name: str) -> Element:
    """The root of a document. Raises StudyError."""
    parser = expat.ParserCreate()
    top = Element("", {}, name)
    open_elements, count = [top], 0
    said: "list[list[str]]" = [[]]

    def refuse(why: str) -> StudyError:
        return StudyError(f"{name}:{parser.CurrentLineNumber}: {why}")

    def start(tag: str, attributes: "dict[str, str]") -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS or len(open_elements) > MOST_DEPTH:
            raise refuse(f"a description of a robot has at most {MOST_ELEMENTS} elements, {MOST_DEPTH} within each other; this one has more")
        element = Element(tag, attributes, f"{name}:{parser.CurrentLineNumber}")
        open_elements[-1].inside.append(element)
        open_elements.append(element)
        said.append([])

    def end(_: str) -> None:
        open_elements.pop().words = "".join(said.pop()).strip()

    def text(words: str) -> None:
        said[-1].append(words)

    def doctype(*_: Any) -> None:
        raise refuse("<!DOCTYPE> may define entities and name other files, and is not read; no description of a robot needs one: delete it")

    parser.StartElementHandler, parser.EndElementHandler, parser.StartDoctypeDeclHandler, parser.CharacterDataHandler = start, end, doctype, text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise StudyError(f"{name}:{error.lineno}:{error.offset + 1}: this is no XML: {expat.ErrorString(error.code)}; omniroll import takes URDF "
                         "(<robot>) and MJCF (<mujoco>)") from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        raise refuse(f"cannot be decoded: {error}; write it in UTF-8") from None
    return top.inside[0]
