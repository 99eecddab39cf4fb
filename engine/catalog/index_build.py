"""Builds the index of a revision's rules that ships beside them; ``index`` reads it."""

from __future__ import annotations

import json

from mcp_compliance.catalog.revision import Catalogue
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.jsontypes import JSONObject


def build_index(catalogue: Catalogue) -> JSONObject:
    """``{revision, entries}``: one entry a rule, in suite order; ``spec`` is the URL of its first sentence."""
    return {"revision": catalogue.revision.revision, "entries": [_entry(rule) for rule in catalogue.rules]}


def index_text(catalogue: Catalogue) -> str:
    """The index as the file holds it: the same text for the same rules."""
    return json.dumps(build_index(catalogue), indent=1, ensure_ascii=False) + "\n"


def _entry(rule: Rule) -> JSONObject:
    return {
        "id": rule.id,
        "title": rule.title,
        "category": rule.category,
        "level": rule.level,
        "capability": rule.capability,
        "transports": list(rule.transports),
        "spec": rule.spec[0].url,
    }
