"""spaCy's DocBin: written for training, read back with the answers."""

import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.errors import FormatError, MissingPackageError
from spancrew.formats import ReadOptions, recognise
from spancrew.formats._spacy import SpacyDocBin
from tests.formats.drawn import answers_of, full_datasets, gold_of

spacy = pytest.importorskip("spacy")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a path for a file to read."""
    return tmp_path / "data.spacy"


def doc(*words: str, ents: list[tuple[int, int, str]] | None = None, **user_data: Any) -> Any:
    """Return a Doc with entities given in tokens."""
    made = spacy.tokens.Doc(spacy.vocab.Vocab(), words=list(words))
    if ents is not None:
        made.set_ents([spacy.tokens.Span(made, *ent) for ent in ents], default="outside")
    made.user_data.update(user_data)
    return made


def save(file: Path, *docs: Any) -> Path:
    """Save Docs as spaCy itself would."""
    spacy.tokens.DocBin(docs=docs, store_user_data=True).to_disk(file)
    return file


@given(dataset=full_datasets())
def test_sentences_gold_and_answers_come_back_exactly(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Odd white space, meta, times and sources survive, too."""
    path = tmp_path_factory.mktemp("spacy") / "data.spacy"
    SpacyDocBin().write(dataset, path)
    back, repairs = SpacyDocBin().read(path, ReadOptions())

    assert back.sentences == dataset.sentences
    assert gold_of(back) == gold_of(dataset)
    assert answers_of(back) == answers_of(dataset)
    assert repairs == ()


def test_spacy_sees_the_text_and_the_entities(file: Path) -> None:
    """The file is ready for training."""
    sentence = Sentence.from_text("s1", "Ana left\nNew York 👍.")
    gold = (Span(0, 1, "PER"), Span(2, 4, "LOC"))
    SpacyDocBin().write(Dataset.of([sentence], {"s1": gold}), file)
    (found,) = spacy.tokens.DocBin().from_disk(file).get_docs(spacy.vocab.Vocab())

    assert found.text == sentence.text
    assert [(ent.text, ent.label_) for ent in found.ents] == [("Ana", "PER"), ("New York", "LOC")]
    assert found.user_data == {"id": "s1"}


def test_a_doc_without_annotation_has_no_gold(file: Path) -> None:
    """No entities and no annotation are not the same."""
    save(file, doc("Ana"), doc("Bo", ents=[]), doc("Cy", ents=[(0, 1, "PER")]))
    dataset, repairs = SpacyDocBin().read(file, ReadOptions())

    assert gold_of(dataset) == {"1": None, "2": (), "3": (Span(0, 1, "PER"),)}
    assert repairs == ()


def test_tokens_without_annotation_are_reported(file: Path) -> None:
    """A Doc may be annotated in part."""
    partial = doc("Ana", "left")
    partial.set_ents([spacy.tokens.Span(partial, 0, 1, "PER")], default="missing")
    dataset, repairs = SpacyDocBin().read(save(file, partial), ReadOptions())

    assert dataset.gold_spans(0) == (Span(0, 1, "PER"),)
    assert [repair.kind for repair in repairs] == ["partial"]


def test_ids_and_meta_come_from_user_data(file: Path) -> None:
    """Numbers will do as ids; other user data is kept where it is plain."""
    dataset, _ = SpacyDocBin().read(save(file, doc("Ana", id=7, page="x")), ReadOptions())

    assert dataset.sentences.ids == ("7",)
    assert dataset.sentences[0].meta == {"page": "x"}


def test_white_space_is_no_token(file: Path) -> None:
    """Line ends are tokens for spaCy; for us they stand between tokens."""
    save(file, doc("Ana", "\n", "left", ents=[(0, 2, "PER"), (2, 3, "X")]))
    dataset, _ = SpacyDocBin().read(file, ReadOptions())

    assert dataset.sentences[0].tokens == ("Ana", "left")
    assert dataset.gold_spans(0) == (Span(0, 1, "PER"), Span(1, 2, "X"))


def test_span_groups_and_categories_are_skipped_and_counted(file: Path) -> None:
    """They are no gold."""
    made = doc("Ana")
    made.spans["sc"] = [spacy.tokens.Span(made, 0, 1, "PER")]
    made.cats["good"] = 1.0
    made.user_data[("._.", "seen", None, None)] = True
    _, repairs = SpacyDocBin().read(save(file, made), ReadOptions())

    assert [repair.what for repair in repairs] == [
        "span groups were left out (1)",
        "categories were left out (1)",
        "other user data were left out (1)",
    ]


def test_labels_without_spans_are_reported_as_not_written(file: Path) -> None:
    """Nothing in the file declares them."""
    dataset = Dataset.of([Sentence.from_tokens("s1", ["Ana"])], labels=LabelSet(("LOC",)))
    lost = SpacyDocBin().write(dataset, file)

    assert [(r.kind, "1 label" in r.what) for r in lost] == [("not-written", True)]


def test_a_written_file_is_recognised_although_it_is_binary(file: Path) -> None:
    """The name and the first bytes tell."""
    answer = Answer("s1", "ada", seconds=1.0)
    dataset = Dataset.of([Sentence.from_tokens("s1", ["Ana"] * 50)], answers=[answer])
    SpacyDocBin().write(dataset, file)
    other = file.rename(file.with_suffix(".bin"))

    assert not SpacyDocBin().recognises(other, "")
    assert recognise(other.rename(file)).name == "spacy"


@pytest.mark.parametrize(
    "content",
    [b"", b"\0", b"text", zlib.compress(b""), zlib.compress(b"\x80"), zlib.compress(b"\x91\1")],
)
def test_other_data_under_the_name_is_refused(file: Path, content: bytes) -> None:
    """Whatever is in the file, the error names it."""
    file.write_bytes(content)

    with pytest.raises(FormatError, match=r"data\.spacy: found data that spaCy cannot read"):
        SpacyDocBin().read(file, ReadOptions())


def test_every_truncated_file_is_refused(file: Path) -> None:
    """A download that broke off is noticed."""
    data = save(file, doc("Ana", "left", ents=[])).read_bytes()
    for length in range(len(data)):
        file.write_bytes(data[:length])

        with pytest.raises(FormatError):
            SpacyDocBin().read(file, ReadOptions())


@pytest.mark.parametrize(
    ("ours", "message"),
    [
        (3, "user data 'spancrew': 3; expected text"),
        ("{", "not JSON"),
        ("[]", r"user data 'spancrew': \[\]; expected an object"),
        ('{"answers": [{}]}', "no field 'worker'"),
        ('{"answers": [{"worker": "w", "spans": [[0, 9, "X"]]}]}', "outside the sentence"),
        ('{"bounds": [[0, 99]]}', "outside"),
    ],
)
def test_broken_answers_are_refused(file: Path, ours: Any, message: str) -> None:
    """User data can be changed by others."""
    with pytest.raises(FormatError, match=message):
        SpacyDocBin().read(save(file, doc("Ana", spancrew=ours)), ReadOptions())


def test_the_same_id_twice_is_refused(file: Path) -> None:
    """Ids must be unique."""
    with pytest.raises(FormatError, match="sentence 'a' is there twice"):
        SpacyDocBin().read(save(file, doc("Ana", id="a"), doc("Bo", id="a")), ReadOptions())


def test_an_empty_doc_is_refused(file: Path) -> None:
    """A sentence needs tokens."""
    with pytest.raises(FormatError, match="sentence '1' has no tokens"):
        SpacyDocBin().read(save(file, doc()), ReadOptions())


def test_a_missing_package_is_named_with_the_command(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user learns what to install."""
    monkeypatch.setitem(sys.modules, "spacy", None)

    with pytest.raises(MissingPackageError, match="'pip install spacy'"):
        SpacyDocBin().read(file, ReadOptions())
