"""Writes the skeleton of a new rule: everything that is needed, with blanks that rulecheck asks for."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mcp_compliance.catalog.index import rules_root
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.rulecheck.nearest import known_or_nearest

BLANK = "FILL IN"
"""Begins every text of a skeleton that has to be written; rulecheck reports those that are left."""
EDITOR_SCHEMA = "_rule.schema.json"
"""With it editors that know yaml-language-server complete and validate rule files."""

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SKELETON = """\
# yaml-language-server: $schema={schema}
format: 1
id: {id}
title: "{blank}: one sentence in the present tense that says what a conforming server does"
level: optional
spec: [{{at: fill/in#the-anchor, force: MUST}}]
why: "{blank}: what goes wrong for a user when a server fails this"
fix: "{blank}: the first thing to try"
steps:
  - name: probe
    call: {method}
    check:
      - {{that: "has(probe.message, 'result')", else: "{{probe.unusable}}"}}
pass: the request was served
cases:
  - {{name: served, replies: {{probe: {{result: {{}}}}}}, verdict: pass}}
  - {{name: refused, replies: {{probe: {{error: {{code: -32603, message: boom}}}}}}, verdict: fail, says: boom}}
"""


class SkeletonError(Exception):
    """No skeleton can be written. The text is one line for people."""


def write_skeleton(rule_id: str, revision: Revision, category: str | None = None) -> Path:
    """Path of the new file. Raises ``SkeletonError``, also when the file is there: nothing is overwritten."""
    if not _ID.fullmatch(rule_id):
        raise SkeletonError(
            f"the id {rule_id} is not made of lower case words joined by hyphens, such as greets-clients"
        )
    if category is not None and category not in revision.catalogue:
        raise SkeletonError(f"--category {category}: {known_or_nearest(category, revision.catalogue, 'choose one of')}")
    listed = [name for name, ids in revision.catalogue.items() if rule_id in ids]
    if category is None and not listed:
        raise SkeletonError(
            f"{rule_id} is not in the catalogue of {revision.folder}/_revision.yaml; add it there, or say --category"
        )
    path = revision.folder / (category or listed[0]) / f"{rule_id}.yaml"
    twin = revision.fixtures.get(revision.credit.default.twin) or revision.fixtures[revision.preflight]
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            schema = Path(os.path.relpath(_editor_schema(revision.folder.parent), path.parent)).as_posix()
            file.write(_SKELETON.format(id=rule_id, blank=BLANK, method=twin.call, schema=schema))
    except FileExistsError:
        raise SkeletonError(f"{path} is there already; nothing was written") from None
    return path


def _editor_schema(root: Path) -> Path:
    """The schema for editors beside the revisions of a folder of rules; copied there when it has none."""
    path = root / EDITOR_SCHEMA
    if not path.exists():
        path.write_text((rules_root() / EDITOR_SCHEMA).read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    return path
