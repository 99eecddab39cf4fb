"""The cases of a rule for readers: what each scripted server does, and what the rule says of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from pages_text import prose
from reference_markdown import code

from mcp_compliance.catalog.rule import Case
from mcp_compliance.jsontypes import JSON, JSONObject

LONGEST = 160
LONGEST_GIVEN = 400
"""For what a case sets beside replies: it tells less at its beginning."""
NOTHING = "what a conforming server does"


def case_row(case: Case) -> list[str]:
    """Name, what the server does, what is said."""
    return [f"{prose(case.name)} ({case.on})", "; ".join(_does(case)) or NOTHING, " ".join(_said(case))]


def _said(case: Case) -> Iterator[str]:
    if case.says is not None:
        yield _excerpt(case.says)
    if case.warns is not None:
        yield f"warns: {_excerpt(case.warns)}"


def _does(case: Case) -> Iterator[str]:
    for name, replies in case.replies.items():
        listed = replies if isinstance(replies, list) else [replies]
        yield f"{code(name)}: {', then '.join(map(reply_words, listed))}"
    for name, found in case.runs.items():
        yield f"the probe {code(name)} finds {_json(found, LONGEST_GIVEN)}"
    for name, value in case.root.items():
        yield f"{code(name)} is {_json(value, LONGEST_GIVEN)}"


def reply_words(reply: JSON) -> str:
    """One scripted answer in words."""
    if not isinstance(reply, dict):
        return _json(reply)
    found = [words for key, say in _WORDS.items() if key in reply for words in [say(reply[key])]]
    text = ", ".join(found) or "an answer without content"
    return f"{text}, {reply['repeat']} times" if "repeat" in reply else text


def _error(error: JSON) -> str:
    if isinstance(error, dict) and error.keys() == {"code", "message"} and isinstance(error["code"], int):
        return f"error {error['code']} ({prose(str(error['message']))})"
    return f"error {_json(error)}"


def _died(exit_code: JSON) -> str:
    return f"the process exits with {exit_code}"


def _session(session: JSON) -> str:
    return "an opening without session id" if session is None else f"an opening with the session id {_json(session)}"


def _pages(pages: JSON) -> str:
    listed = pages if isinstance(pages, list) else []
    return f"pages: {' / '.join(map(reply_words, listed))}"


def _messages(messages: JSON) -> str:
    listed = [item for item in messages if isinstance(item, dict)] if isinstance(messages, list) else []
    return f"{', '.join(_json(_message(item)) for item in listed)} before that"


def _message(item: JSONObject) -> JSON:
    return item.get("payload", item.get("raw", item.get("problem")))


_WORDS: dict[str, Callable[[JSON], str]] = {
    "timeout": lambda _: "no answer",
    "drop": lambda _: "the connection is closed without an answer",
    "unreachable": lambda _: "no connection",
    "quiet": lambda _: "a stream on which nothing arrives",
    "died": _died,
    "stderr": lambda text: f"stderr {_json(text)}",
    "status": lambda status: f"HTTP {status}",
    "headers": lambda headers: f"headers {_json(headers)}",
    "session": _session,
    "id": lambda value: f"id {_json(value)}",
    "jsonrpc": lambda value: f"jsonrpc {_json(value)}",
    "error": _error,
    "result": lambda result: f"result {_json(result)}",
    "body": lambda body: f"body {_json(body)}",
    "pages": _pages,
    "cut": lambda _: "and further pages up to the bound",
    "events": lambda events: f"events {_json(events)}",
    "messages": _messages,
    "after": lambda after: f"afterwards {reply_words(after)}",
}
"""Keys of a reply, in the order in which they are told."""


def _json(value: JSON, most: int = LONGEST) -> str:
    return _excerpt(value if isinstance(value, str) and value.strip() else json.dumps(value, ensure_ascii=False), most)


def _excerpt(text: str, most: int = LONGEST) -> str:
    flat = " ".join(text.split())
    return code(flat if len(flat) <= most else f"{flat[: most - 1]}…")
