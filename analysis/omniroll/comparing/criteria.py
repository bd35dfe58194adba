"""Which instances meet a criterion of the study, as host/statistics computes it: comparisons, !, &&, ||, arithmetic, abs, sqrt, min, max,
units, the status, criteria defined before. A value that is missing makes the truth unknown unless the rest decides."""

from __future__ import annotations

import functools
import re
from typing import Any, Callable, NamedTuple

import numpy as np

from ..reading import designs
from ..reading.result import Array, Result

TOKEN = re.compile(r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_][\w.]*(?:\[\d+\][\w.]*)?)"
                   r"|(?P<sign>&&|\|\||[<>=!]=|[-+*/()<>!,%]))")
UNITS = sorted((unit for unit in designs.UNITS if unit), key=len, reverse=True)
COMPARE: dict[str, Callable[[Any, Any], Any]] = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
                                                 "==": np.equal, "!=": np.not_equal}


class Unreadable(Exception):
    """A criterion that this module does not understand."""


def truth(result: Result, criterion: str) -> Array | None:
    """Per instance: 1 where the criterion (its name) is met, 0 where not, NaN where that is unknown or the instance is left out because it
    failed. None where its text is not understood here, or where the file's own counts say otherwise."""
    texts = designs.criteria(result)
    if criterion not in texts:
        return None
    try:
        values = _Reader(result, texts).criterion(criterion)
    except Unreadable:
        return None
    return values if _agrees(result, criterion, values) else None


def _agrees(result: Result, criterion: str, values: Array) -> bool:
    known = list(result.statistics.get("criterion", []))
    if criterion not in known or "level" in result.marks:  # statistics of a subset simulation are of level 0 alone
        return True
    at = known.index(criterion)
    counts = [int(np.sum(values == 1)), int(np.sum(values == 0))]
    return counts == [int(result.statistics[name][at]) for name in ("met", "not_met")]


def _not(a: Array) -> Array:
    return 1 - a


def _and(a: Array, b: Array) -> Array:
    """False and unknown is false."""
    return np.where((a == 0) | (b == 0), 0.0, a * b)


def _or(a: Array, b: Array) -> Array:
    return _not(_and(_not(a), _not(b)))


class _Reader:
    """Recursive descent; every value is an array over the instances."""

    def __init__(self, result: Result, texts: dict[str, str]) -> None:
        self.result, self.texts = result, texts
        self.tokens: list[tuple[str, str]] = []
        self.uses_status = False

    def criterion(self, name: str) -> Array:
        values = self.text(self.texts[name])
        return values if self.uses_status else np.where(self.result.ok, values, np.nan)

    def text(self, source: str) -> Array:
        kept, self.tokens = self.tokens, _tokens(source)
        values = self.either()
        if self.tokens:
            raise Unreadable(source)
        self.tokens = kept
        return np.broadcast_to(np.asarray(values, dtype=float), (self.result.instances,))

    def take(self, *signs: str) -> str:
        """The next token where it is one of these signs, else ''."""
        if self.tokens and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs:
            return self.tokens.pop(0)[1]
        return ""

    def either(self) -> Array:
        values = self.both()
        while self.take("||"):
            values = _or(values, self.both())
        return values

    def both(self) -> Array:
        values = self.negated()
        while self.take("&&"):
            values = _and(values, self.negated())
        return values

    def negated(self) -> Array:
        return _not(self.negated()) if self.take("!") else self.compared()

    def compared(self) -> Array:
        left = self.sum()
        sign = self.take(*COMPARE)
        if not sign:
            return left
        if isinstance(left, str):  # status
            return COMPARE[sign](self.result.status, self.status()).astype(float)
        right = self.sum()
        return np.where(np.isnan(left) | np.isnan(right), np.nan, COMPARE[sign](left, right))

    def status(self) -> int:
        kind, name = self.tokens.pop(0) if self.tokens else ("", "")
        codes = {text: code for code, text in self.result.status_names.items()}
        if kind != "name" or name not in codes:
            raise Unreadable(name)
        return codes[name]

    def sum(self) -> Any:
        values = self.product()
        while sign := self.take("+", "-"):
            values = values + self.product() if sign == "+" else values - self.product()
        return values

    def product(self) -> Any:
        values = self.factor()
        while sign := self.take("*", "/"):
            with np.errstate(divide="ignore", invalid="ignore"):
                values = values * self.factor() if sign == "*" else values / self.factor()
        return values

    def factor(self) -> Any:
        if self.take("-"):
            return -self.factor()
        if self.take("("):
            values = self.either()
            if not self.take(")"):
                raise Unreadable("(")
            return values
        kind, word = self.tokens.pop(0) if self.tokens else ("", "")
        if kind == "number":
            return np.asarray(float(word) * self.unit())
        if kind != "name":
            raise Unreadable(word)
        return self.called(word) if self.take("(") else self.named(word)

    def unit(self) -> float:
        """The unit after a number, as the tokens that make it."""
        for unit in UNITS:
            parts = _tokens(unit)
            if self.tokens[:len(parts)] == parts:
                del self.tokens[:len(parts)]
                return float(designs.UNITS[unit])
        if self.tokens and self.tokens[0][0] == "name":
            raise Unreadable(self.tokens[0][1])
        return 1.0

    def called(self, name: str) -> Any:
        values = [self.sum()]
        while self.take(","):
            values.append(self.sum())
        functions: dict[str, Any] = {"abs": np.abs, "sqrt": np.sqrt, "min": np.minimum, "max": np.maximum}
        if name not in functions or not self.take(")") or (name in ("abs", "sqrt") and len(values) > 1):
            raise Unreadable(name)
        with np.errstate(invalid="ignore"):
            return functions[name](values[0]) if name in ("abs", "sqrt") else functools.reduce(functions[name], values)

    def named(self, name: str) -> Any:
        if name == "status":
            self.uses_status = True
            return "status"
        columns = {**self.result.parameters, **self.result.observables}
        for column in (name, designs.column_of(name)):
            if column in columns:
                return np.asarray(columns[column], dtype=float)
        if name in self.texts:
            return self.text(self.texts[name])
        raise Unreadable(name)


def _tokens(source: str) -> list[tuple[str, str]]:
    tokens, at = [], 0
    source = source.strip()
    while at < len(source):
        match = TOKEN.match(source, at)
        if match is None:
            raise Unreadable(source)
        tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
        at = match.end()
    return tokens


# --- what a criterion is about ------------------------------------------------------------------------------------------------


def named(result: Result, criterion: str) -> list[str]:
    """Observables that a criterion names, itself or through criteria that it uses, in the order of its text."""
    return _named(result, criterion, set())


def _named(result: Result, criterion: str, seen: set[str]) -> list[str]:
    texts, found = designs.criteria(result), []
    if criterion in seen or criterion not in texts:
        return []
    seen.add(criterion)
    for word in re.findall(r"[A-Za-z_][\w.]*", str(texts[criterion])):
        found += [word] if word in result.observables else _named(result, word, seen)
    return list(dict.fromkeys(found))


def observables(result: Result) -> list[str]:
    """Observables that the study's criteria name, in the order of the criteria."""
    return list(dict.fromkeys(name for criterion in designs.criteria(result) for name in named(result, criterion)))


def is_made_of_others(result: Result, criterion: str) -> bool:
    """Whether a criterion uses others alone, so that it says nothing that they do not."""
    texts = designs.criteria(result)
    words = re.findall(r"[A-Za-z_][\w.]*", str(texts[criterion]))
    return bool(words) and all(word in texts and word not in result.observables for word in words)


class Limit(NamedTuple):
    """A comparison of an observable with a number, which a criterion is met beyond."""

    criterion: str
    name: str
    absolute: bool
    more: bool  # met above the number
    value: float  # SI


def limits(result: Result, criterion: str) -> list[Limit]:
    """The comparisons of an observable with a number that a criterion consists of, joined by && and ||; [] of one that is more."""
    source = str(designs.criteria(result).get(criterion, ""))
    if re.search(r"!(?!=)", source):
        return []
    found = []
    for part in re.split(r"&&|\|\|", source):
        part = part.strip()
        while part.startswith("(") and (part.endswith(")") or part.count("(") > part.count(")")):
            part = part[1:-1].strip() if part.endswith(")") and part.count("(") <= part.count(")") else part[1:].strip()
        while part.endswith(")") and part.count(")") > part.count("("):
            part = part[:-1].strip()
        simple = designs.comparison(part)
        if simple and simple[0] in result.observables:
            found.append(Limit(criterion, simple[0], bool(simple[1]), simple[2].startswith(">"), simple[3]))
    return found


def judged(result: Result) -> dict[str, Limit]:
    """Of observables that criteria compare with a number the first such limit: its side says which values are better. Those that criteria
    bound from both sides are left out: of them neither small nor large values are better."""
    found: dict[str, list[Limit]] = {}
    for criterion in designs.criteria(result):
        for limit in limits(result, criterion):
            found.setdefault(limit.name, []).append(limit)
    return {name: each[0] for name, each in found.items() if len({limit.more for limit in each}) == 1}
