"""Requests are sent again where that does no harm, and refusals become our errors."""

import json
import subprocess
import sys

import httpx
import pytest

from spancrew import errors
from spancrew.calling import Retries
from spancrew.client import Client
from spancrew.client._transport import Api, Transport, request
from spancrew.errors import MissingPackageError, SpancrewError
from spancrew.wire import CampaignChange, CampaignSummary

Answer = httpx.Response | Exception


class Script:
    """A server that answers as written, and notes what it was sent and how long was waited."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.seen: list[httpx.Request] = []
        self.pauses: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Give the next answer."""
        self.seen.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def transport(self, patience: float = 60.0) -> Transport:
        """Return a transport that speaks with this server."""
        retries = Retries(patience, self.pauses.append)
        over = httpx.MockTransport(self)
        return Transport("http://server/", "secret", retries=retries, over=over)


def busy(status: int = 503, wait: str | None = None) -> httpx.Response:
    """Return the answer of a server that cannot now."""
    body = {"error": {"code": "store", "message": "the store is away"}}
    headers = {} if wait is None else {"Retry-After": wait}
    return httpx.Response(status, json=body, headers=headers)


DONE = {"done": True}


def test_the_token_is_sent_along() -> None:
    """As a bearer token."""
    script = Script(httpx.Response(200, json=DONE))
    script.transport().call("GET", "/x")

    assert script.seen[0].headers["Authorization"] == "Bearer secret"
    assert str(script.seen[0].url) == "http://server/x"


@pytest.mark.parametrize(
    "problem",
    [
        busy(),
        httpx.ReadError("reset"),
        httpx.ConnectError("no"),
        httpx.Response(500, text="Internal Server Error"),
    ],
)
def test_what_does_no_harm_is_sent_again(problem: Answer) -> None:
    """Ever more slowly, until there is an answer."""
    script = Script(problem, problem, httpx.Response(200, json=DONE))
    answer = script.transport().call("POST", "/x", json={"key": "k"}, again=True)

    assert answer.json() == DONE
    assert len(script.pauses) == 2
    assert {request.content for request in script.seen} == {b'{"key":"k"}'}


def test_the_server_says_how_long_to_wait() -> None:
    """Retry-After counts, give or take."""
    script = Script(busy(wait="4"), httpx.Response(200, json=DONE))
    script.transport().call("GET", "/x")

    assert 2.8 <= script.pauses[0] <= 5.2


def test_what_may_have_happened_is_not_sent_again() -> None:
    """A connection that broke in the middle leaves it open."""
    script = Script(httpx.ReadError("reset"))

    with pytest.raises(errors.StoreError, match="look before you do it again"):
        script.transport().call("POST", "/x")
    assert len(script.seen) == 1


def test_who_is_told_to_slow_down_does_so() -> None:
    """Even for what must not happen twice: it has not happened."""
    script = Script(busy(429), httpx.Response(200, json=DONE))

    assert script.transport().call("POST", "/x").json() == DONE


@pytest.mark.parametrize(
    "problem", [httpx.ConnectError("no"), busy()], ids=["nobody there", "store away"]
)
def test_patience_ends(problem: Answer) -> None:
    """With one clear sentence."""
    script = Script(*[problem] * 100)

    with pytest.raises(errors.StoreError, match=r"is the server running|the store is away"):
        script.transport(patience=3.0).call("GET", "/x")
    assert 3 <= sum(script.pauses) < 12


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("answer_refused", errors.AnswerRefusedError),
        ("conflict", errors.ConflictError),
        ("not_now", errors.CampaignError),
        ("not_found", errors.UnknownWorkerError),
        ("plan", errors.PlanError),
        ("something new", SpancrewError),
    ],
)
def test_a_refusal_is_the_error_that_it_would_be_without_a_server(
    code: str, kind: type[SpancrewError]
) -> None:
    """With the server's message and what to do about it."""
    body = {"error": {"code": code, "message": "it is late", "remedy": "go to bed"}}
    script = Script(httpx.Response(409, json=body))

    with pytest.raises(SpancrewError, match="it is late: go to bed") as found:
        script.transport().call("POST", "/x")
    assert type(found.value) is kind


@pytest.mark.parametrize("body", [b"<html>nginx</html>", b"[1]", b"", json.dumps({}).encode()])
def test_somebody_elses_error_page_is_no_riddle(body: bytes) -> None:
    """It says what it got and asks for the address."""
    script = Script(httpx.Response(404, content=body))

    with pytest.raises(SpancrewError, match=r"status 404.*is this the address"):
        script.transport().call("GET", "/x")


def test_closing_is_final() -> None:
    """Nothing is sent afterwards."""
    script = Script(httpx.Response(200, json=DONE))
    transport = script.transport()
    transport.close()

    with pytest.raises(RuntimeError):
        transport.call("GET", "/x")


def test_what_a_newer_server_adds_is_ignored() -> None:
    """An older client goes on working."""
    card = CampaignSummary(id="c", name="small", created_at=1.5, sentences=3)
    script = Script(httpx.Response(200, json=[card.model_dump() | {"colour": "red"}]))
    found = Api(script.transport(), "/api/v1").get(list[CampaignSummary], "/campaigns")

    assert found == [card]


@pytest.mark.parametrize("answer", [[{"id": "c"}], {"id": "c"}, "<html>"])
def test_an_answer_that_lacks_something_is_refused(answer: object) -> None:
    """With what is missing."""
    script = Script(httpx.Response(200, json=answer))

    with pytest.raises(SpancrewError, match="too old or too new"):
        Api(script.transport(), "/api/v1").get(list[CampaignSummary], "/campaigns")


def test_a_value_out_of_bounds_is_refused_before_it_is_sent() -> None:
    """As the server would refuse it: with its place, without the value."""
    with pytest.raises(SpancrewError, match=r"^budget: Input should be greater than or equal"):
        request(CampaignChange, budget=-1.0)


@pytest.mark.parametrize("package", ["httpx", "pydantic"])
def test_without_a_package_the_extra_is_named(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a client is made; importing it needs none of the two."""
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(MissingPackageError, match=rf"'{package}'.*pip install \"spancrew\[server"):
        Client("http://server")


def test_importing_the_client_needs_no_extra() -> None:
    """Neither of the packages is imported before a client is made."""
    program = (
        "import sys; sys.modules |= {'httpx': None, 'pydantic': None}\nfrom spancrew import Client"
    )

    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603
