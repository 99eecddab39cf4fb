"""A rule, typed and frozen, as the interpreter runs it. ``compile`` makes these from YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from mcp_compliance.catalog.values import Located, NotGiven, Pointer, Text, Value
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.result import Force

Transport: TypeAlias = Literal["http", "stdio"]
Phase: TypeAlias = Literal["opening", "main", "late", "load", "after"]
Level: TypeAlias = Literal["required", "optional", "required-if-declared"]
CheckVerdict: TypeAlias = Literal["fail", "skip", "not-evaluable", "warn"]
Mode: TypeAlias = Literal["off", "setup_served", "pre_rpc", "attributable"]
FailOrSkip: TypeAlias = Literal["fail", "skip"]
NoAnswer: TypeAlias = Literal["fail", "skip", "judge"]
"""What becomes of a step that drew no answer; ``judge`` leaves it to the checks of the rule."""
Credentials: TypeAlias = Literal["configured", "none", "unknown", "malformed"]

PHASES: tuple[Phase, ...] = ("opening", "main", "late", "load", "after")


@dataclass(frozen=True)
class Predicate:
    """``get:`` and one predicate. ``name`` is the predicate's key; ``otherwise`` the text when it is not met."""

    subject: Located
    name: str
    expected: Value
    verdict: CheckVerdict
    otherwise: Text | None
    at: Pointer
    only: Transport | None = None
    condition: Located | None = None
    force: Force | None = None


@dataclass(frozen=True)
class That:
    """``that: <expression>``: met unless it gives null, false, "", [] or {}."""

    expression: Located
    verdict: CheckVerdict
    otherwise: Text | None
    at: Pointer
    only: Transport | None = None
    condition: Located | None = None
    force: Force | None = None


@dataclass(frozen=True)
class Several:
    """``all:`` or ``any:`` over checks."""

    kind: Literal["all", "any"]
    checks: tuple[Check, ...]
    verdict: CheckVerdict
    otherwise: Text | None
    at: Pointer
    only: Transport | None = None
    condition: Located | None = None
    force: Force | None = None


@dataclass(frozen=True)
class Each:
    """``each`` + ``as`` + ``check``: every item of a list meets the nested checks."""

    items: Located
    name: str
    checks: tuple[Check, ...]
    at: Pointer
    label: Located | None = None
    or_absent: bool = False
    only: Transport | None = None
    condition: Located | None = None


@dataclass(frozen=True)
class Exit:
    """``stop: pass | skip`` with ``if`` or ``unless``: ends the rule there when it fires."""

    verdict: Literal["pass", "skip"]
    expression: Located | None
    unless: bool
    say: Text
    at: Pointer
    only: Transport | None = None


Check: TypeAlias = Predicate | That | Several | Each | Exit


@dataclass(frozen=True)
class Credit:
    """When a refusal may be credited to the server. What a rule leaves out comes from the revision."""

    mode: Mode
    own_codes: tuple[int, ...]
    twin: str
    """Name of a fixture, ``same_without_defect`` or ``self``."""
    unattributed: FailOrSkip
    no_answer: NoAnswer
    drop: Literal["nothing", "refusal"]


Verb: TypeAlias = Literal[
    "call",
    "notify",
    "raw",
    "bytes",
    "http",
    "repeat",
    "refetch",
    "open",
    "watch",
    "stream",
    "together",
    "run",
    "none",
]


@dataclass(frozen=True)
class ForEach:
    """``for_each: {in, as, most, until}``: the step once per value, bounded."""

    items: Value
    name: str
    most: int
    until: Located | None


@dataclass(frozen=True)
class Step:
    """One step: at most one verb, what it changes of the defaults, and its checks.

    ``target`` is the verb's own value: a method, the raw text, the step or fixture or peer named, the primitive.
    """

    name: str
    verb: Verb
    at: Pointer
    target: Value | None = None
    http: Mapping[str, Value] = field(default_factory=dict)
    members: tuple[Step, ...] = ()
    times: int = 1
    arguments: Mapping[str, Value] = field(default_factory=dict)
    """``with:`` of a primitive."""
    params: Value | None = None
    meta: Mapping[str, Value] = field(default_factory=dict)
    headers: Mapping[str, Value] = field(default_factory=dict)
    query: Mapping[str, Value] = field(default_factory=dict)
    id: Value | NotGiven = field(default_factory=NotGiven)
    omit: tuple[str, ...] = ()
    defect: tuple[str, ...] = ()
    credentials: Credentials = "configured"
    session: Literal["own", "none"] = "own"
    on: str | None = None
    era: str | None = None
    opening: Literal["revision", "none"] = "revision"
    credit: Credit | None = None
    then_alive: str | None = None
    answers: Literal["mine", "any"] = "mine"
    within: str | float = "request"
    """A named budget of the revision, or seconds."""
    listen: str | float = 0.0
    until: str | Located | None = None
    close: Literal["step", "rule"] = "step"
    only: Transport | None = None
    condition: Located | None = None
    let: tuple[tuple[str, Value], ...] = ()
    for_each: ForEach | None = None
    always: bool = False
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True)
class SpecReference:
    """A sentence of a text: page and anchor below the revision's site, or a full URL; and its force."""

    url: str
    force: Force


@dataclass(frozen=True)
class SkipUnless:
    expression: Located
    say: Text


@dataclass(frozen=True)
class Case:
    """A scripted run of one rule with the verdict it must get. ``replies`` by step or fixture name, as written."""

    name: str
    on: Transport
    verdict: str
    at: Pointer
    replies: Mapping[str, JSON] = field(default_factory=dict)
    runs: Mapping[str, JSON] = field(default_factory=dict)
    root: JSONObject = field(default_factory=dict)
    sent: Mapping[str, JSON] = field(default_factory=dict)
    sends: tuple[str, ...] | None = None
    says: str | None = None
    warns: str | None = None
    filtered: bool = False


@dataclass(frozen=True)
class Rule:
    """A rule of one revision. ``path`` and the ``at`` pointers of its parts lead back to its document."""

    id: str
    title: str
    category: str
    revision: str
    level: Level
    spec: tuple[SpecReference, ...]
    why: str
    fix: str
    passes: Text
    path: Path
    capability: str | None = None
    transports: tuple[Transport, ...] = ("http", "stdio")
    phase: Phase = "main"
    requirements: tuple[str, ...] = ()
    since: str | None = None
    history: tuple[tuple[str, str], ...] = ()
    uses: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    touches: frozenset[str] = frozenset()
    skip_unless: tuple[SkipUnless, ...] = ()
    steps: tuple[Step, ...] = ()
    checks: tuple[Check, ...] = ()
    at_end: tuple[Check, ...] = ()
    cases: tuple[Case, ...] = ()

    @property
    def force(self) -> Force:
        """Force of the first sentence cited: what a failing check has unless it says otherwise."""
        return self.spec[0].force
