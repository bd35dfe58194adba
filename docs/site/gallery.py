"""The gallery: some ready studies run, their reports, and a picture of each where a headless chromium is there to take it."""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pages import ROOT

SIZE = 1000, 700  # of the pictures, px


@dataclass(frozen=True)
class Shown:
    study: str  # below studies/
    question: str
    kind: str  # what its report is an example of
    options: tuple[str, ...] = ()  # overrides that shorten it

    @property
    def name(self) -> str:
        return os.path.basename(self.study)


SHOWN = (
    Shown("roller_count", "How many rollers keep a mecanum vehicle from shaking?", "designs under uncertainty"),
    Shown("tutorials/my_robot", "Does my robot hit the shelf beside its path?", "a sample: probability, and what decides"),
    Shown("tutorials/wheels", "Which mecanum wheel shakes my robot least?", "designs under uncertainty, two parameters"),
    Shown("first", "Where do vehicles on three omni wheels end up, by friction and inclination?", "a map over two parameters",
          ("vary[0].linspace=[0.05, 0.6, 32]", 'vary[1].linspace=[0, "45 deg", 32]', "output.trajectories.instances=[0, 500, 1023]")),
    Shown("ground_ice", "What does ice under the left wheels do to braking?", "a map, and vehicles in motion"),
    Shown("robustness_friction", "How well does a vehicle drive a square of 2 m by its wheels alone?", "distributions, and what they follow",
          ("design.instances=256",)),
    Shown("tutorials/corners", "Can the robot come to the glass case at all?", "a grid of corners"),
    Shown("testbench", "How does one wheel run on a test bench?", "one run over time"),
)


def program() -> str | None:
    """The built program, or none."""
    for path in (os.environ.get("OMNIROLL", ""), os.path.join(ROOT, "build", "release", "omniroll")):
        if path and os.access(path, os.X_OK):
            return path
    return None


def chromium() -> str | None:
    return os.environ.get("OMNIROLL_BROWSER") or shutil.which("chromium") or shutil.which("chromium-browser")


def make(shown: Shown, omniroll: str, work: str, folder: str) -> str:
    """Runs a study, writes its report and takes its picture; what went wrong, or nothing."""
    result, report = os.path.join(work, f"{shown.name}.h5"), os.path.join(folder, f"{shown.name}.html")
    changes = [word for option in shown.options for word in ("--set", option)]
    study = os.path.join("studies", f"{shown.study}.json")
    for command in ([omniroll, "run", study, "-o", result, "--quiet", "--threads", "1", *changes], [omniroll, "report", result, "-o", report]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            return f"{' '.join(command[1:3])}: {done.stderr.strip()}"
    return ""


def picture(browser: str, report: str, folder: str, profile: str) -> None:
    """The first screen of a report; without it the gallery has words alone."""
    size = f"{SIZE[0]},{SIZE[1]}"
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                    "--disable-background-networking", "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}",
                    f"--window-size={size}", f"--screenshot={os.path.splitext(report)[0]}.png", f"file://{report}"],
                   cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)


def reports(folder: str, work: str) -> str:
    """Makes all reports in `folder`; a sentence on what is left out, "" for nothing."""
    omniroll = program()
    if omniroll is None:
        return "The program was not built where these pages were made, so that the reports themselves are missing."
    os.makedirs(folder)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        wrong = [text for text in pool.map(lambda shown: make(shown, omniroll, work, folder), SHOWN) if text]
        if wrong:
            raise SystemExit("\n".join(wrong))
        browser = chromium()
        if browser is not None:
            list(pool.map(lambda shown: picture(browser, os.path.join(folder, f"{shown.name}.html"), folder,
                                                os.path.join(work, f"profile-{shown.name}")), SHOWN))
    return "" if browser else "No browser was there to take pictures of the reports."


def page(missing: str, folder: str) -> str:
    """gallery/reports.md; the reports lie beside it in reports/."""
    items = []
    for shown in SHOWN:
        report = os.path.join(folder, f"{shown.name}.html")
        if os.path.exists(report[:-5] + ".png"):
            items.append(f'<li><a class="report" href="reports/{shown.name}.html"><img src="reports/{shown.name}.png" alt="The report\'s first screen" '
                         f'width="{SIZE[0]}" height="{SIZE[1]}" loading="lazy"></a>')
        else:
            items.append("<li>")
        title = f'<a class="report" href="reports/{shown.name}.html">{shown.question}</a>' if os.path.exists(report) else shown.question
        short = " (a part of the study)" if shown.options else ""
        items.append(f'<p><strong>{title}</strong></p><p>{shown.kind[0].upper() + shown.kind[1:]}: <code>studies/{shown.study}.json</code>{short}</p></li>')
    note = f"\n{missing}\n" if missing else ""
    return HEAD + note + '\n<div class="cards"><ul>\n' + "\n".join(items) + "\n</ul></div>\n" + TAIL


HEAD = """# Reports

What comes out of a study: one HTML file that needs neither network nor server. Each picture leads to the whole report.
"""
TAIL = """
Make one yourself:

```bash
omniroll run studies/roller_count.json
omniroll report roller_count.h5
```

[The gallery](index.md) has the question and the answer of every ready study.
"""
