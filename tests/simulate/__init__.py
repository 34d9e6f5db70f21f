"""Tests of spancrew.simulate."""
