"""What one rule came to, and the report of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.evidence import ExchangeRecord

if TYPE_CHECKING:
    from mcp_compliance.model.scoring import Counts

Verdict: TypeAlias = Literal["pass", "fail", "skip", "not-evaluable", "broken"]
VERDICTS: Mapping[Verdict, str] = {
    "pass": "measured, and it conforms",
    "fail": "measured, and it does not conform",
    "skip": "nothing was measured",
    "not-evaluable": "the question was put, but the answer cannot be credited to the server",
    "broken": "the rule or the engine is wrong; nothing is said of the server",
}

Force: TypeAlias = Literal["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "REQUIRED", "none"]
Grade: TypeAlias = Literal["A", "B", "C", "D", "F"]
Overall: TypeAlias = Literal["pass", "partial", "fail"]


@dataclass(frozen=True)
class EvidenceLine:
    """One exchange behind a verdict, in two short lines for people; secrets are masked already."""

    step: str
    sent: str
    received: str
    curl: str | None = None
    """Over HTTP, a command line that sends the same again; a secret stands in it as a variable of the shell."""


@dataclass(frozen=True)
class Result:
    """Verdict of one rule. ``message`` is the sentence for people; a failure's begins with its force or reading."""

    id: str
    name: str
    category: str
    verdict: Verdict
    message: str
    required: bool
    """After the capability upgrade: what counts in this run."""
    duration_ms: int
    spec_ref: str | None = None
    force: Force | None = None
    """Force of the sentence that was violated; None unless the verdict is fail or not-evaluable."""
    requirements: tuple[str, ...] = ()
    why: str = ""
    fix: str = ""
    cause: str | None = None
    """Id of the root cause (the rule, or ``unreachable``) that this failure or skip only follows from."""
    origin: str | None = None
    evidence: tuple[EvidenceLine, ...] = ()
    expected: bool = False
    """A failure that the user has listed as known: shown, and no reason to fail a build."""
    expected_because: str = ""
    """The reason that the user gave for it."""
    exchanges: tuple[ExchangeRecord, ...] = ()
    """Everything sent and received behind the verdict, where an evidence file was asked for."""

    @property
    def passed(self) -> bool:
        """As report v1 has it: a skip counts as passed, and is flagged."""
        return self.verdict in ("pass", "skip")

    @property
    def skipped(self) -> bool:
        return self.verdict == "skip"

    @property
    def scored(self) -> bool:
        return self.verdict in ("pass", "fail", "not-evaluable")

    @property
    def violates_must(self) -> bool:
        return self.verdict == "fail" and self.force in ("MUST", "MUST NOT", "REQUIRED")


@dataclass(frozen=True)
class ServerInfo:
    """What the server said about itself."""

    protocol_version: str | None = None
    name: str | None = None
    version: str | None = None
    capabilities: JSONObject = field(default_factory=dict)


@dataclass(frozen=True)
class Listing:
    """A list feature as the report counts it: the first page."""

    count: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Detection:
    """How the revision was chosen: ``era`` is detected, pinned, or undetermined."""

    era: str
    reason: str


@dataclass(frozen=True)
class Report:
    """A finished run. Everything that reporters print is in here; they get nothing else.

    ``error`` is set when the job could not be done (unreachable, not startable): one line for people.
    """

    spec_version: str
    tool_version: str
    url: str
    transport: Literal["http", "stdio"]
    timestamp: str
    """ISO 8601, UTC."""
    results: tuple[Result, ...]
    warnings: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    """The first of the warnings, where they say that the grade means little: people read them before it."""
    server: ServerInfo = ServerInfo()
    tools: Listing = Listing()
    resources: Listing = Listing()
    prompts: Listing = Listing()
    seed: int = 0
    error: str | None = None
    detection: Detection | None = None
    durations: Mapping[str, int] = field(default_factory=dict)
    """Wall clock in ms: total, waiting (sum of request-to-answer times), startup (to the first byte)."""

    # What is computed from the results is computed in one place, which knows them and is not known to them.

    @property
    def score(self) -> int:
        """0 to 100."""
        from mcp_compliance.model import scoring

        return scoring.score(self.results)

    @property
    def grade(self) -> Grade:
        from mcp_compliance.model import scoring

        return scoring.grade(self.score)

    @property
    def overall(self) -> Overall:
        """``fail`` if nothing ran or a required rule failed, ``pass`` if nothing failed, else ``partial``."""
        from mcp_compliance.model import scoring

        return scoring.overall(self.results)

    @property
    def counts(self) -> Counts:
        """How many rules ran, passed, failed, were skipped, and so on."""
        from mcp_compliance.model import scoring

        return scoring.counts(self.results)
