"""A language model behind any chat endpoint that speaks OpenAI's protocol."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from spancrew.core import Sentence
from spancrew.errors import MemberError
from spancrew.members._base import GivenSpan, Member, Reply
from spancrew.members._dialect import Dialect
from spancrew.members._endpoint import Call, Endpoint, RefusedRequestError
from spancrew.members._prompt import Message, Prompt, quoted
from spancrew.members._reply import is_cut_off, reply_of
from spancrew.members._settings import Briefing, MemberSettings
from spancrew.members._tokens import TokenPrices, likely_length, likely_tokens, most_tokens

_VARIED = 0.7
_USUAL_REPLY = 30
"""Tokens of a reply where there is no example to go by."""


class PriceEstimate(NamedTuple):
    """What it would take to ask about some sentences; prices are None if tokens have none."""

    requests: int
    tokens: int
    price: float | None
    most: float | None


class LanguageModel(Member):
    """A model by the name that its server knows it by.

    Spans are asked for as quotes. Replies have to follow a JSON schema, if the server can see to
    that; else they have to be JSON, or at least contain it.
    """

    at_once = 1

    def __init__(self, which: str, settings: MemberSettings) -> None:
        self._model, self._settings = which, settings.llm
        if not self._settings.url:
            raise MemberError(f"where is {which!r}? Name the address of its API that ends in /v1")
        self._prices = _prices(settings)
        self.journal = settings.journal
        self._endpoint = Endpoint(self._settings.url.rstrip("/") + "/chat/completions", settings)
        self._dialect = Dialect()
        self.name = settings.name or which
        self.in_parallel = settings.in_parallel or 4
        self.brief(settings.briefing)

    def brief(self, briefing: Briefing) -> None:
        """Tell the model something else from now on; it is another version then."""
        self._briefing, self._prompt = briefing, Prompt(briefing)
        self.version = self._fingerprint()

    def answer(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> Sequence[Reply]:
        """Ask about one sentence after the other."""
        return [self._answer(each, labels) for each in sentences]

    def messages(self, sentence: Sentence, labels: Sequence[str]) -> list[Message]:
        """Return what the model is told about a sentence."""
        return self._prompt.messages(sentence, labels)

    def estimate(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> PriceEstimate:
        """Return about what it would cost to ask, and the most if no request is sent twice."""
        samples = self._settings.samples
        written = self._likely_reply()
        tokens, price, most = 0, 0.0, 0.0
        for sentence in sentences:
            body = self._body(self.messages(sentence, labels), 0, self._settings.most_tokens)
            read = likely_tokens(body["messages"])
            tokens += samples * (read + written)
            price += samples * self._prices.of(read, written)
            most += samples * self._most(body, labels)
        is_priced = self._settings.input_price is not None
        requests = samples * len(sentences)
        return PriceEstimate(
            requests, tokens, price if is_priced else None, most if is_priced else None
        )

    def _answer(self, sentence: Sentence, labels: Sequence[str]) -> Reply:
        start = time.perf_counter()
        messages = self.messages(sentence, labels)
        samples = [
            self._sample(sentence, messages, labels, number)
            for number in range(self._settings.samples)
        ]
        return joined(samples, time.perf_counter() - start)

    def _sample(
        self, sentence: Sentence, messages: list[Message], labels: Sequence[str], number: int
    ) -> Reply:
        """Return one answer; one that is cut off gets a second try with twice the tokens."""
        limit = self._settings.most_tokens
        found = self._complete(self._body(messages, number, limit), labels)
        if is_cut_off(found):
            found = self._complete(self._body(messages, number, 2 * limit), labels)
        return reply_of(found, sentence)

    def _complete(self, body: dict[str, Any], labels: Sequence[str]) -> Any:
        """Return a completion in the strictest format that the server takes."""
        most = self._most(body, labels)
        key = _hash([self._endpoint.url, body])
        while True:
            dialect = self._dialect
            asked = dialect.body(body, labels)
            call = Call(key, asked, most, lambda reply: self._prices.used(reply, most))
            try:
                return self._endpoint.ask(call)
            except RefusedRequestError as error:
                other = dialect.after(error)
                if other is None:
                    raise
                self._dialect = other

    def _body(self, messages: list[Message], number: int, limit: int) -> dict[str, Any]:
        temperature = self._settings.temperature
        if temperature is None:
            temperature = 0.0 if self._settings.samples == 1 else _VARIED
        return {
            "model": self._model,
            "messages": messages,
            "temperature": temperature,
            "seed": number + 1,
            "max_tokens": limit,
        }

    def _most(self, body: dict[str, Any], labels: Sequence[str]) -> float:
        # Some servers show the schema to the model, too, and charge for it.
        read = most_tokens(Dialect().body(body, labels))
        return self._prices.of(read, body["max_tokens"])

    def _likely_reply(self) -> int:
        examples = self._briefing.examples
        lengths = [likely_length(quoted(*each)) for each in examples[:200]]
        return round(sum(lengths) / len(lengths)) if lengths else _USUAL_REPLY

    def _fingerprint(self) -> str:
        """Return what changes with anything that changes the answers."""
        briefing = self._briefing
        shown = [[sentence.text, quoted(sentence, spans)] for sentence, spans in briefing.examples]
        body = self._body([], 0, self._settings.most_tokens)
        told = [briefing.guide, dict(briefing.meanings), briefing.shown, shown]
        return _hash([self._endpoint.url, body, self._settings.samples, told])[:12]


def joined(samples: Sequence[Reply], seconds: float | None = None) -> Reply:
    """Return the spans that half of the usable samples have; their share is the confidence."""
    usable = [each.spans for each in samples if each.spans is not None]
    faults = sum((Counter(each.faults) for each in samples), Counter())
    if not usable:
        return Reply(None, faults, seconds)
    if len(samples) == 1:
        return Reply(usable[0], faults, seconds)
    counts = Counter(span for spans in usable for span in dict.fromkeys(spans))
    kept = [
        GivenSpan(span.start, span.end, span.label, count / len(usable))
        for span, count in counts.items()
        if 2 * count >= len(usable)
    ]
    return Reply(tuple(kept), faults, seconds)


def _prices(settings: MemberSettings) -> TokenPrices:
    llm = settings.llm
    if (llm.input_price is None) != (llm.output_price is None):
        raise MemberError("tokens that are read and tokens that are written both have a price")
    if settings.journal.has_cap and llm.input_price is None:
        raise MemberError("a limit on money needs the prices of tokens, read and written")
    return TokenPrices(llm.input_price or 0.0, llm.output_price or 0.0)


def _hash(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]
