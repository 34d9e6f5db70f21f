"""The audit log sent to other machines: every entry, in order, and none is left out."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from spancrew.server.people.audit import AuditEntry, hash_of
from tests.server.conftest import House, Visitor, create
from tests.server.receiver import Receiver, receiving
from tests.waiting import wait_until


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Run a receiver of webhooks."""
    with receiving() as found:
        yield found


def hooked(admin: Visitor, url: str, **values: Any) -> dict[str, Any]:
    """Send the audit log to an address."""
    made: dict[str, Any] = admin.ok("POST", "/audit/webhooks", json={"url": url, **values})
    return made


def _has_failed(admin: Visitor, times: int) -> bool:
    return bool(admin.ok("GET", "/audit/webhooks")[0]["failures"] == times)


def test_every_entry_arrives_with_its_hash(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """So that the receiver can check the chain by itself."""
    c = create(admin, tmp_path)
    hooked(admin, receiver.url, after=0)
    admin.ok("POST", f"/campaigns/{c}/start")
    last = house.directory.audit.last()
    wait_until(lambda: len(receiver.accepted) == last)

    previous = "0" * 64
    for event in receiver.accepted:
        given = event["body"].pop("hash"), event["body"].pop("id")
        previous = hash_of(previous, event["version"], AuditEntry(**event["body"]))
        assert (event["kind"], *given) == ("Audited", previous, event["version"])
    assert {json.loads(body)["campaign"] for body in receiver.bodies} == {"(audit)"}
    assert receiver.accepted[-1]["body"]["action"] == "campaigns.start"


def test_without_an_id_only_what_is_new_is_sent_and_failures_lose_nothing(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """The first entry is the one that says where the log is sent from now on."""
    c = create(admin, tmp_path)
    receiver.statuses += [500, 503]
    made = hooked(admin, receiver.url)
    admin.ok("POST", f"/campaigns/{c}/start")
    for failures in (1, 2):
        wait_until(partial(_has_failed, admin, failures))
        house.clock.now += 600
    wait_until(lambda: len(receiver.accepted) == 2)
    wait_until(lambda: admin.ok("GET", "/audit/webhooks")[0]["failures"] == 0)
    sent = admin.ok("GET", f"/audit/webhooks/{made['id']}/deliveries")

    actions = [event["body"]["action"] for event in receiver.accepted]
    assert actions == ["audit.add_webhook", "campaigns.start"]
    assert {each["status"] for each in sent} >= {200, 500}


def test_a_webhook_of_the_log_is_none_of_a_campaign(
    admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """Neither sees the other's, and both can be removed only where they are."""
    c = create(admin, tmp_path)
    ours = hooked(admin, receiver.url)
    theirs = admin.ok("POST", f"/campaigns/{c}/webhooks", json={"url": receiver.url})

    assert admin.ok("GET", f"/campaigns/{c}/webhooks")[0]["id"] == theirs["id"]
    assert [each["id"] for each in admin.ok("GET", "/audit/webhooks")] == [ours["id"]]
    assert admin.call("DELETE", f"/campaigns/{c}/webhooks/{ours['id']}").status_code == 404
    assert admin.call("DELETE", f"/audit/webhooks/{theirs['id']}").status_code == 404
    refused = {"url": receiver.url, "kinds": ["Settled"]}
    assert admin.call("POST", "/audit/webhooks", json=refused).status_code == 422
    admin.ok("POST", f"/audit/webhooks/{ours['id']}/resume")
    admin.ok("DELETE", f"/audit/webhooks/{ours['id']}")
    assert admin.ok("GET", "/audit/webhooks") == []
