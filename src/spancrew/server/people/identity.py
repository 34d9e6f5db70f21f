"""Sign-in by the identity provider of a team: OpenID Connect, authorization code with PKCE."""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

import httpx

from spancrew.core import parse_json
from spancrew.errors import MissingPackageError, SpancrewError
from spancrew.server.hooks.delivery import is_loopback
from spancrew.server.settings import IdentitySettings

_SIGNED_BY = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
"""Only public keys: with a shared secret, whoever can check a signature can forge one."""
_TIMEOUT = 10.0
_LEEWAY = 60
"""Seconds by which the clocks of provider and server may differ."""


class IdentityError(SpancrewError):
    """The provider did not say who somebody is, in a way that can be trusted."""


class Identity(NamedTuple):
    """Whom a provider knows; ``email`` is None unless the provider has verified it."""

    subject: str
    email: str | None


@dataclass(frozen=True, slots=True)
class SignInFlow:
    """What a browser keeps while it is at the provider, so that nobody else can come back."""

    state: str
    nonce: str
    verifier: str
    next: str

    @classmethod
    def begin(cls, next_: str) -> Self:
        """Return a flow with new secrets."""
        state, nonce, verifier = (secrets.token_urlsafe(48) for _ in range(3))
        return cls(state, nonce, verifier, next_)

    def to_cookie(self) -> str:
        """Return the flow as the value of a cookie."""
        return urlsafe_b64encode(json.dumps(asdict(self)).encode()).decode()

    @classmethod
    def from_cookie(cls, value: str) -> Self | None:
        """Return the flow of a cookie; None if it is none of ours."""
        try:
            return cls(**parse_json(urlsafe_b64decode(value.encode()).decode()))
        except (ValueError, TypeError):
            return None


class IdentityProvider:
    """An OpenID Connect provider; what it says of itself is asked once, its keys each time."""

    def __init__(self, settings: IdentitySettings, back: str) -> None:
        try:
            from authlib.common.errors import AuthlibBaseError  # noqa: PLC0415
            from authlib.integrations.httpx_client import AsyncOAuth2Client  # noqa: PLC0415  optional
            from joserfc import jwk, jwt  # noqa: PLC0415  comes with it
            from joserfc.errors import JoseError  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise MissingPackageError(
                f"sign-in by a team needs the package {error.name}: pip install 'spancrew[oidc]'"
            ) from None
        _refuse_plain(settings.issuer)
        self._settings = settings
        self._back = back
        self._client: Any = AsyncOAuth2Client
        self._jwk: Any = jwk
        self._jwt: Any = jwt
        # A provider that answers nonsense: no token in it, or one that is none.
        nonsense = (LookupError, TypeError, ValueError)
        self._refused = (AuthlibBaseError, JoseError, httpx.HTTPError, *nonsense)
        self._about: dict[str, Any] | None = None

    async def begin(self, flow: SignInFlow) -> str:
        """Return the address of the provider to which a browser goes to sign in."""
        about = await self._metadata()
        async with self._oauth() as client:
            url, _ = client.create_authorization_url(
                about["authorization_endpoint"],
                state=flow.state,
                nonce=flow.nonce,
                code_verifier=flow.verifier,
            )
        return str(url)

    async def end(self, flow: SignInFlow, code: str, now: float) -> Identity:
        """Exchange the code that a browser brought for who they are."""
        about = await self._metadata()
        try:
            async with self._oauth() as client:
                found = await client.fetch_token(
                    about["token_endpoint"], code=code, code_verifier=flow.verifier
                )
            keys = await self._json(about["jwks_uri"])
            return self._identity(str(found["id_token"]), keys, flow.nonce, now)
        except self._refused as error:
            raise IdentityError(
                f"the provider's answer is not valid: {type(error).__name__}"
            ) from error

    def _identity(self, token: str, keys: dict[str, Any], nonce: str, now: float) -> Identity:
        decoded = self._jwt.decode(token, self._jwk.KeySet.import_key_set(keys), _SIGNED_BY)
        wanted = {
            "iss": {"essential": True, "value": self._settings.issuer},
            "aud": {"essential": True, "value": self._settings.client},
            "nonce": {"essential": True, "value": nonce},
            "sub": {"essential": True},
            "exp": {"essential": True},
        }
        self._jwt.JWTClaimsRegistry(now=int(now), leeway=_LEEWAY, **wanted).validate(
            decoded.claims
        )
        claims = decoded.claims
        email = claims.get("email") if claims.get("email_verified") is True else None
        return Identity(f"{claims['iss']} {claims['sub']}"[:500], email and str(email))

    def _oauth(self) -> Any:
        return self._client(
            self._settings.client,
            self._settings.secret,
            scope="openid email",
            redirect_uri=self._back,
            code_challenge_method="S256",
            timeout=_TIMEOUT,
        )

    async def _metadata(self) -> dict[str, Any]:
        if self._about is None:
            issuer = self._settings.issuer
            found = await self._json(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            if found.get("issuer") != issuer:
                raise IdentityError(
                    f"the provider calls itself {found.get('issuer')!r}, not {issuer!r}; correct "
                    "the issuer"
                )
            self._about = found
        return self._about

    async def _json(self, url: str) -> dict[str, Any]:
        try:
            async with httpx.AsyncClient(timeout=_TIMEOUT) as client:
                answer = await client.get(url)
            answer.raise_for_status()
            found: dict[str, Any] = parse_json(answer.text)
        except (httpx.HTTPError, ValueError) as error:
            raise IdentityError(f"the provider does not answer: {type(error).__name__}") from error
        return found


def _refuse_plain(issuer: str) -> None:
    parts = urlsplit(issuer)
    is_local = parts.scheme == "http" and is_loopback(parts.hostname or "")
    if parts.scheme != "https" and not is_local:
        raise SpancrewError(f"issuer {issuer!r}: write it as https://id.example")
