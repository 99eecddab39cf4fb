"""What starters of tests have in common: they need not know which revision is spoken, and leave nothing to end."""

from __future__ import annotations

from mcp_compliance.catalog.revision import Revision
from mcp_compliance.wire.wire import Wire


class NothingToEnd:
    """To be given a ``start``."""

    @property
    def redirected_to(self) -> str | None:
        return None

    def speak(self, revision: Revision) -> None:
        return

    async def release(self, wire: Wire) -> None:
        await wire.aclose()

    async def aclose(self) -> None:
        return
