"""Tests of the room `simulate`."""
