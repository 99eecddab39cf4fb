"""Lays out what the site is made from: the pages of this folder, and what they link to outside of it.

Pages keep their paths, so that links between them hold. Files elsewhere in the project get a page of their own below
``sources/`` that shows them; JSON is copied as it is, and a folder becomes a list of its files.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import jinja2

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TEMPLATES = HERE / "templates" / "site"
BESIDE = (ROOT / "CONTRIBUTING.md",)
"""Pages from elsewhere that are read like those of this folder."""
SOURCES = "sources"
LISTED = (".json", ".yaml")
LINK = re.compile(r"(?<=\]\()([^)\s#]+)(?=[)#])")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")


def own_pages() -> list[Path]:
    """Every page that is written for readers."""
    return sorted(path for path in HERE.rglob("*.md") if _is_page(path))


def _is_page(path: Path) -> bool:
    own = path.suffix == ".md" and HERE in path.parents and HERE / "templates" not in path.parents
    return own or path in BESIDE


def stage(docs: Path, pages: Sequence[Path] | None = None) -> None:
    """Fill the new folder ``docs``, with these pages of the folder, or all, and with what they need."""
    shutil.copytree(TEMPLATES / "assets", docs / "assets")
    shown: set[Path] = set()
    for path in (*(own_pages() if pages is None else pages), *BESIDE):
        place = docs / _place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        place.write_text(_adapted(path, text), encoding="utf-8")
        shown |= set(_outside(path, text))
    shown |= {file for folder in shown if folder.is_dir() for file in _listed(folder)}
    for path in sorted(shown):
        _show(path, docs / _place(path))


def _adapted(page: Path, text: str) -> str:
    linked = LINK.sub(lambda found: _target(page, found[1]), text)
    return "\n".join(map(_table_row, linked.split("\n")))


def _table_row(line: str) -> str:
    """On GitHub a bar in a table is escaped in code, too; the generator takes code as it stands."""
    return CODE.sub(lambda found: found[0].replace("\\|", "|"), line) if line.startswith("|") else line


def _outside(page: Path, text: str) -> Iterator[Path]:
    for name in LINK.findall(text):
        target = _resolved(page, name)
        if target is not None and not _is_page(target):
            yield target


def _resolved(page: Path, name: str) -> Path | None:
    """What a link means here; None for one that leads out of the project, or to nothing."""
    target = (page.parent / name).resolve()
    return target if "://" not in name and target.exists() and ROOT in target.parents else None


def _target(page: Path, name: str) -> str:
    target = _resolved(page, name)
    return name if target is None else posixpath.relpath(_place(target), posixpath.dirname(_place(page)) or ".")


def _place(path: Path) -> str:
    """Where it stands on the site."""
    if _is_page(path):
        return path.relative_to(ROOT if path in BESIDE else HERE).as_posix()
    name = f"{SOURCES}/{path.relative_to(ROOT).as_posix()}"
    if path.is_dir():
        return f"{name}/index.html"
    return name if path.suffix == ".json" else f"{name}.html"


def _listed(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in LISTED)


def _show(path: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.suffix == ".json":
        shutil.copyfile(path, place)
        return
    template = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    ).get_template("source.html")
    here = posixpath.dirname(_place(path))
    files = [(file.relative_to(path).as_posix(), posixpath.relpath(_place(file), here)) for file in _listed(path)]
    place.write_text(
        template.render(
            path=path.relative_to(ROOT).as_posix(),
            home=posixpath.relpath("index.html", here),
            files=files if path.is_dir() else None,
            text="" if path.is_dir() else path.read_text(encoding="utf-8"),
        ),
        encoding="utf-8",
    )
