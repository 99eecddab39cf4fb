"""Makes the message of a draft: envelope, then headers read from the whole message, then omissions and overrides."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.catalog.revision import HeaderDefault, Revision
from mcp_compliance.catalog.values import NotGiven, Reference
from mcp_compliance.exchange.sending import Headers, Sending
from mcp_compliance.facts.addresses import same_origin
from mcp_compliance.facts.header_values import encoded, mirrored
from mcp_compliance.interpreter.credentials import with_credentials
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.interpreter.values import Resolver, Unbuildable
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.secrets import Secrets

VISIBLE = {chr(code) for code in range(0x20, 0x7F)} | {"\t"}


@dataclass(frozen=True)
class Session:
    """The session that a message goes out in; both None before it is open, or where there is none."""

    id: str | None = None
    version: str | None = None

    def view(self, *, opened: bool) -> JSONObject:
        return {"id": self.id, "version": self.version, "open": opened}


@dataclass
class Composer:
    """Composes sendings for one target. ``user_headers`` go with every HTTP request and may replace defaults."""

    revision: Revision
    resolver: Resolver
    secrets: Secrets
    root: dict[str, JSON]
    endpoint: str | None = None
    user_headers: Headers = ()
    tools: Callable[[], list[JSON]] = list
    """What the server listed so far: arguments of its tools may have headers of their own."""

    def compose(self, draft: Draft, session: Session, peer: str) -> Sending:
        """Raises ``Unbuildable`` when an envelope value or a header cannot be made."""
        message = None if draft.bare else self._message(draft)
        headers = self._headers(draft, message, session) if self.endpoint is not None else ()
        if message is not None:
            message = self._override(message, draft)
        return Sending(
            step=draft.step,
            within=draft.within,
            message=message if draft.raw is None else _parsed(draft.raw),
            body=self._body(draft, message),
            http_method=draft.http_method,
            url=self._url(draft),
            headers=headers,
            answers="none" if draft.notification or draft.bare else draft.answers,
            listen=draft.listen,
            peer=peer,
            raw=draft.raw is not None or draft.bare,
            era=draft.era,
        )

    def _message(self, draft: Draft) -> JSONObject:
        scope = Scope(self.revision.library, self.root)
        envelope = self.revision.envelope
        message: JSONObject = {"jsonrpc": envelope.jsonrpc}
        if not draft.notification:
            message["id"] = self.resolver.generator.next_id()
        if draft.method is not None:
            message["method"] = draft.method
        if not isinstance(draft.params, NotGiven):
            message["params"] = draft.params
        meta: JSONObject = {
            self._meta_name(name): self.resolver.resolve(value, scope) for name, value in envelope.meta.items()
        }
        if meta:
            self._put_meta(message, meta)
        return message

    def _override(self, message: JSONObject, draft: Draft) -> JSONObject:
        message = dict(message)
        if draft.meta:
            self._put_meta(message, {self._meta_name(name): value for name, value in draft.meta.items()})
        if not isinstance(draft.id, NotGiven):
            message["id"] = draft.id
        for name in draft.omit:
            place, _, member = name.partition(".")
            if place in ("id", "jsonrpc", "method", "params"):
                message.pop(place, None)
            elif place == "meta":
                self._drop_meta(message, member)
        return message

    @staticmethod
    def _put_meta(message: JSONObject, meta: JSONObject) -> None:
        """Into params that are an object or not given; what a rule sends in their place stays as it is."""
        params = message.get("params", {})
        if not isinstance(params, dict):
            return
        params = dict(params)
        before = params.get("_meta")
        params["_meta"] = {**(before if isinstance(before, dict) else {}), **meta}
        message["params"] = params

    def _drop_meta(self, message: JSONObject, member: str) -> None:
        params = message.get("params")
        if not isinstance(params, dict) or not isinstance(params.get("_meta"), dict):
            return
        params = dict(params)
        meta = dict(params.pop("_meta") or {})  # type: ignore[arg-type]
        meta.pop(self._meta_name(member), None)
        if member and meta:
            params["_meta"] = meta
        message["params"] = params

    def _meta_name(self, name: str) -> str:
        return self.revision.envelope.meta_prefix.get(name, name)

    def _headers(self, draft: Draft, message: JSONObject | None, session: Session) -> Headers:
        url = self._url(draft)
        at_home = url is None or same_origin(url, self.endpoint or "")
        # whether a header of the user's is a secret cannot be told from its name alone, and a session id is one
        sent_session = session if draft.session and at_home else Session(None, session.version)
        sending: JSONObject = {
            "method": draft.method,
            "params": None if isinstance(draft.params, NotGiven) else draft.params,
            "meta": self._short_meta(message),
            "http_method": draft.http_method,
        }
        scope = Scope(
            self.revision.library,
            {**self.root, "sending": sending, "session": sent_session.view(opened=True)},
        )
        headers: list[tuple[str, str]] = []
        has_body = draft.raw is not None or message is not None
        for default in self.revision.headers:
            if default.name.lower() == "content-type" and not has_body:
                continue
            try:
                if default.condition is not None and not is_true(scope.evaluate(default.condition)):
                    continue
                if default.mirror is not None:
                    headers += self._mirrored(default, default.mirror, draft)
                    continue
                value = (
                    scope.evaluate(default.value.source)
                    if isinstance(default.value, Reference)
                    else self.resolver.resolve(default.value, scope)
                )
            except ExpressionRaised as raised:
                raise Unbuildable(f"header {default.name}: {raised.reason}") from raised
            if isinstance(value, str):
                headers.append((default.name, encoded(value) if default.encoded else header_safe(value)))
        user = self.user_headers if at_home else ()
        for name, value in with_credentials(user, draft.credentials, self.resolver.generator):
            _replace(headers, name, value)
        for name, given in draft.headers.items():
            _replace(headers, name, header_safe(_header_text(given)))
        omitted = {name.partition(".")[2].lower() for name in draft.omit if name.startswith("header.")}
        kept = tuple((name, value) for name, value in headers if name.lower() not in omitted)
        if draft.credentials in ("unknown", "malformed"):
            for name, value in kept:
                if name.lower() == "authorization":
                    self.secrets.add(value.partition(" ")[2])
        return kept

    def _mirrored(self, header: HeaderDefault, keyword: str, draft: Draft) -> list[tuple[str, str]]:
        """The headers of a call's arguments, as the schema of the tool asks for them."""
        params: JSONObject = draft.params if isinstance(draft.params, dict) else {}
        listed = (tool for tool in self.tools() if isinstance(tool, dict) and tool.get("name") == params.get("name"))
        tool: JSONObject = next(listed, {})
        written = encoded if header.encoded else header_safe
        values = mirrored(tool.get("inputSchema"), params.get("arguments"), keyword)
        return [(header.name.replace("*", own), written(value)) for own, value in values]

    def _short_meta(self, message: JSONObject | None) -> JSONObject:
        params = message.get("params") if message is not None else None
        meta = params.get("_meta") if isinstance(params, dict) else None
        long = {key: name for name, key in self.revision.envelope.meta_prefix.items()}
        return {long.get(key, key): value for key, value in meta.items()} if isinstance(meta, dict) else {}

    @staticmethod
    def _body(draft: Draft, message: JSONObject | None) -> bytes | None:
        if draft.raw is not None:
            return draft.raw
        if message is None:
            return None
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")

    def _url(self, draft: Draft) -> str | None:
        if self.endpoint is None or not (draft.url or draft.query):
            return None
        url = draft.url or self.endpoint
        if draft.query:
            parts = urlsplit(url)
            more = urlencode({key: _header_text(value) for key, value in draft.query.items()})
            url = urlunsplit(parts._replace(query=f"{parts.query}&{more}" if parts.query else more))
        return url


def header_safe(value: str) -> str:
    """A value that HTTP can carry: characters outside visible ASCII become question marks, so nothing is injected."""
    if value.isascii() and value.isprintable():
        return value
    return "".join(char if char in VISIBLE else "?" for char in value)


def _header_text(value: JSON) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _replace(headers: list[tuple[str, str]], name: str, value: str) -> None:
    """Set a header; the letter case in which it is written here goes out."""
    headers[:] = [(other, kept) for other, kept in headers if other.lower() != name.lower()]
    headers.append((name, value))


def _parsed(raw: bytes) -> JSONObject | None:
    """The JSON-RPC message in raw bytes, when they happen to hold a JSON object."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def decoded(text: str) -> bytes:
    """Bytes of a ``bytes:`` step. Raises ``Unbuildable`` for text that is not Base64."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as problem:
        raise Unbuildable(f"bytes: {problem}") from problem
