"""Data of a report: the result, its study, and the choices that more than one section shares."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from ..comparing import criteria
from ..errors import UsageError
from ..reading import asked, designs
from ..reading.result import Result, failures, open_result

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True)
class Choices:
    """The caller's choices; None: the report chooses."""

    observables: list[str] | None = None
    instances: list[int] | None = None  # traced instances to show over time and to animate


@dataclass
class Data:
    """A result with the data that several sections need."""

    result: Result
    choices: Choices = field(default_factory=Choices)
    kept: dict[str, Any] = field(default_factory=dict)  # values that one section makes and others use as well

    @property
    def path(self) -> str:
        return self.result.path

    @cached_property
    def study(self) -> dict[str, Any]:
        """The study as it was run; {} where the file has none that can be read."""
        return dict(designs.study_of(self.result))

    @cached_property
    def kind(self) -> str:
        """single, grid, list, nested, monte_carlo, latin_hypercube, sobol, halton, saltelli, morris, subset_simulation, ..."""
        return str(designs.kind(self.result))

    @cached_property
    def failures(self) -> "xarray.Dataset":
        """The instances that failed (omniroll.failures)."""
        return failures(self.path)

    @cached_property
    def observables(self) -> list[str]:
        """Observables that are shown: the caller's; otherwise those that "ask" and the criteria name, of a study without "ask" up to
        three that differ between the instances."""
        from ..plot import DEFAULT_OBSERVABLES, default_observables, differing

        if self.choices.observables:
            return self.choices.observables
        first = [*(each.name for each in asked.asked(self.result)), *criteria.observables(self.result)]
        named = [name for name in dict.fromkeys(first) if differing(self.result, name)]
        others = [] if asked.asked(self.result) and named else [name for name in default_observables(self.result) if name not in named]
        return named + others[:max(0, DEFAULT_OBSERVABLES - len(named))]


def load(path: str, choices: Choices | None = None) -> Data:
    """Reads a result file. Raises NotAResult, and UsageError for choices that it does not have."""
    data = Data(open_result(path), choices or Choices())
    _check_observables(data)
    _check_instances(data)
    return data


def _check_observables(data: Data) -> None:
    known = data.result.observables
    for name in data.choices.observables or []:
        if name not in known:
            raise UsageError(f"there is no observable {name} in this result; it has: {shorten(', '.join(known) or 'none', 600)}")


def _check_instances(data: Data) -> None:
    """Those that were not traced are another matter: they have observables, but nothing over time."""
    result = data.result
    for instance in data.choices.instances or []:
        if not (0 <= instance < result.instances if result.numbers is None else instance in result.numbers):
            if result.summed and 0 <= instance < result.total:
                raise UsageError(f"the row of instance {instance} is not kept (output.rows); omniroll run STUDY --instance {instance} --trace runs it "
                                 "alone, and omniroll report shows that")
            known = f"0 to {result.instances - 1}" if result.numbers is None else ", ".join(map(str, result.numbers[:50]))
            raise UsageError(f"there is no instance {instance} in this result; it has: {known}")
