"""The address of a campaign as the platforms want it."""

from xml.etree import ElementTree as ET

import pytest

from spancrew.bridges import external_question, link_problem, study_link


def test_prolific_gets_the_parameters_that_the_page_reads() -> None:
    """Each is filled in for the one who comes."""
    link = study_link("https://label.example/join/k")

    assert link == (
        "https://label.example/join/k?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}"
        "&SESSION_ID={{%SESSION_ID%}}"
    )


def test_mturk_gets_a_question_of_its_schema() -> None:
    """With an address that is escaped, and all of the page's height."""
    question = ET.fromstring(external_question("https://label.example/join/k?a=1&b=2"))  # noqa: S314  our own

    schema = (
        "{http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/"
        "ExternalQuestion.xsd}"
    )
    assert question.tag == f"{schema}ExternalQuestion"
    assert [(each.tag, each.text) for each in question] == [
        (f"{schema}ExternalURL", "https://label.example/join/k?a=1&b=2"),
        (f"{schema}FrameHeight", "0"),
    ]


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8000", "localhost", "a.localhost", "[::1]:80", "192.168.0.7", "10.1.2.3", "lab"],
)
def test_an_address_that_others_cannot_open_is_named(host: str) -> None:
    """With the option that changes it."""
    problem = link_problem(f"https://{host}/join/k", "prolific")

    assert "--public-url" in str(problem)


def test_mturk_wants_https() -> None:
    """Prolific takes both."""
    assert link_problem("http://label.example/join/k", "prolific") is None
    assert "https" in str(link_problem("http://label.example/join/k", "mturk"))
    assert link_problem("https://label.example/join/k", "mturk") is None
