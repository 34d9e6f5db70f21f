"""A real browser for the report."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium, or skip."""
    with chromium() as started:
        yield started
