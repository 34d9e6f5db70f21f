"""What is made again and again takes little room; what earlier versions kept is read as it is."""

from contextlib import closing

import numpy as np
import pytest
from sqlalchemy import func, insert, select

from spancrew.stores import Derived, open_sql
from spancrew.stores._schema import kept


@pytest.mark.parametrize("kind", ["snapshot", "picture", "agreement"])
def test_answers_take_a_fifth_of_their_room(lasting: str, kind: str) -> None:
    """Most tokens are outside of all spans."""
    codes = np.random.default_rng(0).choice(3, 100_000, p=[0.9, 0.06, 0.04]).astype(np.uint8)
    with closing(open_sql(lasting)) as store:
        store.keep("names", kind, Derived(1, codes.tobytes()))
        with store.engine.connect() as connection:
            size = connection.execute(select(func.length(kept.c.data))).scalar_one()

    assert size < len(codes) / 5


@pytest.mark.parametrize("data", [b"spancrew2 as it was", b"\x78\x01 damaged", b""])
def test_what_was_not_compressed_is_read_as_it_is(lasting: str, data: bytes) -> None:
    """So a store of an earlier version begins with its snapshots; a damaged one is no error."""
    with closing(open_sql(lasting)) as store:
        with store.engine.begin() as connection:
            connection.execute(insert(kept).values(("names", "snapshot", 7, data)))

        assert store.kept("names", "snapshot") == Derived(7, data)
