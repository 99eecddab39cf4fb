"""What a tool said to one value: read from the exchange, with every copy of the value cut out."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias
from urllib.parse import quote, quote_plus

from mcp_compliance.attribution.sentences import failure, unusable
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.facts.printable import brief
from mcp_compliance.jsontypes import JSON

Kind: TypeAlias = Literal["served", "flagged", "unfinished", "refused", "silent", "died"]
"""served: a result. flagged: a result with isError. unfinished: a result that asks for something before the tool goes
on. refused: a JSON-RPC error of the server. silent: nothing that the tool said (no answer, a gate, a page). died: the
server is gone."""

LONGEST_KIND = 40
COMPLETE = "complete"
"""The ``resultType`` of a result that is final; so is one without, as revisions that know no other have it."""

LONGEST = 256 * 1024
"""Characters of an answer that are looked at."""
GATES = (401, 403, 429)


@dataclass(frozen=True)
class Answer:
    """``said`` is every text and number of the result or error, one a line, without what is the protocol's own in a
    result; ``why`` says why there is none, or why it is no answer."""

    sent: str
    kind: Kind
    said: str
    exchange: Exchange
    why: str = ""

    def without(self, *echoes: str) -> str:
        """What was said, in one spacing, without copies of the value and of these other texts."""
        return " ".join(cut(self.said, self.sent, *echoes).split())

    def dead(self) -> Answer:
        return replace(self, kind="died", why="it stopped answering")


def read_answer(exchange: Exchange, sent: str) -> Answer:
    """The answer to a call that carried ``sent``."""
    if exchange.outcome == "died":
        return Answer(sent, "died", "", exchange, failure(exchange))
    status = None if exchange.http is None else exchange.http.status
    if exchange.message is None or status in GATES:
        return Answer(sent, "silent", "", exchange, unusable(exchange) or exchange.outcome)
    if "result" in exchange.message:
        result = exchange.result
        kind = result.get("resultType") if isinstance(result, dict) else None
        if isinstance(kind, str) and kind != COMPLETE:
            why = f"the tool asked for more before it did anything (resultType {brief(kind, LONGEST_KIND)})"
            return Answer(sent, "unfinished", _said(_own(result)), exchange, why)
        flagged = isinstance(result, dict) and result.get("isError") is True
        return Answer(sent, "flagged" if flagged else "served", _said(_own(result)), exchange)
    return Answer(sent, "refused", _said(exchange.error), exchange)


def seems_gone(exchange: Exchange) -> bool:
    """Whether the server may have died on the request: a connection that ended, or a failure without a message."""
    if exchange.outcome in ("dropped", "unreachable"):
        return True
    return exchange.message is None and exchange.http is not None and exchange.http.status >= 500


def cut(text: str, *echoes: str) -> str:
    """The text without these others, whatever their letter case, also as JSON, HTML, URL and shell write them."""
    for form in sorted({form for echo in echoes for form in _written(echo)}, key=len, reverse=True):
        text = re.sub(re.escape(form), " ", text, flags=re.IGNORECASE)
    return text


def _written(echo: str) -> Iterator[str]:
    forms = (
        echo,
        echo.strip(),
        " ".join(echo.split()),
        json.dumps(echo)[1:-1],
        json.dumps(json.dumps(echo)[1:-1])[1:-1],
        repr(echo)[1:-1],
        echo.replace("\\", "\\\\"),
        echo.replace("'", "''"),
        html.escape(echo),
        html.escape(echo, quote=False),
        html.escape(echo).replace("&#x27;", "&#39;"),
        quote(echo, errors="replace"),
        quote(echo, safe="", errors="replace"),
        quote_plus(echo, errors="replace"),
        shlex.quote(echo),
    )
    return (form for form in forms if form)


def _own(result: JSON) -> JSON:
    """What the tool itself says: no metadata, which may differ from call to call, and no names of types."""
    if not isinstance(result, dict):
        return result
    content = result.get("content")
    if isinstance(content, list):
        result = {**result, "content": [_without(block, "type") for block in content]}
    return _without(result, "_meta", "resultType")


def _without(value: JSON, *names: str) -> JSON:
    return {key: item for key, item in value.items() if key not in names} if isinstance(value, dict) else value


def _said(value: JSON) -> str:
    parts: list[str] = []
    waiting = [value]
    room = LONGEST
    while waiting and room > 0:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting.extend(reversed(list(item.values())))
        elif isinstance(item, list):
            waiting.extend(reversed(item))
        elif isinstance(item, str) or (isinstance(item, (int, float)) and not isinstance(item, bool)):
            parts.append(str(item)[:room])
            room -= len(parts[-1])
    return "\n".join(parts)
