"""Label Studio's HTTP API: requests, refusals and pages."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from spancrew.calling import certificates, json_of, needed, reason_of, rows_of, secret
from spancrew.errors import ToolError

_PAGE = 100
_TOKEN = "LABEL_STUDIO_API_KEY"  # noqa: S105  the name of a variable
_COPY_IT = "copy your token from Account & Settings in Label Studio"
_REMEDIES = {
    401: f"{_TOKEN} is wrong or has ended: copy it from Account & Settings in Label Studio",
    403: f"the account of {_TOKEN} may not do that",
}


class LabelStudioApi:
    """Label Studio over HTTP, with the token of the environment variable LABEL_STUDIO_API_KEY.

    Both kinds of tokens will do: a legacy token is sent as it is, a personal access token is
    changed for one that lasts some minutes.
    """

    def __init__(self, url: str, timeout: float = 30.0) -> None:
        self._httpx = needed("httpx", "server")
        self._token = secret(_TOKEN, _COPY_IT, ToolError)
        self.url = _checked(url)
        self._http = self._httpx.Client(base_url=self.url, timeout=timeout, verify=certificates())
        if not self._is_personal:
            self._http.headers["Authorization"] = f"Token {self._token}"

    @property
    def _is_personal(self) -> bool:
        return self._token.count(".") == 2

    def call(self, method: str, path: str, *, missing: bool = False, **options: Any) -> Any:
        """Send a request and return the JSON of the answer.

        None if there is none, or if what is asked for is gone and ``missing`` says that it may.
        """
        answer = self._answer(method, path, options)
        if answer.status_code == 401 and self._is_personal:
            self._renew()
            answer = self._answer(method, path, options)
        if answer.status_code == 404 and missing:
            return None
        if not answer.is_success:
            raise self._refusal(answer, method, path)
        return json_of(answer)

    def pages(self, path: str, rows: str, **params: Any) -> Iterator[dict[str, Any]]:
        """Yield the rows of a list, page by page; a page beyond the last one is missing."""
        page, full = 1, True
        while full:
            known = {**params, "page": page, "page_size": _PAGE}
            found = self.call("GET", path, params=known, missing=page > 1)
            listed = (
                [] if found is None else rows_of(found, rows, f"Label Studio's {path}", ToolError)
            )
            yield from listed
            page, full = page + 1, len(listed) >= _PAGE

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _answer(self, method: str, path: str, options: dict[str, Any]) -> Any:
        try:
            return self._http.request(method, path, **options)
        except self._httpx.TransportError as error:
            said = str(error) or type(error).__name__
            raise ToolError(f"no answer from Label Studio at {self.url} ({said})") from None

    def _renew(self) -> None:
        """Change the personal access token for one that requests can be sent with."""
        answer = self._answer("POST", "/api/token/refresh", {"json": {"refresh": self._token}})
        if not answer.is_success:
            raise self._refusal(answer, "POST", "/api/token/refresh")
        access = (json_of(answer) or {}).get("access")
        self._http.headers["Authorization"] = f"Bearer {access}"

    def _refusal(self, answer: Any, method: str, path: str) -> ToolError:
        status = answer.status_code
        said = f"Label Studio refuses {method} {path}: {reason_of(answer)} (HTTP status {status})"
        remedy = _REMEDIES.get(status)
        return ToolError(f"{said}; {remedy}" if remedy else said)


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise ToolError(f"{url!r} is no address of Label Studio, such as http://127.0.0.1:8080")
    return url.rstrip("/")
