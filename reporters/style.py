"""How a report should look where it is going to be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """``width`` in columns; without ``unicode`` bars and frames are drawn in ASCII."""

    width: int = 80
    color: bool = False
    unicode: bool = True
