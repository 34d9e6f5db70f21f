"""A judge who asks a live campaign with simulated people."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from zlib import crc32

import pytest

from spancrew.client import CampaignClient, Client
from spancrew.consensus import MajorityVote
from spancrew.core import Answer, Dataset, LabelSet, Span
from spancrew.crowds import Replay
from spancrew.errors import PlanError, SpancrewError
from spancrew.feedback import CrowdOnly
from spancrew.formats import sheet, write
from spancrew.metrics import Metric
from spancrew.policies import Random
from spancrew.rlhf import CrewJudge, PairVerdict
from spancrew.rlhf._pairs import AskedPair, pair_of, sheets_of
from spancrew.simulate import Setting, rehearse, scene_of
from tests.rlhf.people import at_work
from tests.serving import Serving, serving, start

COUNT, PEOPLE = 200, 3
LABELS = ("A", "B", "tie")
PROMPTS = [f"Say {k}" for k in range(4)]
PAIRS = [["short", "a longer one"], ["quite long", "no"], ["same", "size"], ["x", "x"]]


def longer(_: int, first: str, second: str) -> tuple[str, ...]:
    """Like the longer response; equal lengths are a tie."""
    if len(first) == len(second):
        return ("tie",)
    return ("A",) if len(first) > len(second) else ("B",)


def opened(admin: Client, folder: Path, questions: int = 1, **given: object) -> CampaignClient:
    """Return a campaign with one pair of its own, to which others are added."""
    names = [f"q{k}" for k in range(questions)]
    first = sheet("own", "prompt\n\nA:\nyes, sure\n\nB:\nno", names, {})
    path = folder / "own.jsonl"
    write(Dataset.of([first], labels=LabelSet(LABELS), kind="choices"), path)
    plan: dict[str, object] = {
        "answers": 2,
        "crew": 2,
        "feedback": "crowd",
        "warm_up": "none",
        "stays_open": True,
    }
    return admin.create("pairs", path, plan | given)


def test_a_judge_asks_people_once(admin: Client, tmp_path: Path) -> None:
    """Ties are undecided, equal texts are not asked for, and a restart changes nothing."""
    campaign = opened(admin, tmp_path)
    with at_work(campaign, 2, longer):
        judge = CrewJudge(campaign, questions=["q0"], every=0.1)
        found = judge.judge(PROMPTS, PAIRS)
        verdicts = judge.last
        turned = [pair[::-1] for pair in PAIRS]
        again = CrewJudge(campaign, questions=["q0"], every=0.1)
        others = asyncio.run(again.judge_async(PROMPTS, turned))
        rewards = again([*PROMPTS[:3], *PROMPTS[:3]], [p[k] for k in (0, 1) for p in PAIRS[:3]])
        fresh = again.judge(["Say 9"], [["aa", "b"]], shuffle_order=False)
    status = campaign.status()

    assert found == [1, 0, -1, 0]
    assert [each.undecided for each in verdicts] == ["", "", "tie", ""]
    assert verdicts[3] == PairVerdict(0)
    assert verdicts[0].confidence is not None
    assert others == [0, 1, -1, 0]
    assert rewards == [0.0, 1.0, None, 1.0, 0.0, None]
    assert fresh == [0]
    assert (status.sentences, status.settled, status.phase) == (5, 5, "running")


def test_a_judge_says_what_is_not_settled(admin: Client, tmp_path: Path) -> None:
    """For want of time, of money, or because the campaign has ended."""
    slow = opened(admin, tmp_path)
    slow.start()
    late = CrewJudge(slow, questions=["q0"], seconds=0.2, every=0.1)
    poor = opened(admin, tmp_path, budget=0.3)
    began = monotonic()

    assert late.judge(PROMPTS[:1], PAIRS[:1]) == [-1]
    assert late.last == (PairVerdict(None, "time", 1),)
    assert monotonic() - began < 20
    with at_work(poor, 2, longer):
        broke = CrewJudge(poor, questions=["q0"], every=0.1)
        assert broke.judge(PROMPTS[:1], PAIRS[:1]) == [-1]
    assert broke.last == (PairVerdict(None, "budget", 1),)
    slow.finish()
    assert late.judge(PROMPTS[:1], PAIRS[:1]) == [-1]
    assert late.last == (PairVerdict(None, "over", 1),)
    with pytest.raises(SpancrewError, match="the campaign is over"):
        late.judge(["new"], PAIRS[:1])


def test_a_judge_needs_a_campaign_on_pairs(admin: Client) -> None:
    """On spans there is nobody to prefer."""
    campaign = admin.create("names", "demo", {"stays_open": True}, gold="ignore")

    with pytest.raises(PlanError, match="labels for both responses"):
        CrewJudge(campaign)
    with pytest.raises(SpancrewError, match="two completions"):
        pair_of("p", ["one"], shuffles=True)


def test_which_response_comes_first_does_not_depend_on_the_trainer() -> None:
    """Half of the pairs are turned round, and a pair is the same pair in either order."""
    pairs = [pair_of("p", [f"a{k}", f"b{k}"], shuffles=True) for k in range(200)]
    turned = [pair_of("p", [f"b{k}", f"a{k}"], shuffles=True) for k in range(200)]

    assert 70 < sum(each.swapped for each in pairs) < 130
    assert [each.id for each in pairs] == [each.id for each in turned]
    assert [each.better(0) for each in pairs] == [1 - each.better(0) for each in turned]
    assert not any(pair_of("p", ["b", "a"], shuffles=False).swapped for _ in range(1))


def opinion(worker: int, first: str, second: str) -> tuple[str, ...]:
    """Have an opinion on two questions, in which people differ now and then."""
    one, other = sorted((first, second))
    said = []
    for question in range(2):
        common = crc32(f"{question}{one}/{other}".encode())
        is_odd = crc32(f"{common}{worker}".encode()) % 4 == 0
        better = (one, other)[(common >> 3) % 2 ^ is_odd]
        said.append("A" if better == first else "B")
    return tuple(said)


@pytest.mark.slow
def test_a_training_loop_survives_a_restart(tmp_path: Path) -> None:
    """200 pairs with two questions: the labels are those of the rehearsal with that seed."""
    prompts = [f"Say {k}" for k in range(COUNT)]
    pairs = [[f"first {k * 7 % 97}", f"second {k * 5 % 89} {k}"] for k in range(COUNT)]
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder) as server:
        found, verdicts = _in_two_halves(server, tmp_path, prompts, pairs)
    asked = [pair_of(p, both, shuffles=True) for p, both in zip(prompts, pairs, strict=True)]

    assert found.count(0) > COUNT // 4
    assert found.count(1) > COUNT // 4
    assert _rehearsed(asked, verdicts) == 1.0
    assert _rehearsed(asked, [replace(verdicts[0], labels=("tie", "tie")), *verdicts[1:]]) < 1.0


def _in_two_halves(
    server: Serving, folder: Path, prompts: list[str], pairs: list[list[str]]
) -> tuple[list[int], tuple[PairVerdict, ...]]:
    """Judge half of the pairs, then all; the server is stopped and started in between."""
    half, token, questions = len(prompts) // 2, server.admin_token(), ["q0", "q1"]
    plan = {"answers": PEOPLE, "crew": PEOPLE, "consensus": "mv", "seed": 5}
    with server.admin() as admin:
        campaign = opened(admin, folder, 2, **plan)
        with at_work(campaign, PEOPLE, opinion):
            judge = CrewJudge(campaign, questions=questions, every=0.2)
            found = judge.judge(prompts[:half], pairs[:half])
            CrewJudge(campaign, questions=questions, seconds=0.1, every=0.1).judge(prompts, pairs)
            server.stop()
            later = start(server.folder, port=server.port)
            later.know(token)
            try:
                judge = CrewJudge(campaign, questions=questions, every=0.2)
                all_of_them = judge.judge(prompts, pairs)
                assert campaign.status().sentences == len(prompts) + 1
            finally:
                # People go home first: they would wait for a server that does not come back.
                campaign.finish()
    later.stop()
    assert all_of_them[:half] == found
    return all_of_them, judge.last


def _rehearsed(asked: Sequence[AskedPair], verdicts: Sequence[PairVerdict]) -> float:
    """Return how many labels of a rehearsal with the same seed are those of the campaign."""
    plain = sheets_of(asked, ["q0", "q1"], LABELS)
    answers = [
        Answer(each.id, f"w{k}", _spans(opinion(k, *map(str, each.responses))))
        for each in asked
        for k in range(PEOPLE)
    ]
    gold = {each.id: _spans(found.labels) for each, found in zip(asked, verdicts, strict=True)}
    dataset = Dataset.of(plain.sentences, gold, answers, plain.labels, "choices")
    setting = Setting(
        policy=Random(),
        feedback=CrowdOnly(),
        consensus=MajorityVote(),
        crew=PEOPLE,
        answers=PEOPLE,
        runs=1,
        seed=5,
        warm_up="none",
    )
    outcome = rehearse(scene_of(dataset, Replay(dataset)), setting)
    return float(outcome.final[Metric()][0, -1, 2])


def _spans(labels: Sequence[str]) -> tuple[Span, ...]:
    return tuple(Span(k, k + 1, label) for k, label in enumerate(labels))
