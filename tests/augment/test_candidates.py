"""The variants of gold spans, and the paper's running example."""

import numpy as np
import pytest
from hypothesis import given

from spancrew.augment import Picker, Ses, candidates
from spancrew.core import LabelSet, Sentence, Span
from spancrew.errors import InvalidSpanError
from spancrew.metrics import Metric
from tests.augment import brute
from tests.augment.drawn import Case, cases
from tests.strategies import LABELS

EXAMPLE = Sentence.from_text(
    "s1",
    "Although he looked very depressed yesterday, he has already become much more cheerful now.",
)
"""Appendix D of the paper."""

GOLD = (Span(3, 5, "NEGATIVE"), Span(11, 14, "POSITIVE"))


def quotes(i: int) -> list[str]:
    """Return the texts of the variants of one span of the running example."""
    found = candidates(GOLD, np.ones(len(EXAMPLE), bool))[i]
    return ["" if span is None else EXAMPLE.quote(span) for span in found]


@given(cases())
def test_variants_are_those_of_the_text(case: Case) -> None:
    """Every one, once, in the same order as a plain reading of the paper gives them."""
    gold, starts = case
    borders = brute.borders_of(starts, gold)
    expected = [tuple(brute.variants(gold, i, borders)) for i in range(len(gold))]

    assert list(candidates(gold, np.array(starts))) == expected


@given(cases())
def test_flips_stand_under_every_other_label(case: Case) -> None:
    """Only the unmodified span is flipped."""
    gold, starts = case
    borders = brute.borders_of(starts, gold)
    expected = [tuple(brute.variants(gold, i, borders, LABELS.names)) for i in range(len(gold))]

    assert list(candidates(gold, np.array(starts), LABELS)) == expected


@given(cases())
def test_variants_stay_between_the_neighbours(case: Case) -> None:
    """No variant enters another gold span or leaves the sentence."""
    gold, starts = case
    for i, found in enumerate(candidates(gold, np.array(starts))):
        low = gold[i - 1].end if i else 0
        high = gold[i + 1].start if i + 1 < len(gold) else len(starts)

        assert all(low <= span.start and span.end <= high for span in found if span)


def test_the_running_example_has_its_variants() -> None:
    """The lines that Appendix D prints."""
    assert {"depressed yesterday", "yesterday,", "looked very depressed", "depressed", ""} <= set(
        quotes(0)
    )
    assert {
        "more cheerful now",
        "cheerful now.",
        "become much more cheerful",
        "more cheerful",
    } <= set(quotes(1))


def test_a_shift_ends_with_the_first_that_does_not_overlap() -> None:
    """Two words to the right and no third; to the left likewise."""
    assert ", he" not in quotes(0)
    assert "he looked" in quotes(0)
    assert "Although he" not in quotes(0)


def test_a_border_may_touch_a_neighbour_but_not_enter() -> None:
    """The first span expands up to the second."""
    assert max(quotes(0), key=len).endswith("already become")


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ((Span(3, 5, "NEGATIVE"), Span(11, 14, "POSITIVE")), 1.0),
        ((Span(4, 6, "NEGATIVE"), Span(11, 14, "POSITIVE")), 0.75),
        ((Span(5, 7, "NEGATIVE"), Span(11, 14, "POSITIVE")), 0.5),
    ],
)
def test_the_running_example_has_its_scores(answer: tuple[Span, ...], score: float) -> None:
    """The three combinations that Appendix D prints are reachable with these scores."""
    labels = LabelSet(("NEGATIVE", "POSITIVE"))
    picker = Picker(Ses(labels, Metric("proportional")), np.ones(len(EXAMPLE), bool), GOLD)
    rng = np.random.default_rng(0)
    level = picker.scores.tolist().index(score)

    assert any(picker.draw(level, rng) == answer for _ in range(4_000))


def test_words_are_steps() -> None:
    """Two-token words move by two tokens; a border of gold is a border of words."""
    starts = np.array([True, False, True, False, True, False])
    found = candidates([Span(2, 4, "PER")], starts)[0]

    assert found == (
        Span(2, 4, "PER"),
        None,
        Span(4, 6, "PER"),
        Span(2, 6, "PER"),
        Span(0, 2, "PER"),
        Span(0, 4, "PER"),
    )
    assert Span(3, 4, "PER") in candidates([Span(2, 3, "PER")], starts)[0]


def test_a_span_over_the_whole_sentence_can_only_shrink() -> None:
    """Both borders are at an end already."""
    found = candidates([Span(0, 3, "PER")], np.ones(3, bool))[0]

    assert found == (
        Span(0, 3, "PER"),
        Span(0, 2, "PER"),
        Span(0, 1, "PER"),
        Span(1, 3, "PER"),
        Span(2, 3, "PER"),
        None,
    )


def test_a_sentence_of_one_token_has_two_variants() -> None:
    """The span, and nothing."""
    assert candidates([Span(0, 1, "PER")], np.ones(1, bool)) == ((Span(0, 1, "PER"), None),)


def test_a_sentence_without_spans_has_no_variants() -> None:
    """There is nothing to vary."""
    assert candidates([], np.ones(3, bool)) == ()


def test_a_span_outside_the_sentence_is_refused() -> None:
    """As everywhere else."""
    with pytest.raises(InvalidSpanError):
        candidates([Span(0, 4, "PER")], np.ones(3, bool))
