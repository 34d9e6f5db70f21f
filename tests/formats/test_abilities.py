"""The table of what formats hold, against what they do."""

import re
import sys
from pathlib import Path

import pytest

from spancrew.errors import MissingPackageError
from spancrew.formats import formats, formats_for, write
from tests.formats.abilities import NEEDS, OVERLAPS, sample, table
from tests.formats.test_contract import MORE_NAMES

PAGE = Path("docs/reference/formats.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## `(.+?)`\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))


def test_the_table_in_the_docs_is_what_comes_back_from_files() -> None:
    """Make it anew with ``python -m tests.formats.abilities``."""
    assert "\n".join(table()) in PAGE


def test_every_format_has_a_heading() -> None:
    """And nothing else has one."""
    assert SECTIONS.keys() == formats().keys()


@pytest.mark.parametrize("name", sorted(formats_for("spans")))
def test_overlaps_are_described_as_in_the_table(name: str) -> None:
    """Tables of texts, and formats with tags, have none."""
    found = re.search(r"^\* Overlaps: (.+)", SECTIONS[name], re.MULTILINE)
    word = next((word for word, names in OVERLAPS.items() if name in names), "refused")
    tables = {"json", "xlsx", "parquet"}

    if found is None:
        assert name in tables | {"text"}
    else:
        assert {"no": "cannot", "longest": "longest", "refused": "refused"}[word] in found[1]


@pytest.mark.parametrize("name", sorted(formats_for("spans")))
def test_a_format_asks_for_the_package_that_it_needs_and_for_no_other(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any of them, all others can be written."""
    for package in NEEDS.values():
        monkeypatch.setitem(sys.modules, package, None)
    suffixes = MORE_NAMES.get(name, formats()[name].suffixes) or ("",)
    path = tmp_path / f"data{suffixes[0]}"

    if name in NEEDS:
        with pytest.raises(MissingPackageError, match=f"'{NEEDS[name]}'; install it with"):
            write(sample(), path, name)
    else:
        write(sample(), path, name)
        assert path.exists()
