"""Tests of the room `certificates`."""
