"""Every option of every command is exercised through the console script, by the test that ``options.toml`` names.

The options come from the command line itself, so one that is added without a test fails here. What is read of a test
is its function with its decorators, and whatever of its own package it uses: helpers, fixtures, constants.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from mcp_compliance.cli.command import NO_CONFIG, TargetCommand
from mcp_compliance.cli.main import app

TESTS = Path(__file__).resolve().parents[1]
TABLE = tomllib.loads(Path(__file__).with_name("options.toml").read_text(encoding="utf-8"))
ROOT = "mcp-compliance"
"""The console script, and what the table calls options that stand before a command."""

Module = dict[str, tuple[Path, ast.stmt]]
"""Names that a module's functions may use, and the statement that gives each its meaning, with the file it is in."""


def options() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each command with the spellings of each of its options."""
    group = get_command(app)
    for name, command in [(ROOT, group), *getattr(group, "commands", {}).items()]:
        found = [
            (*parameter.opts, *parameter.secondary_opts)
            for parameter in command.params
            if parameter.param_type_name == "option"
        ]
        for spellings in found:
            yield name, tuple(spellings)
        if isinstance(command, TargetCommand) and any("--config" in spellings for spellings in found):
            yield name, (NO_CONFIG,)
        yield name, ("--help",)


@cache
def names_of(path: Path) -> Module:
    found: Module = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[statement.name] = (path, statement)
        elif isinstance(statement, ast.Assign):
            found.update({name.id: (path, statement) for name in statement.targets if isinstance(name, ast.Name)})
        elif isinstance(statement, ast.ImportFrom) and statement.level:
            place = path.parents[statement.level - 1].joinpath(*(statement.module or "").split(".")).with_suffix(".py")
            if place.is_file():
                there = names_of(place)
                found.update(
                    {each.asname or each.name: there[each.name] for each in statement.names if each.name in there}
                )
    return found


def words_of(path: Path, test: str) -> tuple[set[str], bool]:
    """Every word in a text of ``test`` and of all that it uses, of ``--name=value`` the name; and whether the path of
    the console script is made in any of it.
    """
    words: set[str] = set()
    started = False
    seen: set[tuple[Path, str]] = set()
    waiting = [(path, test)]
    while waiting:
        place, name = waiting.pop()
        if (place, name) in seen or name not in names_of(place):
            continue
        seen.add((place, name))
        home, statement = names_of(place)[name]
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words |= {word.partition("=")[0] for word in node.value.split()}
            elif isinstance(node, ast.Name):
                waiting.append((home, node.id))
            elif isinstance(node, ast.arg):
                waiting.append((home, node.arg))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                given = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
                started |= node.func.attr == "with_name" and given == [ROOT]
    return words, started


def test_the_table_has_every_option_and_no_other() -> None:
    listed = {(command, spelling) for command, rows in TABLE.items() for spelling in rows}
    assert listed == {(command, spelling) for command, spellings in options() for spelling in spellings}


@pytest.mark.parametrize("command", TABLE)
def test_each_is_exercised_by_the_test_that_the_table_names(command: str) -> None:
    wrong = []
    for option, node in TABLE[command].items():
        file, _, test = node.partition("::")
        if not test.startswith("test_") or test not in names_of(TESTS / file):
            wrong.append(f"{option}: there is no {node}")
            continue
        words, started = words_of(TESTS / file, test)
        needed = {option} if command == ROOT else {command, option}
        if needed - words:
            wrong.append(f"{option}: {node} has no {', '.join(sorted(needed - words))}")
        if not started:
            wrong.append(f"{option}: {node} does not start the console script")
    assert not wrong
