"""What the platforms list and show, as their documentation says."""

import sys
from collections.abc import Callable

import pytest

from spancrew.bridges import MTurk, Prolific
from spancrew.errors import MissingPackageError, PlatformError
from tests.bridges.books import account, plan_for
from tests.bridges.loopback import Fault
from tests.bridges.mturk import HIT, FakeMTurk
from tests.bridges.prolific import STUDY, FakeProlific


@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize("people", [0, 99, 100, 250])
def test_long_lists_of_prolific_are_read_to_the_end(
    fake_prolific: FakeProlific, people: int, counts: bool
) -> None:
    """With or without a count of the rows; there is no page after the last one."""
    fake_prolific.counts = counts
    for k in range(people):
        fake_prolific.add(f"p{k}")
    found = account(fake_prolific).submissions()

    assert [each.person for each in found] == [f"p{k}" for k in range(people)]


def test_long_lists_of_mturk_are_read_to_the_end(fake_mturk: FakeMTurk) -> None:
    """Assignments and bonuses come by the hundred."""
    plan = plan_for(fake_mturk, [5] * 250)
    for each in plan.payments:
        fake_mturk.bonuses.append({"AssignmentId": each.submission, "BonusAmount": "0.05"})
    found = account(fake_mturk).submissions()

    assert [each.id for each in found] == [each.submission for each in plan.payments]
    assert {each.bonuses for each in found} == {(5,)}


def test_a_study_that_is_named_twice_counts_once(
    fake_prolific: FakeProlific, fake_mturk: FakeMTurk
) -> None:
    """Base pay would be deducted twice."""
    for fake in (fake_prolific, fake_mturk):
        fake.add("p")

    assert len(Prolific([STUDY, STUDY], api=fake_prolific.api).submissions()) == 1
    assert len(MTurk([HIT, HIT], api=fake_mturk.api).submissions()) == 1


def test_bonuses_that_a_list_leaves_out_are_read_one_by_one(fake_prolific: FakeProlific) -> None:
    """The submission itself has them."""
    id_ = fake_prolific.add("p")
    fake_prolific.paid += [(id_, 120), (id_, 5)]
    fake_prolific.short_lists = True
    (found,) = account(fake_prolific).submissions()

    assert found.bonuses == (120, 5)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("ACTIVE", "working"),
        ("RESERVED", "working"),
        ("AWAITING REVIEW", "waiting"),
        ("AWAITING_REVIEW", "waiting"),
        ("APPROVED", "approved"),
        ("RETURNED", "closed"),
        ("TIMED-OUT", "closed"),
        ("REJECTED", "closed"),
        ("SCREENED OUT", "closed"),
    ],
)
def test_the_states_of_prolific_are_known(
    fake_prolific: FakeProlific, status: str, state: str
) -> None:
    """In both of the ways in which they are written."""
    fake_prolific.add("p", status=status, reward=150, code="C")
    (found,) = account(fake_prolific).submissions()

    assert (found.state, found.base, found.code) == (state, 150, "C")


def test_only_what_waits_is_approved(fake_prolific: FakeProlific, fake_mturk: FakeMTurk) -> None:
    """On either platform."""
    for fake, waiting in ((fake_prolific, "AWAITING REVIEW"), (fake_mturk, "Submitted")):
        fake.add("p", status=waiting)
        fake.add("q", status="REJECTED" if fake is fake_prolific else "Rejected")
        platform = account(fake)
        platform.approve(platform.submissions())
        states = [each.state for each in platform.submissions()]

        assert states == ["approved", "closed"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ([], "no list of results"),
        ({"results": ["x"]}, "no list of results"),
        ({"results": [{"participant_id": "p"}]}, "without 'id'"),
        ({"results": [{"id": "s", "bonus_payments": []}]}, "without 'participant'"),
        (
            {"results": [{"id": "s", "participant_id": "p", "bonus_payments": ["much"]}]},
            "'much' where an amount",
        ),
    ],
)
def test_an_answer_that_nobody_documented_is_no_guess(
    fake_prolific: FakeProlific, body: object, problem: str
) -> None:
    """It is an error that shows what was found."""
    fake_prolific.web.faults.append(Fault("submissions", 200, body=body))
    with pytest.raises(PlatformError, match=problem):
        account(fake_prolific).submissions()


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda fake: MTurk(["3NOSUCHHIT"], api=fake.api).submissions(), "does not exist"),
        (lambda fake: MTurk([""], api=fake.api).submissions(), "would refuse"),
    ],
)
def test_a_hit_that_is_not_there_is_named(
    fake_mturk: FakeMTurk, call: Callable[[FakeMTurk], object], problem: str
) -> None:
    """By MTurk, or by the model of its service before anything is sent."""
    with pytest.raises(PlatformError, match=problem):
        call(fake_mturk)


@pytest.mark.parametrize(
    ("package", "make", "extra"),
    [("httpx", Prolific, "server"), ("botocore", MTurk, "mturk"), ("boto3", MTurk, "mturk")],
)
def test_a_missing_package_is_named_with_the_extra(
    monkeypatch: pytest.MonkeyPatch, package: str, make: Callable[[], object], extra: str
) -> None:
    """Those who pay nobody on MTurk need no boto3."""
    for name in [each for each in sys.modules if each.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackageError, match=rf"'{package}'.*spancrew\[{extra}\]"):
        make()
