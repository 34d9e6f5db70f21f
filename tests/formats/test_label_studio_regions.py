"""Spans to the regions of an annotation, and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats import label_studio_regions, label_studio_spans
from tests.strategies import sentences

PLACE = Place("task 1")


@given(sentences("s1"), st.data())
def test_spans_come_back(sentence: Sentence, data: st.DataObject) -> None:
    """Whatever the text is made of."""
    start = data.draw(st.integers(0, len(sentence) - 1))
    end = data.draw(st.integers(start + 1, len(sentence)))
    spans = (Span(start, end, "PER"),)

    assert label_studio_spans(sentence, label_studio_regions(sentence, spans), PLACE) == spans


def test_offsets_that_a_browser_counts_are_understood() -> None:
    """JavaScript counts an emoji twice; the quoted text says which unit it is."""
    sentence = Sentence.from_text("s1", "\U0001f600 Ana sings")
    place = sentence.tokens.index("Ana")
    found = [
        label_studio_spans(sentence, [_region(start, start + 3, "Ana")], PLACE) for start in (2, 3)
    ]

    assert found == [(Span(place, place + 1, "PER"),)] * 2


def test_what_is_no_label_is_passed_over() -> None:
    """Choices about the whole text, and regions that nobody labelled."""
    sentence = Sentence.from_text("s1", "Ana sings")
    bare = _region(0, 3, "Ana")
    bare["value"] = {**bare["value"], "labels": []}
    choice = {"type": "choices", "value": {"choices": ["good"]}}

    assert label_studio_spans(sentence, [choice, bare, _region(4, 7, "sin")], PLACE) == (
        Span(1, 2, "PER"),
    )


def test_a_region_that_does_not_fit_is_refused_with_its_place() -> None:
    """It says where and what is quoted."""
    with pytest.raises(FormatError, match=r"task 1.*quoted 'Bo'"):
        label_studio_spans(Sentence.from_text("s1", "Ana sings"), [_region(0, 2, "Bo")], PLACE)


def _region(start: int, end: int, text: str) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text, "labels": ["PER"]}
    return {"type": "labels", "value": value}
