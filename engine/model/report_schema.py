"""The JSON Schema of report version 1, as shipped."""

from __future__ import annotations

import json
from pathlib import Path

from mcp_compliance.jsontypes import JSONObject

_PATH = Path(__file__).with_name("schemas") / "report.v1.json"


def load() -> JSONObject:
    """A fresh copy of the schema (Draft 2020-12)."""
    schema: JSONObject = json.loads(_PATH.read_text(encoding="utf-8"))
    return schema
