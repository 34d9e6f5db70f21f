"""The answers that the authors' experiments ran on: who gets which candidate."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.augment import mean_scores, word_starts
from spancrew.core import Answer, Dataset, Ragged, Sentence, Span, is_valid
from spancrew.errors import SpancrewError
from spancrew.experiments import paper_workers
from spancrew.experiments._authors_answers import (
    CandidateScores,
    RunningAverage,
    authors_answers,
    word_borders,
)
from spancrew.formats import read
from spancrew.metrics import Metric, worker_scores
from tests.spread import often
from tests.strategies import datasets

PROPORTIONAL = Metric("proportional:authors", empty=0.0)
EXACT = Metric("exact", "macro", empty=0.0)
TOKEN = Metric("token", "macro")


def test_equal_scores_are_settled_by_exact_f1() -> None:
    """All three cover the gold span; the exact one stands for their score."""
    gold = np.array([0, 3, 0, 0], np.uint8)
    wide = np.array([[3, 4, 0, 0], [0, 3, 0, 0], [0, 3, 4, 0], [0, 0, 3, 0]], np.uint8)
    offer = CandidateScores(wide, gold, PROPORTIONAL, np.uint64(5))

    assert offer.scores.tolist() == [0.0, 1.0]
    assert offer.answers(np.array([1, 0, 1])).tolist() == wide[[1, 3, 1]].tolist()


def test_equal_answers_are_drawn() -> None:
    """Another stream draws another one."""
    gold = np.array([0, 0, 3, 0, 0], np.uint8)
    wrong = np.eye(5, dtype=np.uint8)[[0, 1, 3, 4]]
    drawn = [
        CandidateScores(wrong, gold, EXACT, np.uint64(k)).answers(np.array([0]))[0].tolist()
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
    targets = dict.fromkeys(("ada", "bo", "cy", "new"), 0.6)
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


@pytest.mark.long
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
@pytest.mark.parametrize("metric", often([TOKEN], [EXACT, TOKEN]))
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
