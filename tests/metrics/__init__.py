"""Tests of the room `metrics`."""
