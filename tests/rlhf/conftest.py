"""One server for all tests of a file."""

from tests.client.conftest import admin, server

__all__ = ["admin", "server"]
