"""Readings of a tool as a server lists it: how safe it is to call, and what its arguments take."""

from __future__ import annotations

import re

from mcp_compliance.jsontypes import JSON, JSONObject

URL_NAME = re.compile(r"ur[il]|endpoint|link|href|webhook|callback", re.IGNORECASE)
PATH_NAME = re.compile(r"path|file|folder|dir(?![a-z])|director(?:y|ies)", re.IGNORECASE)


def annotation(tool: JSONObject, name: str) -> JSON:
    annotations = tool.get("annotations")
    return annotations.get(name) if isinstance(annotations, dict) else None


def tier(tool: JSONObject) -> int:
    """0 read-only, 1 declared not destructive, 2 unannotated (by default destructive), 3 declared destructive."""
    if annotation(tool, "readOnlyHint") is True:
        return 0
    hint = annotation(tool, "destructiveHint")
    return 1 if hint is False else 3 if hint is True else 2


def wants_task(tool: JSONObject) -> bool:
    """Whether the tool refuses plain calls (``execution.taskSupport: required``)."""
    execution = tool.get("execution")
    return isinstance(execution, dict) and execution.get("taskSupport") == "required"


def properties(tool: JSONObject) -> JSONObject:
    schema = tool.get("inputSchema")
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def required(tool: JSONObject) -> list[str]:
    schema = tool.get("inputSchema")
    names = schema.get("required") if isinstance(schema, dict) else None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def is_text(schema: JSON) -> bool:
    if not isinstance(schema, dict):
        return False
    kind = schema.get("type")
    return kind == "string" or (isinstance(kind, list) and "string" in kind)


def is_free_text(schema: JSON) -> bool:
    """A string that takes any text: no enum, const, pattern or format."""
    return is_text(schema) and isinstance(schema, dict) and not {"enum", "const", "pattern", "format"} & schema.keys()


def takes_url(name: str, schema: JSON) -> bool:
    form = schema.get("format") if isinstance(schema, dict) else None
    return is_text(schema) and (form in ("uri", "url", "uri-reference") or URL_NAME.search(name) is not None)


def takes_path(name: str, schema: JSON) -> bool:
    return is_text(schema) and PATH_NAME.search(name) is not None
