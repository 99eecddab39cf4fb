"""Resources, prompts and completions, the same in every revision but for the errors."""

from __future__ import annotations

from collections.abc import Callable

from mcp_compliance.reference.calls import arguments_of
from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSON, JSONObject, RpcError, as_object, text_param
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.prompts import PROMPTS
from mcp_compliance.reference.resources import TEMPLATES

COMPLETIONS_AT_MOST = 100


def resources(notebook: Notebook) -> list[JSONObject]:
    """The entries of resources/list."""
    return [note.listed() for note in notebook.notes.values()]


def templates(notebook: Notebook) -> list[JSONObject]:
    """The entries of resources/templates/list."""
    return [template.listed() for template in TEMPLATES.values()]


def prompts(notebook: Notebook) -> list[JSONObject]:
    """The entries of prompts/list."""
    return [prompt.listed() for prompt in PROMPTS.values()]


def get_prompt(notebook: Notebook, params: JSONObject) -> JSONObject:
    """What prompts/get gives; raises -32602 for an unknown prompt and for arguments that do not fit it."""
    prompt = PROMPTS.get(text_param(params, "name"))
    if prompt is None:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown prompt")
    return prompt.get(notebook, arguments_of(params))


def complete(notebook: Notebook, params: JSONObject) -> JSONObject:
    """What completion/complete gives; raises -32602 when there is nothing of this name to complete."""
    reference, argument = as_object(params.get("ref")), as_object(params.get("argument"))
    name, typed = text_param(argument, "name"), text_param(argument, "value")
    known = as_object(params.get("context")).get("arguments", {})
    if not isinstance(known, dict) or not all(isinstance(value, str) for value in known.values()):
        raise RpcError(INVALID_PARAMS, "Invalid params: the arguments of the context are not texts")
    suggest: Callable[..., list[str]] | None = None
    if reference.get("type") == "ref/prompt":
        prompt = PROMPTS.get(text_param(reference, "name"))
        found = prompt.argument(name) if prompt else None
        suggest = found.suggestions if found else None
    elif reference.get("type") == "ref/resource":
        template = TEMPLATES.get(text_param(reference, "uri"))
        suggest = template.variables.get(name) if template else None
    if suggest is None:
        raise RpcError(INVALID_PARAMS, "Invalid params: there is nothing of this name to complete")
    values: list[JSON] = [value for value in suggest(notebook) if value.startswith(typed)]
    shown = values[:COMPLETIONS_AT_MOST]
    return {"completion": {"values": shown, "total": len(values), "hasMore": len(shown) < len(values)}}
