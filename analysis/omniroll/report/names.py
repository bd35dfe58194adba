"""One name per quantity on a page: the study's. A column of files and figures, wheel_rollers, is wheel.rollers there, as in the study's
"vary" and in --set."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import re
from typing import Iterator

from ..reading.result import Result
from .wording import told_path

_NAMES: contextvars.ContextVar[dict[str, str]] = contextvars.ContextVar("names", default={})
# Parts that stay as they are: scripts, styles, and blocks to be copied
KEPT = re.compile(r"(<(?:script|style|pre)\b.*?</(?:script|style|pre)>)", re.S)
PART = re.compile(r"(<[^>]*>)")
READ_OUT = re.compile(r'(aria-label=")([^"]*)(")')


def names_of(result: Result) -> dict[str, str]:
    """The columns that the study calls otherwise, with its names."""
    paths = {column: told_path(column, result) for column in result.parameters}
    return {column: path for column, path in paths.items() if path and path != column}


@contextlib.contextmanager
def named(result: Result) -> Iterator[None]:
    """Figures and pages made here have the study's names."""
    token = _NAMES.set(names_of(result))
    try:
        yield
    finally:
        _NAMES.reset(token)


def in_text(words: str) -> str:
    """Plain text of a figure with the study's names; a name may be broken at line ends behind its underscores."""
    return _replaced(words, r"\n?") if _NAMES.get() else words


def in_page(body: str) -> str:
    """HTML with the study's names in text that is read or read out; a name may have places to break before its underscores."""
    if not _NAMES.get():
        return body
    parts = KEPT.split(body)
    return "".join(part if at % 2 else _in_elements(part) for at, part in enumerate(parts))


def _in_elements(body: str) -> str:
    joined = re.sub(r"<wbr>(?=[._])", "\0", body)  # inside names
    found = [READ_OUT.sub(lambda label: label[1] + _replaced(label[2], "") + label[3], part) if part.startswith("<") else
             _replaced(part, "\0?") for part in PART.split(joined)]
    return "".join(found).replace("\0", "<wbr>")


def _replaced(words: str, broken: str) -> str:
    """Text with the names for the columns, longest first; `broken` is a pattern allowed at an underscore, a line end or a mark."""
    if "_" not in words:
        return words
    for pattern, path in _patterns(tuple(_NAMES.get().items()), broken):
        words = pattern.sub(lambda found, path=path: _like(found[0], path), words)  # type: ignore[misc]
    return words


@functools.lru_cache(maxsize=8)
def _patterns(names: tuple[tuple[str, str], ...], broken: str) -> list[tuple[re.Pattern[str], str]]:
    at_underscore = f"{broken}_" if broken == "\0?" else f"_{broken}"
    return [(re.compile(r"(?<![\w.])" + re.escape(column).replace("_", at_underscore) + r"(?![\w])"), path)
            for column, path in sorted(names, key=lambda each: -len(each[0]))]


def _like(found: str, path: str) -> str:
    """The path, broken where the column was: at line ends, or with marks before its dots and underscores."""
    if "\0" in found:
        return re.sub(r"(?=[._])", "\0", path)
    at = found.find("\n")
    return path if at < 0 or at >= len(path) else f"{path[:at]}\n{path[at:]}"
