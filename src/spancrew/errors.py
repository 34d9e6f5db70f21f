"""SpancrewError and its children: each has one cause and says what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class SpancrewError(Exception):
    """Any error that spancrew raises on purpose; the command line turns it into exit code 2."""


class WrongTypeError(SpancrewError, TypeError):
    """Something of another kind than a call can use, such as a list where a path is needed."""


class InvalidSpanError(SpancrewError, ValueError):
    """A span that is empty, negative, outside its sentence, or overlaps another one."""


class InvalidSentenceError(SpancrewError, ValueError):
    """A sentence without tokens, or with token borders that do not fit its text."""


class InvalidTagError(SpancrewError, ValueError):
    """A tag that is not O and has no position prefix with a label."""


class InvalidFinalError(SpancrewError, ValueError):
    """Final labels whose confidence is no probability, or with more votes than answers."""


class InvalidArrayError(SpancrewError, ValueError):
    """Arrays that do not fit together: offsets out of order, lengths of other sentences."""


class UnknownLabelError(SpancrewError, ValueError):
    """A label that is not in the label set."""


class UnknownSentenceError(SpancrewError, KeyError):
    """A sentence id that the data set does not have."""

    def __str__(self) -> str:
        """Return the message as written; KeyError alone would quote it."""
        return str(self.args[0])


class DuplicateError(SpancrewError, ValueError):
    """The same sentence twice, or two answers of one worker on one sentence."""


class KindError(SpancrewError, ValueError):
    """Choices where only spans will do, or spans where only choices will."""


class NoAnswerError(SpancrewError, LookupError):
    """A crowd was asked for an answer that it cannot give."""


class MissingPackageError(SpancrewError, ImportError):
    """A format or command needs an optional package that is not installed."""


class SecondFactorError(SpancrewError):
    """A sign-in for which a password is not enough: the code is missing, wrong or used."""


class PlanError(SpancrewError, ValueError):
    """A plan that no campaign can follow."""


class CampaignError(SpancrewError):
    """Something that the campaign does not allow now, such as work while it is paused."""


class UnknownWorkerError(CampaignError, LookupError):
    """A worker or an assignment that a campaign does not have, or anything else on a server."""


class AnswerRefusedError(CampaignError, ValueError):
    """An answer that does not fit its sentence, its labels or its assignment."""


class ConflictError(CampaignError):
    """What was asked for is done already, in another way: a second, different answer, say."""


class JournalError(SpancrewError):
    """A journal or a snapshot that cannot be read."""


class VersionError(SpancrewError):
    """Somebody else has written to the journal in the meantime: read on, and try again."""


class StoreError(SpancrewError):
    """A store that cannot be opened, read or written now."""


class UnknownCampaignError(SpancrewError, LookupError):
    """A campaign that the store does not have."""


class PlatformError(SpancrewError):
    """A crowd platform that cannot be reached, or refuses a request: nothing was done by it."""


class ToolError(SpancrewError):
    """A labelling tool that cannot be reached, or refuses a request."""


class PaymentRefusedError(PlatformError):
    """A payment that the platform does not make, while it may make others."""


class UncertainPaymentError(SpancrewError):
    """A payment that was sent, and nobody knows whether it was made."""


class MemberError(SpancrewError):
    """A model that cannot be asked, refuses, or does not answer in time."""


class MoneyError(MemberError):
    """A request that might cost more than may still be spent."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in an input something was found; line numbers start at 1."""

    path: str
    line: int | None = None

    def __str__(self) -> str:
        """Return ``path`` or ``path, line 7``."""
        return self.path if self.line is None else f"{self.path}, line {self.line}"


REMEDIES = {
    "text_column": "name it in columns, under 'text'",
    "columns": "say in columns which column is which",
    "format": "name the format, one of {value}",
    "to": "name the format, one of {value}",
    "overlaps": "choose which to keep: overlaps 'first' or 'longest'",
    "labels": "correct it, or declare all labels: {value}",
    "label_names": "or name the labels in the order of their numbers (labels)",
    "split": "cut the text into longer ones: split {value!r}",
    "discontinuous": "make each of them a span (discontinuous 'split'), or fill the gaps "
    "(discontinuous 'whole')",
    "skip_unequal": "or leave out what differs (skip_unequal)",
    "layer": "choose the layer with the labels in columns, such as {{'layer': {value!r}}}",
    "feature": "choose the one with the label in columns, such as {{'label': {value!r}}}",
    "unused": "leave {value} out",
}
"""What would help with a file, in terms of ``spancrew.read``; a front end has its own words."""


class Remedy(NamedTuple):
    """What would help with a file: a name in ``REMEDIES``, and what to say there if known."""

    option: str
    value: str = ""

    def worded(self, words: Mapping[str, str]) -> str:
        """Return it in the words of a front end."""
        return words[self.option].format(value=self.value)


class FormatError(SpancrewError, ValueError):
    """A file or folder that cannot be read or written as asked: the place and the problem.

    The ``remedy`` is apart from the problem, as the command line, Python and the pages have other
    words for it.
    """

    def __init__(self, place: Place, problem: str, remedy: Remedy | None = None) -> None:
        super().__init__(place, problem, remedy)
        self.place = place
        self.problem = problem
        self.remedy = remedy

    def worded(self, words: Mapping[str, str]) -> str:
        """Return all of it in the words of a front end."""
        more = f"; {self.remedy.worded(words)}" if self.remedy else ""
        return f"{self.place}: {self.problem}{more}"

    def __str__(self) -> str:
        """Return place, problem and remedy."""
        return self.worded(REMEDIES)

    @classmethod
    def expected(
        cls, place: Place, found: str, expected: str, remedy: Remedy | None = None
    ) -> "FormatError":
        """Say what was found and what was expected instead."""
        return cls(place, f"found {found}; expected {expected}", remedy)
