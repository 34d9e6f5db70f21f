"""Files of other tools: each is recognised, read, written, and read again as the same."""

from pathlib import Path

import pytest

from spancrew.core import Dataset
from spancrew.formats import formats, formats_for, read, recognise, write
from tests.formats.drawn import answers_of, gold_of, spans_of
from tests.formats.test_contract import MORE_NAMES
from tests.formats.tool_files import FILES, TOOL_FILES, ToolFile

every_file = pytest.mark.parametrize("file", TOOL_FILES, ids=lambda file: file.name)


def counts(dataset: Dataset) -> tuple[int, int, int]:
    """Return how many sentences, sentences with gold, and answers there are."""
    return len(dataset), int(dataset.has_gold.sum()), len(dataset.answers)


def target(file: ToolFile, folder: Path) -> Path:
    """Return a path to write the same format to; for OEI the name says what is written."""
    if file.name == "oei/harbour.json":
        return folder / "again.json"
    suffixes = MORE_NAMES.get(file.format, formats()[file.format].suffixes)
    return folder / f"again{suffixes[0] if suffixes else ''}"


def test_there_are_at_least_twenty_and_one_of_every_format() -> None:
    """The format of spancrew itself comes from no other tool."""
    assert len(TOOL_FILES) >= 20
    assert {file.format for file in TOOL_FILES} == formats_for("spans").keys() - {"spancrew"}


def test_every_file_that_is_kept_is_read() -> None:
    """None is forgotten in the list."""
    listed = [FILES / file.name for file in TOOL_FILES if file.make is None]
    beside = [FILES / "crowdlayer" / "ground_truth.txt"]

    for path in FILES.rglob("*"):
        assert path.is_dir() or not {path, *path.parents}.isdisjoint([*listed, *beside])


@every_file
def test_a_file_is_recognised_and_holds_what_the_tool_put_there(
    file: ToolFile, tmp_path: Path
) -> None:
    """The format needs no name."""
    path = file.path(tmp_path)
    dataset, _ = read(path, **file.options)

    assert recognise(path).name == file.format
    assert counts(dataset) == file.holds


@every_file
def test_a_file_is_written_and_read_again_as_the_same(file: ToolFile, tmp_path: Path) -> None:
    """What the format has no place for was reported."""
    first, _ = read(file.path(tmp_path), **file.options)
    lost = " ".join(loss.what.partition(":")[0] for loss in write(
        first, target(file, tmp_path), file.format
    ))  # fmt: skip
    again, _ = read(target(file, tmp_path), file.format)

    assert again.sentences.texts == first.sentences.texts
    assert [s.tokens for s in again.sentences] == [s.tokens for s in first.sentences]
    if "with gold" not in lost:
        assert list(gold_of(again).values()) == list(gold_of(first).values())
    if "answer" not in lost:
        assert list(spans_of(again).values()) == list(spans_of(first).values())
        if "seconds" not in lost:
            assert [*answers_of(again).values()] == [*answers_of(first).values()]
    if "id" not in lost:
        assert again.sentences.ids == first.sentences.ids
    if "meta" not in lost:
        assert again.sentences.metas == first.sentences.metas


@every_file
def test_a_file_goes_through_our_own_format_without_any_loss(
    file: ToolFile, tmp_path: Path
) -> None:
    """It holds everything."""
    first, _ = read(file.path(tmp_path), **file.options)
    lost = write(first, tmp_path / "own.jsonl", "spancrew")

    assert lost == ()
    assert read(tmp_path / "own.jsonl").dataset == first
