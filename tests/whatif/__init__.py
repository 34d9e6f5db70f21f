"""Tests of what-ifs."""
