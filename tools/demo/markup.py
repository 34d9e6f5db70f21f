"""Read marked text: ``[PER Odo Lint]`` is gold, ``<PER Sir [PER Odo Lint]>`` tempts."""

import re
from dataclasses import dataclass

from spancrew.core import Span, Unit

_MARKS = r"(?P<open>[\[<])(?P<label>[A-Z]+)\s|(?P<close>[\]>])"
_WORD = (
    r"(?:Mr|Mrs|Dr|St|P\.S|[A-Z])\."  # abbreviations keep their dot
    r"|'s\b|-?\d+(?:[.,:]\d+)*(?:th)?(?:-\w+)*"
    r"|\w+(?:(?:-|'(?!s\b))\w+)*'?(?=\W|$)|\S"
)
_PATTERNS: dict[Unit, re.Pattern[str]] = {
    "words": re.compile(f"{_MARKS}|(?P<token>{_WORD})"),
    "characters": re.compile(f"{_MARKS}|(?P<token>\\S)"),
}


@dataclass(frozen=True, slots=True)
class Passage:
    """Tokens with their gold spans and the wrong readings that suggest themselves."""

    tokens: tuple[str, ...]
    gold: tuple[Span, ...]
    baits: tuple[Span, ...]
    domain: str
    hard: bool

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.tokens)


def parse(text: str, unit: Unit, domain: str, *, hard: bool) -> Passage:
    """Cut marked text into tokens and spans."""
    tokens: list[str] = []
    found: dict[str, list[Span]] = {"[": [], "<": []}
    opened: list[tuple[str, str, int]] = []
    for match in _PATTERNS[unit].finditer(text):
        if match["open"]:
            opened.append((match["open"], match["label"], len(tokens)))
        elif match["close"]:
            kind, label, start = opened.pop()
            if kind + match["close"] not in {"[]", "<>"}:
                raise ValueError(f"marks are crossed: {text}")
            found[kind].append(Span(start, len(tokens), label))
        else:
            tokens.append(match["token"])
    if opened:
        raise ValueError(f"a mark is not closed: {text}")
    gold, baits = tuple(sorted(found["["])), tuple(sorted(found["<"]))
    return Passage(tuple(tokens), gold, baits, domain, hard)
