"""Puts a finished run together as a report."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence

from mcp_compliance import __version__
from mcp_compliance.facts.printable import brief, printable
from mcp_compliance.interpreter.context import Context
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget
from mcp_compliance.model.result import Detection, Listing, Report, Result, ServerInfo
from mcp_compliance.model.secrets import MASK, Secrets, sounds_secret

MOST_WARNINGS = 50
LONGEST_NAME = 500
"""Characters of a name that a server gives itself or a tool."""
LARGEST_CAPABILITIES = 64 * 1024
"""Characters of JSON; what a server declares beyond them is left out of the report."""


def display(options: RunOptions, secrets: Secrets) -> str:
    """The target for people: no user information, no secret argument."""
    target = options.target
    if isinstance(target, HttpTarget):
        scheme, _, rest = target.url.partition("://")
        host, slash, path = rest.partition("/")
        return secrets.mask(f"{scheme}://{host.rpartition('@')[2]}{slash}{path}")
    return secrets.mask("stdio:" + " ".join(masked_arguments(target)))


def masked_arguments(target: StdioTarget) -> list[str]:
    """The command, with the values of options masked whose name sounds secret."""
    shown: list[str] = []
    hide_next = False
    for word in target.command:
        name, equals, _ = word.partition("=")
        is_option = word.startswith("-")
        if hide_next and not is_option:
            shown.append(MASK)
        elif is_option and equals and sounds_secret(name):
            shown.append(f"{name}={MASK}")
        else:
            shown.append(word)
        hide_next = is_option and not equals and sounds_secret(word)
    return shown


def limited(warnings: Sequence[str]) -> tuple[str, ...]:
    """Exact duplicates dropped, the first 50 kept, and a line for the rest."""
    distinct = list(dict.fromkeys(printable(warning) for warning in warnings))
    if len(distinct) <= MOST_WARNINGS:
        return tuple(distinct)
    return (*distinct[:MOST_WARNINGS], f"{len(distinct) - MOST_WARNINGS} more warnings were left out.")


def server_info(context: Context) -> ServerInfo:
    server = context.root().get("server")
    view: JSONObject = server if isinstance(server, dict) else {}
    info = view.get("info")
    about: JSONObject = info if isinstance(info, dict) else {}
    capabilities = view.get("capabilities")
    version = _spoken(context, view.get("versions"))
    masked = _masked(capabilities, context.secrets) if _fits(capabilities) else {}
    return ServerInfo(
        protocol_version=_text(version, context.secrets),
        name=_text(about.get("name"), context.secrets),
        version=_text(about.get("version"), context.secrets),
        capabilities=masked if isinstance(masked, dict) else {},
    )


def _spoken(context: Context, versions: JSON) -> JSON:
    """The revision that was spoken: the session's where there are sessions; else the graded one where the server lists
    it, and the first that it lists where not.
    """
    if context.revision.sessions is not None:
        return context.main.session.version if context.main is not None else None
    listed = versions if isinstance(versions, list) else []
    return context.revision.revision if context.revision.revision in listed else next(iter(listed), None)


def listing(name: str, context: Context) -> Listing:
    """Count and names of the first page of a list."""
    answer = context.answers.get(name)
    result = answer.result if answer is not None else None
    items = result.get(name) if isinstance(result, dict) else None
    if not isinstance(items, list):
        return Listing()
    names = [str(item["name"]) for item in items if isinstance(item, dict) and "name" in item]
    return Listing(len(items), tuple(context.secrets.mask(brief(name, LONGEST_NAME)) for name in names))


def build_report(
    options: RunOptions,
    context: Context,
    results: Sequence[Result],
    warnings: Sequence[str],
    *,
    caveats: Sequence[str],
    error: str | None,
    detection: Detection | None,
    durations: Mapping[str, int],
) -> Report:
    mask = context.secrets.mask
    return Report(
        spec_version=context.revision.revision,
        tool_version=__version__,
        url=display(options, context.secrets),
        transport=context.transport,
        timestamp=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        results=tuple(results),
        warnings=tuple(mask(warning) for warning in limited([*caveats, *warnings])),
        caveats=tuple(mask(caveat) for caveat in limited(caveats)),
        server=server_info(context),
        tools=listing("tools", context),
        resources=listing("resources", context),
        prompts=listing("prompts", context),
        seed=context.generator.seed,
        error=None if error is None else mask(printable(error)),
        detection=detection,
        durations=durations,
    )


def _fits(value: JSON) -> bool:
    size = 0
    for piece in json.JSONEncoder().iterencode(value):
        size += len(piece)
        if size > LARGEST_CAPABILITIES:
            return False
    return True


def _text(value: JSON, secrets: Secrets) -> str | None:
    return secrets.mask(brief(value, LONGEST_NAME)) if isinstance(value, str) else None


def _masked(value: JSON, secrets: Secrets) -> JSON:
    if isinstance(value, str):
        return secrets.mask(value)
    if isinstance(value, dict):
        return {secrets.mask(name): _masked(inner, secrets) for name, inner in value.items()}
    return [_masked(inner, secrets) for inner in value] if isinstance(value, list) else value
