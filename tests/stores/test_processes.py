"""Several processes write to one journal at once, and some are killed."""

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from spancrew.stores import open_store
from tests.forked import started, whole_lines
from tests.stores.writer import CAMPAIGN, entry, write

PAIRS = 80


def written(address: str) -> list[tuple[str, int]]:
    """Return writer and number of every pair; see that no version is left out, no pair torn."""
    store = open_store(address)
    found = list(store.read(CAMPAIGN))
    store.close()
    pairs = [
        (body["by"], body["n"]) for body in (json.loads(each.entry.body) for each in found[::2])
    ]

    assert [version for version, _ in found] == list(range(1, len(found) + 1))
    assert [each for _, each in found] == [entry(*pair, part) for pair in pairs for part in (0, 1)]
    return pairs


@pytest.mark.parametrize("ways", [["append"] * 3, ["append", "turn", "turn"]], ids="-".join)
def test_nothing_is_lost_or_doubled_when_several_processes_write(
    lasting: str, ways: list[str], tmp_path: Path
) -> None:
    """All start on a store that is not there yet; each pair stays together, in order."""
    writers = [
        started(write, lasting, way, f"nämé {who}", PAIRS, tmp_path / f"{who}")
        for who, way in enumerate(ways)
    ]
    for each in writers:
        each.join(60)
    pairs = written(lasting)

    assert [each.exitcode for each in writers] == [0] * len(ways)
    assert len(pairs) == len(ways) * PAIRS
    for who in range(len(ways)):
        assert [n for by, n in pairs if by == f"nämé {who}"] == list(range(PAIRS))


@pytest.mark.slow
def test_what_was_acknowledged_survives_a_kill(lasting: str, tmp_path: Path) -> None:
    """Time after time: all that was noted is there, at most one pair more, and none torn."""
    known: dict[str, int] = {}
    for life in range(10):
        notes = tmp_path / f"{life}"
        process = started(write, lasting, ("append", "turn")[life % 2], str(life), 0, notes)
        while not whole_lines(notes):
            time.sleep(0.001)
        time.sleep(0.007 * life)
        process.kill()
        process.join(20)
        known[str(life)] = len(whole_lines(notes))
        pairs = written(lasting)
        found = Counter(by for by, _ in pairs)

        assert all(0 <= found[by] - count <= 1 for by, count in known.items())
        assert [n for by, n in pairs if by == str(life)] == list(range(found[str(life)]))
