"""Shared answers: fetched on demand, at most once, by whichever rule first needs them; lists with all their pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import trio

from mcp_compliance.attribution.sentences import failure
from mcp_compliance.catalog.revision import Fixture
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.declared import is_declared
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.interpreter.session_keeper import SessionKeeper
from mcp_compliance.jsontypes import JSON, JSONObject

MOST_PAGES = 100
HEAVIEST_WALK = 64 * 1024 * 1024
"""Estimated bytes of what arrives while the pages of one list are fetched: all of them are kept for the whole run."""
LONGEST_WALK = 60.0
"""Seconds for all pages of one list."""


@dataclass
class Fixtures:
    """Fetches fixtures for the rules of one run."""

    context: Context
    sender: Sender
    opener: Opener

    def __post_init__(self) -> None:
        self.keeper = SessionKeeper(self.context, self.sender, self.opener)

    async def get(self, name: str, peer: Peer) -> Exchange | None:
        """The answer, fetched now if need be; None when the server does not declare its capability."""
        fixture = self.context.revision.fixtures[name]
        if fixture.capability is not None and not is_declared(fixture.capability, self.context.root()):
            return None
        kept = peer.answers if fixture.share == "session" else self.context.answers
        async with self.context.lock(name):
            if name not in kept:
                kept[name] = await self.fetch(fixture, peer)
            return kept[name]

    def forget(self, doubtful: Callable[[Exchange], bool]) -> None:
        """Fetch these shared answers anew when they are needed again. Those that open a session stay with it."""
        for name, answer in list(self.context.answers.items()):
            if doubtful(answer):
                del self.context.answers[name]

    async def fetch(self, fixture: Fixture, peer: Peer, step: str | None = None) -> Exchange:
        """The fixture's request now, with all pages where it has pages."""
        draft = self.opener.fixture_draft(fixture, step=step)
        first = await self.keeper.send(draft, peer)
        if not fixture.pages or fixture.items is None:
            return first
        return await self._walk(first, draft, fixture.items, peer)

    async def _walk(self, first: Exchange, draft: Draft, items: str, peer: Peer) -> Exchange:
        pages, seen = [first], set[str]()
        recorder = self.context.recorder
        enough = recorder.weight + HEAVIEST_WALK
        circle: str | None = None
        cut = False
        with trio.move_on_after(LONGEST_WALK) as walk:
            while (cursor := _cursor(pages[-1])) is not None:
                if cursor in seen:
                    circle = cursor
                    break
                if len(pages) >= (self.context.page_limit or MOST_PAGES) or recorder.weight > enough:
                    cut = True
                    break
                seen.add(cursor)
                params: JSONObject = {
                    **(draft.params if isinstance(draft.params, dict) else {}),
                    "cursor": cursor,
                }
                pages.append(await self.keeper.send(replace(draft, params=params), peer))
        found: list[JSON] = []
        for page in pages:
            listed = page.result.get(items) if isinstance(page.result, dict) else None
            found.extend(listed if isinstance(listed, list) else [])
        if len(pages) > 1 and (pages[-1].message is None or "result" not in pages[-1].message):
            self.context.warn(
                f"{draft.method}: page {len(pages)} was not served ({failure(pages[-1])}), "
                f"so only the {len(found)} items before it were judged"
            )
        whole = first.with_extra(
            pages=[page.view for page in pages], items=found, circle=circle, cut=cut or walk.cancelled_caught
        )
        return replace(whole, further=tuple(pages[1:]))


def _cursor(page: Exchange) -> str | None:
    """The cursor of the next page: any string, the empty one included."""
    cursor = page.result.get("nextCursor") if isinstance(page.result, dict) else None
    return cursor if isinstance(cursor, str) else None
