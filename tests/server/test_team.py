"""Sign-in by the identity provider of a team."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from joserfc.jwk import RSAKey

from spancrew.errors import SpancrewError
from spancrew.server.people.sessions import COOKIE
from spancrew.server.settings import IdentitySettings, ServerSettings, identity_from
from tests.server.conftest import HandClock, House, Visitor, create, running
from tests.server.provider import CLIENT, CODE, SECRET, Provider, asked, providing

PUBLIC = "https://crew.example"
EMAIL = "ada@team.example"


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Yield the provider of the team."""
    with providing() as made:
        yield made


@pytest.fixture
def settings(clock: HandClock, provider: Provider) -> ServerSettings:
    """Return the settings of a server that knows the provider."""
    identity = IdentitySettings(provider.url, CLIENT, SECRET)
    return ServerSettings(clock=clock, public_url=PUBLIC, identity=identity)


def came_back(house: House, provider: Provider, next_: str = "", **claims: Any) -> Response:
    """Go to the provider, sign in there, and come back."""
    go = house.client.get(f"/sign-in/team?next={next_}", follow_redirects=False)
    provider.asked = asked(go.headers["location"])
    now = int(house.clock())
    usual = {"iss": provider.url, "aud": CLIENT, "sub": "1", "exp": now + 300, "iat": now}
    known = {"nonce": provider.asked["nonce"], "email": EMAIL, "email_verified": True}
    provider.claims = {**usual, **known, **claims}
    return back(house, state=provider.asked["state"], cookie=go.cookies["spancrew_team"])


def back(house: House, *, state: str, cookie: str | None) -> Response:
    """Come back from the provider with a code."""
    house.client.cookies.clear()
    headers = {} if cookie is None else {"Cookie": f"spancrew_team={cookie}"}
    answer = house.client.get(
        f"/sign-in/team/back?code={CODE}&state={state}", headers=headers, follow_redirects=False
    )
    house.client.cookies.clear()
    return answer  # type: ignore[return-value]


def invited(house: House) -> None:
    """Invite an owner with the e-mail."""
    house.admin().ok("POST", "/admins", json={"name": "Ada", "email": EMAIL, "campaigns": None})


def test_who_was_invited_gets_in(house: House, provider: Provider) -> None:
    """As an admin, to the page that was asked for; the code was asked for with PKCE."""
    invited(house)

    answer = came_back(house, provider, "/campaigns/new")
    me = Visitor(house.client, answer.cookies[COOKIE]).ok("GET", "/me")

    first = house.admin().ok("GET", "/audit")["entries"][:3]

    assert [(each["action"], each["via"]) for each in first if each["via"] == "team"] == [
        ("server.team_sign_in", "team")
    ]
    assert answer.headers["location"] == "/campaigns/new"
    assert (me["role"], me["name"]) == ("admin", "Ada")
    assert provider.asked["code_challenge_method"] == "S256"
    assert provider.exchanged["redirect_uri"] == f"{PUBLIC}/sign-in/team/back"
    assert provider.exchanged["code"] == CODE
    assert len(provider.exchanged["code_verifier"]) >= 43


def test_an_expert_gets_in_too(house: House, provider: Provider, tmp_path: Path) -> None:
    """To their own page."""
    admin = house.admin()
    campaign = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/experts", json={"name": "Bo", "email": EMAIL.upper()})

    answer = came_back(house, provider)

    assert answer.headers["location"] == "/expert"


def test_the_provider_knows_people_by_their_number(house: House, provider: Provider) -> None:
    """Once they came, another e-mail is theirs, and theirs is nobody else's."""
    invited(house)
    came_back(house, provider)

    renamed = came_back(house, provider, email="ada@elsewhere.example")
    other = came_back(house, provider, sub="2")

    assert COOKIE in renamed.cookies
    assert other.headers["location"] == "/sign-in?problem=stranger"


@pytest.mark.parametrize(
    "claims",
    [{"email": "eve@team.example"}, {"email_verified": False}, {"email_verified": "true"}],
)
def test_strangers_stay_outside(house: House, provider: Provider, claims: dict[str, Any]) -> None:
    """An e-mail that was not invited, or that the provider has not verified."""
    invited(house)

    answer = came_back(house, provider, **claims)

    assert answer.headers["location"] == "/sign-in?problem=stranger"
    assert COOKIE not in answer.cookies


def _spoil(name: str, value: Any) -> Callable[[Provider], dict[str, Any]]:
    return lambda _: {name: value}


def _other_key(provider: Provider) -> dict[str, Any]:
    provider.shown = RSAKey.generate_key(2048, {"kid": "one"})
    return {}


@pytest.mark.parametrize(
    "spoil",
    [
        _spoil("aud", "another server"),
        _spoil("iss", "https://evil.example"),
        _spoil("nonce", "of another sign-in"),
        _spoil("exp", 1),
        _other_key,
    ],
    ids=["audience", "issuer", "nonce", "expired", "signature"],
)
def test_a_forged_token_is_worth_nothing(
    house: House, provider: Provider, spoil: Callable[[Provider], dict[str, Any]]
) -> None:
    """Whoever it names."""
    invited(house)

    answer = came_back(house, provider, **spoil(provider))

    assert answer.headers["location"] == "/sign-in?problem=team"
    assert COOKIE not in answer.cookies


def test_nobody_comes_back_who_did_not_go(house: House, provider: Provider) -> None:
    """A link that carries somebody else's code signs nobody in."""
    invited(house)
    came_back(house, provider)
    state = provider.asked["state"]

    tries = [
        back(house, state=state, cookie=None),
        back(house, state="guessed", cookie=None),
        back(house, state=state, cookie="bm9uc2Vuc2U="),
    ]

    assert {each.headers["location"] for each in tries} == {"/sign-in?problem=team"}


@pytest.mark.parametrize("next_", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_nobody_is_sent_elsewhere(house: House, provider: Provider, next_: str) -> None:
    """After signing in they are on our pages."""
    invited(house)

    assert came_back(house, provider, next_).headers["location"] == "/campaigns"


def test_a_provider_that_is_away_is_no_error_of_ours(clock: HandClock, tmp_path: Path) -> None:
    """People are told, and can use a password."""
    with providing() as gone:
        identity = IdentitySettings(gone.url, CLIENT, SECRET)
    settings = ServerSettings(clock=clock, public_url=PUBLIC, identity=identity)
    with running(tmp_path, clock, settings) as house:
        answer = house.client.get("/sign-in/team", follow_redirects=False)

    assert answer.headers["location"] == "/sign-in?problem=team"
    assert "the provider does not answer" in house.log.getvalue()


def test_without_a_provider_there_is_no_such_way(tmp_path: Path, clock: HandClock) -> None:
    """Neither the page nor the button."""
    with running(tmp_path, clock, ServerSettings(clock=clock)) as house:
        answer = house.client.get("/sign-in/team", follow_redirects=False)
        page = house.client.get("/sign-in").text

    assert answer.status_code == 404
    assert "/sign-in/team" not in page


def test_half_a_provider_is_refused_at_the_start() -> None:
    """With what is missing."""
    named = {"SPANCREW_OIDC_ISSUER": "https://id.example", "SPANCREW_OIDC_CLIENT": CLIENT}

    with pytest.raises(SpancrewError, match="SPANCREW_OIDC_SECRET"):
        identity_from(named)
    with pytest.raises(SpancrewError, match="--public-url"):
        ServerSettings(identity=identity_from({**named, "SPANCREW_OIDC_SECRET": SECRET}))
    assert identity_from({}) is None
