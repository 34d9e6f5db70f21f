"""Formats with a text, a list of spans for each worker, and no place for details."""

import pytest
from hypothesis import given

from spancrew.core import Dataset
from spancrew.formats import ReadOptions, formats
from tests.formats.drawn import full_datasets, gold_of, spans_of


@pytest.mark.parametrize("name", ["doccano", "argilla"])
@given(dataset=full_datasets())
def test_sentences_gold_and_spans_come_back_exactly(
    name: str, dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Odd tokens, meta and names of workers survive; times and sources are reported."""
    path = tmp_path_factory.mktemp(name) / "data"
    lost = formats()[name].write(dataset, path)
    back, repairs = formats()[name].read(path, ReadOptions())
    columns = (dataset.answers.seconds, dataset.answers.at, dataset.answers.source)

    assert back.sentences == dataset.sentences
    assert gold_of(back) == gold_of(dataset)
    assert spans_of(back) == spans_of(dataset)
    assert repairs == ()
    assert any("seconds" in r.what for r in lost) == any(c is not None for c in columns)
