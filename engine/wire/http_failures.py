"""Connection errors in the words of a report: what failed, where, and what the system said."""

from __future__ import annotations

import os
import socket
import ssl
import urllib.request
from typing import Literal, TypeAlias

import httpx

Failure: TypeAlias = tuple[Literal["unreachable", "dropped"], str]
"""Outcome of an exchange that got no HTTP status, and one line that says why."""


def failure_of(error: Exception, url: httpx.URL, proxy: str | None) -> Failure:
    """Sort an error of httpx. ``proxy`` is the proxy in use, which is named when no connection came about."""
    where = f"{url.host}:{url.port or (443 if url.scheme == 'https' else 80)}"
    if isinstance(error, httpx.ProxyError):
        return "unreachable", f"the proxy {proxy or ''} refused to connect to {where}: {_line(error)}"
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
        reason = _reason(error, where if proxy is None else f"the proxy {proxy}")
        return "unreachable", reason
    if isinstance(error, httpx.RemoteProtocolError):
        if "without sending a response" in str(error):
            return "dropped", f"{where} accepted the connection and closed it without an HTTP answer"
        return "dropped", f"{where} does not answer in HTTP: {_line(error)}"
    if isinstance(error, (httpx.ReadError, httpx.WriteError, httpx.CloseError)):
        return "dropped", f"{where} accepted the connection and broke it off without an answer"
    if isinstance(error, (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError)):
        return "unreachable", f"the request cannot be sent to {where}: {_line(error)}"
    return "dropped", f"the exchange with {where} failed: {type(error).__name__}: {_line(error)}"


def _reason(error: Exception, where: str) -> str:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = cause.verify_message or "the certificate is not trusted"
            return f"TLS to {where} failed: {why}; SSL_CERT_FILE can name the certificate to trust"
        if isinstance(cause, ssl.SSLError):
            return f"TLS to {where} failed: {(cause.reason or str(cause)).replace('_', ' ').lower()}"
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            return f"the name in {where} cannot be resolved: {cause.strerror or cause}"
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


def proxy_of(url: httpx.URL) -> str | None:
    """The proxy that the environment names for this URL, without its credentials."""
    if urllib.request.proxy_bypass(url.host):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return None if proxy is None else without_credentials(proxy)


def without_credentials(url: str) -> str:
    """The URL without user name and password."""
    try:
        return str(httpx.URL(url).copy_with(userinfo=b""))
    except httpx.InvalidURL:
        return "(an unreadable address)"
