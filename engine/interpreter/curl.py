"""A command line for curl that sends an HTTP request again. What is secret stands in it as a variable of the shell."""

from __future__ import annotations

import math
import re
import shlex

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.credentials import is_credential
from mcp_compliance.model.options import Network
from mcp_compliance.model.secrets import Secrets

LONGEST_BODY = 4096
"""Bytes of a body that fit into a command line which people still copy."""
SESSION = "mcp-session-id"
ADDED = ("Accept", "Content-Type")
"""Headers that curl adds to a request that has a body."""
_MARK = "\ue000"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.+-]+")


def curl_line(sending: Sending, context: Context, drawn: Exchange | None = None) -> str | None:
    """The command, one line for a POSIX shell; None on stdio and for a request that no short line can hold.

    ``drawn`` is the answer, which knows where a redirect led to. A configured secret is a variable named after its
    header (``$AUTHORIZATION``), a credential of a rule's own ``$OTHER_AUTHORIZATION``, a session id
    ``$MCP_SESSION_ID``, a proxy with a password ``$PROXY``, a secret anywhere else ``$SECRET``.
    """
    url = sending.url or context.endpoint
    if drawn is not None and drawn.http is not None:
        url = drawn.http.url or url
    body = sending.body
    if url is None or (body is not None and len(body) > LONGEST_BODY):
        return None
    words = ["curl", "-isS", "-N", "--max-time", str(max(1, math.ceil(sending.within))), *_network(context.network)]
    if any(char in url for char in "{}[]"):
        words.append("--globoff")
    if sending.http_method != ("GET" if body is None else "POST"):
        words += ["-X", shlex.quote(sending.http_method)]
    words.append(_quoted(url, context.secrets))
    for name, value in sending.headers:
        words += ["-H", _header(name, value, context)]
    sent = {name.lower() for name, _ in sending.headers}
    words += [f"-H '{name}:'" for name in ADDED if name.lower() not in sent and (body is not None or name == "Accept")]
    return _with_body(words, body, context.secrets) if all(map(str.isprintable, words)) else None


def _network(network: Network) -> list[str]:
    words = ["--insecure"] if network.insecure else []
    if network.ca_file is not None:
        words += ["--cacert", shlex.quote(str(network.ca_file))]
    if network.proxy is not None:
        words += ["--proxy", '"$PROXY"' if "@" in network.proxy else shlex.quote(network.proxy)]
    return words


def _with_body(words: list[str], body: bytes | None, secrets: Secrets) -> str | None:
    if body is None:
        return " ".join(words)
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = ""
    # a text that begins with @ would be taken for the name of a file
    if text.isprintable() and text.encode() == body and not text.startswith("@"):
        return " ".join([*words, "--data-binary", _quoted(text, secrets)])
    if secrets.mask(text) != text:
        return None
    octal = "".join(f"\\{byte:03o}" for byte in body)
    return " ".join([f"printf '{octal}' |", *words, "--data-binary", "@-"])


def _header(name: str, value: str, context: Context) -> str:
    lowered = name.lower()
    variable = re.sub(r"[^A-Z0-9]", "_", name.upper())
    if lowered == SESSION:
        return f'"{name}: ${variable}"'
    if is_credential(name) or context.secrets.mask(value) != value:
        configured = any(lowered == other.lower() and value == own for other, own in context.headers)
        return _with_variable(name, variable if configured else f"OTHER_{variable}")
    # curl takes a colon with nothing after it for a header to be left out
    return shlex.quote(f"{name}: {value}" if value else f"{name};")


def _with_variable(name: str, variable: str) -> str:
    # a tool's schema may name its headers, in which "$", "!" and "`" are legal, and mean something between these quotes
    if _PLAIN_NAME.fullmatch(name):
        return f'"{name}: ${variable}"'
    return f"""{shlex.quote(f"{name}: ")}"${variable}\""""


def _quoted(text: str, secrets: Secrets) -> str:
    pieces = secrets.mask(text, _MARK).split(_MARK)
    return '"$SECRET"'.join(shlex.quote(piece) if piece or len(pieces) == 1 else "" for piece in pieces)
