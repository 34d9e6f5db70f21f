"""Sheets of choices as values, drawn and by hand."""

from hypothesis import strategies as st

from spancrew.core import Answer, Dataset, LabelSet, Span
from spancrew.formats._sheets import sheet

LABELS = LabelSet(("A", "B", "tie"))
_WORDS = st.text(st.sampled_from("ab 好\n,\"'"), max_size=8).map(str.strip)


def chosen(*labels: str) -> tuple[Span, ...]:
    """Return an answer with these labels, one for each question."""
    return tuple(Span(k, k + 1, label) for k, label in enumerate(labels))


def pair(worker: str = "ana", choice: str = "A", gold: str | None = "B") -> Dataset:
    """Return one pair with one answer."""
    meta = {"prompt": "2 + 2?", "responses": ["4", "5"]}
    made = sheet("p1", "2 + 2?\n\nA:\n4\n\nB:\n5", ["preference"], meta)
    known = {"p1": chosen(gold)} if gold else {}
    return Dataset.of([made], known, [Answer("p1", worker, chosen(choice))], LABELS, "choices")


@st.composite
def sheets(draw: st.DrawFn) -> Dataset:
    """Draw sheets with any texts, one to three questions, partial gold and answers."""
    label = st.sampled_from(LABELS.names)
    sentences, gold, answers = [], {}, []
    for k in range(draw(st.integers(1, 3))):
        questions = draw(st.lists(st.sampled_from(["a", "b c", "好?"]), min_size=1, unique=True))
        sentences.append(sheet(f"s{k}", draw(_WORDS), questions, {}))
        whole = st.lists(label, min_size=len(questions), max_size=len(questions))
        if draw(st.booleans()):
            gold[f"s{k}"] = chosen(*draw(whole))
        workers = draw(st.lists(st.sampled_from(["w1", "w2", "w3"]), unique=True))
        answers += [
            Answer(f"s{k}", worker, chosen(*draw(whole)), draw(st.none() | _SECONDS))
            for worker in workers
        ]
    return Dataset.of(sentences, gold, answers, LABELS, "choices")


_SECONDS = st.integers(1, 99).map(float)
