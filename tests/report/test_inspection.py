"""What an inspection says."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.formats import read
from spancrew.report import Inspection, inspect
from tests.strategies import datasets

SENTENCE = Sentence.from_tokens("s1", ["Ana", "left", "Rome", "early"])


@given(datasets())
def test_every_data_set_can_be_inspected_and_printed_as_json(data: Dataset) -> None:
    """With or without gold, answers, agreement; no NaN ever reaches the JSON."""
    record = json.loads(json.dumps(inspect("x", data).as_json(), allow_nan=False))

    assert record["sentences"] == len(data)
    assert record["answers"] == len(data.answers)
    assert (record["errors"] is None) == (not data.has_gold[data.answers.sentence].any())


def test_the_demo_shows_what_it_was_made_for() -> None:
    """Thirty workers of very different skill, imbalanced work, every kind of error."""
    inspection = inspect("demo", read("demo").dataset)
    best, worst = inspection.worker_rows[0], inspection.worker_rows[-1]

    assert inspection.answers_per_worker is not None
    assert inspection.errors is not None
    assert inspection.answers_per_worker.cv > 0.8
    assert best.scores["exact"] is not None
    assert worst.scores["exact"] is not None
    assert best.scores["exact"].f1 > 0.9
    assert worst.scores["exact"].f1 < 0.3
    assert all(inspection.errors.kinds.values())
    assert [example.kind for example in inspection.errors.examples] == [
        "shift",
        "expand",
        "shrink",
    ]


def test_examples_are_the_clearest_of_their_kind() -> None:
    """An answer with that error alone is preferred to one with more errors."""
    gold = [Span(0, 1, "PER"), Span(2, 3, "LOC")]
    messy = Answer("s1", "messy", (Span(2, 4, "LOC"),))
    clear = Answer("s1", "clear", (Span(0, 1, "PER"), Span(2, 4, "LOC")))
    inspection = inspect("x", Dataset.of([SENTENCE], {"s1": gold}, [messy, clear]))

    assert inspection.errors is not None
    assert [(e.kind, e.worker) for e in inspection.errors.examples] == [
        ("expand", "clear"),
        ("missed", "messy"),
    ]


def test_repairs_are_counted_by_kind_with_the_first_of_each() -> None:
    """Overlaps have a figure of their own in the JSON."""
    repairs = [("tag", "one"), ("overlap", "two"), ("tag", "three")]
    inspection = inspect("x", Dataset.of([SENTENCE]), repairs)

    assert [(r.kind, r.count, r.first) for r in inspection.repairs] == [
        ("tag", 2, "one"),
        ("overlap", 1, "two"),
    ]
    assert inspection.as_json()["overlapping_spans_left_out"] == 1


@given(datasets())
def test_the_histogram_holds_every_sentence_with_an_agreement(data: Dataset) -> None:
    """Nothing falls between two bars."""
    inspection = inspect("x", data)
    several = int((data.answers.per_sentence >= 2).sum())

    for row in (inspection.agreement or {}).values():
        assert sum(count for _, count in row.histogram) == several


def real(path: Path) -> Inspection:
    """Inspect a real data set."""
    dataset, repairs = read(path)
    return inspect(path.name, dataset, [(r.kind, r.what) for r in repairs])


@pytest.mark.realdata
def test_conll_has_the_figures_of_table_1(real_data: Path) -> None:
    """The paper's Table 1, to the last digit it prints."""
    record = real(real_data / "conll-crowd" / "collected.json").as_json()
    work = record["answers_per_worker"]

    assert (record["sentences"], record["workers"], record["answers"]) == (4580, 47, 16475)
    assert (work["max"], work["min"], work["range"], work["median"]) == (1626, 48, 1578, 230)
    assert work["mean"] == pytest.approx(350.5, abs=0.05)
    assert work["sd"] == pytest.approx(328.01, abs=0.005)
    assert work["variance"] == pytest.approx(107589.34, abs=0.005)
    assert work["cv"] == pytest.approx(0.9357, abs=0.00005)


@pytest.mark.realdata
def test_oei_is_read_with_its_gold_and_has_the_known_share_of_errors(real_data: Path) -> None:
    """The paper says 74.80 % of the answers of the whole data set have errors."""
    inspection = real(real_data / "oei" / "dev-crowd.json")

    assert inspection.sentences == inspection.sentences_with_gold == 803
    assert inspection.errors is not None
    assert inspection.errors.share_of_wrong_answers == pytest.approx(0.733, abs=0.0005)
    assert inspection.errors.share_of_very_long_spans > 0.01
    assert np.isclose(inspection.span_length or 0, 5.0, atol=0.05)
