"""Tests of the tagger."""
