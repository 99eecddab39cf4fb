"""Checks the values of a configuration file, and turns them into what the options of a command take."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcp_compliance.cli.config_document import Document, Members
from mcp_compliance.cli.config_fields import Field
from mcp_compliance.cli.errors import UserError, suggestion

_HYPHEN = re.compile(r"-([a-z])")


@dataclass(frozen=True)
class Section:
    """An object of a file, its fields checked. ``values`` are as they stand; ``keys`` are the names as written."""

    document: Document
    above: tuple[str, ...]
    values: Mapping[str, object]
    keys: Mapping[str, str]

    def place(self, name: str) -> str:
        return self.document.place(*self.above, self.keys[name])


def section(
    document: Document, above: tuple[str, ...], value: object, fields: Sequence[Field], others: Mapping[str, str]
) -> Section:
    """The object ``value``, whose fields have to be among ``fields``. ``others`` maps names that belong elsewhere to
    where they belong. TOML may write ``spec-version`` for ``specVersion``. Raises `UserError`.
    """
    where = document.place(*above)
    if not isinstance(value, dict):
        name = ".".join(above) or "the file"
        raise UserError(f"{where}: {name}: expected an object, not {kind_of(value)}")
    refuse_twice(document, above, value)
    known = [field.name for field in fields]
    values: dict[str, object] = {}
    keys: dict[str, str] = {}
    for key, member in value.items():
        name = _HYPHEN.sub(lambda found: found[1].upper(), key) if document.path.suffix == ".toml" else key
        place = document.place(*above, key)
        if name not in known:
            raise UserError(f"{place}: unknown field {key}{_hint(name, known, others)}")
        if name in keys:
            raise UserError(f"{place}: {key} and {keys[name]} are the same field; keep one of them")
        values[name], keys[name] = member, key
    return Section(document, above, values, keys)


def refuse_twice(document: Document, above: Iterable[str], value: object) -> None:
    """Raises `UserError` where a name stands twice in a JSON object."""
    twice = value.twice if isinstance(value, Members) else ()
    if twice:
        raise UserError(f"{document.place(*above, twice[0])}: {twice[0]} is set more than once; keep one of them")


def _hint(name: str, known: Sequence[str], others: Mapping[str, str]) -> str:
    if name in others:
        return f"; it {others[name]}"
    return suggestion(name, known) or f"; known are {', '.join(known)}"


def as_option(found: Section, field: Field) -> object:
    """The value of ``field`` as the command line's parser takes it. Raises `UserError`."""
    value, place = found.values[field.name], found.place(field.name)
    folder = found.document.path.parent
    if field.kind == "flag":
        return _expect(isinstance(value, bool), value, field, place, "true or false")
    if field.kind == "number":
        whole = isinstance(value, int) and not isinstance(value, bool)
        least = field.least
        _expect(whole, value, field, place, "a whole number" if least is None else f"a whole number, {least} or more")
        if isinstance(value, int) and least is not None and value < least:
            raise UserError(f"{place}: {field.name} {value}: expected a whole number, {least} or more")
        return value
    if field.kind == "choice":
        return _choice(value, field, place)
    if field.kind == "path":
        return str(folder / text(found, field))
    if field.kind == "texts":
        return list(texts(found, field))
    if field.kind == "files":
        return [f"{name}={folder / file}" for name, file in _files(found, field).items()]
    return text(found, field)


def text(found: Section, field: Field) -> str:
    value, place = found.values[field.name], found.place(field.name)
    if not isinstance(value, str):
        raise UserError(f"{place}: {field.name}: expected a text, not {kind_of(value)}")
    if not value.strip() or "\0" in value:
        raise UserError(f"{place}: {field.name}: {'is empty' if not value.strip() else 'holds a NUL character'}")
    return value


def texts(found: Section, field: Field) -> tuple[str, ...]:
    value, place = found.values[field.name], found.place(field.name)
    if not isinstance(value, list):
        raise UserError(f"{place}: {field.name}: expected a list, as in {field.example}, not {kind_of(value)}")
    for number, item in enumerate(value):
        if not isinstance(item, str) or "\0" in item:
            inner = found.document.place(*found.above, found.keys[field.name], number)
            raise UserError(f"{inner}: {field.name}: expected a text, not {kind_of(item)}")
    return tuple(value)


def mapping(found: Section, field: Field) -> dict[str, str]:
    """The members of a ``map``, all of them texts. Messages show no value."""
    value, place = found.values[field.name], found.place(field.name)
    if not isinstance(value, dict):
        raise UserError(f"{place}: {field.name}: expected an object, as in {field.example}, not {kind_of(value)}")
    above = (*found.above, found.keys[field.name])
    refuse_twice(found.document, above, value)
    for name, member in value.items():
        if not isinstance(member, str) or "\0" in member:
            inner = found.document.place(*above, name)
            raise UserError(f"{inner}: {field.name}: {name}: expected a text in quotes, not {kind_of(member)}")
    return dict(value)


def _files(found: Section, field: Field) -> dict[str, str]:
    files = mapping(found, field)
    for name in files:
        if name not in field.choices:
            place = found.document.place(*found.above, found.keys[field.name], name)
            known = ", ".join(field.choices)
            hint = suggestion(name, field.choices)
            raise UserError(f"{place}: {field.name}: {name} is no format; choose one of {known}{hint}")
    return files


def _choice(value: object, field: Field, place: str) -> str:
    known = ", ".join(field.choices)
    if not isinstance(value, str):
        raise UserError(f"{place}: {field.name}: expected one of {known}, in quotes, not {kind_of(value)}")
    for name in field.choices:
        if value.lower() == name.lower():
            return name
    raise UserError(f"{place}: {field.name} {value}: choose one of {known}{suggestion(value, field.choices)}")


def _expect(met: bool, value: object, field: Field, place: str, expected: str) -> object:
    if not met:
        raise UserError(f"{place}: {field.name}: expected {expected}, not {kind_of(value)}")
    return value


def kind_of(value: object) -> str:
    """What ``value`` is, in words; of texts, which may be secret, nothing is shown."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return "a text with a NUL character" if "\0" in value else "a text" if value.strip() else "an empty text"
    if isinstance(value, datetime.date | datetime.time):
        return "a date"
    return "a list" if isinstance(value, list) else "an object"
