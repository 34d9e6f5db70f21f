"""The command line: argument parsing and printing, nothing else.

May import everything.
"""

from spancrew.cli._main import main

__all__ = ["main"]
