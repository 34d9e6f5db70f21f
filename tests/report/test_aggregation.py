"""What is said of final labels, as values, as JSON and as a page."""

import json

import numpy as np
import pytest

from spancrew.consensus import Aggregated, MajorityVote, aggregate
from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.formats import read
from spancrew.metrics import Metric, worker_scores
from spancrew.report import Aggregation, aggregation_page, aggregation_sentences, summarise

PER, LOC = Span(0, 1, "PER"), Span(2, 3, "LOC")


def small(gold: dict[str, list[Span]]) -> Aggregated:
    """Return three sentences with answers and one without, joined."""
    sentences = [
        Sentence.from_tokens(f"s{k}", ["Ana", "<left>", "Rome", "&"]) for k in range(1, 5)
    ]
    answers = [
        Answer("s1", "ada", (PER,)),
        Answer("s1", "bo", (PER,)),
        Answer("s2", "ada", (PER, LOC)),
        Answer("s2", "bo", (PER,)),
        Answer("s3", "ada", ()),
        Answer("s3", "cy", (LOC,)),
    ]
    return aggregate(Dataset.of(sentences, gold, answers), MajorityVote(), ["cy"])


def shown(found: Aggregated, *, gold_is_trusted: bool = False) -> Aggregation:
    """Return the summary."""
    return summarise("tiny", "mv", found, 0.25, gold_is_trusted=gold_is_trusted)


def test_counts_are_those_of_the_final_labels() -> None:
    """By label, by who decided, and of the crowd's answers only."""
    found = shown(small({}))

    assert found.labels == {"LOC": 2, "PER": 2}
    assert (found.sentences, found.answers) == (4, 5)
    assert (found.expert_sentences, found.sentences_without_answers) == (1, 1)
    assert [row.worker for row in found.workers] == ["bo", "ada"]


def test_without_gold_there_are_no_scores() -> None:
    """Null in JSON, and nothing to compare confidence with."""
    record = json.loads(json.dumps(shown(small({})).as_json(), allow_nan=False))

    assert record["exact"] is None
    assert record["scored_sentences"] == 0
    assert record["confidence"]["right"] is None
    assert record["confidence"]["calibration_error"] is None
    assert all(row["f1"] is None for row in record["workers"])


def test_scores_are_those_of_the_metrics() -> None:
    """Of the sentences with gold, as one pool, the one without answers among them."""
    joined = small({"s1": [PER], "s2": [PER], "s4": [LOC]})
    found = shown(joined)
    rows = np.array([0, 1, 3])
    pooled = Metric("exact").pool(joined.finals.codes.take(rows), joined.dataset.gold.take(rows))

    assert found.scores["exact"] == pooled
    assert found.scored_sentences == 3
    assert found.as_json()["exact"] == {
        "p": pooled.precision,
        "r": pooled.recall,
        "f1": pooled.f1,
    }


def test_gold_that_was_trusted_scores_nothing() -> None:
    """It would be compared with itself."""
    assert shown(small({"s1": [PER]}), gold_is_trusted=True).scores["exact"] is None


def test_certainty_counts_the_sentences_that_the_crowd_decided() -> None:
    """One with confidence 1 and one below, both of which gold can judge."""
    sure = shown(small({"s1": [PER], "s2": [PER]})).confidence

    assert sum(sure.counts) == 2
    assert sure.counts[-1] == 1
    assert sure.right is not None
    assert (sum(sure.right), sure.right[-1]) == (1, 1)
    assert sure.calibration_error is not None


def test_the_calibration_error_is_the_mean_distance_over_tenths() -> None:
    """Weighted by the sentences in each, checked by hand on the bundled data."""
    joined = aggregate(read("demo").dataset, MajorityVote())
    confidence = joined.finals.confidence
    gold = joined.dataset.gold
    right = np.array([np.array_equal(joined.finals.codes[k], gold[k]) for k in range(len(gold))])
    off = 0.0
    for low in range(10):
        high = 1.01 if low == 9 else (low + 1) / 10
        inside = (confidence >= low / 10) & (confidence < high)
        if inside.any():
            off += inside.mean() * abs(confidence[inside].mean() - right[inside].mean())

    found = shown(joined).confidence
    assert found.calibration_error == pytest.approx(off)
    assert found.right is not None
    assert sum(found.right) == right.sum()


def test_the_least_sure_sentences_come_first() -> None:
    """Never more than ten, and none that an expert decided or nobody answered."""
    assert [row.sentence for row in shown(small({})).least_sure] == ["s2", "s1"]

    rows = shown(aggregate(read("demo").dataset, MajorityVote())).least_sure
    assert len(rows) == 10
    assert [row.confidence for row in rows] == sorted(row.confidence for row in rows)


def test_workers_have_their_f1_where_there_is_gold() -> None:
    """Beside what is expected of them."""
    dataset = read("demo").dataset
    rows = shown(aggregate(dataset, MajorityVote())).workers
    truth = dict(zip(dataset.workers, worker_scores(dataset, Metric("exact"))[:, 2], strict=True))

    assert {row.worker: row.f1 for row in rows} == truth
    assert [row.reliability for row in rows] == sorted(
        (row.reliability for row in rows), reverse=True
    )


def test_a_sentence_in_words_says_who_decided() -> None:
    """And what nobody answered."""
    words = " ".join(aggregation_sentences(shown(small({}))))

    assert "4 spans: LOC 2, PER 2." in words
    assert "1 sentence decided by experts (25%)." in words
    assert "1 sentence without answers" in words


@pytest.mark.parametrize("gold", [{}, {"s1": [PER]}, {"s1": [PER], "s2": [PER], "s3": []}])
def test_the_page_holds_everything_and_escapes_it(gold: dict[str, list[Span]]) -> None:
    """With or without gold."""
    page = aggregation_page(shown(small(gold)))

    for part in ("final labels by mv", "How sure", "Reliability", "&lt;left&gt;", "bo"):
        assert part in page
    assert "<left>" not in page
    assert ("no gold to compare" in page) == (not gold)


def test_a_page_of_many_workers_draws_the_best_and_the_worst() -> None:
    """The table has them all."""
    answers = [Answer("s1", f"w{k}", (PER,) if k % 3 else ()) for k in range(200)]
    dataset = Dataset.of([Sentence.from_tokens("s1", ["Ana", "left"])], {}, answers)
    page = aggregation_page(shown(aggregate(dataset, MajorityVote())))

    assert page.count("w199") >= 1
    assert page.count("</tr>") >= 200


def test_everything_decided_by_experts_is_no_exception() -> None:
    """There is nothing to be sure or unsure of."""
    sentence = Sentence.from_tokens("s1", ["Ana", "left"])
    dataset = Dataset.of([sentence], {"s1": [PER]}, [Answer("s1", "ada", (PER,))])
    joined = aggregate(dataset, MajorityVote(), trust_gold=True)
    found = shown(joined, gold_is_trusted=True)

    assert found.expected_f1 is None
    assert found.confidence.mean is None
    assert found.least_sure == []
    assert "100%" in aggregation_page(found)


def test_answers_without_spans_are_no_exception() -> None:
    """Nobody marked anything, and that is all there is to say."""
    sentence = Sentence.from_tokens("s1", ["Ana", "left"])
    found = shown(aggregate(Dataset.of([sentence], {}, [Answer("s1", "ada")]), MajorityVote()))

    assert list(aggregation_sentences(found)) == ["No spans."]
    assert found.confidence.mean == 1
    assert (found.workers[0].low, found.workers[0].high) == (0, 1)
