"""Hypothesis strategies for the values of spancrew."""

import string

from hypothesis import strategies as st

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span

LABELS = LabelSet(("LOC", "ORG", "PER"))

TOKENS = st.text(st.sampled_from(string.ascii_letters + "é好👍🏽مرحبا'-."), min_size=1, max_size=6)


@st.composite
def span_sets(draw: st.DrawFn, length: int, labels: LabelSet = LABELS) -> tuple[Span, ...]:
    """Draw spans that do not overlap, from left to right."""
    spans = []
    start = 0
    while start < length:
        if draw(st.booleans()):
            end = draw(st.integers(start + 1, min(length, start + 4)))
            spans.append(Span(start, end, draw(st.sampled_from(labels.names))))
            start = end
        else:
            start += 1
    return tuple(spans)


@st.composite
def span_pairs(
    draw: st.DrawFn, max_length: int = 9
) -> tuple[int, tuple[Span, ...], tuple[Span, ...]]:
    """Draw a length and two span sets on it."""
    length = draw(st.integers(1, max_length))
    return length, draw(span_sets(length)), draw(span_sets(length))


@st.composite
def sentences(draw: st.DrawFn, id_: str) -> Sentence:
    """Draw a sentence of a few tokens."""
    return Sentence.from_tokens(id_, draw(st.lists(TOKENS, min_size=1, max_size=8)))


@st.composite
def datasets(draw: st.DrawFn, *, gold: bool | None = None, answers: bool = True) -> Dataset:
    """Draw a small data set; gold for all, none, or (by default) some sentences."""
    made = [draw(sentences(f"s{k}")) for k in range(draw(st.integers(1, 4)))]
    known = {
        s.id: draw(span_sets(len(s)))
        for s in made
        if (draw(st.booleans()) if gold is None else gold)
    }
    given = [
        Answer(s.id, worker, draw(span_sets(len(s))))
        for s in made
        for worker in draw(
            st.sets(st.sampled_from(["ada", "bo", "cy"]) if answers else st.nothing())
        )
    ]
    return Dataset.of(made, known, given, LABELS)
