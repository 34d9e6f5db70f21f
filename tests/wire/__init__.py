"""Tests of the wire models."""
