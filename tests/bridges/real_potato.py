"""The real Potato, installed by `make test-bridges`, and people who talk to it over HTTP."""

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from spancrew.core import Sentence, Span
from tests.bridges.potato import Line, choice_for, is_sentence, marks_of
from tests.bridges.real import ENVIRONMENT, free_port, wait_long
from tests.processes import kill, launch

POTATO = ENVIRONMENT.with_name(".venv-bridges-potato") / "bin" / "potato"


@dataclass
class RealPotato:
    """A Potato that runs a project; it can be killed and started again."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[Any] | None" = None

    @property
    def url(self) -> str:
        """Return where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        words = [str(POTATO), "start", "config.yaml", "-p", str(self.port)]
        with (self.folder / "potato.log").open("ab") as log:
            self.process = launch(words, stdout=log, stderr=log, cwd=self.folder)
        wait_long(self.is_ready, "Potato did not start")

    def is_ready(self) -> bool:
        """Tell whether it answers."""
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "potato.log").read_text()[-3000:]
        try:
            return httpx.get(f"{self.url}/", timeout=60.0).is_success
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """Kill it like a power cut."""
        if self.process is not None:
            kill(self.process)

    def answers(self) -> int:
        """Return how many pages have a choice, over all people."""
        files = (self.folder / "annotation_output").glob("*/user_state.json")
        states = [json.loads(file.read_text("utf-8")) for file in files]
        return sum(len(state["instance_id_to_label_to_value"]) for state in states)


class Visitor:
    """Somebody with a browser: they log in, press Next, mark and choose, as the pages do it."""

    def __init__(self, url: str, name: str) -> None:
        self.name = name
        self._http = httpx.Client(base_url=url, timeout=60.0, follow_redirects=True)
        self.start_page = ""
        self._waiting: dict[str, Line] = {}
        self._done: set[str] = set()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def todo(self) -> list[tuple[Line, str]]:
        """Press Next until the page stays; return what waits, each with its sentence's id."""
        here = self._page()
        while here is not None:
            line = here["data"]
            if is_sentence(line) and line["id"] not in self._done:
                self._waiting[line["id"]] = line
            elif line["text"].startswith("Sentences for "):
                self.start_page = line["id"]
            self._post("/annotate", {"action": "next_instance"})
            before, here = here, self._page()
            if here is not None and here["current_index"] == before["current_index"]:
                break
        return [(line, line["spancrew"]["sentence"]) for line in self._waiting.values()]

    def _page(self) -> dict[str, Any] | None:
        """Return what is shown; log in where nobody is."""
        found = self._http.get("/api/current_instance")
        if found.is_success and "instance_id" in found.json():
            page: dict[str, Any] = found.json()
            return page
        login = {"action": "login", "email": self.name, "pass": ""}
        self._http.post("/auth", data=login)
        self._http.get("/annotate")
        return None

    def text_of(self, page: str) -> str:
        """Return the text of a page as the browser counts its characters."""
        found = self._http.get(f"/api/spans/{page}").raise_for_status().json()
        assert found["text_basis"] == "dom"
        return str(found["text"])

    def annotate(self, page: Line, sentence: Sentence, spans: tuple[Span, ...]) -> int:
        """Mark span by span, then choose."""
        choice = choice_for(page, spans)
        for mark in marks_of(sentence, spans if choice == "All marked" else ()):
            state = [{**mark, "value": 1}]
            self._update(page["id"], {"type": "span", "schema": "spancrew_spans", "state": state})
        self.choose(page["id"], choice)
        self._done.add(page["id"])
        del self._waiting[page["id"]]
        return 1

    def choose(self, page: str, choice: str) -> None:
        """Choose below a page."""
        self._update(page, {"annotations": {f"spancrew_answer:{choice}": choice}})

    def _update(self, page: str, change: dict[str, Any]) -> None:
        self._post("/updateinstance", {"instance_id": page, **change})

    def _post(self, path: str, body: dict[str, Any]) -> None:
        self._http.post(path, json=body).raise_for_status()
