"""Every consensus method keeps to the contract."""

from spancrew.consensus import Auto, Bsc, DawidSkene, MajorityVote, SpanDs, SpanVote, TwoCoin
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
