"""omniroll.export_model: the vehicle of a study as a model for other simulators."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Mapping

from ..errors import UsageError
from ..library import library
from ..running.study_input import StudyLike, assignments, loaded_of
from ..whole_files import writing
from .bodies import Vehicle, Wheel, vehicle_of
from .checksum import MADE_BY, PLACE, summed
from .masses import mobilities, platform_of
from .mjcf import Writer, softness, step_of
from .motors import motor_of, of_drive
from .omissions import omitted_of
from .roller_shapes import SHAPES, STANDARD_ERROR, Shape, shape_of

UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6}


def whose(about: "Mapping[str, Any]") -> str:
    """Whose values a model has, in words."""
    return "nominal values" if about["instance"] is None else f"instance {about['instance']}"


@dataclass(frozen=True, repr=False)
class ExportedModel:
    """A model in MJCF. `omitted`: parts of the study that it does not have; `wheels`: their names, in the order of the study; `numbers`:
    its data, in SI, as omniroll export-model --json prints them."""

    text: str
    omitted: "list[str]"
    wheels: "list[str]"
    numbers: "dict[str, Any]"

    def __repr__(self) -> str:
        title, size = self.numbers["title"] or "a vehicle", len(self.text.encode("utf-8")) / 1e3
        return (f"<{type(self).__name__}: {title}, {whose(self.numbers)}, {self.numbers['mass']:.4g} kg, {len(self.wheels)} wheels; {size:.0f} kB of MJCF in .text, "
                f"{len(self.omitted)} lines in .omitted>")

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Raises FileError."""
        with writing(os.fspath(path)) as file:
            file.write(self.text)


def meters(value: "float | str | None") -> "float | None":
    """A length: m, or a text with a unit, "0.1 mm". Raises UsageError."""
    if value is None:
        return None
    text = str(value).strip()
    unit = next((unit for unit in sorted(UNITS, key=len, reverse=True) if text.endswith(unit)), "")
    try:
        found = float(text[:len(text) - len(unit)] if unit else text) * UNITS.get(unit, 1.0)
    except ValueError:
        found = -1.0
    if not 0 < found < 1:
        raise UsageError(f"--error {text}: expected a length above 0 m and below 1 m, such as 0.1mm")
    return found


def _shape_numbers(shape: Shape) -> "dict[str, Any]":
    return {"shape": shape.kind, "error": shape.error, "ripple": shape.ripple, "true_ripple": shape.true_ripple,
            "parts": max(len(shape.spheres), 1), "vertices": len(shape.rings) * shape.corners}


def _shape_line(wheel: Wheel, shape: Shape) -> str:
    what = {"ellipsoid": "an ellipsoid", "spheres": f"{len(shape.spheres)} spheres", "mesh": f"a mesh of {len(shape.rings) * shape.corners} corners"}
    return (f"{what[shape.kind]} a roller; ripple of the wheel's centre {shape.ripple / wheel.radius:.3%} of R ({shape.ripple * 1e3:.3g} mm), of the study's wheel "
            f"{shape.true_ripple / wheel.radius:.3%}; largest error {shape.error * 1e3:.3g} mm")


def _hint_line(wheel: Wheel, kind: str, error: "float | None") -> "str | None":
    """Where spheres or a mesh are not needed."""
    if kind == "ellipsoid" or wheel.roller is None:
        return None
    plain, most = shape_of(wheel.roller, wheel.radius, "ellipsoid", None), STANDARD_ERROR * wheel.radius if error is None else error
    if plain.error > most:
        return None
    return f"an ellipsoid a roller is within {most * 1e3:.3g} mm too ({plain.error * 1e3:.3g} mm), and has fewer seams, which shake and take work: leave out --shape"


def _by_line(lines: "list[tuple[str, str]]") -> "list[str]":
    """Wheels that share a line are named together."""
    names: "dict[str, list[str]]" = {}
    for name, line in lines:
        names.setdefault(line, []).append(name)
    return [f"wheel{'s' * (len(of) > 1)} {', '.join(of)}: {line}" for line, of in names.items()]


def _head(vehicle: Vehicle, stem: str, shapes: "list[str]", controls: "list[str]", omitted: "list[str]") -> "list[str]":
    return [f"{vehicle.about['title'] or stem}", f"{MADE_BY} {library().omr_version().decode()} of {stem}, its {whose(vehicle.about)}; {PLACE}",
            "SI units; x forward, y to the left, z up; the origin of the platform is on the floor. Positive rates of wheels are those of the study.",
            f"timestep {step_of(vehicle):g} s. Nothing but rollers and wheels touches, and that the floor alone.", "Shapes:", *(f"  {line}" for line in shapes),
            "Controls:", *(f"  {line}" for line in controls or ["none: nothing drives the wheels"]), "Of the study this model does not have:",
            *(f"  {line}" for line in omitted)]


def export_model(study: StudyLike, path: "str | os.PathLike[str] | None" = None, *, instance: "int | None" = None, shape: str = "ellipsoid",
                 error: "float | str | None" = None, set: "Mapping[str, Any] | None" = None, **overrides: Any) -> ExportedModel:  # noqa: A002
    """The vehicle of a study in MJCF, for MuJoCo and other readers of its files: platform, wheels, every roller with bearing, inertias and
    friction, motors and softness of the contacts.

    path      where the file goes; None: nowhere, the model has its text
    instance  whose values it has; None: the nominal ones
    shape     the shape of a roller: "ellipsoid", "spheres" (a chain) or "mesh" (a convex one)
    error     largest error of the height of a wheel's centre by spheres or meshes, m or a text such as "0.1 mm"; default 0.1 % of the wheel's radius

    Other arguments and errors are as of run; StudyError for a model that has no platform on wheels."""
    if shape not in SHAPES:
        raise UsageError(f"shape {shape!r}: it is one of {', '.join(SHAPES)}")
    if error is not None and shape == "ellipsoid":
        raise UsageError("an ellipsoid has the error that it has; --error is for --shape spheres and --shape mesh")
    loaded, most = loaded_of(study, assignments(set, overrides)), meters(error)
    model = _export(vehicle_of(loaded, instance), loaded.stem, shape, most)
    if path is not None:
        model.save(path)
    return model


def _export(vehicle: Vehicle, stem: str, kind: str, error: "float | None") -> ExportedModel:
    wheels = vehicle.wheels
    platform = platform_of(vehicle)
    mobility = mobilities(platform)
    shapes = [shape_of(wheel.roller, wheel.radius, kind, error) if wheel.roller else None for wheel in wheels]
    motors = [motor_of(wheel, vehicle) for wheel in wheels]
    soft = [softness(wheel, vehicle, mobility[f"roller_{wheel.name}_0" if wheel.roller else f"wheel_{wheel.name}"]) for wheel in wheels]
    omitted = omitted_of(vehicle, platform, kind)
    described = _by_line([(w.name, _shape_line(w, s) if s else "a thin ellipsoid, without rollers") for w, s in zip(wheels, shapes)])
    hints = _by_line([(w.name, line) for w in wheels for line in [_hint_line(w, kind, error)] if line])
    controls = _by_line([(w.name, f"drive_NAME takes {m.control}") for w, m in zip(wheels, motors) if m])
    text = summed(Writer(vehicle, platform, shapes, motors, soft).text(_head(vehicle, stem, described, controls, omitted)))
    rows = [{"name": w.name, "kind": w.kind, "radius": w.radius, "driven": m is not None, "forward": w.forward, "of_drive": of_drive(w, vehicle),
             **(_shape_numbers(s) if s else {})}
            for w, s, m in zip(wheels, shapes, motors)]
    masses = sum(body.mass for body in platform.every())
    about = {"title": vehicle.about["title"], "instance": vehicle.about["instance"], "mass": masses, "timestep": step_of(vehicle), "wheels": rows, "shapes": described,
             "hints": hints, "controls": controls, "omitted": omitted}
    return ExportedModel(text, omitted, [wheel.name for wheel in wheels], about)
