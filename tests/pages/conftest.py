"""A real server, and a real browser for everybody who takes part."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from spancrew.client import Client
from spancrew.formats import read, write
from tests.browser import Visit, chromium, visiting
from tests.pages.admins import as_admin
from tests.serving import Serving, serving

Visitors = Callable[..., Visit]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start Chromium, or skip."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Serve for all tests of the pages in this process; campaigns keep them apart."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="package")
def admin(server: Serving) -> Iterator[Client]:
    """Return a client with the rights of the admin, to set things up quickly."""
    with server.admin() as client:
        yield client


@pytest.fixture
def visit(browser: Browser, server: Serving) -> Iterator[Visitors]:
    """Return a function that opens a browser for one person; a test fails if a script does."""
    with ExitStack() as stack:

        def open_(**options: Any) -> Visit:
            return stack.enter_context(visiting(browser, server.url, **options))

        yield open_


@pytest.fixture
def admins(visit: Visitors, server: Serving) -> Visitors:
    """Return a function that opens a browser in which an admin is signed in."""

    def open_(**options: Any) -> Visit:
        return visit(**as_admin(server), **options)

    return open_


@pytest.fixture(scope="package")
def pilot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with sentences that have gold and answers."""
    path = tmp_path_factory.mktemp("pilot") / "pilot.jsonl"
    write(read("demo").dataset.take(np.arange(24)), path)
    return path
