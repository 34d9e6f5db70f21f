"""The story with the real Potato; `make test-bridges` installs it and runs this."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spancrew.bridges import Person, Potato, Sheet
from spancrew.client import CampaignClient, Client
from spancrew.core import Sentence
from tests.bridges.real import RunningBridge, wait_long
from tests.bridges.real_potato import POTATO, RealPotato, Visitor
from tests.bridges.real_story import KILLS, SENTENCES, play_for_real
from tests.bridges.story import Story, assert_as_rehearsed, assert_nothing_twice, story
from tests.serving import Serving

pytestmark = [
    pytest.mark.bridges,
    pytest.mark.skipif(not POTATO.exists(), reason="`make test-bridges` installs it"),
]


@contextmanager
def running(folder: Path) -> Iterator[RealPotato]:
    """Run Potato on a project."""
    found = RealPotato(folder)
    try:
        found.start()
        yield found
    finally:
        found.kill()


def bridge_of(server: Serving, played: Story, campaign: CampaignClient, at: Path) -> RunningBridge:
    """Return the bridge of a campaign, not yet started."""
    words = ["potato", "--campaign", campaign.id, "--folder", str(at / "project")]
    for name in played.names:
        words += ["--worker", name]
    words += ["--expert", "expert", "--people", str(at / "people.json"), "--every", "0.5"]
    secrets = {"SPANCREW_SERVER": server.url, "SPANCREW_TOKEN": server.admin_token()}
    return RunningBridge(words, secrets, at / "bridge.log")


@pytest.mark.parametrize("kills", [0, KILLS])
def test_the_real_one_goes_as_the_rehearsal_said(
    server: Serving, admin: Client, tmp_path: Path, kills: int
) -> None:
    """People only talk HTTP to Potato; kills of either side lose nothing and repeat nothing."""
    played = story(SENTENCES, seed=6 if kills else 5)
    campaign = played.create(admin, tmp_path, f"potato {kills}")
    bridge = bridge_of(server, played, campaign, tmp_path)
    Potato(tmp_path / "project", played.plan.labels, "demo")
    with running(tmp_path / "project") as real:
        people = [Visitor(real.url, name) for name in [*played.names, "expert"]]
        killed = play_for_real(played, campaign, bridge, real, people, kills=kills)
        given = real.answers()

    assert len(killed) == min(kills, 2)
    assert_as_rehearsed(played, campaign)
    assert_nothing_twice(campaign, given)


class Ana:
    """A worker in a Potato that runs, and the tool, without a campaign."""

    def __init__(self, folder: Path) -> None:
        self.person, self.said = Person("c1", "ana", "worker"), list[str]()
        self.tool = Potato(folder, ["PER"], "news", tell=self.said.append)
        self.tool.admit(self.person)
        self.tool.sheets(self.person, thorough=True)
        self.state = folder / "annotation_output" / "ana" / "user_state.json"

    def visit(self, real: RealPotato) -> None:
        """Open a browser."""
        self.browser = Visitor(real.url, "ana")

    def get(self, key: str, text: str = "Ana sings") -> str:
        """Push a sheet, and return its page once Potato gives it out."""
        sentence = Sentence.from_text(f"s{key}", text)
        self.tool.push(self.person, Sheet(key, sentence))
        wait_long(lambda: self._page(key), "the page did not come")
        return self._page(key)

    def _page(self, key: str) -> str:
        pages = [line["id"] for line, _ in self.browser.todo() if line["spancrew"]["key"] == key]
        return str(pages[0]) if pages else ""

    def states(self) -> dict[str, str]:
        """Return how far all sheets are."""
        found = self.tool.sheets(self.person, thorough=True)
        return {each.key: each.state for each in found}


def test_the_real_one_shows_every_character(tmp_path: Path) -> None:
    """So its offsets are those of the sentence, whatever is in it."""
    ana = Ana(tmp_path)
    text = '  Ana\t\t😀  "x" <b>Oslo</b> &amp; R&D \n Rome\x00\u2028  😀 Paris\xa0 \n'
    sentence = Sentence.from_text("sa1", text)
    with running(tmp_path) as real:
        ana.visit(real)
        shown = ana.browser.text_of(ana.get("a1", text))

    assert len(shown) == len(text)
    assert [shown[a:b] for a, b in sentence.bounds if "\x00" not in text[a:b]] == [
        token for token in sentence.tokens if "\x00" not in token
    ]


def test_the_real_one_keeps_what_was_withdrawn(tmp_path: Path) -> None:
    """Its text changes, and an answer to it is told and not handed in."""
    ana = Ana(tmp_path)
    with running(tmp_path) as real:
        ana.visit(real)
        page, _other = ana.get("a1"), ana.get("a2")
        ana.tool.withdraw(ana.person, "a1")
        wait_long(lambda: "no longer" in ana.browser.text_of(page), "the text did not change")
        ana.browser.choose(page, "Nothing to mark")
        states = ana.states()

    assert states == {"a2": "untouched"}
    assert "answered after it was withdrawn" in ana.said[-1]


def test_the_real_one_writes_a_deleted_file_again(tmp_path: Path) -> None:
    """It has all in memory, so nothing is lost by that."""
    ana = Ana(tmp_path)
    with running(tmp_path) as real:
        ana.visit(real)
        first, second = ana.get("a1"), ana.get("a2")
        ana.browser.choose(first, "Nothing to mark")
        ana.state.unlink()
        without = ana.states()
        ana.browser.choose(second, "Nothing to mark")
        again = ana.states()

    assert without == {"a1": "untouched", "a2": "untouched"}
    assert again == {"a1": "answered", "a2": "answered"}


def test_the_real_one_dismisses_who_has_answered_everything(tmp_path: Path) -> None:
    """The start page prevents it; whoever answers it is told how to come back, and can."""
    ana = Ana(tmp_path)
    with running(tmp_path) as real:
        ana.visit(real)
        ana.browser.choose(ana.get("a1"), "Nothing to mark")
        ana.browser.todo()
        ana.states()
        before = [line for line in ana.said if "done with everything" in line]
        ana.browser.choose(ana.browser.start_page, "Nothing to mark")
        ana.browser.todo()
        wait_long(lambda: '"done"' in ana.state.read_text(), "nobody was dismissed")
        ana.states()
        real.kill()
        ana.state.write_text(ana.state.read_text().replace('"done"', '"annotation"'))
        real.start()
        ana.browser.close()
        ana.visit(real)
        page = ana.get("a2")

    assert before == []
    assert "done with everything" in ana.said[-1]
    assert page
