"""Parts of a data set: everything once, no document in two of them, the same by the same seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Dataset, Sentence, parts_of
from spancrew.errors import SpancrewError

SHARES = {"train": 0.7, "dev": 0.2, "test": 0.1}


@st.composite
def documents(draw: st.DrawFn) -> Dataset:
    """Draw sentences in documents; some have none, and some have the text of another."""
    count = draw(st.integers(3, 40))
    made = []
    for k in range(count):
        document = draw(st.none() | st.integers(0, 12))
        text = f"text {draw(st.integers(0, 60))}"
        meta = {} if document is None else {"document": document}
        made.append(Sentence.from_text(f"s{k}", text, meta=meta))
    return Dataset.of(made)


def groups(dataset: Dataset) -> set[tuple[str, str]]:
    """Return what sentences may have in common with others."""
    known = dataset.sentences.metas.values()
    texts = {("text", text) for text in dataset.sentences.texts}
    return texts | {("document", str(meta["document"])) for meta in known}


@given(documents(), st.integers(0, 5))
def test_parts_hold_everything_once_and_have_nothing_in_common(data: Dataset, seed: int) -> None:
    """Neither a document nor a text; sentences stay in order, and no part is empty."""
    try:
        parts = parts_of(data, SHARES, seed)
    except SpancrewError as error:
        assert "parts cannot be made" in str(error)  # noqa: PT017  some have too few documents
        return
    ids = [id_ for part in parts.values() for id_ in part.sentences.ids]
    found = [groups(part) for part in parts.values()]

    assert sorted(ids) == sorted(data.sentences.ids)
    assert sum(map(len, found)) == len(set[tuple[str, str]]().union(*found))
    assert all(len(part) for part in parts.values())
    order = {id_: k for k, id_ in enumerate(data.sentences.ids)}
    for part in parts.values():
        places = [order[id_] for id_ in part.sentences.ids]
        assert places == sorted(places)


def sentences(count: int, size: int = 1, field: str = "document") -> Dataset:
    """Return sentences in documents of one size."""
    return Dataset.of(
        Sentence.from_text(f"s{k}", f"text {k}", meta={field: k // size}) for k in range(count)
    )


def test_the_same_seed_gives_the_same_parts_and_another_gives_others() -> None:
    """Whatever was drawn before."""
    data = sentences(100)
    first, again, other = (parts_of(data, SHARES, seed)["dev"].sentences.ids for seed in (1, 1, 2))

    assert first == again
    assert first != other


@pytest.mark.parametrize("size", [1, 3, 10])
def test_shares_are_met_to_a_document(size: int) -> None:
    """Of 300 sentences."""
    parts = parts_of(sentences(300, size), SHARES)

    for name, share in SHARES.items():
        assert abs(len(parts[name]) - share * 300) <= size


def test_large_documents_may_go_anywhere() -> None:
    """They are drawn like any other, else test parts would have short ones only."""
    sizes = [20] * 5 + [1] * 100
    made = [
        Sentence.from_text(f"{d}-{k}", f"text {d} {k}", meta={"document": d})
        for d, size in enumerate(sizes)
        for k in range(size)
    ]
    halves = {"one": 0.5, "other": 0.5}
    with_large = [
        len({meta["document"] for meta in part.sentences.metas.values()} & set(range(5)))
        for seed in range(10)
        for part in [parts_of(Dataset.of(made), halves, seed)["other"]]
    ]

    assert len(set(with_large)) > 1
    assert 0 < np.mean(with_large) < 5


def test_another_field_may_name_the_document() -> None:
    """If there is one of that name."""
    data = sentences(40, 10, field="source")
    parts = parts_of(data, {"train": 0.75, "dev": 0.25}, document="source")
    kinds = [{meta["source"] for meta in p.sentences.metas.values()} for p in parts.values()]

    assert [len(each) for each in kinds] == [3, 1]
    with pytest.raises(SpancrewError, match="no sentence has 'page' in its meta"):
        parts_of(data, {"train": 0.75, "dev": 0.25}, document="page")


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({}, "parts need a share above 0 each"),
        ({"train": 1.0, "dev": 0.0}, "parts need a share above 0 each"),
        ({"train": float("nan")}, "parts need a share above 0 each"),
        ({"train": 0.8, "dev": 0.1}, "come to 0.9; they must come to 1"),
        ({"a": 0.5, "b": 0.3, "c": 0.2}, "3 parts cannot be made of 2 documents"),
    ],
)
def test_parts_that_cannot_be_are_refused(shares: dict[str, float], message: str) -> None:
    """With the reason."""
    with pytest.raises(SpancrewError, match=message):
        parts_of(sentences(20, 10), shares)
