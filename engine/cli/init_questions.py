"""What ``init`` asks, and what it takes for an answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import typer

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli import output
from mcp_compliance.cli.arguments import is_url
from mcp_compliance.cli.choices import AUTO, TRANSPORTS
from mcp_compliance.cli.errors import UserError, one_of
from mcp_compliance.facts.target_texts import endpoint

T = TypeVar("T")
_REFERENCE = re.compile(r"\$\{[^}]*\}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Questions:
    """Asks, on standard error, where asking is allowed; takes what is proposed where it is not."""

    def __init__(self, *, asks: bool) -> None:
        self.asks = asks

    def answer(self, question: str, proposed: str, check: Callable[[str], T]) -> T:
        """A checked answer; a wrong one is asked for again."""
        while self.asks:
            said = str(typer.prompt(question, default=proposed or None, err=True))
            try:
                return check(said.strip())
            except UserError as error:
                output.say(str(error))
        return check(proposed)

    def answers(self, question: str, check: Callable[[str], T]) -> list[T]:
        found: list[T] = []
        while self.asks:
            said = str(typer.prompt(question, default="", show_default=False, err=True)).strip()
            if not said:
                break
            try:
                found.append(check(said))
            except UserError as error:
                output.say(str(error))
        return found

    def confirm(self, question: str) -> bool:
        return self.asks and typer.confirm(question, default=False, err=True)

    def variable(self, what: str, proposed: str) -> str:
        """The name of the environment variable in place of a secret."""
        if self.asks:
            question = f"{what} looks like a secret; the environment variable that the file takes it from"
            return self.answer(question, proposed, variable_name)
        output.say(f"note: {what} looks like a secret: the file takes it from the environment variable {proposed}")
        return proposed


def url(said: str) -> str:
    if not is_url(said):
        raise UserError("expected an address that begins http:// or https://")
    try:
        endpoint(_REFERENCE.sub("1", said))  # what references stand for, shows in the run: a port may be one
    except ValueError as error:
        raise UserError(str(error)) from error
    return said


def command(said: str) -> tuple[str, ...]:
    from mcp_compliance.cli.target import taken_apart

    return taken_apart("the command", said)


def header_line(said: str) -> tuple[str, str]:
    from mcp_compliance.cli.headers import is_header_name

    name, colon, value = said.partition(":")
    if not colon or not is_header_name(name.strip()) or not value.strip():
        raise UserError("-H/--header: expected 'Name: value'")
    return name.strip(), value.strip()


def pair(said: str) -> tuple[str, str]:
    name, equals, value = said.partition("=")
    if not equals or not name:
        raise UserError("-E/--env: expected KEY=VALUE; KEY=${KEY} takes the value from the environment")
    return name, value


def variable_name(said: str) -> str:
    if not _VARIABLE.fullmatch(said):
        raise UserError("expected a name of letters, digits and underscores")
    return said


def milliseconds(said: str) -> int:
    if not said.isdecimal() or int(said) < 1:
        raise UserError(f"timeout {said}: expected a whole number, 1 or more")
    return int(said)


def revisions() -> str:
    return ", ".join((AUTO, *known_revisions()))


def revision(said: str) -> str:
    return one_of("revision", said, (AUTO, *known_revisions()))


def transport(said: str) -> str:
    return one_of("transport", said, TRANSPORTS)
