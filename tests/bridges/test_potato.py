"""People who only know Potato, and a bridge that only knows its files."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import pytest

from spancrew.bridges import Filled, Person, Sheet
from spancrew.client import Client
from spancrew.errors import ToolError
from tests.bridges.in_potato import PotatoScene, in_potato
from tests.bridges.potato import PotatoUser
from tests.bridges.potato_desk import ANA, PER, SENTENCE, Desk
from tests.bridges.scene import small
from tests.bridges.story import assert_as_rehearsed, assert_nothing_twice, story


@pytest.fixture
def scenes(admin: Client, tmp_path: Path) -> Iterator[Callable[..., PotatoScene]]:
    """Return what makes a scene of a story."""
    with ExitStack() as made:
        yield lambda played: made.enter_context(closing(in_potato(played, admin, tmp_path)))


def test_it_goes_as_the_rehearsal_said(scenes: Callable[..., PotatoScene]) -> None:
    """Crews, labels and money are the same, and every answer is counted once."""
    scene = scenes(story(12))
    scene.said.clear()
    scene.play()

    assert scene.said == []
    assert_as_rehearsed(scene.played, scene.campaign)
    assert_nothing_twice(scene.campaign, scene.annotations)


def test_both_sides_may_start_anew_all_the_time(scenes: Callable[..., PotatoScene]) -> None:
    """All that the bridge knows is in the campaign, in the project and in the file of people."""
    scene = scenes(small())
    scene.said.clear()
    turns = count()

    def restart() -> None:
        scene.fake.restart() if next(turns) % 2 else scene.restart()

    scene.play(before_turn=restart)

    assert scene.said == []
    assert_as_rehearsed(scene.played, scene.campaign)
    assert_nothing_twice(scene.campaign, scene.annotations)


def test_potato_never_reads_half_a_file(desk: Desk) -> None:
    """A file is replaced as a whole: whoever has it open still sees the old one."""
    page = desk.push()
    file, other = desk.fake.folder / "data" / f"{page}.jsonl", desk.fake.folder / "same"
    other.hardlink_to(file)
    before = other.read_text("utf-8")
    desk.tool.withdraw(ANA, "a1")

    assert other.read_text("utf-8") == before != file.read_text("utf-8")


def test_what_was_taken_comes_back_only_if_it_changes(desk: Desk) -> None:
    """Also for a bridge that starts anew, and when the output is deleted."""
    page = desk.push()
    desk.choose(page, "Nothing to mark")
    (taken,) = desk.look()
    desk.tool.take(ANA, taken)
    now = desk.look()
    desk.restart()
    later = desk.look(thorough=True)
    desk.mark(page, (0, 3, "PER"))
    desk.choose(page, "All marked")
    (changed,) = desk.look(thorough=True)
    (desk.fake.folder / "annotation_output" / "ana" / "user_state.json").unlink()

    assert now == later == []
    assert changed.spans == (PER,)
    assert desk.look(thorough=True) == []


def test_a_new_potato_gives_nothing_out_that_was_taken(desk: Desk) -> None:
    """If all output is lost, people begin with what is open."""
    page = desk.push("a1")
    desk.push("a2")
    desk.choose(page, "Nothing to mark")
    desk.tool.take(ANA, desk.look()[0])
    (desk.fake.folder / "annotation_output" / "ana" / "user_state.json").unlink()
    desk.fake.restart()
    user = PotatoUser(desk.fake, "ana")

    assert [page["spancrew"]["key"] for page, _ in user.todo()] == ["a2"]


def test_a_withdrawn_page_says_so_and_a_late_answer_is_told_once(desk: Desk) -> None:
    """It is never handed in; Potato cannot take a page back that it has given out."""
    page = desk.push()
    desk.look()
    desk.tool.withdraw(ANA, "a1")
    shown = [each["text"] for each in desk.fake.pages("ana") if each["id"] == page]
    before = desk.look(thorough=True)
    desk.choose(page, "Nothing to mark")
    found = [desk.look(thorough=True) for _ in range(2)]
    desk.restart()

    assert "no longer needed" in shown[0]
    assert before == []
    assert found == [[], []]
    assert len(desk.said) == 2
    assert "sheet a1: answered after it was withdrawn" in desk.said[1]


def test_what_was_answered_just_now_is_not_withdrawn(desk: Desk) -> None:
    """Whoever answers while their time runs out has their answer counted."""
    page = desk.push()
    desk.look()
    desk.choose(page, "Nothing to mark")
    desk.tool.withdraw(ANA, "a1")

    assert desk.look(thorough=True) == [Filled("a1", "answered", (), 2.5)]


def test_a_withdrawn_sheet_may_come_again(desk: Desk) -> None:
    """As another page, whose answer counts; what is said on the first one does not."""
    first = desk.push()
    desk.tool.withdraw(ANA, "a1")
    second = desk.push()
    desk.choose(first, "Skip")
    waiting = desk.look(thorough=True)
    desk.choose(second, "Nothing to mark")

    assert waiting == [Filled("a1", "untouched")]
    assert desk.look(thorough=True) == [Filled("a1", "answered", (), 2.5)]


def test_deleted_and_damaged_files_come_back(desk: Desk) -> None:
    """A sheet whose file is gone or cut off is not there, so it is pushed again."""
    page = desk.push()
    file = desk.fake.folder / "data" / f"{page}.jsonl"
    whole = file.read_text("utf-8")
    found = []
    for damage in (file.unlink, lambda: file.write_text(whole[:60], "utf-8")):
        damage()
        found.append(desk.look(thorough=True))
        desk.tool.push(ANA, Sheet("a1", SENTENCE))
        found.append(desk.look(thorough=True))
        assert file.read_text("utf-8") == whole

    assert found == [[], [Filled("a1", "untouched")]] * 2


@pytest.mark.parametrize(
    "written", ["", '{"user_id": "ana', "[]", '{"current_phase_and_page": []}']
)
def test_a_half_written_state_is_looked_at_again_later(desk: Desk, written: str) -> None:
    """Nothing is handed out or taken back by it."""
    desk.push()
    file = desk.fake.folder / "annotation_output" / "ana" / "user_state.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written, "utf-8")
    with pytest.raises(ToolError, match=re.escape(str(file))):
        desk.look()
    desk.fake.save("ana")

    assert [each.state for each in desk.look()] == ["untouched"]


def test_nobody_is_dismissed_while_there_is_nothing_to_do(desk: Desk) -> None:
    """Potato dismisses whoever has answered everything; one page is never to be answered."""
    desk.choose(desk.push("a1"), "Nothing to mark")
    desk.fake.pages("ana")
    (start,) = {page["id"] for page in desk.fake.pages("ana") if "start" in page["id"]}
    desk.choose(start, "Nothing to mark")
    desk.look()
    pages = [page["id"] for page in desk.fake.pages("ana")]

    assert len([page for page in pages if "start" in page]) == 2
    assert desk.fake.users["ana"]["current_phase_and_page"][0] == "annotation"
    assert not any("done with everything" in line for line in desk.said)


def test_somebody_who_was_dismissed_is_told_once(desk: Desk) -> None:
    """With what brings them back; and again if it happens again."""
    told = []
    for phase in ("done", "annotation", "done"):
        desk.fake.users["ana"] = {"current_phase_and_page": [phase, None]}
        desk.fake.save("ana")
        for _ in range(3):
            desk.look(thorough=True)
        told.append(sum("done with everything" in line for line in desk.said))

    assert told == [1, 1, 2]
    assert "user_state.json" in desk.said[-1]


def test_everybody_gets_their_own_pages(tmp_path: Path) -> None:
    """The same name as a worker and as an expert has two sets of sheets."""
    worker, expert = Desk(tmp_path), Desk(tmp_path, Person("c1", "ana", "expert"))
    worker.push("a1")
    expert.push("s1-2", (PER,))
    texts = [page["text"] for page in worker.fake.pages("ana")]

    assert [each.key for each in worker.look()] == ["a1"]
    assert [each.key for each in expert.look()] == ["s1-2"]
    assert sum("Suggested: Ana = PER" in text for text in texts) == 1
    assert worker.fake.pages("bo") == []
