"""The client looks at data and rehearses plans on a real server."""

from pathlib import Path

import numpy as np
import pytest

from spancrew.campaign import Plan
from spancrew.client import Client
from spancrew.client._client import forecast_of
from spancrew.client._transport import read as wire_read
from spancrew.errors import PlanError, SpancrewError, StoreError
from spancrew.feedback import AgreementGate
from spancrew.formats import read, write
from spancrew.wire import CampaignSummary


@pytest.fixture(scope="module")
def pilot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with sentences that have gold and answers."""
    path = tmp_path_factory.mktemp("pilot") / "pilot.jsonl"
    write(read("demo").dataset.take(np.arange(20)), path)
    return path


def test_data_are_looked_at(admin: Client, pilot: Path, tmp_path: Path) -> None:
    """A file, a folder and bundled data, each as for a new campaign."""
    whole = read(pilot).dataset
    folder = tmp_path / "crowd"
    before = admin.campaigns()
    write(whole, folder, "crowd-dir")
    found = admin.inspect(pilot)
    bundled = admin.inspect("demo-zh")
    example = found.examples[0]

    assert (found.format, found.sentences, found.gold) == ("spancrew", 20, 20)
    assert found.answers == len(whole.answers)
    assert admin.inspect(folder).sentences == 20
    assert example.spans == whole.gold_spans(whole.sentences.index(example.sentence.id))
    assert bundled.sentences == 62
    assert {each.name: each.spans for each in bundled.labels} == {"NEG": 37, "POS": 51}
    assert admin.campaigns() == before


def test_a_plan_is_rehearsed(admin: Client, pilot: Path) -> None:
    """The forecast has a spread, and says what it takes for granted."""
    labels = tuple(read(pilot).dataset.labels)
    forecast = admin.rehearse(
        pilot, Plan(labels, crew=5, answers=2, feedback=AgreementGate(0.6)), runs=2
    )

    assert (forecast.runs, forecast.crew, forecast.answers) == (2, 5, 2)
    assert 0 < forecast.f1.mean <= 1
    assert forecast.cost.mean == pytest.approx(
        forecast.crowd_cost.mean + forecast.expert_cost.mean
    )
    assert forecast.crowd == "calibrated"
    assert "real answers" in forecast.assumptions[0]["text"]


def test_a_plan_that_cannot_be_rehearsed_is_refused(admin: Client, pilot: Path) -> None:
    """With the error that it would be without a server."""
    with pytest.raises(PlanError, match="the data has spans"):
        admin.rehearse(pilot, {"kind": "choices"})


@pytest.mark.slow
def test_a_plan_is_found_for_what_is_wanted(admin: Client) -> None:
    """Among few ways, as nobody is an expert and two answer; nonsense is refused at once."""
    wishes = {"sentences": 20, "workers": 2, "experts": 0, "budget": 8.0}
    found = admin.plan("demo-zh", wishes)

    assert found["recommended"]["plan"]["answers"] == 2
    assert found["recommended"]["cost"]["mean"] <= 8
    with pytest.raises(SpancrewError, match=r"is 0\.95 meant"):
        admin.plan("demo-zh", {"quality": 95})


def test_a_rehearsal_that_ends_badly_is_no_forecast() -> None:
    """Whether it says why, or nothing at all."""
    last = (
        b'{"done": 1, "of": 3, "phase": "runs"}\n{"error": {"code": "store", "message": "no"}}\n'
    )
    with pytest.raises(StoreError, match="no"):
        forecast_of(last, "http://crew.test")
    with pytest.raises(SpancrewError, match="ended the rehearsal early"):
        forecast_of(b'{"done": 1, "of": 3, "phase": "runs"}\n', "http://crew.test")


def test_json_that_is_nested_deep_is_refused_on_both_ways(admin: Client, pilot: Path) -> None:
    """In a plan before it is sent, and in what a server sends."""
    deep = "[" * 50_000 + "]" * 50_000
    plan: dict[str, object] = {}
    for _ in range(50_000):
        plan = {"policy": plan}
    with pytest.raises(PlanError, match="levels deep"):
        admin.create("deep", pilot, plan)
    with pytest.raises(SpancrewError, match="levels deep"):
        forecast_of(deep.encode(), "http://crew.test")
    with pytest.raises(SpancrewError, match="no answer that the client understands"):
        wire_read(CampaignSummary, deep)


def test_figures_of_several_campaigns(admin: Client, pilot: Path) -> None:
    """In one call; what is not there is left out."""
    first, other = (admin.create(name, pilot, gold="ignore") for name in ("one", "two"))
    other.start()
    found = admin.figures(other.id, first.id, "nothing")

    assert [(each.id, each.phase) for each in found] == [
        (other.id, "running"),
        (first.id, "draft"),
    ]
    assert (found[0].sentences, found[0].settled, found[0].spent) == (20, 0, 0)
