"""A campaign on choices, from a file to its export."""

import json
from pathlib import Path

from spancrew.core import Dataset
from spancrew.formats import read, write
from spancrew.rlhf._pairs import pair_of, sheets_of
from spancrew.server.rehearsal.forecast import forecast_of
from spancrew.server.rehearsal.run import RehearsalJob
from tests.server.conftest import Visitor, invite
from tests.simulate.preferences import preferences

PLAN = {"answers": 2, "crew": 2, "feedback": "crowd", "warm_up": "none"}


def created(admin: Visitor, dataset: Dataset, folder: Path, **plan: object) -> dict[str, object]:
    """Create a campaign from a file with choices, in which nothing is known."""
    path = folder / "pairs.jsonl"
    write(dataset, path)
    fields = {"name": "Pairs", "plan": json.dumps(PLAN | plan), "gold": "ignore"}
    files = {"file": ("pairs.jsonl", path.read_bytes())}
    made: dict[str, object] = admin.ok("POST", "/campaigns", data=fields, files=files)
    return made


def test_a_file_with_choices_makes_a_campaign_on_choices(admin: Visitor, tmp_path: Path) -> None:
    """Labels and kind are those of the data."""
    made = created(admin, preferences(sheets=3, seed=1), tmp_path)
    plan = made["plan"]

    assert isinstance(plan, dict)
    assert (plan["kind"], plan["labels"]) == ("choices", ["A", "B", "tie"])


def test_a_plan_for_spans_does_not_fit_choices(admin: Visitor, tmp_path: Path) -> None:
    """It is refused with a remedy."""
    path = tmp_path / "pairs.jsonl"
    write(preferences(sheets=3), path)
    fields = {"name": "Pairs", "plan": json.dumps({"kind": "spans"}), "gold": "ignore"}
    files = {"file": ("pairs.jsonl", path.read_bytes())}
    answer = admin.call("POST", "/campaigns", data=fields, files=files)

    assert answer.status_code == 422
    assert "the data has choices" in answer.json()["error"]["message"]


def test_a_campaign_on_choices_is_exported_as_choices(admin: Visitor, tmp_path: Path) -> None:
    """Sheets, responses and kind come out as they went in."""
    dataset = preferences(sheets=3, seed=1)
    made = created(admin, dataset, tmp_path)
    answer = admin.call("GET", f"/campaigns/{made['id']}/export?format=spancrew")
    path = tmp_path / "out.jsonl"
    path.write_bytes(answer.content)
    found = read(path).dataset

    assert answer.status_code == 200, answer.text
    assert found.kind == "choices"
    assert found.sentences == dataset.sentences


def test_choices_are_rehearsed_before_a_campaign(tmp_path: Path) -> None:
    """On a pilot with gold and answers, with how much the crowd is like the real one."""
    path = tmp_path / "pilot.jsonl"
    write(preferences(sheets=40, workers=6, answers=5, seed=3), path)
    job = RehearsalJob(str(path), "spancrew", {"answers": 3, "crew": 3}, 1, None)
    found = forecast_of(job, lambda *_: None)

    assert found["crowd"] == "calibrated"
    assert found["of"] == 40


def test_the_order_of_responses_is_drawn_and_told(admin: Visitor, tmp_path: Path) -> None:
    """An answer counts for the response that was meant; notes travel to the expert."""
    pairs = [pair_of(f"p{k}", [f"long {k}", f"short {k}"], shuffles=False) for k in range(8)]
    dataset = sheets_of(pairs, ["better"], ("A", "B", "tie"))
    made = created(admin, dataset, tmp_path, feedback="expert", warm_up="none")
    path = f"/campaigns/{made['id']}"
    admin.ok("POST", f"{path}/start")
    worker, other = invite(admin, str(made["id"])), invite(admin, str(made["id"]))
    seen = []
    for who in (worker, other):
        while work := who.ok("POST", f"{path}/next").get("assignment"):
            text = work["sentence"]["text"]
            label = "A" if text.index("long") < text.index("short") else "B"
            body = {"assignment": work["assignment"], "note": f"by {work['assignment']}"}
            spans = [{"start": 0, "end": 1, "label": label}]
            who.ok("POST", f"{path}/answers", json={**body, "spans": spans, "key": "k"})
            seen.append((work["turned"], label))
            shown = who.ok("GET", f"{path}/last-answer")
            assert shown["assignment"] is None or (
                shown["sentence"]["text"],
                shown["spans"][0]["label"],
            ) == (text, label)
    events = admin.ok("GET", f"{path}/events", params={"limit": 1000})["events"]
    told = [each["body"] for each in events if each["kind"] == "Answered"]
    expert = invite(admin, str(made["id"]), "experts")
    sheet = expert.ok("POST", f"{path}/expert/next")["sheet"]
    out = tmp_path / "out.jsonl"
    out.write_bytes(admin.call("GET", f"{path}/export?format=spancrew").content)
    sources = [answer.source for k in range(8) for answer in read(out).dataset.answers_on(k)]

    assert {turned for turned, _ in seen} == {True, False}
    assert all((label == "B") == turned for turned, label in seen)
    assert {body["spans"][0][2] for body in told} == {"A"}
    assert [body.get("turned", False) for body in told] == [turned for turned, _ in seen]
    assert sorted(given["note"][:3] for given in sheet["answers"]) == ["by ", "by "]
    assert sources.count("turned") == sum(turned for turned, _ in seen)
