"""Every consensus method keeps to the contract."""

import pickle

from spancrew.consensus import (
    Auto,
    Bsc,
    DawidSkene,
    MajorityVote,
    SpanDs,
    SpanVote,
    Tagger,
    TwoCoin,
    WithMembers,
    consensus_method,
    consensus_name,
)
from spancrew.testing._consensus import ConsensusContract


class TestMajorityVote(ConsensusContract):
    """Token by token."""

    method = MajorityVote()


class TestSpanVote(ConsensusContract):
    """Whole spans."""

    method = SpanVote()


class TestDawidSkene(ConsensusContract):
    """A matrix for every worker."""

    method = DawidSkene()


class TestTwoCoin(ConsensusContract):
    """A coin for every worker and true code."""

    method = TwoCoin()


class TestSpanDs(ConsensusContract):
    """Two coins for every worker and label."""

    method = SpanDs()


class TestBsc(ConsensusContract):
    """A chain of tokens, and workers who look back."""

    method = Bsc()


class TestBscWithoutWords(ConsensusContract):
    """Answers alone."""

    method = Bsc(words=False)


class TestAuto(ConsensusContract):
    """Votes and the chain together."""

    method = Auto()
    calibrates = True


class TestAutoWithTagger(ConsensusContract):
    """A tagger beside the people."""

    method = WithMembers(Auto(), (Tagger(rounds=1),))
    calibrates = True

    def test_it_is_the_same_again_from_a_copy_and_from_its_name(self) -> None:
        """Its name is that of the method and those of its members."""
        name = consensus_name(self.method)

        assert name == "auto+tagger:rounds=1"
        assert consensus_method(name) == self.method
        copy = pickle.loads(pickle.dumps(self.method))  # noqa: S301  our own bytes
        assert copy == self.method
