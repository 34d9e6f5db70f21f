"""Rehearsals of a plan on a pilot, each in a process of its own."""
