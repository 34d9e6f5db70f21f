"""Tests of the files that help to run a server elsewhere."""
