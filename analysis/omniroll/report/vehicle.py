"""The vehicle at the top of a report, to scale, as the result file keeps it."""

from __future__ import annotations

import json
from typing import Any, Mapping

from ..pictures import block_picture, picture_parts, system_picture, vehicle_picture
from .page import text

LONGEST = 1 << 16  # characters of a scene that is one


def scene_of(attrs: Mapping[str, Any]) -> "dict[str, Any] | None":
    """The scene among the attributes of a file; None where it has none that can be read."""
    kept = attrs.get("scene", "")
    if not isinstance(kept, str) or not kept or len(kept) > LONGEST:
        return None
    try:
        scene = json.loads(kept)
    except (ValueError, RecursionError):
        return None
    return scene if isinstance(scene, dict) else None


def doubts(attrs: Mapping[str, Any]) -> list[str]:
    """Lines of the result's warnings that are about the vehicle."""
    scene = scene_of(attrs)
    found = scene.get("warnings") if scene else None
    return vehicle_picture.warnings(scene) if scene and isinstance(found, list) else []


def picture(attrs: Mapping[str, Any]) -> str:
    """A figure with its contents in words; "" where the file has no scene. Its warnings stand among the page's notices."""
    scene = scene_of(attrs)
    try:
        views = vehicle_picture.panels(scene, lambda role: f' style="{vehicle_picture.RULES[role]}"') if scene else []
    except ValueError:  # a file can say anything
        return ""
    if scene is None or not views:
        return ""
    shown = "".join(_drawn(view) for view in views)
    return f'<figure class="views">{shown}<figcaption>{_caption(scene)}</figcaption></figure>'


def _drawn(view: picture_parts.Panel) -> str:
    return (f'<svg role="img" aria-label="{text(view.title)}" viewBox="0 0 {view.width:.2f} {view.height:.2f}" '
            f'style="width:{view.width:.0f}px">{view.body}</svg>')


def _caption(scene: dict[str, Any]) -> str:
    if system_picture.is_graph(scene):
        return ("<strong>The graph of the system.</strong> Bodies are boxes, constraints, contacts and forces are dots between the two "
                "bodies that each joins; <code>omniroll show</code> lists them.")
    if block_picture.is_block(scene):
        return "<strong>The block at the nominal values.</strong> A scheme: a block has no size; the slope alone is drawn at its angle."
    vehicle = bool(scene.get("polygon"))
    words = "<strong>The nominal vehicle, to scale.</strong>" if vehicle else "<strong>To scale, at the nominal values.</strong>"
    parts = []
    if scene.get("roller"):
        parts.append("the rollers are those on top of the wheels")
    if vehicle:
        parts.append("the dashed line is the support polygon")
    if scene.get("command"):
        parts.append("the arrow is the commanded motion")
    told = "; ".join(parts)
    return f"{words} {text(told[:1].upper() + told[1:])}." if told else words
