"""Texts of others on a terminal: shown, not obeyed."""

from __future__ import annotations

import re
import sys
from typing import TextIO

from . import lists

# C0 but line ends and tabs, DEL and C1; controls of the direction of text; separators of lines; halves of characters, which is
# how Python keeps bytes that are no UTF-8. The same as omr_show() in the library.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def _word(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"  # a byte
    return f"\\x{code:02x}" if code < 0x20 else f"\\u{code:04x}"


def shown(text: object) -> str:
    """The text with control characters as \\x1b or \\u202e."""
    return _CONTROL.sub(_word, str(text))


def say(text: object, out: TextIO | None = None) -> None:
    """Prints a line, at once; on standard error by default."""
    print(shown(text), file=out or sys.stderr, flush=True)


def failed(error: object, code: int = 1) -> int:
    """Prints the error, and returns the exit code of an omniroll.Error, else `code`."""
    say(f"omniroll: {error}")
    return lists.exit_codes().get(getattr(error, "status", ""), code)
