"""A state as bytes, and back: so that a long journal need not be read from its beginning."""

import math
from dataclasses import asdict, fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.campaign._events import Fitted
from spancrew.campaign._log import EvidenceLog, Growing, Held, Logged, StatedLog
from spancrew.campaign._material import Material
from spancrew.campaign._packing import pack, unpack
from spancrew.campaign._plan import Plan
from spancrew.campaign._records import (
    Agreements,
    InHand,
    Lease,
    ModelWork,
    Money,
    OpenAudit,
    Question,
    Remembered,
    WorkerRecord,
)
from spancrew.campaign._state import SentenceLesson, SettledCounts, Shown, State, lots_of
from spancrew.campaign._values import Remark
from spancrew.core import CodeArray, Ragged, offsets_of
from spancrew.errors import JournalError, SpancrewError
from spancrew.feedback import Doubts
from spancrew.policies import Difficulty, Standings

_MEANING = 3
"""To be raised when the same fields mean something else, or events change them otherwise."""
_PARTS = (
    State,
    Plan,
    Money,
    SettledCounts,
    WorkerRecord,
    Remembered,
    InHand,
    ModelWork,
    Held,
    Lease,
    Agreements,
    Question,
    OpenAudit,
    SentenceLesson,
    Logged,
    Shown,
    Remark,
    Fitted,
    Standings,
    Doubts,
    Difficulty,
)
_SIMPLE = [
    "phase",
    "reason",
    "version",
    "taken",
    "step",
    "seats",
    "assignments",
    "answers",
    "expert_answers",
    "model_answers",
    "ended",
    "warm_sentence",
    "corrections",
    "opened",
]
_SUMS = ["count", "total", "squares", "pending", "available", "time", "price"]
_LOG = [
    "sentence",
    "size",
    "known",
    "by_crowd",
    "weight",
    "turn",
    "worker",
    "reward",
    "codes",
    "labels",
    "what",
]
_STATED = ["sentence", "expected", "errors", "codes", "chance"]


def to_snapshot(state: State) -> bytes:
    """Return a state as bytes."""
    plain = {
        "form": _form(),
        "plan": state.plan.to_json(),
        "sentences": len(state.material),
        "additions": [(key, *where) for key, where in state.additions.items()],
        "money": asdict(state.money),
        "tally": asdict(state.tally),
        "crew": list(state.crew),
        "workers": [_worker_row(worker) for worker in state.workers],
        "hand": [_hand_row(hand) for hand in state.hand.values()],
        "by_models": [_work_row(*each) for each in state.by_models.items()],
        "agreed_seen": asdict(state.agreed_seen),
        "agreed_unseen": asdict(state.agreed_unseen),
        "leases": [asdict(lease) for lease in state.leases.values()],
        "late": [asdict(lease) for lease in state.late.values()],
        "questions": [asdict(question) for question in state.questions.values()],
        "settling": list(state.settling),
        "audits": [_audit_row(sentence, audit) for sentence, audit in state.audits.items()],
        "auditing": list(state.auditing),
        "audited": list(state.audited),
        "needing": list(state.needing),
        "ready": list(state.ready),
        "expert_keys": [(each, *keys) for each, keys in state.expert_keys.items()],
        "unscored": [(sentence, _held_row(held)) for sentence, held in state.unscored],
        "warm": [(worker, _held_row(held)) for worker, held in state.warm.items()],
        "remarks": [(number, *remark) for number, remark in state.remarks.items()],
        "shown": [(sentence, *shown) for sentence, shown in state.shown.items()],
        "lessons": [_lesson_row(lesson) for lesson in state.lessons],
        "fits": [asdict(fit) for fit in state.fits],
        **{name: getattr(state, name) for name in _SIMPLE},
    }
    return pack(plain, _arrays(state))


def _arrays(state: State) -> dict[str, npt.NDArray[Any]]:
    said = state.experts_say
    arrays = {
        "order": state.order,
        "said": np.array(list(said), np.int64),
        "said_codes": np.concatenate([np.zeros(0, state.material.labels.dtype), *said.values()]),
        **{f"standings.{name}": getattr(state.standings, name) for name in _SUMS},
        **{f"doubts.{name}": value for name, value in state.doubts._asdict().items()},
        **{f"log.{name}": getattr(state.log, name).all for name in _LOG},
        **{f"stated.{name}": getattr(state.stated, name).all for name in _STATED},
    }
    difficulty = state.standings.difficulty
    if difficulty is not None:
        arrays |= {f"difficulty.{f.name}": getattr(difficulty, f.name) for f in fields(difficulty)}
    return arrays


def from_snapshot(data: bytes, stock: Material) -> State:
    """Return the state that was made into these bytes; refuse those of another version."""
    plain, arrays = unpack(data)
    if plain.get("form") != _form():
        raise JournalError("a snapshot of another version of spancrew does not fit")
    try:
        return _state(plain, arrays, stock)
    except (SpancrewError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise JournalError(f"a snapshot does not fit: {error}") from None


def _form() -> dict[str, Any]:
    """Return what a snapshot must have in common with this version: its meaning and its fields.

    A field that is missing would get its default, which need not be what a replay comes to.
    """
    return {"meaning": _MEANING, **{each.__name__: _names(each) for each in _PARTS}}


def _names(part: type[Any]) -> list[str]:
    return [field.name for field in fields(part)] if is_dataclass(part) else [*part._fields]


def _state(plain: dict[str, Any], arrays: dict[str, npt.NDArray[Any]], stock: Material) -> State:
    plan, material = Plan.from_json(plain["plan"]), stock.first(plain["sentences"])
    log, stated = EvidenceLog(material), StatedLog(material)
    _fill(log, _named("log", arrays))
    _fill(stated, _named("stated", arrays))
    return State(
        plan,
        material,
        Money(**plain["money"]),
        _standings(plan, arrays),
        Doubts(**_named("doubts", arrays)),
        arrays["order"],
        lots_of(plan, material),
        log,
        stated,
        stock,
        crew=tuple(plain["crew"]),
        workers=[_worker(row) for row in plain["workers"]],
        hand={row["sentence"]: _hand(row, material) for row in plain["hand"]},
        by_models={row[0]: _work(row, material) for row in plain["by_models"]},
        leases={row["number"]: _lease(row) for row in plain["leases"]},
        late={row["number"]: _lease(row) for row in plain["late"]},
        agreed_seen=Agreements(**plain["agreed_seen"]),
        agreed_unseen=Agreements(**plain["agreed_unseen"]),
        questions={row["sentence"]: _question(row) for row in plain["questions"]},
        experts_say=_said(material, arrays),
        expert_keys={each: (expert, key) for each, expert, key in plain["expert_keys"]},
        unscored=[(sentence, _held(row, material)) for sentence, row in plain["unscored"]],
        warm={worker: _held(row, material) for worker, row in plain["warm"]},
        remarks={each: _remark(row) for each, *row in plain["remarks"]},
        shown={each: _shown(row) for each, *row in plain["shown"]},
        lessons=[_lesson(row, material) for row in plain["lessons"]],
        additions={key: (first, count) for key, first, count in plain["additions"]},
        fits=[Fitted(**row) for row in plain["fits"]],
        tally=SettledCounts(**plain["tally"]),
        **{name: plain[name] for name in _SIMPLE},
        settling=dict.fromkeys(plain["settling"]),
        audits={row[0]: _audit(row, material) for row in plain["audits"]},
        auditing=dict.fromkeys(plain["auditing"]),
        audited=dict.fromkeys(plain["audited"]),
        needing=dict.fromkeys(plain["needing"]),
        ready=dict.fromkeys(plain["ready"]),
    )


def _named(prefix: str, arrays: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    start = f"{prefix}."
    return {
        name.removeprefix(start): each for name, each in arrays.items() if name.startswith(start)
    }


def _standings(plan: Plan, arrays: dict[str, npt.NDArray[Any]]) -> Standings:
    found = _named("difficulty", arrays)
    return Standings(
        **_named("standings", arrays),
        memory=plan.policy.learning.memory,
        difficulty=Difficulty(**found) if found else None,
    )


def _fill(log: EvidenceLog | StatedLog, columns: dict[str, npt.NDArray[Any]]) -> None:
    for name, values in columns.items():
        setattr(log, name, Growing.of(values))


def _said(material: Material, arrays: dict[str, npt.NDArray[Any]]) -> dict[int, CodeArray]:
    sentence = arrays["said"]
    codes = Ragged(arrays["said_codes"], offsets_of(material.lengths[sentence]))
    return {each: codes[row] for row, each in enumerate(sentence.tolist())}


def _held_row(held: Held) -> list[Any]:
    return [held.worker, held.codes.tolist(), held.assignment]


def _held(row: list[Any], material: Material) -> Held:
    worker, codes, assignment = row
    return Held(worker, np.array(codes, material.labels.dtype), assignment)


def _worker_row(worker: WorkerRecord) -> dict[str, Any]:
    row = {f.name: getattr(worker, f.name) for f in fields(worker)}
    recent = [(number, *each) for number, each in worker.recent.items()]
    return {**row, "recent": recent, "seen": sorted(worker.seen)}


def _worker(row: dict[str, Any]) -> WorkerRecord:
    recent = {number: Remembered(*each) for number, *each in row["recent"]}
    rewards = {by: (count, total) for by, (count, total) in row["rewards"].items()}
    return WorkerRecord(**{**row, "recent": recent, "rewards": rewards, "seen": set(row["seen"])})


def _hand_row(hand: InHand) -> dict[str, Any]:
    row = {f.name: getattr(hand, f.name) for f in fields(hand)}
    answers = [_held_row(held) for held in hand.answers]
    return {
        **row,
        "answers": answers,
        "leases": list(hand.leases.items()),
        "away": sorted(hand.away),
    }


def _hand(row: dict[str, Any], material: Material) -> InHand:
    return InHand(
        **{
            **row,
            "crew": tuple(row["crew"]),
            "crowd": tuple(map(tuple, row["crowd"])),
            "answers": [_held(each, material) for each in row["answers"]],
            "leases": dict(row["leases"]),
            "away": set(row["away"]),
        }
    )


def _lease(row: dict[str, Any]) -> Lease:
    said = row["suggested"]
    return Lease(**{**row, "suggested": None if said is None else tuple(map(tuple, said))})


def _work_row(sentence: int, work: ModelWork) -> list[Any]:
    answers = [_held_row(held) for held in work.answers]
    return [sentence, answers, list(work.leases.items()), sorted(work.away)]


def _work(row: list[Any], material: Material) -> ModelWork:
    _, answers, leases, away = row
    return ModelWork([_held(each, material) for each in answers], dict(leases), set(away))


def _audit_row(sentence: int, audit: OpenAudit) -> list[Any]:
    return [sentence, *audit[:-1], [_held_row(held) for held in audit.answers]]


def _audit(row: list[Any], material: Material) -> OpenAudit:
    _, weight, step, group, errors, size, crowd, answers = row
    held = tuple(_held(each, material) for each in answers)
    return OpenAudit(weight, step, group, errors, size, tuple(map(tuple, crowd)), held)


def _question(row: dict[str, Any]) -> Question:
    return Question(**{**row, "crowd": tuple(tuple(span) for span in row["crowd"])})


def _shown(row: list[Any]) -> Shown:
    crowd, is_audit = row
    return Shown(tuple(map(tuple, crowd)), is_audit)


def _remark(row: list[Any]) -> Remark:
    unsure, note, flag = row
    return Remark(tuple(unsure), note, flag)


def _lesson_row(lesson: SentenceLesson) -> list[Any]:
    sentence, answers, known, rewards, *rest = lesson.logged
    return [
        lesson.place,
        lesson.step,
        sentence,
        [_held_row(held) for held in answers],
        None if known is None else known.tolist(),
        [None if math.isnan(each) else each for each in rewards],
        *rest,
    ]


def _lesson(row: list[Any], material: Material) -> SentenceLesson:
    place, step, sentence, answers, known, rewards, *rest = row
    codes = None if known is None else np.array(known, material.labels.dtype)
    held = tuple(_held(each, material) for each in answers)
    numbers = tuple(math.nan if each is None else each for each in rewards)
    return SentenceLesson(place, Logged(sentence, held, codes, numbers, *rest), step)
