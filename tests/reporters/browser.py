"""A headless Chromium of the system's: one start, and a page for each report in each of its looks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.real.zoo import REQUIRE
from tests.run import BROWSERS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

# A browser calls home when it starts; none of that is wanted here, and some machines let nobody out.
ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
WIDE, PHONE = 1280, 360


@dataclass(frozen=True)
class Look:
    """``scripts`` is off for a reader who runs none."""

    scheme: Literal["light", "dark"] = "light"
    width: int = WIDE
    scripts: bool = True


@dataclass
class Watched:
    """A page, and all that it asked for and complained about."""

    page: Page
    url: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def executable() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@contextmanager
def started() -> Iterator[Browser]:
    """The browser. Where there is none the running test is skipped, or fails where the environment demands one."""
    path = executable()
    if path is None:
        reason = f"none of {', '.join(BROWSERS)} is installed"
        if os.environ.get(REQUIRE) == "1":
            pytest.fail(f"{reason} ({REQUIRE}=1)")
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def looking(browser: Browser, look: Look) -> Iterator[BrowserContext]:
    """Without a network: what the page needs, it has to have with it."""
    context = browser.new_context(
        color_scheme=look.scheme,
        viewport={"width": look.width, "height": 800},
        java_script_enabled=look.scripts,
        offline=True,
    )
    try:
        yield context
    finally:
        context.close()


def opened(context: BrowserContext, path: Path, fragment: str = "") -> Watched:
    page = context.new_page()
    watched = Watched(page, path.as_uri() + fragment)
    page.on("request", lambda request: watched.requests.append(request.url))
    page.on("console", lambda message: watched.complaints.append(message.text))
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    page.goto(watched.url)
    return watched
