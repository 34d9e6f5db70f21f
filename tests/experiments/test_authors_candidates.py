"""The authors' candidates and the answers made from them, against what their code is known to do."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.augment import mean_scores, word_starts
from spancrew.core import (
    Answer,
    BoolArray,
    Dataset,
    IntArray,
    LabelSet,
    Ragged,
    Sentence,
    Span,
    decode,
    encode,
    is_valid,
    span_table,
)
from spancrew.errors import SpancrewError
from spancrew.experiments import paper_workers
from spancrew.experiments._authors_candidates import authors_candidates
from spancrew.experiments._authors_choice import Offer, RunningAverage
from spancrew.experiments._authors_matrix import authors_answers, miscounted, word_borders
from spancrew.formats import read
from spancrew.metrics import Metric, worker_scores
from tests.strategies import datasets, span_sets

TYPES = LabelSet(("LOC", "MISC", "ORG", "PER"))
POLES = LabelSet(("NEG", "POS"))
PROPORTIONAL = Metric("proportional:authors", empty=0.0)
EXACT = Metric("exact", "macro", empty=0.0)
TOKEN = Metric("token", "macro")

Variant = tuple[int, int, str]


def rows(spans: tuple[Span, ...], labels: LabelSet) -> IntArray:
    """Return spans as rows of numbers."""
    numbers = [(span.start, span.end, labels.id(span.label)) for span in spans]
    return np.array(numbers, np.int64).reshape(-1, 3)


def of_words(text: str, *gold: Span, seed: int = 0) -> set[tuple[Span, ...]]:
    """Return the candidates of an English sentence."""
    borders = miscounted(np.array([len(word) for word in text.split()]))
    found = authors_candidates(rows(gold, TYPES), borders, TYPES, (seed, 0))
    return {decode(row, TYPES) for row in found}


def naive(gold: tuple[Span, ...], borders: BoolArray, cap: int) -> set[tuple[Variant, ...]]:
    """List the candidates once more, with lists and sets; the other label is the only other one."""
    lists: list[tuple[Variant, ...]] = [()]
    for i, span in enumerate(gold):
        right = gold[i + 1].start - (i > 0) if i + 1 < len(gold) else len(borders) - 1
        longer: list[tuple[Variant, ...]] = []
        for begun in lists:
            left = begun[-1][1] if begun else 0
            for way in ways(span, borders, left, right):
                for variant in way:
                    longer.append((*begun, variant))
                    if i > 0 and len(longer) > cap:
                        break
            if i > 0 and len(longer) > cap:
                break
        lists = longer
    return {spans for spans in lists if any(start < end for start, end, _ in spans)}


def ways(
    span: Span, borders: BoolArray, left: int, right: int
) -> tuple[Iterator[Variant], Iterator[Variant], Iterator[Variant]]:
    """Return what becomes of a span by shifting, by expanding and by shrinking."""
    at = np.flatnonzero(borders).tolist()

    def forth(place: int, most: int) -> int:
        return min([b for b in at if b > place] + [most])

    def back(place: int, least: int) -> int:
        word = max(b for b in at if b <= place)
        return max([b for b in at if b < word] + [least]) if word > least else least

    def shifted() -> Iterator[Variant]:
        yield span.start, span.end, span.label
        yield span.start, span.end, "POS" if span.label == "NEG" else "NEG"
        start, end = span.start, span.end
        while start < span.end:
            start, end = min(forth(start, right), right), min(forth(end, right), right)
            yield start, end, span.label
        start, end = span.start, span.end
        while end > span.start:
            start, end = max(back(start, left), left), max(back(end, left), left)
            yield start, end, span.label

    def expanded() -> Iterator[Variant]:
        end = span.end
        while end < right:
            end = min(forth(end, right), right)
            yield span.start, end, span.label
        start = span.start
        while start > left:
            start = max(back(start, left), left)
            yield start, span.end, span.label

    def shrunk() -> Iterator[Variant]:
        start = forth(span.start, span.end)
        while start < span.end:
            yield start, span.end, span.label
            start = forth(start, span.end)
        end = back(span.end, span.start)
        while end > span.start + 1:
            yield span.start, end, span.label
            end = back(end, span.start)

    return shifted(), expanded(), shrunk()


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[Span, ...], BoolArray]:
    """Draw gold spans with two labels and the borders of words."""
    length = draw(st.integers(1, 9))
    gold = draw(span_sets(length, POLES).filter(bool))
    inner = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    return gold, np.array([True, *inner])


def test_a_word_is_as_many_tokens_as_it_has_characters() -> None:
    """The example that was run through the authors' code: five candidates."""
    text = "The European Commission said on Thursday it disagreed"
    found = of_words(text, Span(1, 3, "ORG"))
    flipped = {spans for spans in found if spans[0].label != "ORG"}

    assert len(found) == 5
    assert [(span.start, span.end) for (span,) in flipped] == [(1, 3)]
    assert found - flipped == {(Span(a, b, "ORG"),) for a, b in ((1, 3), (0, 3), (1, 8), (3, 8))}


def test_words_of_one_letter_are_stepped_over_one_by_one() -> None:
    """The same gold has thirteen candidates then; none is shrunk to its first token."""
    found = of_words("a b c d e f g h", Span(1, 3, "ORG"))

    assert len(found) == 13
    assert (Span(2, 3, "ORG"),) in found
    assert (Span(1, 2, "ORG"),) not in found
    assert (Span(0, 1, "ORG"),) in found


def test_a_step_to_the_left_leaves_the_word_it_starts_in() -> None:
    """From inside the second word the first is reached, not the start of the second."""
    found = of_words("ab cd e f g h", Span(3, 4, "ORG"))

    assert (Span(0, 4, "ORG"),) in found
    assert (Span(2, 4, "ORG"),) not in found


def test_a_neighbour_that_follows_at_once_leaves_few_candidates() -> None:
    """The shift that cannot end fills the level; the same spans a token apart have many more."""
    touching = of_words("a b c d e f g h", *(Span(k, k + 1, "ORG") for k in (1, 3, 4, 6)))
    apart = of_words("a b c d e f g h", *(Span(k, k + 1, "ORG") for k in (0, 2, 4, 6)))

    assert len(touching) < 60
    assert len(apart) > 500


def test_a_single_label_has_no_other() -> None:
    """Only the borders vary."""
    labels = LabelSet(("ORG",))
    found = authors_candidates(
        rows((Span(0, 1, "ORG"),), labels), np.ones(3, bool), labels, (0, 0)
    )

    assert sorted(map(tuple, found.tolist())) == [(0, 1), (1, 0), (1, 2)]


@given(cases(), st.sampled_from([5, 40, 1000]))
def test_candidates_are_those_of_a_naive_list(
    case: tuple[tuple[Span, ...], BoolArray], cap: int
) -> None:
    """Whatever the cap; lists of spans differ where their codes may not."""
    gold, borders = case
    found = authors_candidates(rows(gold, POLES), borders, POLES, (0, 0), cap)
    expected = [
        encode((Span(*v) for v in spans if v[0] < v[1]), len(borders) - 1, POLES).tolist()
        for spans in naive(gold, borders, cap)
    ]

    assert sorted(found.tolist()) == sorted(expected)


@given(cases(), st.integers(0, 5))
def test_candidates_are_answers(case: tuple[tuple[Span, ...], BoolArray], seed: int) -> None:
    """Inside the sentence, never overlapping, never empty; gold is one; a seed fixes them."""
    gold, borders = case
    spans = tuple(Span(s.start, s.end, "PER" if s.label == "POS" else "LOC") for s in gold)
    found = authors_candidates(rows(spans, TYPES), borders, TYPES, (seed, 7), 500)
    again = authors_candidates(rows(spans, TYPES), borders, TYPES, (seed, 7), 500)

    assert found.any(axis=1).all()
    assert all(is_valid(row, TYPES) for row in found)
    assert encode(spans, len(borders) - 1, TYPES).tolist() in found.tolist()
    assert max(int((row % 2).sum()) for row in found) <= len(gold)
    assert np.array_equal(found, again)


def test_labels_are_drawn_for_each_sequence_before() -> None:
    """Every other label turns up; another seed draws others."""
    text, gold = "a b c d e f g h", (Span(1, 2, "ORG"), Span(4, 5, "ORG"))
    found = of_words(text, *gold)
    second = {spans[-1].label for spans in found if spans[-1].end == 5 and len(spans) == 2}

    assert second == {"ORG", "LOC", "MISC", "PER"}
    assert found != of_words(text, *gold, seed=1)


def test_equal_scores_are_settled_by_exact_f1() -> None:
    """All three cover the gold span; the exact one stands for their score."""
    gold = np.array([0, 3, 0, 0], np.uint8)
    wide = np.array([[3, 4, 0, 0], [0, 3, 0, 0], [0, 3, 4, 0], [0, 0, 3, 0]], np.uint8)
    offer = Offer(wide, gold, PROPORTIONAL, np.uint64(5))

    assert offer.scores.tolist() == [0.0, 1.0]
    assert offer.answers(np.array([1, 0, 1])).tolist() == wide[[1, 3, 1]].tolist()


def test_equal_answers_are_drawn() -> None:
    """Another stream draws another one."""
    gold = np.array([0, 0, 3, 0, 0], np.uint8)
    wrong = np.eye(5, dtype=np.uint8)[[0, 1, 3, 4]]
    drawn = [
        Offer(wrong, gold, EXACT, np.uint64(k)).answers(np.array([0]))[0].tolist()
        for k in range(40)
    ]

    assert len({tuple(row) for row in drawn}) == 4


def test_a_score_on_target_is_both_above_and_below() -> None:
    """Who is above their target steps down, others up; at the ends there is only one way."""
    scores = np.array([0.0, 0.5, 1.0])
    average = RunningAverage(np.array([0.5, 0.6, 0.6, 1.0]))
    everybody = np.arange(4)
    average.count(everybody, np.array([0.9, 0.9, 0.1, 0.5]))

    assert average.choose(scores, everybody).tolist() == [1, 1, 2, 2]
    assert average.choose(np.array([0.7]), everybody).tolist() == [0, 0, 0, 0]


@given(datasets(gold=True), st.sampled_from([PROPORTIONAL, EXACT, TOKEN]))
def test_every_worker_answers_every_sentence(dataset: Dataset, metric: Metric) -> None:
    """Real answers stay where they are; those made are valid and marked."""
    targets = {name: 0.6 for name in ("ada", "bo", "cy", "new")}
    made = authors_answers(dataset, metric, 1, targets)
    real = [k for k in range(len(made.answers)) if made.answer(k).source is None]

    assert len(made.answers) == len(dataset) * len(made.workers)
    assert (
        made.answers.take(np.array(real, int), made.answers.sentence[real], len(dataset)).codes
        == dataset.answers.codes
    )
    assert all(is_valid(row, dataset.labels) for row in made.answers.codes)
    assert made == authors_answers(dataset, metric, 1, targets)
    for sentence in range(len(dataset)):
        assert {a.worker for a in made.answers_on(sentence)} == set(made.workers)


def test_times_and_sources_stay_with_their_answers() -> None:
    """What is made has none; sentences without gold get nothing."""
    sentences = [Sentence.from_tokens(id_, ["Ana", "left", "Rome"]) for id_ in ("a", "b", "c")]
    answers = [Answer("b", "w", (Span(0, 1, "PER"),), 4.0, 9.0, "pilot"), Answer("c", "v")]
    gold = {"a": [Span(0, 1, "PER")], "b": [Span(2, 3, "LOC")]}
    made = authors_answers(Dataset.of(sentences, gold, answers), EXACT, 0, {"w": 0.5, "v": 0.1})
    by_place = {(a.sentence, a.worker): a for s in range(3) for a in made.answers_on(s)}

    assert sorted(by_place) == [("a", "v"), ("a", "w"), ("b", "v"), ("b", "w"), ("c", "v")]
    assert by_place["b", "w"] == answers[0]
    assert by_place["a", "w"].source == "authors"
    assert by_place["a", "w"].seconds is None
    assert by_place["c", "v"] == answers[1]


def test_gold_without_spans_gives_answers_without_spans() -> None:
    """There is nothing to vary."""
    sentences = [Sentence.from_tokens(id_, ["Ana", "left"]) for id_ in ("a", "b")]
    data = Dataset.of(sentences, {"a": [], "b": [Span(0, 1, "PER")]})
    made = authors_answers(data, EXACT, 0, {"w": 0.4})

    assert made.answer(0).spans == ()


def test_words_that_are_known_are_counted_right() -> None:
    """Where tokens are parts of words, borders are those of the words."""
    sentence = replace(Sentence.from_tokens("a", ["x", "y", "z"]), meta={"words": [0, 2]})
    data = Dataset.of([sentence], {"a": [Span(0, 1, "PER")]})

    assert word_borders(data, word_starts(data))[0].tolist() == [True, False, True, True]


def test_what_cannot_be_made_is_refused() -> None:
    """Negative seeds, words of another data set, workers without a target."""
    data = Dataset.of([Sentence.from_tokens("a", ["x", "y"])], {"a": [Span(0, 1, "PER")]})

    with pytest.raises(SpancrewError, match="seed -1: it must be 0 or more"):
        authors_answers(data, EXACT, -1, {"w": 0.5})
    with pytest.raises(SpancrewError, match="word starts are not those of this data set"):
        authors_answers(data, EXACT, 0, {"w": 0.5}, Ragged.of([[1]], bool))
    with pytest.raises(SpancrewError, match="no workers"):
        authors_answers(data, EXACT, 0)


@pytest.mark.realdata
def test_candidates_are_as_many_as_the_authors_code_makes(real_data: Path) -> None:
    """All of CoNLL: total within a thousandth, quantiles and medians by number of spans."""
    data = read(real_data / "conll-crowd" / "collected.json").dataset
    table = span_table(data.gold)
    gold = np.stack([table.start, table.end, table.label], axis=1)
    first = np.searchsorted(table.row, np.arange(len(data) + 1))
    borders = word_borders(data, word_starts(data))
    counts = np.array(
        [
            len(authors_candidates(gold[first[k] : first[k + 1]], borders[k], data.labels, (0, k)))
            for k in range(len(data))
        ]
    )
    spans = np.minimum(np.diff(first), 7)
    medians = [float(np.median(counts[spans == k])) for k in range(1, 8)]

    assert counts.sum() == pytest.approx(5_774_071, rel=1e-3)
    assert np.quantile(counts, [0, 0.1, 0.25, 0.5]).tolist() == [2, 3, 4, 24]
    assert np.quantile(counts, [0.75, 0.9, 0.95]) == pytest.approx([190, 1400, 5600], rel=0.01)
    assert np.quantile(counts, [0.99, 1]) == pytest.approx([30_001, 30_003], abs=1)
    assert (np.sum(counts <= 5), np.sum(counts <= 10)) == (1473, 1997)
    assert (np.sum(counts >= 5000), np.sum(counts >= 29_000)) == (241, 87)
    assert medians[:3] == [4, 32, 254]
    assert medians[3:] == pytest.approx([1400, 11_091, 29_988, 30_002], rel=0.003)
    assert counts[spans == 1].max() == 19


@pytest.mark.realdata
def test_workers_end_as_close_to_their_targets_as_in_the_replay(real_data: Path) -> None:
    """The authors' candidates with Algorithm 2 had 0.016 points on average, 0.237 at most."""
    data = read(real_data / "conll-crowd" / "collected.json").dataset
    made = authors_answers(data, PROPORTIONAL, 1)
    targets = worker_scores(data, PROPORTIONAL)[:, 2]
    error = 100 * np.abs(mean_scores(made, PROPORTIONAL) - targets)

    assert len(made.answers) == 4580 * 47
    assert error.mean() == pytest.approx(0.016, abs=0.004)
    assert np.median(error) == pytest.approx(0.006, abs=0.003)
    assert error.max() == pytest.approx(0.237, abs=0.01)


@pytest.mark.realdata
@pytest.mark.parametrize("metric", [EXACT, TOKEN])
def test_other_metrics_meet_their_targets_too(real_data: Path, metric: Metric) -> None:
    """On every fifth sentence, within half a point on average."""
    data = read(real_data / "conll-crowd" / "collected.json").dataset
    part = data.take(np.arange(0, len(data), 5))
    targets = worker_scores(data, metric)[:, 2]
    made = authors_answers(part, metric, 1, dict(zip(data.workers, targets, strict=True)))
    error = 100 * np.abs(mean_scores(made, metric) - targets)

    assert error.mean() < 0.5


@pytest.mark.realdata
def test_oei_meets_the_printed_targets(real_data: Path) -> None:
    """Exact F1 on some sentences, steps by Chinese words, labels flipped to the opposite."""
    pytest.importorskip("jieba")
    data = read(real_data / "oei" / "train.json").dataset
    part = data.take(np.arange(0, len(data), 20))
    targets = {row.worker: row.original / 100 for row in paper_workers()}
    made = authors_answers(part, EXACT, 1, targets)
    error = 100 * np.abs(mean_scores(made, EXACT) - np.array([targets[w] for w in made.workers]))

    assert len(made.answers) == len(part) * 70
    assert error.max() < 0.5
