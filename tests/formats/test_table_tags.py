"""Tables of tokens and tags, as data sets for token classification are."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spancrew.core import Span
from spancrew.errors import FormatError
from spancrew.formats import ReadOptions, named, preview, read

TOKENS = [["Ana", "left", "New", "York"], ["Yes", "."], ["Yes", "."]]
TAGS = [["B-PER", "O", "B-LOC", "I-LOC"], ["O", "O"], ["O", "O"]]
NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
GOLD = [(Span(0, 1, "PER"), Span(2, 4, "LOC")), (), ()]


def gold_of(path: Path, **options: Any) -> list[tuple[Span, ...] | None]:
    """Return the gold of all sentences."""
    dataset, _ = read(path, **options)
    return [dataset.gold_spans(k) for k in range(len(dataset))]


def lines(folder: Path, tokens: str, tags: str, given: list[Any]) -> Path:
    """Write a record for each sentence; two of them are alike, and none has an id."""
    file = folder / "a.jsonl"
    pairs = zip(TOKENS, given, strict=True)
    file.write_text("".join(json.dumps({tokens: t, tags: g}) + "\n" for t, g in pairs))
    return file


@pytest.mark.parametrize(
    ("tokens", "tags"), [("tokens", "ner_tags"), ("tokens", "tags"), ("words", "labels")]
)
def test_lists_of_tags_are_gold(tmp_path: Path, tokens: str, tags: str) -> None:
    """Whatever the two columns are called."""
    assert gold_of(lines(tmp_path, tokens, tags, TAGS)) == GOLD


@pytest.mark.parametrize(
    "tags",
    [
        ["S-PER", "O", "B-LOC", "E-LOC"],
        ["U-PER", "O", "B-LOC", "L-LOC"],
        ["I-PER", "O", "I-LOC", "I-LOC"],
    ],
)
def test_lists_of_tags_may_follow_any_scheme(tmp_path: Path, tags: list[str]) -> None:
    """BIOES, BILOU and IOB1."""
    assert gold_of(lines(tmp_path, "tokens", "tags", [tags, *TAGS[1:]])) == GOLD


@pytest.mark.parametrize("kind", ["Sequence", "List"])
def test_numbers_in_parquet_have_the_names_that_datasets_wrote(tmp_path: Path, kind: str) -> None:
    """As the Hub gives them; the package has called lists differently over time."""
    numbers = [[NAMES.index(tag) for tag in tags] for tags in TAGS]
    type_ = {"feature": {"names": NAMES, "_type": "ClassLabel"}, "_type": kind}
    told = {"info": {"features": {"ner_tags": type_, "id": {"dtype": "int64"}}}}
    table = pa.table({"id": [7, 8, 9], "tokens": TOKENS, "ner_tags": numbers})
    file = tmp_path / "a.parquet"
    pq.write_table(table.replace_schema_metadata({"huggingface": json.dumps(told)}), file)

    assert gold_of(file) == GOLD
    assert read(file).dataset.sentences.ids == ("7", "8", "9")


def test_numbers_without_names_are_refused_until_they_are_named(tmp_path: Path) -> None:
    """Or kept as they are, if somebody says that they are no spans."""
    file = lines(tmp_path, "tokens", "ner_tags", [[1, 0, 3, 4], [0, 0], [0, 0]])
    with pytest.raises(FormatError, match=r"line 1: .*numbers without names .*\(labels\)"):
        read(file)
    with pytest.raises(FormatError, match="the tag 3; expected a number below 3: O, B-PER, I-PER"):
        read(file, labels=("PER",))

    assert gold_of(file, labels=("PER", "LOC")) == GOLD
    assert gold_of(file, columns={"spans": ""}) == [None, None, None]


@pytest.mark.parametrize(
    "text",
    [
        "sentence,tags\nAna left New York,B-PER O B-LOC I-LOC\nYes .,O O\nYes .,O O\n",
        "tokens;ner_tags\n" + "".join(f"{a};{b}\n" for a, b in zip(TOKENS, TAGS, strict=True)),
    ],
)
def test_a_cell_may_hold_a_list_between_blanks_or_as_pandas_writes_it(
    tmp_path: Path, text: str
) -> None:
    """CSV has no lists."""
    (tmp_path / "a.csv").write_text(text)

    assert gold_of(tmp_path / "a.csv") == GOLD


def test_a_row_may_be_a_token(tmp_path: Path) -> None:
    """The sentence is named on every row, or where it begins; other columns are left out."""
    rows = "S1,Ana,NNP,B-PER\n,left,VB,O\n,New,NNP,B-LOC\n,York,NNP,I-LOC\nS2,Yes,UH,O\nS2,.,.,O\n"
    (tmp_path / "a.csv").write_text("Sentence #,Word,POS,Tag\n" + rows)
    dataset, repairs = read(tmp_path / "a.csv")

    assert gold_of(tmp_path / "a.csv") == GOLD[:2]
    assert dataset.sentences.ids == ("S1", "S2")
    assert [each.what for each in repairs] == ["cells of column 'POS' were left out (6)"]


def test_tags_of_workers_are_answers(tmp_path: Path) -> None:
    """A row for each answer, told apart by the id."""
    rows = [{"id": 1, "tokens": TOKENS[0], "tags": TAGS[0], "worker": name} for name in "ab"]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    dataset, _ = read(tmp_path / "a.json")

    assert [(each.worker, each.spans) for each in dataset.answers_on(0)] == [
        ("a", GOLD[0]),
        ("b", GOLD[0]),
    ]


def test_a_tag_too_few_is_named(tmp_path: Path) -> None:
    """With the row, as all after it would be shifted."""
    file = lines(tmp_path, "tokens", "tags", [TAGS[0], ["O"], TAGS[2]])

    with pytest.raises(
        FormatError, match=r"line 2: found 1 as the number of tags, 2 as .*a tag for each"
    ):
        read(file)


def test_a_class_of_the_whole_text_is_no_tag(tmp_path: Path) -> None:
    """Even if it looks like one."""
    (tmp_path / "a.csv").write_text("text,label\nGood shop.,E-commerce\n")

    assert gold_of(tmp_path / "a.csv") == [None]


def test_a_preview_shows_what_the_columns_are(tmp_path: Path) -> None:
    """In the browser, numbers without names are told with the columns beside it."""
    file = lines(tmp_path, "tokens", "tags", TAGS)
    table = preview(file, named("json"), ReadOptions()).table
    assert table is not None
    assert (table.layout, table.roles["spans"]) == ("answers", "tags")
    odd = preview(lines(tmp_path, "tokens", "tags", [[1], [0], [0]]), named("json"), ReadOptions())

    assert isinstance(odd.reading, FormatError)
    assert odd.table is not None
    assert [each.name for each in odd.table.columns] == ["tokens", "tags"]
