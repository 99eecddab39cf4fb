"""The resources that the server offers: the notes themselves, and two URI templates."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from mcp_compliance.reference.jsonrpc import RESOURCE_NOT_FOUND, JSONObject, RpcError
from mcp_compliance.reference.notes import SCHEME, Notebook

_PORTS = ("east", "north", "west")
_DAYS = ("friday", "monday", "saturday", "sunday", "thursday", "tuesday", "wednesday")

_TIDE = re.compile(r"tide://(?P<port>[a-z]+)/(?P<day>[a-z]+)")


class Template(NamedTuple):
    """A URI template (RFC 6570, level 1) and what completion/complete suggests for its variables."""

    uri_template: str
    name: str
    title: str
    description: str
    variables: dict[str, Callable[[Notebook], list[str]]]

    def listed(self) -> JSONObject:
        """The template as an entry of resources/templates/list."""
        return {
            "uriTemplate": self.uri_template,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": "text/plain",
        }


TEMPLATES: dict[str, Template] = {
    template.uri_template: template
    for template in (
        Template(
            SCHEME + "{path}",
            "note",
            "Note",
            "A page of the harbour notebook, by its path.",
            {"path": lambda notebook: list(notebook.notes)},
        ),
        Template(
            "tide://{port}/{day}",
            "tide",
            "Tide",
            "When the water is highest at a port on a day of the week.",
            {"port": lambda notebook: list(_PORTS), "day": lambda notebook: list(_DAYS)},
        ),
    )
}


def read(notebook: Notebook, uri: str) -> JSONObject:
    """The contents item of the resource at ``uri``; raises -32002 when there is none."""
    note = notebook.at(uri)
    if note is not None:
        return note.contents()
    tide = _TIDE.fullmatch(uri)
    if tide is None or tide["port"] not in _PORTS or tide["day"] not in _DAYS:
        raise RpcError(RESOURCE_NOT_FOUND, "Resource not found", {"uri": uri})
    hour = (_PORTS.index(tide["port"]) * 4 + _DAYS.index(tide["day"]) * 3) % 24
    return {"uri": uri, "mimeType": "text/plain", "text": f"High water at {hour:02d}:10"}
