"""The configuration file that ``init`` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mcp_compliance.cli import init_questions as ask
from mcp_compliance.cli import init_secrets
from mcp_compliance.cli.arguments import is_url
from mcp_compliance.cli.choices import AUTO, TRANSPORTS
from mcp_compliance.cli.config_fields import TARGET
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.init_questions import Questions
from mcp_compliance.cli.target import refuse_scheme
from mcp_compliance.jsontypes import JSONObject

DEFAULT_TIMEOUT = 15_000
_ENDS = "Enter for no more"

references = init_secrets.references


def written(
    questions: Questions,
    words: Sequence[str],
    headers: Sequence[str],
    env: Sequence[str],
    *,
    timeout: int | None,
    revision: str | None,
    strict: bool | None,
) -> str:
    """The text of the file. What is not given is asked for; no secret is in it. Raises `UserError`."""
    document: JSONObject = {
        TARGET: _target(tuple(words), headers, env, questions),
        "timeout": timeout or questions.answer("Timeout in milliseconds", str(DEFAULT_TIMEOUT), ask.milliseconds),
        "specVersion": revision or questions.answer(f"MCP revision ({ask.revisions()})", AUTO, ask.revision),
        "strict": questions.confirm("Exit 1 if a required rule fails?") if strict is None else strict,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _target(words: Sequence[str], headers: Sequence[str], env: Sequence[str], questions: Questions) -> JSONObject:
    if not words:
        kind = questions.answer(f"Transport ({', '.join(TRANSPORTS)})", "stdio", ask.transport)
        if kind == "http":
            words = (questions.answer("URL of the server", "", ask.url),)
        else:
            words = questions.answer("Command that starts the server", "", ask.command)
    elif len(words) == 1 and not is_url(words[0]):
        words = ask.command(words[0])
    if is_url(words[0]):
        return _http(words, headers, env, questions)
    refuse_scheme(words[0])
    if headers:
        raise UserError("-H/--header goes with a URL, and the target is a command")
    pairs = [ask.pair(pair) for pair in env] or questions.answers(f"Environment variable KEY=VALUE ({_ENDS})", ask.pair)
    variables: JSONObject = {name: init_secrets.environment(name, text, questions.variable) for name, text in pairs}
    written = init_secrets.arguments(words, questions.variable)
    target: JSONObject = {"type": "stdio", "command": written[0], "args": list(written[1:])}
    return {**target, "env": variables} if variables else target


def _http(words: Sequence[str], headers: Sequence[str], env: Sequence[str], questions: Questions) -> JSONObject:
    if env:
        raise UserError("-E/--env goes with a command, and the target is a URL")
    if len(words) > 1:
        raise UserError(f"unexpected argument {words[1]} after the URL")
    question = f"Header 'Name: value' ({_ENDS})"
    lines = [ask.header_line(line) for line in headers] or questions.answers(question, ask.header_line)
    given: JSONObject = {name: init_secrets.header(name, text, questions.variable) for name, text in lines}
    target: JSONObject = {"type": "http", "url": init_secrets.address(ask.url(words[0]), questions.variable)}
    return {**target, "headers": given} if given else target
