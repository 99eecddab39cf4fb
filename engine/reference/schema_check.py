"""Checks tool arguments against the few words of JSON Schema that the server's own schemas use."""

from __future__ import annotations

from mcp_compliance.reference.jsonrpc import JSON, JSONObject, as_object


def violations(schema: JSONObject, arguments: JSONObject) -> list[str]:
    """What is wrong with ``arguments``, one short sentence each; [] when they conform.

    Understands properties, required and additionalProperties: false, and of each property type (string, integer
    or boolean), maxLength, enum, minimum and maximum. The offending value is never quoted.
    """
    properties = as_object(schema.get("properties"))
    required = schema.get("required")
    found = [
        f"the argument {name} is missing"
        for name in (required if isinstance(required, list) else [])
        if name not in arguments
    ]
    for name, value in arguments.items():
        if name in properties:
            found += _value_violations(name, as_object(properties[name]), value)
        else:
            found.append("an argument is not known")
    return found


def _value_violations(name: str, schema: JSONObject, value: JSON) -> list[str]:
    if schema["type"] == "integer":
        if not isinstance(value, int) or isinstance(value, bool):
            return [f"{name} is not an integer"]
        low, high = schema["minimum"], schema["maximum"]
        assert isinstance(low, int)
        assert isinstance(high, int)
        return [] if low <= value <= high else [f"{name} is not between {low} and {high}"]
    if schema["type"] == "boolean":
        return [] if isinstance(value, bool) else [f"{name} is neither true nor false"]
    if not isinstance(value, str):
        return [f"{name} is not a string"]
    known = schema.get("enum")
    if isinstance(known, list) and value not in known:
        return [f"{name} is not one of the values that the schema lists"]
    longest = schema["maxLength"]
    assert isinstance(longest, int)
    return [] if len(value) <= longest else [f"{name} is longer than {longest} characters"]
