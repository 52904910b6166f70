"""A page in headless Chromium, controlled over the pipe of its debugging protocol.

The browser reads messages from its descriptor 3 and writes them to 4, each a JSON text that ends
with a zero byte.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
#: seconds that a page gets for anything: far more than it takes
TIMEOUT = 180
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


def browser() -> str:
    """Path of the browser, or a skipped test."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed (apt install chromium)")
    return found


class NavigatedError(AssertionError):
    """The page went to another address before it answered."""


class Page:
    """A page; its logged and thrown errors are in `errors`."""

    def __init__(self, width: int = 1280, height: int = 800, touch: bool = False) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._size = {"width": width, "height": height, "touch": touch}
        self._profile = TemporaryDirectory(ignore_cleanup_errors=True)
        self._count, self._rest = 0, b""

    def __enter__(self) -> Page:
        reads, self._write = os.pipe()
        self._read, writes = os.pipe()
        words = [browser(), *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"]
        # The shell gives the browser its two descriptors whatever numbers they have here.
        line = f'exec "$@" 3</dev/fd/{reads} 4>/dev/fd/{writes}'
        self._said = Path(self._profile.name, "said.txt")
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                ["sh", "-c", line, "sh", *words],
                pass_fds=(reads, writes),
                stdout=said,
                stderr=said,
            )
        os.close(reads)
        os.close(writes)
        self._session = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        size = {"width": self._size["width"], "height": self._size["height"]}
        phone = self._size["touch"]
        self.send(
            "Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1 + phone, mobile=phone
        )
        self.send("Emulation.setTouchEmulationEnabled", enabled=phone)
        return self

    def __exit__(self, *_) -> None:
        os.close(self._write)
        self._process.terminate()
        self._process.wait(20)
        os.close(self._read)
        self._profile.cleanup()

    def send(self, method: str, **parameters):
        """Send a message; return its answer."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                if "navigated" in (failure := answer.get("error", {}).get("message", "")):
                    raise NavigatedError(failure)
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def _next(self) -> dict:
        until = time.monotonic() + TIMEOUT
        while b"\0" not in self._rest:
            ready = select.select([self._read], [], [], max(until - time.monotonic(), 0))[0]
            part = os.read(self._read, 1 << 16) if ready else b""
            assert part, f"the browser does not answer: {self._said.read_text(errors='replace')}"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        said = json.loads(message)
        self._note(said.get("method"), said.get("params", {}))
        return said

    def _note(self, method: str | None, said: dict) -> None:
        if method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning"):
            self.errors.append(str([each.get("value") for each in said["args"]]))
        elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
            self.errors.append(said["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])

    def open(self, path: Path, anchor: str = "") -> None:
        self.send("Page.navigate", url=f"{path.resolve().as_uri()}{anchor}")
        self.wait_for("document.documentElement?.dataset.ready === 'yes'")

    def wait_for(self, expression: str) -> None:
        until = time.monotonic() + TIMEOUT
        while not self._value_unless_navigated(expression):
            assert time.monotonic() < until, f"never: {expression}; errors: {self.errors}"
            time.sleep(0.05)

    def _value_unless_navigated(self, expression: str):
        try:
            return self.value(expression)
        except NavigatedError:
            return None

    def value(self, expression: str):
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def settle(self) -> None:
        self.value(
            "new Promise(d => requestAnimationFrame(() => requestAnimationFrame(() => d(1))))"
        )

    def mouse(self, kind: str, x: float, y: float, **more) -> None:
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.settle()

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        self.send("Input.dispatchTouchEvent", type=kind, touchPoints=places)

    def key(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def screenshot(self, path: Path) -> None:
        picture = self.send("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(picture))
