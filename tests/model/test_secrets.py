"""Secrets are masked in whatever form they may be printed."""

from __future__ import annotations

from urllib.parse import urlencode

from mcp_compliance.model.secrets import Secrets


def test_a_token_is_masked_with_and_without_its_scheme() -> None:
    secrets = Secrets.of([("Authorization", "Bearer t0ken/+==")], {})
    assert secrets.mask("authorization: Bearer t0ken/+==; t0ken/+==") == "authorization: ***; ***"


def test_a_token_in_a_query_is_masked() -> None:
    token = "a/b+c= d"
    secrets = Secrets([token])
    assert secrets.mask(f"https://server.example/mcp?{urlencode({'access_token': token})}") == (
        "https://server.example/mcp?access_token=***"
    )
    assert secrets.mask("?t=a%2Fb%2Bc%3D%20d") == "?t=***"
