"""The resources that the server offers: the notes themselves, and two URI templates."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from mcp_compliance.reference.jsonrpc import JSONObject
from mcp_compliance.reference.notes import SCHEME, Notebook

PORTS = ("east", "north", "west")
DAYS = ("friday", "monday", "saturday", "sunday", "thursday", "tuesday", "wednesday")

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
            {"port": lambda notebook: list(PORTS), "day": lambda notebook: list(DAYS)},
        ),
    )
}


def read(notebook: Notebook, uri: str) -> JSONObject | None:
    """The contents item of the resource at ``uri``; None when there is none."""
    note = notebook.at(uri)
    if note is not None:
        return note.contents()
    tide = _TIDE.fullmatch(uri)
    if tide is None or tide["port"] not in PORTS or tide["day"] not in DAYS:
        return None
    return {"uri": uri, "mimeType": "text/plain", "text": f"High water at {high_water(tide['port'], tide['day'])}"}


def high_water(port: str, day: str) -> str:
    """When the water is highest at one of ``PORTS`` on one of ``DAYS``, as HH:MM."""
    return f"{(PORTS.index(port) * 4 + DAYS.index(day) * 3) % 24:02d}:10"
