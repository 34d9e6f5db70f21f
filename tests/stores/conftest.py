"""Stores of every kind."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spancrew.stores import EventStore, open_store

KINDS = ("memory", "sqlite", "postgresql")

Address = Callable[[str], str]


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Return the address of a new store of a kind."""

    def of(kind: str) -> str:
        if kind == "memory":
            return "memory:"
        if kind == "sqlite":
            return str(tmp_path / "store.db")
        return str(request.getfixturevalue("postgres").database())

    return of


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, address: Address) -> Iterator[EventStore]:
    """Return an empty store of every kind."""
    opened = open_store(address(request.param))
    yield opened
    opened.close()


@pytest.fixture(params=KINDS[1:])
def lasting(request: pytest.FixtureRequest, address: Address) -> str:
    """Return the address of a store that outlives the process."""
    return address(request.param)
