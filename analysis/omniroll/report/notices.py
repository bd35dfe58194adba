"""What a reader should know before trusting the numbers."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from .data import Data
from .page import paragraph, text
from .summary import used
from .wording import count, counted, number

ENERGY = 1e-2  # energy_error from which the motion itself is in doubt
REMEDIES = ("the step is probably too long for the friction law. Halve it and compare, or take the method <code>rosenbrock</code>.",
            "the tolerance is too large for sums of energy. Take a tenth of it and compare.")


def warnings(data: Data) -> str:
    """Paragraphs; nothing where there is nothing to say."""
    return "".join(paragraph(words, "warning") for words in _found(data))


def _found(data: Data) -> Iterator[str]:
    result, attrs = data.result, data.result.attrs
    for line in str(attrs.get("warnings", "")).splitlines():
        if line.startswith("step error: "):
            words = line[len("step error: "):]
            yield f"{text(words[:1].upper() + words[1:])}."
            continue
        yield (f"When it was run, omniroll warned: {text(line)}. A step that is too long need not show: instances reach the end with "
               "wrong numbers. Run the study again with one of these remedies before trusting them.")
    yield from _energy(data)
    retried, controlled = int(attrs.get("retried_instances", 0)), "tolerance" in attrs
    if retried:
        how, doubt = (("a tenth of the tolerance", "tolerance may be too large") if controlled
                      else ("half the step", "step may be too long"))
        yield (f"{counted(retried, 'instance')} ended for a reason of numerics and ran again with {how}, of which "
               f"{count(attrs.get('recovered_instances', 0))} then reached the end: the {doubt} for others, too.")
    if result.numbers is not None:
        yield f"The file holds {counted(result.instances, 'instance')} of the study alone, those that were chosen."
    if attrs.get("first_invalid"):
        reason = str(attrs["first_invalid"])
        yield f"Some values of the parameters make no vehicle. {text(reason[:1].upper() + reason[1:])}"


def _energy(data: Data) -> Iterator[str]:
    """rosenbrock's balance says less: it sums dissipation with the slip at the ends of a step."""
    integrator = data.study.get("integrator")
    method = integrator.get("method", "rk4") if isinstance(integrator, dict) else "rk4"
    if "energy_error" not in data.result.observables or method == "rosenbrock":
        return
    errors = np.abs(used(data.result, "energy_error"))
    bad = int(np.sum(errors > ENERGY))
    if bad:
        worst = number(float(errors.max()), 2)
        yield (f"The balance of energy does not close in {counted(bad, 'instance')} (<code>energy_error</code> up to {worst}): "
               f"{REMEDIES['tolerance' in data.result.attrs]}")
