"""The data sets that come with spancrew: what is promised of them, and that they can be remade."""

import importlib
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from spancrew.core import Dataset, Span, is_valid
from spancrew.formats import BUNDLED, read
from spancrew.formats._registry import locate
from spancrew.metrics import (
    ERROR_KINDS,
    Metric,
    agreement,
    answer_scores,
    answers_per_worker,
    error_table,
    spread,
    worker_scores,
)

GENERATOR = Path(__file__).parents[1] / "tools" / "demo"


@pytest.fixture(scope="module")
def demo() -> Dataset:
    """Return the English data set."""
    return read("demo").dataset


@pytest.fixture(scope="module")
def demo_zh() -> Dataset:
    """Return the Chinese data set."""
    return read("demo-zh").dataset


@pytest.fixture(scope="module")
def generator() -> Iterator[ModuleType]:
    """Return the generator's main module, or skip where only the package is there."""
    if not GENERATOR.is_dir():
        pytest.skip("the generator is not part of the source distribution")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(GENERATOR)
        yield importlib.import_module("make")


def _gold(dataset: Dataset) -> list[tuple[Span, ...]]:
    return [dataset.gold_spans(position) or () for position in range(len(dataset))]


def _f1(dataset: Dataset) -> dict[str, float]:
    scores = worker_scores(dataset, Metric())[:, 2].tolist()
    return dict(zip(dataset.workers, scores, strict=True))


def test_the_files_are_what_the_generator_makes(generator: ModuleType) -> None:
    """Nobody edits the data by hand, and the draws are the same on this machine."""
    outdated = generator.outdated(generator.TARGET)

    assert outdated == []


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_data_set_is_read_without_repairs(name: str) -> None:
    """The data that users see first is spotless."""
    dataset, repairs = read(name)

    assert repairs == ()
    assert dataset.has_gold.all()
    assert all(is_valid(row, dataset.labels) for row in dataset.gold)
    assert all(is_valid(row, dataset.labels) for row in dataset.answers.codes)


@pytest.mark.parametrize(("name", "limit"), [("demo", 420_000), ("demo-zh", 60_000)])
def test_a_bundled_file_is_small(name: str, limit: int) -> None:
    """The data does not weigh down the package."""
    size = locate(name).stat().st_size

    assert size <= limit


def test_the_demo_has_the_promised_shape(demo: Dataset) -> None:
    """Sentences, workers, labels and answers are as many as the documentation says."""
    answers = demo.answers

    assert len(demo) == 600
    assert len(demo.workers) == 30
    assert demo.labels.names == ("LOC", "ORG", "PER", "WORK")
    assert len(answers) == 2712
    assert (answers.per_sentence.min(), answers.per_sentence.max()) == (1, 8)


def test_work_is_spread_unevenly_as_in_real_crowds(demo: Dataset) -> None:
    """One worker does hundreds of sentences, another ten."""
    work = spread(answers_per_worker(demo))

    assert work is not None
    assert work.min == 10
    assert work.max == 392
    assert 0.85 <= work.cv <= 0.95


def test_no_sentence_of_the_demo_comes_twice(demo: Dataset) -> None:
    """Each text is unique."""
    texts = set(demo.sentences.texts)

    assert len(texts) == len(demo)


def test_sentences_are_short_and_long(demo: Dataset) -> None:
    """Headlines of three tokens stand beside sentences of more than forty."""
    lengths = demo.gold.lengths

    assert lengths.min() == 3
    assert 40 < lengths.max() <= 45


def test_sentences_begin_with_a_capital_or_with_a_name(demo: Dataset) -> None:
    """Only a lower-case brand may begin a sentence without a capital."""
    small = [k for k, text in enumerate(demo.sentences.texts) if text[0].islower()]

    assert small
    assert all(_gold(demo)[k][0].start == 0 for k in small)


def test_the_demo_has_no_slips_of_the_grammar(demo: Dataset) -> None:
    """No slot is left open, no word doubled, and the article fits the word."""
    pairs = [pair for sentence in demo.sentences for pair in pairwise(sentence.tokens)]
    doubled = [one for one, other in pairs if one == other and one.isalpha()]
    misfits = [pair for pair in pairs if pair[0] in {"a", "A"} and pair[1][0] in "aeiouAEIO"]
    odd = [text for text in demo.sentences.texts if set(text) & set("{}[]<>|#")]

    assert doubled == []
    assert misfits == []
    assert odd == []


def test_every_phenomenon_of_spans_occurs(demo: Dataset) -> None:
    """There are sentences without spans, long spans and spans that touch."""
    gold = _gold(demo)
    touching = sum(any(a.end == b.start for a, b in pairwise(spans)) for spans in gold)
    longest = max(len(span) for spans in gold for span in spans)

    assert 0.06 <= sum(not spans for spans in gold) / len(gold) <= 0.11
    assert touching >= 40
    assert longest >= 8
    assert {span.label for spans in gold for span in spans if len(span) >= 7} >= {"ORG", "WORK"}


def test_many_domains_and_hard_sentences_are_marked(demo: Dataset) -> None:
    """The provenance says what a sentence is about and whether it is hard on purpose."""
    metas = [sentence.meta for sentence in demo.sentences]
    domains = Counter(meta["domain"] for meta in metas)

    assert len(domains) >= 10
    assert 100 <= sum(meta.get("hard", False) for meta in metas) <= 250


def test_every_kind_of_error_occurs(demo: Dataset, generator: ModuleType) -> None:
    """Workers shift, expand, shrink, miss, imagine, mislabel and merge."""
    table = error_table(demo)
    counts = {kind: int(table.has(kind).sum()) for kind in ERROR_KINDS}
    survey = importlib.import_module("survey")
    gold = _gold(demo)
    merged = sum(
        survey.merges(answer.spans, gold[position])
        for position in range(len(demo))
        for answer in demo.answers_on(position)
    )

    assert min(counts.values()) >= 30
    assert merged >= 30


def test_skill_is_spread_widely(demo: Dataset) -> None:
    """The best worker is nearly an expert, the worst nearly a coin."""
    scores = np.array(list(_f1(demo).values()))

    assert 0.2 <= scores.min() <= 0.3
    assert 0.9 <= scores.max() <= 0.96
    assert np.mean((scores >= 0.5) & (scores <= 0.85)) >= 0.6


def test_answers_are_right_or_wrong_as_in_real_crowds(demo: Dataset) -> None:
    """About half of the answers are perfect and about a fifth worthless."""
    scores = answer_scores(demo, Metric())[:, 2]

    assert 0.45 <= np.mean(scores == 1) <= 0.5
    assert 0.15 <= np.mean(scores == 0) <= 0.3


def test_the_majority_is_better_than_the_mean_worker_but_not_good(
    demo: Dataset, generator: ModuleType
) -> None:
    """There is something left for experts and for better consensus methods."""
    survey = importlib.import_module("survey")
    vote = survey.majority(demo)
    wrong = np.mean(Metric().pairs(vote, demo.gold)[:, 2] < 1)
    mean_worker = np.mean(list(_f1(demo).values()))

    assert 0.25 <= wrong <= 0.35
    assert Metric().pool(vote, demo.gold).f1 > mean_worker + 0.08


def test_agreement_is_spread_from_chance_to_unanimity(demo: Dataset) -> None:
    """A threshold on kappa has something to decide."""
    kappa = agreement(demo.answers)
    known = kappa[~np.isnan(kappa)]

    assert np.mean(known == 1) >= 0.1
    assert np.mean(known < 0.2) >= 0.08


def test_the_peculiar_workers_are_peculiar(demo: Dataset) -> None:
    """One guesses in a hurry, one skips works, one takes articles along, one swaps places."""
    gold = _gold(demo)
    given = {worker: _given(demo, worker) for worker in ("rafi", "ines", "mabel", "otto")}
    works = [s for k, _ in given["ines"] for s in gold[k] if s.label == "WORK"]
    found = [s for k, spans in given["ines"] for s in spans if s in gold[k] and s.label == "WORK"]
    along = [
        s
        for k, spans in given["mabel"]
        for s in spans
        if s.start + 1 in {g.start for g in gold[k]}
        and demo.sentences[k].tokens[s.start].lower() in {"the", "a", "an"}
    ]
    swapped = [
        s
        for k, spans in given["otto"]
        for s in spans
        for g in gold[k]
        if (s.start, s.end) == (g.start, g.end) and {s.label, g.label} == {"LOC", "ORG"}
    ]

    assert min(_f1(demo), key=_f1(demo).__getitem__) == "rafi"
    assert len(found) < 0.25 * len(works)
    assert len(along) >= 20
    assert len(swapped) >= 20


def _given(dataset: Dataset, worker: str) -> list[tuple[int, tuple[Span, ...]]]:
    """Return the worker's spans with the position of each sentence."""
    return [
        (position, answer.spans)
        for position in range(len(dataset))
        for answer in dataset.answers_on(position)
        if answer.worker == worker
    ]


def test_every_answer_has_its_time_and_guessers_are_fast(demo: Dataset) -> None:
    """Seconds are there, plausible and telling."""
    seconds = demo.answers.seconds
    assert seconds is not None
    of_guesser = seconds[demo.answers.worker == demo.workers.index("rafi")]

    assert seconds.min() >= 0.7
    assert np.median(of_guesser) < 0.5 * np.median(seconds)
    assert demo.answers.at is None


def test_the_chinese_demo_has_the_promised_shape(demo_zh: Dataset) -> None:
    """Reviews in characters with opinions of 2 to 12 characters, some without."""
    gold = _gold(demo_zh)
    lengths = [len(span) for spans in gold for span in spans]

    assert len(demo_zh) == 62
    assert len(demo_zh.workers) == 8
    assert len(demo_zh.answers) == 248
    assert demo_zh.labels.names == ("NEG", "POS")
    assert all(len(token) == 1 for token in demo_zh.sentences[0].tokens)
    assert (min(lengths), max(lengths)) == (2, 12)
    assert 3 <= sum(not spans for spans in gold) <= 10


def test_marked_text_is_read_into_spans(generator: ModuleType) -> None:
    """Square brackets are gold, angle brackets a tempting reading, and both may nest."""
    markup = importlib.import_module("markup")
    text = "<PER Sir [PER Odo Lint]> left [ORG <LOC Orbel> Rope & Co], Mr. Voss's rival."
    passage = markup.parse(text, "words", "news", hard=True)

    assert " ".join(passage.tokens) == "Sir Odo Lint left Orbel Rope & Co , Mr. Voss 's rival ."
    assert passage.gold == (Span(1, 3, "PER"), Span(4, 8, "ORG"))
    assert passage.baits == (Span(0, 3, "PER"), Span(4, 5, "LOC"))


@pytest.mark.parametrize("text", ["[PER Odo", "[PER Odo>"])
def test_marks_that_do_not_fit_are_refused(generator: ModuleType, text: str) -> None:
    """A slip in the templates stops the generator."""
    markup = importlib.import_module("markup")

    with pytest.raises(ValueError, match="mark"):
        markup.parse(text, "words", "news", hard=False)


def test_a_grammar_deals_every_alternative_before_one_again(generator: ModuleType) -> None:
    """Choices do not repeat until all had their turn, and a bound name stays the same."""
    draws = importlib.import_module("draws").Draws(1)
    grammar = importlib.import_module("grammar").Grammar(
        {"town": "Orbel | Skarne | Vessby"}, draws
    )
    sentences = [grammar.expand("{t=town} is {t} {#2-2}") for _ in range(3)]

    assert sorted(sentences) == ["Orbel is Orbel 2", "Skarne is Skarne 2", "Vessby is Vessby 2"]


def test_draws_are_the_same_everywhere(generator: ModuleType) -> None:
    """These numbers must never change, on no machine and no Python."""
    draws = importlib.import_module("draws").Draws(3)

    assert draws.shuffled(range(6)) == [0, 4, 3, 5, 2, 1]
    assert draws.weighted("abc", (1, 2, 3)) == "a"
    assert draws.between(10, 99) == 11
