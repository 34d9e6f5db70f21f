"""The help of every command changes on purpose only.

To change it, write it anew and look at the difference:

    python -m tests.cli.help_texts > tests/cli/golden/help.txt
"""

from pathlib import Path

from tests.cli.help_texts import help_texts

GOLDEN = Path(__file__).parent / "golden" / "help.txt"


def test_the_help_of_every_command_is_as_it_was() -> None:
    """In 80 columns, without colours."""
    assert help_texts() == GOLDEN.read_text("utf-8")
