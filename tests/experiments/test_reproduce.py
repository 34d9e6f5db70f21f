"""`spancrew reproduce` without the paper's data: everything runs on the bundled set and says so.

The golden table is made anew, where a change of it is meant, by

    SPANCREW_DATA=none spancrew reproduce table-3 --protocol authors --runs 2 --seed 3 \
        --processes 1 --json > tests/experiments/golden/table-3-authors-demo.json
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spancrew.experiments import (
    Order,
    Reproduction,
    Section,
    reproduce,
    reproduction_page,
)
from spancrew.experiments._data import TABLE_METRICS, conll_data, demo_data
from spancrew.experiments._jobs import BEYOND, ExperimentJob, work
from spancrew.experiments._methods import authors_methods, paper_methods
from spancrew.experiments._paper import HEADLINES, notes_of, paper_results
from spancrew.experiments._reproduce import ALL
from tests.cli.conftest import Run, run
from tests.simulate.small import small

__all__ = ["run"]

GOLDEN = Path(__file__).parent / "golden" / "table-3-authors-demo.json"
FIELDS = {"what", "data", "row", "column", "paper", "ours", "sd", "difference", "variant"}


@pytest.fixture(scope="module", autouse=True)
def without_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Go where the paper's data are not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("empty"))
        patch.setenv("SPANCREW_DATA", "nowhere")
        yield


def silent(_done: int, _all: int) -> None:
    """Show no progress."""


@pytest.fixture(scope="module")
def table_3() -> Reproduction:
    """Return the golden run."""
    return reproduce(Order("table-3", None, "authors", runs=2, seed=3, processes=1), silent)


@pytest.fixture(scope="module")
def bound() -> Reproduction:
    """Return Appendix B."""
    return reproduce(Order("bound", processes=1), silent)


@pytest.fixture(scope="module")
def tossed() -> Reproduction:
    """Return Appendix A."""
    return reproduce(Order("simulator", runs=2, processes=1), silent)


@pytest.fixture(scope="module")
def figures() -> Reproduction:
    """Return both figures by the authors' protocol, in one run."""
    stage = demo_data()
    found = work(ExperimentJob(stage, "authors", ("tau", "regret"), ("proportional",), 1, 0))
    return Reproduction(
        [
            Section("figure-tau", "demo", "Figure tau, demo", found["tau"]),
            Section("figure-regret", "demo", "Figure regret, demo", found["regret"]),
        ]
    )


def test_the_golden_table_is_met(table_3: Reproduction) -> None:
    """Every number of a small seeded run by the authors' protocol."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    found = table_3.as_json()

    assert [_place(each) for each in found] == [_place(each) for each in golden]
    for name in ("ours", "sd"):
        assert [each[name] for each in found] == pytest.approx(
            [each[name] for each in golden], abs=1e-4
        )


def _place(record: dict[str, Any]) -> tuple[str, ...]:
    return tuple(record[name] for name in ("what", "data", "row", "column", "variant"))


def test_the_bundled_data_stand_in_and_are_compared_with_nothing(table_3: Reproduction) -> None:
    """Eleven methods, three metrics with P, R and F1, and the experts that the gates ask."""
    (section,) = table_3.sections
    numbers = section.findings.numbers
    stage = demo_data()

    assert table_3.is_demo
    assert "SPANCREW_DATA" in section.notes[-1]
    assert {n.row for n in numbers} == {m.name for m in authors_methods(stage.numbers)}
    assert len(numbers) == 11 * 3 * 3 + 3 * 3
    assert {n.paper for n in numbers} == {n.difference for n in numbers} == {None}


def test_bandits_beat_random_and_the_oracle_beats_bandits(table_3: Reproduction) -> None:
    """On the bundled data as well, in every metric."""
    numbers = table_3.sections[0].findings.numbers
    for metric in TABLE_METRICS:
        f1 = {n.row: n.ours for n in numbers if n.column == f"{metric} f1"}
        bandits = [f1[row] for row in f1 if row not in {"Oracle", "Random"}]

        assert f1["Random"] + 1 < min(bandits)
        assert max(bandits) < f1["Oracle"] + 0.5


def test_two_processes_find_the_same(table_3: Reproduction) -> None:
    """To the last digit."""
    order = Order("table-3", None, "authors", runs=2, seed=3, processes=2)

    assert reproduce(order, silent).as_json() == table_3.as_json()


def test_progress_is_told() -> None:
    """From nothing to all pieces."""
    told: list[tuple[int, int]] = []
    reproduce(Order("simulator", runs=1, processes=1), lambda *now: told.append(now))

    assert told == [(0, 1), (1, 1)]


def test_the_bound_needs_no_data(bound: Reproduction) -> None:
    """It has the paper's bound beside the exact chance, which is never below it."""
    (section,) = bound.sections
    exact = [n for n in section.findings.numbers if "simulated" not in n.column]

    assert section.what == "bound"
    assert bound.bound
    assert all(n.paper is not None and n.ours >= n.paper for n in exact)
    assert "SPANCREW_DATA" not in " ".join(section.notes)


def test_the_simulator_on_other_data_is_compared_with_nothing(tossed: Reproduction) -> None:
    """The paper's scores are those of other workers, and so are its notes."""
    (section,) = tossed.sections

    assert {n.paper for n in section.findings.numbers} == {None}
    assert not any("OEI" in line for line in section.notes)
    assert "bundled" in section.notes[-1]


def test_figures_have_a_line_for_every_method_and_threshold(figures: Reproduction) -> None:
    """Expert use grows with the threshold, from none to all but those in full agreement."""
    tau, regret = (section.findings for section in figures.sections)
    saved = [n.ours for n in tau.numbers if n.column == "experts saved"]

    assert len(saved) == 21
    assert saved[0] > 95
    assert saved == pytest.approx(sorted(saved, reverse=True), abs=3)
    assert {curve.figure for curve in tau.curves} == {"tau-f1", "tau-experts"}
    assert len(regret.curves) == 11
    at_end = {curve.series: curve.mean[-1] for curve in regret.curves}
    assert at_end["Oracle"] < at_end["CUCB (Exp.)"] < at_end["Random"]


def test_the_page_has_every_section_and_needs_nothing_from_outside(
    table_3: Reproduction, bound: Reproduction, tossed: Reproduction, figures: Reproduction
) -> None:
    """Tables, figures and notes."""
    parts = [part for each in (table_3, figures, tossed, bound) for part in each.sections]
    page = reproduction_page(Reproduction(parts, [], bound.bound, is_demo=True))

    for section in parts:
        assert section.title in page
    for words in ("CUCB (Exp.+MV)", "tau=0.65", "Cumulative regret: authors", "Expert use"):
        assert words in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page
    assert "SPANCREW_DATA" in page


def test_records_of_the_command_have_the_fields_of_the_reference(run: Run) -> None:
    """A list of numbers, and nothing on the side."""
    code, out, _ = run("reproduce", "simulator", "--runs", "2", "--processes", "1", "--json")
    records = json.loads(out)

    assert code == 0
    assert all(each.keys() == FIELDS for each in records)
    assert {each["data"] for each in records} == {"demo"}


def test_the_command_prints_tables_and_writes_the_page(run: Run, tmp_path: Path) -> None:
    """With the note that the bundled data stand in."""
    words = ("--runs", "1", "--processes", "1", "--report", "found.html")
    code, out, _ = run("reproduce", "simulator", *words)

    assert code == 0
    for part in ("feedback simulator", "Exp.+MV", "SPANCREW_DATA", "found.html"):
        assert part in out
    assert "feedback simulator" in (tmp_path / "found.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["table-9"], "table-9"),
        (["table-3", "--runs", "0"], "runs 0: at least 1 is needed"),
        (["table-3", "--protocol", "mine"], "mine"),
        (["bound", "--data", "nowhere"], "nowhere"),
    ],
)
def test_bad_words_are_refused(run: Run, words: list[str], said: str) -> None:
    """In one sentence, with exit code 2."""
    code, out, err = run("reproduce", *words)

    assert code == 2
    assert said in err
    assert not out


def test_notes_without_data_leave_out_what_is_about_the_papers() -> None:
    """And say why nothing is compared."""
    assert any("OEI" in line for line in notes_of("table-4"))
    assert not any("OEI" in line for line in notes_of("table-4", has_paper=False))


def test_the_papers_methods_are_the_rows_of_its_tables() -> None:
    """The same names in both protocols and both tables; every headline is of a known table."""
    for methods in (paper_methods, authors_methods):
        names = [method.name for method in methods(demo_data().numbers)]

        assert names == list(paper_results("conll")) == list(paper_results("oei"))
    assert {head.data for head in HEADLINES} == {"conll", "oei"}


@pytest.mark.parametrize("variant", ["ses:first", "calibrated"])
def test_the_papers_protocol_fills_table_and_figures(variant: str) -> None:
    """Final labels have a column of their own; policies that the paper lacks have a line."""
    dataset = small(60, 25, share=0.5)
    stage = replace(demo_data(), dataset=dataset, pilot=dataset)
    found = work(
        ExperimentJob(stage, variant, ("table", "tau", "regret"), ("proportional",), 2, 0)
    )
    final = {n.row: n.ours for n in found["table"].numbers if n.column == "final exact f1"}
    saved = [n.ours for n in found["tau"].numbers if n.column == "experts saved"]

    assert len(final) == 11
    assert final["CUCB (Exp.)"] == 100
    assert final["CUCB (MV)"] < final["CUCB (Exp.+MV)"] <= 100
    assert len(saved) == 21
    assert saved[0] > saved[10] > saved[20] == 0
    assert {curve.figure for curve in found["tau"].curves} == {
        "tau-f1",
        "tau-experts",
        "tau-final",
    }
    assert len(found["regret"].curves) == 11 + len(BEYOND)


@pytest.mark.realdata
def test_the_stage_has_the_papers_numbers(real_data: Path) -> None:
    """47 workers, each with a target; the table beside them."""
    stage = conll_data(real_data)

    assert len(stage.targets(TABLE_METRICS["exact"])) == 47
    assert stage.paper["Oracle"]["proportional f1"] == 83.82


def test_a_rule_that_the_paper_does_not_have_gets_a_row() -> None:
    """Of CUCB, in the paper's protocol, with its experts and final labels."""
    job = ExperimentJob(
        demo_data(), "ses:uniform", ("table",), ("proportional",), 1, 0, ("adaptive",)
    )
    numbers = work(job)["table"].numbers
    columns = {n.column for n in numbers if n.row == "CUCB (adaptive)"}

    assert {"proportional f1", "proportional experts", "final exact f1"} <= columns


def test_all_is_without_table_6() -> None:
    """Because it takes hours."""
    assert "table-6" not in ALL
