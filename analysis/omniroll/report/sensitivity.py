"""Which of the drawn parameters matter: rank correlations, Sobol' indices, elementary effects."""

from __future__ import annotations

from functools import partial
from typing import Any, Iterator

import numpy as np

from .. import lists
from ..figures import distributions, morris_effects, probability
from ..figures.style import Skipped, meaning
from ..reading import designs
from ..reading.result import Result
from . import words
from .data import Data
from .page import Section, paragraph, pictures, table, text
from .svg import picture
from .sweep import drawn, shown_observables
from .wording import code, stacked

CORRELATED = lists.designs("sample")
OVERLAP = "Totals overlap: an interaction counts in the total of each of its parameters, so that totals may add up to more than {whole}."
WIDE = 0.2  # half an interval of an index beyond which ranks are not settled
LISTED = 12
TURNS = 0.03  # part of the variance from which an effect that turns round is named


def sections(data: Data) -> Iterator[Section]:
    group = next((name for name in ("sobol", "morris") if name in data.result.statistics), None)
    if group is None and data.kind not in CORRELATED or not designs.drawn_variables(data.result):
        return
    makers = {"sobol": _sobol, "morris": _morris, None: _correlations}
    body = "".join(makers[group](data))
    if body:
        yield Section("What matters", body)


def _quantities(data: Data, group: str) -> list[str]:
    """Observables shown, then criteria, that the group has."""
    known = list(data.result.statistics[group]["quantity"])
    named = [name for name in shown_observables(data)[0] if name in known]
    return named + [name for name in known if name == "fail" or name.startswith("fail.")]


def _meaning(result: Result, name: str) -> str:
    if name in result.long_names:
        return str(meaning(result, name))
    criterion = name.split(".", 1)[-1]
    return f"Whether {criterion} is met ({designs.criteria(result).get(criterion, criterion)})"


# --- rank correlations ------------------------------------------------------------------------------------------------------------


def _correlations(data: Data) -> Iterator[str]:
    result = data.result
    made = [part for name in shown_observables(data)[0] for part in _correlated(result, name)]
    if not made:
        return
    yield paragraph("Spearman's rank correlation goes from −1 (the observable always falls when the parameter grows) over 0 to 1 (always "
                    "rises). It misses effects that turn round in the middle, which the scatter plots show, and says nothing about "
                    "causes other than the parameters that were varied.")
    yield "".join(made)


def _correlated(result: Result, name: str) -> Iterator[str]:
    try:
        found, count = distributions.rank_correlations(result, name)
    except Skipped:
        return
    ratios = turning(result, name)
    strength = {p: max(r * r, ratios.get(p, 0.0)) for p, r in found.items()}
    order = sorted(strength, key=lambda p: -strength[p])
    shown = drawn([(lambda: distributions.tornado(result, name), tornado_caption(result, name)),
                   (lambda: distributions.strongest(result, name, order), scatter_caption(found, ratios, count))])
    yield f"<h3>{text(name)}</h3>" + pictures(*shown)


def turning(result: Result, name: str) -> dict[str, float]:
    """Correlation ratio of an observable over the fifths of each drawn parameter."""
    values = np.where(result.ok, result.observables[name], np.nan)
    return {p: probability.told_by(result.parameters[p], values) for p in designs.drawn_variables(result)}


def scatter_caption(found: dict[str, float], ratios: dict[str, float], count: int) -> str:
    """Caption of the points, and which effects the rank correlation misses."""
    missed = sorted((p for p, r in found.items() if ratios.get(p, 0) > max(TURNS, 2 * r * r)), key=lambda p: -ratios[p])
    said = ("The observable over the parameters that tell most of it; a point is an instance, the line the median in tenths of the "
            "parameter.")
    if missed:
        said += (f" Effects that the rank correlation misses, since they turn round: "
                 f"{words.listed(f'{p} ({words.number(100 * ratios[p], 2)} % of the variance between its fifths)' for p in missed[:4])}.")
    return said


def tornado_caption(result: Result, name: str) -> str:
    found, count = distributions.rank_correlations(result, name)
    names = sorted(found, key=lambda p: -abs(found[p]))
    low, high = distributions._correlation_intervals(found, count, names)
    clear = [p for p, a, b in zip(names, low, high) if a > 0 or b < 0]
    strongest = words.listed(f"{p} ({words.number(found[p], 2)})" for p in names[:3])
    differ = f"{len(clear)} of {len(names)} {'differs' if len(clear) == 1 else 'differ'} from 0" if clear else "None differs from 0"
    chance = f"; by chance alone {words.number(0.05 * len(names), 2)} of {len(names)} would differ on average" if len(names) >= 10 else ""
    more = f" The weakest {len(names) - distributions.MOST_BARS} are not drawn." if len(names) > distributions.MOST_BARS else ""
    return (f"{meaning(result, name)}: bars to the right rise with the parameter, bars to the left fall. Strongest: {strongest}. "
            f"{differ} (95 % intervals by Fisher's z, Bonett and Wright 2000{chance}). {count} instances.{more}")


# --- Sobol' indices -----------------------------------------------------------------------------------------------------------------


def _sobol(data: Data) -> Iterator[str]:
    result, group = data.result, data.result.statistics["sobol"]
    attrs = group["attrs"]
    yield paragraph("A Sobol' index says which part of an observable's variance comes from a parameter: first order, by itself; total, "
                    "together with all its interactions. A total near 0 means that the parameter may be fixed. " + OVERLAP.format(whole="1"))
    yield paragraph(f"{attrs.get('ok', '?')} of {attrs.get('count', '?')} row groups of {attrs.get('group_rows', '?')} instances used; "
                    f"estimators of Saltelli et al. (2010) and Jansen (1999), {100 * attrs.get('confidence', 0.95):g} % intervals by "
                    f"bootstrap ({attrs.get('bootstrap', '?')} replicates).", "note")
    for name in _quantities(data, "sobol"):
        try:
            shown = picture(partial(distributions.sobol_indices, result, name), sobol_caption(result, name))
        except Skipped as reason:
            yield paragraph(text(f"{name}: {reason}."), "note")
            continue
        yield f"<h3>{text(name)}</h3>" + _wide_warning(result, name) + pictures(shown, sobol_table(result, name))


def _indices(result: Result, name: str) -> dict[str, Any]:
    group = result.statistics["sobol"]
    at = list(group["quantity"]).index(name)
    return {"parameter": list(group["parameter"]), **{key + end: np.asarray(group[key + end])[at] for key in ("first_order", "total")
                                                       for end in ("", "_low", "_high")}}


def sobol_caption(result: Result, name: str) -> str:
    found = _indices(result, name)
    order = [k for k in np.argsort(-np.nan_to_num(found["total"]), kind="stable") if np.isfinite(found["total"][k])]
    most = words.listed(f"{found['parameter'][k]} ({words.number(100 * found['total'][k], 2)} %)" for k in order[:3])
    alone = float(np.nansum(found["first_order"]))
    rest = f"First orders add up to {words.number(100 * alone, 2)} %"
    inter = "; the rest are interactions" if alone < 0.97 else "; hardly any interactions"
    if any(_half(found, key).max() > WIDE for key in ("first_order", "total")):
        inter = ", too uncertain here to tell interactions from errors of the estimate"
    return f"{_meaning(result, name)}. Largest totals: {most}. {rest}{inter}."


def _half(found: dict[str, Any], key: str) -> Any:
    return np.nan_to_num(found[f"{key}_high"] - found[f"{key}_low"]) / 2


def _wide_warning(result: Result, name: str) -> str:
    found = _indices(result, name)
    widest = max(float(_half(found, key).max()) for key in ("first_order", "total"))
    if widest <= WIDE:
        return ""
    count = int(result.statistics["sobol"]["attrs"].get("count", 0))
    more = f" Run it again with <code>--set design.groups={4 * count}</code>." if count else ""
    wide = f"The intervals are wide (up to {words.number(widest, 2)} either way): the order of the parameters is not settled."
    return paragraph(wide + more, "warning")


def sobol_table(result: Result, name: str) -> str:
    found, rows = _indices(result, name), []
    for k in np.argsort(-np.nan_to_num(found["total"]), kind="stable"):
        cells = []
        for key in ("first_order", "total"):
            value, low, high = (found[key + end][k] for end in ("", "_low", "_high"))
            shown = words.together([value, low, high], 2) if np.isfinite(value) else None
            cells.append(stacked(*map(text, shown)) if shown else "–")
        rows.append([code(found["parameter"][k]), *cells])
    return table(["parameter", "first order<br><small>interval</small>", "total<br><small>interval</small>"], rows, (1, 2))


# --- elementary effects -------------------------------------------------------------------------------------------------------------


def _morris(data: Data) -> Iterator[str]:
    result = data.result
    yield paragraph("An elementary effect is the change of the observable when one parameter alone takes a step, scaled to its whole "
                    "range (Morris 1991). μ* is the mean size of the effects: near 0, the parameter does not matter. σ is their standard "
                    "deviation: far below the dashed line σ = μ* the effect is nearly the same everywhere; near or above it, the effect "
                    "is curved or depends on the other parameters.")
    for name in _quantities(data, "morris"):
        try:
            shown = picture(partial(morris_effects.morris_effects, result, name), morris_caption(result, name))
        except Skipped as reason:
            yield paragraph(text(f"{name}: {reason}."), "note")
            continue
        yield f"<h3>{text(name)}</h3>" + pictures(shown, morris_table(result, name))


def morris_caption(result: Result, name: str) -> str:
    group, at, ranked = morris_effects.order(result, name)
    attrs = result.statistics["morris"]["attrs"]
    strongest = words.listed(str(result.statistics["morris"]["parameter"][k]) for k in ranked[:3])
    return (f"{_meaning(result, name)}. Largest effects: {strongest}. From {attrs.get('ok', '?')} of {attrs.get('count', '?')} "
            f"trajectories; bars: {100 * attrs.get('confidence', 0.95):g} % intervals of μ* by Student's t. Numbers name the strongest, "
            "dots without one are the others.")


def morris_table(result: Result, name: str) -> str:
    _, at, ranked = morris_effects.order(result, name)
    group = result.statistics["morris"]
    factor, unit = words.factor_and_unit(result, name, group["mu_star"][at]) if name in result.units else (1.0, "")
    rows = []
    for place, k in enumerate(ranked[:LISTED]):
        keys = ("mu_star", "mu_star_low", "mu_star_high", "mu", "sigma")
        size, low, high, mu, sigma = (text(each) for each in words.together([float(group[key][at][k]) * factor for key in keys]))
        rows.append([str(place + 1), code(group["parameter"][k]), stacked(size, low, high), mu, sigma])
    rest = f"; {len(ranked) - LISTED} weaker ones are left out" if len(ranked) > LISTED else ""
    caption = text(f"In {unit or 'the unit of the observable'}{rest}")
    return table(["", "parameter", "μ*<br><small>interval</small>", "μ", "σ"], rows, [2, 3, 4], caption)
