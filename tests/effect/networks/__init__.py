"""Tests of networks; they need the extra ``models``, which ``make test-models`` installs."""
