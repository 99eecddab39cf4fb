"""Handlers with real holes, as harmless as the payloads let them be: a shell, SQLite, open(), a GET."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path
from urllib.parse import unquote
from urllib.request import ProxyHandler, build_opener

import trio

from mcp_compliance.jsontypes import JSONObject
from tests.primitives.tool_server import Handler, Reply, Says


def text(arguments: JSONObject) -> str:
    return str(next(iter(arguments.values())))


def shell(command: str) -> Handler:
    """Runs ``command`` with the value put in place of ``{}``. Its standard input stays open, as a server's does."""

    def handler(arguments: JSONObject) -> Reply:
        line = command.replace("{}", text(arguments))
        with subprocess.Popen(
            ["/bin/sh", "-c", line],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=os.devnull[: os.devnull.rindex("/")],
        ) as child:
            assert child.stdout is not None
            try:
                said = child.wait(5) and ""
            except subprocess.TimeoutExpired:
                child.kill()
                raise AssertionError(f"{line!r} waits for input") from None
            said = child.stdout.read().decode()
        return Says(said, flagged=child.returncode != 0)

    return handler


ROWS = [("Tides", "High water at noon"), ("Fog", "The horn sounds"), ("4711", "Eau de Cologne"), ("harbour", "Quiet")]


def sqlite(statement: str, *, quiet: bool = False, rows: list[tuple[str, str]] = ROWS) -> Handler:
    """Runs ``statement`` with the value put in place of ``{}``; ``quiet`` hides errors behind an empty answer."""

    def handler(arguments: JSONObject) -> Reply:
        with sqlite3.connect(":memory:") as database:
            database.execute("CREATE TABLE notes (title TEXT, body TEXT, id INTEGER PRIMARY KEY)")
            database.executemany("INSERT INTO notes (title, body) VALUES (?, ?)", rows)
            try:
                found = database.execute(statement.replace("{}", text(arguments))).fetchall()
            except sqlite3.Error as problem:
                return "no notes" if quiet else Says(f"Error executing tool notes: {problem}", flagged=True)
        return "\n".join(str(row) for row in found) or "no notes"

    return handler


def opens(root: Path, *, below: str = "srv/files", decoded: bool = False, strip: str = "") -> Handler:
    """Opens the file that a path leads to from ``below``, in a file system that begins at ``root``."""

    def handler(arguments: JSONObject) -> Reply:
        path = text(arguments).removeprefix("file://")
        path = unquote(path) if decoded else path
        path = path.replace(strip, "") if strip else path
        whole = os.path.normpath(os.path.join("/", below, path)).lstrip("/")
        try:
            return (root / whole).read_text()
        except OSError as problem:
            return Says(f"{type(problem).__name__}: {problem.strerror}: '{path}'", flagged=True)

    return handler


async def fetches(arguments: JSONObject) -> Reply:
    """Asks for any URL and says what came."""

    def get() -> Reply:
        try:
            with build_opener(ProxyHandler({})).open(text(arguments), timeout=3) as response:
                return str(response.read(2000).decode())
        except (OSError, ValueError) as problem:
            return Says(f"fetch failed: {problem}", flagged=True)

    return await trio.to_thread.run_sync(get)
