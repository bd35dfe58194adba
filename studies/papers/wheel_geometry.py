"""Drawings of the papers that show geometry, drawn from what the engine says of a wheel: fig. 4 and 6 of source 1 (1, 3 and 4 of
source 2) and fig. 2 of source 2.

Axes of the side view: i to the right, j up, k out of the wheel plane, origin in the wheel centre O_A. The angle q of a roller is that
of its centre O_B from straight down; its axis is i_2 = cos psi (i cos q + j sin q) + k sin psi. The section of the roller's surface
at the profile angle u is a circle about the axis, as in published.floor_distances."""

import numpy as np
from matplotlib.patches import Arc, Circle, Polygon
from matplotlib.ticker import MaxNLocator

from omniroll.figures.style import COLORS, Skipped, empty_figure, one_panel, set_subtitle, styled

from .shared import SOURCE1, SOURCE2

SHAPE = ("wheel_radius", "center_distance", "rollers", "inclination")
GREY = "#555555"
SIDE, AHEAD = (0, 1), (2, 1)  # coordinates that a view shows
AROUND = np.linspace(0, 2 * np.pi, 240)


class Roller:
    """A roller of a wheel in lengths of metres: its centre, axis and surface."""

    def __init__(self, shape, q):
        self.radius, self.center, self.rollers, self.psi = shape
        self.q = q
        self.at = self.center * np.array([np.sin(q), -np.cos(q), 0.0])
        self.axis = np.array([np.cos(self.psi) * np.cos(q), np.cos(self.psi) * np.sin(q), np.sin(self.psi)])

    def sections(self, u):
        """Distance of a section's middle from the roller's along -axis, and its radius."""
        h = self.radius - self.center / np.cos(u)
        return (self.center * np.tan(u) / np.cos(self.psi) + h * np.sin(u) * np.cos(self.psi),
                h * np.sqrt(1 - (np.sin(u) * np.cos(self.psi))**2))

    def surface(self):
        """Points of the surface."""
        alpha = np.pi / self.rollers
        along, size = self.sections(np.linspace(-alpha, alpha, 121))
        first = np.cross(self.axis, [0.0, 0.0, 1.0])
        first /= np.linalg.norm(first)
        second = np.cross(self.axis, first)
        ring = np.cos(AROUND)[:, None] * first + np.sin(AROUND)[:, None] * second
        return (self.at - along[:, None, None] * self.axis + size[:, None, None] * ring).reshape(-1, 3)

    def outline(self, view):
        """Convex outline of the surface as a view shows it."""
        points = self.surface()[:, view]
        directions = np.column_stack([np.cos(AROUND), np.sin(AROUND)])
        return points[np.argmax(points @ directions.T, axis=0)]

    def contact(self):
        """Distances m along the axis and h down of source 1, section 5.2, and the contact point r_PB = r_OB - m i_2 - h j."""
        m = self.center * np.tan(self.q) / np.cos(self.psi)
        h = self.radius - self.center / np.cos(self.q)
        return m, h, self.at - m * self.axis - np.array([0.0, h, 0.0])

    def lowest(self):
        """The lowest point of the surface, looked for among its sections by narrowing the interval of u."""
        low, high = -np.pi / self.rollers, np.pi / self.rollers
        up = self.axis[1]
        down = (up * self.axis - np.array([0.0, 1.0, 0.0])) / np.sqrt(1 - up**2)
        for _ in range(40):
            u = np.linspace(low, high, 9)
            along, size = self.sections(u)
            best = int(np.argmin(self.at[1] - along * up - size * np.sqrt(1 - up**2)))
            low, high = u[max(0, best - 1)], u[min(8, best + 1)]
        return self.at - along[best] * self.axis + size[best] * down


def shape_of(result, row=0, wheel=0):
    """Radius, distance of the rollers' centres, number and inclination of the rollers."""
    missing = [name for name in SHAPE if name not in result.wheels]
    if missing:
        raise Skipped(f"the result has no {', '.join(missing)}; it needs traced instances of a wheel with explicit rollers")
    radius, center, rollers, psi = (float(result.wheels[name][row, wheel]) for name in SHAPE)
    return radius, center, int(rollers), psi


def _bare(axes, across, up, ticks=7):
    """Equal scales in millimetres."""
    axes.set_aspect("equal", adjustable="datalim")
    for axis, text in ((axes.xaxis, across), (axes.yaxis, up)):
        axis.set_label_text(text)
        axis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(lambda value, place: f"{1e3 * value:.4g}".replace("-", "−"))


def _arrow(axes, start, end, text, color="black", shift=(4, 4)):
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0})
    axes.annotate(text, end, textcoords="offset points", xytext=shift, color=color, fontsize=10)


def _dimension(axes, start, end, text, color=GREY, shift=(3, 3)):
    axes.plot([start[0], end[0]], [start[1], end[1]], color=color, linewidth=1.3)
    axes.annotate(text, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), textcoords="offset points", xytext=shift, color=color,
                  fontsize=10)


def _rollers(axes, shape, view):
    count = shape[2]
    for k in sorted(range(count), key=lambda k: np.sin(2 * np.pi * k / count) if view == AHEAD else 0):
        roller = Roller(shape, 2 * np.pi * k / count)
        axes.add_patch(Polygon(roller.outline(view), closed=True, facecolor="#DCE9F5", edgecolor=COLORS[0], linewidth=1.3))
        if view == SIDE:
            axes.annotate(f"roller {k}", 1.22 * roller.at[:2], ha="center", va="center", fontsize=9, color=COLORS[0],
                          rotation=90 if abs(roller.at[0]) > abs(roller.at[1]) else 0)


def _side(axes, shape):
    radius, center, count, _ = shape
    _rollers(axes, shape, SIDE)
    axes.add_patch(Circle((0, 0), radius, fill=False, edgecolor=COLORS[1], linewidth=2, label="contacting curve"))
    alpha = np.pi / count
    _dimension(axes, (0, 0), (radius * np.cos(np.pi + alpha), radius * np.sin(np.pi + alpha)), "$R$", shift=(-14, 0))
    _dimension(axes, (0, 0), (0, -center), "$R_1$", shift=(-17, -22))
    axes.plot([0, radius * np.sin(alpha)], [0, -radius * np.cos(alpha)], color=GREY, linewidth=1.3)
    axes.add_patch(Arc((0, 0), 0.7 * radius, 0.7 * radius, angle=-90, theta1=0, theta2=np.degrees(alpha), color=GREY))
    axes.annotate("$\\alpha$", (0.28 * radius * np.sin(alpha / 2), -0.28 * radius * np.cos(alpha / 2)), fontsize=11, color=GREY,
                  ha="center", va="center")
    for end, text in (((0.4 * radius, 0), "$i$"), ((0, 0.4 * radius), "$j$")):
        _arrow(axes, (0, 0), end, text)
    axes.annotate("$O$", (0, 0), textcoords="offset points", xytext=(-12, 4), fontsize=10)
    axes.axhline(-radius, color=GREY, linewidth=1.6)
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 1.09), frameon=False)
    _bare(axes, "along i [mm]", "along j, height above the centre [mm]")
    axes.set_title("(a) lateral view", loc="left", fontsize=10)


def _ahead(axes, shape):
    radius = shape[0]
    _rollers(axes, shape, AHEAD)
    axes.plot([0, 0], [-radius, radius], color=COLORS[1], linewidth=2)
    _arrow(axes, (0, 0), (0.4 * radius, 0), "$k$")
    _arrow(axes, (0, 0), (0, 0.4 * radius), "$j$")
    axes.axhline(-radius, color=GREY, linewidth=1.6)
    axes.margins(x=0.3)
    _bare(axes, "along k [mm]", "", 3)
    axes.set_title("(b) front view", loc="left", fontsize=10)


@styled
def wheel_views(result):
    """The wheel upright, from the side and from ahead."""
    shape = shape_of(result)
    if shape[3] != 0:
        raise Skipped("it shows a wheel without inclination of the rollers; studies/roller_heights.json has one")
    figure = empty_figure(result, 9.0, 5.4, f"Omni wheel with {shape[2]} rollers")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[2, 1])
    _side(left, shape)
    _ahead(right, shape)
    return figure


# --- contact tracking -------------------------------------------------------------------------------------------------------


def tracked(result, row=0, wheel=0, part=0.6):
    """Time and roller of the sample at which the roller in contact is nearest to an angle q of `part` of the largest it can be at."""
    shape = shape_of(result, row, wheel)
    if "roller" not in result.trajectories or "wheel_angle" not in result.trajectories:
        raise Skipped("the study asked for no trajectories")
    active = result.trajectories["roller"][row, :, wheel]
    q = result.trajectories["wheel_angle"][row, :, wheel] + 2 * np.pi * active / shape[2]
    q = (q + np.pi) % (2 * np.pi) - np.pi
    away = np.abs(q - part * np.pi / shape[2])
    sample = int(np.nanargmin(away))
    if away[sample] > 0.1:
        raise Skipped("the roller in contact stays close to its middle; let the wheel roll longer")
    return float(result.time[sample]), Roller(shape, float(q[sample]))


def tracking_errors(roller):
    """Height of the point of the formulas over the floor, and its distance from the lowest point of the surface [m]."""
    point = roller.contact()[2]
    return float(point[1] + roller.radius), float(np.linalg.norm(point - roller.lowest()))


def _tracked_side(axes, roller):
    radius, (m, _, point) = roller.radius, roller.contact()
    on_axis = roller.at - m * roller.axis
    axes.add_patch(Polygon(roller.outline(SIDE), closed=True, facecolor="#DCE9F5", edgecolor=COLORS[0], linewidth=1.3))
    axes.add_patch(Circle((0, 0), radius, fill=False, edgecolor="#AAAAAA", linestyle=":"))
    _dimension(axes, (0, 0), roller.at, "$R_1$", shift=(8, -2))
    axes.plot([0, 0], [0, -radius], color=GREY, linestyle="--", linewidth=1)
    angle = np.degrees(roller.q)
    axes.add_patch(Arc((0, 0), 0.6 * radius, 0.6 * radius, angle=-90, theta1=min(0, angle), theta2=max(0, angle), color=GREY))
    axes.annotate("$q$", (0.24 * radius * np.sin(roller.q / 2), -0.24 * radius * np.cos(roller.q / 2)), fontsize=11, color=GREY,
                  ha="center", va="center")
    _dimension(axes, roller.at, on_axis, "", COLORS[2])
    axes.annotate("$n=m\\,\\cos\\psi$", on_axis[:2], textcoords="offset points", xytext=(-5, 0), ha="right", fontsize=10, color=COLORS[2])
    _dimension(axes, on_axis, point, "$h$", COLORS[1], (5, -4))
    for at, text, shift in (((0, 0), "$O_A$", (5, 5)), (roller.at, "$O_B$", (6, 4)), (point, "$P_B$", (4, -13))):
        axes.plot(at[0], at[1], "o", color="black", markersize=4)
        axes.annotate(text, at[:2], textcoords="offset points", xytext=shift, fontsize=10)
    axes.axhline(-radius, color=GREY, linewidth=1.6)
    _bare(axes, "along i [mm]", "along j, height above the centre [mm]")
    axes.set_title("(a) wheel and roller from the side", loc="left", fontsize=10)


def _tracked_section(axes, roller):
    """The vertical plane through the roller's axis: t horizontal, from the roller's middle."""
    (m, h, _), radius = roller.contact(), roller.radius
    alpha = np.pi / roller.rollers
    along, size = roller.sections(np.linspace(-alpha, alpha, 201))
    up = roller.axis[1]
    axis, normal = np.array([np.sqrt(1 - up**2), up]), np.array([-up, np.sqrt(1 - up**2)])
    middle = np.array([0.0, roller.at[1] + radius])
    edges = [middle - along[:, None] * axis + side * size[:, None] * normal for side in (-1, 1)]
    axes.add_patch(Polygon(np.vstack([edges[0], edges[1][::-1]]), closed=True, facecolor="#DCE9F5", edgecolor=COLORS[0], linewidth=1.3))
    ends = [middle - along[k] * axis for k in (0, -1)]
    axes.plot([end[0] for end in ends], [end[1] for end in ends], color=GREY, linestyle="-.", linewidth=1)
    on_axis = middle - m * axis
    _dimension(axes, middle, on_axis, "$m$", COLORS[2], (-2, 6))
    _dimension(axes, on_axis, on_axis - [0, h], "$h$", COLORS[1], (5, -4))
    for at, text, shift in ((middle, "$O_B$", (6, 4)), (on_axis - [0, h], "$P_B$", (4, -13))):
        axes.plot(at[0], at[1], "o", color="black", markersize=4)
        axes.annotate(text, at, textcoords="offset points", xytext=shift, fontsize=10)
    axes.axhline(0, color=GREY, linewidth=1.6)
    _bare(axes, "horizontal, from the middle of the roller [mm]", "height above the floor [mm]")
    axes.set_title("(b) vertical section through the roller's axis", loc="left", fontsize=10)


@styled
def tracking_scheme(result):
    """The point of an inclined roller that is closest to the floor, by the explicit formulas of the paper."""
    time, roller = tracked(result)
    height, away = tracking_errors(roller)
    figure = empty_figure(result, 10.0, 5.2, f"Contact tracking at {time:.3g} s: roller inclined by {np.degrees(roller.psi):.3g}°, "
                           f"q = {np.degrees(roller.q):.1f}°")
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
    _tracked_side(left, roller)
    _tracked_section(right, roller)
    m, h, _ = roller.contact()
    figure.text(0.012, 0.91, f"m = {1e3 * m:.2f} mm, h = {1e3 * h:.2f} mm. $P_B$ is {abs(height):.0e} m from the floor and {away:.0e} m "
                "from the lowest point of the surface that a search finds", fontsize=9, color="#444444")
    figure.get_layout_engine().set(rect=(0, 0, 1, 0.97))
    return figure


# --- the vehicle from above -------------------------------------------------------------------------------------------------


@styled
def vehicle_from_above(result):
    """The three wheels with their rollers on the platform, from above, at the first sample."""
    if result.attrs.get("model") != "omni_vehicle" or "wheel_x" not in result.wheels:
        raise Skipped("it shows vehicles; studies/vehicle_translation.json is one")
    figure, axes = one_panel(result, 6.4, 6.0, "Vehicle on three omni wheels from above")
    shape = {name: values[0] for name, values in result.wheels.items()}
    centres = np.column_stack([shape["wheel_z"], shape["wheel_x"]])
    axes.add_patch(Polygon(centres, closed=True, facecolor="#F2F2F2", edgecolor=GREY, linewidth=1.2))
    for i, (centre, half) in enumerate(zip(centres, shape["wheel_radius"])):
        along = np.array([-shape["axis_x"][i], shape["axis_z"][i]])  # i = (cos delta, -sin delta) in (x, z)
        across = np.array([shape["axis_z"][i], shape["axis_x"][i]])
        one = shape_of(result, 0, i)
        for k in range(one[2]):
            seen = Roller(one, 2 * np.pi * k / one[2]).outline((0, 2))
            axes.add_patch(Polygon(centre + seen[:, :1] * along + seen[:, 1:] * across, closed=True, facecolor="#DCE9F5",
                                   edgecolor=COLORS[0], linewidth=1.1))
        axes.annotate(f"wheel {i}", centre, textcoords="offset points", fontsize=9, ha="center", va="center",
                      xytext=tuple(46 * centre / max(np.linalg.norm(centre), 1e-9)))
        axes.plot([0, centre[0]], [0, centre[1]], color=GREY, linewidth=0.9, linestyle="--")
    size = 0.5 * shape["wheel_radius"][0]
    _arrow(axes, (0, 0), (size, 0), "$z$")
    _arrow(axes, (0, 0), (0, size), "$x$")
    sides = np.linalg.norm(centres - np.roll(centres, 1, axis=0), axis=1)
    set_subtitle(axes, f"Sides of the triangle of the wheels' centres: {', '.join(f'{side:.4f}' for side in sides)} m", 6.4)
    axes.margins(0.25)
    _bare(axes, "z, to the right [mm]", "x, forward [mm]")
    return figure


FIGURES = {
    "source1-fig4": (wheel_views, f"As fig. 4 of: {SOURCE1}, and fig. 1 of: {SOURCE2}. Study: roller_heights.json"),
    "source1-fig6": (tracking_scheme, f"As fig. 6 of: {SOURCE1}; for an inclination of 0, figs 3 and 4 of: {SOURCE2}. Study: "
                                      "tracking_compare.json"),
    "source2-fig2": (vehicle_from_above, f"As fig. 2 of: {SOURCE2}. Study: vehicle_translation.json"),
}
