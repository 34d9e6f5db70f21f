"""Any program that speaks a small protocol over HTTP as a model.

It is sent ``{"labels": [...], "sentences": [{"id": ..., "text": ..., "tokens": [...]}]}`` and
replies with ``{"answers": [{"spans": [[start, end, label, confidence], ...]}, ...]}``.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from secrets import token_hex
from typing import Any

from spancrew.core import Sentence
from spancrew.errors import MemberError
from spancrew.members._base import GivenSpan, Member, Reply
from spancrew.members._checking import given_spans, in_tokens
from spancrew.members._endpoint import Call, Endpoint
from spancrew.members._settings import MemberSettings


class HttpMember(Member):
    """A server of yours; asked about no sentence, it says its name and version."""

    def __init__(self, which: str, settings: MemberSettings) -> None:
        self._endpoint = Endpoint(which, settings)
        self.journal = settings.journal
        self.price = settings.price
        self.at_once = settings.at_once or 16
        self.in_parallel = settings.in_parallel or 1
        about = self._ask([], [])
        self.name = settings.name or str(about.get("name") or "")
        self.version = str(about.get("version") or "")
        if not self.name.strip():
            raise MemberError(f"{which} does not say its name: give the model one")

    def answer(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> Sequence[Reply]:
        """Send all sentences at once."""
        found = self._ask(sentences, labels)
        answers = found.get("answers")
        if not isinstance(answers, list) or len(answers) != len(sentences):
            return []
        in_characters = found.get("unit") == "characters"
        return [
            _reply(sentence, answer, in_characters=in_characters)
            for sentence, answer in zip(sentences, answers, strict=True)
        ]

    def _ask(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> dict[str, Any]:
        body = {"labels": list(labels), "sentences": [_record(each) for each in sentences]}
        text = json.dumps([self._endpoint.url, body])
        price = self.price * len(sentences)
        # Who the server is may have changed since an earlier run, and costs nothing to ask.
        key = sha256(text.encode()).hexdigest()[:32] if sentences else f"about {token_hex(8)}"
        found = self._endpoint.ask(Call(key, body, price, lambda _reply: price))
        if not isinstance(found, dict):
            raise MemberError(f"{self._endpoint.url} replies with something that is no object")
        return found


def _record(sentence: Sentence) -> dict[str, Any]:
    return {"id": sentence.id, "text": sentence.text, "tokens": list(sentence.tokens)}


def _reply(sentence: Sentence, answer: Any, *, in_characters: bool) -> Reply:
    spans = answer.get("spans") if isinstance(answer, dict) else None
    if not isinstance(spans, list):
        return Reply(None, {"unreadable": 1})
    found: tuple[GivenSpan, ...] = given_spans(spans)
    if in_characters:
        found = tuple(in_tokens(sentence, each) for each in found)
    return Reply(found)
