"""What the tokens of a language model cost, before and after they are used."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_A_MESSAGE = 8
"""Tokens that stand around each message."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class TokenPrices:
    """The prices of a million tokens that a model reads, and of a million that it writes."""

    read: float
    written: float

    def of(self, read: float, written: float) -> float:
        """Return the price of some tokens."""
        return (read * self.read + written * self.written) / _MILLION

    def used(self, reply: Any, most: float) -> float:
        """Return what a reply cost by what it says that was used; without that, the most."""
        usage = reply.get("usage") if isinstance(reply, dict) else None
        usage = usage if isinstance(usage, dict) else {}
        read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if not (isinstance(read, int) and isinstance(written, int)) or min(read, written) < 0:
            return most
        return self.of(read, written)


def most_tokens(body: Mapping[str, Any]) -> int:
    """Return a number of tokens that a model never reads more of: a token has at least a byte."""
    text = json.dumps(body, ensure_ascii=False)
    return len(text.encode("utf-8", "backslashreplace")) + _A_MESSAGE * len(body["messages"])


def likely_tokens(messages: Sequence[Mapping[str, str]]) -> int:
    """Return about how many tokens there are: four letters of ASCII each, or one other.

    >>> likely_tokens([{"role": "user", "content": "Ana left Rome"}])
    11
    """
    return sum(_A_MESSAGE + likely_length(each["content"]) for each in messages)


def likely_length(text: str) -> int:
    """Return about how many tokens a text has."""
    simple = sum(char.isascii() for char in text)
    return simple // 4 + len(text) - simple
