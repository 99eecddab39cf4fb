"""What a command may print to become a credential, and what is said when it does not."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

import pytest

from mcp_compliance.model.secrets import Secrets
from mcp_compliance.wire import auth_command
from mcp_compliance.wire.auth_command import ask
from mcp_compliance.wire.errors import CredentialError
from tests.aio import run


def asked(code: str, secrets: Secrets | None = None) -> str:
    """The credential that a program prints."""
    command = (sys.executable, "-S", "-c", f"import os, sys, time\n{code}")
    return run(lambda: ask(command, Secrets() if secrets is None else secrets), jump=False, at_most=30)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("print('abc.def')", "Bearer abc.def"),
        ("print('  Bearer abc.def  ', end='\\r\\n\\n')", "Bearer abc.def"),
        ("print('Basic dXNlcjpwdw==')", "Basic dXNlcjpwdw=="),
        ("print('token', file=sys.stdout); print('a hint', file=sys.stderr)", "Bearer token"),
        ("print(repr(sys.stdin.read()).strip(chr(39)) + 'nothing')", "Bearer nothing"),
    ],
)
def test_what_it_prints_is_the_value(code: str, value: str) -> None:
    assert asked(code) == value


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("sys.exit(3)", "exited with code 3"),
        ("print('abcdef'); print('why', file=sys.stderr); print('last words', file=sys.stderr); sys.exit(1)",
         "exited with code 1: last words"),
        ("os.kill(os.getpid(), 9)", "was ended by signal 9"),
        ("pass", "printed nothing"),
        ("print(' ')", "printed nothing"),
        ("print('abcdef'); print('ghijkl')", "printed 2 lines"),
        ("print('Authorization: Bearer abcdef')", "printed a whole header"),
        ("print('abc' + chr(7) + 'def')", "printed characters that a header cannot carry"),
        ("print('abcdef' * 20000)", "printed more than 64 KiB"),
    ],
)  # fmt: skip
def test_what_is_no_credential(code: str, words: str) -> None:
    with pytest.raises(CredentialError) as raised:
        asked(code)
    said = str(raised.value)
    assert words in said
    assert said.startswith(sys.executable)
    assert "\n" not in said
    assert "abcdef" not in said


def test_a_command_that_does_not_exist() -> None:
    with pytest.raises(CredentialError, match="command not found: no-such-command-at-all"):
        run(lambda: ask(("no-such-command-at-all",), Secrets()), jump=False)


def test_what_it_prints_is_a_secret_also_when_it_fails() -> None:
    secrets = Secrets(["known-secret"])
    with pytest.raises(CredentialError) as raised:
        asked("print('Bearer fresh-token'); print('fresh-token known-secret', file=sys.stderr); sys.exit(1)", secrets)
    assert str(raised.value).endswith("exited with code 1: *** ***")
    assert secrets.mask("fresh-token") == "***"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="looks at a process by a Linux handle")
def test_it_may_not_take_for_ever_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(auth_command, "PATIENCE", 0.5)
    pid = tmp_path / "pid"
    with pytest.raises(CredentialError, match=r"did not end within 0.5 s"):
        asked(f"import subprocess\nchild = subprocess.Popen(['sleep', '60'])\n"
              f"open({str(pid)!r}, 'w').write(str(child.pid))\ntime.sleep(60)")  # fmt: skip
    try:
        handle = os.pidfd_open(int(pid.read_text()))
    except ProcessLookupError:
        return
    ended, _, _ = select.select([handle], [], [], 10)
    os.close(handle)
    assert ended


def test_a_heir_that_holds_the_pipe_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth_command, "DRAIN", 0.1)
    assert asked("import subprocess\nprint('token', flush=True)\nsubprocess.Popen(['sleep', '60'])") == "Bearer token"
