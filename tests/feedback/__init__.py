"""Tests of the room `feedback`."""
