"""A tagger in a folder, and what it says of sentences it has never seen."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spancrew.consensus import aggregate
from spancrew.core import Dataset, LabelSet, Ragged, Sentence
from spancrew.errors import FormatError, SpancrewError
from spancrew.formats import SavedTagger, read, read_tagger, write_tagger
from spancrew.tagger import TrainedTagger
from spancrew.workbench import label_dataset, train_tagger
from tests.tagger.fields import probabilities
from tests.tagger.test_field import WORDS, drawn, places

LABELS = LabelSet(("PER", "LOC"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a tagger with random weights."""
    target = tmp_path / "tagger"
    write_tagger(SavedTagger(TrainedTagger(drawn(1)), LABELS, {"sentences": 3}), target)
    return target


@pytest.mark.parametrize("seed", range(4))
def test_the_confidence_is_the_probability_of_the_whole_sequence(seed: int) -> None:
    """As found by going through all of them."""
    words = np.random.default_rng(seed).integers(0, len(WORDS), 4)
    field = drawn(seed)
    every = probabilities(field, places(words), 4)
    found = TrainedTagger(field).tag(Ragged(words, np.array([0, 4])), WORDS)
    codes = tuple(found.codes.values.tolist())

    assert found.confidence[0] == pytest.approx(every[codes], abs=1e-6)
    assert every[codes] == pytest.approx(max(every.values()))


def test_a_tagger_is_the_same_after_it_was_written(folder: Path) -> None:
    """With its labels and what is known of it."""
    saved = read_tagger(folder)

    assert saved.labels == LABELS
    assert saved.about == {"sentences": 3}
    assert np.array_equal(saved.tagger.field.features, drawn(1).features)
    assert np.array_equal(saved.tagger.field.moves, drawn(1).moves)


def test_what_is_no_tagger_is_refused(tmp_path: Path, folder: Path) -> None:
    """A folder that is missing or damaged, or of another version."""
    with pytest.raises(FormatError, match="there is no such folder"):
        read_tagger(tmp_path / "nowhere")
    about = json.loads((folder / "about.json").read_text())
    (folder / "about.json").write_text(json.dumps(about | {"labels": ["PER"]}))
    with pytest.raises(FormatError, match="another version of spancrew"):
        read_tagger(folder)
    (folder / "weights.npz").write_bytes(b"nonsense")
    with pytest.raises(FormatError, match="this is no tagger"):
        read_tagger(folder)


def test_a_tagger_is_tested_on_sentences_it_was_not_trained_on() -> None:
    """Where there is gold: tested on its own sentences it would look far better."""
    found = aggregate(read("demo").dataset, "mv")
    tagger, held_out = train_tagger(found)
    labelled = label_dataset(found.dataset, tagger, found.dataset.labels)

    assert held_out is not None
    assert 0.6 < held_out.f1 < 0.9
    assert labelled.finals is not None
    same = labelled.finals.codes.values == found.finals.codes.values
    assert same.mean() > 0.95
    assert set(labelled.finals.by) == {"tagger"}


def test_a_tagger_without_gold_is_not_tested() -> None:
    """It is trained all the same."""
    dataset = read("demo").dataset
    none = Ragged(dataset.gold.values[:0], np.zeros(len(dataset) + 1, np.int64))
    _, held_out = train_tagger(aggregate(replace(dataset, gold=none), "mv"))

    assert held_out is None


def test_data_with_other_labels_are_refused() -> None:
    """Their codes would mean something else."""
    dataset = Dataset.of([Sentence.from_tokens("s1", ["Ana"])], labels=LabelSet(("PER",)))
    with pytest.raises(SpancrewError, match="read the data with the labels of the tagger"):
        label_dataset(dataset, TrainedTagger(drawn(0)), LABELS)
