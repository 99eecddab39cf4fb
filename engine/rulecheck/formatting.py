"""``rulecheck fmt``: one layout for all rules, with comments kept and nothing changed but the layout."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.catalog.positions import MAX_BYTES, DocumentError, parse_document
from mcp_compliance.jsontypes import JSON
from mcp_compliance.rulecheck.gather import gather
from mcp_compliance.rulecheck.layout import written
from mcp_compliance.rulecheck.layout_tree import LayoutError, read_layout


class CannotFormatError(Exception):
    """A file cannot be formatted. One line for people."""


@dataclass
class Formatted:
    """What became of files: how many there are, those whose layout differed, and a line about each that was left."""

    files: int = 0
    changed: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def format_files(paths: Iterable[Path], *, check: bool) -> Formatted:
    """Formats the rules below the paths; with ``check`` nothing is written. Files that hold no rule are passed over.
    Raises ``CannotFormatError`` for a path that is not there."""
    gathered = gather(path for path in paths if path.is_dir() or not path.name.startswith("_"))
    if gathered.missing:
        raise CannotFormatError(f"{gathered.missing[0]}: no such file or folder")
    found = Formatted()
    for path in [*(path for folder in gathered.folders for path in folder.rules), *gathered.strays]:
        found.files += 1
        try:
            if path.stat().st_size > MAX_BYTES:
                raise CannotFormatError(f"{path}: more than {MAX_BYTES} bytes")
            content = path.read_bytes()
            made = formatted(content.decode("utf-8"), path).encode("utf-8")
        except UnicodeDecodeError:
            found.problems.append(f"{path}: not UTF-8; save the file as UTF-8")
        except (CannotFormatError, OSError) as error:
            found.problems.append(str(error))
        else:
            if made != content:
                found.changed.append(path)
                if not check:
                    path.write_bytes(made)
    return found


def formatted(text: str, path: Path) -> str:
    """The text of a rule in the layout of the language; formatting that again changes nothing. ``path`` is only named
    in errors. Raises ``CannotFormatError`` for what is no YAML, and for the few layouts that cannot be kept."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        before = parse_document(text.encode("utf-8"), path).value
        made = written(read_layout(text))
        again = written(read_layout(made))
        after = parse_document(made.encode("utf-8"), path).value
    except DocumentError as error:
        raise CannotFormatError(str(error.problems[0])) from error
    except LayoutError as error:
        raise CannotFormatError(f"{path}: {error}") from error
    if not _same(before, after) or again != made or text.count("#") != made.count("#"):
        raise CannotFormatError(f"{path}: its layout is one that fmt cannot keep; nothing was changed")
    return made


def _same(left: JSON, right: JSON) -> bool:
    """Whether two values are equal with their types; the order of keys, which a rule may read, in all but its parts
    is kept by the layout itself."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return type(left) is type(right) and left == right
