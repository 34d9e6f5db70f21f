"""Words and characters: the quick way for plain texts cuts as the rules do."""

from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import _tokenise, cut

TEXTS = st.text(
    st.sampled_from(
        "ab1_ '\u2019.,\r\n\t\x1c\x00é好\u3000²Ⅷ\u0660\u0645\u064e👍🏽\u200d🇦e\u0301\u2028"
    ),
    max_size=12,
) | st.text(max_size=12)


@given(text=TEXTS)
def test_plain_texts_are_cut_as_all_others(text: str) -> None:
    """A pattern stands in for the rules where no character belongs to the one before it."""
    assert cut(text, "words") == tuple(_tokenise._words(text))
    assert cut(text, "characters") == tuple(_tokenise._characters(text))


@given(text=TEXTS)
def test_the_script_decides_where_nobody_else_does(text: str) -> None:
    """Texts of ASCII are words, whatever they hold."""
    assert cut(text) == cut(text, _tokenise.suits(text))
    assert not text.isascii() or _tokenise.suits(text) == "words"
