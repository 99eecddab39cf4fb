"""``target.auth_scheme``: how the run authenticates, without the secret."""

from __future__ import annotations

import pytest

from mcp_compliance.exchange.sending import Headers
from mcp_compliance.interpreter.credentials import scheme_of
from mcp_compliance.jsontypes import JSONObject
from tests.interpreter.made import play


@pytest.mark.parametrize(
    ("headers", "scheme"),
    [
        ((("Authorization", "Bearer t"),), "bearer"),
        ((("authorization", "basic dTpw"),), "basic"),
        ((("Authorization", "plainkey"),), None),
        ((("X-Api-Key", "k"),), None),
        ((("Authorization", " "),), None),
        ((), None),
    ],
)
def test_the_scheme_is_read_from_the_authorization_header(headers: Headers, scheme: str | None) -> None:
    assert scheme_of(headers) == scheme


def seen(target: JSONObject) -> str:
    rule: JSONObject = {"check": [{"get": "target.auth_scheme", "is": 1, "else": "{target.auth_scheme}"}]}
    return play(rule, {"verdict": "fail", "root": {"target": target}}).message


def test_rules_see_it() -> None:
    assert seen({"credentials": "configured"}) == "MUST: bearer"
    assert seen({"credentials": "none"}) == "MUST: null"


def test_a_case_may_name_another() -> None:
    assert seen({"credentials": "configured", "auth_scheme": None}) == "MUST: null"
