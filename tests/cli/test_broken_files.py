"""Eleven broken files: each gets one clear message, exit code 2, and leaves nothing behind."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from spancrew.formats import read
from tests.cli.conftest import Run

HEADER = '{"spancrew": 1, "labels": ["LOC", "PER"]}\n'


def wrong_column_count(folder: Path) -> Path:
    """Line 3 has lost its tag."""
    path = folder / "columns.conll"
    path.write_text("Ana\tB-PER\nleft\tO\nRome\n", encoding="utf-8")
    return path


def bad_json(folder: Path) -> Path:
    """Line 731 ends in the middle."""
    path = folder / "long.jsonl"
    lines = [json.dumps({"id": f"s{k}", "tokens": ["a"], "gold": []}) for k in range(900)]
    lines[729] = lines[729][:-4]
    path.write_text(HEADER + "\n".join(lines), encoding="utf-8")
    return path


def label_typo(folder: Path) -> Path:
    """One of many labels is misspelt."""
    path = folder / "typo.conll"
    rows = ["Ana\tB-PER\nleft\tO\n"] * 40
    rows[20] = "Ana\tB-PRE\nleft\tO\n"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def overlapping_spans(folder: Path) -> Path:
    """Two spans of one worker share a token."""
    path = folder / "overlap.jsonl"
    answer = {"worker": "w7", "spans": [[0, 2, "PER"], [1, 3, "LOC"]]}
    record = {"id": "s1", "tokens": ["a", "b", "c"], "answers": [answer]}
    path.write_text(HEADER + json.dumps(record), encoding="utf-8")
    return path


def negative_offset(folder: Path) -> Path:
    """A span begins before the text."""
    path = folder / "negative.json"
    annotation = {"label": "POS", "start_offset": -3, "end_offset": 2}
    record = {"id": 1, "text": "今天天气好", "annotations": [annotation]}
    path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    return path


def unknown_sentence(folder: Path) -> Path:
    """An answer for a sentence that never came."""
    path = folder / "unknown.jsonl"
    record = json.dumps({"id": "s1", "tokens": ["a"]})
    answer = json.dumps({"sentence": "s9", "worker": "w7", "spans": []})
    path.write_text(f"{HEADER}{record}\n{answer}\n", encoding="utf-8")
    return path


def empty_file(folder: Path) -> Path:
    """Nothing at all."""
    path = folder / "empty.jsonl"
    path.touch()
    return path


def binary_file(folder: Path) -> Path:
    """A picture that was given the wrong name."""
    path = folder / "picture.json"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0")
    return path


def wrong_encoding(folder: Path) -> Path:
    """Latin-1 instead of UTF-8."""
    path = folder / "latin.conll"
    path.write_bytes("Ana\tB-PER\ncafé\tO\n".encode("latin-1"))
    return path


def deep_nesting(folder: Path) -> Path:
    """A list in a list, fifty thousand times."""
    path = folder / "deep.jsonl"
    record = '{"id": "s1", "tokens": ["a"], "meta": ' + "[" * 50_000 + "]" * 50_000 + "}"
    path.write_text(HEADER + record, encoding="utf-8")
    return path


def missing_folder(folder: Path) -> Path:
    """A folder that is not there."""
    return folder / "mturk" / "answers"


BROKEN: list[tuple[Callable[[Path], Path], list[str]]] = [
    (wrong_column_count, ["columns.conll, line 3", "found", "expected"]),
    (bad_json, ["long.jsonl, line 731", "not JSON", "expected"]),
    (label_typo, ["typo.conll, line 61", "'PRE'", "'PER'", "--labels"]),
    (
        overlapping_spans,
        ["overlap.jsonl, line 2", "'s1'", "'w7'", "0-2 PER", "1-3 LOC", "--overlaps"],
    ),
    (negative_offset, ["negative.json, line 1", "-3", "1"]),
    (unknown_sentence, ["unknown.jsonl, line 3", "'s9'", "'w7'"]),
    (empty_file, ["empty.jsonl", "the file is empty"]),
    (binary_file, ["picture.json", "this is a picture"]),
    (wrong_encoding, ["latin.conll, line 2", "0xe9", "UTF-8", "iconv"]),
    (deep_nesting, ["deep.jsonl, line 2", "100 levels deep", "less nesting"]),
    (missing_folder, ["there is no such file or folder"]),
]


@pytest.mark.parametrize(("make", "parts"), BROKEN, ids=[make.__name__ for make, _ in BROKEN])
def test_a_broken_file_gets_one_clear_message(
    run: Run, tmp_path: Path, make: Callable[[Path], Path], parts: list[str]
) -> None:
    """File, line, what was found, what to do; and no output file."""
    path = make(tmp_path)
    before = set(tmp_path.iterdir())

    for words in (["inspect", path, "--report", "out.html"], ["convert", path, "out.jsonl"]):
        code, out, err = run(*words)

        assert code == 2
        assert out == ""
        assert err.count("\n") == 1
        for part in parts:
            assert part in err
    assert set(tmp_path.iterdir()) == before


def test_a_typo_can_be_declared_to_be_none(run: Run, tmp_path: Path) -> None:
    """The remedy of the message works."""
    assert run("inspect", label_typo(tmp_path), "--labels", "PER,PRE", "--json")[0] == 0


@pytest.mark.parametrize(("overlaps", "kept"), [("first", "0-2 PER"), ("longest", "0-2 PER")])
def test_overlaps_can_be_settled(run: Run, tmp_path: Path, overlaps: str, kept: str) -> None:
    """The remedy of the message works, and what was left out is listed."""
    code, out, _ = run("convert", overlapping_spans(tmp_path), "o.jsonl", "--overlaps", overlaps)
    answer = next(read(tmp_path / "o.jsonl").dataset.answers_on(0))

    assert code == 0
    assert "overlap" in out
    assert [str(span) for span in answer.spans] == [kept]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """The process may write 8 kB only: one line, exit code 2, no draft."""
    target = tmp_path / "out.jsonl"
    target.write_text("old", encoding="utf-8")
    command = f"ulimit -f 8; exec {sys.executable} -m spancrew.cli convert demo {target} --force"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)  # noqa: S603, S607  a shell sets the limit

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert target.read_text(encoding="utf-8") == "old"
