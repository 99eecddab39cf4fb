"""The static site: a part of it built and looked at in a real browser, opened as files and without a network. All of it
is built, and every link followed, by ``python methodology/site.py`` in CI.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import site_build
import site_stage
from site_links import dead_links

from tests.real.zoo import REQUIRE
from tests.reporters.browser import PHONE, Look, Watched, started, watching

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "methodology"
PAGES = (
    "README.md",
    "configuration.md",
    "options.md",
    "scoring.md",
    "rules/README.md",
    "rules/2025-11-25/README.md",
    "rules/2025-11-25/tools/README.md",
    "rules/2025-11-25/tools/tools-call.md",
    "rules/2025-11-25/tools/tools-pagination.md",
)
RULE = "rules/2025-11-25/tools/tools-call.html"
SOURCE = "sources/rules/2025-11-25/tools/tools-call.yaml.html"
LOOKED_AT = ("index.html", "configuration.html", "options.html", "scoring.html", RULE, SOURCE)
JUDGED = {Look(): ("configuration.html", RULE), Look("dark", PHONE): (RULE, SOURCE)}
"""What is handed to axe, which needs a second for some pages."""
OVERFLOW = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
BACKGROUND, WHITE = "getComputedStyle(document.body).backgroundColor", "rgb(255, 255, 255)"
WRAPPED = "[...document.querySelectorAll('.md-typeset table')].every((table) => table.closest('[role=region]'))"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("zensical") is None:
        reason = "Zensical is not installed: pip install '.[site]'"
        if os.environ.get(REQUIRE) == "1":
            pytest.fail(f"{reason} ({REQUIRE}=1)")
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("site")
    site_stage.stage(folder / "docs", [FOLDER / name for name in PAGES])
    return site_build.build(folder, strict=False)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as found:
        yield found


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    with watching(browser) as found:
        yield found


@pytest.mark.parametrize("look", list(JUDGED), ids=["light and wide", "dark phone"])
def test_pages_are_accessible_fit_and_ask_for_nothing_from_a_network(site: Path, watched: Watched, look: Look) -> None:
    for name in LOOKED_AT:
        page = watched.visit(site / name, look=look)
        page.wait_for_function(WRAPPED)
        assert not page.evaluate(OVERFLOW), name
        assert [*(_violations(page) if name in JUDGED[look] else ())] == [], name
        assert [url for url in watched.requests if not url.startswith("file:")] == [], name
        assert watched.complaints == [], name


def _violations(page: Page) -> Iterator[str]:
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    options = "{resultTypes: ['violations'], preload: false}"
    for violation in page.evaluate(f"axe.run({options}).then((found) => found.violations)"):
        yield f"{violation['id']}: {violation['nodes'][0]['html'][:200]}"


def test_every_page_is_found_by_its_words_though_no_server_is_there(site: Path, watched: Watched) -> None:
    page = watched.visit(site / "scoring.html")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("combobox", name="Search").fill("structuredContent outputSchema")
    page.get_by_role("option").filter(has_text="tools-call").first.wait_for()
    assert watched.complaints == []
    page.get_by_role("option").filter(has_text="tools-call").first.click()
    page.wait_for_url(lambda url: RULE in url)


def test_dark_and_light_are_those_of_the_system_until_the_reader_chooses(site: Path, watched: Watched) -> None:
    page = watched.visit(site / "scoring.html")
    page.wait_for_function(f"{BACKGROUND} === '{WHITE}'")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{BACKGROUND} !== '{WHITE}'")
    page.get_by_title("Switch to light mode").click()
    page.wait_for_function(f"{BACKGROUND} === '{WHITE}'")
    page.goto((site / "options.html").as_uri())
    assert page.evaluate(BACKGROUND) == WHITE


def test_what_a_page_says_outside_of_tables_and_in_them_is_kept(site: Path) -> None:
    """Bars and other signs that the two dialects of Markdown escape differently."""
    options = (site / "options.html").read_text(encoding="utf-8")
    assert "<code>http|stdio</code>" in options
    assert "\\|" not in options
    assert 'Answer with {"content": [...]}' in (site / RULE).read_text(encoding="utf-8").replace("&quot;", '"')


def test_files_outside_of_the_folder_are_shown(site: Path) -> None:
    rule = (site / RULE).read_text(encoding="utf-8")
    assert 'href="../../../sources/rules/2025-11-25/tools/tools-call.yaml.html"' in rule
    shown = (site / SOURCE).read_text(encoding="utf-8")
    assert "id: tools-call\n" in shown
    catalogue = site / "sources" / "rules" / "catalogue.json"
    assert catalogue.read_bytes() == (ROOT / "rules" / "catalogue.json").read_bytes()
    listed = (site / "sources" / "rules" / "index.html").read_text(encoding="utf-8")
    assert '<a href="2025-11-25/tools/tools-call.yaml.html">2025-11-25/tools/tools-call.yaml</a>' in listed


def test_every_page_that_is_written_by_hand_stands_in_the_navigation() -> None:
    nav = tomllib.loads(site_build.CONFIG.read_text(encoding="utf-8"))["project"]["nav"]
    targets = {target for entry in nav for target in _targets(entry)}
    assert {path.name for path in FOLDER.glob("*.md")} <= targets
    assert all((FOLDER / name).exists() or (ROOT / name).exists() for name in targets)


def _targets(entry: dict[str, object]) -> Iterator[str]:
    for target in entry.values():
        if isinstance(target, list):
            for each in target:
                yield from _targets(each)
        else:
            yield str(target)


def test_links_that_lead_nowhere_are_named(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "index.html").write_text('<h1 id="top">x</h1><a href="../a.html#no">x</a>', encoding="utf-8")
    links = (
        "below/",
        "below/#top",
        "below#none",
        "#here",
        "gone.html",
        "../out.html",
        "https://a.example/x",
        "a%2ehtml",
    )
    page = "".join(f'<a href="{link}">x</a>' for link in links)
    (tmp_path / "a.html").write_text(f'<p id="here">{page}<img src="gone.png"></p>', encoding="utf-8")
    assert dead_links(tmp_path) == [
        "a.html: below#none leads nowhere",
        "a.html: gone.html leads nowhere",
        "a.html: ../out.html leads nowhere",
        "a.html: gone.png leads nowhere",
        "below/index.html: ../a.html#no leads nowhere",
    ]


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(FOLDER / "site.py"), "--out", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"site: {tmp_path} holds something else than a site; name an empty folder\n"
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
