"""The prompts that the server offers, and what it suggests for their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSON, JSONObject, RpcError
from mcp_compliance.reference.notes import Notebook

TONES = ("brief", "friendly", "formal")

Texts = Mapping[str, str]


class Argument(NamedTuple):
    """One argument of a prompt; ``suggestions`` are what completion/complete draws from."""

    name: str
    description: str
    required: bool = True
    suggestions: Callable[[Notebook], list[str]] = lambda notebook: []


class Prompt(NamedTuple):
    """One prompt; ``render`` makes the messages from the arguments, which are texts."""

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    render: Callable[[Notebook, Texts], list[JSONObject]]

    def listed(self) -> JSONObject:
        """The prompt as an entry of prompts/list."""
        entry: JSONObject = {"name": self.name, "title": self.title, "description": self.description}
        if self.arguments:
            entry["arguments"] = [
                {"name": a.name, "description": a.description, "required": a.required} for a in self.arguments
            ]
        return entry

    def argument(self, name: JSON) -> Argument | None:
        """The argument of this name."""
        return next((argument for argument in self.arguments if argument.name == name), None)

    def get(self, notebook: Notebook, arguments: JSONObject) -> JSONObject:
        """The GetPromptResult; raises -32602 for a missing, unknown or non-text argument."""
        texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
        if len(texts) < len(arguments):
            raise RpcError(INVALID_PARAMS, "Invalid params: an argument of a prompt is a string")
        for argument in self.arguments:
            if argument.required and argument.name not in texts:
                raise RpcError(INVALID_PARAMS, f"Invalid params: the argument {argument.name} is missing")
        if any(self.argument(name) is None for name in texts):
            raise RpcError(INVALID_PARAMS, "Invalid params: the prompt does not know this argument")
        messages: list[JSON] = list(self.render(notebook, texts))
        return {"description": self.description, "messages": messages}


def _user(text: str) -> JSONObject:
    return {"role": "user", "content": {"type": "text", "text": text}}


def _paths(notebook: Notebook) -> list[str]:
    return [note.path for note in notebook.texts()]


def _summarise(notebook: Notebook, texts: Texts) -> list[JSONObject]:
    asked = _user(f"Summarise the note {texts['note']} in a {texts.get('tone', 'brief')} tone.")
    note = notebook.notes.get(texts["note"])
    attached: list[JSONObject] = (
        [] if note is None else [{"role": "user", "content": {"type": "resource", "resource": note.contents()}}]
    )
    return [asked, *attached]


def _compare(notebook: Notebook, texts: Texts) -> list[JSONObject]:
    return [_user(f"Compare the notes {texts['first']} and {texts['second']}.")]


def _greeting(notebook: Notebook, texts: Texts) -> list[JSONObject]:
    return [
        _user("Good morning, harbour office."),
        {"role": "assistant", "content": {"type": "text", "text": "Good morning. Which berth?"}},
    ]


def _proofread(notebook: Notebook, texts: Texts) -> list[JSONObject]:
    return [_user(f"Correct the spelling of this text:\n\n{texts['text']}")]


PROMPTS: dict[str, Prompt] = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "summarise",
            "Summarise a note",
            "Asks for a summary of one note.",
            (
                Argument("note", "Path of the note", suggestions=_paths),
                Argument("tone", "How it reads", required=False, suggestions=lambda notebook: list(TONES)),
            ),
            _summarise,
        ),
        Prompt(
            "compare",
            "Compare two notes",
            "Asks what two notes have in common.",
            (
                Argument("first", "Path of one note", suggestions=_paths),
                Argument("second", "Path of the other note", suggestions=_paths),
            ),
            _compare,
        ),
        Prompt("greeting", "Greeting", "Opens a conversation with the harbour office.", (), _greeting),
        Prompt(
            "proofread",
            "Proofread",
            "Asks for the spelling of a text to be corrected.",
            (Argument("text", "The text"),),
            _proofread,
        ),
    )
}
