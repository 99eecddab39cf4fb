"""Makes the draft of a step: its values resolved over the rule's scope."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from mcp_compliance.catalog.rule import Step
from mcp_compliance.catalog.values import NOT_GIVEN, NotGiven, Value
from mcp_compliance.facts.addresses import is_local
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.outgoing import decoded
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.values import Resolver, Unbuildable
from mcp_compliance.jsontypes import JSON, JSONObject


def draft_of(step: Step, scope: Scope, resolver: Resolver, context: Context) -> Draft:
    """Raises ``Unbuildable`` and ``NothingToPick`` as values do, and ``Unbuildable`` for an address not allowed."""

    def all_of(values: Mapping[str, Value]) -> JSONObject:
        return {name: resolver.resolve(value, scope) for name, value in values.items()}

    target = None if step.target is None else resolver.resolve(step.target, scope)
    http = all_of(step.http)
    raw = _raw(step, target)
    url = _joined(context.endpoint, str(http["path"])) if "path" in http else http.get("url")
    body = http.get("body")
    if body is not None:
        raw = (body if isinstance(body, str) else json.dumps(body)).encode()
    credentials = step.credentials
    if isinstance(url, str) and not _same_host(url, context.endpoint):
        if not url.lower().startswith("https://") or is_local(url):
            raise Unbuildable(f"{url} is neither on the target's host nor public https; nothing is sent there")
        credentials = "none"
    headers = http.get("headers")
    bare = step.verb == "http" or (step.verb == "stream" and bool(step.http))
    return Draft(
        step=step.name,
        method=target if step.verb in ("call", "notify", "stream") and isinstance(target, str) else None,
        params=NOT_GIVEN if step.params is None else resolver.resolve(step.params, scope),
        notification=step.verb == "notify",
        raw=raw,
        bare=bare,
        http_method=str(http.get("method", "GET" if bare else "POST")),
        url=url if isinstance(url, str) else None,
        meta=all_of(step.meta),
        headers={**(headers if isinstance(headers, dict) else {}), **all_of(step.headers)},
        query=all_of(step.query),
        id=step.id if isinstance(step.id, NotGiven) else resolver.resolve(step.id, scope),
        omit=step.omit,
        credentials=credentials,
        session=step.session == "own",
        answers=step.answers,
        within=context.budget(step.within),
        listen=context.budget(step.listen),
        era=step.era,
    )


def defects_of(step: Step, draft: Draft) -> tuple[str, ...]:
    """What ``same_without_defect`` leaves out: what the step names, else every override that it makes."""
    if step.defect:
        return step.defect
    return (*(f"header.{name}" for name in draft.headers), *(f"meta.{name}" for name in draft.meta))


def _raw(step: Step, target: JSON) -> bytes | None:
    if step.verb == "raw":
        return (target if isinstance(target, str) else json.dumps(target)).encode("utf-8", "surrogatepass")
    return decoded(str(target)) if step.verb == "bytes" else None


def _joined(endpoint: str | None, path: str) -> str:
    try:
        return urljoin(endpoint or "", path)
    except ValueError as problem:
        raise Unbuildable(f"{path}: {problem}") from problem


def _same_host(url: str, endpoint: str | None) -> bool:
    """Raises ``Unbuildable`` for an address that cannot be read."""
    try:
        return endpoint is not None and urlsplit(url).hostname == urlsplit(endpoint).hostname
    except ValueError as problem:
        raise Unbuildable(f"{url}: {problem}") from problem
