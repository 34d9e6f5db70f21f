"""Preference pairs for training, and published comparisons, by files made by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from spancrew.core import Dataset, DatasetBuilder, Final, FinalSpan
from spancrew.errors import FormatError, KindError
from spancrew.formats import Reading, read, recognise, write
from tests.formats.sheets import pair
from tests.formats.test_choices import labels_of

ASK = [{"role": "user", "content": "2 + 2?"}]
RIGHT, WRONG = ([{"role": "assistant", "content": text}] for text in ("4", "5"))


def read_records(tmp_path: Path, *records: Any, **options: Any) -> Reading:
    """Read JSON lines."""
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return read(path, **options)


def written(dataset: Dataset, path: Path) -> list[dict[str, Any]]:
    """Write a data set, and return the records of the file."""
    write(dataset, path)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


PAIRS: dict[str, list[dict[str, Any]]] = {
    "trl": [
        {"id": "7", "score": 0.5, "prompt": "2 + 2?", "chosen": "4", "rejected": "5"},
        {"id": "8", "prompt": ASK, "chosen": RIGHT, "rejected": WRONG},
    ],
    "openai": [
        {
            "id": "7",
            "input": {"messages": ASK, "tools": []},
            "preferred_output": RIGHT,
            "non_preferred_output": WRONG,
        },
    ],
}


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    """Every field, in the same order of records."""
    dataset, repairs = read_records(tmp_path, *PAIRS[name])
    path = tmp_path / f"again.{name}.jsonl"

    assert (dataset.kind, dataset.labels.names, repairs) == ("choices", ("A", "B"), ())
    assert written(dataset, path) == PAIRS[name]
    assert recognise(path).name == name


def test_the_chosen_one_is_gold_and_not_always_the_first(tmp_path: Path) -> None:
    """Else a model of the workers could learn the place."""
    records = [{"prompt": "", "chosen": f"yes {k}", "rejected": f"no {k}"} for k in range(40)]
    dataset, _ = read_records(tmp_path, *records)
    gold = [spans[0].label for k in range(40) if (spans := dataset.gold_spans(k))]

    assert 10 < gold.count("A") < 30
    for sentence, label in zip(dataset.sentences, gold, strict=True):
        assert sentence.meta["responses"]["AB".index(label)].startswith("yes")


@pytest.mark.parametrize(
    ("chosen", "rejected", "prompt", "rest"),
    [
        (ASK + RIGHT, ASK + WRONG, ASK, [RIGHT, WRONG]),
        (
            "\n\nHuman: Hi\n\nAssistant: Hello",
            "\n\nHuman: Hi\n\nAssistant: He left",
            "\n\nHuman: Hi\n\nAssistant:",
            [" Hello", " He left"],
        ),
        ("one", "other", "", ["one", "other"]),
    ],
)
def test_what_both_begin_with_is_the_prompt(
    tmp_path: Path, chosen: Any, rejected: Any, prompt: Any, rest: list[Any]
) -> None:
    """Where a record has none."""
    dataset, _ = read_records(tmp_path, {"chosen": chosen, "rejected": rejected})
    meta = dataset.sentences[0].meta

    assert meta["prompt"] == prompt
    assert sorted(meta["responses"], key=str) == sorted(rest, key=str)


def test_a_pair_goes_from_text_to_messages(tmp_path: Path) -> None:
    """OpenAI takes conversations only; the final label decides, and says how sure it is."""
    dataset = pair(gold=None)
    final = Final((FinalSpan(dataset.answer(0).spans[0], 0.9, 1),), 0.9, 1, "mv")
    settled = _with_final(dataset, final)
    [record] = written(settled, tmp_path / "out.openai.jsonl")

    assert record == {
        "id": "p1",
        "confidence": 0.9,
        "votes": 1,
        "answers": 1,
        "by": "mv",
        "margin": 1.0,
        "input": {"messages": ASK},
        "preferred_output": RIGHT,
        "non_preferred_output": WRONG,
    }


def _with_final(dataset: Dataset, final: Final) -> Dataset:
    builder = DatasetBuilder(dataset.labels, "choices")
    builder.add_sentence(dataset.sentences[0])
    builder.add_answer(dataset.answer(0))
    builder.add_final("p1", final)
    return builder.build()


def test_what_has_no_winner_is_reported(tmp_path: Path) -> None:
    """A tie teaches no preference; answers of workers have no place either."""
    path = tmp_path / "out.trl.jsonl"
    lost = write(pair(gold="tie"), path)

    assert path.read_text("utf-8") == ""
    assert [each.what.partition(":")[0] for each in lost] == [
        "1 sentence without a winner of two responses",
        "1 answer",
    ]


MULTIPREF = {
    "comparison_id": "c1",
    "text": "Hi?",
    "completion_a": "Hello",
    "completion_b": "No",
    "model_a": "m1",
    "normal_worker_annotations": [
        {"evaluator": "n1", "overall_pref": "A-is-clearly-better", "helpful_pref": "Tie"}
    ],
    "expert_worker_annotations": [
        {"evaluator": "e1", "overall_pref": "B-is-slightly-better", "helpful_pref": "Tie"}
    ],
}
HELPSTEER3 = {
    "domain": "code",
    "context": ASK,
    "response1": "4",
    "response2": "5",
    "overall_preference": -2,
    "individual_preference": [{"score": -3, "reasoning": "..."}, {"score": 1}],
}
MT_BENCH = {
    "question_id": 81,
    "model_a": "m1",
    "model_b": "m2",
    "winner": "model_b",
    "judge": "expert_0",
    "conversation_a": ASK + RIGHT + ASK + WRONG,
    "conversation_b": ASK + WRONG + ASK + RIGHT,
    "turn": 1,
}


def test_multipref_has_several_questions_and_two_kinds_of_workers(tmp_path: Path) -> None:
    """The degrees are in order, and the source says who is an expert."""
    dataset, repairs = read_records(tmp_path, MULTIPREF)

    assert dataset.sentences[0].tokens == ("overall", "helpful")
    assert dataset.labels.names[0::2] == ("A-is-clearly-better", "Tie", "B-is-clearly-better")
    assert labels_of(dataset)["c1", "e1"] == ["B-is-slightly-better", "Tie"]
    assert [dataset.answer(k).source for k in (0, 1)] == ["crowd", "expert"]
    assert (dataset.sentences[0].meta["model_a"], repairs) == ("m1", ())


def test_helpsteer3_names_nobody_and_says_so(tmp_path: Path) -> None:
    """Scores are labels of a scale from -3 to 3."""
    dataset, [repair] = read_records(tmp_path, HELPSTEER3, HELPSTEER3)

    assert dataset.labels.names == ("-3", "-2", "-1", "0", "1", "2", "3")
    assert labels_of(dataset)["2", "unnamed 2"] == ["1"]
    assert "who are no persons" in repair.what


def test_votes_of_mt_bench_are_gathered_by_pair(tmp_path: Path) -> None:
    """A record is a vote; the second turn is a sheet of its own."""
    other = MT_BENCH | {"judge": "author_1", "winner": "tie"}
    dataset, _ = read_records(tmp_path, MT_BENCH, other, other | {"turn": 2})
    first, second = dataset.sentences

    assert dataset.labels.names == ("A", "B", "tie")
    assert labels_of(dataset)["81:m1:m2:1", "expert_0"] == ["B"]
    assert labels_of(dataset)["81:m1:m2:2", "author_1"] == ["tie"]
    assert [len(talk) for talk in second.meta["responses"]] == [3, 3]
    assert first.meta["responses"] == [RIGHT, WRONG]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (MT_BENCH | {"winner": "both"}, "winner 'both'; expected model_a, model_b, tie"),
        (MULTIPREF | {"comparison_id": None}, "field 'comparison_id': None"),
        (HELPSTEER3 | {"individual_preference": [{"score": "x"}]}, "field 'score': 'x'"),
        ({"chosen": 3, "rejected": "x"}, "field 'chosen': 3; expected a text or a list"),
        ({"chosen": [{"role": "u"}], "rejected": "x"}, "expected two of the same kind"),
    ],
)
def test_a_broken_record_is_refused_at_its_line(
    tmp_path: Path, record: dict[str, Any], said: str
) -> None:
    """With what was found and what was expected."""
    with pytest.raises(FormatError, match=said) as found:
        read_records(tmp_path, record)

    assert found.value.place.line == 1


@pytest.mark.parametrize("record", [MULTIPREF, HELPSTEER3, MT_BENCH])
def test_published_comparisons_are_read_only(tmp_path: Path, record: dict[str, Any]) -> None:
    """The refusal names formats that can be written."""
    dataset, _ = read_records(tmp_path, record)
    name = recognise(tmp_path / "data.jsonl").name

    with pytest.raises(KindError, match=f"'{name}' has no place for choices; write csv"):
        write(dataset, tmp_path / "out", name)
