"""Tokens of an issuer: whose they are, and every way in which one does not count."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from hypothesis import given
from hypothesis import strategies as st

from muniment import clock as real
from muniment.domain.errors import Malformed
from muniment.domain.principals import Bearer
from muniment.surfaces.http.oidc import Issuer, OidcUse

USE = OidcUse("https://id.example", "muniment")


class Keys:
    """An issuer's published keys, and how often they were asked for."""

    def __init__(self) -> None:
        self.published: dict[str, RSAPrivateKey] = {}
        self.fetched: list[str] = []
        self.now = 0.0

    def make(self, kid: str) -> RSAPrivateKey:
        self.published[kid] = rsa.generate_private_key(65537, 2048)
        return self.published[kid]

    def fetch(self, place: str) -> Mapping[str, object]:
        self.fetched.append(place)
        if place.endswith("openid-configuration"):
            return {"jwks_uri": "https://id.example/keys"}
        listed = []
        for kid, key in self.published.items():
            listed.append({**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key())), "kid": kid})
        return {"keys": [*listed, {"kty": "odd"}, "nonsense"]}

    def issuer(self, use: OidcUse = USE) -> Issuer:
        return Issuer(use, self.fetch, lambda: self.now)


@pytest.fixture(scope="module")
def keys() -> Keys:
    made = Keys()
    made.make("k1")
    return made


def claims(**more: object) -> dict[str, object]:
    exp = real.now() + timedelta(minutes=5)
    return {"iss": USE.issuer, "aud": USE.audience, "exp": exp, "email": "ann@x.example", **more}


def signed(keys: Keys, said: Mapping[str, object], kid: str = "k1") -> str:
    return jwt.encode(dict(said), keys.published["k1"], algorithm="RS256", headers={"kid": kid})


def test_a_token_stands_for_whom_it_names(keys: Keys) -> None:
    issuer = keys.issuer()

    assert issuer.find_bearer(signed(keys, claims())) == Bearer("ann@x.example")
    acted = issuer.find_bearer(signed(keys, claims(act={"sub": "claude"})))
    assert acted == Bearer("ann@x.example", "agent:claude")


def test_another_claim_may_name_the_principal(keys: Keys) -> None:
    issuer = keys.issuer(OidcUse(USE.issuer, USE.audience, claim="sub"))

    assert issuer.find_bearer(signed(keys, claims(sub="user:ann"))) == Bearer("user:ann")


PAST = real.now() - timedelta(hours=1)
WRONG: dict[str, dict[str, object]] = {
    "expired": {"exp": PAST},
    "not yet": {"nbf": real.now() + timedelta(hours=1)},
    "of another issuer": {"iss": "https://evil.example"},
    "for another audience": {"aud": "payroll"},
    "for nobody": {"email": ""},
    "an id where an e-mail belongs": {"email": "user:sam"},
    "an unverified e-mail": {"email_verified": False},
    "an unverified e-mail, in words": {"email_verified": "false"},
    "an e-mail of which nothing sensible is said": {"email_verified": None},
    "of an agent without a name": {"act": {}},
    "of an agent with a list for a name": {"act": {"sub": ["a"]}},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_token_that_is_wrong_stands_for_nobody(keys: Keys, what: str) -> None:
    assert keys.issuer().find_bearer(signed(keys, claims(**WRONG[what]))) is None


@pytest.mark.parametrize("missing", ["exp", "iss", "aud", "email"])
def test_a_token_without_a_claim_stands_for_nobody(keys: Keys, missing: str) -> None:
    said = {name: value for name, value in claims().items() if name != missing}

    assert keys.issuer().find_bearer(signed(keys, said)) is None


def test_a_signature_by_anybody_else_or_of_another_kind_does_not_count(keys: Keys) -> None:
    issuer, stranger = keys.issuer(), rsa.generate_private_key(65537, 2048)
    curve = ec.generate_private_key(ec.SECP256R1())
    header = {"kid": "k1"}

    tried = [
        jwt.encode(claims(), stranger, algorithm="RS256", headers=header),
        jwt.encode(claims(), curve, algorithm="ES256", headers=header),
        jwt.encode(claims(), "a shared secret of thirty-two bytes", algorithm="HS256", headers=header),
        jwt.encode(claims(), "", algorithm="none", headers=header),
        signed(keys, claims(), kid="k2"),
    ]

    assert [issuer.find_bearer(one) for one in tried] == [None] * len(tried)


def test_keys_are_fetched_again_when_they_rotate_and_not_all_day() -> None:
    keys = Keys()
    keys.make("k1")
    issuer = keys.issuer(OidcUse(USE.issuer, USE.audience, jwks="https://id.example/keys"))
    assert issuer.find_bearer(signed(keys, claims()))
    key = keys.make("k2")
    rotated = jwt.encode(claims(), key, algorithm="RS256", headers={"kid": "k2"})

    soon = issuer.find_bearer(rotated)
    keys.now += 11
    later = issuer.find_bearer(rotated)

    assert (soon, later) == (None, Bearer("ann@x.example"))
    for number in range(100):
        issuer.find_bearer(signed(keys, claims(), kid=f"made-up-{number}"))
    assert len(keys.fetched) == 2


@given(st.text(max_size=200) | st.from_regex(r"[\w-]{0,40}\.[\w-]{0,40}\.[\w-]{0,40}", fullmatch=True))
def test_no_text_makes_an_issuer_stumble(text: str) -> None:
    assert Keys().issuer().find_bearer(text) is None


def test_an_issuer_says_for_whom_its_tokens_must_be() -> None:
    assert OidcUse.read({}) is None
    with pytest.raises(Malformed, match="MUNIMENT_OIDC_AUDIENCE"):
        OidcUse.read({"MUNIMENT_OIDC_ISSUER": "https://id.example"})
