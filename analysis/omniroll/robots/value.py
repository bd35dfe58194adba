"""A value of the study of a robot, and where it is from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..terminal import shown

TINY = 1e-12  # smaller values come of rounding


@dataclass
class Value:
    """A value of the study with its unit, and where it is from. A guess is none of the file's."""

    number: Any
    unit: str
    source: str
    guess: bool = False

    @property
    def meant(self) -> Any:
        """As the study has it."""
        if isinstance(self.number, (str, int, list)):
            return self.number
        return f"{tidy(self.number)} {self.unit}" if self.unit else float(tidy(self.number))

    @property
    def comment(self) -> str:
        return one_line(("GUESS: " if self.guess else "") + self.source)


def tidy(number: float) -> str:
    """Nine digits, and no -0."""
    return f"{number + 0.0:.9g}" if abs(number) > TINY else "0"


def one_line(text: str) -> str:
    """For a comment, which a name of the file must not end."""
    return shown(text.replace("\n", " ").replace("\t", " "))
