"""Follows the links of a finished site that stay inside it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LEADING = {"a": "href", "link": "href", "script": "src", "img": "src"}


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {name for name in (given.get("id"), given.get("name")) if name}
        link = given.get(LEADING.get(tag, ""))
        if link:
            self.links.append(link)


def dead_links(site: Path) -> list[str]:
    """A line for each link to a file, or to an anchor of a page, that is not there."""
    root = site.resolve()
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.html"))}
    return [
        f"{path.relative_to(root).as_posix()}: {link} leads nowhere"
        for path, page in pages.items()
        for link in dict.fromkeys(page.links)
        if not _leads(path, link, pages, root)
    ]


def _leads(page: Path, link: str, pages: dict[Path, _Page], root: Path) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    target = target / "index.html" if target.is_dir() else target
    if target != root and root not in target.parents:
        return False
    anchor = unquote(parts.fragment)
    return target.is_file() and (not anchor or target not in pages or anchor in pages[target].anchors)
