"""Tests of spancrew; the tree mirrors the rooms."""
