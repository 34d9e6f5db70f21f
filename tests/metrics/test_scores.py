"""Precision, recall and F1: oracles, properties, and the decisions about corner cases."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nervaluate import Evaluator
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as seqeval_scores
from sklearn.metrics import precision_recall_fscore_support as sklearn_scores

from spancrew.core import Dataset, LabelSet, Ragged, Span, decode_tags, encode
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric, MetricName, Scores, answer_scores, score, worker_scores
from tests.strategies import LABELS, datasets, span_pairs

SpanPair = tuple[int, tuple[Span, ...], tuple[Span, ...]]
NAMES: tuple[MetricName, ...] = ("token", "exact", "proportional", "proportional:authors")


def tags(spans: tuple[Span, ...], length: int) -> list[str]:
    """Write spans as IOB2 tags."""
    return list(decode_tags(encode(spans, length, LABELS), LABELS))


def as_tags(pairs: list[SpanPair]) -> tuple[list[list[str]], list[list[str]]]:
    """Return all answers and all golds as tags."""
    answers = [tags(answer, length) for length, answer, _ in pairs]
    return answers, [tags(gold, length) for length, _, gold in pairs]


def flat(rows: list[list[str]]) -> list[str]:
    """Return all tags of all rows as one list."""
    return [tag for row in rows for tag in row]


def as_codes(pairs: list[SpanPair]) -> tuple[Ragged, Ragged]:
    """Return all answers and all golds as codes."""
    answers = Ragged.of([encode(answer, length, LABELS).tolist() for length, answer, _ in pairs])
    return answers, Ragged.of([encode(gold, length, LABELS).tolist() for length, _, gold in pairs])


@given(st.lists(span_pairs(), min_size=1, max_size=6), st.sampled_from(["micro", "macro"]))
def test_exact_is_what_seqeval_computes(pairs: list[SpanPair], average: Any) -> None:
    """Over a set of sentences, micro and macro."""
    answers, golds = as_tags(pairs)
    if not any(answer or gold for _, answer, gold in pairs):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # seqeval warns about labels on one side only
        theirs = seqeval_scores(golds, answers, average=average, zero_division=0)[:3]

    assert Metric("exact", average).pool(*as_codes(pairs)) == pytest.approx(theirs)


@given(st.lists(span_pairs(), min_size=1, max_size=6))
def test_token_macro_is_what_sklearn_computes(pairs: list[SpanPair]) -> None:
    """Over all tags that occur, O included, as the paper's code does."""
    answers, golds = as_tags(pairs)
    theirs = sklearn_scores(flat(golds), flat(answers), average="macro", zero_division=0)

    assert Metric("token", "macro").pool(*as_codes(pairs)) == pytest.approx(theirs[:3])


@given(st.lists(span_pairs(), min_size=1, max_size=6))
def test_token_micro_is_what_sklearn_computes_without_o(pairs: list[SpanPair]) -> None:
    """Pooled over the tags that are not O."""
    answers, golds = as_tags(pairs)
    if not any(answer or gold for _, answer, gold in pairs):
        return
    theirs = sklearn_scores(
        flat(golds),
        flat(answers),
        labels=list(LABELS.tags[1:]),
        average="micro",
        zero_division=0,
    )

    assert Metric("token").pool(*as_codes(pairs)) == pytest.approx(theirs[:3])


@given(st.lists(span_pairs(), min_size=1, max_size=4))
def test_exact_is_the_strict_score_of_nervaluate(pairs: list[SpanPair]) -> None:
    """A second opinion on span-exact scores."""
    answers, golds = as_tags(pairs)
    if not any(answer for _, answer, _ in pairs) or not any(gold for _, _, gold in pairs):
        return
    strict = Evaluator(golds, answers, tags=list(LABELS), loader="list").evaluate()
    theirs = strict["overall"]["strict"]

    ours = Metric("exact").pool(*as_codes(pairs))
    assert (ours.precision, ours.recall) == pytest.approx((theirs.precision, theirs.recall))


def by_hand(length: int, answer: tuple[Span, ...], gold: tuple[Span, ...], cap: bool) -> Scores:
    """Compute the proportional score with sets of tokens, slowly."""
    del length
    earned: list[float] = []
    for a in answer:
        shares = [
            len(set(range(a.start, a.end)) & set(range(g.start, g.end))) / len(g)
            for g in gold
            if g.label == a.label
        ]
        earned.append(sum(shares) if cap else sum(set(shares)))
    precision = sum(min(c, 1.0) if cap else c for c in earned) / len(answer) if answer else 0.0
    recall = sum(earned) / len(gold) if gold else 0.0
    if not answer and not gold:
        return Scores(1.0, 1.0, 1.0)
    total = precision + recall
    return Scores(precision, recall, 2 * precision * recall / total if total else 0.0)


@given(span_pairs())
def test_proportional_is_overlap_over_gold_length(pair: SpanPair) -> None:
    """The kernels agree with a slow computation, with and without the cap."""
    length, answer, gold = pair
    given_tags, gold_tags = tags(answer, length), tags(gold, length)

    assert score(given_tags, gold_tags, "proportional") == pytest.approx(
        by_hand(length, answer, gold, cap=True)
    )
    assert score(given_tags, gold_tags, "proportional:authors") == pytest.approx(
        by_hand(length, answer, gold, cap=False)
    )


@given(span_pairs(), st.sampled_from(NAMES), st.sampled_from(["micro", "macro"]))
def test_scores_are_shares(pair: SpanPair, name: MetricName, average: Any) -> None:
    """All lie between 0 and 1, the authors' precision excepted."""
    length, answer, gold = pair
    got = score(tags(answer, length), tags(gold, length), name, average=average)

    assert 0 <= got.recall <= 1
    assert got.f1 >= 0
    if name != "proportional:authors":
        assert got.precision <= 1
        assert got.f1 <= 1


@given(span_pairs(), st.sampled_from(["token", "exact"]))
def test_f1_is_symmetric_and_one_only_for_equal_answers(pair: SpanPair, name: MetricName) -> None:
    """Swapping answer and gold swaps precision and recall."""
    length, answer, gold = pair
    one, other = tags(answer, length), tags(gold, length)
    got, swapped = score(one, other, name), score(other, one, name)

    assert got.f1 == pytest.approx(swapped.f1)
    assert got.precision == pytest.approx(swapped.recall)
    assert (got.f1 == 1) == (one == other)


@given(span_pairs(), st.permutations(LABELS.names), st.sampled_from(NAMES))
def test_scores_do_not_depend_on_the_names_of_labels(
    pair: SpanPair, names: list[str], name: MetricName
) -> None:
    """Rename all labels on both sides."""
    length, *sides = pair
    rename = dict(zip(LABELS.names, names, strict=True))
    renamed = [tuple(Span(s.start, s.end, rename[s.label]) for s in side) for side in sides]
    one = score(tags(sides[0], length), tags(sides[1], length), name, average="macro")
    other = score(tags(renamed[0], length), tags(renamed[1], length), name, average="macro")

    assert one == pytest.approx(other)


def test_nothing_against_nothing_scores_what_it_is_told() -> None:
    """1 by default, 0 in the paper's code; tokens always agree on O."""
    nothing = ["O", "O"]

    assert score(nothing, nothing).f1 == 1.0
    assert score(nothing, nothing, empty=0.0).f1 == 0.0
    assert score(nothing, nothing, "token", average="macro", empty=0.0).f1 == 1.0


def test_the_two_traps_in_the_authors_proportional_score() -> None:
    """One answer over two golds: precision 1.5 with theirs, at most 1 with ours."""
    answer, gold = ["B-PER", "I-PER", "I-PER", "O"], ["B-PER", "O", "B-PER", "I-PER"]

    assert score(answer, gold, "proportional:authors") == (1.5, 0.75, 1.0)
    assert score(answer, gold, "proportional") == pytest.approx((1.0, 0.75, 6 / 7))
    assert score(["B-PER"] + ["I-PER"] * 3, ["O", "B-PER", "I-PER", "O"], "proportional").f1 == 1


def test_the_running_example_of_the_paper() -> None:
    """Appendix D: shifting by one halves the first span and leaves F1 0.75 in all."""
    gold = ["O"] * 3 + ["B-NEG", "I-NEG"] + ["O"] * 6 + ["B-POS", "I-POS", "I-POS", "O", "O"]
    shifted = ["O"] * 4 + ["B-NEG", "I-NEG"] + ["O"] * 5 + ["B-POS", "I-POS", "I-POS", "O", "O"]
    away = ["O"] * 5 + ["B-NEG", "I-NEG"] + ["O"] * 4 + ["B-POS", "I-POS", "I-POS", "O", "O"]

    assert score(shifted, gold, "proportional").f1 == 0.75
    assert score(away, gold, "proportional").f1 == 0.5


@given(datasets(gold=True), st.sampled_from(NAMES))
def test_pools_of_workers_hold_exactly_their_answers(data: Dataset, name: MetricName) -> None:
    """A worker's pool equals pooling the rows by hand."""
    metric = Metric(name)
    got = worker_scores(data, metric)

    for worker in range(len(data.workers)):
        rows = np.flatnonzero(data.answers.worker == worker)
        alone = metric.pool(
            data.answers.codes.take(rows), data.gold.take(data.answers.sentence[rows])
        )
        assert tuple(got[worker]) == pytest.approx(alone)


@given(datasets())
def test_answers_without_gold_have_no_score(data: Dataset) -> None:
    """NaN there, and only there."""
    got = answer_scores(data, Metric("exact"))

    known = data.has_gold[data.answers.sentence]
    assert (~np.isnan(got[:, 2])).tolist() == known.tolist()


def test_what_cannot_be_scored_is_refused() -> None:
    """Different lengths, different numbers, unknown names."""
    two, three = Ragged.of([[0, 1]]), Ragged.of([[0, 1, 0]])

    with pytest.raises(SpancrewError, match="2 tokens cannot be scored against a gold of 3"):
        Metric().pairs(two, three)
    with pytest.raises(SpancrewError, match="2 answers cannot be scored against 1 golds"):
        Metric().pairs(Ragged.of([[0], [0]]), Ragged.of([[0]]))
    with pytest.raises(SpancrewError, match="metric 'f2' is not known"):
        Metric("f2")  # type: ignore[arg-type]
    with pytest.raises(SpancrewError, match="average 'mean' is not known"):
        Metric("exact", "mean")  # type: ignore[arg-type]


def test_two_hundred_labels_are_scored_too() -> None:
    """Codes of two bytes go through the same kernels."""
    labels = LabelSet(tuple(f"L{k:03}" for k in range(200)))
    rows = Ragged.of([encode([Span(0, 2, "L199")], 3, labels).tolist()], labels.dtype)

    assert Metric("exact", "macro").pool(rows, rows).f1 == 1.0
