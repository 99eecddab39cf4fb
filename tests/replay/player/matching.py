"""Whether a message fits the `when` of a script entry. Keys and values are described in corpus/FORM.md."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from urllib.parse import urlsplit

from .context import Context, dig, media_type
from .message import MAX_SAFE_INTEGER, NOTHING, REQUEST, Json, is_number

META = "io.modelcontextprotocol/"
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
# Not conditions on the message: how often an entry may answer, and which event of the process it is for.
NOT_CONDITIONS = frozenset({"times", "event"})


def fits(when: dict[str, Json], context: Context) -> bool:
    """True when every condition holds. Raises KeyError for a condition that does not exist."""
    return all(CONDITIONS[key](wanted, context) for key, wanted in when.items() if key not in NOT_CONDITIONS)


def value_fits(wanted: Json, actual: Json) -> bool:
    """Compare one value; null means "absent", a mapping holds one of not, not_in and type."""
    if not isinstance(wanted, dict):
        return wanted == actual and isinstance(wanted, bool) == isinstance(actual, bool)
    if "not" in wanted:
        return not value_fits(wanted["not"], actual)
    if "not_in" in wanted:
        return not any(value_fits(one, actual) for one in _list(wanted["not_in"]))
    if not isinstance(actual, str):
        return False
    return wanted["type"] == "text" or not actual.isascii()


def _verb(wanted: Json, context: Context) -> bool:
    return context.http is not None and (wanted == "*" or value_fits(wanted, context.http.verb))


def _path(wanted: Json, context: Context) -> bool:
    if context.http is None or not isinstance(wanted, str):
        return False
    if wanted.endswith("*"):
        return context.http.path.startswith(wanted[:-1])
    return context.http.path == wanted


def _scheme(wanted: Json, context: Context) -> bool:
    return context.http is not None and context.http.scheme == wanted


def _content_type(wanted: Json, context: Context) -> bool:
    foreign = media_type(context.header("content-type")) != "application/json"
    return wanted == "other" and context.message.kind != NOTHING and foreign


def _body(wanted: Json, context: Context) -> bool:
    return context.message.kind == wanted


def _method(wanted: Json, context: Context) -> bool:
    return context.message.method is not None and value_fits(wanted, context.message.method)


def _params(wanted: Json, context: Context) -> bool:
    return all(value_fits(value, dig(context.message.params, path)) for path, value in _dict(wanted).items())


def _headers(wanted: Json, context: Context) -> bool:
    return all(value_fits(value, context.header(name)) for name, value in _dict(wanted).items())


def _session(wanted: Json, context: Context) -> bool:
    return wanted in context.session


def _id(wanted: Json, context: Context) -> bool:
    if context.message.kind != REQUEST:
        return False
    value = context.message.id
    if wanted == "string":
        return isinstance(value, str)
    if not is_number(value):
        return False
    if wanted == "number":
        return True
    return not isinstance(value, int) or abs(value) > MAX_SAFE_INTEGER


def _origin(wanted: Json, context: Context) -> bool:
    origin = context.header("origin")
    return wanted == "foreign" and origin is not None and urlsplit(origin).hostname not in LOCAL_HOSTS


def _meta(wanted: Json, context: Context) -> bool:
    if context.message.kind != REQUEST:
        return False
    meta = context.message.meta
    if meta is None:
        return wanted == "missing"
    version, capabilities = f"{META}protocolVersion" in meta, f"{META}clientCapabilities" in meta
    truths = {"no-version": not version, "no-capabilities": not capabilities, "ok": version and capabilities}
    return truths.get(str(wanted), False)


def _mirror(wanted: Json, context: Context) -> bool:
    message = context.message
    if message.kind != REQUEST:
        return False
    version = context.header("mcp-protocol-version")
    method = context.header("mcp-method")
    named = message.params.get(NAMED_BY.get(message.method or "", ""))
    # An absent version or method header has conditions of its own; a missing name header is a mismatch.
    wrong = {
        "version-mismatch": version is not None
        and message.meta is not None
        and f"{META}protocolVersion" in message.meta
        and message.meta[f"{META}protocolVersion"] != version,
        "method-mismatch": method is not None and method != message.method,
        "name-mismatch": isinstance(named, str) and decode_header(context.header("mcp-name")) != named,
    }
    return not any(wrong.values()) if wanted == "ok" else wrong[str(wanted)]


def _version(wanted: Json, context: Context) -> bool:
    version = (context.message.meta or {}).get(f"{META}protocolVersion")
    return version is not None and value_fits(wanted, version)


def _raw(wanted: Json, context: Context) -> bool:
    return wanted == "has-non-ascii" and not context.message.raw.isascii()


def _state(wanted: Json, context: Context) -> bool:
    if wanted == "before-initialize":
        return not context.progress.initialize_seen
    return not context.progress.initialized_seen


def _rate(wanted: Json, context: Context) -> bool:
    limit = _dict(wanted)
    most, within = limit["more_than"], limit["within_s"]
    assert isinstance(most, int)
    assert isinstance(within, int | float)
    return sum(moment > context.recent[-1] - within for moment in context.recent) > most


def decode_header(value: str | None) -> str | None:
    """A header value of the 2026 revisions: plain, or `=?base64?...?=` around UTF-8."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def _dict(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value


CONDITIONS: dict[str, Callable[[Json, Context], bool]] = {
    "verb": _verb,
    "path": _path,
    "scheme": _scheme,
    "content_type": _content_type,
    "body": _body,
    "method": _method,
    "params": _params,
    "headers": _headers,
    "session": _session,
    "id": _id,
    "origin": _origin,
    "meta": _meta,
    "mirror": _mirror,
    "version": _version,
    "raw": _raw,
    "state": _state,
    "rate": _rate,
}
