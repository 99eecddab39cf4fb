"""WWW-Authenticate fields: RFC 9110, section 11.6.1, and what servers make of it."""

from __future__ import annotations

import pytest

from mcp_compliance.catalog.functions.challenges import Challenge, parse_challenges

URL = "https://a.example/.well-known/oauth-protected-resource"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["Bearer"], [("bearer", {}, None)]),
        (["BEARER  Realm=x"], [("bearer", {"realm": "x"}, None)]),
        (
            ['Bearer realm="a", error="invalid_token"'],
            [("bearer", {"realm": "a", "error": "invalid_token"}, None)],
        ),
        (["Basic realm=a, Bearer"], [("basic", {"realm": "a"}, None), ("bearer", {}, None)]),
        (
            ["Basic realm=a", "Bearer error=x"],
            [("basic", {"realm": "a"}, None), ("bearer", {"error": "x"}, None)],
        ),
        (["Negotiate", "NTLM"], [("negotiate", {}, None), ("ntlm", {}, None)]),
        (["Negotiate YWI=, Basic realm=b"], [("negotiate", {}, "YWI="), ("basic", {"realm": "b"}, None)]),
        (["Negotiate a/b+c=="], [("negotiate", {}, "a/b+c==")]),
        (["Bearer , , realm=a ,, error=b,"], [("bearer", {"realm": "a", "error": "b"}, None)]),
        (['Bearer realm = "a" , error\t=\tb'], [("bearer", {"realm": "a", "error": "b"}, None)]),
        (
            ['Bearer realm="say \\"hi\\", error=\\"no\\""'],
            [("bearer", {"realm": 'say "hi", error="no"'}, None)],
        ),
        (
            ['Basic realm="Bearer error=x, y=1"'],
            [("basic", {"realm": "Bearer error=x, y=1"}, None)],
        ),
        (['Bearer realm="never closed, error=x'], [("bearer", {"realm": "never closed, error=x"}, None)]),
        ([f'Bearer resource_metadata="{URL}"'], [("bearer", {"resource_metadata": URL}, None)]),
        (
            [f"Bearer resource_metadata={URL}, error=x"],
            [("bearer", {"resource_metadata": URL, "error": "x"}, None)],
        ),
        (["Bearer error=a, error=b"], [("bearer", {"error": "a"}, None)]),
        (['Bearer realm=""'], [("bearer", {"realm": ""}, None)]),
        (["realm=orphan"], []),
        (["", " , ", '"quoted"', "=x"], []),
    ],
)
def test_fields(fields: list[str], expected: list[tuple[str, dict[str, str], str | None]]) -> None:
    assert parse_challenges(fields) == [Challenge(*item) for item in expected]


def test_hostile_fields_are_bounded() -> None:
    assert len(parse_challenges(["a," * 8000] * 50)) == 100
    assert parse_challenges(['x y="' + "\\" * 100_000])[0].scheme == "x"
