"""The tools that the server offers: what a client reads about them, and what they do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from typing import NamedTuple

from mcp_compliance.reference.jsonrpc import JSONObject
from mcp_compliance.reference.notes import Notebook

LONGEST_TEXT = 20_000
PATH = re.compile(r"[a-z0-9-]{1,40}\.txt")

_PAGES = {
    "https://library.example/tides": "Why the tides follow the moon.",
    "https://library.example/knots": "Seven knots that every sailor ties.",
}


class Progress(NamedTuple):
    """A step of a running tool: ``done`` of ``total``, after which it pauses for some seconds."""

    done: int
    total: int
    pause: float = 0.0


Running = Generator[Progress, None, JSONObject]


class Tool(NamedTuple):
    """One tool; ``run`` yields what happens on the way and returns a CallToolResult.

    ``waits`` says that it may take a while.
    """

    name: str
    title: str
    description: str
    run: Callable[[Notebook, JSONObject], Running]
    properties: JSONObject
    required: tuple[str, ...]
    annotations: JSONObject
    output: JSONObject | None = None
    waits: bool = False

    @property
    def input_schema(self) -> JSONObject:
        schema: JSONObject = {"type": "object", "properties": self.properties, "additionalProperties": False}
        return {**schema, "required": list(self.required)} if self.required else schema

    def listed(self) -> JSONObject:
        """The tool as an entry of tools/list."""
        entry: JSONObject = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": self.annotations,
        }
        return entry if self.output is None else {**entry, "outputSchema": self.output}


def said(text: str) -> JSONObject:
    """A CallToolResult of one text."""
    return {"content": [{"type": "text", "text": text}]}


def failed(text: str) -> JSONObject:
    """A CallToolResult that tells the model why the call did not work."""
    return {**said(text), "isError": True}


def at_once(act: Callable[[Notebook, JSONObject], JSONObject]) -> Callable[[Notebook, JSONObject], Running]:
    """How a tool without steps runs."""

    def run(notebook: Notebook, arguments: JSONObject) -> Running:
        yield from ()
        return act(notebook, arguments)

    return run


def _survey(notebook: Notebook, arguments: JSONObject) -> Running:
    notes = notebook.texts()
    words = 0
    for position, note in enumerate(notes, start=1):
        words += len(note.text.split())
        yield Progress(position, len(notes))
    counted: JSONObject = {"notes": len(notes), "words": words}
    return {**said(json.dumps(counted)), "structuredContent": counted}


def _wait(notebook: Notebook, arguments: JSONObject) -> Running:
    steps, pause = arguments["steps"], arguments.get("pause_ms", 50)
    assert isinstance(steps, int)
    assert isinstance(pause, int)
    for step in range(1, steps + 1):
        yield Progress(step, steps, pause / 1000)
    return said(f"waited {steps} times {pause} ms")


def _search(notebook: Notebook, arguments: JSONObject) -> JSONObject:
    wanted = str(arguments["query"]).casefold()
    hits = [note for note in notebook.texts() if wanted in f"{note.title}\n{note.text}".casefold()]
    links: list[JSONObject] = [{"type": "resource_link", "uri": n.uri, "name": n.path} for n in hits]
    return {"content": [{"type": "text", "text": f"{len(hits)} notes"}, *links]}


def _read_note(notebook: Notebook, arguments: JSONObject) -> JSONObject:
    # only a path that is in the table, letter by letter, can be read: nothing is joined, decoded or opened
    note = notebook.notes.get(str(arguments["path"]))
    return failed("there is no note at this path") if note is None or note.binary else said(note.text)


def _fetch_page(notebook: Notebook, arguments: JSONObject) -> JSONObject:
    page = _PAGES.get(str(arguments["url"]))
    return failed("the collection has no page at this address") if page is None else said(page)


def _write_note(notebook: Notebook, arguments: JSONObject) -> JSONObject:
    path, text = str(arguments["path"]), str(arguments["text"])
    if not PATH.fullmatch(path):
        return failed("a path is made of lower-case letters, digits and hyphens, and ends in .txt")
    note = notebook.write(path, text)
    if note is None:
        return failed("there is no room left in the notebook")
    return {"content": [{"type": "resource_link", "uri": note.uri, "name": note.path}]}


def text_of(description: str) -> JSONObject:
    """The schema of an argument that is a text."""
    return {"type": "string", "description": description, "maxLength": LONGEST_TEXT}


def number_of(description: str, low: int, high: int) -> JSONObject:
    """The schema of an argument that is an integer between ``low`` and ``high``."""
    return {"type": "integer", "description": description, "minimum": low, "maximum": high}


READS: JSONObject = {"readOnlyHint": True, "openWorldHint": False}
ADDS: JSONObject = {
    "readOnlyHint": False,
    "destructiveHint": False,
    "idempotentHint": False,
    "openWorldHint": False,
}
_COUNTS: JSONObject = {
    "type": "object",
    "properties": {"notes": {"type": "integer"}, "words": {"type": "integer"}},
    "required": ["notes", "words"],
}

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "survey",
            "Survey",
            "Counts the notes and their words, and reports its progress on the way.",
            _survey,
            {},
            (),
            READS,
            output=_COUNTS,
        ),
        Tool(
            "echo",
            "Echo",
            "Gives a text back unchanged.",
            at_once(lambda notebook, arguments: said(str(arguments["text"]))),
            {"text": text_of("What is given back")},
            ("text",),
            READS,
        ),
        Tool(
            "search_notes",
            "Search the notes",
            "Finds the notes whose title or text contains a phrase.",
            at_once(_search),
            {"query": text_of("The phrase, in any case")},
            ("query",),
            READS,
        ),
        Tool(
            "read_note",
            "Read a note",
            "Gives the text of one note.",
            at_once(_read_note),
            {"path": text_of("The path of the note, such as tides.txt")},
            ("path",),
            READS,
        ),
        Tool(
            "fetch_page",
            "Fetch a page",
            "Gives a page of a small built-in collection; no connection is opened for it.",
            at_once(_fetch_page),
            {"url": text_of("The address of the page, such as https://library.example/tides")},
            ("url",),
            READS,
        ),
        Tool(
            "wait",
            "Wait",
            "Waits in a number of steps and reports each; it can be cancelled.",
            _wait,
            {
                "steps": number_of("How many steps", 1, 50),
                "pause_ms": number_of("Milliseconds in each step", 0, 1000),
            },
            ("steps",),
            READS,
            waits=True,
        ),
        Tool(
            "write_note",
            "Write a note",
            "Writes a note into the notebook, or adds a line to one that is there.",
            at_once(_write_note),
            {"path": text_of("The path of the note, such as ropes.txt"), "text": text_of("What it says")},
            ("path", "text"),
            ADDS,
        ),
    )
}
