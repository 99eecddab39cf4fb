"""The badge: one image that says what it shows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from mcp_compliance.model.result import Report
from mcp_compliance.reporters import BADGE
from mcp_compliance.reporters.badge import COLORS, UNMEASURED
from mcp_compliance.reporters.style import Style

from . import samples
from .every_report import ALL
from .golden import compare

SVG = "{http://www.w3.org/2000/svg}"


def render(report: Report) -> str:
    return BADGE(report, Style())


def test_golden() -> None:
    compare(Path("mixed.svg"), render(samples.MIXED))


@pytest.mark.parametrize("report", ALL.values(), ids=ALL)
def test_says_in_words_what_it_shows_and_loads_nothing(report: Report) -> None:
    text = render(report)
    image = fromstring(text)
    assert image.attrib["role"] == "img"
    title = image.findtext(f"{SVG}title")
    assert title == image.attrib["aria-label"]
    shown = [element.text for element in image.iter(f"{SVG}text")]
    assert title == f"{shown[0]}: {shown[1]} (MCP {report.spec_version})"
    assert not re.search(r"href|url\(|<style|<script|@import", text)
    assert len(text) < 2000


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (samples.MIXED, "D 55/100"),
        (samples.CLEAN, "A 100/100"),
        (samples.ALL_SKIPPED, "not measured"),
        (samples.NOTHING, "not measured"),
        (samples.UNREACHABLE, "not measured"),
        (samples.NOT_STARTABLE, "not measured"),
    ],
)
def test_what_it_says(report: Report, said: str) -> None:
    text = render(report)
    assert f">{said}</text>" in text
    assert (UNMEASURED in text) == (said == "not measured")


@pytest.mark.parametrize("color", [*COLORS.values(), UNMEASURED])
def test_white_can_be_read_on_every_colour(color: str) -> None:
    """WCAG 2: a contrast of 4.5 at least."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5


def test_a_revision_from_a_file_of_rules_is_text() -> None:
    image = fromstring(render(replace(samples.MIXED, spec_version='"><script>&\x00')))
    assert image.findtext(f"{SVG}title") == 'MCP compliance: D 55/100 (MCP "><script>&\\x00)'
