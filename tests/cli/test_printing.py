"""What is printed fits a terminal of 80 columns, and nothing is cut off."""

import io

from rich.console import Console, RenderableType

from spancrew.cli._printing import fact_table, table

HEAD = ("worker", "answers", *("token P", "R", "F1", "exact P", "R", "F1", "prop. P", "R", "F1"))


def printed(view: RenderableType) -> list[str]:
    """Return the lines of a view."""
    out = io.StringIO()
    Console(file=out, width=80).print(view)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_heads_of_two_words_make_room_for_numbers() -> None:
    """The table of `spancrew inspect` is 83 columns wide, with heads on one line."""
    lines = printed(table("Workers", HEAD, [["... 20 more", "1,422", *["0.95"] * 9]]))

    assert max(map(len, lines)) <= 80
    assert "answers" in lines[2]
    assert lines[-1].split() == ["...", "20", "more", "1,422", *["0.95"] * 9]


def test_a_long_address_goes_on_in_the_next_line() -> None:
    """Whoever copies it needs all of it; the numbers stay whole."""
    address = "https://hooks.example/" + "x" * 70
    lines = printed(
        table("Webhooks", ("id", "address", "count"), [("1", address, "12,345")], words=2)
    )

    assert "12,345" in lines[2]
    assert "".join(line.split()[-1] for line in lines[3:]) in address
    assert "…" not in "".join(lines)


def test_a_title_may_be_wider_than_its_table() -> None:
    """It stays on one line."""
    title = "A title that is much wider than what stands below it"

    assert printed(fact_table(title, [("a", "b")])) == [title, "a  b"]
