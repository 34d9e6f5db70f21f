"""Hugging Face folders: ours hold everything, others need tokens only."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.errors import FormatError, MissingPackageError
from spancrew.formats import Reading, ReadOptions
from spancrew.formats._huggingface import HuggingFace
from tests.formats.drawn import full_datasets, gold_of, spans_of

datasets = pytest.importorskip("datasets")

NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
TOKENS = ["Ana", "left", "New", "York"]
TAGS = [1, 0, 3, 4]
SPANS = (Span(0, 1, "PER"), Span(2, 4, "LOC"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a path for a folder to read."""
    return tmp_path / "data.hf"


def classes(names: list[str] = NAMES) -> list[Any]:
    """Return the type of a column of tags."""
    return [datasets.ClassLabel(names=names)]


def table(types: dict[str, Any] | None = None, /, **columns: Any) -> Any:
    """Return a table; types that are not given are guessed by datasets."""
    made = datasets.Dataset.from_dict(columns)
    features = made.features.copy()
    features.update(types or {})
    return made.cast(features)


def read_saved(folder: Path, made: Any, **options: Any) -> Reading:
    """Save as datasets does and read."""
    made.save_to_disk(str(folder))
    return HuggingFace().read(folder, ReadOptions(**options))


@given(dataset=full_datasets())
def test_the_round_trip_is_exact(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Labels and workers are declared by the types of the columns, so nothing is lost."""
    path = tmp_path_factory.mktemp("hf") / "data.hf"
    lost = HuggingFace().write(dataset, path)
    reading = HuggingFace().read(path, ReadOptions())

    assert reading.dataset.labels == dataset.labels
    assert reading.dataset.sentences == dataset.sentences
    assert reading == (dataset, ())
    assert lost == ()


def test_datasets_sees_tokens_and_named_tags(folder: Path) -> None:
    """The folder is ready for training."""
    sentence = Sentence.from_tokens("s1", TOKENS)
    answer = Answer("s1", "ada", SPANS, seconds=2.0)
    HuggingFace().write(Dataset.of([sentence], {"s1": SPANS}, [answer]), folder)
    found = datasets.load_from_disk(str(folder))

    assert found[0]["tokens"] == TOKENS
    assert found[0]["answers"][0]["seconds"] == 2.0
    assert list(found.features["tags"].feature.names) == ["O", "B-LOC", "I-LOC", "B-PER", "I-PER"]
    assert found[0]["tags"] == [3, 0, 1, 2]


def test_nothing_is_printed_while_writing(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Progress bars of datasets stay off and their setting is left as it was."""
    were_off = datasets.are_progress_bars_disabled()
    HuggingFace().write(Dataset.of([Sentence.from_tokens("s1", TOKENS)]), folder)

    assert capfd.readouterr() == ("", "")
    assert datasets.are_progress_bars_disabled() == were_off


def test_the_common_layout_is_read(folder: Path) -> None:
    """Tokens and ner_tags are what most data sets have."""
    made = table({"ner_tags": classes()}, tokens=[TOKENS], ner_tags=[TAGS])
    dataset, repairs = read_saved(folder, made)

    assert dataset.sentences[0] == Sentence.from_tokens("1", TOKENS)
    assert dataset.gold_spans(0) == SPANS
    assert dataset.labels == LabelSet(("PER", "LOC"))
    assert repairs == ()


def test_tags_may_be_text_in_any_scheme(folder: Path) -> None:
    """BIOES is noticed."""
    tags = [["S-PER", "O", "B-LOC", "E-LOC"]]
    dataset, repairs = read_saved(folder, table(tokens=[TOKENS], ner_tags=tags))

    assert dataset.gold_spans(0) == SPANS
    assert repairs == ()


def test_tags_that_break_the_scheme_are_repaired_and_reported(folder: Path) -> None:
    """A stray I opens a span."""
    tags = [["B-PER", "O", "I-LOC", "I-LOC"]]
    dataset, repairs = read_saved(folder, table(tokens=[TOKENS], tags=tags))

    assert dataset.gold_spans(0) == SPANS
    assert [repair.kind for repair in repairs] == ["tag"]


def test_numbers_without_names_need_labels(folder: Path) -> None:
    """The order of the labels tells what the numbers mean."""
    made = table(tokens=[TOKENS], ner_tags=[TAGS])
    dataset, _ = read_saved(folder, made, labels=LabelSet(("PER", "LOC")))

    assert dataset.gold_spans(0) == SPANS
    with pytest.raises(FormatError, match=r"numbers without names.*\(labels\)"):
        HuggingFace().read(folder, ReadOptions())


def test_splits_are_joined_and_kept_as_meta(folder: Path) -> None:
    """Ids that are unique stay as they are."""
    splits = {
        name: table(id=[name[0]], tokens=[TOKENS], page=[3]) for name in ("train", "validation")
    }
    dataset, repairs = read_saved(folder, datasets.DatasetDict(splits))

    assert dataset.sentences.ids == ("t", "v")
    assert [s.meta for s in dataset.sentences] == [
        {"page": 3, "split": "train"},
        {"page": 3, "split": "validation"},
    ]
    assert repairs == ()


@pytest.mark.parametrize("ids", [{}, {"id": ["0"]}])
def test_ids_that_repeat_between_splits_get_their_name(
    folder: Path, ids: dict[str, list[str]]
) -> None:
    """Many data sets count from 0 in every split."""
    splits = {name: table(tokens=[TOKENS], **ids) for name in ("train", "test")}
    dataset, repairs = read_saved(folder, datasets.DatasetDict(splits))
    number = ids.get("id", ["1"])[0]

    assert dataset.sentences.ids == (f"train-{number}", f"test-{number}")
    assert [repair.kind for repair in repairs] == ["id"]


def test_other_columns_become_meta_or_are_reported(folder: Path) -> None:
    """A text can be kept as provenance, a list cannot."""
    made = table(tokens=[TOKENS], pos_tags=[[1, 2, 3, 4]], text=["Ana left New York"], n=[None])
    dataset, repairs = read_saved(folder, made)

    assert dataset.sentences[0].meta == {"text": "Ana left New York"}
    assert ("column", "column 'pos_tags' was left out") in [(r.kind, r.what) for r in repairs]


def test_answers_may_name_workers_and_tags_in_text(folder: Path) -> None:
    """A table made by hand need not declare classes."""
    answers = [[{"worker": "ada", "tags": ["B-PER", "O", "B-LOC", "I-LOC"]}]]
    dataset, _ = read_saved(folder, table(tokens=[TOKENS], answers=answers))

    assert spans_of(dataset) == {("1", "ada"): SPANS}
    assert gold_of(dataset) == {"1": None}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"words": [TOKENS]}, r"no column 'tokens' \(columns: 'words'\)"),
        ({"tokens": ["Ana"]}, "field 'tokens': 'Ana'; expected a list"),
        ({"tokens": [[]]}, "sentence '1' has no tokens"),
        ({"tokens": [["Ana", None]]}, "a token of sentence '1': None"),
        ({"tokens": [["Ana", " "]]}, "token 1 is blank"),
        ({"tokens": [TOKENS], "tags": [["O"]]}, r"1 tags \(gold of sentence '1'\); expected 4"),
        ({"tokens": [TOKENS], "tags": [["PER"] * 4]}, "tag 'PER' is neither"),
        ({"tokens": [TOKENS], "tags": ["O"]}, "field 'tags': 'O'; expected a list"),
        ({"tokens": [["a"]], "text": ["b"], "starts": [[0]]}, "do not fit its 'text'"),
        ({"tokens": [["a"]], "text": ["a"], "starts": [[7]]}, "outside"),
        ({"tokens": [["a", "b"]], "text": ["a b"], "starts": [[0]]}, "do not fit"),
        ({"tokens": [["a"]], "meta": ["[]"]}, r"column 'meta': \[\]; expected an object"),
        ({"tokens": [["a"]], "answers": ["x"]}, "field 'answers': 'x'; expected a list"),
        ({"tokens": [["a"]], "answers": [[{"tags": ["O"]}]]}, "no field 'worker'"),
        ({"tokens": [["a"]], "answers": [[{"worker": "w"}]]}, "no field 'tags'"),
        ({"tokens": [["a"]], "answers": [[{"worker": 1, "tags": ["O"]}]]}, "a worker: 1"),
        ({"tokens": [["a"], ["b"]], "id": ["x", "x"]}, "sentence 'x' is there twice"),
    ],
)
def test_a_broken_table_is_refused(folder: Path, columns: dict[str, Any], message: str) -> None:
    """Each fault has its own message."""
    with pytest.raises(FormatError, match=message):
        read_saved(folder, table(**columns))


def test_a_tag_outside_its_classes_is_refused(folder: Path) -> None:
    """The number -1 stands for nothing."""
    made = table({"tags": classes()}, tokens=[["Ana"]], tags=[[-1]])

    with pytest.raises(FormatError, match="a tag: -1; expected a number from 0 to 4"):
        read_saved(folder, made)


def test_classes_that_are_no_tags_are_refused(folder: Path) -> None:
    """Names need a position and a label."""
    made = table({"tags": classes(["O", "person"])}, tokens=[["Ana"]], tags=[[1]])

    with pytest.raises(FormatError, match="tag 'person' is neither"):
        read_saved(folder, made)


def test_an_empty_table_is_refused(folder: Path) -> None:
    """No rows are no data set."""
    made = table(tokens=[TOKENS]).select([])

    with pytest.raises(FormatError, match=r"no sentences in it|datasets cannot read"):
        read_saved(folder, made)


@pytest.mark.parametrize("pattern", ["*.arrow", "state.json", "dataset_info.json"])
def test_every_damaged_folder_is_refused(folder: Path, pattern: str) -> None:
    """A file that is cut off or gone is noticed."""
    HuggingFace().write(Dataset.of([Sentence.from_tokens("s1", TOKENS)], {"s1": SPANS}), folder)
    (file,) = folder.glob(pattern)
    data = file.read_bytes()
    for length in range(0, len(data) - 10, 97):
        file.write_bytes(data[:length])

        with pytest.raises(FormatError):
            HuggingFace().read(folder, ReadOptions())
    file.unlink()

    with pytest.raises(FormatError, match="a folder that datasets cannot read"):
        HuggingFace().read(folder, ReadOptions())


def test_saved_folders_are_recognised(folder: Path) -> None:
    """One table or several splits, but nothing else."""
    HuggingFace().write(Dataset.of([Sentence.from_tokens("s1", TOKENS)]), folder)
    one = HuggingFace().recognises(folder, "")
    shutil.rmtree(folder)
    datasets.DatasetDict({"train": table(tokens=[TOKENS])}).save_to_disk(str(folder))

    assert one
    assert HuggingFace().recognises(folder, "")
    assert not HuggingFace().recognises(folder.parent, "")
    assert not HuggingFace().recognises(folder / "dataset_dict.json", "{")


def test_a_missing_package_is_named_with_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user learns what to install."""
    monkeypatch.setitem(sys.modules, "datasets", None)

    with pytest.raises(MissingPackageError, match="'pip install datasets'"):
        HuggingFace().write(Dataset.of([Sentence.from_tokens("s1", TOKENS)]), folder)
