"""A server on the official Python SDK, 1.x or 2.x, that mends what the SDK leaves open: fixed_server.py PORT."""

import asyncio
import ipaddress
import json
import socket
import sys
from urllib.parse import urlsplit

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

try:  # 1.x
    import httpx
    from mcp.server.fastmcp import FastMCP
    from mcp.server.fastmcp.exceptions import ToolError
except ImportError:  # 2.x
    import httpx2 as httpx
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    FastMCP = None

PORT = int(sys.argv[1])
SECURITY = TransportSecuritySettings(
    allowed_hosts=[f"127.0.0.1:{PORT}", f"localhost:{PORT}"],
    allowed_origins=[f"http://127.0.0.1:{PORT}"],  # none but these; a missing Origin is no browser, and served
)


# --8<-- requests
def is_message(body):
    """Whether it is one JSON-RPC message: a request, a notification, or an answer."""
    if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
        return False
    return isinstance(body["method"], str) if "method" in body else "result" in body or "error" in body


class OnlyMessages:
    """Answers 400 and -32600 to JSON that is no single message. What is no JSON is left to the SDK (-32700)."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or scope["method"] != "POST":
            return await self.app(scope, receive, send)
        body, more = b"", True
        while more:
            event = await receive()
            body, more = body + event.get("body", b""), event.get("more_body", False)
        try:
            valid = is_message(json.loads(body))
        except ValueError:
            valid = True
        if not valid:
            return await refuse(send)
        events = [{"type": "http.request", "body": body, "more_body": False}]
        return await self.app(scope, lambda: later(events, receive), send)


async def later(events, receive):
    return events.pop() if events else await receive()


async def refuse(send):
    error = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}}
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(error).encode()})


# --8<-- end


# --8<-- addresses
async def public_address(url):
    """The address to connect to. ValueError for what does not lie in the public internet."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an http or https URL is needed")
    found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(each[4][0]) for each in found]
    if not all(address.is_global for address in addresses):
        raise ValueError("this host is not public")
    return str(addresses[0])


async def page_title(url: str) -> str:
    """The first line of a page. Redirects are not followed: they would have to be checked, too."""
    try:
        address = await public_address(url)
    except (OSError, ValueError) as reason:
        raise ToolError(str(reason)) from reason  # from 2.x on, clients are told the text of no other error
    asked = httpx.URL(url)
    async with httpx.AsyncClient(follow_redirects=False, trust_env=False) as client:
        answer = await client.get(
            asked.copy_with(host=address),  # not looked up again, so nobody can change it in between
            headers={"Host": asked.netloc.decode()},
            extensions={"sni_hostname": asked.host},
        )
    return answer.text.partition("\n")[0]


# --8<-- end


if FastMCP is not None:
    server = FastMCP("fixed", transport_security=SECURITY)
    app = server.streamable_http_app()
else:
    server = MCPServer("fixed")
    app = server.streamable_http_app(transport_security=SECURITY)

server.tool()(page_title)
uvicorn.run(OnlyMessages(app), host="127.0.0.1", port=PORT, log_level="warning")
