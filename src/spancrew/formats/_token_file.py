"""Read one file of a crowd directory and repair the errors known in such files."""

from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from spancrew.core import parse_tag
from spancrew.errors import FormatError, Place
from spancrew.formats._base import silent
from spancrew.formats._columns import (
    UNKNOWN,
    TokenRow,
    blocks,
    check_tag,
    counted,
    is_known_or_unknown,
    is_tag,
)

Note = Callable[[str, Place, str], None]
"""Takes the kind, the place and the description of a repair."""


class TaggedToken(NamedTuple):
    """A token with its tag; ``opens`` if it is the first one after a blank line.

    ``written`` is the token as it stands in the file.
    """

    place: Place
    token: str
    tag: str
    opens: bool
    written: str

    @property
    def characters(self) -> str:
        """Return the token without white space."""
        return "".join(self.token.split())


def labels_in(paths: Iterable[Path]) -> frozenset[str]:
    """Return every label that the tags of these files use."""
    tags = {
        row.cells[-1]
        for path in paths
        if path.stat().st_size
        for block in blocks(path, silent)
        for row in block.rows
    }
    return frozenset(
        label for tag in tags if is_tag(tag) for _, label in [parse_tag(tag)] if label
    )


def tagged_tokens(
    path: Path, labels: Container[str], note: Note, in_text: Container[str] = ()
) -> list[TaggedToken]:
    """Return the tokens of a file, mended; nothing for an empty file.

    ``in_text`` are tokens that had a label stuck to them before the worker saw them.
    """
    tokens: list[TaggedToken] = []
    for block in blocks(path, silent) if path.stat().st_size else ():
        if block.comments:
            what = f"{counted(block.comments, 'comment line')} left out"
            note("comment", Place(str(path)), what)
        before = ""
        for row in block.rows:
            token, tag = _token_and_tag(row)
            if not token.strip():
                note("blank-token", row.place, f"a tag {tag} without a token was left out")
                continue
            found = TaggedToken(row.place, token, tag, not before, token)
            tokens.append(_unstuck(found, labels, before if token not in in_text else None, note))
            before = tokens[-1].tag
    if not tokens:
        note("refused", Place(str(path)), "there are no tokens in it")
    return tokens


def sentences_in(tokens: Iterable[TaggedToken]) -> Iterator[list[TaggedToken]]:
    """Yield the tokens sentence by sentence."""
    sentence: list[TaggedToken] = []
    for token in tokens:
        if token.opens and sentence:
            yield sentence
            sentence = []
        sentence.append(token)
    if sentence:
        yield sentence


def _token_and_tag(row: TokenRow) -> tuple[str, str]:
    """Return first and last cell; the token is empty if there is only a tag."""
    place, cells = row
    if len(cells) == 1 and is_known_or_unknown(cells[0]):
        return "", cells[0]
    if len(cells) == 1:
        raise FormatError.expected(
            place, f"1 column ({cells[0][:60]})", "a token and a tag, separated by a tab or blanks"
        )
    if cells[-1] != UNKNOWN:
        check_tag(cells[-1], place)
    return cells[0], cells[-1]


def stuck_label(token: str, labels: Container[str]) -> str:
    """Return what sticks to a token if it is a label (``LOC`` in ``Rome/LOC``), else nothing."""
    plain, _, stuck = token.rpartition("/")
    return stuck if plain and _bare(stuck) in labels else ""


def _bare(stuck: str) -> str:
    return stuck[2:] if stuck[:2] in {"B-", "I-"} else stuck


def _unstuck(
    found: TaggedToken, labels: Container[str], before: str | None, note: Note
) -> TaggedToken:
    """Take a label that sticks to a token (``Rome/LOC``, ``Grand/B-MISC``) off it.

    Where the tag is O, the label becomes the tag; a bare label goes on with the span of the tag
    ``before`` if that has the same label. Without ``before`` the tag stays as it is.
    """
    stuck = stuck_label(found.token, labels)
    if not stuck:
        return found
    token, tag = found.token.removesuffix(f"/{stuck}"), found.tag
    if tag == "O" and before is not None:
        goes_on = before[2:] == stuck
        tag = stuck if _bare(stuck) != stuck else f"{'I' if goes_on else 'B'}-{stuck}"
    note("stuck-label", found.place, f"{found.token} {found.tag} read as {token} {tag}")
    return found._replace(token=token, tag=tag)
