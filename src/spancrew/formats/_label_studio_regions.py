"""The regions of one annotation of Label Studio, from spans and back."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from spancrew.core import Sentence, Span
from spancrew.errors import Place
from spancrew.formats._json import checked, need, want
from spancrew.formats._label_studio_exports import Region, borders
from spancrew.formats._label_studio_writer import region_texts


def label_studio_regions(sentence: Sentence, spans: Iterable[Span]) -> list[dict[str, Any]]:
    """Return spans as the ``result`` of an annotation or prediction.

    >>> made = label_studio_regions(Sentence.from_text("s1", "Ana sings"), [Span(0, 1, "PER")])
    >>> made[0]["value"]
    {'start': 0, 'end': 3, 'text': 'Ana', 'labels': ['PER']}
    """
    marks = [(span.start, span.end, span.label) for span in spans]
    made: list[dict[str, Any]] = json.loads(f"[{region_texts('crowd', sentence, marks)}]")
    return made


def label_studio_spans(
    sentence: Sentence, result: Sequence[Any], place: Place
) -> tuple[Span, ...]:
    """Return the spans of a ``result``, each over all tokens that its characters touch.

    Characters are counted in code points or in UTF-16 units, whichever fits what is quoted. What
    has no label, or is no region of text, is passed over.
    """
    values = [need(each, "value", dict, place) for each in result if _is_labelled(each, place)]
    spans = set()
    regions = [Region.read(value, place) for value in values]
    found = borders(sentence.text, regions, place, f"sentence {sentence.id!r}")
    for value, (start, end) in zip(values, found, strict=True):
        located = sentence.locate(start, end)
        for label in want(value, "labels", list, place) or []:
            name = checked(label, str, "a label", place)
            spans.add(Span(located.start, located.end, name))
    return tuple(sorted(spans, key=lambda span: (span.start, span.end, span.label)))


def _is_labelled(result: Any, place: Place) -> bool:
    return bool(checked(result, dict, "a region", place).get("type") == "labels")
