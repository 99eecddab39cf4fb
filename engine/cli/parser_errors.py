"""What the option parser finds wrong, in the words that the rest of the tool uses."""

from __future__ import annotations

import re

import typer

from mcp_compliance.catalog.closest_word import suggestion

_NO_NUMBER = re.compile(r""": (['"])(?P<value>.*)\1 is not a valid int""", re.DOTALL)
_OUTSIDE = re.compile(r"(?P<value>-?\d+) is not in the range")
_MISSING = re.compile(r"Missing argument '(?P<name>[^']+)'")
_EXTRA = re.compile(r"unexpected extra arguments?\S* \((?P<words>.*)\)", re.DOTALL)


def in_our_words(error: typer.TyperException) -> str:
    """One line: the option as it was given, and what is expected. Other errors keep the parser's words."""
    message = error.format_message()
    name = getattr(error, "option_name", None)
    known = getattr(error, "possibilities", None)
    if missing := _MISSING.match(message):
        context = getattr(error, "ctx", None)
        path = "" if context is None else f"{context.command_path} "
        return f"{missing['name']} is missing; {path}--help says what is taken"
    if isinstance(name, str) and "requires an argument" in message:
        return f"{name} needs a value"
    if isinstance(name, str):
        return f"unknown option {name}{suggestion(name, list(known or ())) or '; --help lists all'}"
    if extra := _EXTRA.search(message):
        return f"unexpected argument {extra['words']}; --help says what is taken"
    parameter = getattr(error, "param", None)
    wrong = _NO_NUMBER.search(message) or _OUTSIDE.search(message)
    if parameter is None or wrong is None:
        return message
    return f"{max(parameter.opts, key=len)} {wrong['value']}: expected a whole number{_bounds(parameter.type)}"


def _bounds(kind: object) -> str:
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if least is None:
        return ""
    return f", {least} or more" if most is None else f" from {least} to {most}"
