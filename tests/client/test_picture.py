"""What a dashboard draws, from Python."""

from pathlib import Path

import pytest

from spancrew.client import Client
from tests.client.test_client import PLAN, label_all, sentences

__all__ = ["sentences"]


def test_the_picture_and_the_line_of_a_campaign(admin: Client, sentences: Path) -> None:
    """Labels are counted, workers are seen, and another threshold can be tried and taken."""
    campaign = admin.create("drawn", sentences, PLAN, format="spancrew")
    links = [campaign.invite_worker(name).url for name in ("ada", "ben")]
    campaign.start()
    for link, odd in zip(links, (None, "s1"), strict=True):
        with Client.from_link(link) as guest:
            label_all(guest, odd)

    picture = campaign.picture()
    assert {each.label: each.spans for each in picture.labels} == {"LOC": 2, "PER": 2}
    assert [each.worker for each in picture.workers] == ["w0", "w1"]
    assert (picture.progress[-1].by_crowd, picture.progress[-1].by_expert) == (2, 0)

    line = campaign.threshold(at=-0.9)
    assert (line.by, line.judged, line.experts) == ("agreement", 3, 1)
    assert line.value == pytest.approx(0.65)
    assert line.preview is not None
    assert line.preview.more == -1
    campaign.set_rule(line.preview.feedback)
    assert campaign.threshold().value == pytest.approx(-0.9)
    assert sum(each.sentences for each in line.histogram) == 3
