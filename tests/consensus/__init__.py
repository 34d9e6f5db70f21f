"""Tests of the room `consensus`."""
