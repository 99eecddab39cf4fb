"""The word that a misspelt one was meant to be."""

from __future__ import annotations

import pytest

from mcp_compliance.catalog.closest_word import closest_word, one_slip


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("msot", ["must", "most"], "most"),
        ("Most", ["must", "most"], "most"),
        ("mst", ["most"], "most"),
        ("moost", ["must", "most"], "most"),
        ("sett", ["bytes", "set"], "set"),
        ("has_verdict", ["verdict"], "verdict"),
        ("zzz", ["must", "most"], None),
        ("x", [], None),
    ],
)
def test_a_single_slip_goes_before_similarity(word: str, known: list[str], meant: str | None) -> None:
    assert closest_word(word, known) == meant


@pytest.mark.parametrize(
    ("word", "other", "slip"),
    [
        ("form", "from", True),
        ("frm", "from", True),
        ("fromm", "from", True),
        ("fron", "from", True),
        ("from", "from", False),
        ("morf", "from", False),
        ("a", "b", False),
    ],
)
def test_one_slip(word: str, other: str, slip: bool) -> None:
    assert one_slip(word, other) is slip
    assert one_slip(other, word) is slip
