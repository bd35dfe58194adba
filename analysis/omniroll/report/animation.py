"""The animated view of chosen instances."""

from __future__ import annotations

import json
from typing import Iterator

import numpy as np

from ..reading import frames
from ..reading.result import Result
from .chosen import Chosen, chosen
from .data import Data
from .page import Section, asset, command, paragraph, text
from .scenes import scene
from .shapes import Scene
from .single import lost, status_words

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0)
SCRIPTS = ("canvas.js", "animation_data.js", "animation_draw.js", "animation.js")


def sections(data: Data) -> Iterator[Section]:
    """The player, or where nothing was traced a note that says how to trace."""
    if not data.result.trajectories:
        yield Section("Animation", untraced(data))
        return
    shown = list(_scenes(data))
    if shown:
        script = "(function () {\n\"use strict\";\n" + "\n".join(asset(name) for name in SCRIPTS) + "\n})();"
        yield Section("Animation", _body(data, shown), script, asset("animation.css"))


def untraced(data: Data) -> str:
    """The remedy where no instance was traced over time."""
    step, duration = float(data.result.attrs.get("step", 0) or 0), float(data.result.attrs.get("duration", 0) or 0)
    free = duration / 500 if duration > 0 else 0.01  # controlled steps meet any time
    interval = step * max(1, round(duration / 500 / step)) if step > 0 and duration > 0 else free
    study = str(data.result.attrs.get("study_name") or "STUDY")
    words = ("The study asked for no trajectories, so nothing can be shown over time. Traced instances are shown and animated; "
             "<code>\"all\"</code> traces every one:")
    line = f"omniroll run {study} --set output.trajectories='{{\"instances\": [0], \"interval\": {interval:.6g}}}'"
    return paragraph(words, "note") + command(line)


def _scenes(data: Data) -> Iterator[tuple[Chosen, Scene]]:
    picked = chosen(data)
    for one in picked:
        made = scene(data.result, one.row, len(picked))
        if made is not None:
            yield one, {**made, "number": one.instance, "failed": _failed(data.result, one.at), "about": _about(data.result, one, made)}


def _failed(result: Result, at: int) -> str:
    """How the instance ended where it did not reach the end."""
    return "" if result.status[at] == 0 else f"The samples end here: {status_words(result, at)}."


def _about(result: Result, one: Chosen, made: Scene) -> str:
    """Sentences on the quantities that the samples can show."""
    words = [f"Stored every {1e3 * made['stored']:.4g} ms"]
    if made["stride"] > 1:
        words[0] += f", of which one sample in {made['stride']} is in this page: every {1e3 * made['step']:.4g} ms"
    words.append(_between(result, one, made))
    return "; ".join(word for word in words if word) + "."


def _between(result: Result, one: Chosen, made: Scene) -> str:
    """How far a wheel turns between samples."""
    if not made["wheels"] or "wheel_rate" not in result.trajectories:
        return ""
    rate = np.abs(result.trajectories["wheel_rate"][one.row])
    rate = rate if rate.ndim == 2 else rate[:, None]
    if not made["wheels"][0]["rollers"]:
        return f"a wheel turns up to {np.degrees(np.nanmax(rate)) * made['step']:.3g}° between samples"
    rollers = max(np.nanmax(rate[:, i]) * made["step"] * wheel["rollers"] / (2 * np.pi) for i, wheel in enumerate(made["wheels"]))
    return (f"a wheel passes up to {rollers:.2g} rollers between samples, and angles follow the cubic through stored angles and rates; "
            "slip and forces are linear between samples with the same roller")


def _body(data: Data, shown: list[tuple[Chosen, Scene]]) -> str:
    content = json.dumps([made for _, made in shown], separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return lost(data) + _player(data.result, shown) + f'<script type="application/json" id="animation-data">{content}</script>'


def _player(result: Result, shown: list[tuple[Chosen, Scene]]) -> str:
    above = any(made["above"] for _, made in shown)
    wheels = any(made["wheels"] for _, made in shown)
    return ('<div id="animation-player" tabindex="0" role="group" aria-label="Animation of an instance" hidden>'
            f'<div class="player-views">{_above(result) if above else _hidden("above")}'
            f'{_wheel(shown) if wheels else _hidden("side", "contact")}</div>'
            '<canvas class="player-marks" data-part="marks" aria-hidden="true"></canvas>'
            '<input class="player-slider" data-part="slider" type="range" aria-label="Time" value="0">'
            f"{_controls(shown)}"
            '<p class="player-state" data-part="body"></p><p class="player-state" data-part="wheel-state"></p>'
            '<p class="failed" data-part="failed" role="status"></p>'
            f'{_legend(shown)}<p class="note" data-part="about"></p></div>'
            "<noscript><p>The animation needs JavaScript.</p></noscript>")


def _hidden(*names: str) -> str:
    return "".join(f'<canvas data-part="{name}" hidden></canvas>' for name in names)


def _view(name: str, label: str, words: str) -> str:
    return (f'<figure class="view-{name}"><canvas data-part="{name}" role="img" aria-label="{label}"></canvas>'
            f"<figcaption>{words}</figcaption></figure>")


def _above(result: Result) -> str:
    across = frames.side(result)
    return _view("above", "From above", f"From above: x is up, {across.axis} to the {across.words}. Line: path so far; arrow from the middle: heading.")


def _wheel(shown: list[tuple[Chosen, Scene]]) -> str:
    side = "The wheel from its +k side: i to the right. A positive rate turns it counterclockwise and drives it to the left, towards −i."
    if any(made.get("frame") == "ros" for _, made in shown):
        side = "The wheel from its right, the −k side: i to the right. A positive rate turns it clockwise and drives it to the right, towards i."
    if any("forward" in made for _, made in shown):
        side = "The wheel from its right: forward is to the right."
    contact = "Its contact with the floor, seen through the wheel from above. Force on the dashed circle: friction is used up."
    return ('<div class="player-wheel">'
            f'{_view("side", "Wheel from the side", side)}{_view("contact", "Contact with the floor", contact)}</div>')


def _controls(shown: list[tuple[Chosen, Scene]]) -> str:
    usual = _usual_speed(shown)
    speeds = "".join(f'<option value="{s:g}"{" selected" if s == usual else ""}>{s:g}×</option>' for s in SPEEDS)
    instances = "".join(f'<option value="{at}">{text(_named(one))}</option>' for at, (one, _) in enumerate(shown))
    hidden = " hidden" if len(shown) < 2 else ""
    camera = "" if any(made["above"] for _, made in shown) else " hidden"
    return ('<div class="player-controls"><button type="button" data-part="play">Play</button>'
            '<button type="button" data-part="back" aria-label="One sample back">◀|</button>'
            '<button type="button" data-part="forward" aria-label="One sample on">|▶</button>'
            '<span class="player-time"><strong data-part="time"></strong> <span data-part="end"></span></span>'
            f'<label>Speed <select data-part="speed">{speeds}</select></label>'
            '<label><input type="checkbox" data-part="loop"> Loop</label>'
            f'<button type="button" data-part="camera"{camera}>Whole path</button>'
            f'<label{hidden}>Show <select data-part="instance">{instances}</select></label>'
            '<label>Wheel <select data-part="wheel"></select></label></div>')


def _named(one: Chosen) -> str:
    return f"instance {one.instance}" + (f" ({one.why})" if one.why else "")


def _usual_speed(shown: list[tuple[Chosen, Scene]]) -> float:
    """True time, or faster where it would take minutes."""
    longest = max(made["step"] * (made["count"] - 1) for _, made in shown)
    return 16.0 if longest > 120 else 4.0 if longest > 40 else 1.0


def _legend(shown: list[tuple[Chosen, Scene]]) -> str:
    """Colours, and keys."""
    wheels = any(made["wheels"] for _, made in shown)
    rollers = any(wheel["rollers"] for _, made in shown for wheel in made["wheels"])
    slips = wheels or any("disc" in made for _, made in shown)
    entries = [("--series-0", "force of the floor", "")]
    entries += [("--series-1", "slip velocity", "")] if slips else []
    entries += [("--series-2", "normal load", "")] if wheels else []
    marks = "contact point and roller in contact; marks above the slider: the next roller takes over" if rollers else "contact point"
    entries += [("--series-5", marks, "mark")]
    entries += [("--series-3", "chosen wheel", "mark")] if any(len(made["wheels"]) > 1 for _, made in shown) else []
    spans = "".join(f'<span class="{kind}" style="--swatch:var({color})">{words}</span>' for color, words, kind in entries)
    keys = '<p class="note screen">Keys: space plays and pauses, ← and → step by a sample (with Shift by ten), Home and End.' \
        + (" Tap a wheel to choose it.</p>" if any(len(made["wheels"]) > 1 for _, made in shown) else "</p>")
    return f'<p class="player-legend">{spans}</p>{keys}'
