"""Sentences and entries as rows of a table, and back."""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, TypeVar

from spancrew.campaign import Entry, current
from spancrew.errors import StoreError, UnknownCampaignError, VersionError
from spancrew.stores._base import Recorded, SentenceRow, Turn

T = TypeVar("T")

_LAST_TWO = ("snapshot", "model", "picture", "agreement")
"""What is large and made again and again: the last is used, the one before is for safety."""

_QUICK, _PACKED = 1, b"\x78\x01"
"""How hard to compress, and how zlib begins then; nothing else that is kept begins so."""

CHUNK = 5_000
"""Rows that are read or written at a time: few enough to be quick, enough to be worth it."""


def chunks(rows: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    """Yield rows in lists of at most a size.

    >>> list(chunks("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(rows)
    while chunk := list(islice(rest, size)):
        yield chunk


def can_be_stored(text: str) -> bool:
    """Tell whether every database takes this text: no NUL, no half of a surrogate pair."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def checked_name(campaign: str) -> str:
    """Return the name of a campaign; refuse one that no campaign can have."""
    if not campaign or not can_be_stored(campaign):
        raise UnknownCampaignError(f"there is no campaign {campaign!r}")
    return campaign


def appended(turn: Turn, campaign: str, entries: Sequence[Entry], expected_version: int) -> int:
    """Add entries in a turn and return the new version; refuse if somebody else was quicker."""
    if turn.version != expected_version:
        raise VersionError(
            f"the journal of campaign {campaign!r} is at version {turn.version}, not "
            f"{expected_version}: read on, and try again"
        )
    return turn.append(entries)


def entry_row(campaign: str, version: int, entry: Entry) -> tuple[Any, ...]:
    """Return an entry as a row; half a surrogate pair is escaped, as JSON does."""
    body = entry.body.encode("utf-8", "backslashreplace").decode()
    return campaign, version, entry.at, entry.kind, body


def recorded(row: Sequence[Any]) -> Recorded:
    """Return the entry of a row of version, time, kind and body, as this version writes it."""
    version, at, kind, body = row
    return Recorded(version, current(Entry(kind, at, body)))


def sentence_row(campaign: str, number: int, row: SentenceRow) -> tuple[Any, ...]:
    """Return a sentence as a row; refuse characters that not every database takes."""
    for name, value in (("id", row.id), ("text", row.text)):
        if not can_be_stored(value):
            raise StoreError(
                f"the {name} of sentence {number} ({row.id!a}) has a NUL character or half a "
                "surrogate pair, which no database takes; remove it"
            )
    # A list of numbers looks in Python as in JSON, and is written much faster so.
    bounds = str(list(chain.from_iterable(row.bounds)))
    gold = None if row.gold is None else json.dumps(row.gold)
    return campaign, number, row.id, row.text, bounds, gold, row.meta


def sentence_of(row: Sequence[Any]) -> SentenceRow:
    """Return the sentence of a row of id, text, bounds, gold and meta."""
    id_, text, bounds, gold, meta = row
    borders = json.loads(bounds)
    return SentenceRow(
        id_,
        text,
        tuple(zip(borders[::2], borders[1::2], strict=True)),
        None if gold is None else tuple((start, end, of) for start, end, of in json.loads(gold)),
        meta,
    )


def packed(kind: str, data: bytes) -> bytes:
    """Return what is kept as it is written; what is made again and again is compressed.

    It is mostly zeros and small numbers, of which the quickest way leaves a tenth.
    """
    return zlib.compress(data, _QUICK) if kind in _LAST_TWO else data


def unpacked(kind: str, data: bytes) -> bytes:
    """Return what is kept as it was given; earlier versions did not compress it.

    >>> unpacked("snapshot", packed("snapshot", b"0000")), unpacked("snapshot", b"0000")
    (b'0000', b'0000')
    """
    is_packed = kind in _LAST_TWO and data.startswith(_PACKED)
    try:
        return zlib.decompress(data) if is_packed else data
    except zlib.error:
        # Whoever reads it finds it damaged, and makes it again.
        return data


def superseded(kind: str, known: Iterable[int], version: int) -> set[int]:
    """Return the versions that go when one of a kind is kept: old ones, if only two are kept.

    >>> sorted(superseded("snapshot", [10, 30], 40)), superseded("snapshot", [10, 30], 5)
    ([10], {5})
    """
    return set(sorted({*known, version})[:-2]) if kind in _LAST_TWO else set()
