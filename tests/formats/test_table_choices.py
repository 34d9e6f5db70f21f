"""What a table is taken for, and how to say that it is something else."""

from pathlib import Path
from typing import Any

import pytest

from spancrew.errors import FormatError
from spancrew.formats import LAYOUTS, ReadOptions, TableDescription, named, preview
from spancrew.formats._table_columns import NAMES, WORKERS
from tests.formats.test_table import read_table


def described(tmp_path: Path, text: str, **columns: Any) -> TableDescription:
    """Return what a table is taken for."""
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    found = preview(path, named("csv"), ReadOptions(columns=columns)).table
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("header", "layout"),
    [
        ("text,stars", "texts"),
        ("text,start,end,label", "spans"),
        ("text,token_start,token_end,label", "token_spans"),
        ("text,worker,spans", "answers"),
    ],
)
def test_a_table_is_described_by_its_layout(tmp_path: Path, header: str, layout: str) -> None:
    """All the roles that the layout needs have a column."""
    row = ",".join("x" for _ in header.split(","))
    marks = row.replace("x,x,x", 'x,w,"[[0,1,""A""]]"') if layout == "answers" else row
    found = described(tmp_path, f"{header}\n{marks}\n")

    assert found.layout == layout
    assert set(LAYOUTS[layout].needs) <= found.roles.keys()


def test_a_description_shows_the_first_cell_of_a_column(tmp_path: Path) -> None:
    """On one line, and not all of a long one; without a text there are columns all the same."""
    found = described(tmp_path, f'a,b\n,"x\n{"y" * 200}"\n1,z\n')

    assert found.columns == (("a", "1"), ("b", "x " + "y" * 58))
    assert (found.layout, found.roles) == ("texts", {})


def test_every_role_of_a_layout_is_one_of_columns() -> None:
    """There is one list of roles, and layouts choose from it."""
    roles = {role for each in LAYOUTS.values() for role in (*each.needs, *each.takes)}

    assert roles - {WORKERS} <= NAMES.keys()


def test_an_empty_name_says_that_no_column_has_the_role(tmp_path: Path) -> None:
    """So spans that a table has can be left where they are."""
    text = 'text,spans\nYes.,"[[0,3,""A""]]"\n'
    dataset, _ = read_table(tmp_path, text, columns={"spans": "", "workers": ()})

    assert not dataset.has_gold.any()
    assert dataset.sentences[0].meta["spans"] == '[[0,3,"A"]]'


def test_columns_of_workers_can_be_listed(tmp_path: Path) -> None:
    """Their names may hold the sign that separates them in a text."""
    text = 'text,a+b,c\nYes.,"[[0,3,""A""]]",[]\n'
    dataset, _ = read_table(tmp_path, text, columns={"workers": ["a+b", "c"]})

    assert dataset.workers == ("a+b", "c")


def test_half_of_a_span_is_refused_if_it_was_wished(tmp_path: Path) -> None:
    """Found by its name alone it would be no more than a column."""
    text = "text,von\nYes.,0\n"

    with pytest.raises(FormatError, match="named for the start, but none for what belongs to it"):
        read_table(tmp_path, text, columns={"start": "von"})
