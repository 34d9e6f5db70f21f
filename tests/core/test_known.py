"""Experts' labels of a campaign count as gold."""

from spancrew.core import (
    Dataset,
    DatasetBuilder,
    Final,
    FinalSpan,
    Sentence,
    Span,
    with_known_labels,
)

SPAN = Span(0, 1, "PER")


def export(*by: str, gold: int | None = None) -> Dataset:
    """Return sentences on which these have decided; one may have gold."""
    builder = DatasetBuilder()
    for k, who in enumerate(by):
        sentence = Sentence.from_tokens(f"s{k}", ["Ana", "left"])
        builder.add_sentence(sentence, [Span(1, 2, "PER")] if k == gold else None)
        if who:
            builder.add_final(sentence.id, Final((FinalSpan(SPAN, 1.0),), 1.0, 0, who))
    return builder.build()


def test_labels_of_experts_and_audits_are_known_and_those_of_the_crowd_are_not() -> None:
    """Neither is what nobody has decided on; gold stays as it is."""
    found = with_known_labels(export("expert", "mv", "audit", "", "expert", gold=4))
    spans = [found.dataset.gold_spans(k) for k in range(5)]

    assert spans == [(SPAN,), None, (SPAN,), None, (Span(1, 2, "PER"),)]
    assert (found.asked, found.audited) == (1, 1)


def test_a_note_says_that_experts_see_what_is_hard() -> None:
    """Audits are the exception, and without experts there is nothing to say."""
    asked, audited, none = (
        with_known_labels(export(*by)).note
        for by in (("expert", "mv", "audit"), ("audit", "mv"), ("mv", ""))
    )

    assert asked is not None
    assert "no random sample" in asked
    assert "1 others are audits" in asked
    assert audited is not None
    assert "drawn at random" in audited
    assert "no random sample" not in audited
    assert none is None
