"""A small client of chromedriver: the few commands of the WebDriver protocol that the page's tests need."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip
KEYS = {
    "space": " ",
    "left": "\ue012",
    "up": "\ue013",
    "right": "\ue014",
    "down": "\ue015",
    "end": "\ue010",
    "home": "\ue011",
    "tab": "\ue004",
    "escape": "\ue00c",
}


class Browser:
    """A window of Chromium. size: its width and height; phone: whether it has a touch screen and a phone's
    pixels.
    """

    def __init__(
        self, port: int, profile: str, size: tuple[int, int], *, phone: bool = False, dark: bool = False
    ) -> None:
        self._base = f"http://127.0.0.1:{port}"
        flags = [*FLAGS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"]
        options: dict[str, Any] = {"args": flags, "binary": shutil.which("chromium")}
        if phone:
            options["mobileEmulation"] = {
                "deviceMetrics": {"width": size[0], "height": size[1], "pixelRatio": 2.0, "touch": True}
            }
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        session = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._base += f"/session/{session['sessionId']}"
        if dark:
            self.developer(
                "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}]
            )
        if not phone:
            self.developer(
                "Emulation.setDeviceMetricsOverride",
                width=size[0],
                height=size[1],
                deviceScaleFactor=1,
                mobile=False,
            )

    def _send(self, method: str, command: str, data: Any = None) -> Any:
        body = json.dumps(data or {}).encode() if method == "POST" else None
        request = Request(self._base + command, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise RuntimeError(f"{command}: {json.load(error)['value']['message']}") from None

    def developer(self, command: str, **parameters: Any) -> Any:
        """A command of the DevTools protocol."""
        return self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, page: Path) -> None:
        """Open a file, and wait until the window has painted it: Chromium drops what is pressed before."""
        self.errors()
        self._send("POST", "/url", {"url": page.resolve().as_uri()})
        painted = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0])))"
        self._send("POST", "/execute/async", {"script": painted, "args": []})

    def errors(self) -> list[str]:
        """What the console said since it was last asked."""
        return [entry["message"] for entry in self._send("POST", "/se/log", {"type": "browser"})]

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def _element(self, selector: str) -> dict[str, str]:
        element: dict[str, str] = self._send("POST", "/element", {"using": "css selector", "value": selector})
        return element

    def click(self, selector: str) -> None:
        """Click an element."""
        self._send("POST", f"/element/{next(iter(self._element(selector).values()))}/click")

    @contextmanager
    def inside(self, selector: str) -> Iterator[None]:
        """Within it the commands are for the page in a frame."""
        self._send("POST", "/frame", {"id": self._element(selector)})
        try:
            yield
        finally:
            self._send("POST", "/frame/parent")

    def press(self, *keys: str) -> None:
        """Press keys, by name, one after the other."""
        strokes = [{"type": kind, "value": KEYS[key]} for key in keys for kind in ("keyDown", "keyUp")]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def point(self, selector: str, *, tap: bool = False) -> None:
        """Move the mouse to the middle of an element, or tap it with a finger."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": self._element(selector)}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}] if tap else []
        kind = "touch" if tap else "mouse"
        pointer = {
            "type": "pointer",
            "id": kind,
            "parameters": {"pointerType": kind},
            "actions": [move, *press],
        }
        self._send("POST", "/actions", {"actions": [pointer]})

    def wait(self, script: str, seconds: float = 10.0) -> None:
        """Wait until a script returns something true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)

    def photograph(self, file: Path, *, whole: bool = False) -> None:
        """Save what the window shows as a PNG file, or the whole page."""
        image = self.developer("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(base64.b64decode(image["data"]))

    def close(self) -> None:
        """Close the window."""
        self._send("DELETE", "")


@contextmanager
def chromedriver() -> Iterator[int]:
    """A running chromedriver; gives the port at which it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    driver = subprocess.Popen(
        ["chromedriver", f"--port={port}", "--log-level=OFF"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(100):
            try:
                urlopen(f"http://127.0.0.1:{port}/status", timeout=5).close()
                break
            except URLError:
                time.sleep(0.1)
        yield port
    finally:
        driver.terminate()
        driver.wait(timeout=20)


@contextmanager
def browser(size: tuple[int, int], *, phone: bool = False, dark: bool = False) -> Iterator[Browser]:
    """A window of Chromium with a new profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, chromedriver() as port:
        window = Browser(port, profile, size, phone=phone, dark=dark)
        try:
            yield window
        finally:
            window.close()
