"""--only and --skip."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from mcp_compliance.suite.filters import select, split_values


@dataclass(frozen=True)
class Rule:
    id: str
    category: str
    transports: tuple[str, ...] = ("http", "stdio")


RULES = (
    Rule("transport-post", "transport", ("http",)),
    Rule("stdio-framing", "transport", ("stdio",)),
    Rule("lifecycle-init", "lifecycle"),
    Rule("lifecycle-ping", "lifecycle"),
    Rule("cors", "security", ("http",)),
)


def kept(**filters: object) -> str:
    return " ".join(rule.id for rule in select(RULES, **filters).kept)  # type: ignore[arg-type]


def warned(**filters: object) -> tuple[str, ...]:
    return select(RULES, **filters).warnings  # type: ignore[arg-type]


def test_values_are_comma_separated_and_repeatable() -> None:
    assert split_values(["a, b", "c", "", " a ,"]) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "transport-post stdio-framing lifecycle-init lifecycle-ping cors"),
        ({"transport": "stdio"}, "stdio-framing lifecycle-init lifecycle-ping"),
        ({"only": ["transport"]}, "transport-post stdio-framing"),
        ({"only": ["lifecycle-ping,transport"], "transport": "http"}, "transport-post lifecycle-ping"),
        ({"skip": ["lifecycle", "cors"]}, "transport-post stdio-framing"),
        ({"only": ["lifecycle"], "skip": ["lifecycle-init"]}, "lifecycle-ping"),
        ({"only": ["cors"], "skip": ["security"]}, ""),
        ({"only": ["nothing"]}, ""),
    ],
)
def test_selection(filters: dict[str, object], expected: str) -> None:
    assert kept(**filters) == expected


@pytest.mark.parametrize(
    ("filters", "warnings"),
    [
        (
            {"only": ["lifecyle"]},
            ("--only lifecyle: matches no category and no rule of this revision; did you mean lifecycle?",),
        ),
        ({"skip": ["xyzzy"]}, ("--skip xyzzy: matches no category and no rule of this revision",)),
        (
            {"only": ["transport-post"], "transport": "stdio"},
            ("--only transport-post: applies over http only, and this run is over stdio",),
        ),
        (
            {"only": ["security,lifecycle"], "transport": "stdio"},
            ("--only security: applies over http only, and this run is over stdio",),
        ),
        ({"only": ["transport"], "transport": "stdio"}, ()),
        ({"skip": ["cors"], "transport": "stdio"}, ()),
        ({"only": ["lifecycle"], "skip": ["cors"]}, ()),
    ],
)
def test_warnings(filters: dict[str, object], warnings: tuple[str, ...]) -> None:
    assert warned(**filters) == warnings
