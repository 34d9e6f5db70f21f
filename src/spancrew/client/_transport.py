"""Requests that survive a server that is busy, restarts or is gone for a moment."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from spancrew import errors
from spancrew.calling import Retries
from spancrew.client._wire import needed, wire
from spancrew.errors import SpancrewError, StoreError

if TYPE_CHECKING:
    import httpx

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 60.0
"""Seconds of waiting in all, after which a server counts as gone."""

_BUSY = frozenset({429, 502, 503, 504})
_FIRST, _LONGEST = 0.1, 5.0

_SENT = errors.Place("the data that were sent")
_BY_CODE: dict[str, type[SpancrewError]] = {
    "answer_refused": errors.AnswerRefusedError,
    "conflict": errors.ConflictError,
    "journal": errors.JournalError,
    "not_found": errors.UnknownWorkerError,
    "not_now": errors.CampaignError,
    "plan": errors.PlanError,
    "second_factor": errors.SecondFactorError,
    "store": errors.StoreError,
    "too_many_requests": errors.StoreError,
}
"""The errors that a caller may want to tell apart; all others are a plain ``SpancrewError``."""


@cache
def _certificates() -> Any:
    """Return whom to trust; reading it takes a tenth of a second, so all clients share it."""
    return needed("httpx").create_ssl_context()


def read(kind: type[T], content: bytes | str) -> T:
    """Return a value from its JSON; fields that a newer server adds are ignored."""
    try:
        value: T = needed("pydantic").TypeAdapter(kind).validate_json(content, extra="ignore")
    except needed("pydantic").ValidationError as error:
        raise SpancrewError(
            "this is no answer that the client understands, the server may be too old or too new: "
            + wire.problems_of(error.errors())
        ) from None
    return value


def request(kind: Callable[P, T], *args: P.args, **fields: P.kwargs) -> T:
    """Return the body of a request; refuse values that the server would refuse, too."""
    try:
        return kind(*args, **fields)
    except needed("pydantic").ValidationError as error:
        raise SpancrewError(wire.problems_of(error.errors())) from None


def failure_of(status: int, content: bytes, address: str) -> SpancrewError:
    """Return the error for a refusal: the one that it would be without a server."""
    try:
        problem = read(wire.ErrorAnswer, content).error
    except SpancrewError:
        return SpancrewError(
            f"{address} answered with HTTP status {status} and nothing that spancrew understands: "
            "is this the address of a spancrew server?"
        )
    if problem.code == "data":
        return _unreadable(problem)
    text, remedy = problem.message, problem.remedy
    if remedy and remedy not in text:
        text = f"{text}: {remedy}"
    return _BY_CODE.get(problem.code, SpancrewError)(text)


def _unreadable(problem: "wire.Problem") -> errors.FormatError:
    """Return the error of data that the server cannot read, with a remedy that we can word."""
    option, message = problem.option, problem.message
    if option not in errors.REMEDIES:
        return errors.FormatError(_SENT, message)
    return errors.FormatError(_SENT, message, errors.Remedy(option, problem.value or ""))


class Transport:
    """One server, reached over HTTP, with whatever says who is asking."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        retries: Retries | None = None,
        over: "httpx.BaseTransport | None" = None,
    ) -> None:
        self._retries = retries or Retries(PATIENCE)
        self._httpx = needed("httpx")
        headers = {"Accept": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self._http = self._httpx.Client(
            base_url=url.rstrip("/"),
            headers=headers,
            timeout=60.0,
            transport=over,
            verify=_certificates(),
        )

    @property
    def url(self) -> str:
        """Return the address of the server."""
        return str(self._http.base_url).rstrip("/")

    def set_header(self, name: str, value: str) -> None:
        """Send a header along from now on."""
        self._http.headers[name] = value

    def call(
        self, method: str, path: str, *, again: bool | None = None, **options: Any
    ) -> "httpx.Response":
        """Send a request until there is an answer; raise the error that refuses it.

        ``again`` says that doing it twice does no harm; for GET, PUT and DELETE it never does.
        """
        harmless = method in {"GET", "PUT", "DELETE"} if again is None else again
        waited, wait = 0.0, _FIRST
        while True:
            answer, problem = self._try(method, path, harmless, options)
            if answer is not None and not _is_busy(answer):
                return self._accepted(answer)
            asked, patience = _retry_after(answer), self._retries.patience
            if max(waited, asked) >= patience or not _may_retry(answer, harmless):
                break
            pause = max(wait, asked) * self._retries.rng.uniform(0.7, 1.3)
            self._retries.pause(pause)
            waited, wait = waited + pause, min(2 * wait, _LONGEST)
        if answer is not None:
            return self._accepted(answer)
        raise StoreError(f"no answer from {self.url} ({problem}): is the server running?")

    def _try(
        self, method: str, path: str, harmless: bool, options: Mapping[str, Any]
    ) -> tuple["httpx.Response | None", str]:
        """Return the answer, or None and why there is none yet."""
        try:
            return self._http.request(method, path, **options), ""
        except self._httpx.ConnectError as error:
            # The request never arrived, so it can be sent again whatever it is.
            return None, str(error) or "no connection"
        except self._httpx.TransportError as error:
            said = str(error) or type(error).__name__
            if harmless:
                return None, said
            raise StoreError(
                f"the connection to {self.url} broke ({said}) before it was known whether this "
                "was done: look before you do it again"
            ) from None

    def _accepted(self, answer: "httpx.Response") -> "httpx.Response":
        if answer.is_success:
            return answer
        raise failure_of(answer.status_code, answer.content, self.url)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


class Api:
    """The routes of a server below a path, with the wire's models as bodies and answers."""

    def __init__(self, transport: Transport, path: str) -> None:
        self.transport = transport
        self.path = path

    def below(self, path: str) -> "Api":
        """Return the routes below another path."""
        return Api(self.transport, self.path + path)

    def get(self, kind: type[T], path: str = "", **params: Any) -> T:
        """Return what is there."""
        return self.send(kind, "GET", path, params=params)

    def send(
        self,
        kind: type[T],
        method: str,
        path: str,
        body: "wire.Wire | None" = None,
        **options: Any,
    ) -> T:
        """Send a body, if there is one, and return the answer."""
        return read(kind, self.call(method, path, body, **options).content)

    def invite(self, path: str, body: "wire.Wire | None" = None) -> "wire.Invitation":
        """Add somebody, or make a new link for them."""
        made = self.send(wire.Invitation, "POST", path, body)
        return made.model_copy(update={"url": self.located(made.url)})

    def located(self, url: str) -> str:
        """Return an address with the server; one that does not know its own leaves that out."""
        return f"{self.transport.url}{url}" if url.startswith("/") else url

    def call(
        self, method: str, path: str = "", body: "wire.Wire | None" = None, **options: Any
    ) -> "httpx.Response":
        """Send a body, if there is one; what is not set in it stays out."""
        if body is not None:
            options["json"] = body.model_dump(mode="json", exclude_unset=True)
        return self.transport.call(method, self.path + path, **options)


def _is_busy(answer: "httpx.Response") -> bool:
    # A server that stops cuts off what takes too long, with a status of 500 that is not ours.
    return answer.status_code in _BUSY or (
        answer.status_code == 500 and b'"error"' not in answer.content
    )


def _may_retry(answer: "httpx.Response | None", harmless: bool) -> bool:
    # Who is told to slow down (429) has been refused; with 502 and 503 that is not so sure.
    return answer is None or harmless or answer.status_code == 429


def _retry_after(answer: "httpx.Response | None") -> float:
    said = "" if answer is None else answer.headers.get("Retry-After", "")
    return float(said) if said.replace(".", "", 1).isdigit() else 0.0
