"""English sentences: news, sport, arts and more from places that do not exist."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

from draws import Draws
from grammar import Grammar
from markup import Passage, parse
from templates import Template, templates

_FOLDER = Path(__file__).parent / "english"
_LONGEST = 45
_TRIES = 20
_VOWEL = re.compile(r"[aeio]|u(?!ni)|8|1[18]\b", re.IGNORECASE)


def passages(count: int, draws: Draws) -> list[Passage]:
    """Return distinct sentences; every template serves about equally often."""
    grammar = Grammar(_symbols(), draws)
    made: dict[tuple[str, ...], Passage] = {}
    while len(made) < count:
        for template in draws.shuffled(templates(_FOLDER))[: count - len(made)]:
            passage = _fresh(grammar, template, made)
            if passage is not None:
                made[passage.tokens] = passage
    return list(made.values())


def _fresh(
    grammar: Grammar, template: Template, made: dict[tuple[str, ...], Passage]
) -> Passage | None:
    """Return a sentence that is new and not too long, if some tries give one."""
    for _ in range(_TRIES):
        text = grammar.expand(template.text)
        passage = _polished(parse(text, "words", template.domain, hard=template.hard))
        if passage.tokens not in made and len(passage) <= _LONGEST:
            return passage
    return None


def _polished(passage: Passage) -> Passage:
    """Begin with a capital, unless with a name, and say *an* before a vowel."""
    tokens = list(passage.tokens)
    for position, after in enumerate(tokens[1:]):
        if tokens[position] in {"a", "A"} and _VOWEL.match(after):
            tokens[position] += "n"
    if not any(span.start == 0 for span in passage.gold):
        tokens[0] = tokens[0][0].upper() + tokens[0][1:]
    return replace(passage, tokens=tuple(tokens))


def _symbols() -> dict[str, str]:
    symbols: dict[str, str] = {}
    for path in sorted(_FOLDER.glob("*.toml")):
        symbols |= tomllib.loads(path.read_text("utf-8"))
    return symbols
