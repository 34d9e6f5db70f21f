"""Tests of the room `augment`."""
