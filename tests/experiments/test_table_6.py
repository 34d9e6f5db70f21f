"""`spancrew reproduce table-6` on the bundled set: a part, what is missing, what is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from spancrew.errors import SpancrewError
from spancrew.experiments import Order, Size, Table6Order, reproduce
from tests.cli.conftest import Run, run

__all__ = ["run"]


@pytest.fixture(scope="module", autouse=True)
def without_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Go where the paper's data are not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("empty"))
        patch.setenv("SPANCREW_DATA", "nowhere")
        yield


def silent(_done: int, _all: int) -> None:
    """Show no progress."""


def test_table_6_says_what_is_missing_and_goes_on(tmp_path: Path) -> None:
    """Without time nothing is trained; what is there then is not trained again."""
    wanted = Table6Order(("crf",), Size(60, 1, 1), tmp_path, minutes=0)
    order = Order("table-6", table_6=wanted)
    (none,) = reproduce(order, silent).sections
    (whole,) = reproduce(order._replace(table_6=wanted._replace(minutes=None)), silent).sections
    (again,) = reproduce(order, silent).sections

    assert none.findings.numbers == []
    assert none.notes[0].startswith("NOT COMPLETE")
    assert "real, crf: 7 of 7" in none.notes[0]
    assert {number.variant for number in whole.findings.numbers} == {"real"}
    assert all(number.paper is None for number in whole.findings.numbers)
    assert "points, selected crew less random crew" in {n.column for n in whole.findings.numbers}
    assert any("tagger of the crew" in note for note in whole.notes)
    assert again.findings.numbers == whole.findings.numbers
    assert again.notes == whole.notes == none.notes[1:]


def test_table_6_trains_only_what_is_wanted(tmp_path: Path) -> None:
    """Two arms of one crowd; the rest is neither trained nor missing, and found when asked for."""
    two = Table6Order(("crf",), Size(60, 1, 1), tmp_path, None, ("real",), ("gold", "final"))
    (some,) = reproduce(Order("table-6", table_6=two), silent).sections
    rest = two._replace(minutes=0, arms=())
    (all_arms,) = reproduce(Order("table-6", table_6=rest), silent).sections

    assert {n.column for n in some.findings.numbers if n.column.startswith("exact")} == {
        "exact F1, final",
        "exact F1, gold",
    }
    assert "points, final less gold" in {n.column for n in some.findings.numbers}
    assert not some.notes[0].startswith("NOT COMPLETE")
    assert "real, crf: 5 of 7" in all_arms.notes[0]


@pytest.mark.parametrize(
    "wanted",
    [
        Table6Order(("crf",), crowds=("calibrated",)),
        Table6Order(("crowd-cat",), arms=("gold",)),
    ],
)
def test_table_6_refuses_what_does_not_go_together(wanted: Table6Order) -> None:
    """A crowd that is not there, or labels of nobody for a model that tells workers apart."""
    with pytest.raises(SpancrewError, match="nothing to train for"):
        reproduce(Order("table-6", table_6=wanted), silent)


@pytest.mark.parametrize("option", [("--crowd", "conll"), ("--arm", "silver")])
def test_table_6_refuses_a_part_that_is_not_known(run: Run, option: tuple[str, str]) -> None:
    """Before anything is read or trained."""
    code, _, err = run("reproduce", "table-6", "--model", "crf", *option)

    assert code == 2
    assert f"{option[1]!r} is not known: there are" in " ".join(err.split())
