"""What every model that answers sentences keeps to."""
# ruff: noqa: S101  asserts are what a contract is made of

from collections.abc import Sequence

from spancrew.core import Dataset, LabelSet, Sentence, is_model, refuse_incomplete
from spancrew.members import Member, annotate, checked

_TEXTS = (
    "Ana Lima left Rome for Porto.",
    "x",
    "Rome, Rome and Rome again!",
    "北京 是 首都",
    "naïve café 😀 'quoted' \\ \"twice\"",
    "word " * 200,
)


class MemberContract:
    """Tests for pytest: inherit, and set ``member`` to a new one before each.

    It is asked for ``labels``; set them to those that it knows.
    """

    member: Member
    labels: Sequence[str] = ("LOC", "PER")

    @property
    def sentences(self) -> list[Sentence]:
        """Return sentences of all sorts: short, long, of other scripts, with words that repeat."""
        return [Sentence.from_text(f"s{k}", text) for k, text in enumerate(_TEXTS)]

    def test_it_says_who_it_is(self) -> None:
        """With a name, a version, a price and how much it can be asked at once."""
        refuse_incomplete(self.member, Member)

        assert self.member.name.strip() == self.member.name != ""
        assert not is_model(self.member.name)
        assert isinstance(self.member.version, str)
        assert self.member.price >= 0
        assert self.member.at_once >= 1
        assert self.member.in_parallel >= 1

    def test_every_sentence_gets_a_reply(self) -> None:
        """In batches of any size that it takes."""
        sentences = self.sentences
        size = min(self.member.at_once, len(sentences))
        for k in range(0, len(sentences), size):
            batch = sentences[k : k + size]

            assert len(self.member.answer(batch, self.labels)) == len(batch)

    def test_its_spans_fit_the_sentence(self) -> None:
        """At most labels that nobody asked for are left out."""
        for sentence in self.sentences:
            (reply,) = self.member.answer([sentence], self.labels)
            found = checked(reply, sentence, self.labels)

            assert set(found.faults) <= {"label"}

    def test_the_order_of_sentences_does_not_matter(self) -> None:
        """A sentence gets the same answer alone, and among others."""
        sentences = self.sentences[: self.member.at_once]
        alone = [self.member.answer([each], self.labels)[0].spans for each in sentences]
        turned = self.member.answer(sentences[::-1], self.labels)

        assert [reply.spans for reply in turned][::-1] == alone

    def test_it_answers_a_data_set(self) -> None:
        """As a worker whose name says that it is a model."""
        dataset = Dataset.of(self.sentences, labels=LabelSet(tuple(self.labels)))
        found = annotate(dataset, self.member)

        assert found.stopped is None
        assert is_model(found.worker)
        assert found.answered + found.unusable == len(dataset)
        assert len(found.dataset.answers) == found.answered
