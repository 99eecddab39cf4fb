"""What a revision of the specification demands of servers: the list in ``_requirements.yaml``, typed and frozen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, cast

from mcp_compliance.catalog.positions import load_document
from mcp_compliance.jsontypes import JSON, JSONObject

FILE = "_requirements.yaml"

Seen: TypeAlias = Literal["fully", "partly", "never"]
Open: TypeAlias = Literal["gap", "feature", "set-up", "judgement", "other-party"]


@dataclass(frozen=True)
class Requirement:
    """``at`` is the page below the site of its revision, with an anchor where there is one. ``says``, ``when``,
    ``seen``, ``note`` and ``open`` are what the schema of the file says of them; None where the file leaves them
    out."""

    id: str
    at: str
    force: str
    says: str | None = None
    when: str | None = None
    seen: Seen | None = None
    note: str | None = None
    open: Open | None = None

    @property
    def page(self) -> str:
        """The page alone."""
        return self.at.partition("#")[0]


def load_requirements(folder: Path) -> tuple[Requirement, ...]:
    """Those of the revision in this folder, in the order of the file; none where there is no such file.

    The file is expected to have passed ``rulecheck``. Raises ``DocumentError`` when it cannot be read.
    """
    path = folder / FILE
    listed = _object(_object(load_document(path).value).get("requirements")) if path.is_file() else {}
    return tuple(_requirement(name, _object(entry)) for name, entry in listed.items())


def _requirement(name: str, source: JSONObject) -> Requirement:
    return Requirement(
        id=name,
        at=str(source["at"]),
        force=str(source["force"]),
        says=cast("str | None", source.get("says")),
        when=cast("str | None", source.get("when")),
        seen=cast("Seen | None", source.get("seen")),
        note=cast("str | None", source.get("note")),
        open=cast("Open | None", source.get("open")),
    )


def _object(source: JSON) -> JSONObject:
    return source if isinstance(source, dict) else {}
