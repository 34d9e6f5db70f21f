"""Soft labels and confidence in the formats that train models."""

import json
from pathlib import Path

import numpy as np
import pytest

from spancrew.consensus import aggregate, soft_labels
from spancrew.core import Dataset
from spancrew.errors import FormatError
from spancrew.formats import read, write


@pytest.fixture(scope="module")
def labelled() -> Dataset:
    """Return a few sentences with final labels, some of them by an expert."""
    return aggregate(read("demo").dataset.take(np.arange(40)), "mv", ["ada"]).dataset


@pytest.mark.parametrize("name", ["soft.conll", "soft.spacy", "soft.hf"])
def test_soft_labels_change_nothing_else(labelled: Dataset, name: str, tmp_path: Path) -> None:
    """Read again, the file is as it is without them, and nothing is reported."""
    write(labelled, tmp_path / name, soft=True)
    (tmp_path / "plain").mkdir()
    write(labelled, tmp_path / "plain" / name)

    assert read(tmp_path / name) == read(tmp_path / "plain" / name)
    assert read(tmp_path / name).repairs == ()


def test_conll_has_confidence_and_soft_labels_between_token_and_tag(
    labelled: Dataset, tmp_path: Path
) -> None:
    """The confidence in the span, on each of its tokens."""
    write(labelled, tmp_path / "soft.conll", soft=True)
    lines = (tmp_path / "soft.conll").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line]
    soft, tags = soft_labels(labelled), labelled.labels.tags
    assert labelled.finals is not None
    sure = labelled.finals.by_token

    assert len(rows) == len(soft)
    for row, probabilities, confidence in zip(rows, soft, sure, strict=True):
        known = {tag: p for tag, p in zip(tags, probabilities.round(4), strict=True) if p}
        assert json.loads(row[2]) == known
        assert row[1] == ("_" if row[3] == "O" else f"{confidence:.4f}".rstrip("0").rstrip("."))


def test_spacy_has_a_row_for_every_word(labelled: Dataset, tmp_path: Path) -> None:
    """Under one name in the user data."""
    import spacy

    write(labelled, tmp_path / "soft.spacy", soft=True)
    docs = spacy.tokens.DocBin().from_disk(tmp_path / "soft.spacy").get_docs(spacy.vocab.Vocab())
    rows = [row for doc in docs for row in doc.user_data["soft"]["tokens"]]

    assert np.allclose(rows, soft_labels(labelled), atol=1e-4)


def test_huggingface_has_a_column(labelled: Dataset, tmp_path: Path) -> None:
    """In the order of the tags."""
    import datasets

    write(labelled, tmp_path / "soft.hf", soft=True)
    table = datasets.load_from_disk(str(tmp_path / "soft.hf"))
    rows = [row for sentence in table["soft"] for row in sentence]

    assert table.features["tags"].feature.names == list(labelled.labels.tags)
    assert np.allclose(rows, soft_labels(labelled), atol=1e-4)


def test_other_formats_refuse_soft_labels(labelled: Dataset, tmp_path: Path) -> None:
    """And name those that have a place for them."""
    with pytest.raises(FormatError, match=r"'csv' has no place .* conll, .*huggingface"):
        write(labelled, tmp_path / "soft.csv", soft=True)
    assert not (tmp_path / "soft.csv").exists()
