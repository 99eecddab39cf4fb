"""The page of a report in a real browser: accessible, readable, and usable with the keyboard alone or no script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from . import samples
from .browser import HEIGHT, PHONE, Look, Watched, started, watching
from .html_states import CURL, STATES, render

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DARK_PHONE = Look("dark", PHONE)
LEAST_CONTRAST = 4.5

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FOCUSED = """() => {
  const element = document.activeElement;
  return {tag: element.tagName, html: element.outerHTML, outline: getComputedStyle(element).outlineStyle};
}"""
# Text against what lies behind it. Colours come out of the browser as rgb(), so every theme is judged as it is seen.
CONTRASTS = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const channel = (value) => value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = numbers(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    const pair = [numbers(getComputedStyle(element).color), behind(element)].map(luminance);
    const where = `${element.tagName} ${element.className}`;
    const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    found.set(where, Math.min(contrast, found.get(where) ?? 21));
  }
  return [...found];
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    found = {name: folder / f"{name}.html" for name in STATES}
    for name, path in found.items():
        path.write_text(render(STATES[name]), encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def watched(browser: Browser) -> Iterator[Watched]:
    with watching(browser) as found:
        yield found


@pytest.fixture
def mixed(watched: Watched, pages: dict[str, Path]) -> Page:
    return watched.visit(pages["mixed"])


@pytest.mark.parametrize("name", [name for name in STATES if name != "long"])
def test_each_state_is_accessible_readable_and_quiet(watched: Watched, pages: dict[str, Path], name: str) -> None:
    """All that can be found in one visit is looked for in one visit."""
    page = watched.visit(pages[name])
    assert not [*_unreadable(page), *_inaccessible(page)]
    watched.show(DARK_PHONE)
    assert not [*_unreadable(page), *(_inaccessible(page) if name == "mixed" else ())]
    assert watched.requests == [pages[name].as_uri()]
    assert watched.complaints == []


def _unreadable(page: Page) -> Iterator[str]:
    """What the other look may differ in: what does not fit, and colours."""
    overflow = page.evaluate(OVERFLOW)
    if overflow:
        yield f"scrolls {overflow} px sideways"
    for where, contrast in page.evaluate(CONTRASTS):
        if contrast < LEAST_CONTRAST:
            yield f"contrast of {contrast:.2f} in {where}"


def _inaccessible(page: Page) -> Iterator[str]:
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    options = "{resultTypes: ['violations'], preload: false}"
    for violation in page.evaluate(f"axe.run({options}).then((found) => found.violations)"):
        yield f"{violation['id']}: {violation['nodes'][0]['html'][:200]}"


def test_very_long_texts_stay_within_a_phone(watched: Watched, pages: dict[str, Path]) -> None:
    assert watched.visit(pages["long"], look=DARK_PHONE).evaluate(OVERFLOW) == 0
    assert watched.complaints == []


def test_results_are_filtered_and_searched_with_the_keyboard(mixed: Page) -> None:
    rows, count = mixed.locator(".row:visible"), mixed.get_by_role("status").first
    assert rows.count() == len(samples.MIXED.results) == 13
    search = mixed.get_by_role("searchbox", name="Search")
    search.focus()
    mixed.keyboard.type("TOOLS list")
    assert count.text_content() == "2 of 13 rules"
    assert rows.locator(".rule").all_text_contents() == ["tools-list", "tools-schema"]
    assert mixed.locator(".group:visible").count() == 2
    mixed.keyboard.type(" nowhere")
    assert count.text_content() == "No rule fits: 0 of 13 rules"
    search.fill("")
    for name, option, fitting in (("Verdict", "skip", 3), ("Category", "prompts", 2), ("Level", "required", 0)):
        mixed.get_by_role("combobox", name=name).select_option(option)
        assert rows.count() == fitting
    mixed.get_by_role("button", name="Reset").focus()
    mixed.keyboard.press("Enter")
    rows.nth(12).wait_for()
    assert count.text_content() == "13 rules"


def test_verdicts_offered_are_those_that_occur_and_each_finds_its_rules(mixed: Page) -> None:
    options = mixed.get_by_role("combobox", name="Verdict").locator("option").all_text_contents()
    assert options == ["All (13)", "Failed (3)", "Not evaluable (1)", "Passed (5)", "Skipped (3)", "Broken (1)"]
    for option in options:
        mixed.get_by_role("combobox", name="Verdict").select_option(label=option)
        assert mixed.locator(".row:visible").count() == int(re.sub(r"\D", "", option))


def test_a_link_to_a_rule_shows_it_whatever_was_filtered_away(watched: Watched, pages: dict[str, Path]) -> None:
    page = watched.visit(pages["mixed"], "#prompts-get")
    assert _in_view(page, "prompts-get")
    page.get_by_role("combobox", name="Verdict").select_option("pass")
    assert not page.locator("[id=prompts-get]").is_visible()
    page.evaluate("location.hash = ''; location.hash = '#prompts-get'")
    page.locator("[id=prompts-get]").wait_for()
    assert _in_view(page, "prompts-get")


def test_a_link_to_a_rule_unfolds_it(watched: Watched, pages: dict[str, Path]) -> None:
    assert not watched.visit(pages["unreachable"]).locator("[id=rule-7]").is_visible()
    assert _in_view(watched.visit(pages["unreachable"], "#rule-7"), "rule-7")


def _in_view(page: Page, rule: str) -> bool:
    box = page.locator(f"[id={rule}]").bounding_box()
    return box is not None and -1 <= box["y"] < HEIGHT


def test_evidence_is_copied_as_it_was(mixed: Page) -> None:
    mixed.get_by_role("button", name="Copy: Send it again (batch), transport-batch-reject").click()
    mixed.get_by_role("status").filter(has_text="Copied").wait_for(state="attached")
    mixed.get_by_role("searchbox").focus()
    mixed.keyboard.press("Control+V")
    assert mixed.get_by_role("searchbox").input_value() == CURL


def test_the_theme_follows_the_system_until_the_reader_chooses(browser: Browser, pages: dict[str, Path]) -> None:
    with watching(browser) as own:  # the choice is remembered in it
        _choose_themes(own.visit(pages["mixed"]))


def _choose_themes(page: Page) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(background)
    assert dark != light
    page.get_by_role("button", name="Light theme").click()
    assert page.evaluate(background) == light
    page.reload()
    assert page.evaluate(background) == light
    page.get_by_role("button", name="Dark theme").click()
    assert page.evaluate(background) == dark


def test_the_keyboard_reaches_everything_and_focus_is_seen(mixed: Page) -> None:
    mixed.keyboard.press("Tab")
    assert mixed.evaluate("document.activeElement.textContent") == "Skip to the report"
    assert mixed.locator(".skip-link").bounding_box()["y"] >= 0  # type: ignore[index]
    seen = set()
    while (tag := (element := mixed.evaluate(FOCUSED))["tag"]) != "BODY" and len(seen) < 300:
        assert element["outline"] != "none", element["html"]
        seen.add((tag, element["html"]))
        mixed.keyboard.press("Tab")
    assert {tag for tag, _ in seen} == {"A", "BUTTON", "INPUT", "SELECT", "PRE"}


def test_a_reader_without_scripts_sees_everything_but_what_needs_them(browser: Browser, pages: dict[str, Path]) -> None:
    with watching(browser, scripts=False) as own:
        page = own.visit(pages["mixed"])
        assert page.locator(".row:visible").count() == 13
        assert page.locator("article:visible").count() == 3
        assert page.locator("form:visible, button:visible").count() == 0


def test_on_paper_it_is_light_and_has_no_controls(mixed: Page) -> None:
    mixed.emulate_media(media="print", color_scheme="dark")
    assert mixed.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert mixed.locator("form:visible, button:visible, nav:visible").count() == 0
    assert mixed.locator(".row:visible").count() == 13
