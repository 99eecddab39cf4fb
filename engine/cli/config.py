"""Configuration files: which one is read, and what it sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mcp_compliance.cli import input_files
from mcp_compliance.cli.config_document import Document, read_document
from mcp_compliance.cli.config_fields import OWN_NAME, SCHEMA_KEY, TARGET, Field, run_fields, target_fields
from mcp_compliance.cli.config_values import Section, as_option, mapping, section, text, texts
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.headers import is_header_name
from mcp_compliance.cli.saved_target import SavedTarget

_FIELD = "mcp-compliance"
_PARTS = {"package.json": (_FIELD,), "pyproject.toml": ("tool", _FIELD)}
"""Files of others, and the part of them that is ours."""
NAMES = (OWN_NAME, ".mcp-compliancerc.json", ".mcp-compliancerc", *_PARTS)
"""Looked for in this order; the first that is there, and has our part in it, is read."""


@dataclass(frozen=True)
class Config:
    """What a file sets. ``options`` maps names of parameters of the commands (``min_grade``) to values, and
    ``target_options`` those that hold for ``target`` only.
    """

    path: Path
    options: Mapping[str, object] = field(default_factory=dict)
    target: SavedTarget | None = None
    target_options: Mapping[str, object] = field(default_factory=dict)


def load(path: Path | None, folder: Path) -> Config | None:
    """The file ``path``, or else the first that ``folder`` has. Raises `UserError`."""
    if path is not None:
        part = _PARTS.get(path.name, ())
        document = read_document(path, part)
        if document is None:
            what = "no [tool.mcp-compliance] table" if path.suffix == ".toml" else f'no "{_FIELD}" field'
            raise UserError(f"{path}: has {what}")
        return _config(document)
    for name in NAMES:
        file = folder / name
        if not file.is_file() or (name in _PARTS and not _speaks_of_us(file)):
            continue
        document = read_document(file, _PARTS.get(name, ()))
        if document is not None:
            return _config(document)
    return None


def _speaks_of_us(file: Path) -> bool:
    """Whether it is worth reading: what is wrong in a file of others is no concern of ours."""
    try:
        return _FIELD.encode() in input_files.content(file)
    except OSError:
        return False


def _config(document: Document) -> Config:
    fields, own = run_fields(), target_fields()
    above = (Field(TARGET, None, "map", ""), Field(SCHEMA_KEY, None, "text", ""))
    found = section(document, (), document.value, (*fields, *above), _elsewhere(own, "goes into target"))
    options = _options(found, fields)
    if TARGET not in found.values:
        return Config(document.path, options)
    inner = section(document, (TARGET,), found.values[TARGET], own, _elsewhere(fields, "goes beside target"))
    return Config(document.path, options, _target(inner, own), _options(inner, own))


def _elsewhere(fields: Sequence[Field], where: str) -> dict[str, str]:
    return {field.name: where for field in fields}


def _options(found: Section, fields: Sequence[Field]) -> dict[str, object]:
    return {
        field.parameter: as_option(found, field)
        for field in fields
        if field.parameter is not None and field.name in found.values
    }


def _target(found: Section, fields: Sequence[Field]) -> SavedTarget:
    by_name = {field.name: field for field in fields}
    transport = _transport(found, by_name["type"])
    for name in found.values:
        if by_name[name].transport not in (None, transport):
            other = "a command" if transport == "http" else "a URL"
            raise UserError(f"{found.place(name)}: {name} goes with {other}, and this target is of type {transport}")
    say = f"{found.document.path}: target"
    if transport == "http":
        given = mapping(found, by_name["headers"]) if "headers" in found.values else {}
        for name in given:
            if not is_header_name(name):
                raise found.wrong(by_name["headers"], f": {name!r} cannot be the name of a header", name)
        return SavedTarget(
            say,
            url=text(found, by_name["url"]),
            headers=tuple(given.items()),
            header_file=_path(found, by_name["headerFile"]),
        )
    arguments = texts(found, by_name["args"]) if "args" in found.values else ()
    return SavedTarget(
        say,
        command=(text(found, by_name["command"]), *arguments),
        env=mapping(found, by_name["env"]) if "env" in found.values else {},
        env_file=_path(found, by_name["envFile"]),
        cwd=_path(found, by_name["cwd"]),
    )


def _path(found: Section, field: Field) -> Path | None:
    return Path(str(as_option(found, field))) if field.name in found.values else None


def _transport(found: Section, kind: Field) -> str:
    if "url" in found.values and "command" in found.values:
        raise UserError(f"{found.place('command')}: target has url and command; keep one of them")
    if "type" in found.values:
        named = str(as_option(found, kind))
        needed = "url" if named == "http" else "command"
        if needed not in found.values:
            raise UserError(f"{found.document.place(TARGET)}: a target of type {named} needs {needed}")
        return named
    if "url" not in found.values and "command" not in found.values:
        raise UserError(f"{found.document.place(TARGET)}: target needs url, or command")
    return "http" if "url" in found.values else "stdio"
