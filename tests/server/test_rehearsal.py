"""Rehearsals over HTTP: what they forecast, what they refuse, and what they leave behind."""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spancrew.cli import main
from spancrew.core import Dataset
from spancrew.crowds import fidelity
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.server.rehearsal import cast as _rehearsal_crowd
from spancrew.server.rehearsal import run as _rehearsal_run
from spancrew.server.rehearsal.forecast import forecast_of
from spancrew.server.rehearsal.run import RehearsalJob
from spancrew.server.settings import ServerSettings
from tests.server.conftest import HandClock, House, Visitor, demo, running, upload

PLAN: dict[str, Any] = {
    "policy": "random",
    "feedback": "gate:threshold=0.6",
    "answers": 3,
    "crew": 6,
    "prices": {"answer": 0.2, "expert": 2},
    "seed": 7,
}


def pilot(sentences: int = 40) -> Dataset:
    """Return sentences with gold and answers."""
    return read("demo").dataset.take(np.arange(sentences))


def send(admin: Visitor, file: bytes | None = None, **fields: Any) -> Any:
    """Send a rehearsal; bundled data unless there is a file."""
    plan = json.dumps({**PLAN, **fields.pop("plan", {})})
    data = {"plan": plan, "runs": "2", **({} if file else {"data": "demo"}), **fields}
    parts = {name: (None, value) for name, value in data.items()}
    files: dict[str, Any] = {**parts, **({"file": ("pilot.jsonl", file)} if file else {})}
    return admin.call("POST", "/rehearsals", files=files)


def here(data: str | Path, skill: float | None = None, runs: int = 1, **plan: Any) -> Any:
    """Rehearse in this process, which is quicker."""
    job = RehearsalJob(str(data), None, {**PLAN, **plan}, runs, skill)
    return forecast_of(job, lambda _done, _of, _phase: None)


def lines_of(answer: Any) -> list[dict[str, Any]]:
    """Return the lines of an answer."""
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.slow
def test_a_forecast_is_what_the_command_computes(
    admin: Visitor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same plan, prices and seed on the same file: `spancrew simulate` says the same."""
    file = upload(pilot(), tmp_path)
    lines = lines_of(send(admin, file, runs="3"))
    forecast = lines[-1]["forecast"]
    words = [
        "spancrew",
        "simulate",
        str(tmp_path / "upload.jsonl"),
        "--policy",
        "random",
        "--crew",
        "6",
    ]
    words += ["--feedback", "gate:threshold=0.6", "--answers", "3", "--runs", "3", "--seed", "7"]
    words += ["--answer-price", "0.2", "--expert-price", "2", "--processes", "1", "--json"]
    words += ["--audit", "0.05"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit):
        main()
    expected = json.loads(capsys.readouterr().out)["results"][0]

    assert forecast["f1"]["mean"] == pytest.approx(expected["final"]["exact"]["f1"])
    assert forecast["f1"]["sd"] == pytest.approx(expected["final"]["exact"]["f1_sd"])
    assert forecast["expert_share"]["mean"] == pytest.approx(expected["expert_share"])
    labels = [forecast["warm_up"]["mean"], 40 * forecast["audited_share"]["mean"]]
    assert labels == pytest.approx([expected["experts"][name] for name in ("warm_up", "audit")])
    assert forecast["cost"]["mean"] == pytest.approx(expected["cost"])
    assert forecast["crowd_cost"]["mean"] == pytest.approx(expected["money"]["crowd"])
    assert forecast["expert_cost"]["mean"] == pytest.approx(expected["money"]["expert"])
    assert forecast["saved"]["mean"] == pytest.approx(expected["money"]["saved"])
    assert forecast["expert_only"] == expected["money"]["expert_only"]
    assert forecast["answers_per_sentence"]["mean"] == pytest.approx(
        expected["answers_per_sentence_mean"]
    )
    assert (forecast["sentences"], forecast["of"], forecast["runs"]) == (40, 40, 3)
    assert forecast["crowd"] == "calibrated"
    judged = fidelity(pilot())["known"]
    for name in ("sentences", "ks", "verdict", "reasons"):
        assert forecast["fidelity"][name] == getattr(judged, name)
    steps = [(line["done"], line["of"], line["phase"]) for line in lines[:-1]]
    # A line is said again where the next one is long in coming.
    assert list(dict.fromkeys(steps)) == [
        (0, 5, "crowd"),
        *((run, 5, "runs") for run in (1, 2, 3)),
        (4, 5, "fidelity"),
    ]
    assert steps == sorted(steps, key=lambda step: step[0])


def test_without_answers_a_crowd_is_assumed_and_said_so(tmp_path: Path) -> None:
    """Better workers give better answers; labels that nobody used, in any order, do no harm."""
    upload(demo(30), tmp_path)
    plan = {"labels": ["WORK", "NEW", "PER", "ORG", "LOC"], "budget": 5, "feedback": "crowd"}
    poor, good = (here(tmp_path / "upload.jsonl", skill, 2, **plan) for skill in (0.3, 0.9))

    assert good["f1"]["mean"] > poor["f1"]["mean"] + 0.1
    assert (good["crowd"], good["skill"], good["fidelity"]) == ("assumed", 0.9, None)
    assert good["workers"] == good["crew"] == 6
    codes = [each["code"] for each in good["assumptions"]]
    assert codes == ["assumed_crowd", "budget"]
    assert "an F1 of 0.90 on average" in good["assumptions"][0]["text"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"kind": "choices"}, "the data has spans"),
        ({"answers": 40, "crew": 40}, "need as many workers"),
        ({"crew": 2}, "a crew of 2 cannot give 3 answers"),
        ({"labels": ["PER"]}, "ORG|LOC"),
        ({"policy": "nobody"}, "nobody"),
        ({"answers": 0}, "answers"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_plan_that_cannot_be_rehearsed_is_refused(changes: dict[str, Any], says: str) -> None:
    """With the reason, before anything is played."""
    said: list[str] = []
    with pytest.raises(SpancrewError, match=says):
        forecast_of(
            RehearsalJob(
                "demo-zh" if "labels" not in changes else "demo", None, PLAN | changes, 1, None
            ),
            lambda _done, _of, phase: said.append(phase),
        )

    assert said == []


def test_what_is_refused_comes_with_a_status(admin: Visitor, tmp_path: Path) -> None:
    """Not as a line of a stream."""
    answer = send(admin, upload(pilot(12), tmp_path), plan={"kind": "choices"})

    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "plan"
    assert "the data has spans" in answer.json()["error"]["message"]


@pytest.mark.parametrize("runs", ["0", "51", "-1", "2.5", "many", "1e1"])
def test_runs_are_bounded(admin: Visitor, runs: str) -> None:
    """A whole number from 1 to 50, and nothing else."""
    answer = send(admin, runs=runs)

    assert answer.status_code == 422
    assert "1 to 50" in answer.json()["error"]["message"]


@pytest.mark.parametrize("skill", ["0", "1", "-0.1", "nan", "inf", "good"])
def test_a_skill_is_a_share(admin: Visitor, skill: str) -> None:
    """Between 0 and 1, both excluded."""
    assert send(admin, skill=skill).status_code == 422


def test_data_without_gold_say_what_is_needed(tmp_path: Path) -> None:
    """Nobody can play the expert; the message says what to bring."""
    path = tmp_path / "plain.jsonl"
    head = '{"spancrew": 1, "labels": ["PER"], "workers": []}'
    path.write_text(f'{head}\n{{"id": "a", "tokens": ["Ana", "left"]}}\n', "utf-8")
    with pytest.raises(SpancrewError, match="upload them with their labels"):
        here(path, labels=["PER"])


def test_a_file_that_cannot_be_read_names_the_line(admin: Visitor, tmp_path: Path) -> None:
    """And never the path under which it was kept here."""
    broken = upload(demo(3), tmp_path) + b'{"id": "s1", "tokens": \n'
    answer = send(admin, broken)

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "data"
    assert answer.json()["error"]["message"].startswith("line 5:")
    assert "spancrew-" not in answer.text


def test_archives_are_refused(admin: Visitor) -> None:
    """As they are when a campaign is created."""
    answer = send(admin, b"PK\x03\x04zip")

    assert answer.status_code == 422
    assert "archive" in answer.json()["error"]["message"]


def test_no_data_twice_data_and_no_plan_are_refused(admin: Visitor, tmp_path: Path) -> None:
    """Before a process is started."""
    nothing = admin.call("POST", "/rehearsals", files={"plan": (None, "{}")})
    listed = admin.call(
        "POST", "/rehearsals", files={"data": (None, "demo"), "plan": (None, "[]")}
    )

    assert nothing.status_code == 422
    assert send(admin, upload(demo(3), tmp_path), data="demo").status_code == 422
    assert send(admin, data="nowhere").status_code == 422
    assert "an object" in listed.json()["error"]["message"]


def test_nothing_is_left_behind(
    admin: Visitor, house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither files nor places, wherever it was refused."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    file = upload(pilot(12), tmp_path)
    send(admin, file, plan={"kind": "choices"})
    send(admin, file, runs="none")
    send(admin, b"PK\x03\x04zip")

    assert list(scratch.iterdir()) == []
    assert house.app.state.services.rehearsals._running == 0


def test_only_so_many_at_a_time(admin: Visitor, house: House) -> None:
    """Whoever comes too late is told to wait; a place that is left can be taken."""
    places = house.app.state.services.rehearsals
    taken = [places.begin(), places.begin()]
    refused = send(admin)
    assert house.client.portal is not None
    for each in taken * 2:
        house.client.portal.call(each.close)
    then = send(admin, runs="none")

    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == "too_many_rehearsals"
    assert int(refused.headers["Retry-After"]) > 0
    assert then.status_code == 422


def test_a_rehearsal_that_takes_too_long_is_ended(tmp_path: Path, clock: HandClock) -> None:
    """After the time that the server allows."""
    options = ServerSettings(clock=clock, rehearsal_seconds=0.3)
    with running(tmp_path, clock, options) as house:
        answer = send(house.admin())

    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "took_too_long"
    assert "fewer runs" in answer.json()["error"]["remedy"]


def test_a_process_that_dies_is_told(admin: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says nothing any more, so the server does."""
    monkeypatch.setattr(_rehearsal_run, "_CHILD", "spancrew.server.rehearsal.run")
    answer = send(admin)

    assert answer.status_code == 503
    assert "before its time" in answer.json()["error"]["message"]


def test_why_a_process_died_is_in_the_log_without_values(
    admin: Visitor, house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The kind of the error and where it happened; its message may quote the data."""
    (tmp_path / "broken_child.py").write_text("raise ValueError('Paris is a secret')\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    monkeypatch.setattr(_rehearsal_run, "_CHILD", "broken_child")
    answer = send(admin)
    lines = [json.loads(line) for line in house.log.getvalue().splitlines()]
    (line,) = [each for each in lines if each.get("logger") == "spancrew.rehearsal"]

    assert answer.status_code == 503
    assert "code 1: ValueError at" in line["event"]
    assert "broken_child.py:1 <module>" in line["event"]
    assert "Paris" not in house.log.getvalue()


def test_a_folder_that_cannot_be_made_costs_no_place(
    admin: Visitor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However often that happens, there is a place as soon as there is a folder."""
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
        refused = [send(admin) for _ in range(3)]
    then = send(admin, runs="none")

    assert [each.status_code for each in refused] == [503] * 3
    assert "temporary folder" in refused[0].json()["error"]["message"]
    assert then.status_code == 422


def test_a_pilot_with_gold_in_part_is_rehearsed_in_part(tmp_path: Path) -> None:
    """Which is said."""
    rows = [json.loads(line) for line in upload(pilot(30), tmp_path).decode().splitlines()]
    for row in rows[21:]:
        del row["gold"]
    path = tmp_path / "part.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    forecast = here(path)

    assert (forecast["sentences"], forecast["of"]) == (20, 30)
    assert "warm_up_shared" in [each["code"] for each in forecast["assumptions"]]
    part = next(each for each in forecast["assumptions"] if each["code"] == "part")
    assert (part["sentences"], part["of"]) == (20, 30)


def test_a_large_pilot_is_thinned_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first sentence to the last."""
    monkeypatch.setattr(_rehearsal_crowd, "MOST_SENTENCES", 4)
    dataset = pilot(10)
    thinned = _rehearsal_crowd.pilot_of(dataset, tuple(dataset.labels))
    ids = [sentence.id for sentence in dataset.sentences]

    assert [each.id for each in thinned.sentences] == [ids[k] for k in (0, 3, 6, 9)]


def test_a_crew_is_at_most_as_large_as_the_pilot() -> None:
    """Which has eight workers here."""
    forecast = here("demo-zh", crew=20, answers=2)

    assert forecast["crew"] == 8
    crew = next(each for each in forecast["assumptions"] if each["code"] == "crew")
    assert (crew["crew"], crew["asked"]) == (8, 20)
