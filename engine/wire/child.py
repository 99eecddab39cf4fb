"""The life of one stdio child: started in its own group, listened to, and ended so that nothing is left."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import trio

from mcp_compliance.exchange.exchange import Process
from mcp_compliance.wire import limits
from mcp_compliance.wire.lines import Line, LineSplitter
from mcp_compliance.wire.process_group import ProcessGroup

CHUNK = 256 * 1024

OnLine = Callable[[bytes, bool], None]
"""Called with each line of stdout, and whether it was cut."""


class Child:
    """A running command. ``run`` holds its tasks and always ends it; the other members may be used beside it.

    ``gone`` is set when no further answer can come: the child exited and its stdout was drained, or it closed
    its stdout, or wrote so much that reading stopped. ``problem`` then says which, in words.
    """

    def __init__(
        self, group: ProcessGroup, on_line: OnLine, forward_stderr: Callable[[str], None] | None = None
    ) -> None:
        self._group = group
        self._process = group.process
        self._on_line = on_line
        self._forward = forward_stderr
        self.exited = trio.Event()
        self.gone = trio.Event()
        self.problem: str | None = None
        self.write_problem: str | None = None
        self._stdout_ended = trio.Event()
        self._stderr_ended = trio.Event()
        self._stop = trio.Event()
        self._stopped = trio.Event()
        self._stderr = bytearray()
        self._stderr_text: str | None = ""
        self._lines = 0
        self._queue_in, self._queue_out = trio.open_memory_channel[tuple[bytes, trio.Event]](math.inf)

    def facts(self) -> Process:
        """State of the child now."""
        if self._stderr_text is None:
            self._stderr_text = self._stderr.decode("utf-8", "backslashreplace")
        code = self._process.poll()
        if code is None:
            return Process(True, stderr_tail=self._stderr_text)
        if code < 0:
            return Process(False, signal=-code, stderr_tail=self._stderr_text)
        return Process(False, exit_code=code, stderr_tail=self._stderr_text)

    def write(self, line: bytes) -> trio.Event:
        """Queue a line for stdin. The event is set when it has left whole, or never will.

        Lines go out whole even when the exchange that sent one has given up: half a line would spoil the
        next.
        """
        written = trio.Event()
        try:
            self._queue_in.send_nowait((line + b"\n", written))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            written.set()
        return written

    async def settle(self) -> None:
        """After ``gone``: give an exit, and the last words on stderr, the moment they need to arrive."""
        with trio.move_on_after(limits.EXIT_SEEN):
            await self.exited.wait()
        if self.exited.is_set():
            with trio.move_on_after(limits.STDERR_DRAIN):
                await self._stderr_ended.wait()

    async def run(self) -> None:
        """Listen until ``stop``; then, or when cancelled, end the child and whatever it started."""
        hurry = True
        try:
            async with trio.open_nursery() as nursery:
                for task in (self._write_lines, self._read_stdout, self._read_stderr, self._await_exit):
                    nursery.start_soon(self._guarded, task)
                await self._stop.wait()
                hurry = False
                with trio.CancelScope(shield=True):
                    await self._end(hurry=False)
                nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                if hurry:
                    await self._end(hurry=True)
                await self._close_pipes()
                self._group.close()
            self.exited.set()
            self.gone.set()
            self._stopped.set()

    async def _guarded(self, task: Callable[[], Awaitable[None]]) -> None:
        """Nothing that a server writes may raise into the run, nor a callback that chokes on it."""
        try:
            await task()
        except Exception as error:
            self.problem = self.problem or f"reading it failed: {type(error).__name__}: {error}"
            self.gone.set()

    async def stop(self) -> None:
        """End the child: stdin closed, asked to end, killed, each after a bounded wait; cancelled or not."""
        self._stop.set()
        with trio.CancelScope(shield=True):
            await self._stopped.wait()

    async def _end(self, *, hurry: bool) -> None:
        stdin = self._process.stdin
        if stdin is not None:
            await _aclose(stdin)
        await self._wait_exit(limits.HURRY if hurry else limits.CLOSE_STDIN)
        if self._process.poll() is None:
            self._group.ask_to_end()
            await self._wait_exit(limits.HURRY if hurry else limits.CLOSE_TERM)
        if self._process.poll() is None:
            self._group.kill()
            await self._wait_exit(limits.CLOSE_KILL)
        elif self._group.ask_to_end():
            # The child is gone and left others behind in its group.
            await trio.sleep(limits.GROUP_TERM)
            self._group.kill()

    async def _wait_exit(self, seconds: float) -> None:
        with trio.move_on_after(seconds):
            await self._process.wait()

    async def _close_pipes(self) -> None:
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                await _aclose(stream)

    async def _write_lines(self) -> None:
        stdin = self._process.stdin
        if stdin is None:
            return
        async for line, written in self._queue_out:
            try:
                if self.write_problem is None:
                    await stdin.send_all(line)
            except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
                self.write_problem = "the server closed its standard input"
            finally:
                written.set()

    async def _read_stdout(self) -> None:
        splitter = LineSplitter(limits.LINE, limits.LINE_GIVEN_UP)
        try:
            while chunk := await _receive(self._process.stdout):
                for line in splitter.feed(chunk):
                    self._line(line.data, line.cut)
                if splitter.endless:
                    self.problem = (
                        f"its stdout carried {limits.LINE_GIVEN_UP // limits.MIB} MiB with no newline; "
                        f"lines are read up to {limits.LINE // limits.MIB} MiB"
                    )
                    break
                if self._lines >= limits.LINES:
                    self.problem = f"its stdout carried {limits.LINES} lines; no more were read"
                    break
            else:
                self.problem = "it closed its stdout"
                # A line that was cut short because the child was ended from here says nothing about the child.
                for line in splitter.end() if not self._stop.is_set() else ():
                    self._line(line.data, line.cut)
        finally:
            self._stdout_ended.set()
            if self.problem is not None:
                self.gone.set()

    def _line(self, data: bytes, cut: bool) -> None:
        self._lines += 1
        self._on_line(data, cut)

    async def _read_stderr(self) -> None:
        splitter = LineSplitter(limits.STDERR_LINE, limits.LINE_GIVEN_UP)
        try:
            while chunk := await _receive(self._process.stderr):
                self._stderr += chunk
                del self._stderr[: -limits.STDERR_TAIL]
                self._stderr_text = None
                self._forward_lines(splitter.feed(chunk))
            self._forward_lines(splitter.end())
        finally:
            self._stderr_ended.set()

    def _forward_lines(self, lines: list[Line]) -> None:
        for line in lines:
            if self._forward is not None:
                self._forward(line.data.decode("utf-8", "backslashreplace").rstrip("\r"))

    async def _await_exit(self) -> None:
        await self._process.wait()
        self.exited.set()
        # A descendant may hold the pipe open, so the end of stdout is not waited for without a bound.
        with trio.move_on_after(limits.EXIT_SEEN):
            await self._stdout_ended.wait()
        self.gone.set()


async def _receive(stream: trio.abc.ReceiveStream | None) -> bytes:
    """The next bytes of a pipe; empty at its end, and an error of the pipe is its end."""
    if stream is None:
        return b""
    try:
        return bytes(await stream.receive_some(CHUNK))
    except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
        return b""


async def _aclose(stream: trio.abc.AsyncResource) -> None:
    with trio.CancelScope(shield=True):
        await trio.aclose_forcefully(stream)
