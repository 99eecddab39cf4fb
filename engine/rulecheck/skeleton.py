"""Writes the skeleton of a new rule: everything that is needed, with blanks that rulecheck asks for."""

from __future__ import annotations

import re
from pathlib import Path

from mcp_compliance.catalog.revision import Revision
from mcp_compliance.rulecheck.nearest import known_or_nearest

BLANK = "FILL IN"
"""Begins every text of a skeleton that has to be written; rulecheck reports those that are left."""

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SKELETON = """\
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
            file.write(_SKELETON.format(id=rule_id, blank=BLANK, method=twin.call))
    except FileExistsError:
        raise SkeletonError(f"{path} is there already; nothing was written") from None
    return path
