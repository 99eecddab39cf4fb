"""Asks a command of the user's for a credential."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

import trio

from mcp_compliance.facts.printable import printable, shorten
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.wire.errors import CredentialError, StartError
from mcp_compliance.wire.process_group import ProcessGroup, start

PATIENCE = 30.0
"""Seconds that the command may take."""
DRAIN = 1.0
"""Seconds for output that is still in the pipe when the command has ended: what it started may hold that open."""
MOST = 64 * 1024
"""Bytes of its output that are read."""
LONGEST = 200
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]+")  # RFC 9110, field-vchar with obs-text, blanks inside
_WHOLE_HEADER = re.compile(r"(proxy-)?authorization\s*:", re.IGNORECASE)


async def ask(command: Sequence[str], secrets: Secrets) -> str:
    """What the command prints, as the value of Authorization: a single word is a token, and becomes ``Bearer <word>``.
    No shell is asked. It reads nothing, and may take ``PATIENCE``.

    What it printed becomes a secret. Raises ``CredentialError``, whose text quotes nothing of the output but the last
    line of stderr, masked.
    """
    name = command[0]
    try:
        group = await start(command, None, None, stdin=subprocess.DEVNULL)
    except StartError as error:
        raise CredentialError(str(error)) from None
    out, err = bytearray(), bytearray()
    try:
        with trio.move_on_after(PATIENCE) as patience:
            await _listen(group, out, err)
    finally:
        await _end(group)
    text = out.decode("utf-8", "replace").strip()
    for line in text.splitlines():
        learn(secrets, line.strip())
    if patience.cancelled_caught:
        raise CredentialError(f"{name} did not end within {PATIENCE:g} s; it cannot ask anything: its input is closed")
    if group.process.returncode:
        raise CredentialError(f"{name} {_how(group.process.returncode)}{_last_words(err, secrets)}")
    return _value(name, text, cut=len(out) > MOST)


def learn(secrets: Secrets, value: str) -> None:
    """From now on the value is a secret, and so is the token after its scheme."""
    secrets.add(value)
    secrets.add(value.partition(" ")[2].strip())


def _value(name: str, text: str, *, cut: bool) -> str:
    if cut:
        raise CredentialError(f"{name} printed more than {MOST // 1024} KiB")
    if not text:
        raise CredentialError(f"{name} printed nothing; it has to print the value of the Authorization header")
    lines = len(text.splitlines())
    if lines > 1:
        raise CredentialError(f"{name} printed {lines} lines; it has to print one, the value of the header")
    if not _VALUE.fullmatch(text):
        raise CredentialError(f"{name} printed characters that a header cannot carry")
    if _WHOLE_HEADER.match(text):
        raise CredentialError(f"{name} printed a whole header; it has to print only the value")
    return text if len(text.split()) > 1 else f"Bearer {text}"


async def _listen(group: ProcessGroup, out: bytearray, err: bytearray) -> None:
    process = group.process
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_read, process.stdout, out)
        nursery.start_soon(_read, process.stderr, err)
        await process.wait()
        nursery.cancel_scope.deadline = trio.current_time() + DRAIN


async def _read(stream: trio.abc.ReceiveStream | None, into: bytearray) -> None:
    """To the end, so that the command is not stuck; kept is one byte more than ``MOST``, and of a longer text the end
    that its last line is in.
    """
    while stream is not None:
        try:
            chunk = await stream.receive_some()
        except (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            return
        if not chunk:
            return
        into += chunk
        del into[: -MOST - 1]


async def _end(group: ProcessGroup) -> None:
    with trio.CancelScope(shield=True):
        group.kill()
        with trio.move_on_after(DRAIN):
            await group.process.wait()
        for stream in (group.process.stdout, group.process.stderr):
            if stream is not None:
                await trio.aclose_forcefully(stream)
        group.close()


def _how(code: int) -> str:
    return f"exited with code {code}" if code > 0 else f"was ended by signal {-code}"


def _last_words(err: bytearray, secrets: Secrets) -> str:
    lines = [line.strip() for line in err.decode("utf-8", "replace").splitlines() if line.strip()]
    return f": {shorten(printable(secrets.mask(lines[-1])), LONGEST)}" if lines else ""
