"""A draft: what a step asks to be sent, its values resolved, before the revision's defaults are applied."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mcp_compliance.catalog.rule import Credentials
from mcp_compliance.catalog.values import NOT_GIVEN, NotGiven
from mcp_compliance.exchange.sending import Answers
from mcp_compliance.jsontypes import JSON, JSONObject


@dataclass(frozen=True)
class Draft:
    """Times in seconds. ``raw`` replaces the message's bytes; ``bare`` is an HTTP request without JSON-RPC message."""

    step: str
    method: str | None = None
    params: JSON | NotGiven = NOT_GIVEN
    notification: bool = False
    raw: bytes | None = None
    bare: bool = False
    http_method: str = "POST"
    url: str | None = None
    meta: JSONObject = field(default_factory=dict)
    headers: JSONObject = field(default_factory=dict)
    query: JSONObject = field(default_factory=dict)
    id: JSON | NotGiven = NOT_GIVEN
    omit: tuple[str, ...] = ()
    credentials: Credentials = "configured"
    session: bool = True
    answers: Answers = "mine"
    within: float = 15.0
    listen: float = 0.0
    era: str | None = None

    def without(self, names: tuple[str, ...]) -> Draft:
        """The same request conformant again: no omissions, and without the named members (``params.cursor``)."""
        params = dict(self.params) if isinstance(self.params, dict) else self.params
        meta, headers = dict(self.meta), dict(self.headers)
        for name in names:
            place, _, member = name.partition(".")
            if place == "params" and isinstance(params, dict):
                params.pop(member, None)
            elif place == "meta":
                meta.pop(member, None)
            elif place == "header":
                headers = {name: value for name, value in headers.items() if name.lower() != member.lower()}
        return replace(self, params=params, meta=meta, headers=headers, omit=(), id=NOT_GIVEN, listen=0.0)

    def anew(self, omit: tuple[str, ...], meta: JSONObject, headers: JSONObject, step: str) -> Draft:
        """The same request under a new id, with further changes."""
        kept = {name: value for name, value in self.meta.items() if f"meta.{name}" not in omit}
        return replace(
            self,
            step=step,
            id=NOT_GIVEN,
            omit=(*self.omit, *omit),
            meta={**kept, **meta},
            headers={**self.headers, **headers},
        )
