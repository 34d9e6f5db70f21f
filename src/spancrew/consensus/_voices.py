"""What models that are heard say beside the people."""

from typing import NamedTuple

import numpy as np

from spancrew.core import Answers, BoolArray, IntArray, Ragged, offsets_of
from spancrew.tagger import CrossFitted


def side_by_side(answers: Answers, more: Answers) -> Answers:
    """Return answers on the same sentences with more answers on them, which come after."""
    sentence = np.concatenate([answers.sentence, more.sentence])
    order = np.argsort(sentence, kind="stable")
    return Answers(
        sentence[order],
        np.concatenate([answers.worker, more.worker])[order],
        Ragged.joined([answers.codes, more.codes]).take(order),
        answers.sentences,
    )


class Voice(NamedTuple):
    """A model that is heard: one of the workers by its number, or a tagger.

    It is silent where one of the people whom it copies has answered.
    """

    worker: int | None
    tagger: CrossFitted | None
    copied: IntArray


class _Said(NamedTuple):
    sentence: IntArray
    codes: Ragged


def with_voices(
    people: Answers,
    answers: Answers,
    voices: tuple[Voice, ...],
    words: Ragged | None,
    *,
    alone: bool = False,
) -> Answers:
    """Return the people's answers with those of the voices, who come first among the workers.

    ``answers`` are those of all workers. Where no person has answered, nobody is heard, unless
    voices are heard ``alone``.
    """
    said = [_said(voice, people, answers, words, alone=alone) for voice in voices]
    dtype = people.codes.values.dtype
    sentence = np.concatenate([people.sentence, *(each.sentence for each in said)])
    voice = [np.full(len(each.sentence), k) for k, each in enumerate(said)]
    worker = np.concatenate([people.worker + len(said), *voice])
    values = [people.codes.values, *(each.codes.values.astype(dtype) for each in said)]
    lengths = [people.codes.lengths, *(each.codes.lengths for each in said)]
    codes = Ragged(np.concatenate(values), offsets_of(np.concatenate(lengths)))
    order = np.argsort(sentence, kind="stable")
    return Answers(
        sentence[order].astype(people.sentence.dtype),
        worker[order].astype(people.worker.dtype),
        codes.take(order),
        people.sentences,
    )


def are_spoken_of(answers: Answers, voices: tuple[Voice, ...], words: Ragged | None) -> BoolArray:
    """Tell which sentences a voice says something of, if people say nothing."""
    spoken = np.zeros(answers.sentences, bool)
    for voice in voices:
        if voice.tagger is not None:
            spoken |= words is not None
        else:
            spoken[answers.sentence[answers.worker == voice.worker]] = True
    return spoken


def _said(
    voice: Voice, people: Answers, answers: Answers, words: Ragged | None, *, alone: bool
) -> _Said:
    """Return what a voice says on the sentences where it is heard."""
    is_heard = (people.per_sentence > 0) | alone
    is_heard[people.sentence[np.isin(people.worker, voice.copied)]] = False
    if voice.tagger is not None and words is not None:
        sentence = np.flatnonzero(is_heard)
        return _Said(sentence, voice.tagger.tag(words.take(sentence)))
    rows = np.flatnonzero((answers.worker == voice.worker) & is_heard[answers.sentence])
    return _Said(answers.sentence[rows].astype(np.int64), answers.codes.take(rows))
