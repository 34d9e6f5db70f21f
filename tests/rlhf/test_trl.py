"""TRL's trainer asks a live campaign; needs trl, which `make test-models` installs."""

from pathlib import Path
from typing import Any

import pytest

from spancrew.client import Client
from spancrew.rlhf import CrewJudge
from tests.rlhf.people import at_work
from tests.rlhf.test_judge import longer, opened

pytest.importorskip("trl", reason="trl is not installed (make test-models)")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

WORDS = [*"abcdefghij", "[PAD]", "[EOS]", "[UNK]"]


def tiny_model() -> tuple[Any, Any]:
    """Return a model of a few thousand numbers, and a tokeniser of ten words."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({w: k for k, w in enumerate(WORDS)}, unk_token=WORDS[-1]))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokeniser = PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token=WORDS[-3], eos_token=WORDS[-2], unk_token=WORDS[-1]
    )
    ends = {"bos_token_id": 11, "eos_token_id": 11, "pad_token_id": 10}
    config = GPT2Config(vocab_size=13, n_positions=64, n_embd=16, n_layer=1, n_head=2, **ends)
    return GPT2LMHeadModel(config), tokeniser


def test_a_trainer_asks_the_crowd(admin: Client, tmp_path: Path) -> None:
    """Every pair of completions becomes a sentence of the campaign, and the model learns."""
    from datasets import Dataset
    from transformers import set_seed
    from trl.experimental.online_dpo import OnlineDPOConfig, OnlineDPOTrainer

    set_seed(0)
    campaign = opened(admin, tmp_path)
    model, tokeniser = tiny_model()
    before = {name: each.detach().clone() for name, each in model.named_parameters()}
    prompts = Dataset.from_dict({"prompt": ["a b", "c d", "e f", "g h"]})
    options = OnlineDPOConfig(
        output_dir=str(tmp_path / "out"), per_device_train_batch_size=2, max_steps=2,
        max_new_tokens=8, report_to=[], use_cpu=True, learning_rate=1e-2, bf16=False,
        gradient_checkpointing=False,
    )  # fmt: skip
    with at_work(campaign, 2, longer):
        judge = CrewJudge(campaign, questions=["q0"], every=0.1, seconds=300)
        trainer = OnlineDPOTrainer(
            model=model, reward_funcs=judge, args=options, train_dataset=prompts,
            processing_class=tokeniser,
        )  # fmt: skip
        trainer.train()
    status = campaign.status()

    assert 2 <= status.sentences <= 5
    assert status.settled == status.sentences
    assert any((each != before[name]).any() for name, each in model.named_parameters())
    assert all(each.undecided in {"", "tie"} for each in judge.last)
