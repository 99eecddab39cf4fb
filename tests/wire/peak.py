"""Run one hostile server against a wire in a process of its own and print what it cost:
``python -m tests.wire.peak SCENARIO`` gives JSON with outcome, problem, seconds and peak memory in MiB.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter

import trio

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.wire.stdio import start_stdio
from tests.wire.bombs import MIB, bomb
from tests.wire.scripted_http import SSE_HEAD, Connection, chunk, response, serving
from tests.wire.talk import http_wire, ping, responder

JSON_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
READ = f"import sys\nw, e, pong = sys.stdout.buffer, sys.stderr.buffer, {PONG!r}\nsys.stdin.readline()\n"
ANSWER = "w.write(pong)\nw.flush()\nsys.stdin.read()"
STDIO = {
    "long-line": f"{READ}w.write(b'x' * 100 * 2**20 + b'\\n')\n{ANSWER}",
    "endless-line": f"{READ}while True: w.write(b'x' * 2**20)",
    "endless-lines": f"{READ}while True: w.write(b'{{}}\\n' * 10000)",
    "wide-line": f"{READ}w.write(b'\"' + b'x' * (30 * 2**20) + '\U0001f389\"\\n'.encode())\n{ANSWER}",
    "many-values": f"{READ}w.write(b'[' + b'{{}},' * 9_000_000 + b'0]\\n')\n{ANSWER}",
    "endless-stderr": f"{READ}for _ in range(300): e.write(b'x' * 2**20)\n{ANSWER}",
}


_BOMB = bomb(200) if len(sys.argv) > 1 and "bomb" in sys.argv[1] else b""


async def serve(connection: Connection) -> None:
    while await connection.request() is not None:
        scenario = sys.argv[1]
        if scenario in ("gzip-bomb", "burst-of-bombs"):
            await connection.send(response(_BOMB, Content_Type="application/json", Content_Encoding="gzip"))
        elif scenario == "sse-bomb":
            await connection.send(response(_BOMB, Content_Type="text/event-stream", Content_Encoding="gzip"))
        elif scenario == "endless-body":
            await connection.send(JSON_HEAD)
            while True:
                await connection.send(b"[" * 65536)
        elif scenario == "endless-event":
            await connection.send(SSE_HEAD, chunk("data: "))
            while True:
                await connection.send(chunk(b"x" * 65536))
        elif scenario == "endless-comments":
            await connection.send(SSE_HEAD)
            while True:
                await connection.send(chunk(b": x\n\n" * 10_000))
        elif scenario == "endless-events":
            await connection.send(SSE_HEAD)
            while True:
                await connection.send(chunk(b"data: {}\n\n" * 1000))
        elif scenario == "deep-json":
            await connection.send(response("[" * 100_000 + "]" * 100_000, Content_Type="application/json"))
        elif scenario == "wide-body":
            start, end = b'{"jsonrpc":"2.0","id":1,"result":{"x":"', '\U0001f389"}}'.encode()
            await connection.send(response(b"", Content_Type="application/json")[:-5], f"{31 * MIB + len(start + end)}")
            await connection.send(b"\r\n\r\n", start, *[b"x" * MIB] * 31, end)
        elif scenario == "baseline":
            body = b'{"jsonrpc":"2.0","id":1,"result":{}}'
            await connection.send(response(body, Content_Type="application/json"))


async def main(scenario: str) -> list[Exchange]:
    if scenario in STDIO:
        async with trio.open_nursery() as nursery:
            command = [sys.executable, "-S", "-c", STDIO[scenario]]
            wire = await start_stdio(command, nursery=nursery, recorder=Recorder(), responder=responder)
            exchange = await wire.exchange(ping(within=30))
            await wire.aclose()
        return [exchange]
    exchanges: list[Exchange] = []
    async with serving(serve) as server, http_wire(server.url) as http:

        async def one() -> None:
            exchanges.append(await http.exchange(ping(within=30)))

        async with trio.open_nursery() as nursery:
            for _ in range(10 if scenario == "burst-of-bombs" else 1):
                nursery.start_soon(one)
    return exchanges


if __name__ == "__main__":
    began = time.monotonic()
    exchanges = trio.run(main, sys.argv[1])
    print(
        json.dumps(
            {
                "outcomes": Counter(exchange.outcome for exchange in exchanges),
                "problem": exchanges[0].problem,
                "seconds": round(time.monotonic() - began, 2),
                "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
        )
    )
