"""What each format can hold, found out by writing it and reading it back.

``python -m tests.formats.abilities`` prints the table for ``docs/reference/formats.md``.
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from spancrew.core import Answer, Dataset, Sentence, Span, Unit
from spancrew.formats import Format, formats, formats_for, read, write
from tests.formats.drawn import answers_of
from tests.formats.test_contract import MORE_NAMES, answers_by_position, gold_by_position

NEEDS = {
    "spacy": "spacy",
    "huggingface": "datasets",
    "xlsx": "openpyxl",
    "parquet": "pyarrow",
}
"""The package that each format needs, where it needs one."""

FINALS = {"own": "apart", "meta": "as gold, with confidence", "gold": "as gold"}
OVERLAPS = {
    "no": ("conll", "matrix", "collected", "spacy", "huggingface", "text"),
    "longest": ("oei", "crowd-dir"),
}
"""What happens to spans that overlap in a file, if they are not refused."""

COLUMNS = (
    "gold", "answers", "final labels", "text", "tokens", "ids", "meta", "details", "documents",
    "overlaps", "needs",
)  # fmt: skip

Change = Callable[[Sentence], Sentence]
Same = Callable[[Dataset, Dataset], bool]


def sample(change: Change = lambda sentence: sentence, **details: float | str) -> Dataset:
    """Return two sentences with gold and the answers of two workers, changed as asked for."""
    plain = (Sentence.from_tokens(str(k), ["Ana", "left", "Rome", "."]) for k in (1, 2))
    sentences = [change(sentence) for sentence in plain]
    gold = {s.id: [Span(0, 1, "PER")] for s in sentences}
    answers = [
        Answer(s.id, worker, (Span(k, k + 1, "LOC"), Span(0, 1, "PER")), **details)  # type: ignore[arg-type]
        for s in sentences
        for k, worker in enumerate(("ada", "bo"), start=1)
    ]
    return Dataset.of(sentences, gold, answers)


PROBES: dict[str, tuple[Dataset, Same]] = {
    "gold": (sample(), lambda a, b: gold_by_position(a) == gold_by_position(b)),
    "answers": (sample(), lambda a, b: answers_by_position(a) == answers_by_position(b)),
    "text": (
        sample(lambda s: Sentence.from_text(s.id, "Ana left (for Rome).")),
        lambda a, b: a.sentences.texts == b.sentences.texts,
    ),
    "tokens": (
        sample(lambda s: Sentence(s.id, "Ana can't", ((0, 3), (4, 6), (6, 9)))),
        lambda a, b: [s.tokens for s in a.sentences] == [s.tokens for s in b.sentences],
    ),
    "ids": (
        sample(lambda s: replace(s, id=f"page {s.id}")),
        lambda a, b: a.sentences.ids == b.sentences.ids,
    ),
    "meta": (
        sample(lambda s: replace(s, meta={"page": 3})),
        lambda a, b: a.sentences.metas == b.sentences.metas,
    ),
    "details": (
        sample(seconds=5.0, at=1e9, source="web"),
        lambda a, b: answers_of(a) == answers_of(b),
    ),
}


def keeps(name: str, ability: str) -> bool:
    """Tell whether something comes back from a file of a format, under any of its names."""
    dataset, is_same = PROBES[ability]
    with tempfile.TemporaryDirectory() as folder:
        for suffix in MORE_NAMES.get(name, formats()[name].suffixes) or ("",):
            path = Path(folder) / f"data{suffix}"
            write(dataset, path, name)
            unit: Unit | None = "words" if ability in {"gold", "answers"} else None
            if is_same(read(path, name, unit=unit).dataset, dataset):
                return True
    return False


def row(name: str, format_: Format) -> str:
    """Return the line of a format in the table."""
    found = {ability: "yes" if keeps(name, ability) else "" for ability in PROBES}
    overlaps = next((word for word, names in OVERLAPS.items() if name in names), "refused")
    follows: frozenset[str] = getattr(format_, "follows", frozenset())
    found |= {
        "final labels": FINALS[getattr(format_, "finals", "gold")] if name != "text" else "",
        "documents": "cut" if "split" in follows else "",
        "overlaps": "" if overlaps == "no" else overlaps,
        "needs": f"`{NEEDS[name]}`" if name in NEEDS else "",
    }
    cells = [f"[`{name}`](#{name})", *(found[column] for column in COLUMNS)]
    return "|" + "|".join(f" {cell} ".replace("  ", " ") for cell in cells) + "|"


def table() -> Iterator[str]:
    """Yield the lines of the table; formats stand as in the page."""
    yield "| format | " + " | ".join(COLUMNS) + " |"
    yield "|" + " --- |" * (len(COLUMNS) + 1)
    page = Path("docs/reference/formats.md").read_text("utf-8")
    for name, format_ in sorted(
        formats_for("spans").items(), key=lambda each: page.find(f"\n## `{each[0]}`")
    ):
        yield row(name, format_)


if __name__ == "__main__":
    print("\n".join(table()))  # noqa: T201  that is what it is for
