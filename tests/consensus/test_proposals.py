"""Candidates of the crowd and of a model together."""

from hypothesis import given, settings
from hypothesis import strategies as st

from spancrew.consensus._candidates import Candidates, candidates_of
from spancrew.consensus._proposals import are_in, with_spans_of
from spancrew.core import Ragged, span_table
from tests.consensus.invented import invent
from tests.spread import often

Spans = set[tuple[int, int, int, int]]


def listed(candidates: Candidates) -> dict[tuple[int, int, int, int], int]:
    """Return the votes of sentence, start, end and label."""
    return {
        (s, int(candidates.start[c]), int(candidates.end[c]), int(candidates.label[c])): int(
            candidates.votes[c]
        )
        for s in range(len(candidates.first) - 1)
        for c in range(candidates.first[s], candidates.first[s + 1])
    }


def spans_of(labels: Ragged) -> Spans:
    """Return sentence, start, end and label of every span."""
    return set(zip(*(column.tolist() for column in span_table(labels)), strict=True))


@given(st.integers(0, 10_000))
@settings(max_examples=often(15, 40), deadline=None)
def test_candidates_and_labels_are_joined_as_sets(seed: int) -> None:
    """Votes stay; a span that only the labels have gets none; the order stays that of ends."""
    crowd = invent(12, answers=3, seed=seed)
    before = candidates_of(crowd.evidence.answers)
    joined = with_spans_of(before, crowd.truth)
    votes = listed(before)

    assert listed(joined) == dict.fromkeys(spans_of(crowd.truth), 0) | votes
    assert len(joined.start) == len(listed(joined))
    for s in range(12):
        part = slice(joined.first[s], joined.first[s + 1])
        keys = list(zip(joined.end[part], joined.start[part], joined.label[part], strict=True))

        assert keys == sorted(keys)


@given(st.integers(0, 10_000))
@settings(max_examples=often(15, 40), deadline=None)
def test_true_candidates_and_spans_that_nobody_has_are_found(seed: int) -> None:
    """Against sets."""
    crowd = invent(12, answers=2, seed=seed)
    candidates = candidates_of(crowd.evidence.answers)
    is_in, missing = are_in(candidates, crowd.truth)
    true, offered = spans_of(crowd.truth), list(listed(candidates))

    assert is_in.tolist() == [span in true for span in offered]
    for s in range(12):
        assert missing[s] == sum(span[0] == s for span in true - set(offered))
