"""A revision: everything about one published version of the protocol that rules do not repeat, typed and frozen."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.rule import Credit, Rule, Transport
from mcp_compliance.catalog.values import Located, Pointer, Text, Value
from mcp_compliance.jsontypes import JSON, JSONObject


@dataclass(frozen=True)
class HeaderDefault:
    """A header of every HTTP request: its value over the root name ``sending``, and when it is sent.

    With ``mirror`` it stands for one header per argument of a called tool whose schema has that keyword; the ``*`` in
    ``name`` is what the keyword says. ``encoded``: what a header cannot carry goes as Base64 between sentinels.
    """

    name: str
    value: Value
    condition: Located | None = None
    mirror: str | None = None
    encoded: bool = False


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
    """A warning about the whole run. A ``caveat`` says that the grade means little, and stands first."""

    condition: Located
    say: Text
    caveat: bool


@dataclass(frozen=True)
class Reading:
    """A kind of answer to the request by which a revision is recognised. ``warn``: the report's first warning."""

    condition: Located | None
    selects_this: bool
    undetermined: bool
    note: Text
    warn: Text | None


@dataclass(frozen=True)
class RecogniseCase:
    """An answer with the reading that it has to get: part of the note, and of the first warning."""

    at: Pointer
    reply: JSONObject
    on: Transport
    credentials: Literal["configured", "none"]
    selects: str
    undetermined: bool
    note: str
    warns: str | None


@dataclass(frozen=True)
class Recognition:
    """How a server's answer to ``fixture`` tells whether this revision or ``fallback`` is graded. ``within`` and
    ``again`` are times by transport; ``pinned`` the transports on which a run that names another revision asks too."""

    fixture: str
    within: Mapping[Transport, str | float]
    again: Mapping[Transport, str | float]
    pinned: frozenset[Transport]
    fallback: str
    readings: tuple[Reading, ...]
    cases: tuple[RecogniseCase, ...]


@dataclass(frozen=True)
class Streams:
    """How streams are told apart, gone on with and ended. ``id_key`` is the ``_meta`` key on the wire that names the
    request which opened one; ``own_kind`` begins the methods that occur on streams only."""

    id_key: str | None = None
    own_kind: str | None = None
    resume: bool = False
    cancel_method: str | None = None
    """Notification that ends a stream on stdio; over HTTP the stream is dropped."""
    cancel_params: Value | None = None
    """Over the root name ``stream``, the stream's exchange."""


@dataclass(frozen=True)
class Settling:
    """What a process gets before rules meet it: a fixture's request, or the first of several that is declared, else a
    plain call of ``otherwise``."""

    fixtures: tuple[str, ...]
    otherwise: str | None = None


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
    streams: Streams
    recognition: Recognition | None
    """None for the revision that is graded when no other is recognised."""
    notices: tuple[Notice, ...]
    settle: tuple[Settling, ...]
    preflight: str
    conflicts: Mapping[str, tuple[str, ...]]
    catalogue: Mapping[str, tuple[str, ...]]
    library: Library
    payloads: Mapping[str, JSON] = field(default_factory=dict)
    model: tuple[ModelReply, ...] = ()
    model_replies: dict[Hashable, JSONObject] = field(default_factory=dict, compare=False, repr=False)
    """The model's replies so far, by what was sent."""

    @property
    def mirror_keyword(self) -> str | None:
        """The keyword by which the schema of an argument asks for a header that repeats it; None where none does."""
        return next((header.mirror for header in self.headers if header.mirror is not None), None)


@dataclass(frozen=True)
class Catalogue:
    """A revision and all its rules, in suite order. ``documents`` are what they were compiled from, by id: aliases
    are resolved, and shared, so nothing in them may be changed."""

    revision: Revision
    rules: tuple[Rule, ...]
    documents: Mapping[str, JSONObject] = field(default_factory=dict)

    def rule(self, rule_id: str) -> Rule | None:
        return next((rule for rule in self.rules if rule.id == rule_id), None)
