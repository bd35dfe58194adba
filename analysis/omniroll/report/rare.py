"""Section of a subset simulation: how it got to a rare failure, and how probable that is."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from ..figures import rare_events
from ..figures.style import Skipped, within
from ..reading.result import Result
from . import words
from .data import Data
from .page import Section, paragraph, pictures, table, text
from .sweep import drawn
from .wording import number


def sections(data: Data) -> Iterator[Section]:
    if data.kind != "subset_simulation" or "subset" not in data.result.statistics:
        return
    yield Section("Probability of a rare failure", "".join(_parts(data.result)))


def _parts(result: Result) -> Iterator[str]:
    attrs = result.statistics["subset"]["attrs"]
    yield paragraph(estimate_words(result))
    yield paragraph("Subset simulation (Au and Beck 2001) measures how far each instance is from failing, its margin, and approaches "
                    "failure in "
                    "levels: each goes on from the part of the level before that came closest. The probability is the product of those "
                    "parts. Instances of later levels are no sample of the study's distributions, so there are no histograms of them.")
    if not bool(attrs.get("reached", 1)):
        yield paragraph(text(f"The levels ended before failure was reached ({attrs.get('end', 'reason unknown')}): the number is no "
                             "estimate of the probability. More levels, or more instances per level, may get there."), "warning")
    try:
        moved = rare_events.moved(result)
    except (Skipped, KeyError):
        moved = []
    yield pictures(*drawn([(lambda: rare_events.level_curve(result), curve_caption(result)),
                           (lambda: rare_events.level_states(result), states_caption(moved))]))
    yield level_table(result)


def estimate_words(result: Result) -> str:
    """The probability with its interval as a sentence, as HTML."""
    attrs = result.statistics["subset"]["attrs"]
    name, p, low, high = rare_events.criterion_name(result), attrs["probability"], attrs["probability_low"], attrs["probability_high"]
    said = f"<strong>P({text(name)}) = {number(p, 3)}</strong>"
    if np.isfinite(high):
        often, seldom = (text(words.one_in(end)[6:]) for end in (high, low))
        said = f"{within(said, number(low, 3), number(high, 3))}, {100 * attrs['confidence']:g} % interval, {text(words.one_in(p))}" + \
            (f", from {often} to {seldom}" if low > 0 else f", at most about {often}")
    else:
        said += f", {text(words.one_in(p))}"
    cov = attrs.get("coefficient_of_variation", np.nan)
    levels = len(result.statistics["subset"]["threshold"])
    said += f". <code>{text(attrs['criterion'])}</code>; {attrs['instances']} instances in {levels} levels"
    if p > 0:
        said += f", where plain Monte Carlo would need about {text(words.number(100 / p, 2))} for an error of 10 %"
    return said + (f". Coefficient of variation {words.number(100 * cov, 2)} %." if np.isfinite(cov) else ".")


def curve_caption(result: Result) -> str:
    threshold, probability = rare_events.levels(result)
    steps = words.listed(f"{words.number(p, 2)} beyond {words.number(t)}" for t, p in list(zip(threshold, probability))[:-1])
    return (f"Each point is a level: the probability that the margin of the criterion is larger than its threshold (above 0: failure). "
            f"On the way: {steps}. The vertical bar is the interval of the result, from the families of instances that go back to the same "
            "start." if steps else "One level was enough: failures are not rare here.")


def states_caption(moved: list[tuple[str, float]]) -> str:
    by = words.listed(f"{name} by {words.number(shift, 2)}" for name, shift in moved)
    return (f"Where the instances of each level are, over the two parameters whose means moved most from the first level to the last: {by} "
            "standard deviations. This is what a failure takes.")


def level_table(result: Result) -> str:
    group = result.statistics["subset"]
    _, probability = rare_events.levels(result)
    rows = []
    for k, threshold in enumerate(group["threshold"]):
        acceptance = group["acceptance"][k] if "acceptance" in group else np.nan
        count = int(group["instances"][k]) if "instances" in group else 0
        rows.append([str(k), text(words.number(float(threshold))), text(words.number(float(group["conditional_probability"][k]))),
                     text(words.number(float(probability[k]))),
                     f"{100 * acceptance:.0f} %" if np.isfinite(acceptance) else "–", str(count or "–")])
    head = ["level", "threshold of the margin", "part beyond it", "probability", "moves accepted", "instances"]
    return table(head, rows, range(6))
