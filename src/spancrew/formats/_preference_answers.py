"""Published data sets in which several people compare two responses; they are read only."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spancrew.core import Dataset, Kind
from spancrew.errors import FormatError, Place
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._json import checked, first_fields, need, need_identifier, shown, want
from spancrew.formats._preference_pairs import json_records
from spancrew.formats._sheets import QUESTION, TIE, SheetIntake, body_of

_PREFERENCE = "_pref"
_DEGREES = (
    "A-is-clearly-better",
    "A-is-slightly-better",
    "Tie",
    "B-is-slightly-better",
    "B-is-clearly-better",
)
_UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class AnswersFormat:
    """JSON records with a pair of responses each, and what several people said of it."""

    name: str
    fields: frozenset[str]
    take: Callable[[dict[str, Any], SheetIntake, Place], None]
    scale: tuple[str, ...]
    note: str = ""
    suffixes: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether the first record has the fields of the format."""
        return path.is_file() and self.fields <= first_fields(head)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read record by record."""
        sheets = SheetIntake(options, self.scale)
        if self.note:
            sheets.intake.repair("worker", Place(str(path)), self.note)
        for place, record in json_records(path, options):
            if not isinstance(record, dict):
                raise FormatError.expected(place, shown(record), "an object with a comparison")
            self.take(record, sheets, place)
        return sheets.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Refuse: such files are only read."""
        del dataset
        raise FormatError(Place(str(path)), f"files of the format {self.name!r} are read only")


def multipref() -> AnswersFormat:
    """Return MultiPref: four people on each pair, two of the crowd and two experts."""
    fields = frozenset({"completion_a", "completion_b", "normal_worker_annotations"})
    return AnswersFormat("multipref", fields, _take_multipref, _DEGREES)


def _take_multipref(record: dict[str, Any], sheets: SheetIntake, place: Place) -> None:
    id_ = need_identifier(record.get("comparison_id"), "field 'comparison_id'", place)
    prompt = need(record, "text", str, place)
    responses = [need(record, name, str, place) for name in ("completion_a", "completion_b")]
    lists = {"crowd": "normal_worker_annotations", "expert": "expert_worker_annotations"}
    used = {"comparison_id", "text", "completion_a", "completion_b", *lists.values()}
    meta = {"prompt": prompt, "responses": responses}
    meta |= {name: value for name, value in record.items() if name not in used}
    sheets.add_sheet(id_, body_of(prompt, responses), meta, place)
    for source, field in lists.items():
        for given in want(record, field, list, place) or ():
            worker = need_identifier(
                checked(given, dict, field, place).get("evaluator"), "field 'evaluator'", place
            )
            for name in (name for name in given if name.endswith(_PREFERENCE)):
                label = need(given, name, str, place)
                question = name.removesuffix(_PREFERENCE)
                sheets.choose(id_, worker, question, label, place, source=source)


def helpsteer3() -> AnswersFormat:
    """Return HelpSteer3: scores from -3 to 3 of people who are not named."""
    fields = frozenset({"context", "response1", "response2", "individual_preference"})
    note = (
        "the scores do not say whose they are: those that stand first, second ... are read as "
        f"workers '{_UNNAMED} 1', '{_UNNAMED} 2' ..., who are no persons; their reliability "
        "means nothing"
    )
    scale = tuple(str(score) for score in range(-3, 4))
    return AnswersFormat("helpsteer3", fields, _take_helpsteer3, scale, note)


def _take_helpsteer3(record: dict[str, Any], sheets: SheetIntake, place: Place) -> None:
    prompt = need(record, "context", list, place)
    responses = [need(record, name, str, place) for name in ("response1", "response2")]
    used = {"context", "response1", "response2", "individual_preference"}
    meta = {"prompt": prompt, "responses": responses}
    meta |= {name: value for name, value in record.items() if name not in used}
    id_ = str(sheets.size + 1)
    sheets.add_sheet(id_, body_of(prompt, responses), meta, place)
    for k, given in enumerate(need(record, "individual_preference", list, place), start=1):
        label = str(need(given, "score", int, place))
        sheets.choose(id_, f"{_UNNAMED} {k}", QUESTION, label, place)


def mt_bench() -> AnswersFormat:
    """Return the human judgements of MT-Bench: a record for each vote."""
    fields = frozenset({"conversation_a", "conversation_b", "winner", "judge"})
    return AnswersFormat("mt-bench", fields, _take_mt_bench, ("A", "B", TIE))


def _take_mt_bench(record: dict[str, Any], sheets: SheetIntake, place: Place) -> None:
    models = [need(record, name, str, place) for name in ("model_a", "model_b")]
    question = need_identifier(record.get("question_id"), "field 'question_id'", place)
    turn = want(record, "turn", int, place) or 1
    id_ = ":".join([question, *models, str(turn)])
    names = {"model_a": "A", "model_b": "B", "tie": TIE}
    won = need(record, "winner", str, place)
    if won not in names:
        raise FormatError.expected(place, f"winner {shown(won)}", ", ".join(names))
    if id_ not in sheets:
        talks = [need(record, name, list, place) for name in ("conversation_a", "conversation_b")]
        prompt, responses = talks[0][:1], [talk[1 : 2 * turn] for talk in talks]
        meta = {"prompt": prompt, "responses": responses, "models": models, "turn": turn}
        sheets.add_sheet(id_, body_of(prompt, responses), meta, place)
    worker = need_identifier(record.get("judge"), "field 'judge'", place)
    sheets.choose(id_, worker, QUESTION, names[won], place)
