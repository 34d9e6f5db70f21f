"""What every format keeps to, ours and any other that registers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span, Unit
from spancrew.errors import FormatError
from spancrew.formats import (
    Reading,
    ReadOptions,
    Repair,
    formats,
    formats_for,
    recognise,
    write,
)
from spancrew.formats._text import head
from tests.spread import often, spread

MORE_NAMES = {
    "oei": ("-crowd.json", ".json"),
    "doccano": ("", ".jsonl"),
    "crowd-dir": ("",),
    "json": (".json",),
}
"""Endings to write under where a format names none, or where the name decides what is written."""

CASES = [
    pytest.param(name, f"data{suffix}", id=f"{name} data{suffix}")
    for name, format_ in formats_for("spans").items()
    for suffix in MORE_NAMES.get(name, format_.suffixes)
]
WORKERS = ("ada", "bo")
LABELS = ("LOC", "PER")
WRONG_BYTES = (b"\xff", b"\0", b'"', b"}", b"9", b"\n", b"\t")

every_format = pytest.mark.parametrize(("name", "file"), CASES)


def spoken(id_: str, text: str, unit: Unit) -> Sentence:
    """Return a sentence cut into the unit."""
    return Sentence.from_text(id_, text, unit)


def sample(unit: Unit) -> Dataset:
    """Return three sentences with gold and answers, all of which mark something."""
    texts = {
        "words": ("Ana left Rome .", "مرحبا بكم في Köln", "Bo slept ."),
        "characters": ("我在北京", "👍🏽好的", "他去了巴黎"),
    }[unit]
    sentences = [spoken(str(k), text, unit) for k, text in enumerate(texts, 1)]
    gold = {"1": [Span(0, 1, "PER"), Span(2, 3, "LOC")], "2": [Span(1, 3, "LOC")], "3": []}
    answers = [
        Answer("1", "ada", (Span(0, 1, "PER"), Span(1, 3, "LOC"))),
        Answer("1", "bo", (Span(2, 3, "LOC"),)),
        Answer("2", "ada", (Span(0, 1, "LOC"), Span(1, 2, "LOC"))),
        Answer("3", "bo", ()),
    ]
    return Dataset.of(sentences, gold, answers, LabelSet(LABELS))


def gold_by_position(dataset: Dataset) -> list[tuple[Span, ...] | None]:
    """Return the gold of the sentences in order; formats may number them anew."""
    return [dataset.gold_spans(position) for position in range(len(dataset))]


def answers_by_position(dataset: Dataset) -> dict[tuple[int, str], tuple[Span, ...]]:
    """Return the spans of every answer by the position of its sentence and its worker."""
    return {
        (position, answer.worker): answer.spans
        for position in range(len(dataset))
        for answer in dataset.answers_on(position)
    }


def reported(lost: tuple[Repair, ...], word: str) -> bool:
    """Tell whether something was reported as not written; what follows the colon says why."""
    return any(r.kind == "not-written" and word in r.what.partition(":")[0] for r in lost)


def read_as(name: str, path: Path, unit: Unit = "words") -> Reading:
    """Read with the named format."""
    return formats()[name].read(path, ReadOptions(unit=unit))


@pytest.mark.parametrize("unit", ["words", "characters"])
@every_format
def test_what_was_written_comes_back_or_was_reported(
    tmp_path: Path, name: str, file: str, unit: Unit
) -> None:
    """Tokens, gold and answers are the same after writing and reading."""
    dataset = sample(unit)
    lost = write(dataset, tmp_path / file, name)
    back, repairs = read_as(name, tmp_path / file, unit)

    assert [s.tokens for s in back.sentences] == [s.tokens for s in dataset.sentences]
    assert gold_by_position(back) == gold_by_position(dataset) or reported(lost, "gold")
    assert answers_by_position(back) == answers_by_position(dataset) or reported(lost, "answer")
    assert not (reported(lost, "gold") and reported(lost, "answer"))
    assert repairs == () or {repair.kind for repair in repairs} == {"gold"}


@every_format
def test_everything_reported_as_lost_has_a_count(tmp_path: Path, name: str, file: str) -> None:
    """There is one report for each kind of thing."""
    lost = write(sample("words"), tmp_path / file, name)

    assert all(repair.kind == "not-written" for repair in lost)
    assert all(any(c.isdigit() for c in repair.what) for repair in lost)
    assert len({repair.what for repair in lost}) == len(lost)


@every_format
def test_written_files_are_recognised_by_exactly_one_format(
    tmp_path: Path, name: str, file: str
) -> None:
    """The order in which formats are tried does not matter."""
    path = tmp_path / file
    write(sample("words"), path, name)
    found = [n for n, format_ in formats().items() if format_.recognises(path, head(path))]

    assert found == [name]
    assert recognise(path).name == name


@pytest.mark.parametrize(
    ("name", "suffix"),
    [(n, suffix) for n, f in formats_for("spans").items() for suffix in f.suffixes],
)
def test_the_suffix_of_a_format_asks_for_it(tmp_path: Path, name: str, suffix: str) -> None:
    """Writing needs no format where the name says it."""
    path = tmp_path / f"data{suffix}"
    write(sample("words"), path)

    assert recognise(path).name == name


@every_format
def test_labels_outside_the_declared_ones_are_refused(
    tmp_path: Path, name: str, file: str
) -> None:
    """Declaring labels makes any other an error."""
    path = tmp_path / file
    write(sample("words"), path, name)

    with pytest.raises(FormatError, match=r"LOC|PER"):
        formats()[name].read(path, ReadOptions(unit="words", labels=LabelSet(("NONE",))))


@every_format
def test_declared_labels_keep_their_order(tmp_path: Path, name: str, file: str) -> None:
    """The reader's word on labels is final."""
    path = tmp_path / file
    write(sample("words"), path, name)
    labels = LabelSet(("PER", "XYZ", "LOC"))
    back, _ = formats()[name].read(path, ReadOptions(unit="words", labels=labels))

    assert back.labels == labels


@every_format
def test_a_damaged_file_is_read_or_refused_but_never_crashes(
    tmp_path: Path, name: str, file: str
) -> None:
    """Any error is a FormatError, wherever a file is cut off or overwritten."""
    path = tmp_path / file
    write(sample("words"), path, name)
    refused = 0
    for part in files_in(path):
        data = part.read_bytes()
        for damaged in damages(data, keep_bytes=part.suffix == ".arrow"):
            part.write_bytes(damaged)
            refused += is_refused(name, path)
        part.write_bytes(data)

    assert refused > 0


DEPTHS = (101, 900, 50_000)
"""Above our limit, around that of Python, and far above all."""


@pytest.mark.parametrize(
    ("name", "file", "depth"),
    [
        pytest.param(*case.values, depth, id=f"{case.id} {depth}")
        for case, depth in spread(CASES, DEPTHS)
    ],
)
def test_json_that_is_nested_deep_is_refused_wherever_it_stands(
    tmp_path: Path, name: str, file: str, depth: int
) -> None:
    """As the whole file, and in a record that is right otherwise."""
    path = tmp_path / file
    write(sample("words"), path, name)
    for part in files_in(path):
        data = part.read_bytes()
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            nested = (opening * depth + "1" + closing * depth).encode()
            part.write_bytes(nested)
            is_refused(name, path)
            recognise_or_refuse(path)
            if data.lstrip(b"[ \n").startswith(b'{"'):
                part.write_bytes(data.replace(b'{"', b'{"x": ' + nested + b', "', 1))

                assert is_refused(name, path)
        part.write_bytes(data)


def recognise_or_refuse(path: Path) -> None:
    """Ask every format whether a file is its own; any error but a FormatError fails the test."""
    try:
        recognise(path)
    except FormatError:
        return


def files_in(path: Path) -> list[Path]:
    """Return the file itself or all files of a folder."""
    return sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def damages(data: bytes, *, keep_bytes: bool) -> Iterator[bytes]:
    """Yield damaged versions; overwriting memory-mapped columns is beyond any reader."""
    step = max(len(data) // 40, 1)
    for turn, length in enumerate(range(0, len(data), step)):
        yield data[:length]
        if not keep_bytes:
            for byte in often(WRONG_BYTES[turn % 7 :: 4], WRONG_BYTES):
                yield data[:length] + byte + data[length + 1 :]


def is_refused(name: str, path: Path) -> bool:
    """Tell whether reading raises FormatError; any other error fails the test."""
    try:
        read_as(name, path)
    except FormatError:
        return True
    return False


def make_empty_file(path: Path) -> None:
    """Make a file of no bytes."""
    path.touch()


def make_blank_file(path: Path) -> None:
    """Make a file of white space."""
    path.write_text(" \n\n")


def make_folder(path: Path) -> None:
    """Make an empty folder."""
    path.mkdir()


@pytest.mark.parametrize("make", [make_empty_file, make_blank_file, make_folder])
@every_format
def test_nothing_is_refused_and_recognised_by_no_format(
    tmp_path: Path, name: str, file: str, make: Callable[[Path], None]
) -> None:
    """An empty file, a blank one and an empty folder hold no data set."""
    path = tmp_path / file
    make(path)

    assert not formats()[name].recognises(path, head(path))
    with pytest.raises(FormatError):
        read_as(name, path)
    with pytest.raises(FormatError):
        recognise(path)


@every_format
def test_a_failing_write_leaves_nothing_behind(tmp_path: Path, name: str, file: str) -> None:
    """Half a surrogate pair cannot be written as UTF-8, which is noticed late."""
    good = [spoken(str(k), "Ana left .", "words") for k in range(1, 50)]
    bad = Sentence.from_tokens("50", ["Ana", "\ud800"])
    ids = [str(k) for k in range(1, 51)]
    dataset = Dataset.of(
        [*good, bad],
        {id_: [Span(0, 1, "PER")] for id_ in ids},
        [Answer(id_, "ada", (Span(0, 1, "PER"),)) for id_ in ids],
    )

    with pytest.raises((FormatError, UnicodeError)):
        write(dataset, tmp_path / file, name)
    assert list(tmp_path.iterdir()) == []


@every_format
def test_a_failing_write_keeps_what_was_there(tmp_path: Path, name: str, file: str) -> None:
    """The old file or folder stays until the new one is whole."""
    path = tmp_path / file
    write(sample("words"), path, name)
    before = {part: part.read_bytes() for part in files_in(tmp_path)}
    bad = Dataset.of(
        [Sentence.from_tokens("1", ["\ud800"])],
        {"1": [Span(0, 1, "PER")]},
        [Answer("1", "ada", (Span(0, 1, "PER"),))],
    )

    with pytest.raises((FormatError, UnicodeError)):
        write(bad, path, name)
    assert {part: part.read_bytes() for part in files_in(tmp_path)} == before
