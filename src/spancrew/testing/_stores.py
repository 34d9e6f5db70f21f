"""What every store keeps to."""
# ruff: noqa: S101  asserts are what a contract is made of

import zlib
from threading import Event, Thread

import pytest

from spancrew.campaign import Entry
from spancrew.errors import StoreError, UnknownCampaignError, UnknownSentenceError, VersionError
from spancrew.stores import Derived, EventStore, JournalSummary, Recorded, SentenceRow, Turn

_ODD = "naïve 東京 😀 'quoted' \"twice\" \\ % ? :x \n\t"
"""Text with whatever a driver may stumble over."""


def _entries(first: int, last: int) -> list[Entry]:
    return [Entry("Judged", number / 8, f'{{"n":{number}}}') for number in range(first, last + 1)]


def _fail(version: int) -> None:
    raise ZeroDivisionError(version)


def _summarise_and_fail(turn: Turn) -> None:
    turn.summarise(1.0, "{}")
    raise ZeroDivisionError


class StoreContract:
    """Tests for pytest: inherit, and set ``store`` to an empty one before each."""

    store: EventStore

    def test_entries_come_back_in_order_as_they_were(self) -> None:
        """With versions from 1 on, and times to the last bit."""
        odd = Entry("Skipped", 1_700_000_000.123456, f'{{"reason":"{_ODD!r}"}}')
        version = self.store.append("names", [*_entries(1, 3), odd], expected_version=0)

        assert version == self.store.version("names") == 4
        assert list(self.store.read("names", after=2)) == [
            Recorded(3, _entries(3, 3)[0]),
            Recorded(4, odd),
        ]
        assert list(self.store.read("names", after=2**63 - 1)) == []

    def test_a_journal_without_entries_is_at_version_0(self) -> None:
        """Whether it was asked for before or not."""
        assert self.store.version("nobody") == 0
        assert list(self.store.read("nobody")) == []
        assert self.store.kept("nobody", "snapshot") is None
        assert self.store.append("nobody", [], expected_version=0) == 0
        assert self.store.campaigns() == []

    @pytest.mark.parametrize("expected", [0, 1, 3, 99])
    def test_a_writer_who_is_not_up_to_date_is_refused(self, expected: int) -> None:
        """And nothing of theirs is written."""
        self.store.append("names", _entries(1, 2), expected_version=0)

        with pytest.raises(VersionError, match="version 2"):
            self.store.append("names", _entries(3, 9), expected_version=expected)
        assert self.store.version("names") == 2

    def test_journals_do_not_know_each_other(self) -> None:
        """Each counts for itself; all are listed."""
        names = ["b", "a", "A", "a b", _ODD, "x" * 200]
        for name in names:
            self.store.append(name, _entries(1, 2), expected_version=0)
        self.store.append("a", _entries(3, 3), expected_version=2)

        assert [self.store.version(name) for name in names] == [2, 3, 2, 2, 2, 2]
        assert self.store.campaigns() == sorted(names)

    @pytest.mark.parametrize("name", ["", "a\0b", "half \ud800"])
    def test_a_name_that_no_campaign_can_have_is_not_known(self, name: str) -> None:
        """Rather than a surprise of the driver."""
        with pytest.raises(UnknownCampaignError, match="there is no campaign"):
            self.store.version(name)

    def test_a_turn_sees_what_it_adds_and_others_do_not(self) -> None:
        """Until it is over."""
        self.store.append("names", _entries(1, 2), expected_version=0)
        with self.store.turn("names") as turn:
            before = turn.version
            turn.append(_entries(3, 3))
            after = turn.append(_entries(4, 5))
            inside = [version for version, _ in turn.read(after=1)]
            outside = self.store.version("names"), len(list(self.store.read("names")))

        assert (before, after, turn.version) == (2, 5, 5)
        assert inside == [2, 3, 4, 5]
        assert outside == (2, 2)
        assert [entry for _, entry in self.store.read("names")] == _entries(1, 5)

    def test_an_error_in_a_turn_writes_nothing(self) -> None:
        """And the next turn can be had."""
        with pytest.raises(ZeroDivisionError), self.store.turn("names") as turn:
            _fail(turn.append(_entries(1, 5)))
        with self.store.turn("names") as turn:
            turn.append(_entries(1, 1))

        assert self.store.version("names") == 1

    def test_nobody_writes_during_a_turn_of_another(self) -> None:
        """They wait, and then know of it."""
        begun, seen = Event(), []

        def other() -> None:
            begun.set()
            with self.store.turn("names") as turn:
                seen.append(turn.version)
                turn.append(_entries(1, 1))

        thread = Thread(target=other)
        with self.store.turn("names") as turn:
            turn.append(_entries(1, 2))
            thread.start()
            begun.wait()
            thread.join(0.1)
            waiting = thread.is_alive()
        thread.join(10)

        assert waiting
        assert seen == [2]
        assert self.store.version("names") == 3

    def test_many_entries_are_read_and_written_in_parts(self) -> None:
        """More than any part has, in and out of a turn."""
        self.store.append("names", _entries(1, 12_000), expected_version=0)
        with self.store.turn("names") as turn:
            inside = [entry for _, entry in turn.read(after=1_000)]

        assert [entry for _, entry in self.store.read("names")] == _entries(1, 12_000)
        assert inside == _entries(1_001, 12_000)

    def test_a_reader_who_stops_midway_holds_nobody_up(self) -> None:
        """Nor does one who goes on after somebody wrote."""
        self.store.append("names", _entries(1, 6_000), expected_version=0)
        reader = self.store.read("names")
        first = next(reader)
        self.store.append("names", _entries(6_001, 6_001), expected_version=6_000)

        assert first.version == 1
        assert [version for version, _ in reader] == list(range(2, 6_002))

    def test_half_a_surrogate_pair_is_escaped(self) -> None:
        """As JSON would; it must not keep others from writing."""
        broken = Entry("Skipped", 1.0, '{"reason":"\ud800"}')
        self.store.append("names", [broken], expected_version=0)

        (found,) = self.store.read("names")
        assert found.entry.body == '{"reason":"\\ud800"}'

    def test_a_summary_is_written_with_the_journal(self) -> None:
        """All or none; it counts as long as it is as new as the journal."""
        for name, due in (("names", 5.0), ("other", None)):
            with self.store.turn(name) as turn:
                turn.append(_entries(1, 2))
                turn.summarise(due, f'{{"odd": {_ODD!r}}}')
        with pytest.raises(ZeroDivisionError), self.store.turn("names") as turn:
            _summarise_and_fail(turn)
        found = {"names": JournalSummary(2, 5.0, f'{{"odd": {_ODD!r}}}')}

        assert self.store.summaries().keys() == {"names", "other"}
        assert self.store.summaries(["names", "nobody"]) == found
        assert self.store.summaries([]) == {}
        assert self.store.due(4.9) == []
        assert self.store.due(5.0) == ["names"]

        self.store.append("names", _entries(3, 3), expected_version=2)

        assert self.store.summaries().keys() == {"other"}
        with self.store.turn("names") as turn:
            turn.summarise(None, "new")
        assert self.store.summaries(["names"]) == {"names": JournalSummary(3, None, "new")}
        assert self.store.due(5.0) == []

    def test_what_is_kept_comes_back(self) -> None:
        """The latest, or the one that is asked for; each kind for itself."""
        everything = bytes(range(256)) * 10_000
        self.store.keep("names", "material", Derived(5, b"five"))
        self.store.keep("names", "material", Derived(10, everything))
        self.store.keep("names", "material", Derived(7, b""))
        self.store.keep("other", "material", Derived(99, b"other"))

        assert self.store.kept("names", "material") == Derived(10, everything)
        assert self.store.kept("names", "material", at=5) == Derived(5, b"five")
        assert self.store.kept("names", "material", at=7) == Derived(7, b"")
        assert self.store.kept("names", "material", at=6) is None
        assert self.store.kept("names", "snapshot") is None

    def test_the_same_version_is_kept_once(self) -> None:
        """The last one counts."""
        self.store.keep("names", "material", Derived(0, b"first"))
        self.store.keep("names", "material", Derived(0, b"second"))

        assert self.store.kept("names", "material") == Derived(0, b"second")

    @pytest.mark.parametrize("kind", ["snapshot", "model", "picture", "agreement", "material"])
    def test_bytes_of_every_kind_come_back_as_they_were(self, kind: str) -> None:
        """Though a store may compress them, and whatever they look like."""
        for data in (b"", bytes(100_000), zlib.compress(b"of the caller", 1), b"\x78\x01 no zlib"):
            self.store.keep("names", kind, Derived(1, data))

            assert self.store.kept("names", kind) == Derived(1, data)

    @pytest.mark.parametrize("kind", ["snapshot", "model"])
    def test_only_the_last_two_of_what_is_large_are_kept(self, kind: str) -> None:
        """Whatever the order in which they come."""
        for version in (10, 30, 20, 5, 40, 40):
            self.store.keep("names", kind, Derived(version, b"%d" % version))
        found = [self.store.kept("names", kind, at=at) for at in (5, 10, 20, 30, 40)]

        assert found == [None, None, None, Derived(30, b"30"), Derived(40, b"40")]

    def test_sentences_come_back_as_they_were(self) -> None:
        """All, in order, and each by its number."""
        rows = [
            SentenceRow("s-1", "New York", ((0, 3), (4, 8)), ((0, 2, "LOC"),), '{"line": 7}'),
            SentenceRow(_ODD, _ODD, ((0, 5),), ()),
            SentenceRow("s-3", "東京", ((0, 1), (1, 2))),
        ]
        count = self.store.add_sentences("names", iter(rows))

        assert count == 3
        assert list(self.store.sentences("names")) == rows
        assert [self.store.sentence("names", number) for number in range(3)] == rows
        assert self.store.sentences_at("names", [2, 0, 7, -1]) == {0: rows[0], 2: rows[2]}
        assert self.store.sentences_at("names", []) == {}
        assert list(self.store.sentences("other")) == []

    def test_sentences_are_added_with_the_entries_of_a_turn(self) -> None:
        """Behind those that are there, all or none."""
        rows = [SentenceRow(str(number), "a b", ((0, 1), (2, 3))) for number in range(5)]
        self.store.add_sentences("names", rows[:2])
        with self.store.turn("names") as turn:
            turn.append(_entries(1, 1))
            turn.add_sentences(2, rows[2:4])
        broken = SentenceRow("4", "a\0b", ((0, 1),))
        with pytest.raises(StoreError), self.store.turn("names") as turn:
            turn.add_sentences(4, [rows[4], broken])

        assert list(self.store.sentences("names")) == rows[:4]
        assert list(self.store.sentences("names", first=3)) == rows[3:4]
        assert list(self.store.sentences("names", first=4)) == []

    @pytest.mark.parametrize("number", [-1, 3, 2**70])
    def test_a_sentence_that_is_not_there_is_refused(self, number: int) -> None:
        """By its number and the campaign."""
        self.store.add_sentences("names", (SentenceRow(str(n), "a", ((0, 1),)) for n in range(3)))

        with pytest.raises(UnknownSentenceError, match=f"'names' has no sentence {number}"):
            self.store.sentence("names", number)

    @pytest.mark.parametrize("text", ["a\0b", "\ud83d"])
    def test_a_text_that_no_database_takes_is_refused(self, text: str) -> None:
        """With its number, and no sentence is left behind."""
        good = (SentenceRow(str(number), "a", ((0, 1),)) for number in range(6_000))

        with pytest.raises(StoreError, match="the text of sentence 6000"):
            self.store.add_sentences("names", [*good, SentenceRow("6000", text, ((0, 1),))])
        assert list(self.store.sentences("names")) == []

    def test_sentences_that_a_broken_start_left_behind_are_replaced(self) -> None:
        """A second start finds the place empty."""
        self.store.add_sentences("names", (SentenceRow(str(n), "a", ((0, 1),)) for n in range(9)))
        self.store.add_sentences("names", [SentenceRow("new", "b", ((0, 1),))])

        assert [row.id for row in self.store.sentences("names")] == ["new"]

    def test_deleting_a_campaign_leaves_nothing_of_it(self) -> None:
        """And everything of the others; deleting it again does no harm."""
        for name in ("names", "other"):
            self.store.append(name, _entries(1, 3), expected_version=0)
            with self.store.turn(name) as turn:
                turn.summarise(1.0, "{}")
            self.store.keep(name, "snapshot", Derived(3, b"x"))
            self.store.add_sentences(name, [SentenceRow("1", "a", ((0, 1),))])
        self.store.delete("names")
        self.store.delete("names")

        assert self.store.campaigns() == ["other"]
        assert self.store.version("names") == 0
        assert self.store.kept("names", "snapshot") is None
        assert list(self.store.sentences("names")) == []
        assert list(self.store.summaries()) == self.store.due(1.0) == ["other"]
        assert self.store.kept("other", "snapshot") == Derived(3, b"x")
        assert len(list(self.store.sentences("other"))) == 1
