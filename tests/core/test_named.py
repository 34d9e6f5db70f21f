"""Parts of a plan as text and as JSON."""

from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import from_spec, parse_spec, registered, spec_of
from spancrew.errors import SpancrewError


@dataclass(frozen=True)
class Saw:
    """A thing with an option of every type."""

    length: float = 1.0
    teeth: int = 30
    sharp: bool = True
    owner: str = "ann"
    make: Literal["steel", "bronze"] = "steel"
    age: int | None = None
    marks: int = field(default_factory=lambda: 2)


@dataclass(frozen=True)
class Nail:
    """A thing with an option that must be given."""

    length: float


class Stone:
    """A thing without options."""


TOOLS: dict[str, type] = {"saw": Saw, "nail": Nail, "stone": Stone}


def tool(spec: object) -> object:
    """Read a tool."""
    return from_spec(spec, "tool", TOOLS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("saw", ("saw", {})),
        (" saw ", ("saw", {})),
        ("saw:length=2", ("saw", {"length": "2"})),
        ("saw: length = 2 , sharp=false", ("saw", {"length": "2", "sharp": "false"})),
        ("saw:owner=a:b", ("saw", {"owner": "a:b"})),
    ],
)
def test_text_is_taken_apart(text: str, parts: tuple[str, dict[str, str]]) -> None:
    """Blanks around the parts do not count."""
    assert parse_spec(text) == parts


@pytest.mark.parametrize(
    "text", ["saw:", "saw:length", "saw:length=", "saw:=2", ":length=2", "saw:length=2,"]
)
def test_half_a_text_is_refused_with_the_way_to_write_it(text: str) -> None:
    """In one sentence."""
    with pytest.raises(SpancrewError, match=r"cannot be read: write a name alone, or name:option"):
        parse_spec(text)


def test_an_option_given_twice_is_refused() -> None:
    """Even with the same value."""
    with pytest.raises(SpancrewError, match=r"gives the option 'teeth' twice"):
        parse_spec("saw:teeth=3,teeth=3")


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("saw", Saw()),
        ("stone", None),
        ("nail:length=3", Nail(3.0)),
        ("saw:length=0.5,teeth=9,sharp=false", Saw(0.5, 9, sharp=False)),
        ("saw:owner=bo,make=bronze,age=4", Saw(owner="bo", make="bronze", age=4)),
        ("saw:age=none", Saw()),
        ({"tool": "saw", "length": 2, "sharp": False}, Saw(2.0, sharp=False)),
        ({"tool": "saw", "length": "2", "age": None, "make": "bronze"}, Saw(2.0, make="bronze")),
    ],
)
def test_text_and_mappings_become_values(spec: object, value: object) -> None:
    """With the types that the class declares."""
    found = tool(spec)

    assert found == value or isinstance(found, Stone)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("sow", "tool 'sow' is not known: did you mean 'saw'? there are nail, saw, stone"),
        ("xylophone", "tool 'xylophone' is not known: there are nail, saw, stone"),
        ("", "tool '' is not known: there are nail, saw, stone"),
        ("nail:width=2", "tool 'nail' has no option 'width': it has length"),
        ("stone:width=2", "tool 'stone' has no option 'width': it has none"),
        ("nail", "tool 'nail' needs the option 'length'"),
        ("saw:length=long", "tool 'saw': length 'long' is not a number"),
        ("saw:teeth=2.5", "tool 'saw': teeth '2.5' is not a whole number"),
        ("saw:sharp=maybe", "tool 'saw': sharp 'maybe' is not true or false"),
        ("saw:make=tin", "tool 'saw': make 'tin' is not one of steel, bronze"),
        ("saw:age=old", "tool 'saw': age 'old' is not a whole number or none"),
        ({"tool": "saw", "length": True}, "tool 'saw': length true is not a number"),
        ({"tool": "saw", "sharp": 1}, "tool 'saw': sharp 1 is not true or false"),
        ({"tool": "saw", "teeth": 2.5}, "tool 'saw': teeth 2.5 is not a whole number"),
        ({"tool": "saw", "owner": 5}, "tool 'saw': owner 5 is not text"),
        ({"tool": "saw", "teeth": [5]}, "tool 'saw': teeth [5] is not a whole number"),
        ({"tool": "saw", "make": ["tin"]}, "tool 'saw': make ['tin'] is not one of steel, bronze"),
        ({"length": 2}, "{'length': 2} has no 'tool' that names one"),
        ({"tool": 7}, "{'tool': 7} has no 'tool' that names one"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(spec: object, message: str) -> None:
    """With the value as given and what there is instead."""
    with pytest.raises(SpancrewError) as refused:
        tool(spec)

    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Saw(), "saw"),
        (Saw(2.0), "saw:length=2"),
        (Saw(1 / 3), f"saw:length={1 / 3!r}"),
        (Saw(sharp=False, age=4, marks=3), "saw:sharp=false,age=4,marks=3"),
        (Nail(0.25), "nail:length=0.25"),
        (Stone(), "stone"),
    ],
)
def test_a_value_has_one_shortest_text(value: object, text: str) -> None:
    """Options at their default are left out; they are in the order of the class."""
    assert spec_of(value, TOOLS) == text


def test_a_class_without_a_name_goes_by_its_own() -> None:
    """So that a report can show it."""
    assert spec_of(Saw(teeth=4), {}) == "Saw:teeth=4"


@given(
    st.builds(
        Saw,
        length=st.floats(allow_nan=False),
        teeth=st.integers(),
        sharp=st.booleans(),
        owner=st.from_regex(r"[a-z]+", fullmatch=True),
        make=st.sampled_from(["steel", "bronze"]),
        age=st.none() | st.integers(),
        marks=st.integers(),
    )
)
def test_text_reads_back_as_the_same_value(saw: Saw) -> None:
    """Whatever the options are."""
    assert tool(spec_of(saw, TOOLS)) == saw


def test_classes_come_from_entry_points() -> None:
    """Those of every installed package, once looked up."""
    found = registered("spancrew.policies")

    assert found["cucb"].__name__ == "Cucb"
    assert registered("spancrew.nothing-here") == {}
