"""Tests of the room `effect`."""
