"""httpx with everything taken off that would change what is measured."""

from __future__ import annotations

import functools
import importlib.metadata
import ssl
from dataclasses import dataclass, field

import httpx
import trio

from mcp_compliance.exchange.sending import Headers
from mcp_compliance.model.options import Network
from mcp_compliance.wire import limits
from mcp_compliance.wire.errors import NetworkError
from mcp_compliance.wire.http_failures import failure_of, refused_by
from mcp_compliance.wire.proxies import Proxy, proxy_for
from mcp_compliance.wire.trust import trusted


class NoResponseError(Exception):
    """No HTTP status arrived. ``outcome`` is ``unreachable`` or ``dropped``; the text is one line."""

    def __init__(self, outcome: str, problem: str) -> None:
        super().__init__(problem)
        self.outcome = outcome
        self.problem = problem


@dataclass(frozen=True)
class HttpOptions:
    """How connections are made. ``trust_env`` lets ``network`` read the variables about proxies and certificates.

    ``resume`` lets a closed event stream be continued with GET and Last-Event-ID; a revision without
    resumption switches it off. ``transport`` takes the place of the network in tests.
    """

    network: Network = Network()
    trust_env: bool = True
    resume: bool = True
    transport: httpx.AsyncBaseTransport | None = field(default=None, repr=False)


@dataclass
class _Trace:
    """What httpcore did for one request: whether it connected anew, and whether a response began."""

    began: bool = False
    connected: bool = False
    received: bool = False

    async def __call__(self, event: str, info: object) -> None:
        self.began = self.began or event.endswith("send_request_headers.started")
        self.connected = self.connected or ".connect_" in event
        self.received = self.received or event.endswith("receive_response_headers.complete")


class HttpClient:
    """Sends requests exactly as given: no cookies, redirects, credentials, retries or default headers.

    Added are Host and Content-Length, and ``User-Agent: mcp-compliance/<version>`` where the request has
    none.
    """

    def __init__(self, options: HttpOptions) -> None:
        self._options = options
        self._transports: dict[tuple[Proxy | None, bool, bool], httpx.AsyncBaseTransport] = {}
        self._proxies: dict[tuple[str, str, int | None], Proxy | None] = {}
        """By origin: to ask the environment takes a tenth of what a request does."""
        self._closed = False

    def _transport(self, url: httpx.URL, proxy: Proxy | None, *, keep_alive: bool) -> httpx.AsyncBaseTransport:
        """What connects to this URL, with connections that are used again or not; made when it is first asked for."""
        if self._closed:
            # A transport would connect all the same, and nobody would close that connection.
            raise RuntimeError("the client is closed")
        tls = url.scheme != "http" or (proxy is not None and proxy.tls)
        if (proxy, tls, keep_alive) not in self._transports:
            self._transports[proxy, tls, keep_alive] = self._make(proxy, keep_alive=keep_alive, tls=tls)
        return self._transports[proxy, tls, keep_alive]

    @functools.cached_property
    def _trusted(self) -> ssl.SSLContext:
        """Made once: httpx would read all certificates anew for each of its transports."""
        options = self._options
        plain = not options.trust_env and options.network == Network()
        return httpx.create_ssl_context(trust_env=False) if plain else trusted(options.network)

    def _make(self, proxy: Proxy | None, *, keep_alive: bool, tls: bool) -> httpx.AsyncBaseTransport:
        if self._options.transport is not None and proxy is None:
            return self._options.transport
        kept = None if keep_alive else 0
        # Reading the certificates takes longer than starting all else. Without them no peer would be trusted.
        context = self._trusted if tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # No client of httpx above it: all that one would add is taken off here, and it takes a third of the time.
        return httpx.AsyncHTTPTransport(
            verify=context,
            proxy=None if proxy is None else httpx.Proxy(proxy.url, ssl_context=context if proxy.tls else None),
            trust_env=False,  # what the environment says was read before
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=kept),
        )

    async def open(self, method: str, url: str, headers: Headers, body: bytes | None) -> httpx.Response:
        """Send; return the response with its body unread, to be closed with ``shut``.

        Raises ``NoResponseError``. A connection that the server had closed while it lay idle is no answer:
        the request is sent once more, on a fresh connection, when the first one had been used before and not
        a byte came back.
        """
        target = httpx.URL(url)
        if target.userinfo:
            target = target.copy_with(userinfo=b"")
        trace = _Trace()
        proxy: Proxy | None = None
        try:
            proxy = self._proxy(target)
            transport = self._transport(target, proxy, keep_alive=True)
            response = await self._send(transport, method, target, headers, body, trace)
        except NetworkError as error:
            raise NoResponseError("unreachable", str(error)) from None
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError) as error:
            first = NoResponseError(*failure_of(error, target, proxy))
            stale = trace.began and not trace.connected and not trace.received
            if not stale or ("without sending" not in str(error) and isinstance(error, httpx.RemoteProtocolError)):
                raise first from None
        except Exception as error:
            raise NoResponseError(*failure_of(error, target, proxy)) from None
        else:
            return await _of_the_target(response, target, proxy)
        try:
            fresh = self._transport(target, proxy, keep_alive=False)
            response = await self._send(fresh, method, target, headers, body, _Trace())
        except httpx.ConnectError:
            raise first from None
        except Exception as error:
            raise NoResponseError(*failure_of(error, target, proxy)) from None
        return await _of_the_target(response, target, proxy)

    async def _send(
        self,
        transport: httpx.AsyncBaseTransport,
        method: str,
        url: httpx.URL,
        headers: Headers,
        body: bytes | None,
        trace: _Trace,
    ) -> httpx.Response:
        raw = [(name.encode("latin-1", "replace"), _header_bytes(value)) for name, value in headers]
        if not any(name.lower() == b"user-agent" for name, _ in raw):
            raw.append((b"User-Agent", user_agent().encode()))
        request = httpx.Request(method, url, headers=raw, content=body, extensions={"trace": trace})
        response = await transport.handle_async_request(request)
        response.request = request
        return response

    def _proxy(self, url: httpx.URL) -> Proxy | None:
        options = self._options
        asked = options.network.proxy is not None or (options.trust_env and options.transport is None)
        if not asked:
            return None
        origin = url.scheme, url.host, url.port
        if origin not in self._proxies:
            self._proxies[origin] = proxy_for(url, options.network)
        return self._proxies[origin]

    async def aclose(self) -> None:
        """Close all connections, within a bound. No request is sent from then on."""
        self._closed = True
        with trio.move_on_after(limits.CONNECTION_CLOSE, shield=True):
            for transport in self._transports.values():
                await transport.aclose()


async def _of_the_target(response: httpx.Response, url: httpx.URL, proxy: Proxy | None) -> httpx.Response:
    """The response, unless the proxy asks for credentials of its own: that is no answer of the target's."""
    if response.status_code != 407 or proxy is None:
        return response
    await shut(response)
    raise NoResponseError("unreachable", refused_by(proxy, url, "407 Proxy Authentication Required"))


async def shut(response: httpx.Response) -> None:
    """Let go of a response; an unread one takes its connection along. Bounded, done even when cancelled."""
    with trio.move_on_after(limits.CONNECTION_CLOSE, shield=True):
        try:
            await response.aclose()
        except (httpx.HTTPError, RuntimeError):
            return


@functools.cache
def user_agent() -> str:
    """Read once: the metadata lie on the disk, and every request asks."""
    try:
        return f"mcp-compliance/{importlib.metadata.version('mcp-compliance')}"
    except importlib.metadata.PackageNotFoundError:
        return "mcp-compliance"


def _header_bytes(value: str) -> bytes:
    """Visible ASCII mostly; a rule may send other characters, which leave as UTF-8."""
    return value.encode("utf-8", "surrogateescape")


def header_text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")
