"""Data sets with everything in them that a file could get wrong, and how to compare them."""

from hypothesis import strategies as st

from spancrew.core import (
    Answer,
    Dataset,
    DatasetBuilder,
    Final,
    FinalSpan,
    LabelSet,
    Sentence,
    Span,
)
from tests.strategies import span_sets

LABELS = LabelSet(("LOC", "PER", "a b-c"))

_TOKENS = st.text(
    st.sampled_from("ab'-好的👍🏽é\u0301\u0645\u0631\u064e\u0628\u0627\u0660"),
    min_size=1,
    max_size=4,
)
_GAPS = st.sampled_from(["", " ", " ", "  ", "\n", "\r\n", "\t", "\u3000", "\u2028", " … "])
_NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("aé\n", max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("ab"), inner, max_size=2),
    max_leaves=3,
)
_METAS = st.dictionaries(
    st.sampled_from(["id", "meta", "split", "text", "tokens", "page"]), _VALUES, max_size=2
)
_SECONDS = st.none() | st.floats(0, 1e6)
_MOMENTS = st.none() | st.floats(0, 4e9) | st.sampled_from([-1.5, 1e300])


@st.composite
def odd_sentences(draw: st.DrawFn, id_: str) -> Sentence:
    """Draw a text with tokens anywhere in it and any white space between them."""
    text = draw(_GAPS)
    bounds = []
    for token in draw(st.lists(_TOKENS, min_size=1, max_size=5)):
        bounds.append((len(text), len(text) + len(token)))
        text += token + draw(_GAPS)
    return Sentence(id_, text, tuple(bounds), draw(_METAS))


@st.composite
def full_datasets(draw: st.DrawFn) -> Dataset:
    """Draw a data set that fills every column: partial gold and final labels, times, sources."""
    builder = DatasetBuilder(LABELS)
    workers = draw(st.lists(_NAMES, unique=True, max_size=3))
    for id_ in draw(st.lists(_NAMES, min_size=1, max_size=3, unique=True)):
        sentence = draw(odd_sentences(id_))
        gold = span_sets(len(sentence), LABELS)
        builder.add_sentence(sentence, draw(st.none() | gold))
        final = draw(st.none() | finals(len(sentence)))
        if final is not None:
            builder.add_final(id_, final)
        for worker in draw(st.sets(st.sampled_from(workers)) if workers else st.just(set())):
            builder.add_answer(draw(_answers(sentence, worker)))
    for worker in workers:
        builder.add_worker(worker)
    return builder.build()


@st.composite
def finals(draw: st.DrawFn, length: int) -> Final:
    """Draw final labels for a sentence of this many tokens."""
    answers = draw(st.integers(0, 3))
    spans = tuple(
        FinalSpan(span, draw(st.floats(0, 1)), draw(st.integers(0, answers)))
        for span in draw(span_sets(length, LABELS))
    )
    by = draw(st.sampled_from(["expert", "mv", "bsc:words=false"]))
    return Final(spans, draw(st.floats(0, 1)), answers, by)


@st.composite
def _answers(draw: st.DrawFn, sentence: Sentence, worker: str) -> Answer:
    return Answer(
        sentence=sentence.id,
        worker=worker,
        spans=draw(span_sets(len(sentence), LABELS)),
        seconds=draw(_SECONDS),
        at=draw(_MOMENTS),
        source=draw(st.none() | st.sampled_from(["ses", "a model"])),
    )


def gold_of(dataset: Dataset) -> dict[str, tuple[Span, ...] | None]:
    """Return the gold of every sentence by id."""
    return {id_: dataset.gold_spans(k) for k, id_ in enumerate(dataset.sentences.ids)}


def finals_of(dataset: Dataset) -> dict[str, Final | None]:
    """Return the final labels of every sentence by id."""
    return {id_: dataset.final(k) for k, id_ in enumerate(dataset.sentences.ids)}


def answers_of(dataset: Dataset) -> dict[tuple[str, str], Answer]:
    """Return every answer by sentence and worker."""
    answers = map(dataset.answer, range(len(dataset.answers)))
    return {(answer.sentence, answer.worker): answer for answer in answers}


def spans_of(dataset: Dataset) -> dict[tuple[str, str], tuple[Span, ...]]:
    """Return the spans of every answer by sentence and worker."""
    return {key: answer.spans for key, answer in answers_of(dataset).items()}
