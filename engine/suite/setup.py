"""What one run has from its beginning to its end, whichever revision it comes to grade."""

from __future__ import annotations

import secrets as randomness
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from mcp_compliance import __version__
from mcp_compliance.catalog.index import IndexFileError
from mcp_compliance.catalog.kept import kept_revision, stamp_of
from mcp_compliance.catalog.load import CatalogueError, known_folders
from mcp_compliance.catalog.positions import DocumentError
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.renewal import Renewal
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.interpreter.values import Generator
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import HttpTarget, RunOptions
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.suite.lifeline import Lifeline
from mcp_compliance.suite.own_headers import sendable
from mcp_compliance.suite.starters import Connect
from mcp_compliance.wire.auth_command import ask, learn

CLOSING = 10.0
"""Seconds for ending the session and the child at the end of a run, Ctrl+C included."""


def secrets_of(options: RunOptions) -> Secrets:
    """All that is secret about a run before it begins."""
    from mcp_compliance.wire import proxies

    secrets = Secrets.of_target(options.target)
    if isinstance(options.target, HttpTarget):
        for value in proxies.secrets_of(options.network):
            secrets.add(value)
    return secrets


async def first_credential(options: RunOptions, secrets: Secrets) -> Renewal | None:
    """The credential of a run that has to ask for it. Raises ``CredentialError``."""
    if not options.auth_command or not isinstance(options.target, HttpTarget):
        return None

    async def ask_for_it() -> str:
        return await ask(options.auth_command, secrets)

    renewal = Renewal(await ask_for_it(), ask_for_it)
    learn(secrets, renewal.value)
    return renewal


@dataclass(frozen=True)
class Side:
    """The run as a client of one revision."""

    context: Context
    sender: Sender
    opener: Opener
    lifeline: Lifeline

    @property
    def revision(self) -> Revision:
        return self.context.revision


@dataclass
class Setup:
    """Options, target, recording, secrets and ids. ``folders`` are those of the known revisions, oldest first."""

    options: RunOptions
    listener: Listener
    nursery: trio.Nursery
    connect: Connect
    folders: Mapping[str, Path]
    secrets: Secrets
    renewal: Renewal | None = None

    def __post_init__(self) -> None:
        target = self.options.target
        self.headers = sendable(target.headers) if isinstance(target, HttpTarget) else ()
        self.recorder = Recorder()
        seed = self.options.seed if self.options.seed is not None else randomness.randbelow(2**31)
        first = self.revision(self.options.spec_version or list(self.folders)[-1])
        # one sequence of ids for all revisions: a late answer to the first must not be taken for one to the second
        self.generator = Generator(seed, first.envelope.first_id)
        forward = self._forward if self.options.forward_stderr else None
        self.starter = self.connect(self.options, first, self.recorder, self.nursery, forward)

    def _forward(self, line: str) -> None:
        self.listener.server_stderr(self.secrets.mask(line))

    def revision(self, name: str) -> Revision:
        """Raises what loading a revision raises."""
        folder = self.folders[name]
        return kept_revision(folder, stamp_of(folder))

    def side(self, revision: Revision) -> Side:
        """The run in the terms of this revision. Nothing is sent."""
        self.starter.speak(revision)
        options = self.options
        context = Context(
            revision=revision,
            transport=options.target.transport,
            starter=self.starter,
            recorder=self.recorder,
            generator=self.generator,
            secrets=self.secrets,
            timeout=options.request_seconds,
            startup=options.startup_seconds,
            preflight=options.preflight_seconds,
            version=__version__,
            endpoint=options.target.url if isinstance(options.target, HttpTarget) else None,
            headers=self.headers if self.renewal is None else self.renewal.over_headers(self.headers),
            network=options.network,
            consent=options.tools,
            pinned=options.spec_version is not None,
            on_wait=self.listener.status,
            renewal=self.renewal,
        )
        sender = Sender(context)
        opener = Opener(context, sender)
        return Side(context, sender, opener, Lifeline(context, sender, opener))


@asynccontextmanager
async def set_up(options: RunOptions, listener: Listener, connect: Connect, rules: Path | None) -> AsyncIterator[Setup]:
    """A run's setup with all that goes on behind it, which ends with it. ``rules`` as in ``run_suite``.

    Raises ``CredentialError`` when ``auth_command`` prints no credential, before anything is connected, and
    ``IndexFileError``, ``CatalogueError`` and ``DocumentError``, from inside too, as they are and in no group.
    """
    secrets = secrets_of(options)
    renewal = await first_credential(options, secrets)
    try:
        async with trio.open_nursery() as nursery:
            yield Setup(options, listener, nursery, connect, known_folders(rules), secrets, renewal)
            nursery.cancel_scope.cancel()
    except ExceptionGroup as group:
        first = group.exceptions[0]
        if isinstance(first, (IndexFileError, CatalogueError, DocumentError)):
            raise first from None
        raise


async def within_bounds(close: Callable[[], Awaitable[None]]) -> None:
    """Close, however the run ended, and within ``CLOSING``."""
    with trio.move_on_after(CLOSING, shield=True):
        await close()
