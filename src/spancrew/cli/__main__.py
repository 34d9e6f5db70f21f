"""Run as `python -m spancrew.cli`."""

from spancrew.cli import main

main()
