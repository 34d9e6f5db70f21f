"""A server on this machine that speaks OpenAI's protocol, counts money, and can fail."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from spancrew.members import AnswerJournal, Briefing, LanguageModel, LlmSettings, MemberSettings
from spancrew.members._pacing import Pacer
from tests.bridges.loopback import Answer, Loopback, Request, running

KNOWN = {"Ana": "PER", "Rome": "LOC"}
READ, WRITTEN = 2.0, 8.0
"""Prices of a million tokens."""


@dataclass
class FakeOpenAi:
    """Knows Ana and Rome; a script of contents comes first.

    ``charged`` has the price of every completion, whether somebody heard of it or not. A server
    that is ``careful`` carries out a request with a name that it knows only once.
    """

    loopback: Loopback = field(init=False)
    formats: tuple[str, ...] = ("json_schema", "json_object", "none")
    script: list[dict[str, Any]] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    charged: list[float] = field(default_factory=list)
    careful: bool = True
    new_style: bool = False
    _done: dict[str, Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the server that answers."""
        self.loopback = Loopback(self.answer)

    @property
    def url(self) -> str:
        """Return the address of the API."""
        return f"{self.loopback.url}/v1"

    @property
    def asked(self) -> list[str]:
        """Return the sentences of all requests that were carried out."""
        return [request.body["messages"][-1]["content"] for request in self.requests]

    def answer(self, request: Request) -> Answer:
        """Carry a request out, unless it was already."""
        assert request.route == "POST /v1/chat/completions"
        if problem := self._problem(request.body):
            return Answer(400, {"error": {"message": problem}})
        name = request.headers["idempotency-key"]
        if self.careful and name in self._done:
            return self._done[name]
        self.requests.append(request)
        made = self._done[name] = Answer(200, self._completion(request.body))
        return made

    def _problem(self, body: dict[str, Any]) -> str:
        wanted = body.get("response_format", {"type": "none"})["type"]
        if wanted not in self.formats:
            return f"response_format {wanted} is not supported"
        if self.new_style and "max_tokens" in body:
            return "Unsupported parameter: use 'max_completion_tokens' instead"
        if self.new_style and "temperature" in body:
            return "Unsupported value: 'temperature'"
        return ""

    def _completion(self, body: dict[str, Any]) -> dict[str, Any]:
        text = body["messages"][-1]["content"]
        choice = self.script.pop(0) if self.script else says(spans_in(text))
        read = len(json.dumps(body)) // 4
        written = len(str(choice["message"])) // 4
        self.charged.append((read * READ + written * WRITTEN) / 1e6)
        return {
            "choices": [choice],
            "usage": {"prompt_tokens": read, "completion_tokens": written},
        }

    def member(
        self, briefing: Briefing | None = None, journal: AnswerJournal | None = None, **llm: Any
    ) -> LanguageModel:
        """Return the model, with little patience."""
        made = LanguageModel(
            "gpt-x",
            MemberSettings(
                patience=60.0,
                timeout=llm.pop("timeout", 60.0),
                in_parallel=llm.pop("in_parallel", 1),
                journal=journal or AnswerJournal(),
                briefing=briefing or Briefing(),
                llm=LlmSettings(
                    **{"url": self.url, "input_price": READ, "output_price": WRITTEN, **llm}
                ),
            ),
        )
        made._endpoint.pacer = Pacer(None, pause=lambda _seconds: None)
        return made


def spans_in(text: str) -> str:
    """Return the right reply to a sentence."""
    rows = [
        {"text": word, "label": label, "occurrence": 1}
        for word, label in KNOWN.items()
        if word in text.split()
    ]
    return json.dumps({"spans": rows})


def says(content: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """Return a choice with this content."""
    return {"finish_reason": finish, "message": {"content": content, **message}}


@contextmanager
def openai() -> Iterator[FakeOpenAi]:
    """Run a server."""
    made = FakeOpenAi()
    with running(made.loopback):
        yield made
