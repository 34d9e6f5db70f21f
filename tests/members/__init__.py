"""Tests of the room members."""
