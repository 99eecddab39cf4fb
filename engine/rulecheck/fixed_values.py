"""Values of the rule language that are known without a run."""

from __future__ import annotations

from mcp_compliance.catalog.values import ArrayValue, Literal, ObjectValue, Value
from mcp_compliance.jsontypes import JSON


def fixed(value: Value) -> tuple[JSON] | None:
    """The JSON of a value that holds no reference or generator; None when it is only known in a run."""
    if isinstance(value, Literal):
        return (value.value,)
    if isinstance(value, ArrayValue):
        items = [fixed(item) for item in value.items]
        known = [item[0] for item in items if item is not None]
        return (known,) if len(known) == len(items) else None
    if isinstance(value, ObjectValue):
        members = {key: fixed(member) for key, member in value.members.items()}
        found: dict[str, JSON] = {key: member[0] for key, member in members.items() if member is not None}
        return (found,) if len(found) == len(members) else None
    return None
