"""What a run is asked to do. The command line and the programming interface both end here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

FailOn: TypeAlias = Literal["must", "required", "any"]

LONGEST_WAIT = 365 * 86_400_000
"""Milliseconds that stand for every longer wait: numbers of any length may be asked for, and clocks have an end."""


@dataclass(frozen=True)
class HttpTarget:
    """A Streamable HTTP endpoint. ``headers`` go with every request, credentials included."""

    url: str
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Parts of the others that must never be shown, besides those that look secret where they stand."""

    transport: Literal["http"] = "http"

    @property
    def display(self) -> str:
        return self.url


@dataclass(frozen=True)
class StdioTarget:
    """A command that speaks MCP on its standard input and output. ``env`` is added to the tool's own environment."""

    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: Path | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Parts of the others that must never be shown, besides those that look secret where they stand."""

    transport: Literal["stdio"] = "stdio"

    @property
    def display(self) -> str:
        return "stdio:" + " ".join(self.command)


Target: TypeAlias = HttpTarget | StdioTarget


@dataclass(frozen=True)
class Network:
    """How connections to a URL are made. Each option reaches every request of a run."""

    ca_file: Path | None = None
    """PEM certificates to trust in place of the usual ones."""
    insecure: bool = False
    """Whoever answers is believed: certificates are not checked."""
    proxy: str | None = field(default=None, repr=False)
    """URL of a proxy, its credentials in it; None asks HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY of the system."""


@dataclass(frozen=True)
class ToolConsent:
    """Which tools may be called. ``only`` and ``skip`` are tool names."""

    safe: bool = False
    """Only tools annotated ``readOnlyHint: true``."""
    allow_destructive: bool = False
    only: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()
    dry_run: bool = False
    """Nothing is sent to tools; the report says what would be called."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a run is asked to do, whatever its target. Times in milliseconds, as on the command line; None means the
    documented default.
    """

    spec_version: str | None = None
    """A revision; None grades the newest one that the server speaks."""
    timeout: int = 15_000
    startup_timeout: int | None = None
    preflight_timeout: int | None = None
    retries: int = 0
    only: Sequence[str] = ()
    """Categories and ids of rules that run; none stands for all. Each text may name several, between commas."""
    skip: Sequence[str] = ()
    """Categories and ids of rules that do not run."""
    concurrency: int = 1
    seed: int | None = None
    tools: ToolConsent = ToolConsent()
    network: Network = Network()
    auth_command: tuple[str, ...] = field(default=(), repr=False)
    """Prints the value of the Authorization header; asked before the run, and once more after a 401."""
    keep_exchanges: bool = False
    """Results hold their exchanges whole, for an evidence file."""

    @property
    def request_seconds(self) -> float:
        return _seconds(self.timeout)

    @property
    def startup_seconds(self) -> float:
        return _seconds(max(self.timeout, 60_000) if self.startup_timeout is None else self.startup_timeout)

    @property
    def preflight_seconds(self) -> float:
        return _seconds(min(self.timeout, 10_000) if self.preflight_timeout is None else self.preflight_timeout)


def _seconds(milliseconds: int) -> float:
    return min(milliseconds, LONGEST_WAIT) / 1000


@dataclass(frozen=True)
class RunOptions(Options):
    """Options of one run, with its target."""

    target: Target
    forward_stderr: bool = False
    """The listener is told what a stdio server writes to its standard error."""
