"""Who may correct what, and who may see it."""

from typing import Any

import pytest

from tests.server.attacks.conftest import SCRIPT, work_of
from tests.server.conftest import Visitor, invite

WAYS = [
    ("POST", "/sentences/0/overrule", {"spans": []}),
    ("POST", "/sentences/0/reopen", {"note": SCRIPT}),
    ("POST", "/expert/corrections", {"sentence": 0, "spans": []}),
    ("GET", "/expert/labels", None),
    ("GET", "/sentences", None),
    ("GET", "/sentences/0", None),
]


@pytest.mark.parametrize(("method", "path", "body"), WAYS, ids=str)
def test_a_worker_corrects_and_sees_nothing(
    campaign: str, worker: Visitor, method: str, path: str, body: Any
) -> None:
    """Whatever they try."""
    answer = worker.call(method, f"/campaigns/{campaign}{path}", json=body)

    assert answer.status_code == 403


def test_an_expert_neither_overrules_nor_reopens(admin: Visitor, campaign: str) -> None:
    """Nor do they correct what is not theirs, or see what is not settled."""
    expert = invite(admin, campaign, "experts")
    path = f"/campaigns/{campaign}"
    correction = {"sentence": 0, "spans": []}

    assert (
        expert.call("POST", f"{path}/sentences/0/overrule", json={"spans": []}).status_code == 403
    )
    assert expert.call("POST", f"{path}/sentences/0/reopen", json={}).status_code == 403
    assert expert.call("POST", f"{path}/expert/corrections", json=correction).status_code == 409
    waiting = admin.ok("GET", f"{path}/sentences", params={"state": "waiting"})["sentences"][0]
    assert expert.call("GET", f"{path}/sentences/{waiting['number']}").status_code == 404


def test_another_workers_answer_cannot_be_changed(
    admin: Visitor, campaign: str, worker: Visitor
) -> None:
    """It is as if it did not exist."""
    work = work_of(worker, campaign)
    answer = {"assignment": work["assignment"], "spans": [], "key": "mine"}
    worker.ok("POST", f"/campaigns/{campaign}/answers", json=answer)
    change = {"assignment": work["assignment"], "spans": [], "key": "theirs"}
    other = invite(admin, campaign)

    assert other.call("POST", f"/campaigns/{campaign}/last-answer", json=change).status_code == 404


def test_a_search_is_only_a_search(admin: Visitor, campaign: str) -> None:
    """Wildcards and quotes stand for themselves; nonsense is refused."""
    path = f"/campaigns/{campaign}/sentences"

    for text in ("%", "_", "' OR 1=1 --", "\\", '"'):
        found = admin.ok("GET", path, params={"text": text})
        assert all(text in each["sentence"]["text"] for each in found["sentences"])
    for bad in ({"page": -1}, {"worker": "w"}, {"state": "x"}, {"doubt": "nan"}, {"text": "\0"}):
        assert admin.call("GET", path, params=bad).status_code == 422
