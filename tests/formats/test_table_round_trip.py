"""Tables of every kind: what was written comes back exactly."""

import pytest
from hypothesis import given, settings

from spancrew.core import Dataset
from spancrew.formats import ReadOptions, formats
from tests.formats.drawn import answers_of, finals_of, full_datasets, gold_of
from tests.spread import often

KINDS = {"csv": "data.csv", "json": "data.json", "xlsx": "data.xlsx", "parquet": "data.parquet"}


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=often(15, 40))
@given(dataset=full_datasets())
def test_sentences_gold_answers_and_final_labels_come_back_exactly(
    name: str, dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Odd tokens, line ends, meta of any kind, names of workers, times and sources survive."""
    path = tmp_path_factory.mktemp("table") / KINDS[name]
    table = formats()[name]
    table.write(dataset, path)
    back, repairs = table.read(path, ReadOptions())

    assert back.sentences == dataset.sentences
    assert gold_of(back) == gold_of(dataset)
    assert finals_of(back) == finals_of(dataset)
    assert answers_of(back) == answers_of(dataset)
    assert repairs == ()
