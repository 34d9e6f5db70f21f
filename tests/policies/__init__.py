"""Tests of the room `core`."""
