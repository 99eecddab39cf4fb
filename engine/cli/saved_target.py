"""A target that a file describes: a configuration file, or an .mcp.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class SavedTarget:
    """Either ``url`` with ``headers``, or ``command`` with ``env`` and ``cwd``. ``place`` says where it was read, for
    messages. References to the environment (``${NAME}``) are still in the texts. ``headers`` win over ``header_file``,
    and ``env`` over ``env_file``.
    """

    place: str
    url: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    header_file: Path | None = None
    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    env_file: Path | None = None
    cwd: Path | None = None

    @property
    def transport(self) -> Literal["http", "stdio"]:
        return "stdio" if self.url is None else "http"
