"""The last layers of an encoder: at first as they were, and then they learn."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks need the extra 'models'")
transformers = pytest.importorskip("transformers", reason="so do encoders")

from spancrew.core import Dataset  # noqa: E402  after the look for torch
from spancrew.effect import NOBODY, Arm  # noqa: E402
from spancrew.effect._base import Texts  # noqa: E402
from spancrew.effect._networks._encoder import SHAPE, Encoder  # noqa: E402
from spancrew.effect._networks._network import Network  # noqa: E402
from spancrew.effect._networks._reading import directions_of, tuned_reading  # noqa: E402
from spancrew.effect._networks._taggers import tagger_of  # noqa: E402
from spancrew.effect._networks._top import joined_to_words, upper_part  # noqa: E402
from spancrew.errors import SpancrewError  # noqa: E402
from spancrew.formats import read  # noqa: E402

LAYERS, SIZE = 3, 16


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a small encoder that knows every letter, and nothing else."""
    folder = tmp_path_factory.mktemp("encoder")
    letters = [chr(code) for code in range(33, 127)]
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*marks, *letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=SIZE, num_hidden_layers=LAYERS, num_attention_heads=2,
        intermediate_size=32,
    )  # fmt: skip
    torch.manual_seed(3)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def texts() -> Texts:
    """Return some sentences of English names to train on, and others to test on."""
    demo = read("demo").dataset
    plain = [k for k, each in enumerate(demo.sentences) if all(map(str.isascii, each.tokens))]
    return Texts(demo.take(np.array(plain[:40])), demo.take(np.array(plain[40:60])))


def arm_of(dataset: Dataset) -> Arm:
    """Return gold as examples."""
    count = len(dataset)
    nobody = np.full(count, NOBODY)
    return Arm("gold", np.arange(count), nobody, dataset.gold, np.ones(count), 0, count)


@pytest.mark.parametrize("layers", [1, 2, LAYERS])
def test_layers_that_have_not_learned_say_what_frozen_ones_say(
    encoder: str, texts: Texts, layers: int
) -> None:
    """Word by word, narrowed alike, in batches of any sentences."""
    reading = tuned_reading(texts, encoder, layers, None)
    frozen = Encoder(encoder).vectors(texts.test)
    mean, turn = directions_of(Encoder(encoder).vectors(texts.train))
    front = reading.front().eval()
    order = np.random.default_rng(1).permutation(len(texts.test))
    for rows in np.array_split(order, 3):
        given = reading.test.batch(rows)
        with torch.no_grad():
            said = front(given)[given.mask].numpy()
        expected = np.concatenate(
            [frozen[slice(*texts.test.sentences.starts.offsets[[row, row + 1]])] for row in rows]
        )

        np.testing.assert_allclose(
            said[:, :-SHAPE], (expected[:, :-SHAPE].astype(np.float32) - mean) @ turn, atol=0.03
        )
        np.testing.assert_array_equal(said[:, -SHAPE:], expected[:, -SHAPE:])


def test_all_of_the_last_layers_learn(encoder: str, texts: Texts) -> None:
    """Every weight of theirs has a slope; the tagger above learns as it does without them."""
    trainer = Network("bilstm-crf", encoder, tuned_layers=2).trainer(texts)
    tagger = tagger_of("bilstm-crf", trainer.texts.width, trainer.codes, 0)
    tagger.front = front = trainer.texts.front()
    given = trainer.texts.train.batch(np.arange(8))
    codes = torch.zeros(given.mask.shape, dtype=torch.int64)
    tagger.loss(given, torch.full((8,), NOBODY), codes).sum().backward()

    assert len(front.model.encoder.layer) == 2
    assert all(bool(each.grad.any()) for each in front.model.encoder.parameters())
    assert bool(tagger.lstm.weight_ih_l0.grad.any())


def test_what_was_kept_gives_the_same_labels_again(
    encoder: str, texts: Texts, tmp_path: Path
) -> None:
    """The encoder is asked once."""
    network = Network("bilstm-crf", encoder, epochs=2, tuned_layers=1)
    found = [network.trainer(texts, tmp_path).trained(arm_of(texts.train), 5) for _ in range(2)]

    np.testing.assert_array_equal(found[0].codes.values, found[1].codes.values)
    assert len(list(tmp_path.glob("vectors-*.npz"))) == 1


def test_a_word_is_the_mean_of_its_pieces() -> None:
    """Pieces of no word count for none, and a word without pieces is zeros."""
    pieces = torch.tensor([[[9.0], [1.0], [3.0], [5.0], [9.0]]])
    word = torch.tensor([[-1, 0, 0, 2, -1]])

    assert joined_to_words(pieces, word, 3).tolist() == [[[2.0], [0.0], [5.0]]]


def test_layers_that_are_not_there_are_refused(encoder: str, texts: Texts) -> None:
    """Also in a model that is built otherwise."""
    with pytest.raises(SpancrewError, match=f"tuned layers 4: this encoder has {LAYERS} layers"):
        Network("bilstm-crf", encoder, tuned_layers=4).trainer(texts)
    with pytest.raises(SpancrewError, match="cannot be told apart"):
        upper_part(torch.nn.Linear(2, 2), 1)
