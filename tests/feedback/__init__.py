"""Tests of spancrew.feedback."""
