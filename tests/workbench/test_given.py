"""What calls take: data in any form, names of one thing or several, and nothing else."""

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import spancrew as sc
from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import SpancrewError, WrongTypeError
from spancrew.workbench import ReadData, draw_datasets

ROWS = [
    ("s1", "Ana left Rome", "kit", 0, 3, "PER"),
    ("s1", "Ana left Rome", "bo", 9, 13, "LOC"),
    ("s2", "It rained", "kit", None, None, None),
]
COLUMNS = ["id", "text", "worker", "start", "end", "label"]
DATA = Dataset.of(
    [Sentence.from_text("s1", "Ana left Rome"), Sentence.from_text("s2", "It rained")],
    answers=[
        Answer("s1", "kit", (Span(0, 1, "PER"),)),
        Answer("s1", "bo", (Span(2, 3, "LOC"),)),
        Answer("s2", "kit"),
    ],
)


def test_data_is_the_same_in_whatever_form_it_is_given(tmp_path: Path) -> None:
    """As a file, a DataFrame of pandas or polars, a data set, or the value of another call."""
    frame = pd.DataFrame(ROWS, columns=COLUMNS)
    file = tmp_path / "data.csv"
    frame.to_csv(file, index=False)
    polars = pl.DataFrame(ROWS, schema=COLUMNS, orient="row")
    given = [file, str(file), frame, polars, DATA, sc.read(DATA), sc.aggregate(DATA, "mv")]

    for each in given:
        assert sc.read(each).dataset.answers == DATA.answers
        assert sc.read(each).dataset.sentences == DATA.sentences


@pytest.mark.parametrize("given", [3, None, [DATA], {"text": "Ana"}, sc], ids=repr)
def test_something_else_gets_a_sentence(given: Any) -> None:
    """It names the type, and what would do."""
    for call in (sc.read, sc.inspect, sc.aggregate, sc.certify, sc.fidelity, sc.frontier):
        with pytest.raises(WrongTypeError, match=r"the data is .+: give a path, .+ DataFrame"):
            call(given)


def test_a_wrong_name_gets_a_sentence() -> None:
    """Whatever was to be named."""
    with pytest.raises(WrongTypeError, match="policy is an int: give its name, such as 'cucb"):
        sc.simulate(DATA, policy=3)  # type: ignore[arg-type]
    with pytest.raises(WrongTypeError, match="answers is a str: give a whole number"):
        sc.simulate(DATA, answers="five")  # type: ignore[arg-type]
    with pytest.raises(
        SpancrewError, match="crew 'five': write a whole number such as 20, or auto"
    ):
        sc.simulate(DATA, crew="five")
    with pytest.raises(WrongTypeError, match="the method is a list: give its name"):
        sc.aggregate(DATA, ["mv"])  # type: ignore[arg-type]
    with pytest.raises(SpancrewError, match="rows 'tokens': there is one for each of sentences"):
        sc.aggregate(DATA, "mv").frame("tokens")  # type: ignore[arg-type]
    with pytest.raises(WrongTypeError, match="unit: these options are about reading"):
        sc.read(DATA, unit="words")


def test_columns_are_named_as_for_a_file() -> None:
    """And the message says what is there if they are not."""
    frame = pd.DataFrame(ROWS, columns=["id", "phrase", *COLUMNS[2:]])

    assert sc.read(frame, columns={"text": "phrase"}).dataset.answers == DATA.answers
    with pytest.raises(SpancrewError, match=r"DataFrame: no column looks like the text \(columns"):
        sc.read(frame)


def test_the_call_and_the_room_simulate_share_their_name() -> None:
    """In either order of imports; what the room has is still there."""
    from spancrew.simulate import Setting

    assert sc.simulate.Setting is Setting  # type: ignore[attr-defined]
    with pytest.raises(WrongTypeError, match="the data is an int"):
        sc.simulate(3)  # type: ignore[arg-type]


def test_what_was_read_comes_apart() -> None:
    """As it always did: the data set, then the repairs."""
    dataset, repairs = sc.read("demo-zh")

    assert isinstance(dataset, Dataset)
    assert repairs == ()
    assert repr(ReadData(DATA, ())) == f"{DATA!r}, 0 repairs"


def test_ipython_is_told_how_to_draw_a_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a shell; elsewhere nothing happens."""
    from IPython.core.formatters import DisplayFormatter

    class Shell:
        display_formatter = DisplayFormatter()

    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    assert not draw_datasets()
    monkeypatch.setattr("IPython.get_ipython", Shell)
    assert draw_datasets()
    made, _ = Shell.display_formatter.format(DATA)  # type: ignore[no-untyped-call]

    assert "PER" in made["text/html"]
    assert made["text/plain"] == repr(DATA)
