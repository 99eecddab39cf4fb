"""Reports end up in logs and terminals, which obey some texts: what a server says is never one of them."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import replace

import pytest

from mcp_compliance.cli import evidence_file, output
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.json_text import json_text
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import inert, visible

from . import samples
from .every_report import ALL

COMMAND_LINE = re.compile(r"^\s*::", re.MULTILINE)
COMMAND = re.compile(r"##\w*\[")
FORMATS = sorted(REPORTERS)


@pytest.mark.parametrize("name", FORMATS)
def test_no_line_is_a_workflow_command(name: str) -> None:
    """Of GitHub Actions: "::name::" after blanks at most, "##[name]" anywhere. One format is made of the former."""
    for title, report in ALL.items():
        if name == "terminal" and title in ("MANY", "long"):
            continue  # nothing but letters, and seconds of wrapping
        text = REPORTERS[name](report, Style(60))
        assert name == "github" or not COMMAND_LINE.search(text), title
        if name == "github":
            text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("::"))
        assert not COMMAND.search(text), title


def test_words_that_are_wrapped_to_the_start_of_a_line_are_none_either() -> None:
    broken = replace(samples.BATCH, message=" ".join(["x" * 50, "::stop-commands::"] * 3))
    text = REPORTERS["terminal"](replace(samples.MIXED, results=(broken,)), Style(60))
    assert "\\::stop-commands::" in text
    assert not COMMAND_LINE.search(text)


def test_lines_with_two_colons_in_front() -> None:
    assert inert("a ::b::\n  ::c::d\n:e\n\n\t:: f") == "a ::b::\n  \\::c::d\n:e\n\n\t\\:: f"
    assert visible("##[error]a ##vso[b] ## [c] #[d] ##") == "#\\x23[error]a #\\x23vso[b] ## [c] #[d] ##"


def test_words_on_standard_error_are_no_commands(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("the server says ##[error]\x1b[2J\nand more")
    assert capsys.readouterr().err == "mcp-compliance: the server says #\\x23[error]\\x1b[2J\nand more\n"


def test_json_says_the_same_with_nothing_that_a_terminal_obeys() -> None:
    strange = (
        "".join(chr(code) for code in range(0x3000) if unicodedata.category(chr(code)) in ("Cc", "Zl", "Zp"))
        + "\u00ad\u200b\u200e\u202e\u2066\ufeff\U000e0041 é漢\U0001f600 ##[error] \\##[error]"
    )
    for indent in (None, 1, 2):
        text = json_text({"a": strange, "b##[": [strange]}, indent=indent)
        assert json.loads(text) == {"a": strange, "b##[": [strange]}
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", text)
        assert "é漢\U0001f600 #\\u0023[error]" in text
        assert text.count("\n") == (1 if indent is None else text.count("\n"))
    assert json_text({"a": "\ud800"}) == '{"a":"\ufffd"}\n'


def test_evidence_is_no_command() -> None:
    text = json_text(evidence_file.document(replace(ALL["commands"], error="##[x]\x9b")), indent=1)
    assert not COMMAND.search(text)
    assert "\x9b" not in text
