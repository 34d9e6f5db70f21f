"""Tests of the pages in a real browser, on a real server."""
