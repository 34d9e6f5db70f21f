"""An expert by the client, at a real server."""

from pathlib import Path

import pytest

from spancrew.campaign import Waiting
from spancrew.client import CampaignClient, Client
from spancrew.core import Dataset, Sentence
from spancrew.errors import SpancrewError
from spancrew.formats import write
from spancrew.wire import SheetView
from tests.client.test_client import PLAN, RIGHT, TOKENS, label_all


@pytest.fixture
def campaign(admin: Client, tmp_path: Path) -> CampaignClient:
    """Return a campaign in which all sentences wait for an expert, with answers of two workers."""
    path = tmp_path / "three.jsonl"
    write(Dataset.of([Sentence.from_tokens(f"s{k}", TOKENS) for k in range(3)]), path)
    found = admin.create("choosy", path, {**PLAN, "feedback": "expert"})
    links = [found.invite_worker(name).url for name in ("Ada King", "Ben")]
    found.start()
    with Client.from_link(links[0]) as ada, Client.from_link(links[1]) as ben:
        label_all(ada, None)
        label_all(ben, "s1")
    return found


def sheet_of(found: SheetView | Waiting) -> SheetView:
    """Return a sheet that must be one."""
    assert isinstance(found, SheetView)
    return found


def test_an_expert_chooses_from_the_queue(campaign: CampaignClient) -> None:
    """Any sentence can be taken, and put back for another one."""
    with Client.from_link(campaign.invite_expert("eve").url) as guest:
        expert = guest.expert()
        wanted = next(each for each in expert.queue() if each.id == "s1")
        sheet = sheet_of(expert.next(wanted.sentence))
        other = sheet_of(expert.put_back(sheet))
        with pytest.raises(SpancrewError, match="does not wait for an expert"):
            expert.next(99)

    assert (wanted.text, wanted.answers) == ("Ana left Rome today", 2)
    assert sheet.doubt.agreement == wanted.agreement != 1.0
    assert sheet.rule == "expert"
    assert {each.initials for each in sheet.answers} == {"AK", "B"}
    assert other.number != sheet.number


def test_an_expert_hears_what_an_answer_taught(campaign: CampaignClient) -> None:
    """Whose mean moved to what; sent again it taught nothing more."""
    with Client.from_link(campaign.invite_expert("eve").url) as guest:
        expert = guest.expert()
        number = next(each.sentence for each in expert.queue() if each.id == "s1")
        sheet = sheet_of(expert.next(number))
        taken = expert.submit(sheet, RIGHT, key="mine")
        again = expert.submit(sheet, RIGHT, key="mine")
    means = {each.worker: each.mean for each in campaign.standings()}

    assert {(each.initials, each.reward) for each in taken.taught} == {("AK", 1.0), ("B", 0.0)}
    assert {each.worker: each.after for each in taken.taught} == means
    assert (again.receipt.again, again.taught) == (True, ())
