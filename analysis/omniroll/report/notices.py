"""Notices to read before trusting the numbers."""

from __future__ import annotations

import re
from typing import Iterator

from .data import Data
from .page import paragraph, text
from .vehicle import doubts
from .wording import count, counted


def warnings(data: Data) -> str:
    """Paragraphs; nothing where there is nothing to say."""
    return "".join(paragraph(words, "warning") for words in _found(data))


def _found(data: Data) -> Iterator[str]:
    result, attrs = data.result, data.result.attrs
    for line in str(attrs.get("warnings", "")).splitlines():
        found = re.match(r"(step error|energy balance): (.*)", line)
        if found:
            yield f"{text(found[2][:1].upper() + found[2][1:])}."
            continue
        if line in doubts(attrs):
            yield f"The vehicle is legal, and hardly meant so. {text(line[:1].upper() + line[1:])}."
            continue
        yield (f"When it was run, omniroll warned: {text(line)}. A step that is too long need not show: instances reach the end with "
               "wrong numbers. Run the study again with one of these remedies before trusting them.")
    retried, controlled = int(attrs.get("retried_instances", 0)), "tolerance" in attrs
    if retried:
        how, doubt = (("a tenth of the tolerance", "tolerance may be too large") if controlled
                      else ("half the step", "step may be too long"))
        yield (f"{counted(retried, 'instance')} ended for a reason of numerics and ran again with {how}, of which "
               f"{count(attrs.get('recovered_instances', 0))} then reached the end: the {doubt} for others, too.")
    if result.numbers is not None and not result.summed:
        yield f"The file holds {counted(result.instances, 'instance')} of the study alone, those that were chosen."
    if attrs.get("first_invalid"):
        reason = str(attrs["first_invalid"])
        yield f"Some values of the parameters make no vehicle. {text(reason[:1].upper() + reason[1:])}"
