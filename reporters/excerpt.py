"""Long texts cut to what a reader of a report can use; a server can answer with any number of characters."""

from __future__ import annotations

LONGEST = 2000
"""Characters of one text."""


def excerpt(text: str, most: int = LONGEST) -> str:
    """The first characters of ``text``, and how many more there were."""
    if len(text) <= most:
        return text
    return f"{text[:most]}… ({len(text) - most:,} more characters)"
