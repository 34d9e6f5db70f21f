"""What a language model is told: the guide, the labels, some examples, and the sentence."""

import json
from collections.abc import Sequence
from typing import Any

from spancrew.core import Sentence, Span
from spancrew.errors import SpancrewError
from spancrew.members._nearest import Nearest
from spancrew.members._settings import Briefing

Message = dict[str, str]

_TASK = (
    "You label spans in sentences. A span is a run of words of the sentence with one of the "
    "labels below. Spans do not overlap."
)
_FORM = (
    'Reply with JSON alone: {"spans": [{"text": "...", "label": "...", "occurrence": 1}]}. '
    "Copy the text of a span from the sentence letter by letter. The occurrence says which one "
    "you mean if the text is there several times; 1 is the first. If there is nothing to label, "
    'reply {"spans": []}.'
)


class Prompt:
    """Makes the messages for a sentence; examples that are most like it stand last."""

    def __init__(self, briefing: Briefing) -> None:
        self._briefing = briefing
        self._nearest = Nearest([sentence for sentence, _ in briefing.examples])

    def messages(self, sentence: Sentence, labels: Sequence[str]) -> list[Message]:
        """Return the messages: what to do, examples as questions and answers, the question."""
        told = [{"role": "system", "content": self._told(labels)}]
        for k in reversed(self._nearest.to(sentence, self._briefing.shown)):
            example, spans = self._briefing.examples[k]
            told.append({"role": "user", "content": example.text})
            told.append({"role": "assistant", "content": quoted(example, spans)})
        return [*told, {"role": "user", "content": sentence.text}]

    def _told(self, labels: Sequence[str]) -> str:
        meanings = self._briefing.meanings
        if unknown := [label for label in meanings if label not in labels]:
            raise SpancrewError(
                f"there is a meaning for {unknown[0]!r}, which is no label: labels are "
                + ", ".join(labels)
            )
        listed = (
            f"- {each}: {meanings[each]}" if each in meanings else f"- {each}" for each in labels
        )
        parts = [_TASK, "Labels:\n" + "\n".join(listed), self._briefing.guide.strip(), _FORM]
        return "\n\n".join(part for part in parts if part)


def quoted(sentence: Sentence, spans: Sequence[Span]) -> str:
    """Return spans as a model should reply with them.

    >>> sentence = Sentence.from_tokens("s", ["Rome", "and", "Rome"])
    >>> quoted(sentence, [Span(2, 3, "LOC")])
    '{"spans": [{"text": "Rome", "label": "LOC", "occurrence": 2}]}'
    """
    rows = [
        {
            "text": sentence.quote(span),
            "label": span.label,
            "occurrence": _occurrence(sentence, span),
        }
        for span in spans
    ]
    return json.dumps({"spans": rows}, ensure_ascii=False)


def _occurrence(sentence: Sentence, span: Span) -> int:
    """Return how many runs of whole tokens up to this one have the same text."""
    quote, length = sentence.quote(span), span.end - span.start
    runs = (Span(k, k + length, span.label) for k in range(span.start + 1))
    return sum(sentence.quote(run) == quote for run in runs)


def schema(labels: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a reply, in the strict form that servers want."""
    row = {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "label": {"type": "string", "enum": list(labels)},
            "occurrence": {"type": "integer"},
        },
        "required": ["text", "label", "occurrence"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"spans": {"type": "array", "items": row}},
        "required": ["spans"],
        "additionalProperties": False,
    }
