"""A revision: everything about one published version of the protocol that rules do not repeat, typed and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.rule import Credit, Rule
from mcp_compliance.catalog.values import Located, Text, Value
from mcp_compliance.jsontypes import JSON, JSONObject


@dataclass(frozen=True)
class HeaderDefault:
    """A header of every HTTP request: its value over the root name ``sending``, and when it is sent."""

    name: str
    value: Value
    condition: Located | None = None


@dataclass(frozen=True)
class Envelope:
    """What every message starts from. ``meta_prefix`` maps short ``_meta`` names to the keys on the wire."""

    jsonrpc: str
    first_id: int
    meta: Mapping[str, Value] = field(default_factory=dict)
    meta_prefix: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Fixture:
    """A shared answer, fetched on demand and at most once per run (``share: session``: once per session)."""

    name: str
    call: str
    params: Value | None
    rule: str | None
    """The rule that judges it; rules which use it point there."""
    capability: str | None = None
    pages: bool = False
    items: str | None = None
    within: str | float = "request"
    share: Literal["run", "session"] = "run"
    then_notify: str | None = None
    credentials: Literal["configured", "none", "unknown", "malformed"] = "configured"


@dataclass(frozen=True)
class Sessions:
    """How a session is opened, named, and closed where the revision has sessions."""

    open: str
    id: Located
    version: Located
    close_method: str
    lost: Located | None


@dataclass(frozen=True)
class Budget:
    """A named time: the request timeout, raised to at least or cut to at most so many seconds."""

    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class Resend:
    """The one resend of a request that drew one of these statuses, after Retry-After within bounds (seconds)."""

    on: tuple[int, ...]
    at_most: float
    otherwise: float


@dataclass(frozen=True)
class CreditDefaults:
    setup: str
    default: Credit
    before_rpc: tuple[int, ...]
    resend: Resend


@dataclass(frozen=True)
class Notice:
    """A warning about the whole run."""

    condition: Located
    say: Text


@dataclass(frozen=True)
class ServerRequestAnswer:
    """How a request that the server sends is answered; ``method`` ``*`` stands for all others."""

    method: str
    answer: JSONObject


@dataclass(frozen=True)
class ModelReply:
    """One line of the conforming scripted server that fills what a case leaves out. Both are over the root name
    ``sending``."""

    condition: Located
    reply: Value


@dataclass(frozen=True)
class Revision:
    """One catalogue with its defaults. ``catalogue`` maps each category to its rule ids in suite order."""

    revision: str
    site: str
    folder: Path
    envelope: Envelope
    headers: tuple[HeaderDefault, ...]
    sessions: Sessions | None
    budgets: Mapping[str, Budget]
    fixtures: Mapping[str, Fixture]
    server: Mapping[str, Value]
    picks: Mapping[str, Located]
    credit: CreditDefaults
    answers: tuple[ServerRequestAnswer, ...]
    cancel_method: str | None
    """Notification that ends a stream on stdio; over HTTP the stream is dropped."""
    cancel_params: Value | None
    """Over the root name ``stream``, the stream's exchange."""
    notices: tuple[Notice, ...]
    settle: tuple[str, ...]
    preflight: str
    conflicts: Mapping[str, tuple[str, ...]]
    catalogue: Mapping[str, tuple[str, ...]]
    library: Library
    payloads: Mapping[str, JSON] = field(default_factory=dict)
    model: tuple[ModelReply, ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """A revision and all its rules, in suite order."""

    revision: Revision
    rules: tuple[Rule, ...]

    def rule(self, rule_id: str) -> Rule | None:
        return next((rule for rule in self.rules if rule.id == rule_id), None)
