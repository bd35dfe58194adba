"""How figures look, in a window and on a page: colours, units, titles, legends, and the reason why one is not drawn."""

import contextlib
import contextvars
import functools
import re
import textwrap

import numpy as np

# Okabe and Ito: distinct with every kind of colour vision
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#555555", "#B2A600"]
DASHES = ["-", "--", "-.", ":", "-", "--", "-.", ":"]
FAILED = "#C0392B"
COLORMAP = "viridis"
STYLE = {
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.7,
    "legend.framealpha": 0.85,
    "legend.edgecolor": "white",
    "legend.fancybox": False,
    "legend.fontsize": 8.0,
    "figure.dpi": 110,
    "savefig.dpi": 160,
}


class Skipped(Exception):
    """This figure makes no sense for this result; the message says why."""


def styled(function):
    @functools.wraps(function)
    def wrapper(*arguments, **options):
        import matplotlib

        with matplotlib.rc_context({**STYLE, **(PAGE_STYLE if _ON_PAGE.get() else {})}):
            return function(*arguments, **options)

    return wrapper


# On a page: two pictures side by side on a desktop, and no text below 9 pixels on a phone
PAGE_WIDTH = 5.4
PAGE_STYLE = {"legend.fontsize": 9.5, "axes.formatter.use_mathtext": False, "axes.formatter.limits": (-4, 6)}
_ON_PAGE = contextvars.ContextVar("on_page", default=False)


@contextlib.contextmanager
def on_page():
    """Figures made here are for a page that has title, subtitle and source in text of its own: they are left as attributes page_title and
    page_subtitle of the figure, and not drawn."""
    token = _ON_PAGE.set(True)
    try:
        yield
    finally:
        _ON_PAGE.reset(token)


def page_figure(height):
    """An empty figure as wide as a page has it."""
    from matplotlib.figure import Figure

    return Figure(figsize=(PAGE_WIDTH, height), layout="constrained")


def plain(text):
    """Text of the user, kept from being read as mathematics."""
    return str(text).replace("$", r"\$")


def pretty_unit(unit):
    """CF spelling with exponents raised: "m s-1" -> m s⁻¹."""
    return re.sub(r"([A-Za-z])(-?\d+)", r"\1$^{\2}$", unit)


def within(value: str, low: str, high: str, before: str = " ", after: str = "") -> str:
    """A number, with its unit, and the ends of its interval in the one notation of screens, figures and pages: 6.7 mm (6 to 8). Only the
    number where the ends are the same."""
    return value if low == high else f"{value}{before}({low} to {high}){after}"


def unit_text(unit):
    """CF spelling as it is written in text: "m s-1" is m/s, "kg m2" is kg m², "1" is nothing."""
    raised = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    over, under = [], []
    for part in unit.split() if unit != "1" else []:
        match = re.fullmatch(r"([^\d-]+)(-?)(\d*)", part)
        base, minus, power = match.groups() if match else (part, "", "")
        (under if minus else over).append(base + ("" if power in ("", "1") else power.translate(raised)))
    return " ".join(over or ["1"] * bool(under)) + "".join(f"/{part}" for part in under)


def axis_unit(unit):
    """A unit at an axis: as in the text around it on a page, else with exponents."""
    return unit_text(unit) if _ON_PAGE.get() else pretty_unit(unit)


def label(result, name):
    unit = result.units.get(name, "1")
    return name if unit == "1" else f"{name} [{axis_unit(unit)}]"


def meaning(result, name):
    """An observable's meaning, as a sentence without its models and without remarks on other observables and missing values."""
    text = result.long_names.get(name, name).split("; ")[0]
    models, _, rest = text.partition(": ")
    if rest and str(result.attrs.get("model", "")) in models.split(", "):
        text = rest
    return text[:1].upper() + text[1:]


def not_kept(result):
    """Why a figure of rows cannot be drawn, with the remedy: no row is kept."""
    return (f"none of the {result.total} rows is kept (output.rows): omniroll report and omniroll.statistics have their numbers; for figures of a "
            'sample run the study with --set output.rows=\'{"sample":1000}\'')


def _population(result, values):
    """The ok instances that have a value, and how to say so."""
    used = result.ok & np.isfinite(values)
    failed = int(np.sum(~result.ok))
    text = f"{int(np.sum(used))} ok instances"
    if failed:
        text += f"; {failed} failed, left out"
    empty = int(np.sum(result.ok)) - int(np.sum(used))
    if empty:
        text += f"; {empty} without a value"
    if result.summed:
        text += f"; a sample of {result.total}"
    return used, text


LARGEST = 1e100  # its squares and differences are finite, on axes too


def fits(values):
    """Whether a figure's axes hold the values."""
    return not np.any(np.abs(values) > LARGEST)


def check_size(name, values):
    """Raises Skipped where they do not."""
    if not fits(values):
        raise Skipped(f"{name} has values beyond {LARGEST:g}, which no axis holds")


def _observable(result, name):
    """As _values, of an observable that can be drawn."""
    values, used, text = _values(result, name)
    check_size(name, values[used])
    return values, used, text


def _values(result, name):
    """Values of an observable in all rows, which of them count, and how to say so."""
    if result.summed and result.instances == 0:
        raise Skipped(not_kept(result))
    values = result.observables[name]
    used, text = _population(result, values)
    if not used.any():
        raise Skipped(f"no ok instance has a value of {name}")
    return values, used, text


def cells_hold(axes, texts, columns, size):
    """Whether the columns of a map are wide enough for texts of a size in points. The axes lose some of their place to labels later."""
    width = 0.85 * 72 * axes.get_position().width * axes.get_figure().get_figwidth() / columns
    return max((len(text) for text in texts), default=0) * 0.64 * size <= width


def evenly(count, most):
    """Places among so many, spread evenly: of few all."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def legend(axes, columns=2, **options):
    """A legend in the axes, on a page above them, where it hides nothing; none where nothing has a name."""
    if not options.get("handles", axes.get_legend_handles_labels()[0]):
        return
    above = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.01), "borderaxespad": 0.0, "ncol": columns, "frameon": False,
             "columnspacing": 1.2, "handlelength": 1.8}
    axes.legend(**{**(above if _ON_PAGE.get() else {"loc": "best"}), **options})


def empty_figure(result, width, height, title):
    from matplotlib.figure import Figure

    if _ON_PAGE.get() and width > PAGE_WIDTH:
        width, height = PAGE_WIDTH, height * max(PAGE_WIDTH / width, 0.8)
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
    if _ON_PAGE.get():
        figure.page_title = title
        return figure
    figure.suptitle(plain(title), fontsize=12, fontweight="bold", x=0.01, ha="left")
    footer = plain(textwrap.shorten(str(result.attrs.get("title", "")), 90, placeholder=" ..."))
    figure.supxlabel(footer, fontsize=8, color="#666666", x=0.01, ha="left")
    return figure


def one_panel(result, width, height, title, subtitle=None):
    """A figure with its only axes."""
    figure = empty_figure(result, width, height, title)
    axes = figure.add_subplot()
    if subtitle is not None:
        set_subtitle(axes, subtitle, width)
    return figure, axes


def finish(figure, columns):
    """Panels below each other, over one axis of time."""
    columns[-1].set_xlabel("time [s]")
    figure.align_ylabels(columns)
    return figure


def set_subtitle(axes, text, width):
    """Subtitle of axes; on a page the caption of the figure has it for the first axes."""
    figure = axes.get_figure()
    if _ON_PAGE.get() and not hasattr(figure, "page_subtitle"):
        figure.page_subtitle = text
        return
    axes.set_title(plain(textwrap.fill(text, int(13 * width))), fontsize=9, color="#444444", loc="left")
