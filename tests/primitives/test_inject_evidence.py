"""The evidence of ``inject``: real holes are found, and nothing that merely repeats or documents is taken for one."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import cast
from urllib.parse import quote, urlsplit

import pytest

from mcp_compliance.jsontypes import JSONObject
from tests.primitives.test_inject import outcomes, probed
from tests.primitives.tool_server import Handler, Refuses, Reply, Says, ToolServer, tool
from tests.primitives.vulnerable import ROWS, fetches, opens, shell, sqlite, text

SETS = ("shell", "sql", "path", "internal-url")
PASSWD = "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"


def attack(
    payloads: str, handler: Handler, *, read_only: bool | None = True, jump: bool = True, **server: object
) -> JSONObject:
    listed = tool("notes", "url" if payloads == "internal-url" else "text", read_only=read_only)
    made = ToolServer([listed], {"notes": handler}, **server)  # type: ignore[arg-type]
    return probed(made, payloads, jump=jump)


def hit(result: JSONObject) -> JSONObject:
    found = [attempt for attempt in cast("list[JSONObject]", result["attempts"]) if attempt["outcome"] == "hit"]
    assert found, result
    return found[0]


# --- holes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "echo {}",
        'echo "{}"',
        "echo '{}'",
        "ls {}",
        'ls -l "{}"',
        "ls '{}'",
        "cat {}",
        "cat '{}' | head -1",
        "grep harbour {}",
        "grep -c {} ./null",
        "grep '{}' ./null",
        'grep "{}" ./null >/dev/null',
        "true {}",
        "test -e {} && echo found",
        "sh -c 'ls {}'",
        "sort {} | uniq",
    ],
)
def test_a_shell_that_runs_the_value_is_found(command: str) -> None:
    result = attack("shell", shell(command))
    assert "came back as" in str(hit(result)["evidence"])
    assert result["by_design"] is None


def test_a_shell_by_trade_is_no_injection() -> None:
    assert str(attack("shell", shell("{}"))["by_design"]).startswith("expr ")


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("read_only", [True, None])
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM notes WHERE title = '{}'",
        "SELECT * FROM notes WHERE title LIKE '%{}%'",
        "SELECT body FROM notes WHERE (title = '{}') AND id > 0",
        "SELECT count(*) FROM notes WHERE title = '{}' ORDER BY id",
    ],
)
def test_a_literal_that_ends_early_is_found(statement: str, read_only: bool | None, quiet: bool) -> None:
    found = hit(attack("sql", sqlite(statement, quiet=quiet), read_only=read_only))
    assert str(found["evidence"]).startswith("the answer follows" if quiet else "the answer shows")


def test_an_or_finds_what_an_and_cannot() -> None:
    handler = sqlite("SELECT * FROM notes WHERE title = '{}'", quiet=True, rows=ROWS[:2])
    assert hit(attack("sql", handler))["payload"]
    assert "hit" not in outcomes(attack("sql", handler, read_only=None))


def test_a_number_that_is_pasted_in_is_found() -> None:
    handler = sqlite("SELECT * FROM notes WHERE id = {}", quiet=True)
    assert str(hit(attack("sql", handler))["payload"]).startswith("4711 OR ")


def test_a_database_by_trade_is_no_injection() -> None:
    result = attack("sql", sqlite("{}"))
    assert "hit" not in outcomes(result)


def test_a_bound_parameter_is_inert() -> None:
    def handler(arguments: JSONObject) -> Reply:
        with sqlite3.connect(":memory:") as database:
            database.execute("CREATE TABLE notes (title TEXT)")
            return str(database.execute("SELECT * FROM notes WHERE title = ?", (text(arguments),)).fetchall())

    assert set(outcomes(attack("sql", handler))) == {"inert"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, content in (("etc/passwd", PASSWD), ("srv/files/harbour.txt", "Quiet"), ("srv/files/a.txt", "a")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "payload"),
    [
        ({}, "../"),
        ({"below": "srv/files/a/b/c/d"}, "../"),
        ({"decoded": True}, "../"),
        ({"strip": "../"}, "/etc/passwd"),
    ],
)
def test_a_path_that_leads_out_is_found(root: Path, options: dict[str, object], payload: str) -> None:
    found = hit(attack("path", opens(root, **options)))  # type: ignore[arg-type]
    assert str(found["payload"]).startswith(payload)
    assert "root:x:0:0" in str(found["evidence"])


def test_a_path_that_is_kept_in_is_rejected(root: Path) -> None:
    def handler(arguments: JSONObject) -> Reply:
        name = text(arguments)
        if "/" in name or "\\" in name:
            return Says(f"Access denied - {name} is outside the allowed directory", flagged=True)
        return cast(Reply, opens(root)({"text": name}))

    assert set(outcomes(attack("path", handler))) == {"rejected"}


def test_a_fetch_of_loopback_is_found() -> None:
    found = hit(attack("internal-url", fetches, jump=False))
    path = urlsplit(str(found["payload"])).path
    assert len(path) == 25
    assert found["evidence"] == f"GET {path} HTTP/1.1 reached the listener"


def test_a_fetch_that_refuses_loopback_is_rejected() -> None:
    async def handler(arguments: JSONObject) -> Reply:
        host = urlsplit(text(arguments)).hostname or ""
        if host.endswith(".invalid"):
            return Says("fetch failed: no such host", flagged=True)
        return Says("this address is not allowed", flagged=True)

    result = attack("internal-url", handler)
    assert set(outcomes(result)) == {"rejected"}
    hosts = [urlsplit(str(attempt["payload"])).hostname for attempt in cast("list[JSONObject]", result["attempts"])]
    assert [host for host in hosts if host != "::1"] == ["127.0.0.1", "localhost", "2130706433"]


def test_a_hidden_fetch_is_found_all_the_same() -> None:
    async def handler(arguments: JSONObject) -> Reply:
        await fetches(arguments)
        return "thank you, the page was stored"

    assert hit(attack("internal-url", handler, jump=False))


FAR = {"transport": "http", "endpoint": "http://mcp.example:8080/mcp", "near": False}


def test_a_far_server_is_only_asked_for_loopback_and_metadata() -> None:
    server = ToolServer([tool("notes", "url")], {"notes": lambda _: Says("not allowed", flagged=True)}, **FAR)  # type: ignore[arg-type]
    probed(server, "internal-url")
    assert [text(arguments) for _, arguments in server.calls] == [
        "http://harbour.invalid/",
        "http://127.0.0.1:8080/mcp",
        "http://[::1]:8080/mcp",
        "http://169.254.169.254/latest/meta-data/",
        "http://169.254.169.254/metadata/instance?api-version=2021-02-01",
        "http://metadata.google.internal/computeMetadata/v1/instance/",
    ]


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("http://127.0.0.1:8080/mcp", '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"m"}}'),
        ("http://169.254.169.254/latest/meta-data/", "ami-id\nami-launch-index\nami-manifest-path\nhostname"),
        ("http://metadata.google.internal/computeMetadata/v1/instance/", "service-accounts/\ntags\nzone"),
    ],
)
def test_a_far_server_that_reaches_them_is_found(url: str, page: str) -> None:
    found = hit(attack("internal-url", lambda arguments: page if text(arguments) == url else "no such page", **FAR))
    assert found["payload"] == url


# --- no holes ------------------------------------------------------------------------------------------------------


ECHOES: dict[str, Callable[[str], str]] = {
    "as it is": lambda value: value,
    "within words": lambda value: f"You said: {value}!",
    "in upper case": str.upper,
    "as JSON": json.dumps,
    "as JSON within JSON": lambda value: json.dumps(json.dumps({"text": value})),
    "as HTML": html.escape,
    "as a URL": quote,
    "as Python": repr,
    "as SQL": lambda value: "'" + value.replace("'", "''") + "'",
    "reversed": lambda value: value[::-1],
    "twice": lambda value: value * 2,
    "without spaces": lambda value: "".join(value.split()),
    "word by word": lambda value: json.dumps(value.split()),
    "cut short": lambda value: value[:12],
    "in Base64": lambda value: base64.b64encode(value.encode()).decode(),
    "as a hash": lambda value: hashlib.sha256(value.encode()).hexdigest(),
    "as a length": lambda value: str(len(value)),
    "as counts": lambda value: str((len(value.split()), len(set(value.split())), value.count("'"))),
    "sorted": lambda value: " ".join(sorted(value.split())),
    "whether sorted": lambda value: str(sorted(value.split()) == value.split()),
    "whether a word comes twice": lambda value: str(len(set(value.split())) < len(value.split())),
    "the digits": lambda value: "".join(filter(str.isdigit, value)),
}


@pytest.mark.parametrize("payloads", SETS)
@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("flagged", [False, True])
def test_an_echo_is_no_evidence(echo: str, payloads: str, flagged: bool) -> None:
    def handler(arguments: JSONObject) -> Reply:
        return Says(ECHOES[echo](text(arguments)), flagged=flagged and text(arguments) != "harbour")

    assert "hit" not in outcomes(attack(payloads, handler))


ERRORS = [
    "command not found: {}",
    "bash: {}: No such file or directory",
    'SyntaxError: invalid syntax in "{}"',
    "syntax error in the query {}",
    "no results for {} in the SQL database",
    "SQLite says no to {}",
    "ENOENT: no such file or directory, open '/srv/files/{}'",
    "/etc/passwd is not served; you asked for {}",
    "getaddrinfo ENOTFOUND {}",
    "connect ECONNREFUSED 127.0.0.1:80 for {}",
    "uid=1000",
]


@pytest.mark.parametrize("payloads", SETS)
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_that_quotes_the_payload_is_no_evidence(error: str, payloads: str) -> None:
    def handler(arguments: JSONObject) -> Reply:
        plain = "harbour" in text(arguments) and len(text(arguments)) < 12
        return "fine" if plain else Says(error.format(text(arguments)), flagged=True)

    assert "hit" not in outcomes(attack(payloads, handler))


@pytest.mark.parametrize("payloads", SETS)
def test_a_refusal_is_never_a_hit(payloads: str) -> None:
    for reply in (Refuses("Invalid params"), Says("Access denied", flagged=True), Says("Input rejected")):
        result = attack(payloads, lambda arguments, reply=reply: "ok" if text(arguments) == "harbour" else reply)
        assert "hit" not in outcomes(result)


ARTICLES = [
    "Each line of /etc/passwd describes a user: root:x:0:0:root:/root:/bin/bash",
    "A quote that is missing gives: You have an error in your SQL syntax; check the manual",
    'SQLite says: near "OR": syntax error. PostgreSQL: syntax error at or near "AND"',
    "; for 16-bit app support stands at the head of windows system.ini and win.ini. [386Enh]",
    "The metadata service answers http requests: ami-id\nami-launch-index",
    "With expr and echo a shell computes: echo $((6*7)) gives 42",
    "Set a variable in cmd with set /a",
]


def _tokens(value: str) -> set[str]:
    return {word for word in "".join(c if c.isalnum() else " " for c in value.lower()).split() if len(word) > 1}


@pytest.mark.parametrize("payloads", SETS)
@pytest.mark.parametrize("least", [1, 2])
def test_a_search_over_documentation_is_never_a_hit(payloads: str, least: int) -> None:
    def handler(arguments: JSONObject) -> Reply:
        wanted = _tokens(text(arguments))
        found = [article for article in ARTICLES if len(wanted & _tokens(article)) >= least]
        return "\n\n".join(found) or "nothing found"

    assert "hit" not in outcomes(attack(payloads, handler))


@pytest.mark.parametrize("payloads", SETS)
def test_a_page_that_always_says_the_same_is_never_a_hit(payloads: str) -> None:
    assert "hit" not in outcomes(attack(payloads, lambda _: "\n".join(ARTICLES)))


@pytest.mark.parametrize("seed", range(20))
def test_an_answer_by_chance_is_never_a_hit(seed: int) -> None:
    coin = random.Random(seed)
    for payloads in SETS[:3]:
        result = attack(payloads, lambda _: coin.choice(["heads", "tails"]))
        assert "hit" not in outcomes(result)


def test_a_calculator_is_never_a_hit() -> None:
    def handler(arguments: JSONObject) -> Reply:
        try:
            return str(eval(text(arguments), {"__builtins__": {}}, {}))
        except Exception as problem:
            return Says(f"{type(problem).__name__}: {problem}", flagged=True)

    assert "hit" not in outcomes(attack("shell", handler))
