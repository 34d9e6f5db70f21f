"""How long it takes to find sentences among 1,000 and among 100,000, in CPU time.

SQLite works in this process, so that a busy machine does not matter.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks._row import Row
from spancrew.campaign import Entry
from spancrew.stores import SentenceFilter, SentenceIndex, SentenceRow, SqlStore, open_sql

SIZES = (1_000, 100_000)
REPEATS = 15
ALLOWED = 300.0
"""Milliseconds that an answer may take."""

QUICK = {"SIZES": (50, 200), "REPEATS": 2}

_LOOKS: dict[str, tuple[SentenceFilter, int]] = {
    "first page": (SentenceFilter(), 0),
    "last page": (SentenceFilter(), -1),
    "by state": (SentenceFilter(state="at_expert"), 0),
    "by label and worker": (SentenceFilter(label="LOC", worker=3), 0),
    "disputed": (SentenceFilter(disputed=True), 0),
    "in the text": (SentenceFilter(text="boston 77"), 0),
}


def rows() -> Iterator[Row]:
    """Measure every kind of look at both sizes, and how long the first look takes."""
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            store = open_sql(str(Path(folder) / "store.db"))
            _fill(store, size)
            index = SentenceIndex(store.engine, store)
            start = time.process_time()
            index.catch_up("big")
            taken = (time.process_time() - start) / size * 1e3
            yield Row(f"{size:,} sentences, indexed", taken, 10.0, "budget", "ms per sentence")
            for name, (wanted, page) in _LOOKS.items():
                ours = _median(index, wanted, page % ((size - 1) // 50 + 1))
                yield Row(f"{size:,} sentences, {name}", ours, ALLOWED, "budget", "ms")
            store.close()


def _median(index: SentenceIndex, wanted: SentenceFilter, page: int) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        index.catch_up("big")
        index.page("big", wanted, page)
        times.append((time.process_time() - start) * 1e3)
    return statistics.median(times)


def _fill(store: SqlStore, size: int) -> None:
    words = ["In", "the", "morning", "Ann", "took", "the", "train", "to", "New", "York", "Boston"]
    store.add_sentences(
        "big", (_sentence(number, [*words, str(number)]) for number in range(size))
    )
    version = 0
    for first in range(0, size, 500):
        numbers = range(first, min(first + 500, size))
        entries = [entry for number in numbers for entry in _entries(number)]
        version = store.append("big", entries, expected_version=version)


def _sentence(number: int, words: list[str]) -> SentenceRow:
    bounds, at = [], 0
    for word in words:
        bounds.append((at, at + len(word)))
        at += len(word) + 1
    return SentenceRow(f"s{number}", " ".join(words), tuple(bounds))


def _entries(number: int) -> Iterator[Entry]:
    spans: list[list[object]] = [[3, 4, "PER"], [8, 10, "LOC"]]
    for k in range(3):
        worker, assignment = (number + k) % 40, 3 * number + k
        said = spans if (number + k) % 5 else spans[:1]
        body: dict[str, object] = {"assignment": assignment, "sentence": number}
        body["worker"] = worker
        yield _entry("Assigned", {**body, "until": 9.0, "purpose": "crew", "reason": {"rank": k}})
        yield _entry("Answered", {**body, "spans": said, "paid": 0.1, "surplus": False})
    is_expert = number % 10 == 0
    outcome = "expert" if is_expert else "crowd"
    yield _entry("Judged", {"sentence": number, "outcome": outcome, "errors": number % 7 / 7})
    if not is_expert:
        labels = [[*span, 0.9, [1, 2]] for span in spans]
        body = {"sentence": number, "by": "crowd", "labels": labels, "confidence": 0.9}
        yield _entry("Settled", {**body, "answers": 3, "rewards": []})


def _entry(kind: str, body: dict[str, object]) -> Entry:
    return Entry(kind, 1_700_000_000.0, json.dumps(body))
