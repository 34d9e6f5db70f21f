"""Every store keeps to the contract."""

import pytest

from spancrew.stores import EventStore
from spancrew.testing import StoreContract


class TestEveryStore(StoreContract):
    """The contract, once for every store."""

    @pytest.fixture(autouse=True)
    def _open(self, store: EventStore) -> None:
        self.store = store
