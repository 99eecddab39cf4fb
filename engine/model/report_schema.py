"""The JSON Schemas of what a run writes, as shipped."""

from __future__ import annotations

import json
from pathlib import Path

from mcp_compliance.jsontypes import JSONObject

_FOLDER = Path(__file__).with_name("schemas")


def load(name: str = "report.v1.json") -> JSONObject:
    """A fresh copy of the schema (Draft 2020-12): of reports, or of what ``name`` says."""
    schema: JSONObject = json.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return schema
