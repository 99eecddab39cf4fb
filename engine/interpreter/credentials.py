"""What becomes of the configured credential when a step asks for none, an unknown, or a malformed one."""

from __future__ import annotations

import re

from mcp_compliance.catalog.rule import Credentials
from mcp_compliance.exchange.sending import Headers
from mcp_compliance.interpreter.values import Generator

CREDENTIAL_HEADER = re.compile(
    r"cookie|(.*[-_])?auth(?!or\b).*|.*(api-?key|token|secret|passw|credential|signature|session-?key).*",
    re.IGNORECASE,
)
MALFORMED = 'Bearer "not a token", ,;= '
"""Outside the token68 grammar of RFC 9110 section 11.2 and of RFC 6750 section 2.1."""


def is_credential(name: str) -> bool:
    """Whether a header that the user configured carries a credential, by its name."""
    return CREDENTIAL_HEADER.fullmatch(name) is not None


def configured(headers: Headers) -> bool:
    return any(is_credential(name) for name, _ in headers)


def token_of(headers: Headers) -> str | None:
    """The token of the configured Authorization header, without its scheme; else the first credential's value."""
    values = {name.lower(): value.strip() for name, value in headers if is_credential(name)}
    if "authorization" in values:
        scheme, _, token = values["authorization"].partition(" ")
        return token.strip() or scheme
    return next(iter(values.values()), None)


def scheme_of(headers: Headers) -> str | None:
    """The scheme of the configured Authorization header in lower case; None without one, or where it is a bare key."""
    values = [value.split() for name, value in headers if name.lower() == "authorization"]
    return values[-1][0].lower() if values and len(values[-1]) > 1 else None


def with_credentials(headers: Headers, wanted: Credentials, generator: Generator) -> Headers:
    """The user's headers with their credentials replaced as the step asks. The unknown one is the same all run."""
    if wanted == "configured":
        return headers
    others = tuple((name, value) for name, value in headers if not is_credential(name))
    if wanted == "none":
        return others
    if wanted == "malformed":
        return (*others, ("Authorization", MALFORMED.strip()))
    token = token_of(headers)
    generator = generator.apart("credential")
    made = generator.like(token) if token else generator.uuid().replace("-", "")
    return (*others, ("Authorization", f"Bearer {made}"))
