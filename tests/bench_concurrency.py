"""What ``--concurrency`` saves: ``python tests/bench_concurrency.py [--delay MS] [-n RUNS]``.

Not a test. The bundled server is graded over HTTP through a relay that holds every piece of data back for a while, as
a network does. Printed are the seconds that a user waits, in the quickest of the runs (what else the machine does only
slows one down), and whether all verdicts were the same.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

import trio

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

TOOL = str(Path(sys.executable).with_name("mcp-compliance"))
WIDTHS = (1, 2, 4, 8, 16)
PIECE = 65536


async def _carry(source: trio.abc.Stream, sink: trio.SocketStream | trio.abc.Stream, delay: float) -> None:
    """Each piece arrives ``delay`` seconds after it came, without holding up the ones behind it."""
    send, receive = trio.open_memory_channel[tuple[float, bytes]](1000)

    async def deliver() -> None:
        async for due, piece in receive:
            await trio.sleep_until(due)
            await sink.send_all(piece)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(deliver)
        async with send:
            while piece := await source.receive_some(PIECE):
                await send.send((trio.current_time() + delay, piece))


async def _relay(client: trio.SocketStream, port: int, delay: float) -> None:
    try:
        async with await trio.open_tcp_stream("127.0.0.1", port) as server, trio.open_nursery() as nursery:

            async def one_way(source: trio.SocketStream, sink: trio.SocketStream) -> None:
                await _carry(source, sink, delay)
                nursery.cancel_scope.cancel()

            nursery.start_soon(one_way, client, server)
            nursery.start_soon(one_way, server, client)
    except* (trio.BrokenResourceError, trio.ClosedResourceError):
        pass


@contextmanager
def relayed(port: int, delay: float) -> Iterator[int]:
    """The port of a relay to ``port``."""
    ports: list[int] = []
    ready = Event()

    async def serve() -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        ports.append(listeners[0].socket.getsockname()[1])
        ready.set()
        await trio.serve_listeners(lambda client: _relay(client, port, delay), listeners)

    Thread(target=lambda: trio.run(serve), daemon=True).start()
    ready.wait()
    yield ports[0]


def main() -> None:
    from mcp_compliance.cli.demo import demo_target
    from mcp_compliance.cli.target import TargetOptions
    from mcp_compliance.model.options import HttpTarget

    parser = argparse.ArgumentParser(description="What running rules side by side saves.")
    parser.add_argument("--delay", type=float, default=25, metavar="MS", help="held back in each direction (25)")
    parser.add_argument("-n", type=int, default=3, help="runs of each width (3)")
    words = parser.parse_args()
    with demo_target("http", TargetOptions()) as target:
        assert isinstance(target, HttpTarget)
        with relayed(urlsplit(target.url).port or 0, words.delay / 1000) as port:
            verdicts = set()
            for width in WIDTHS:
                seconds = []
                for _ in range(words.n):
                    began = time.perf_counter()
                    argv = [TOOL, "test", f"http://127.0.0.1:{port}/mcp", "--format", "json", "--seed", "1"]
                    done = subprocess.run(
                        [*argv, "--concurrency", str(width)], capture_output=True, text=True, check=False
                    )
                    seconds.append(time.perf_counter() - began)
                    report = json.loads(done.stdout)
                    verdicts.add(json.dumps([(test["id"], test["verdict"]) for test in report["tests"]]))
                print(f"--concurrency {width:<4}{min(seconds):>6.2f} s")
            print(f"verdicts: {'the same in all runs' if len(verdicts) == 1 else f'{len(verdicts)} different sets'}")


if __name__ == "__main__":
    main()
