"""spancrew's own format holds everything, and says where a file is broken."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from spancrew.core import Dataset, LabelSet, Sentence
from spancrew.errors import FormatError
from spancrew.formats import Reading, ReadOptions
from spancrew.formats._spancrew import SpancrewLines
from tests.formats.drawn import full_datasets

HEADER = {"spancrew": 1, "labels": ["LOC", "PER"], "workers": ["w1"]}
SENTENCE = {"id": "s1", "tokens": ["Ana", "left", "Rome"], "gold": [[0, 1, "PER"]]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a path for a file to read."""
    return tmp_path / "data.jsonl"


def read_records(file: Path, *records: Any) -> Reading:
    """Write JSON lines and read them."""
    file.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return SpancrewLines().read(file, ReadOptions())


@given(dataset=full_datasets())
def test_the_round_trip_is_exact(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every column of every data set comes back as it was."""
    path = tmp_path_factory.mktemp("lines") / "data.jsonl"
    lost = SpancrewLines().write(dataset, path)
    reading = SpancrewLines().read(path, ReadOptions())

    assert reading == (dataset, ())
    assert lost == ()


def test_tokens_joined_by_blanks_are_written_without_a_text(file: Path) -> None:
    """The common case stays readable."""
    SpancrewLines().write(Dataset.of([Sentence.from_tokens("s1", ["Ana", "left"])]), file)

    assert file.read_text().splitlines() == [
        '{"spancrew":1,"labels":[],"workers":[]}',
        '{"id":"s1","tokens":["Ana","left"]}',
    ]


@pytest.mark.parametrize("text", ["好👍🏽 的", "مَرحبا بكم", "e\u0301 \u2028 x"])
def test_odd_text_is_kept_to_the_code_point(file: Path, text: str) -> None:
    """Emoji, Arabic vowel signs and line separators survive."""
    SpancrewLines().write(Dataset.of([Sentence.from_text("s1", text)]), file)
    back, _ = SpancrewLines().read(file, ReadOptions())

    assert back.sentences[0].text == text
    assert back.sentences[0] == Sentence.from_text("s1", text)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_windows_files_are_read_like_others(file: Path, ending: str, mark: str) -> None:
    """A byte order mark and CRLF change nothing."""
    text = ending.join(map(json.dumps, (HEADER, SENTENCE))) + ending
    file.write_bytes((mark + text).encode())
    dataset, repairs = SpancrewLines().read(file, ReadOptions())

    assert dataset.sentences[0].tokens == ("Ana", "left", "Rome")
    assert repairs == ()


def test_unknown_fields_are_left_out_and_reported(file: Path) -> None:
    """A field that the format does not know is named with its line."""
    answer = {"worker": "w1", "spans": [], "mood": "good"}
    _, repairs = read_records(
        file, HEADER | {"by": "x"}, SENTENCE | {"page": 3, "answers": [answer]}
    )

    assert [(r.kind, r.place.line, r.what.split()[1]) for r in repairs] == [
        ("field", 1, "'by'"),
        ("field", 2, "'mood'"),
        ("field", 2, "'page'"),
    ]


def test_another_version_is_refused_with_the_remedy(file: Path) -> None:
    """A file of a later version asks for an update."""
    with pytest.raises(FormatError, match=r"line 1: found version 2 .* update spancrew"):
        read_records(file, HEADER | {"spancrew": 2}, SENTENCE)


def test_bad_json_is_found_on_its_line(file: Path) -> None:
    """Line 731 is named when line 731 is broken."""
    lines = [json.dumps(HEADER), *(json.dumps(SENTENCE | {"id": f"s{k}"}) for k in range(900))]
    lines[730] = lines[730][:-3]
    file.write_text("\n".join(lines))

    with pytest.raises(FormatError, match=r"data\.jsonl, line 731: .*not JSON"):
        SpancrewLines().read(file, ReadOptions())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": 7}, r"line 2: found field 'id': 7; expected text"),
        ({"id": ""}, r"line 2: a sentence needs an id"),
        ({"tokens": []}, r"line 2: sentence 's1' has no tokens"),
        ({"tokens": ["Ana", " "]}, r"line 2: .*token 1 is blank"),
        ({"tokens": ["Ana", 3]}, r"line 2: found a token: 3"),
        ({"text": "Ana"}, r"line 2: found token 'Ana'; expected \[start, end\]"),
        ({"text": "Ana", "tokens": [[0, 9]]}, r"line 2: .*outside the text"),
        ({"gold": [[-1, 1, "PER"]]}, r"line 2: .*start must be 0 or more"),
        ({"gold": [[0, 9, "PER"]]}, r"line 2: .*outside the sentence of 3 tokens"),
        ({"gold": [[0, 2, "PER"], [1, 3, "LOC"]]}, r"line 2: .*overlap.*'first' or 'longest'"),
        ({"gold": [[0, 1, "PRE"]]}, r"line 2: .*did you mean 'PER'\?"),
        ({"gold": [[0, 1]]}, r"line 2: found span \[0, 1\]; expected \[start, end, label\]"),
        ({"gold": "PER"}, r"line 2: found field 'gold': 'PER'; expected a list"),
        ({"answers": [{"spans": []}]}, r"line 2: found no field 'worker'"),
        ({"answers": ["w1"]}, r"line 2: found 'w1'; expected an object"),
        ({"answers": [{"worker": "w1", "spans": [], "seconds": True}]}, r"'seconds': True"),
        ({"meta": []}, r"line 2: found field 'meta': \[\]; expected an object"),
    ],
)
def test_a_broken_sentence_is_refused_with_place_and_remedy(
    file: Path, change: dict[str, Any], message: str
) -> None:
    """Each fault has its own message."""
    with pytest.raises(FormatError, match=message):
        read_records(file, HEADER, SENTENCE | change)


def test_the_same_sentence_twice_is_refused(file: Path) -> None:
    """Ids must be unique."""
    with pytest.raises(FormatError, match=r"line 3: sentence 's1' is there twice"):
        read_records(file, HEADER, SENTENCE, SENTENCE)


def test_two_answers_of_a_worker_on_a_sentence_are_refused(file: Path) -> None:
    """A worker answers a sentence once."""
    answer = {"worker": "w1", "spans": []}

    with pytest.raises(FormatError, match=r"sentence 's1', worker 'w1': two answers"):
        read_records(file, HEADER, SENTENCE | {"answers": [answer, answer]})


def test_a_file_without_sentences_is_refused(file: Path) -> None:
    """A header alone is no data set."""
    with pytest.raises(FormatError, match="there are no sentences in it"):
        read_records(file, HEADER)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b'{"spancrew": 1, "labels": ["K\xf6ln"]}\n', r"line 1: found byte 0xf6 at column 30"),
        (b'{"spancrew": 1}\n\0', r"line 2: found binary data"),
        (b"[1]\n", r"line 1: found \[1\]; expected an object with the field 'spancrew'"),
    ],
)
def test_a_file_that_is_no_utf8_text_is_refused(file: Path, content: bytes, message: str) -> None:
    """Empty, binary and wrongly encoded files are told apart."""
    file.write_bytes(content)

    with pytest.raises(FormatError, match=message):
        SpancrewLines().read(file, ReadOptions())


def test_a_label_outside_the_declared_ones_is_refused(file: Path) -> None:
    """The reader may narrow the labels down."""
    file.write_text("\n".join(map(json.dumps, (HEADER, SENTENCE))))

    with pytest.raises(FormatError, match=r"line 1: label 'PER' .* not among those declared"):
        SpancrewLines().read(file, ReadOptions(labels=LabelSet(("LOC",))))
