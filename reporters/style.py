"""How a report should look where it is going to be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """``width`` in columns; without ``unicode`` bars and frames are drawn in ASCII.

    With ``whole_lines`` nothing is shortened to the width: a file or a pipe has no edge, and what was cut off is gone.
    """

    width: int = 80
    color: bool = False
    unicode: bool = True
    whole_lines: bool = False
