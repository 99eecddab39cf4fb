"""Checks the values of a configuration file, and turns them into what the options of a command take."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.cli.config_document import Document, Members
from mcp_compliance.cli.config_fields import SCHEMA_KEY, Field
from mcp_compliance.cli.errors import UserError

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

    def wrong(self, field: Field, message: str, *inside: str | int) -> UserError:
        """What is wrong with a field, or ``inside`` of it."""
        place = self.document.place(*self.above, self.keys[field.name], *inside)
        return UserError(f"{place}: {field.name}{message}")

    def expected(self, field: Field, what: str) -> UserError:
        return self.wrong(field, f": expected {what}, not {kind_of(self.values[field.name])}")


def section(
    document: Document, above: tuple[str, ...], value: object, fields: Sequence[Field], others: Mapping[str, str]
) -> Section:
    """The object ``value``, whose fields have to be among ``fields``. ``others`` maps names that belong elsewhere to
    where they belong. TOML may write ``spec-version`` for ``specVersion``. Raises `UserError`.
    """
    if not isinstance(value, dict):
        name = ".".join(above) or "the file"
        raise UserError(f"{document.place(*above)}: {name}: expected an object, not {kind_of(value)}")
    refuse_twice(document, above, value)
    known = [field.name for field in fields]
    values: dict[str, object] = {}
    keys: dict[str, str] = {}
    for key, member in value.items():
        name = _HYPHEN.sub(lambda found: found[1].upper(), key) if document.path.suffix == ".toml" else key
        if name not in known:
            raise UserError(f"{document.place(*above, key)}: unknown field {key}{_hint(name, known, others)}")
        if name in keys:
            place = document.place(*above, key)
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
    listed = (field for field in known if field != SCHEMA_KEY)
    return suggestion(name, known) or f"; known are {', '.join(listed)}"


def as_option(found: Section, field: Field) -> object:
    """The value of ``field`` as the command line's parser takes it. Raises `UserError`."""
    value, folder = found.values[field.name], found.document.path.parent
    if field.kind == "flag":
        if not isinstance(value, bool):
            raise found.expected(field, "true or false")
        return value
    if field.kind == "number":
        return _number(found, field)
    if field.kind == "choice":
        return _choice(found, field)
    if field.kind == "path":
        return str(folder / text(found, field))
    if field.kind == "texts":
        return list(texts(found, field))
    if field.kind == "files":
        return [f"{name}={folder / file}" for name, file in _files(found, field).items()]
    return text(found, field)


def text(found: Section, field: Field) -> str:
    value = found.values[field.name]
    if not isinstance(value, str):
        raise found.expected(field, "a text")
    if not value.strip() or "\0" in value:
        raise found.wrong(field, ": is empty" if not value.strip() else ": holds a NUL character")
    return value


def texts(found: Section, field: Field) -> tuple[str, ...]:
    value = found.values[field.name]
    if not isinstance(value, list):
        raise found.expected(field, f"a list, as in {field.example}")
    for number, item in enumerate(value):
        if not isinstance(item, str) or "\0" in item:
            raise found.wrong(field, f": expected a text, not {kind_of(item)}", number)
    return tuple(value)


def mapping(found: Section, field: Field) -> dict[str, str]:
    """The members of a ``map``, all of them texts. Messages show no value."""
    value = found.values[field.name]
    if not isinstance(value, dict):
        raise found.expected(field, f"an object, as in {field.example}")
    refuse_twice(found.document, (*found.above, found.keys[field.name]), value)
    for name, member in value.items():
        if not isinstance(member, str) or "\0" in member:
            raise found.wrong(field, f": {name}: expected a text in quotes, not {kind_of(member)}", name)
    return dict(value)


def _files(found: Section, field: Field) -> dict[str, str]:
    files = mapping(found, field)
    for name, file in files.items():
        if name not in field.choices:
            hint = suggestion(name, field.choices)
            raise found.wrong(field, f": {name} is no format; choose one of {', '.join(field.choices)}{hint}", name)
        if not file.strip():
            raise found.wrong(field, f": {name}: is empty", name)
    return files


def _number(found: Section, field: Field) -> int:
    value = found.values[field.name]
    expected = "a whole number" if field.least is None else f"a whole number, {field.least} or more"
    if not isinstance(value, int) or isinstance(value, bool):
        raise found.expected(field, expected)
    if field.least is not None and value < field.least:
        raise found.wrong(field, f" {value}: expected {expected}")
    return value


def _choice(found: Section, field: Field) -> str:
    value, known = found.values[field.name], ", ".join(field.choices)
    if not isinstance(value, str):
        raise found.expected(field, f"one of {known} in quotes")
    for name in field.choices:
        if value.lower() == name.lower():
            return name
    raise found.wrong(field, f" {value}: choose one of {known}{suggestion(value, field.choices)}")


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
