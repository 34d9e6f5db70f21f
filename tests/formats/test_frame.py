"""DataFrames are tables like any other: what goes in comes out again."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings

from spancrew.core import Dataset, Span
from spancrew.errors import FormatError
from spancrew.formats import frame_of, is_frame, read
from tests.formats.drawn import answers_of, finals_of, full_datasets, gold_of
from tests.spread import often

PER, LOC = Span(0, 1, "PER"), Span(2, 3, "LOC")


@settings(max_examples=often(15, 40))
@given(dataset=full_datasets())
def test_a_data_set_comes_back_exactly_from_its_frame(dataset: Dataset) -> None:
    """Odd tokens, meta of any kind, names of workers, times and sources survive."""
    back, repairs = read(frame_of(dataset))

    assert back.sentences == dataset.sentences
    assert gold_of(back) == gold_of(dataset)
    assert finals_of(back) == finals_of(dataset)
    assert answers_of(back) == answers_of(dataset)
    assert repairs == ()


def test_polars_reads_as_pandas_does() -> None:
    """Lists of objects and missing cells among them."""
    frame = frame_of(read("demo").dataset)

    assert read(pl.from_pandas(frame)) == read(frame)


def test_the_index_is_a_column_if_it_has_a_name() -> None:
    """As after a group or a pivot."""
    frame = pd.DataFrame({"id": ["a", "b"], "text": ["Ana left", "Bo slept"]})

    assert read(frame.set_index("id")) == read(frame)
    assert read(frame.set_index("id", drop=False)) == read(frame)
    assert read(frame[["text"]]).dataset.sentences.ids == ("1", "2")


def test_a_column_for_each_worker_may_hold_lists_or_json() -> None:
    """A missing cell is no answer, an empty list is one without spans."""
    frame = pd.DataFrame(
        {
            "text": ["Ana left Rome", "It rained"],
            "ana": [[[0, 3, "PER"]], None],
            "bo": ['[{"start": 9, "end": 13, "label": "LOC"}]', "[]"],
        }
    )
    dataset, repairs = read(frame)
    given_ = {key: answer.spans for key, answer in answers_of(dataset).items()}

    assert given_ == {("1", "ana"): (PER,), ("1", "bo"): (LOC,), ("2", "bo"): ()}
    assert repairs == ()


def test_values_of_numpy_pandas_and_polars_become_plain() -> None:
    """Whole numbers stay whole where pandas has made them floats; times are ISO 8601."""
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    columns = {"text": ["Ana", "Bo"], "n": [1, None], "when": [moment, None], "share": [0.5, 1.0]}
    pandas = pd.DataFrame(columns)
    pandas["tags"] = [np.array([1, 2]), np.array([])]
    pandas["flag"] = pd.array([True, None], dtype="boolean")
    meta = [dict(sentence.meta) for sentence in read(pandas).dataset.sentences]
    same = [dict(sentence.meta) for sentence in read(pl.DataFrame(columns)).dataset.sentences]

    when = {"when": "2026-01-02T00:00:00+00:00"}
    assert meta[0] == {"n": 1, "share": 0.5, "tags": [1, 2], "flag": True} | when
    assert meta[1] == {"share": 1.0, "tags": []}
    assert same == [{"n": 1, "share": 0.5} | when, {"share": 1.0}]
    assert isinstance(meta[0]["n"], int)


def test_an_error_names_the_row() -> None:
    """Counted from 1, as there is no file."""
    frame = pd.DataFrame({"text": ["Ana"], "worker": ["bo"], "spans": ["none"]})

    with pytest.raises(FormatError, match=r"DataFrame, row 1: found column 'spans': 'none'"):
        read(frame, columns={"spans": "spans"})
    with pytest.raises(FormatError, match="two columns are called 'text'"):
        read(pd.DataFrame([["a", "b"]], columns=["text", "text"]))
    with pytest.raises(FormatError, match=r"found a LazyFrame; expected .* collect\(\)"):
        read(pl.LazyFrame({"text": ["Ana"]}))


def test_only_frames_are_frames() -> None:
    """Without importing either package."""
    assert is_frame(pd.DataFrame())
    assert is_frame(pl.DataFrame())
    assert not is_frame(pd.Series([1]))
    assert not is_frame({"columns": 1})
