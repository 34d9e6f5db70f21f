"""Make the data sets that come with spancrew: ``python tools/demo/make.py [--check]``.

Every sentence, name and answer is invented here; the same files come out on every machine.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import chinese
import crowd
import english
from crowd import Mind, Worker
from difficulty import difficulty
from draws import Draws
from markup import Passage
from schedule import schedule

from spancrew.core import Answer, Dataset, DatasetBuilder, LabelSet, Sentence
from spancrew.formats._spancrew import SpancrewLines

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src" / "spancrew" / "formats" / "bundled"


def demo() -> Dataset:
    """Make the English data set: names of people, places, organisations and works."""
    passages = english.passages(600, Draws(12))
    sentences = [
        Sentence.from_tokens(f"s{number:03}", passage.tokens, _meta(passage))
        for number, passage in enumerate(passages, start=1)
    ]
    workers = crowd.load(HERE / "workers.toml")
    draws = Draws(3)
    crews = schedule(workers, len(passages), (4, 8, 14, 25, 25, 14, 7, 3), draws)
    labels = LabelSet(("LOC", "ORG", "PER", "WORK"))
    return _answered(sentences, passages, labels, workers, crews, draws)


def demo_live() -> Dataset:
    """Make what `spancrew demo --live` plays: here everybody has an answer on every sentence."""
    passages = english.passages(150, Draws(21))
    sentences = [
        Sentence.from_tokens(f"s{number:03}", passage.tokens, _meta(passage))
        for number, passage in enumerate(passages, start=1)
    ]
    workers = [each for each in crowd.load(HERE / "workers.toml") if each.name in LIVE]
    crews = [range(len(workers)) for _ in passages]
    labels = LabelSet(("LOC", "ORG", "PER", "WORK"))
    return _answered(sentences, passages, labels, workers, crews, Draws(4))


def demo_zh() -> Dataset:
    """Make the Chinese data set: opinions in reviews, in characters."""
    passages = chinese.passages(Draws(13))
    sentences = [
        Sentence.from_text(f"z{number:02}", "".join(passage.tokens), "characters", _meta(passage))
        for number, passage in enumerate(passages, start=1)
    ]
    workers = crowd.load(HERE / "reviewers.toml")
    draws = Draws(3)
    crews = schedule(workers, len(passages), (1, 3, 8, 12, 6, 1), draws)
    return _answered(sentences, passages, LabelSet(("NEG", "POS")), workers, crews, draws)


DATASETS = {"demo.jsonl": demo, "demo-live.jsonl": demo_live, "demo-zh.jsonl": demo_zh}
LIVE = (
    "ada",
    "basil",
    "cleo",
    "dario",
    "emil",
    "hana",
    "ines",
    "juno",
    "kit",
    "mabel",
    "otto",
    "rafi",
)


def _meta(passage: Passage) -> dict[str, str | bool]:
    return {"domain": passage.domain} | ({"hard": True} if passage.hard else {})


def _answered(
    sentences: Sequence[Sentence],
    passages: Sequence[Passage],
    labels: LabelSet,
    workers: Sequence[Worker],
    crews: Sequence[Sequence[int]],
    draws: Draws,
) -> Dataset:
    """Let the crews answer; a character takes less time to read than a word."""
    builder = DatasetBuilder(labels)
    minds = [Mind(worker, labels.names, draws) for worker in workers]
    for worker in workers:
        builder.add_worker(worker.name)
    reading_time = 0.5 if " " in sentences[0].text else 0.25
    for sentence, passage, crew in zip(sentences, passages, crews, strict=True):
        builder.add_sentence(sentence, passage.gold)
        hardness = difficulty(passage, labels.names, draws)
        for k in crew:
            spans = minds[k].answer(passage, hardness)
            seconds = minds[k].seconds(passage, reading_time)
            builder.add_answer(Answer(sentence.id, workers[k].name, spans, seconds))
    return builder.build()


def write(folder: Path) -> None:
    """Write all data sets into a folder."""
    for name, make in DATASETS.items():
        SpancrewLines().write(make(), folder / name)


def outdated(folder: Path) -> list[str]:
    """Return the names of the files in the folder that are not what would be written now."""
    with tempfile.TemporaryDirectory() as fresh:
        write(Path(fresh))
        return [
            name
            for name in DATASETS
            if not (folder / name).is_file()
            or (folder / name).read_bytes() != Path(fresh, name).read_bytes()
        ]


def main() -> int:
    """Write the files, or with ``--check`` only compare them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    if parser.parse_args().check:
        for name in (names := outdated(TARGET)):
            print(f"{name} is not what the generator makes; run it without --check")
        return 1 if names else 0
    TARGET.mkdir(exist_ok=True)
    write(TARGET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
