"""A function of yours as a model."""

import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from spancrew.core import Sentence
from spancrew.errors import SpancrewError
from spancrew.members._base import Member, Reply
from spancrew.members._checking import given_spans, in_tokens
from spancrew.members._settings import MemberSettings

Function = Callable[[Sequence[Any]], Any]


class FunctionMember(Member):
    """A function from a list of token lists to a list of spans for each.

    If it is ``of_texts``, it is called with texts, and its spans count characters.
    """

    def __init__(self, which: str, settings: MemberSettings, *, of_texts: bool = False) -> None:
        self._function, self.version = _function(which)
        self._which = which
        self._of_texts = of_texts
        self.name = settings.name or which.rpartition(":")[2]
        self.price = settings.price
        self.at_once = settings.at_once or 32
        self.in_parallel = settings.in_parallel or 1

    def answer(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> Sequence[Reply]:  # noqa: ARG002  a function knows its own
        """Call the function; spans that count characters are widened to whole tokens."""
        asked = [each.text if self._of_texts else list(each.tokens) for each in sentences]
        given = self._function(asked)
        if not isinstance(given, Iterable):
            raise SpancrewError(
                f"{self._which} returned {given!r}: it has to return a list with the spans of "
                "each sentence"
            )
        found = [given_spans(each) for each in given]
        if not self._of_texts or len(found) != len(sentences):
            return [Reply(spans) for spans in found]
        return [
            Reply(tuple(in_tokens(sentence, each) for each in spans))
            for sentence, spans in zip(sentences, found, strict=True)
        ]


def text_function_member(which: str, settings: MemberSettings) -> FunctionMember:
    """Return a function from a list of texts as a model."""
    return FunctionMember(which, settings, of_texts=True)


def _function(which: str) -> tuple[Function, str]:
    """Return a function, and the version of its module; the current folder is searched, too."""
    name, _, attribute = which.partition(":")
    if not name or not attribute:
        raise SpancrewError(f"{which!r} names no function: write module:function")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in {name, name.partition(".")[0]}:
            raise SpancrewError(f"module {name!r} cannot be imported: {error}") from error
        raise SpancrewError(f"there is no module {name!r}, here or installed") from None
    except Exception as error:  # importing runs a program of somebody else
        said = f"{type(error).__name__}: {error}"
        raise SpancrewError(f"module {name!r} cannot be imported: {said}") from error
    found = getattr(module, attribute, None)
    if not callable(found):
        raise SpancrewError(f"module {name!r} has no function {attribute!r}")
    return found, str(getattr(module, "__version__", ""))
