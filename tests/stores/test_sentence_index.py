"""The index of sentences says what the journal says, however it came to it."""

from contextlib import closing
from pathlib import Path

import pytest

from spancrew.campaign import ExpertAnswered, Settled, Submission, entry_of
from spancrew.stores import SentenceFilter, SentenceIndex, SentenceRow, SqlStore, open_sql
from spancrew.stores import _sentence_index as index_file
from tests.campaign.stage import Stage
from tests.campaign.worlds import plain
from tests.stores.written_stores import WRITTEN, written_store

NAME = "campaign"


def played() -> Stage:
    """Return a campaign with answers that differ, experts, audits and corrections."""
    stage = Stage(6, plain(40, known=2), crew=6, audit=8, warm_up="shared")
    while len(stage.of(ExpertAnswered)) < 4:
        stage.turn((1, 1, 2, 1, 3, 4))
    by_expert = stage.of(ExpertAnswered)[0].sentence
    by_crowd = next(each.sentence for each in stage.of(Settled) if each.by == "crowd")
    stage.campaign.correct(by_expert, "e1", stage.spans(by_expert, 3), stage.now)
    if by_crowd not in stage.campaign.state.questions:
        stage.campaign.overrule(by_crowd, "a1", stage.spans(by_crowd, 4), stage.now)
    given = stage.give(0)
    stage.tell(given, 2)
    if stage.campaign.may_change(0, given.number):
        spans = stage.spans(given.sentence, 3)
        stage.campaign.change(Submission(given.number, 0, spans), stage.now)
    return stage


def kept(store: SqlStore, stage: Stage, events: int | None = None) -> None:
    """Write the first events of a campaign into a store, or the rest of them."""
    version = store.version(NAME)
    if not version:
        known = stage.material.known.tolist()
        row = SentenceRow("s", "a b c", ((0, 1), (2, 3), (4, 5)))
        store.add_sentences(
            NAME,
            (
                row._replace(id=f"s{k}", gold=((0, 1, "LOC"),) if k in known else None)
                for k in range(len(stage.material))
            ),
        )
    entries = [entry_of(each) for each in stage.events[version:events]]
    store.append(NAME, entries, expected_version=version)


def check(index: SentenceIndex, stage: Stage) -> None:
    """Compare the index with the campaign itself."""
    state, status = stage.campaign.state, stage.campaign.status()
    count = {
        name: index.page(NAME, SentenceFilter(**wanted), 0).total  # type: ignore[arg-type]
        for name, wanted in {
            "all": {},
            "settled": {"state": "settled"},
            "crowd": {"by": "crowd"},
            "audited": {"by": "audit"},
            "gold": {"by": "gold"},
            "drawn": {"audit": "drawn"},
            "waiting": {"state": "waiting"},
        }.items()
    }
    assert count["all"] == len(stage.material)
    assert count["settled"] == status.settled
    assert count["crowd"] + count["audited"] == status.by_crowd
    assert (count["audited"], count["gold"]) == (status.audited, status.by_gold)
    assert count["drawn"] == len(state.audits)
    assert count["waiting"] == status.waiting
    for sentence, codes in state.experts_say.items():
        found, events = index.sentence(NAME, sentence, 100)
        assert found is not None
        if found.by in {"expert", "audit"}:
            assert [tuple(span[:3]) for span in found.spans] == list(state.spans(codes))
        assert events[-1].version <= stage.campaign.version


def test_it_says_what_the_campaign_says(lasting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one go, in parts, and once more after another process was quicker."""
    monkeypatch.setattr(index_file, "CHUNK", 37)
    monkeypatch.setattr(index_file, "ADDED", 7)
    stage = played()
    with closing(open_sql(lasting)) as store:
        index, other = (SentenceIndex(store.engine, store) for _ in range(2))
        kept(store, stage, 60)
        index.catch_up(NAME)
        other.catch_up(NAME)
        kept(store, stage)
        other.catch_up(NAME)
        index.catch_up(NAME)

        check(index, stage)
        pages = [index.page(NAME, SentenceFilter(), k).found for k in range(2)]
        assert [each.number for each in pages[0]] == list(range(40))
        assert pages[1] == []
        store.delete(NAME)
        assert index.page(NAME, SentenceFilter(), 0).total == 0


@pytest.mark.parametrize("written", WRITTEN, ids=lambda each: each.stem)
def test_stores_of_older_versions_are_indexed_at_the_first_look(
    written: Path, tmp_path: Path
) -> None:
    """By their journals, in which nobody knew of it."""
    with closing(open_sql(written_store(written, tmp_path))) as store:
        index = SentenceIndex(store.engine, store)
        for name in store.campaigns():
            index.catch_up(name)
            kinds = [entry.kind for _, entry in store.read(name)]
            settled = index.page(name, SentenceFilter(state="settled"), 0).total
            gold = index.page(name, SentenceFilter(by="gold"), 0).total

            assert settled - gold == kinds.count("Settled") > 0
