"""Streamable HTTP on httpx and trio."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

import httpx
import trio

from mcp_compliance.exchange.exchange import Exchange, Process
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Headers, Sending, Until
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.wire import limits
from mcp_compliance.wire.http_client import HttpClient, HttpOptions, NoResponseError, shut
from mcp_compliance.wire.http_reply import Allowance, HttpReply
from mcp_compliance.wire.jsonrpc import answer_to, encode
from mcp_compliance.wire.wire import Responder

_BODY_HEADERS = ("content-type", "content-length", "accept", "last-event-id")


class HttpWire:
    """A wire to one endpoint. Never raises for what a server does.

    Outcomes. ``unreachable``: no connection (refused, DNS, TLS, a dead proxy). ``dropped``: a connection, but
    no status line, or a body or event stream that ended before the response. ``timeout``: nothing that counts
    within ``sending.within``. ``unparsable``: status 2xx to a request, and a whole body that holds no
    JSON-RPC message. ``answered``: a response that counts arrived (see ``HttpReply``), or any status of 300
    and above, or any status where none was awaited. JSON-RPC is looked for in every body, whatever its media
    type; rules judge that type.

    An event stream is left as soon as the awaited response is there and ``sending.listen`` has passed; one
    that a bare request opened (``answers: none``) as soon as its headers are in. A stream that closes early
    after events with ids is continued with GET and Last-Event-ID. Requests of the server are answered by
    POST, with the headers of the request on whose stream they came. A 307 or 308 of the endpoint to its own
    origin is followed once and kept: ``endpoint`` is then the new address and ``redirected_to`` says so. No
    other redirect is followed.

    Background work (open streams, answers) runs in ``nursery`` and raises nothing into it; ``aclose`` ends
    it.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        recorder: Recorder,
        responder: Responder,
        nursery: trio.Nursery,
        options: HttpOptions | None = None,
    ) -> None:
        self._options = options or HttpOptions()
        self._asked = httpx.URL(endpoint)
        self._redirected: httpx.URL | None = None
        self._recorder = recorder
        self._responder = responder
        self._resumes = self._options.resume
        self._nursery = nursery
        self._client = HttpClient(self._options)
        self._allowance = Allowance()
        self._scopes: set[trio.CancelScope] = set()
        self._work_ended = trio.Event()

    def speak(self, responder: Responder, *, resumes: bool) -> None:
        """From now on answer the server's requests in this way, and go on with broken event streams or not."""
        self._responder = responder
        self._resumes = resumes

    @property
    def transport(self) -> Literal["http"]:
        return "http"

    @property
    def process(self) -> Process | None:
        return None

    @property
    def endpoint(self) -> str:
        """The address that requests go to now."""
        return str((self._redirected or self._asked).copy_with(userinfo=b""))

    @property
    def redirected_to(self) -> str | None:
        """Where the endpoint redirected to, else None."""
        return None if self._redirected is None else self.endpoint

    async def exchange(self, sending: Sending) -> Exchange:
        reply = self._begin(sending)
        try:
            with trio.move_on_after(sending.within) as scope:
                await self._converse(reply, scope)
            return reply.exchange()
        finally:
            self._recorder.ended(reply.entry)
            reply.finished()

    async def stream(self, sending: Sending, until: Until) -> HttpStream:
        """Outcomes beside those of ``exchange``: ``open`` (the condition holds), ``quiet`` (it did not come
        true).
        """
        reply = self._begin(sending)
        met = trio.Event()
        reply.on_change = lambda: met.set() if reply.over or _holds(reply, until) else None
        ended = trio.Event()
        scope = trio.CancelScope()

        async def read() -> None:
            try:
                await self._converse(reply, None)
            finally:
                self._recorder.ended(reply.entry)
                reply.finished()
                ended.set()

        self._spawn(read, scope=scope)
        try:
            with trio.move_on_after(sending.within):
                await met.wait()
        except BaseException:
            scope.cancel()
            raise
        return HttpStream(_stream_exchange(reply, until), scope, ended)

    async def watch(self, seconds: float) -> Process | None:
        """There is no process to look at: None, after the time given."""
        await trio.sleep(seconds)
        return None

    async def aclose(self) -> None:
        """Drop all streams and connections. Bounded, and done even when cancelled."""
        for scope in list(self._scopes):
            scope.cancel()
        with trio.move_on_after(limits.CONNECTION_CLOSE, shield=True):
            while self._scopes:
                self._work_ended = trio.Event()
                await self._work_ended.wait()
        await self._client.aclose()

    def _begin(self, sending: Sending) -> HttpReply:
        return HttpReply(sending, self._recorder.sent(sending), self._recorder, self._allowance)

    def _spawn(self, work: Callable[[], Awaitable[None]], *, scope: trio.CancelScope) -> None:
        self._scopes.add(scope)

        async def guarded() -> None:
            try:
                with scope:
                    await work()
            except Exception:
                # ``_converse`` turns what a server does into the exchange; what is left must not end the run.
                return
            finally:
                self._scopes.discard(scope)
                self._work_ended.set()

        self._nursery.start_soon(guarded)

    async def _converse(self, reply: HttpReply, scope: trio.CancelScope | None) -> None:
        """Send, read, and continue a stream that closed early. ``scope`` bounds the wait and is tightened at
        the end.
        """
        sending = reply.sending
        body = sending.body
        if body is None and sending.message is not None:
            body = encode(sending.message)
        try:
            response = await self._open(reply, body)
            await self._read(reply, response, scope)
            if scope is not None:
                await self._resume(reply, scope)
        except NoResponseError as error:
            reply.failed("unreachable" if error.outcome == "unreachable" else "dropped", error.problem)
        except httpx.InvalidURL as error:
            reply.failed("unreachable", f"the address cannot be read: {error}")
        except Exception as error:
            reply.failed("dropped", f"reading the answer failed: {type(error).__name__}: {error}")

    async def _open(self, reply: HttpReply, body: bytes | None) -> httpx.Response:
        sending = reply.sending
        at_endpoint = sending.url is None or self._is_endpoint(httpx.URL(sending.url))
        url = self._target(sending) if at_endpoint else httpx.URL(sending.url or "")
        response = await self._client.open(sending.http_method, str(url), sending.headers, body)
        if not at_endpoint or response.status_code not in (307, 308):
            return response
        target = _same_origin_target(url, response.headers.get("location"))
        if target is None or self._redirected not in (None, target):
            return response
        await shut(response)
        reply.redirects.append(str(target))
        self._redirected = target.copy_with(query=self._asked.query or None) if sending.url else target
        return await self._client.open(sending.http_method, str(target), sending.headers, body)

    def _is_endpoint(self, url: httpx.URL) -> bool:
        return url.copy_with(query=None, userinfo=b"") == self._asked.copy_with(query=None, userinfo=b"")

    def _target(self, sending: Sending) -> httpx.URL:
        base = self._redirected or self._asked
        return base if sending.url is None else base.copy_with(query=httpx.URL(sending.url).query or None)

    async def _read(self, reply: HttpReply, response: httpx.Response, scope: trio.CancelScope | None) -> None:
        sending = reply.sending
        try:
            reply.head(response)
            if scope is not None and reply.is_stream and sending.answers == "none":
                if sending.listen <= 0:
                    return
                scope.deadline = trio.current_time() + sending.listen
            awaited = scope is not None and sending.answers != "none"
            async for chunk in response.aiter_raw():
                for request in reply.feed(chunk):
                    self._answer(reply, request)
                if reply.full:
                    break
                if awaited and scope is not None and reply.message is not None:
                    awaited = False
                    scope.deadline = trio.current_time() + max(sending.listen, limits.STREAM_END_GRACE)
            else:
                reply.body_ended()
        except (httpx.HTTPError, httpx.StreamError) as error:
            reply.broke(error)
        finally:
            await shut(response)

    async def _resume(self, reply: HttpReply, scope: trio.CancelScope) -> None:
        """Poll a stream that the server closed before the response, as its event ids and ``retry`` allow."""
        for _ in range(limits.RESUMES):
            wanted = reply.is_stream and reply.sending.answers != "none" and reply.message is None
            if not (wanted and self._resumes and reply.last_event_id and not reply.full):
                return
            reply.over = False
            delay = limits.RETRY_DEFAULT if reply.retry is None else reply.retry / 1000
            await trio.sleep(min(delay, limits.RETRY_AT_MOST))
            kept = tuple(pair for pair in reply.sending.headers if pair[0].lower() not in _BODY_HEADERS)
            headers = (*kept, ("Accept", "text/event-stream"), ("Last-Event-ID", reply.last_event_id))
            try:
                response = await self._client.open("GET", self.endpoint, headers, None)
            except NoResponseError as error:
                reply.problem = f"the event stream ended before the response; continuing it failed: {error.problem}"
                reply.finished()
                return
            media = (response.headers.get("content-type") or "").split(";", 1)[0].strip().lower()
            if response.status_code != 200 or media != "text/event-stream":
                reply.problem = (
                    "the event stream ended before the response; "
                    f"GET with Last-Event-ID was answered with HTTP {response.status_code}"
                )
                await shut(response)
                reply.finished()
                return
            reply.problem = None
            await self._read(reply, response, scope)

    def _answer(self, reply: HttpReply, request: JSONObject) -> None:
        message = answer_to(request, self._responder)
        owner = reply.sending
        sending = Sending(
            step=owner.step,
            within=owner.within,
            message=message,
            body=encode(message),
            headers=_for_json(owner.headers),
            answers="none",
            peer=owner.peer,
            era=owner.era,
        )

        async def post() -> None:
            await self.exchange(sending)

        self._spawn(post, scope=trio.CancelScope())


class HttpStream:
    """An open HTTP answer. Messages go on being recorded until ``aclose``."""

    def __init__(self, exchange: Exchange, scope: trio.CancelScope, ended: trio.Event) -> None:
        self._exchange = exchange
        self._scope = scope
        self._ended = ended

    @property
    def exchange(self) -> Exchange:
        return self._exchange

    async def aclose(self) -> None:
        self._scope.cancel()
        with trio.move_on_after(limits.CONNECTION_CLOSE, shield=True):
            await self._ended.wait()


def _for_json(headers: Headers) -> Headers:
    """Headers for a POST of JSON: those of a GET that opened a stream lack the types."""
    kept = [pair for pair in headers if pair[0].lower() not in (*_BODY_HEADERS,)]
    kept += [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
    return tuple(kept)


def _holds(reply: HttpReply, until: Until) -> bool:
    if until == "headers":
        return reply.is_stream
    if until == "message":
        return bool(reply.items)
    if until == "response":
        return reply.message is not None
    try:
        return until(reply.exchange("open"))
    except Exception:
        return False


def _stream_exchange(reply: HttpReply, until: Until) -> Exchange:
    plain = reply.exchange()
    if not reply.is_stream or reply.message is not None or (reply.status or 0) >= 300:
        return plain if reply.http is not None or reply.failure is not None else reply.exchange("quiet")
    return reply.exchange("open" if _holds(reply, until) else "quiet")


def _same_origin_target(url: httpx.URL, location: str | None) -> httpx.URL | None:
    if not location:
        return None
    try:
        target = url.join(location)
    except (httpx.InvalidURL, ValueError):
        return None
    same = (target.scheme, target.host, _port(target)) == (url.scheme, url.host, _port(url))
    return target.copy_with(userinfo=b"", fragment=None) if same else None


def _port(url: httpx.URL) -> int:
    return url.port or {"http": 80, "https": 443}.get(url.scheme, 0)
