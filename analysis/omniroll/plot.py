"""Figures of a result as PNG files: python3 -m omniroll.plot result.h5

The figures themselves are functions of omniroll.figures; figures of published papers, chosen by --figure, are in studies/papers. A file of
omniroll compare gives one figure per run of the engine: its differences from the reference over time (omniroll.compare_file). Files of
omniroll bench (--json, --csv) give the roofline and the scaling; several of them compare (omniroll.bench)."""

import argparse
import os
import sys
import textwrap

import numpy as np

from . import bench, compare_file, papers, terminal
from .errors import FileError, NotAResult
from .figures import distributions, morris_effects, nested_designs, path_spread, probability, rare_events, sweeps
from .figures.basic import dependence, has_path, has_wheels, heat_map, histogram, over_time, paths, slip_and_loads
from .figures.several_results import comparison
from .figures.style import STYLE, Skipped, not_kept
from .reading import asked, designs, summed
from .reading.result import open_result

__all__ = ["comparison", "dependence", "heat_map", "histogram", "main", "over_time", "paths", "slip_and_loads"]

# Plotted where neither the caller nor the study names observables: the first of these that differ between the instances
PREFERRED = ["max_servo_torque", "max_cross_track", "max_deviation", "odometry_error", "vibration_rms", "path_length", "max_slip",
             "dissipated_energy", "min_load", "final_x", "final_z", "final_y", "final_yaw"]
DEFAULT_OBSERVABLES = 3
DEFAULT_PARAMETERS = 3
ROUNDING = 1e-12


class Usage(Exception):
    """Something on the command line does not fit the file."""


def _figure_list():
    lines = ["figures of published papers (--figure), each from its ready study:"]
    try:
        listed = papers.module("published").FIGURES
    except FileError as error:
        return f"{lines[0]}\n{error}"
    for name, (_, caption) in listed.items():
        lines += textwrap.wrap(caption, 100, initial_indent=f"  {name:<18}", subsequent_indent=" " * 20)
    return "\n".join(lines)


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="omniroll.plot", description="Plots a result file of omniroll as PNG files.",
                                     epilog=_figure_list(), formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", nargs="+", help="result file (.h5), or one of omniroll bench (.json, .csv); several "
                        "only for figures that show several")
    parser.add_argument("-o", "--output", metavar="FOLDER",
                        help="where the PNG files go (default: <result>-plots beside the file)")
    parser.add_argument("--observable", metavar="NAME", action="append", nargs="+",
                        help="observables to plot (default: up to three that differ between the instances)")
    parser.add_argument("--parameter", metavar="NAME", help="varied parameter to plot over and to colour the paths by "
                        "(default: the first; plots over the first three)")
    parser.add_argument("--instance", metavar="INDEX", type=int,
                        help="traced instance of slip_and_loads.png, over_time.png or comparison.png (default: the first)")
    parser.add_argument("--compare", metavar="RESULT", nargs="+", default=[],
                        help="further results of the same study: one figure, comparison.png, with all of them")
    parser.add_argument("--figure", metavar="NAME", action="append", nargs="+",
                        help="figures of published papers to draw instead, see below")
    return parser.parse_args(argv)


def differing(result, name):
    """Whether an observable has more than one value; rounding errors are none."""
    if result.summed:
        found = summed.of(result, name)
        return found is not None and found.differs and max(abs(found.min), abs(found.max)) > ROUNDING
    values = result.observables[name][result.ok]
    values = values[np.isfinite(values)]
    largest = np.abs(values).max(initial=0)
    return len(values) > 1 and largest > ROUNDING and values.max() - values.min() > ROUNDING * largest


def first_asked(result):
    """The observables, those first that the study asks for or lists, or that people ask for."""
    known = asked.named(result) or [name for name in PREFERRED if name in result.observables]
    return [*known, *(name for name in result.observables if name not in known)]


def default_observables(result):
    return [name for name in first_asked(result) if differing(result, name)][:max(DEFAULT_OBSERVABLES, len(asked.asked(result)))]


def _check_names(result, observables, parameter):
    for name in observables:
        if name not in result.observables:
            raise Usage(f"{result.path}: has no observable '{name}'; it has: {', '.join(result.observables) or 'none'}")
    if parameter is not None and parameter not in result.parameters:
        raise Usage(f"{result.path}: has no varied parameter '{parameter}'; it has: {', '.join(result.parameters) or 'none'}")


def _chosen_parameters(result, parameter, say):
    if parameter is not None:
        return [parameter]
    if len(result.varied) > DEFAULT_PARAMETERS:
        say(f"plots over {', '.join(result.varied[DEFAULT_PARAMETERS:])} skipped: over the first {DEFAULT_PARAMETERS} varied "
            "parameters unless --parameter names one")
    return result.varied[:DEFAULT_PARAMETERS]


def _across_designs(result, observables):
    """The figures of a nested design."""
    for name in observables:
        yield f"{name}_designs.png", lambda name=name: nested_designs.design_map(result, name)
        for along in designs.design_variables(result):
            yield f"{name}_over_{along}.png", lambda name=name, along=along: nested_designs.design_lines(result, name, along)
    for criterion in designs.criteria(result):
        yield f"probability_{criterion}.png", lambda criterion=criterion: nested_designs.failure_map(result, criterion)


def _across_samples(result, observables):
    """The figures of a design that draws its values."""
    if "subset" in result.statistics:
        yield "subset_levels.png", lambda: rare_events.subset_levels(result)
        return  # the rows are no sample of the uncertain values: no distribution, no correlation
    for name in observables:
        yield f"histogram_{name}.png", lambda name=name: distributions.distribution(result, name)
        if _has_tail(result, name):
            yield f"{name}_exceedance.png", lambda name=name: distributions.exceedance(result, name)
        if "sobol" in result.statistics:
            yield f"{name}_sobol.png", lambda name=name: distributions.sobol_indices(result, name)
        elif "morris" in result.statistics:
            yield f"{name}_effects.png", lambda name=name: morris_effects.morris_effects(result, name)
        else:
            yield f"{name}_correlations.png", lambda name=name: distributions.tornado(result, name)
        yield f"{name}_strongest.png", lambda name=name: distributions.strongest(result, name)
    yield from _of_criteria(result)


def _has_tail(result, name):
    values = result.observables[name][result.ok]
    values = values[np.isfinite(values)]
    return len(values) > 0 and distributions.has_tail(values)


def _of_criteria(result):
    """How probable the criteria are, where in the drawn parameters they are met, where instances failed, how far paths spread."""
    if designs.kind(result) in path_spread.SAMPLES:
        for criterion in designs.criteria(result):
            yield f"{criterion}_convergence.png", lambda criterion=criterion: probability.convergence(result, criterion)
            yield f"{criterion}_where.png", lambda criterion=criterion: probability.criterion_map(result, criterion)
        if len(result.traced) >= path_spread.FEWEST and has_path(result):
            yield "path_tube.png", lambda: path_spread.path_tube(result)
            yield "path_spread.png", lambda: path_spread.path_spread(result)
    if not result.ok.all():
        yield "failed_where.png", lambda: probability.failed_map(result)


def _across_grid(result, observables):
    """Of a grid over three and more parameters: maps over the two that move an observable most, at levels of the third."""
    for name in observables:
        up, across, third, *_ = sweeps.telling(result, name)
        yield f"{name}_map.png", lambda name=name, across=across, up=up: sweeps.level_map(result, name, across, up)
        yield f"{name}_maps.png", lambda name=name, across=across, up=up, third=third: sweeps.level_maps(result, name, across, up, third)


def _across_instances(result, observables, parameters):
    """(file name, function that makes the figure) of everything that compares instances."""
    for name in observables:
        yield f"histogram_{name}.png", lambda name=name: histogram(result, name)
        for parameter in parameters:
            yield f"{name}_vs_{parameter}.png", lambda name=name, parameter=parameter: dependence(result, name, parameter)
        if result.is_grid and len(result.varied) == 2:
            yield f"{name}_map.png", lambda name=name: heat_map(result, name)
    if designs.kind(result) == "one_at_a_time":
        for name in observables:
            yield f"{name}_ranges.png", lambda name=name: sweeps.range_bars(result, name)
    if result.is_grid and len(result.varied) > 2 and designs.kind(result) == "grid":
        yield from _across_grid(result, observables)
    if result.is_grid and len(result.varied) == 2 and not result.ok.all():
        yield "failed_where.png", lambda: sweeps.failed_where(result, *result.varied)


def _plan(result, options, say):
    if options.compare:
        others = [open_result(path) for path in options.compare]
        yield "comparison.png", lambda: comparison([result, *others], options.instance)
        return
    if has_wheels(result) or not result.trajectories:
        yield "paths.png", lambda: paths(result, options.parameter)
        yield "slip_and_loads.png", lambda: slip_and_loads(result, options.instance)
    else:
        if has_path(result):
            yield "paths.png", lambda: paths(result, options.parameter)
        yield "over_time.png", lambda: over_time(result, options.instance)
    if result.instances == 1:
        say("histograms and plots over parameters skipped: the study has one instance")
        return
    observables = options.observables or default_observables(result)
    if not observables:
        say("histograms and plots over parameters skipped: no observable differs between ok instances")
    elif not result.varied:
        say("plots over parameters skipped: the study varies no parameter")
    if designs.design_variables(result) and options.parameter is None:
        yield from _across_designs(result, observables)
    elif designs.is_random(result) and options.parameter is None:
        yield from _across_samples(result, observables)
    else:
        yield from _across_instances(result, observables, _chosen_parameters(result, options.parameter, say))


def _plan_pair(path, options):
    content = compare_file.open_pair(path)
    for run in content.fast:
        if not run.endswith(compare_file.HALF):
            yield f"differences_{run}.png", lambda run=run: compare_file.differences(content, options.instance, run)


def _save(figure, path):
    import matplotlib

    with matplotlib.rc_context(STYLE):
        figure.savefig(path)


def plot(result, folder, options, say):
    """Writes the figures and returns the paths of the files."""
    return _write(_plan(result, options, say), folder, say)


def _write(plan, folder, say):
    os.makedirs(folder, exist_ok=True)
    written = []
    for name, make in plan:
        try:
            figure = make()
        except Skipped as reason:
            say(f"{name} skipped: {reason}")
            continue
        path = os.path.join(folder, name)
        _save(figure, path)
        written.append(path)
        terminal.say(path, sys.stdout)
    return written


def plot_published(results, names, folder):
    """Writes figures of published papers. A figure that cannot be drawn is an error, since the caller named it."""
    published = papers.module("published")
    for name in names:
        if name not in published.FIGURES:
            raise Usage(f"there is no figure '{name}'; there are: {', '.join(published.FIGURES)}")
    os.makedirs(folder, exist_ok=True)
    for name in names:
        try:
            figure = published.draw(name, *results)
        except Skipped as reason:
            raise Usage(f"{', '.join(result.path for result in results)}: {name} cannot be drawn: {reason}") from None
        path = os.path.join(folder, f"{name}.png")
        _save(figure, path)
        terminal.say(path, sys.stdout)


def _say(text):
    terminal.say(f"omniroll.plot: {text}")


def main(argv=None):
    options = _arguments(argv)
    options.observables = [name for names in options.observable or [] for name in names]
    chosen = [name for names in options.figure or [] for name in names]
    folder = options.output or os.path.splitext(options.result[0])[0] + "-plots"
    try:
        if len(options.result) == 1 and compare_file.is_pair(options.result[0]):
            _write(_plan_pair(options.result[0], options), folder, _say)
            return 0
        benches = [bench.is_bench(path) for path in options.result]
        if all(benches):
            _write(bench.plan([bench.open_bench(path) for path in options.result]), folder, _say)
            return 0
        if any(benches):
            raise Usage("results of omniroll bench and of omniroll run do not go together")
        results = [open_result(path) for path in options.result]
        if chosen:
            plot_published(results, chosen, folder)
            return 0
        if len(results) > 1:
            raise Usage("several results go together only in figures named by --figure; plot them one by one")
        _check_names(results[0], options.observables, options.parameter)
        if results[0].summed and results[0].instances == 0:
            raise Usage(f"{results[0].path}: {not_kept(results[0])}")
        if results[0].summed:
            _say(f"figures are of the {results[0].instances} rows that are kept of {results[0].total} instances (output.rows)")
        plot(results[0], folder, options, _say)
    except (FileError, NotAResult, Usage, OSError) as error:
        _say(error)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
