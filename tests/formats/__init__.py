"""Tests of the room `formats`."""
