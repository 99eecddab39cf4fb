"""What a rule sends, in a line for each step: for readers, not exact enough to be sent."""

from __future__ import annotations

import json

from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import ForEach, Rule, Step
from mcp_compliance.catalog.values import ArrayValue, Literal, NotGiven, Pick, Value

CREDENTIALS = {
    "none": "without a credential",
    "unknown": "with a credential that nobody issued",
    "malformed": "with a credential outside the grammar",
}
LONGEST = 60


def what_is_sent(rule: Rule, revision: Revision) -> tuple[str, ...]:
    """Shared answers first, then each step that sends something. Never empty."""
    shared = [revision.fixtures[name].call for name in dict.fromkeys((*rule.uses, *rule.judges))]
    lines = [f"{method} (asked once for all tests that need it)" for method in dict.fromkeys(shared)]
    lines += [line for step in rule.steps if (line := _step(step, revision)) is not None]
    if not lines:
        return ("nothing of its own: it looks through everything that was received",)
    return tuple(dict.fromkeys(lines))


def _step(step: Step, revision: Revision) -> str | None:
    what = _what(step, revision)
    if what is None:
        return None
    details = _details(step)
    where = f" ({'HTTP' if step.only == 'http' else 'stdio'} only)" if step.only is not None else ""
    return f"{what}{', ' + ', '.join(details) if details else ''}{where}"


def _what(step: Step, revision: Revision) -> str | None:
    target = _literal(step.target)
    if step.verb in ("none", "watch"):
        return None
    if step.verb == "call":
        return target or "a request"
    if step.verb == "notify":
        return f"the notification {target}" if target else "notifications"
    if step.verb in ("raw", "bytes"):
        return f"a body as it stands: {target}" if target and step.verb == "raw" else "a body made of bytes"
    if step.verb == "http" or (step.verb == "stream" and step.http):
        return f"an HTTP {_literal(step.http.get('method')) or 'request'} without a message"
    if step.verb == "stream":
        return f"{target}, whose stream is read" if target else "a request whose stream is read"
    if step.verb == "open":
        return "a process of its own" if target == "process" else "a session of its own"
    if step.verb == "refetch":
        fixture = revision.fixtures.get(target or "")
        return "a shared answer once more" if fixture is None else f"{fixture.call} once more"
    if step.verb == "repeat":
        return f"the request of step {target} again"
    if step.verb == "together":
        members = [what for member in step.members if (what := _what(member, revision)) is not None]
        return f"{len(members) * step.times} requests at once: {', '.join(dict.fromkeys(members))}"
    return f"the requests of the probe {target}" if target else "the requests of a probe"


def _details(step: Step) -> list[str]:
    found = [CREDENTIALS[step.credentials]] if step.credentials in CREDENTIALS else []
    if step.session == "none":
        found.append("outside the session")
    if step.on is not None:
        found.append(f"through {step.on}")
    found += [f"without {name.replace('header.', 'the header ')}" for name in step.omit]
    if step.headers:
        found.append(f"with {', '.join(_header(name, value) for name, value in step.headers.items())}")
    if step.meta:
        found.append(f"with _meta {', '.join(step.meta)}")
    if step.query:
        found.append(f"with {', '.join(step.query)} in the query")
    if not isinstance(step.id, NotGiven):
        found.append(f"with the id {_literal(step.id) or 'of its own'}")
    if step.for_each is not None:
        found.append(_times(step.for_each))
    if step.condition is not None:
        found.append("if it applies")
    return found


def _times(loop: ForEach) -> str:
    most = min(loop.most, loop.items.most or loop.most) if isinstance(loop.items, Pick) else loop.most
    if isinstance(loop.items, ArrayValue):
        most = min(most, len(loop.items.items))
    return "at most once" if most == 1 else f"up to {most} times"


def _header(name: str, value: Value) -> str:
    text = _literal(value)
    return f"{name}: {text}" if text else f"the header {name}"


def _literal(value: Value | None) -> str | None:
    """The value as a short text, where it stands in the rule."""
    if not isinstance(value, Literal) or value.value is None:
        return None
    text = value.value if isinstance(value.value, str) else json.dumps(value.value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
