"""Outputs that cannot be written say where, and leave nothing behind."""

import errno
from pathlib import Path

import pytest

from spancrew.formats import appearing


def test_a_full_disk_is_named_by_the_target(tmp_path: Path) -> None:
    """The system says what is wrong, but not with which file."""
    target = tmp_path / "out.jsonl"

    def write() -> None:
        with appearing(target) as draft:
            draft.write_text("half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left on device") as caught:
        write()

    assert caught.value.filename == str(target)
    assert list(tmp_path.iterdir()) == []
