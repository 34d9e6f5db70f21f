"""One server for all tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from spancrew.client import Client
from tests.serving import Serving, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server that runs."""
    folder: Path = tmp_path_factory.mktemp("server")
    with serving(folder) as found:
        yield found


@pytest.fixture
def admin(server: Serving) -> Iterator[Client]:
    """Return its admin."""
    with server.admin(patience=10) as client:
        yield client
