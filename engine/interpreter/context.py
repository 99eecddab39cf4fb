"""What rules of one run share: the main peer, fixtures, recorder, generator, warnings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import trio

from mcp_compliance.catalog.expressions import ExpressionRaised
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import Transport
from mcp_compliance.catalog.values import Literal
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Headers
from mcp_compliance.facts.addresses import is_local, url_view
from mcp_compliance.interpreter.credentials import configured, scheme_of, token_of
from mcp_compliance.interpreter.peers import Peer, Starter
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.renewal import Renewal
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.values import Generator, Resolver
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import Network, ToolConsent
from mcp_compliance.model.secrets import Secrets

MAIN = "main"
PATIENCE = 2.0
"""Seconds; see ``Context.patience``."""


@dataclass
class Context:
    """State of a run against one target. ``timeout`` and the two budgets are in seconds."""

    revision: Revision
    transport: Transport
    starter: Starter
    recorder: Recorder
    generator: Generator
    secrets: Secrets
    timeout: float
    startup: float
    preflight: float
    version: str
    endpoint: str | None = None
    headers: Headers = ()
    network: Network = Network()
    consent: ToolConsent = ToolConsent()
    pinned: bool = False
    planned: frozenset[str] = frozenset()
    """Ids of the rules in this run: a gated rule points to the fixture's rule only when that is among them."""
    main: Peer | None = None
    answers: dict[str, Exchange] = field(default_factory=dict)
    """Fixtures of the run; those of a session stand in its peer."""
    warnings: list[str] = field(default_factory=list)
    locks: dict[str, trio.Lock] = field(default_factory=dict)
    root_overrides: JSONObject = field(default_factory=dict)
    """Members of root names that a rule case replaces."""
    passed_over: dict[str, str] = field(default_factory=dict)
    """Tools that safety left out of picks, with the reason."""
    page_limit: int | None = None
    """Pages of one list that are fetched at most, where a rule case says so."""
    stubs: JSONObject = field(default_factory=dict)
    """Results of primitives that a rule case supplies, by step name."""
    on_wait: Callable[[str], None] | None = None
    _server: tuple[tuple[Exchange | None, ...], JSON] | None = None
    """The answers that ``server`` was last read from, and what it was then."""
    _target: tuple[tuple[str | None, Headers], JSONObject] | None = None
    """The address and the headers that ``target`` was last read from, and what it was then."""
    probe: Exchange | None = None
    """The exchange by which the revision was, or would have been, recognised."""
    renewal: Renewal | None = None
    """The credential in ``headers``, where it can be asked for anew."""

    def warn(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)

    def lock(self, name: str) -> trio.Lock:
        return self.locks.setdefault(name, trio.Lock())

    def budget(self, name: str | float) -> float:
        """Seconds of a named budget, or the seconds given."""
        if isinstance(name, float):
            return name
        fixed = {"request": self.timeout, "startup": self.startup, "preflight": self.preflight}
        if name in fixed:
            return fixed[name]
        budget = self.revision.budgets[name]
        seconds = self.timeout
        if budget.at_least is not None:
            seconds = max(seconds, budget.at_least)
        if budget.at_most is not None:
            seconds = min(seconds, budget.at_most)
        return seconds

    @property
    def patience(self) -> float:
        """Seconds in which a server that is there answers a plain request: two, or where that is more three times what
        the quickest fixture of the run took, but then no more than the budget of a request.
        """
        took = [answer.ms / 1000 for answer in self.answers.values() if answer.message is not None]
        return max(PATIENCE, min(self.timeout, 3 * min(took))) if took else PATIENCE

    @property
    def credential(self) -> str | None:
        return token_of(self.headers)

    def root(self) -> dict[str, JSON]:
        """The root names that exist before any step: target, run, session, server."""
        root: dict[str, JSON] = {
            "target": self._target_view(),
            "run": {
                "version": self.version,
                "seed": self.generator.seed,
                "pinned": self.pinned,
                "insecure": self.network.insecure,
                "client_capabilities": self.client_capabilities,
                "rules": _in_order(self.planned),
            },
            "session": self.main.session_view if self.main is not None and self.main.open else None,
        }
        root["server"] = self.server_view(root)
        return _merged(root, self.root_overrides)

    def _target_view(self) -> JSONObject:
        """One shared object: a root is made for every message that is sent, and whoever sees it only reads it."""
        at = self.endpoint, self.headers
        if self._target is None or self._target[0] != at:
            view: JSONObject = {
                "transport": self.transport,
                "url": url_view(self.endpoint),
                "local": self.endpoint is None or is_local(self.endpoint),
                "credentials": "configured" if configured(self.headers) else "none",
                "auth_scheme": scheme_of(self.headers),
            }
            self._target = at, view
        return self._target[1]

    def server_view(self, root: dict[str, JSON]) -> JSON:
        """What the server said about itself, read from fixtures that are there by now; null for the rest."""
        known = tuple(self.known_answer(name) for name in self.revision.fixtures)
        if self._server is None or any(left is not right for left, right in zip(known, self._server[0], strict=True)):
            self._server = known, self._read_server(root)
        return self._server[1]

    def _read_server(self, root: dict[str, JSON]) -> JSON:
        scope = Scope(self.revision.library, {**root, **self.answered()})
        resolver = Resolver(self.generator, Picker({}, self.consent))
        return {key: resolver.comparable(value, scope) for key, value in self.revision.server.items()}

    @property
    def client_capabilities(self) -> JSON:
        """What this run declares that it can do."""
        value = self.revision.envelope.meta.get("clientCapabilities")
        return value.value if isinstance(value, Literal) else {}

    def listed_tools(self) -> list[JSON]:
        """The tools that the server has listed so far."""
        located = self.revision.picks.get("tool")
        if located is None:
            return []
        try:
            found = Scope(self.revision.library, self.answered()).evaluate(located)
        except ExpressionRaised:
            return []
        return found if isinstance(found, list) else []

    def answered(self) -> dict[str, JSON]:
        """Every fixture by name: its answer so far, null where there is none."""
        answers = {name: self.known_answer(name) for name in self.revision.fixtures}
        return {name: None if answer is None else answer.view for name, answer in answers.items()}

    def known_answer(self, name: str) -> Exchange | None:
        """A fixture's answer if it has been fetched."""
        if self.main is not None and name in self.main.answers:
            return self.main.answers[name]
        return self.answers.get(name)


@lru_cache(maxsize=16)
def _in_order(planned: frozenset[str]) -> list[JSON]:
    return [*sorted(planned)]


def _merged(root: dict[str, JSON], overrides: JSONObject) -> dict[str, JSON]:
    """Overrides of a case: members of a root name are replaced one by one."""
    for name, value in overrides.items():
        before = root.get(name)
        root[name] = {**before, **value} if isinstance(before, dict) and isinstance(value, dict) else value
    return root
