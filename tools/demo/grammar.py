"""Expand templates: ``{town}`` is a symbol, ``{a|b}`` a choice, ``{#2-9}`` a number.

``{t=town}`` remembers what it became, so that ``{t}`` later in the sentence is the same.
"""

import re
from collections.abc import Iterator, Mapping

from draws import Draws

_NUMBER = re.compile(r"#(-?\d+)-(\d+)")
_BINDING = re.compile(r"([a-z])=(.*)", re.DOTALL)


class Grammar:
    """Symbols and choices, dealt like cards: every alternative before one comes again."""

    def __init__(self, symbols: Mapping[str, str], draws: Draws) -> None:
        self._symbols = symbols
        self._decks: dict[str, list[str]] = {}
        self._draws = draws

    def expand(self, template: str) -> str:
        """Return one sentence of the template; no name stands in it twice by accident."""
        return " ".join(self._expand(template, {}, set()).split())

    def _expand(self, template: str, bound: dict[str, str], used: set[str]) -> str:
        parts = []
        for text, is_slot in _parts(template):
            parts.append(self._fill(text, bound, used) if is_slot else text)
        return "".join(parts)

    def _fill(self, slot: str, bound: dict[str, str], used: set[str]) -> str:
        if slot in bound:
            return bound[slot]
        if number := _NUMBER.fullmatch(slot):
            return str(self._draws.between(int(number[1]), int(number[2])))
        if binding := _BINDING.fullmatch(slot):
            bound[binding[1]] = self._fill(binding[2], bound, used)
            return bound[binding[1]]
        return self._expand(self._deal(slot, used), bound, used)

    def _deal(self, slot: str, used: set[str]) -> str:
        """Take the next alternative that this sentence does not have yet."""
        deck = self._decks.setdefault(slot, [])
        fresh = next((k for k, text in enumerate(deck) if text not in used), None)
        if fresh is None:
            deck[:] = self._draws.shuffled(list(alternatives(self._symbols.get(slot, slot))))
            fresh = next((k for k, text in enumerate(deck) if text not in used), 0)
        text = deck.pop(fresh)
        if "{" not in text:
            used.add(text)
        return text


def alternatives(text: str) -> Iterator[str]:
    """Split a text at its outermost bars."""
    depth = start = 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "|" and depth == 0:
            yield text[start:position].strip()
            start = position + 1
    yield text[start:].strip()


def _parts(template: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a template and whether each is a slot, without its braces."""
    depth = start = 0
    for position, character in enumerate(template):
        if character == "{":
            if depth == 0:
                yield template[start:position], False
                start = position + 1
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                yield template[start:position], True
                start = position + 1
    if depth:
        raise ValueError(f"a brace is not closed: {template}")
    yield template[start:], False
