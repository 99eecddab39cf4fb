"""All sample reports, and those with which a server, or a file of rules, tries to be more than text."""

from __future__ import annotations

from dataclasses import replace

from mcp_compliance.model.result import Report

from . import samples
from .html_states import FULL, filled

REPORTS: dict[str, Report] = {name: value for name, value in vars(samples).items() if isinstance(value, Report)}
HOSTILE_TEXTS = {
    "cdata": "a ]]> b <![CDATA[ c",
    "script": "</script><script>alert(1)</script><img src=x onerror=alert(2)>",
    "table": "a | b |\n| --- | --- |",
    "backticks": "`` ` ```\n```\n# heading",
    "terminal": "\x1b[2J\x1b]0;owned\x07 \u202egnp.exe\u200b",
    "surrogates": "\ud800 \udfff \ufffe \uffff \x00",
    "lines": "a\r\nb\rc\x85d\u2028e\u2029::error::forged\n::stop-commands::x",
    "commands": "::stop-commands::x ##[error]y ##vso[task.setvariable variable=a]b",
    "percent": "100%25 %0A::error::x, a:b,c",
    "mention": "@octocat fixes #1, GH-2, see https://evil.example/ and www.evil.example [x](javascript:a) ![i](http://e/i)",
    "placeholders": "{0} {{1}} {} [link](1)",
    "long": "x" * 100_000,
}
HOSTILE: dict[str, Report] = {name: filled(text) for name, text in HOSTILE_TEXTS.items()}
MANY = replace(
    samples.MIXED,
    results=tuple(
        replace(samples.BATCH, id=f"rule-{number}", message="m" * 3000, fix="f" * 3000) for number in range(120)
    ),
    warnings=tuple("w" * 1000 + str(number) for number in range(80)),
)
"""More than a comment can hold."""
ALL: dict[str, Report] = {**REPORTS, **HOSTILE, "FULL": FULL, "MANY": MANY}
