"""What models suggest goes out with the assignment, and the status says who follows it."""

import json
from pathlib import Path
from typing import Any

from spancrew.formats import read
from tests.server.conftest import House, Visitor, invite

NAMES = ("Ana", "Bo", "Cleo", "Dirk")
TAUGHT = 50
"""Sentences after which the consensus method is fitted, and models are heard."""

LABELS = ["PER", "LOC"]
PLAN = {
    "labels": LABELS,
    "answers": 1,
    "policy": "random",
    "feedback": "crowd",
    "consensus": "ds",
    "warm_up": "none",
    "suggestions": 0.5,
    "seed": 0,
}
FIRST = [{"start": 0, "end": 1, "label": "PER"}]


def created(admin: Visitor) -> str:
    """Return a campaign that runs, with a name at the beginning of every sentence."""
    texts = [f"{NAMES[k % 4]} saw Rome {k} times" for k in range(TAUGHT + 10)]
    form = {"name": "Suggested", "plan": json.dumps(PLAN), "text": "\n".join(texts)}
    made = admin.ok("POST", "/campaigns", data=form)
    admin.ok("POST", f"/campaigns/{made['id']}/start")
    return str(made["id"])


def work(visitor: Visitor, campaign: str, most: int) -> list[Any]:
    """Let somebody mark the first word of some sentences; return what was suggested to them."""
    seen: list[Any] = []
    while len(seen) < most:
        found = visitor.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
        if found is None:
            break
        seen.append(found["suggested"])
        body = {"assignment": found["assignment"], "spans": FIRST}
        visitor.ok("POST", f"/campaigns/{campaign}/answers", json=body)
    return seen


def test_suggestions_go_to_some_and_the_status_compares_them(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """None before a model is heard; lists have the same figure, exports mark who saw one."""
    campaign = created(admin)
    link = admin.ok("POST", f"/campaigns/{campaign}/workers", json={"model": "first"})["token"]
    model, worker = house.nobody.enter(link), invite(admin, campaign)
    before = [*work(model, campaign, 99), *work(worker, campaign, TAUGHT)]
    work(model, campaign, 99)
    after = work(worker, campaign, 9)
    status = admin.ok("GET", f"/campaigns/{campaign}/status")
    seen = sum(each == FIRST for each in after)

    assert not any(before)
    assert 0 < seen < len(after) == 9
    assert all(each in (None, FIRST) for each in after)
    assert status["anchoring"] == {
        "seen": seen,
        "unseen": 9 - seen,
        "agreed_seen": 1.0,
        "agreed_unseen": 1.0,
        "more": 0.0,
        "low": 0.0,
        "high": 0.0,
    }
    figures = admin.ok("GET", "/figures", params={"campaign": campaign})
    assert figures[0]["settled"] == TAUGHT + 9
    out = tmp_path / "out.jsonl"
    out.write_bytes(admin.call("GET", f"/campaigns/{campaign}/export?format=spancrew").content)
    dataset = read(out).dataset
    sources = [each.source for k in range(len(dataset)) for each in dataset.answers_on(k)]
    assert sources.count("suggested") == seen
    assert sources.count(None) == len(sources) - seen
