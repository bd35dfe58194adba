"""A headless chromium for tests of pages, driven through its DevTools pipe; needs no package besides the browser.

    with Browser() as browser:                          # one start for many pages
        page = browser.open("report.html", width=390, dark=True)
        page.value("document.title")                    # JavaScript, promises are awaited
        page.screenshot("page.png", whole=True)
        page.errors, page.requests                      # exceptions and console errors; what was asked of the network
        page.violations                                 # what its Content-Security-Policy refused

A test case that needs it: class TestPage(unittest.TestCase) with the decorator @needs_browser."""

from __future__ import annotations

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest
from typing import Any, Callable

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("OMNIROLL_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
# Run as root there is no sandbox; a container's small /dev/shm is not used.
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
           "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
           "--mute-audio", "--force-color-profile=srgb", "--remote-debugging-pipe")
TIMEOUT = 60.0  # s, of any answer
# Place and size of an element, as DevTools wants it
BOX = """(box => ({x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 1}))
(document.querySelector(%s).getBoundingClientRect())"""

needs_browser = unittest.skipUnless(CHROMIUM, "no chromium here: apt-get install chromium, or OMNIROLL_BROWSER names one")


class BrowserError(Exception):
    """The browser ended, does not answer, or JavaScript raised an exception."""


class Browser:
    """A running browser; a context manager."""

    def __enter__(self) -> "Browser":
        assert CHROMIUM
        self._folder = tempfile.mkdtemp(prefix="omniroll-browser-")
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # the browser reads commands from descriptor 3 and answers on 4
        moved = f'exec 3<&{theirs_in} 4>&{theirs_out}; exec "$0" "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", moved, CHROMIUM, *OPTIONS, f"--user-data-dir={self._folder}", "about:blank"], pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self._out, self._in = ours_out, ours_in
        os.set_blocking(self._in, False)
        self._buffer, self._number, self._pages = b"", 0, {}
        return self

    def __exit__(self, *unused: object) -> None:
        try:
            self.call("Browser.close")
            self._process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._folder, ignore_errors=True)

    def open(self, path: str | os.PathLike[str], width: int = 1280, height: int = 900, dark: bool = False,
             javascript: bool = True) -> "Page":
        """Loads a file and waits until it is there. Widths below 600 px are a phone's."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setScriptExecutionDisabled", value=not javascript)
        page.resize(width, height)
        page.theme(dark)
        page.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        self.wait(lambda: page.loaded, f"{path} to load")
        return page

    def call(self, method: str, session: str | None = None, **parameters: Any) -> Any:
        """The answer to a command of the DevTools protocol."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        answers: list[Any] = []
        self.wait(lambda: bool(answers), method, lambda said: answers.append(said) if said.get("id") == number else None)
        if "error" in answers[0]:
            raise BrowserError(f"{method}: {answers[0]['error']['message']}")
        return answers[0]["result"]

    def wait(self, done: Callable[[], bool], what: str, heard: Callable[[Any], Any] = lambda said: None) -> None:
        """Reads what the browser says until `done`."""
        end = time.monotonic() + TIMEOUT
        while not done():
            if time.monotonic() > end:
                raise BrowserError(f"waited {TIMEOUT:g} s for {what}")
            for said in self._read():
                heard(said)
                if said.get("sessionId") in self._pages:
                    self._pages[said["sessionId"]].hear(said.get("method", ""), said.get("params", {}))

    def _read(self) -> list[Any]:
        try:
            chunk = os.read(self._in, 1 << 20)
        except BlockingIOError:
            time.sleep(0.002)
            return []
        if not chunk:
            raise BrowserError(f"{CHROMIUM} ended")
        *whole, self._buffer = (self._buffer + chunk).split(b"\0")
        return [json.loads(message) for message in whole]


class Page:
    """A page in the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.browser, self.session = browser, session
        self.loaded = False
        self.errors: list[str] = []  # exceptions, console.error, what the browser refused
        self.requests: list[str] = []  # addresses, but for the page itself and data:
        self.violations: list[str] = []  # directives of the policy that were violated

    def call(self, method: str, **parameters: Any) -> Any:
        return self.browser.call(method, self.session, **parameters)

    def hear(self, method: str, said: Any) -> None:
        """An event."""
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(part.get("value", part.get("description"))) for part in said["args"]))
        elif method == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.errors.append(said["entry"]["text"])
        elif method == "Audits.issueAdded" and said["issue"]["code"] == "ContentSecurityPolicyIssue":
            self.violations.append(said["issue"]["details"]["contentSecurityPolicyIssueDetails"]["violatedDirective"])
        elif method == "Network.requestWillBeSent" and said["type"] != "Document" and not said["request"]["url"].startswith("data:"):
            self.requests.append(said["request"]["url"])

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript gives, as JSON; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def resize(self, width: int, height: int = 900) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def theme(self, dark: bool) -> None:
        """What the system says of light and dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self, path: str | os.PathLike[str], whole: bool = False, part: str = "") -> None:
        """PNG of what is seen, of the whole page, or of the first element of a CSS selector."""
        clip = self.value(BOX % json.dumps(part)) if part else None
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole or bool(part), **({"clip": clip} if clip else {}))["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def pdf(self, path: str | os.PathLike[str]) -> None:
        """The page as printed on A4."""
        data = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=False)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def press(self, key: str, code: int) -> None:
        """A key, such as "Tab", 9 or " ", 32."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def close(self) -> None:
        self.call("Page.close")
