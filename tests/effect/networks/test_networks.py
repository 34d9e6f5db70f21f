"""What telling workers apart changes, and what it must not change."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks need the extra 'models'")

from spancrew.core import Ragged, offsets_of  # noqa: E402  after the look for torch
from spancrew.effect import NOBODY, Arm  # noqa: E402
from spancrew.effect._networks._encoder import SHAPE  # noqa: E402
from spancrew.effect._networks._network import Network, NetworkTrainer  # noqa: E402
from spancrew.effect._networks._pages import Pages  # noqa: E402
from spancrew.effect._networks._reading import WIDTH as WIDTH_KEPT  # noqa: E402
from spancrew.effect._networks._reading import ReadTexts, narrowed  # noqa: E402
from spancrew.effect._networks._taggers import tagger_of  # noqa: E402
from spancrew.effect._networks._top import WordsAsTheyAre  # noqa: E402
from spancrew.effect._networks._training import TrainingExamples  # noqa: E402

WIDTH, WORDS, CODES, TOKENS = 12, 10, 5, 4
NOTHING = WORDS


def pages(sentences: int, seed: int) -> tuple[Pages, np.ndarray]:
    """Return sentences of four tokens, two of them names, with the codes of gold.

    Names 0 to 4 have the first label, 5 to 9 the second; a word's vector says which it is.
    """
    rng = np.random.default_rng(seed)
    names = rng.integers(0, WORDS, (sentences, 2))
    words = np.full((sentences, TOKENS), NOTHING)
    words[:, [0, 2]] = names
    vectors = np.eye(WORDS + 1, WIDTH)[words.ravel()]
    codes = np.zeros((sentences, TOKENS), np.int64)
    codes[:, [0, 2]] = np.where(names < WORDS // 2, 1, 3)
    offsets = offsets_of(np.full(sentences, TOKENS))
    return Pages(vectors.astype(np.float16), offsets), codes


def arm_of(codes: np.ndarray, worker: np.ndarray) -> Arm:
    """Return one example for each sentence."""
    count = len(codes)
    rows = Ragged(codes.ravel(), offsets_of(np.full(count, TOKENS)))
    return Arm("test", np.arange(count), worker, rows, np.ones(count), count, 0)


def trainer(network: Network, train: Pages, test: Pages) -> NetworkTrainer:
    """Return a network that reads vectors as they are."""
    return NetworkTrainer(network, ReadTexts(train, test, WordsAsTheyAre, WIDTH), CODES)


def accuracy(kind: str, arm: Arm, train: Pages, epochs: int = 30) -> float:
    """Return the share of names in new sentences that get the right label."""
    test, gold = pages(60, 9)
    network = Network(kind, epochs=epochs, patience=epochs)
    found = trainer(network, train, test).trained(arm, 3)
    is_name = gold.ravel() > 0
    return float((found.codes.values[is_name] == gold.ravel()[is_name]).mean())


def test_an_adapter_changes_nothing_at_first() -> None:
    """Its way back up begins with zeros."""
    train, _ = pages(6, 1)
    vectors, mask = train.batch(np.arange(6))
    torch.manual_seed(1)
    plain = tagger_of("bilstm-crf", WIDTH, CODES, 3).eval()
    torch.manual_seed(1)
    adapter = tagger_of("adapter", WIDTH, CODES, 3).eval()

    for worker in (torch.full((6,), NOBODY), torch.arange(6) % 3):
        torch.testing.assert_close(
            adapter.scores(vectors, mask, worker), plain.scores(vectors, mask, worker)
        )


def test_crowd_cat_with_one_worker_is_the_plain_network() -> None:
    """To the last code, after training."""
    train, codes = pages(60, 2)
    test, _ = pages(40, 3)
    arm = arm_of(codes, np.full(60, 7))
    made = [
        trainer(Network(kind, epochs=3), train, test).trained(arm, 5)
        for kind in ("bilstm-crf", "crowd-cat")
    ]

    assert made[0].epochs == made[1].epochs
    np.testing.assert_array_equal(made[0].codes.values, made[1].codes.values)


def test_training_twice_with_a_seed_gives_the_same() -> None:
    """So a cell that was killed comes out as it would have."""
    train, codes = pages(60, 2)
    arm = arm_of(codes, np.arange(60) % 4)
    made = [trainer(Network("adapter", epochs=2), train, train).trained(arm, 5) for _ in range(2)]

    np.testing.assert_array_equal(made[0].codes.values, made[1].codes.values)


def test_workers_are_numbered_as_they_occur() -> None:
    """Nobody stays nobody."""
    _, codes = pages(4, 1)
    lessons, workers = TrainingExamples.of(arm_of(codes, np.array([9, NOBODY, 4, 9])))

    assert workers == 2
    assert lessons.worker.tolist() == [1, NOBODY, 0, 1]


def test_labels_do_not_say_what_the_zeros_of_crowd_cat_stand_for() -> None:
    """Whoever is made the zero, all workers give as likely labels; the reader then is that one."""
    train, _ = pages(6, 1)
    vectors, mask = train.batch(np.arange(6))
    torch.manual_seed(1)
    model = tagger_of("crowd-cat", WIDTH, CODES, 3).eval()
    torch.nn.init.normal_(model.known)
    workers, nobody = torch.arange(6) % 3, torch.full((6,), NOBODY)
    with torch.no_grad():
        before = model.scores(vectors, mask, workers)
        first = model.scores(vectors, mask, torch.zeros(6, dtype=torch.int64))
        model.mixed.bias += model.mixed_worker(model.known[0])
        model.known -= model.known[0].clone()
        after, read = (model.scores(vectors, mask, each) for each in (workers, nobody))

    torch.testing.assert_close(after, before)
    torch.testing.assert_close(read, first)


def test_narrow_vectors_keep_what_differs_and_how_words_are_written() -> None:
    """Distances between words stay where they fit; the test has no say."""
    rng = np.random.default_rng(1)
    said = rng.normal(size=(400, 20)) @ rng.normal(size=(20, 300))
    train = np.hstack([said, rng.integers(0, 2, (400, SHAPE))]).astype(np.float16)
    narrow, test = narrowed(train, train[:9])
    _, other = narrowed(train, train[:3])

    assert narrow.shape == (400, WIDTH_KEPT + SHAPE)
    np.testing.assert_array_equal(narrow[:, -SHAPE:], train[:, -SHAPE:])
    np.testing.assert_allclose(test[:3], other, atol=1e-3)
    ratio = _distances(narrow[:40, :-SHAPE]) / _distances(train[:40, :-SHAPE])
    np.testing.assert_allclose(ratio, ratio[0], rtol=0.02)


def _distances(vectors: np.ndarray) -> np.ndarray:
    wide = vectors.astype(np.float64)
    return np.linalg.norm(wide[:-1] - wide[1:], axis=1)


@pytest.mark.slow
def test_a_worker_who_flips_two_labels_is_seen_through_by_adapters() -> None:
    """The one who flips gives most answers, so the plain network learns the flipped labels.

    LSTM-Crowd-cat learns them, too: it adds the same to every word, which swaps no labels.
    """
    train, codes = pages(400, 4)
    rng = np.random.default_rng(1)
    worker = rng.choice(5, 400, p=[0.52, 0.12, 0.12, 0.12, 0.12])
    flipped = np.where(codes > 0, 4 - codes, 0)
    said = np.where((worker == 0)[:, None], flipped, codes)
    arm = arm_of(said, worker)

    assert accuracy("bilstm-crf", arm, train) < 0.6
    assert accuracy("adapter", arm, train) > 0.9
    assert accuracy("crowd-cat", arm, train) < 0.6
