"""Tags, spans and codes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import (
    LabelSet,
    Scheme,
    Span,
    TagRepair,
    decode,
    decode_tags,
    detect_scheme,
    encode,
    encode_tags,
    is_valid,
    spans_from_tags,
)
from spancrew.errors import InvalidTagError, UnknownLabelError
from tests.strategies import LABELS, span_pairs, span_sets


@given(span_pairs())
def test_codes_and_spans_are_two_forms_of_one_thing(
    pair: tuple[int, tuple[Span, ...], tuple[Span, ...]],
) -> None:
    """Encode and decode are inverse, codes and tags too."""
    length, spans, _ = pair
    codes = encode(spans, length, LABELS)

    assert decode(codes, LABELS) == spans
    assert is_valid(codes, LABELS)
    assert encode_tags(decode_tags(codes, LABELS), LABELS).tolist() == codes.tolist()


def as_iob1(spans: tuple[Span, ...], length: int) -> list[str]:
    """Write spans in IOB1: B only where a span touches one of the same label."""
    tags = ["O"] * length
    for span in spans:
        before = tags[span.start - 1] if span.start else "O"
        touches = before.endswith(span.label) and before != "O"
        tags[span.start : span.end] = [f"I-{span.label}"] * len(span)
        tags[span.start] = f"{'B' if touches else 'I'}-{span.label}"
    return tags


def as_bioes(spans: tuple[Span, ...], length: int) -> list[str]:
    """Write spans in BIOES."""
    tags = ["O"] * length
    for span in spans:
        inner = ["B", *"I" * (len(span) - 2), "E"] if len(span) > 1 else ["S"]
        tags[span.start : span.end] = [f"{part}-{span.label}" for part in inner]
    return tags


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), span_sets(n))))
def test_every_scheme_reads_back(drawn: tuple[int, tuple[Span, ...]]) -> None:
    """IOB1, IOB2 and BIOES give the same spans and need no repair."""
    length, spans = drawn
    iob2 = list(decode_tags(encode(spans, length, LABELS), LABELS))

    assert spans_from_tags(iob2, "iob2") == (spans, ())
    assert spans_from_tags(as_iob1(spans, length), "iob1") == (spans, ())
    assert spans_from_tags(as_bioes(spans, length), "bioes") == (spans, ())


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        (["B-PER", "I-PER", "O"], "iob2"),
        (["I-PER", "I-PER", "O", "I-LOC"], "iob1"),
        (["I-PER", "B-PER", "O"], "iob1"),
        (["B-PER", "E-PER", "S-LOC"], "bioes"),
        (["B-PER", "L-PER", "U-LOC"], "bioes"),
        (["O", "O"], "iob2"),
        (["B-PER", "O", "B-LOC", "O", "I-LOC"], "iob2"),
    ],
)
def test_the_scheme_is_recognised(tags: list[str], scheme: Scheme) -> None:
    """One stray I does not make a file IOB1."""
    assert detect_scheme([tags]) == scheme


@pytest.mark.parametrize(
    ("tags", "scheme", "spans", "repairs"),
    [
        (["O", "I-PER"], "iob2", (Span(1, 2, "PER"),), (TagRepair(1, "I-PER", "B-PER"),)),
        (
            ["B-PER", "I-LOC"],
            "iob2",
            (Span(0, 1, "PER"), Span(1, 2, "LOC")),
            (TagRepair(1, "I-LOC", "B-LOC"),),
        ),
        (["B-PER", "O"], "bioes", (Span(0, 1, "PER"),), (TagRepair(0, "B-PER", "S-PER"),)),
        (["E-PER", "O"], "bioes", (Span(0, 1, "PER"),), (TagRepair(0, "E-PER", "S-PER"),)),
    ],
)
def test_broken_tags_are_repaired_and_reported(
    tags: list[str], scheme: Scheme, spans: tuple[Span, ...], repairs: tuple[TagRepair, ...]
) -> None:
    """Nothing is lost, nothing is silent."""
    assert spans_from_tags(tags, scheme) == (spans, repairs)


@pytest.mark.parametrize("tag", ["X-PER", "PER", "B-", "B_PER", "-PER", ""])
def test_a_tag_without_position_or_label_is_refused(tag: str) -> None:
    """The tag is quoted."""
    with pytest.raises(InvalidTagError, match="is neither O nor a position with a label"):
        spans_from_tags([tag])


def test_an_unknown_label_is_refused_with_the_nearest_known_one() -> None:
    """A slip gets its correction."""
    with pytest.raises(UnknownLabelError, match="'PRE' is not known; did you mean 'PER'"):
        encode([Span(0, 1, "PRE")], 3, LABELS)


@pytest.mark.parametrize("codes", [[2], [0, 4], [1, 4], [7]])
def test_codes_that_no_span_set_has_are_not_valid(codes: list[int]) -> None:
    """A stray inside code, a change of label inside a span, a code out of range."""
    import numpy as np

    assert not is_valid(np.array(codes, np.uint8), LABELS)


@pytest.mark.parametrize("names", [("A", "A"), ("",), (" A",)])
def test_label_names_are_distinct_and_not_blank(names: tuple[str, ...]) -> None:
    """A label set is valid once built."""
    with pytest.raises(UnknownLabelError):
        LabelSet(names)


def test_more_than_127_labels_take_two_bytes_per_token() -> None:
    """The codes grow with the label set."""
    labels = LabelSet(tuple(f"L{k}" for k in range(200)))
    codes = encode([Span(0, 2, "L199")], 3, labels)

    assert codes.dtype == "uint16"
    assert decode(codes, labels) == (Span(0, 2, "L199"),)


def test_labels_beyond_two_bytes_are_refused() -> None:
    """The limit is named."""
    with pytest.raises(UnknownLabelError, match="at most 32767 are possible"):
        LabelSet(tuple(f"L{k}" for k in range(32_768)))
