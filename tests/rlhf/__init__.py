"""Preferences in a training loop."""
