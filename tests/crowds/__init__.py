"""Tests of the room `crowds`."""
