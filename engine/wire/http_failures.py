"""Connection errors in the words of a report: what failed, where, and what the system said."""

from __future__ import annotations

import os
import socket
import ssl
from typing import Literal, TypeAlias

import httpx

from mcp_compliance.wire.proxies import Proxy

Failure: TypeAlias = tuple[Literal["unreachable", "dropped"], str]
"""Outcome of an exchange that got no HTTP status, and one line that says why."""


def failure_of(error: Exception, url: httpx.URL, proxy: Proxy | None) -> Failure:
    """Sort an error of httpx. ``proxy`` is the proxy in use, which is named when no connection came about."""
    where = _where(url)
    if isinstance(error, httpx.ProxyError) and proxy is not None:
        return "unreachable", refused_by(proxy, url, _line(error))
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
        return "unreachable", _reason(error, where, proxy)
    through = where if proxy is None else f"{where}, through the proxy {proxy.shown},"
    if isinstance(error, httpx.RemoteProtocolError):
        if "without sending a response" in str(error):
            return "dropped", f"{through} accepted the connection and closed it without an HTTP answer"
        return "dropped", f"{through} does not answer in HTTP: {_line(error)}"
    if isinstance(error, (httpx.ReadError, httpx.WriteError, httpx.CloseError)):
        return "dropped", f"{through} accepted the connection and broke it off without an answer"
    if isinstance(error, (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError)):
        return "unreachable", f"the request cannot be sent to {where}: {_line(error)}"
    return "dropped", f"the exchange with {where} failed: {type(error).__name__}: {_line(error)}"


def refused_by(proxy: Proxy, url: httpx.URL, reason: str) -> str:
    """The words for a proxy that does not let through, with what to do when it wants credentials."""
    hint = "; its address takes them: http://USER:PASSWORD@HOST:PORT" if "407" in reason else ""
    return f"the proxy {proxy.shown} refused to connect to {_where(url)}: {reason}{hint}"


def _where(url: httpx.URL) -> str:
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{host}:{url.port or (443 if url.scheme == 'https' else 80)}"


def _reason(error: Exception, target: str, proxy: Proxy | None) -> str:
    where = target if proxy is None else f"the proxy {proxy.shown}"
    for cause in _causes(error):
        # behind a proxy that is reached without TLS, the handshake was the target's
        tls = target if proxy is None or proxy.tls is False else f"{target}, or to the proxy {proxy.shown},"
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = cause.verify_message or "the certificate is not trusted"
            return f"TLS to {tls} failed: {why}; --cacert or SSL_CERT_FILE can name the certificate to trust"
        if isinstance(cause, ssl.SSLError):
            return f"TLS to {tls} failed: {(cause.reason or str(cause)).replace('_', ' ').lower()}"
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            name = f"in {target}" if proxy is None else f"of {where}"
            return f"the name {name} cannot be resolved: {cause.strerror or cause}"
        if isinstance(cause, ConnectionRefusedError):
            return f"{where} refused the connection"
    for cause in _causes(error):
        if isinstance(cause, OSError) and cause.errno is not None:
            return f"no connection to {where}: {os.strerror(cause.errno).lower()}"
    return f"no connection to {where}: {_line(error) or 'it was closed during the handshake'}"


def _causes(error: BaseException) -> list[BaseException]:
    """The error and everything that led to it, members of groups included, outermost first."""
    found: list[BaseException] = []
    todo: list[BaseException | None] = [error]
    while todo and len(found) < 50:
        cause = todo.pop(0)
        if cause is None or cause in found:
            continue
        found.append(cause)
        if isinstance(cause, BaseExceptionGroup):
            todo.extend(cause.exceptions)
        todo.extend((cause.__cause__, cause.__context__))
    return found


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
