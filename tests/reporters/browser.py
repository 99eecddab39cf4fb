"""A headless Chromium of the system's: one start, and a page for each report in each of its looks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.real.zoo import REQUIRE
from tests.run import BROWSERS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# A browser calls home when it starts; none of that is wanted here, and some machines let nobody out.
ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
WIDE, PHONE, HEIGHT = 1280, 360, 800


@dataclass(frozen=True)
class Look:
    scheme: Literal["light", "dark"] = "light"
    width: int = WIDE


class Watched:
    """A page that reports are shown in one after the other, and all that the last one asked for or complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def visit(self, path: Path, fragment: str = "", look: Look = Look()) -> Page:
        """Load the file anew, whatever was shown before."""
        self.page.goto("about:blank")
        self.show(look)
        self.requests.clear()
        self.complaints.clear()
        self.page.goto(path.as_uri() + fragment)
        return self.page

    def show(self, look: Look) -> None:
        """The page that is there, in another look."""
        self.page.emulate_media(media="screen", color_scheme=look.scheme)
        self.page.set_viewport_size({"width": look.width, "height": HEIGHT})


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
def watching(browser: Browser, *, scripts: bool = True) -> Iterator[Watched]:
    """A page of its own, without a network: what a report needs, it has to have with it."""
    context = browser.new_context(java_script_enabled=scripts, offline=True)
    try:
        yield Watched(context.new_page())
    finally:
        context.close()
