"""People who only know Potato, and a bridge that only knows its files."""

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.bridges import Filled, Person, Potato, Sheet
from spancrew.bridges._potato_answers import filled_of, read_answers
from spancrew.bridges._potato_sheets import Placed, page_text
from spancrew.client import Client
from spancrew.core import Sentence, Span
from spancrew.errors import SpancrewError, ToolError
from tests.bridges.in_potato import PotatoScene, in_potato
from tests.bridges.potato import FakePotato, PotatoUser
from tests.bridges.scene import small
from tests.bridges.story import assert_as_rehearsed, assert_nothing_twice, story

ANA = Person("c1", "ana", "worker")
SENTENCE = Sentence.from_text("s1", "Ana sings in Rome")
PER, LOC = Span(0, 1, "PER"), Span(3, 4, "LOC")
LABELS = ("PER", "LOC")
RECORDED = Path(__file__).with_name("recorded") / "potato_user_state.json"


@pytest.fixture
def scenes(admin: Client, tmp_path: Path) -> Iterator[Callable[..., PotatoScene]]:
    """Return what makes a scene of a story."""
    with ExitStack() as made:
        yield lambda played: made.enter_context(closing(in_potato(played, admin, tmp_path)))


class Desk:
    """A tool with one person, and what it says."""

    def __init__(self, folder: Path, person: Person = ANA) -> None:
        self.fake, self.person = FakePotato(folder), person
        self.said: list[str] = []
        self.restart()

    def restart(self) -> None:
        """Begin anew with a tool that knows nothing but the files."""
        self.tool = Potato(self.fake.folder, LABELS, "news", tell=self.said.append)
        self.tool.admit(self.person)
        self.look(thorough=True)

    def look(self, *, thorough: bool = False) -> list[Filled]:
        """Return the sheets."""
        return self.tool.sheets(self.person, thorough=thorough)

    def push(self, key: str = "a1", suggestion: tuple[Span, ...] | None = None) -> str:
        """Push a sheet and return the id of the page that was not there before."""
        before = {page["id"] for page in self.fake.pages(self.person.name)}
        self.tool.push(self.person, Sheet(key, SENTENCE, suggestion))
        (new,) = {page["id"] for page in self.fake.pages(self.person.name)} - before
        return str(new)

    def mark(self, page: str, *spans: tuple[int, int, str]) -> None:
        """Mark characters."""
        marks = [{"start": start, "end": end, "name": name} for start, end, name in spans]
        self.fake.mark(self.person.name, page, marks)

    def choose(self, page: str, choice: str) -> None:
        """Choose below a page."""
        self.fake.choose(self.person.name, page, choice)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a desk for Ana."""
    return Desk(tmp_path)


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


def test_the_file_of_the_real_potato_is_read(tmp_path: Path) -> None:
    """Version 2.12 wrote it, after marks by mouse in Chromium around emoji, tabs and markup."""
    text = '  Ana\t\t😀  "x" <b>Oslo</b> &amp; R&D \n Rome\x00  😀 Paris \n'
    sentence = Sentence.from_text("s1", text)
    placed = Placed(ANA, Sheet("a1", sentence))
    answers = read_answers(RECORDED)
    found = filled_of(placed, answers.on(placed.id))
    other = filled_of(Placed(ANA, Sheet("a2", SENTENCE)), answers.on(f"{placed.id[:-4]}a2-1"))
    words = [(sentence.tokens[span.start], len(span), span.label) for span in found.spans]

    assert words == [
        ("Ana", 1, "PER"),
        ("Oslo", 1, "LOC"),
        ("Rome", 1, "LOC"),
        ("Paris", 1, "LOC"),
    ]
    assert (found.state, found.problem, found.seconds) == ("answered", None, 8.799)
    assert other == Filled("a2", "answered", (), 3.371)
    assert not answers.retired
    assert read_answers(tmp_path / "none.json").pages == {}


def shown_by_potato(text: str) -> str:
    """Return what is left of a line's text on a page of Potato."""
    kept = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", "", text)
    kept = re.sub(r"[ \t]+", " ", kept).strip()
    return html.unescape(re.sub(r"<[^>]*>", "", kept))


@given(st.text(st.sampled_from(" \t\n\x00\xa0\u2003abc<>&;\"'😀é#1"), max_size=20))
def test_potato_shows_every_character_of_a_sentence(text: str) -> None:
    """It drops spaces and control characters and reads markup; then all offsets would be off."""
    sentence = Sentence.from_text("s", f"{text}x")
    shown = shown_by_potato(page_text(Sheet("a1", sentence)))
    pairs = zip(shown, sentence.text, strict=True)

    assert all(a == b or a in " \u200b" for a, b in pairs)
    assert [shown[a:b].strip("\u200b ") for a, b in sentence.bounds] == [
        each.strip("\x00") for each in sentence.tokens
    ]


def test_words_stay_apart() -> None:
    """Also where a tab or a line break is between them."""
    sentence = Sentence.from_text("s1", "Ana\tsings\r\nin Rome")

    assert page_text(Sheet("a1", sentence)) == "Ana sings \u200bin Rome"


def test_a_sentence_is_one_line_whatever_is_in_it(desk: Desk) -> None:
    """Potato ends a line also at characters that JSON does not mind."""
    sentence = Sentence.from_text("s1", "Ana\u2028sings\x85in\x1cRome 😀")
    desk.tool.push(ANA, Sheet("a1", sentence))
    (found,) = PotatoUser(desk.fake, "ana").todo()

    assert len(html.unescape(found[0]["text"])) == len(sentence.text)


def test_marks_without_a_choice_are_no_answer(desk: Desk) -> None:
    """Nor is a page that somebody has seen; a draft that changes keeps the time from running."""
    page = desk.push()
    seen = desk.look()
    desk.mark(page, (0, 3, "PER"))
    (first,) = desk.look()
    desk.mark(page, (0, 3, "PER"), (13, 17, "LOC"))
    (second,) = desk.look()

    assert [each.state for each in seen] == ["untouched"]
    assert (first.state, second.state) == ("begun", "begun")
    assert first.draft != second.draft


@pytest.mark.parametrize(
    ("choice", "marks", "spans"),
    [
        ("All marked", [(13, 17, "LOC"), (0, 3, "PER")], (PER, LOC)),
        ("All marked", [(1, 2, "PER"), (12, 15, "LOC")], (PER, LOC)),
        ("Nothing to mark", [], ()),
        ("As suggested", [], (LOC,)),
    ],
)
def test_a_choice_makes_an_answer(
    desk: Desk, choice: str, marks: list[tuple[int, int, str]], spans: tuple[Span, ...]
) -> None:
    """Marks count as the tokens that they touch."""
    page = desk.push(suggestion=(LOC,))
    desk.mark(page, *marks)
    desk.choose(page, choice)

    assert desk.look() == [Filled("a1", "answered", spans, 2.5)]


@pytest.mark.parametrize(
    ("choice", "marks", "said"),
    [
        ("All marked", [], "nothing is marked"),
        ("Nothing to mark", [(0, 3, "PER")], "1 spans are marked"),
        ("As suggested", [], "nothing was suggested"),
        ("As suggested", [(0, 3, "PER")], "spans are marked, too"),
        ("Perhaps", [(0, 3, "PER")], "means nothing here"),
        ("All marked", [(10, 40, "PER")], "outside the text"),
    ],
)
def test_a_contradiction_is_no_answer(
    desk: Desk, choice: str, marks: list[tuple[int, int, str]], said: str
) -> None:
    """It waits until it is corrected."""
    page = desk.push()
    desk.mark(page, *marks)
    desk.choose(page, choice)
    (found,) = desk.look()
    desk.mark(page, (0, 3, "PER"))
    desk.choose(page, "All marked")

    assert found.problem is not None
    assert said in found.problem
    assert desk.look() == [Filled("a1", "answered", (PER,), 2.5)]


def test_a_suggestion_and_marks_are_no_answer_together(desk: Desk) -> None:
    """Nobody knows which of the two is meant."""
    page = desk.push(suggestion=(LOC,))
    desk.mark(page, (0, 3, "PER"))
    desk.choose(page, "As suggested")
    (found,) = desk.look()

    assert "spans are marked, too" in str(found.problem)


def test_other_schemes_of_the_project_do_not_matter(desk: Desk) -> None:
    """A config of yours may ask for more than spancrew does."""
    page = desk.push()
    desk.fake.mark("ana", page, [{"schema": "others", "start": 0, "end": 3, "name": "PER"}])
    row = [{"schema": "mood", "name": "All marked"}, "All marked"]
    desk.fake.users["ana"]["instance_id_to_label_to_value"][page] = [row]
    desk.fake.save("ana")
    before = desk.look()
    desk.choose(page, "Nothing to mark")

    assert before == [Filled("a1", "untouched")]
    assert desk.look() == [Filled("a1", "answered", (), 2.5)]


def test_potato_never_reads_half_a_file(desk: Desk) -> None:
    """A file is replaced as a whole: whoever has it open still sees the old one."""
    page = desk.push()
    file, other = desk.fake.folder / "data" / f"{page}.jsonl", desk.fake.folder / "same"
    other.hardlink_to(file)
    before = other.read_text("utf-8")
    desk.tool.withdraw(ANA, "a1")

    assert other.read_text("utf-8") == before != file.read_text("utf-8")


def test_a_span_in_pieces_is_no_answer(desk: Desk) -> None:
    """Potato can mark such spans where its config allows it."""
    page = desk.push()
    mark = {"start": 0, "end": 3, "name": "PER", "additional_parts": [{"start": 13, "end": 17}]}
    desk.fake.mark("ana", page, [mark])
    desk.choose(page, "All marked")
    (found,) = desk.look()

    assert "several pieces" in str(found.problem)


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


def test_a_skipped_page_is_given_back(desk: Desk) -> None:
    """Whatever was marked there."""
    page = desk.push()
    desk.mark(page, (0, 3, "PER"))
    desk.choose(page, "Skip")

    assert desk.look() == [Filled("a1", "skipped")]


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


@pytest.mark.parametrize("name", ["a/b", "a\\b", ".ana", "a\nb"])
def test_names_that_potato_refuses_are_refused(tmp_path: Path, name: str) -> None:
    """A name is a folder of its output."""
    with pytest.raises(SpancrewError, match="log in to Potato"):
        Desk(tmp_path, Person("c1", name, "worker"))


def config_of(folder: Path) -> dict[str, Any]:
    """Return the config that the bridge writes."""
    Potato(folder, LABELS, "news")
    made: dict[str, Any] = json.loads((folder / "config.yaml").read_text("utf-8"))
    return made


def test_a_config_of_yours_may_say_more(tmp_path: Path) -> None:
    """In YAML, with folders of its own, labels with colours and other settings."""
    config = config_of(tmp_path)
    config |= {"data_directory": "incoming", "output_annotation_dir": "done", "port": 9000}
    labels = [{"name": name, "color": "#aabbcc"} for name in reversed(LABELS)]
    config["annotation_schemes"][0]["labels"] = labels
    rows = "".join(f"{key}: {json.dumps(value)}\n" for key, value in config.items())
    (tmp_path / "config.yaml").write_text(f"# ours\n{rows}", "utf-8")
    desk = Desk(tmp_path)

    assert len(list((tmp_path / "incoming").glob("*.jsonl"))) == 1
    assert desk.said == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"assignment_strategy": "random"}, "'assignment_strategy' must be \"batch\""),
        ({"batch_assignment": {"annotator_key": "who"}}, "spancrew_for"),
        ({"watch_data_directory": False}, "'watch_data_directory' must be true"),
        ({"data_directory": None}, "'data_directory' must be a folder"),
        ({"item_properties": {"id_key": "nr", "text_key": "text"}}, "item_properties"),
        ({"database": {"type": "mysql"}}, "answers must be in files"),
        ({"annotation_schemes": []}, "span named 'spancrew_spans' with the labels PER, LOC"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    """With what to change; the file stays as it was."""
    config = json.dumps(config_of(tmp_path) | change)
    (tmp_path / "config.yaml").write_text(config, "utf-8")
    with pytest.raises(SpancrewError, match=re.escape(said)):
        Potato(tmp_path, LABELS, "news")

    assert (tmp_path / "config.yaml").read_text("utf-8") == config


@pytest.mark.parametrize("written", ["a: [", "just words", ""])
def test_what_is_no_config_is_refused(tmp_path: Path, written: str) -> None:
    """Rather than replaced."""
    (tmp_path / "config.yaml").write_text(written, "utf-8")
    with pytest.raises(SpancrewError, match="is no config of Potato"):
        Potato(tmp_path, LABELS, "news")


def test_other_labels_need_another_project(tmp_path: Path) -> None:
    """Potato would offer the wrong ones."""
    config_of(tmp_path)
    with pytest.raises(SpancrewError, match="labels PER, ORG"):
        Potato(tmp_path, ["PER", "ORG"], "news")
