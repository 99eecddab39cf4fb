"""What the options of pytest ask of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pytest

from mcp_compliance.api.options import SuiteOptions, run_options
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.target import TargetOptions, read_target
from mcp_compliance.model.options import StdioTarget, Target, ToolConsent

_OUR_NAMES = {
    "-H/--header": "--mcp-header",
    "-E/--env": "--mcp-env",
    "-H": "--mcp-header",
    "-E": "--mcp-env",
    "--auth": "--mcp-auth",
    "--cwd": "--mcp-cwd",
    "--spec-version": "--mcp-spec-version",
    "--timeout": "--mcp-timeout",
    "--retries": "--mcp-retries",
    "--only": "--mcp-only",
    "--skip": "--mcp-skip",
    "--safe": "--mcp-safe",
}
"""Names of options in the messages of the command line, and here; longer ones first."""
_NAMES = re.compile(rf"(?<![\w/-])({'|'.join(map(re.escape, _OUR_NAMES))})(?![\w/-])")


@dataclass(frozen=True)
class Settings:
    """Checked. ``on_command_line`` tells a target that was asked for now from one that an ini file always names."""

    target: Target
    options: SuiteOptions
    required_only: bool
    on_command_line: bool

    @classmethod
    def of(cls, values: Mapping[str, object], *, on_command_line: bool, folder: Path) -> Settings:
        """From the values of the options by their names. A command starts in ``folder`` unless an option says where.

        Raises ``pytest.UsageError``, one line.
        """
        cwd = folder / str(values["mcp_cwd"]) if values["mcp_cwd"] else None
        given = TargetOptions(
            headers=_texts(values["mcp_header"]),
            auth=str(values["mcp_auth"]) if values["mcp_auth"] else None,
            env=_texts(values["mcp_env"]),
            cwd=cwd,
        )
        try:
            target = read_target((str(values["mcp_target"]),), given)
            if isinstance(target, StdioTarget) and target.cwd is None:
                target = replace(target, cwd=folder)
            options = SuiteOptions(
                spec_version=str(values["mcp_spec_version"] or "auto"),
                timeout=_number("--mcp-timeout", values["mcp_timeout"], SuiteOptions.timeout),
                retries=_number("--mcp-retries", values["mcp_retries"], SuiteOptions.retries),
                only=_texts(values["mcp_only"]),
                skip=_texts(values["mcp_skip"]),
                tools=ToolConsent(safe=bool(values["mcp_safe"])),
            )
            run_options(target, options, {}, forward_stderr=False)
        except (UserError, ValueError, TypeError) as error:
            raise pytest.UsageError(f"mcp-compliance: {in_our_words(str(error))}") from error
        return cls(target, options, bool(values["mcp_required_only"]), on_command_line)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(text) for text in cast("Sequence[str]", value))


def _number(option: str, value: object, default: int) -> int:
    if not value:
        return default
    try:
        return int(str(value))
    except ValueError:
        raise ValueError(f"{option} {value}: expected a whole number") from None


def in_our_words(message: str) -> str:
    """A message of the command line or a warning of a report, with the options' names that pytest knows."""
    return _NAMES.sub(lambda found: _OUR_NAMES[found[1]], message)
