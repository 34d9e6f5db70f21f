"""The paper's Table 2: the figures as printed, and ours."""

import json
from pathlib import Path

import numpy as np
import pytest

from spancrew.errors import FormatError
from spancrew.experiments import PRINTED, Table2, data_folder, paper_error, paper_workers
from spancrew.experiments._data import oei_data
from spancrew.experiments._table_2 import table_2, table_2_numbers
from spancrew.formats import read
from tests.cli.conftest import Run, run

__all__ = ["run"]

SHOWN = {
    "25": (2.83, 6.69, 0.01),
    "52": (8.15, 10.83, 0.00),
    "46": (3.83, 13.48, 0.00),
    "43": (10.02, 11.21, 0.00),
    "18": (9.87, 12.84, 0.00),
    "50": (16.69, 10.71, 0.00),
    "12": (47.18, 10.52, 0.00),
}
"""The seven workers of Table 2: errors of random generation, SES only, SES + Algorithm 2."""


def test_the_last_table_agrees_with_table_2() -> None:
    """The errors that Table 2 prints follow from the F1 of the last table."""
    rows = {row.worker: row for row in paper_workers()}
    for worker, errors in SHOWN.items():
        row = rows[worker]
        found = [abs(row.after(method) - row.original) for method in PRINTED]

        assert found == pytest.approx(errors, abs=0.0051)


def test_the_printed_averages_are_those_of_the_seven() -> None:
    """Over all 70 the paper's own figures give another mean, also for SES + Algorithm 2."""
    means = np.mean(list(SHOWN.values()), axis=0)

    assert means == pytest.approx(list(PRINTED.values()), abs=0.006)
    assert paper_error("ses") == pytest.approx(0.00457, abs=1e-5)


def test_all_workers_are_there_in_order_of_f1_within_reason() -> None:
    """70 ids without a gap, the best at 62.9, the worst at 13.66."""
    rows = paper_workers()

    assert [row.worker for row in rows] == [str(k) for k in range(70)]
    assert max(row.original for row in rows) == 62.90
    assert min(row.original for row in rows) == 13.66


@pytest.fixture(scope="module")
def bundled() -> Table2:
    """Return the three methods on the bundled data."""
    return table_2("demo", read("demo").dataset, None)


def test_the_bundled_crowd_compares_as_the_paper_says(bundled: Table2) -> None:
    """SES + Algorithm 2 is far better than SES alone and than random generation."""
    random, alone, balanced = (column.errors.mean() for column in bundled.methods.values())

    assert balanced < 0.01
    assert min(alone, random) > 1
    assert bundled.answers == 600 * 30


def test_numbers_of_other_data_stand_beside_nothing(bundled: Table2) -> None:
    """30 workers and a mean for each method, and a mean for the two other metrics."""
    numbers = table_2_numbers(bundled)

    assert len(numbers) == 3 * (30 + 1) + 2
    assert {number.paper for number in numbers} == {None}


def test_without_the_data_the_bundled_crowd_stands_in(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a folder that was named has to be there."""
    monkeypatch.setenv("SPANCREW_DATA", "elsewhere")
    code, out, _ = run("reproduce", "table-2", "--processes", "1", "--json")
    records = json.loads(out)

    assert code == 0
    assert {(each["what"], each["data"]) for each in records} == {("table-2", "demo")}
    assert {each["variant"] for each in records} == {"random", "ses-only", "ses"}


def test_a_missing_folder_is_explained(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all ways to say where it is."""
    code, _, err = run("reproduce", "table-2", "--data", "nowhere")

    assert code == 2
    assert "--data FOLDER or SPANCREW_DATA" in err
    monkeypatch.setenv("SPANCREW_DATA", "elsewhere")
    with pytest.raises(FormatError, match="elsewhere"):
        data_folder()


def test_a_folder_without_the_files_is_explained(run: Run, tmp_path: Path) -> None:
    """The file that is missing is named."""
    code, _, err = run("reproduce", "table-2", "--data", tmp_path)

    assert code == 2
    assert "collected.json" in err


@pytest.mark.long
@pytest.mark.realdata
def test_table_2_is_reproduced(real_data: Path) -> None:
    """SES + Algorithm 2 at most the paper's error, for all 70 workers."""
    pytest.importorskip("jieba")
    oei = oei_data(real_data)
    numbers = table_2_numbers(table_2("OEI", oei.dataset, oei.skills))
    error = {(e.variant, e.column): e.ours for e in numbers if e.row == "all workers"}

    assert len(numbers) == 3 * (70 + 1) + 2
    assert error["ses", "mean error"] <= 0.0014
    assert max(value for (method, _), value in error.items() if method == "ses") <= 0.005
    assert error["ses-only", "mean error"] > 5
    assert error["random", "mean error"] > 10


@pytest.mark.realdata
def test_table_2_is_printed_beside_the_paper(
    run: Run, real_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a few sentences of each data set."""
    pytest.importorskip("jieba")
    names = {"oei/train.json": 40, "oei/dev-crowd.json": 40, "conll-crowd/collected.json": None}
    for name, lines in names.items():
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        text = (real_data / name).read_text(encoding="utf-8")
        if lines is None:
            target.write_text(json.dumps(json.loads(text)[:60]), encoding="utf-8")
        else:
            target.write_text("".join(text.splitlines(keepends=True)[:lines]), encoding="utf-8")
    monkeypatch.setenv("SPANCREW_DATA", str(tmp_path))
    code, out, _ = run("reproduce", "table-2")

    assert code == 0
    for part in ("OEI: exact F1", "CoNLL: exact F1", "62.90", "SES + Algorithm 2", "(0.0046)"):
        assert part in out
