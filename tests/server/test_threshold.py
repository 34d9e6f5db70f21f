"""A threshold that is tried: what it would have done, against the rules themselves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spancrew.campaign import Material
from spancrew.consensus import Evidence, MajorityVote
from spancrew.core import Answers, Ragged, Span, encode
from spancrew.feedback import AgreementGate
from spancrew.server.settings import ServerSettings
from tests.server.busy import Busy, busy
from tests.server.conftest import HandClock, House, Visitor, create, running
from tests.spread import often


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Busy]:
    """Drive a campaign that decides by agreement."""
    folder, clock = tmp_path_factory.mktemp("gate"), HandClock()
    with running(folder, clock, ServerSettings(clock=clock)) as house:
        made = busy(house.admin(), folder, warm_up="shared", answers=4, crew=5)
        made.work(30, experts=False)
        yield made


class Sheet:
    """The answers on every sentence that was judged for good, read from the journal."""

    def __init__(self, made: Busy) -> None:
        self.material = Material.of(made.data)
        self.judged: dict[int, int] = {}
        self._said: dict[tuple[int, int], list[Any]] = {}
        self._counted: list[tuple[int, int]] = []
        self._purposes: dict[int, str] = {}
        for event in made.events():
            self._take(event["kind"], event["body"])

    def _take(self, kind: str, body: dict[str, Any]) -> None:
        if kind == "Assigned":
            self._purposes[body["assignment"]] = body["purpose"]
        if kind == "Answered":
            self._said[body["sentence"], body["worker"]] = body["spans"]
        is_crew = kind == "Answered" and self._purposes[body["assignment"]] == "crew"
        if kind == "Recalled" or (is_crew and not body["surplus"]):
            self._counted.append((body["sentence"], body["worker"]))
        if kind == "Judged" and body["outcome"] != "more":
            self.judged[body["sentence"]] = body["answers"]

    def answers(self) -> Answers:
        """Return the answers, in the order of the sentences."""
        place = {sentence: k for k, sentence in enumerate(sorted(self.judged))}
        rows = sorted((s, w) for s, w in self._counted if s in place)
        codes = Ragged.of([self._codes(s, w) for s, w in rows], self.material.labels.dtype)
        sentence = np.array([place[s] for s, _ in rows], np.int32)
        return Answers(sentence, np.array([w for _, w in rows], np.int32), codes, len(place))

    def _codes(self, sentence: int, worker: int) -> list[int]:
        spans = [Span(*each) for each in self._said[sentence, worker]]
        length = int(self.material.lengths[sentence])
        return [int(code) for code in encode(spans, length, self.material.labels)]


def rejudged(made: Busy, threshold: float) -> int:
    """Return for how many sentences the rule itself asks the expert at a threshold."""
    sheet = Sheet(made)
    answers, order = sheet.answers(), sorted(sheet.judged)
    assert answers.per_sentence.tolist() == [sheet.judged[s] for s in order]
    lengths = sheet.material.lengths[order]
    evidence = Evidence(answers, lengths, len(sheet.material.labels), workers=99)
    beliefs = MajorityVote().fit(evidence).judge(answers, lengths)
    return int((~AgreementGate(threshold).judge(answers, beliefs).trusted).sum())


def test_a_preview_says_what_the_rule_would_have_done(gate: Busy) -> None:
    """From no expert to experts everywhere, against the rule itself on the same answers."""
    now = gate.look("threshold")
    assert (now["by"], now["asks"], now["value"], now["moves"]) == (
        "agreement",
        "below",
        0.5,
        False,
    )
    assert now["experts"] == rejudged(gate, 0.5) > 0
    assert now["preview"] is None
    seen = set()
    for at in (-1.0, 0.0, 0.3, 0.5, 0.55, 0.7, 0.9, 1.0):
        preview = gate.look("threshold", at=at)["preview"]
        seen.add(preview["more"])
        assert preview["experts"] == rejudged(gate, at)
        assert preview["more"] == preview["experts"] - now["experts"]
        assert preview["money"] == pytest.approx(preview["more"] * 1.0)
        assert preview["feedback"] == ("gate" if at == 0.65 else f"gate:threshold={at:g}")
    assert min(seen) < 0 < max(seen)


def test_a_histogram_holds_every_sentence(gate: Busy) -> None:
    """Bins of equal width, next to each other, with all judged sentences in them."""
    found = gate.look("threshold")
    bins = found["histogram"]

    assert sum(each["sentences"] for each in bins) + found["without"] == found["judged"] > 20
    assert bins[0]["low"] == found["lowest"]
    assert bins[-1]["high"] == found["highest"] == 1.0
    assert [each["high"] for each in bins[:-1]] == [each["low"] for each in bins[1:]]


def test_nothing_changes_before_it_is_applied(house: House, admin: Visitor) -> None:
    """The preview names the rule; PATCH makes it decide, and it is in force then."""
    made = busy(admin, house.path.parent, sentences=12)
    made.work(5)
    preview = made.look("threshold", at=0.8)["preview"]
    assert made.look("threshold")["value"] == 0.5

    admin.ok("PATCH", f"/campaigns/{made.campaign}", json={"feedback": preview["feedback"]})

    after = made.look("threshold", at=0.8)
    assert after["value"] == 0.8
    assert after["experts"] == preview["experts"]
    assert after["preview"]["more"] == 0


def final_errors(made: Busy) -> dict[int, tuple[float, str]]:
    """Return expected errors and outcome of the last judgement of each sentence, if final."""
    found = {}
    for event in made.events():
        if event["kind"] == "Judged":
            body = event["body"]
            found[body["sentence"]] = (body["errors"], body["outcome"])
    return {k: each for k, each in found.items() if each[1] != "more"}


@pytest.mark.parametrize(
    "feedback",
    often(["adaptive:error_cost=4"], ["expected-error:error_cost=4", "adaptive:error_cost=4"]),
)
def test_errors_have_a_threshold_that_is_a_cost(
    house: House, admin: Visitor, feedback: str
) -> None:
    """The expert is asked above expert price / error cost; another threshold is another cost."""
    prices = {"answer": 0.1, "expert": 2.0}
    made = busy(admin, house.path.parent, sentences=20, feedback=feedback, prices=prices)
    made.work()
    found = made.look("threshold", at=0.25)
    errors = [each for each, _ in final_errors(made).values()]

    assert (found["by"], found["asks"], found["value"]) == ("errors", "above", 0.5)
    assert found["judged"] == len(errors)
    assert found["experts"] == sum(each * 4 > 2.0 + 1e-9 for each in errors)
    assert found["preview"]["experts"] == sum(each * 8 > 2.0 + 1e-9 for each in errors)
    assert found["preview"]["money"] == 2.0 * found["preview"]["more"]
    assert found["preview"]["feedback"] == feedback.replace("=4", "=8")
    refused = admin.call("GET", f"/campaigns/{made.campaign}/threshold?at=0")
    assert refused.status_code == 422


def test_a_target_moves_its_threshold(house: House, admin: Visitor) -> None:
    """What happened is what happened; a threshold of one's own gives the target up."""
    made = busy(admin, house.path.parent, sentences=40, feedback="expected-error:expert_share=0.3")
    made.work()
    found = made.look("threshold", at=0.5)
    outcomes = [outcome for _, outcome in final_errors(made).values()]

    assert found["moves"] is True
    assert found["value"] > 0
    assert found["experts"] == outcomes.count("expert") > 0
    assert found["preview"]["feedback"] == "expected-error:error_cost=2"


@pytest.mark.parametrize(
    "plan",
    [
        {"feedback": "crowd"},
        {"feedback": "expert"},
        {"feedback": "expected-error", "prices": {"answer": 0.1, "expert": 0.0}},
    ],
)
def test_a_rule_without_a_threshold_says_so(
    house: House, admin: Visitor, plan: dict[str, Any]
) -> None:
    """There is nothing to draw, and nothing to try."""
    campaign = create(admin, house.path.parent, **plan)
    found = admin.ok("GET", f"/campaigns/{campaign}/threshold")
    refused = admin.call("GET", f"/campaigns/{campaign}/threshold?at=0.5")

    assert (found["by"], found["value"], found["histogram"]) == ("nothing", None, [])
    assert refused.status_code == 422
    assert "no threshold" in refused.json()["error"]["message"]


def test_an_error_that_costs_nothing_is_never_worth_an_expert(
    house: House, admin: Visitor
) -> None:
    """The line is out of reach, and JSON has no word for infinity."""
    campaign = create(admin, house.path.parent, feedback="expected-error:error_cost=0")

    found = admin.ok("GET", f"/campaigns/{campaign}/threshold?at=0.5")

    assert (found["by"], found["value"], found["judged"]) == ("errors", None, 0)
    assert found["preview"]["feedback"] == "expected-error:error_cost=2"


@pytest.mark.parametrize("at", ["-2", "nan", "inf", "two", "1e9"])
def test_thresholds_that_are_none_are_refused(house: House, admin: Visitor, at: str) -> None:
    """A number within bounds, or 422."""
    campaign = create(admin, house.path.parent)

    assert admin.call("GET", f"/campaigns/{campaign}/threshold?at={at}").status_code == 422


def test_figures_of_another_kind_are_not_mixed(
    tmp_path: Path, house: House, admin: Visitor
) -> None:
    """After a change from agreement to errors all sentences count; the other way round, none."""
    made = busy(admin, tmp_path, sentences=12)
    made.work(6)
    path = f"/campaigns/{made.campaign}"
    judged = made.look("threshold")["judged"]
    admin.ok("PATCH", path, json={"feedback": "expected-error"})
    assert made.look("threshold")["judged"] == judged > 0
    admin.ok("PATCH", path, json={"feedback": "gate:kappa=alpha"})
    assert made.look("threshold")["judged"] == 0
