"""The help of every command as it is printed in 80 columns without colours.

Print it with ``python -m tests.cli.help_texts``.
"""

from collections.abc import Iterator
from typing import Any

import typer
from typer.testing import CliRunner

from spancrew.cli._main import command

_PLAIN = {"TERMINAL_WIDTH": "80", "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}


def help_texts() -> str:
    """Return the help of all commands, one after the other."""
    texts = (_help_text(words) for words in _commands((), command()))
    return "\n".join(texts)


def _commands(words: tuple[str, ...], command: Any) -> Iterator[tuple[str, ...]]:
    yield words
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands((*words, name), inner)


def _help_text(words: tuple[str, ...]) -> str:
    # Not invoked by the runner, which would make all commands anew for each of them.
    with CliRunner(env=_PLAIN).isolation() as (printed, *_):
        command().main([*words, "--help"], prog_name="spancrew", standalone_mode=False)
        text = printed.getvalue().decode()
    lines = (line.rstrip() for line in text.strip().splitlines())
    return "\n".join([f"$ {' '.join(('spancrew', *words))} --help", "", *lines, ""])


if __name__ == "__main__":
    typer.echo(help_texts(), nl=False)
