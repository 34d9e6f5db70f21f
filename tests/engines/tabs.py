"""A tab of Firefox or WebKit, as far as a short story needs one.

Both speak WebDriver without anything between: Firefox its two-way form over a WebSocket, WebKit
the older one over HTTP. Keys and mouse are told in the same words.
"""

import json
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.bridges.real import free_port
from tests.processes import launched
from tests.waiting import PATIENCE, wait_until

FIREFOX = shutil.which("firefox-esr")
WEBKIT = shutil.which("WebKitWebDriver")
_MINI_BROWSERS = "*/webkit2gtk-4.*/MiniBrowser"
_CODES = {"Home": "\ue011", "Shift": "\ue008", "Control": "\ue009", "Enter": "\ue007"}
"""What WebDriver calls the keys that have names."""


class Driver(Protocol):
    """What drives a tab."""

    def open(self, link: str) -> None:
        """Go to an address."""

    def evaluate(self, script: str) -> Any:
        """Return what a JavaScript expression is, as JSON can hold it."""

    def act(self, source: dict[str, object]) -> None:
        """Let a keyboard or a mouse act."""


class Tab:
    """What a person sees and does in a tab."""

    def __init__(self, driver: Driver) -> None:
        self.open, self.evaluate, self._act = driver.open, driver.evaluate, driver.act

    def press(self, *keys: str) -> None:
        """Press keys, one after the other; those joined by a plus at the same time."""
        for key in keys:
            codes = [_CODES.get(each, each) for each in key.split("+")]
            down = [{"type": "keyDown", "value": code} for code in codes]
            up = [{"type": "keyUp", "value": code} for code in reversed(codes)]
            self._act({"type": "key", "id": "keys", "actions": [*down, *up]})

    def click(self, selector: str) -> None:
        """Click on the first element that fits."""
        self.drag(selector, selector)

    def drag(self, start: str, last: str) -> None:
        """Press the mouse on one element and let it go on another."""
        moves = [{"type": "pointerMove", **self._middle(each)} for each in (start, last)]
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._act({"type": "pointer", "id": "mouse", "actions": [moves[0], down, moves[1], up]})

    def _middle(self, selector: str) -> dict[str, int]:
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        found = self.evaluate(
            f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({box})"
        )
        return {"x": round(found[0]), "y": round(found[1])}


class FirefoxDriver:
    """Drives Firefox over WebDriver BiDi."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = count(1)
        self._do("session.new", capabilities={})
        self._tab = self._do("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, link: str) -> None:
        """Go to an address."""
        self._do("browsingContext.navigate", context=self._tab, url=link, wait="complete")

    def evaluate(self, script: str) -> Any:
        """Return what a JavaScript expression is, as JSON can hold it."""
        found = self._do(
            "script.evaluate",
            expression=f"JSON.stringify({script})",
            target={"context": self._tab},
            awaitPromise=False,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def act(self, source: dict[str, object]) -> None:
        """Let a keyboard or a mouse act."""
        self._do("input.performActions", context=self._tab, actions=[source])

    def _do(self, method: str, **params: object) -> Any:
        id_ = next(self._ids)
        self._socket.send(json.dumps({"id": id_, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv(PATIENCE))).get("id") != id_:
            pass  # an event
        assert answer["type"] == "success", answer
        return answer["result"]


class WebKitDriver:
    """Drives WebKit over WebDriver."""

    def __init__(self, session: httpx.Client) -> None:
        self._session = session

    def open(self, link: str) -> None:
        """Go to an address."""
        self._do("url", {"url": link})

    def evaluate(self, script: str) -> Any:
        """Return what a JavaScript expression is, as JSON can hold it."""
        return self._do("execute/sync", {"script": f"return ({script})", "args": []})

    def act(self, source: dict[str, object]) -> None:
        """Let a keyboard or a mouse act."""
        self._do("actions", {"actions": [source]})

    def _do(self, command: str, body: dict[str, object]) -> Any:
        answer = self._session.post(command, json=body)
        assert answer.is_success, answer.text
        return answer.json()["value"]


@contextmanager
def firefox(folder: Path) -> Iterator[Tab]:
    """Open a tab of Firefox, or skip."""
    if FIREFOX is None:
        pytest.skip("no Firefox on this machine (Debian: apt install firefox-esr)")
    port = free_port()
    options = ["--headless", "--no-remote", "--profile", str(folder)]
    with launched([FIREFOX, *options, f"--remote-debugging-port={port}"]):
        address = f"ws://127.0.0.1:{port}/session"
        wait_until(lambda: _is_listening(port), "Firefox does not answer")
        with connect(address, max_size=None) as connection:
            yield Tab(FirefoxDriver(connection))


@contextmanager
def webkit(_folder: Path) -> Iterator[Tab]:
    """Open a tab of WebKit, or skip."""
    screen = shutil.which("xvfb-run")
    if WEBKIT is None or screen is None:
        pytest.skip("no WebKit on this machine (Debian: apt install webkit2gtk-driver xvfb xauth)")
    browser = {
        "binary": str(next(Path("/usr/lib").glob(_MINI_BROWSERS))),
        "args": ["--automation"],
    }
    wanted = {"alwaysMatch": {"webkitgtk:browserOptions": browser}}
    port = free_port()
    with (
        launched([screen, "--auto-servernum", WEBKIT, f"--port={port}"]),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as driver,
    ):
        wait_until(lambda: _is_listening(port), "WebKit's driver does not answer")
        made = driver.post("/session", json={"capabilities": wanted}).raise_for_status()
        driver.base_url = driver.base_url.join(f"/session/{made.json()['value']['sessionId']}/")
        yield Tab(WebKitDriver(driver))
        driver.delete("")


def _is_listening(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
