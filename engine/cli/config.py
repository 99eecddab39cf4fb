"""Configuration files: which one is read, and what it sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.cli.saved_target import SavedTarget


@dataclass(frozen=True)
class Config:
    """What a file sets. ``options`` maps names of parameters of the commands (``min_grade``) to values."""

    path: Path
    options: Mapping[str, object] = field(default_factory=dict)
    target: SavedTarget | None = None


def load(path: Path | None, folder: Path) -> Config | None:
    """The file ``path``, or else the first that ``folder`` has. Raises `UserError`."""
    return None
