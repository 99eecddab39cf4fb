"""Options, and whether there is anything to do. Every pytest run loads this module, so it loads next to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mcp_compliance.pytest_plugin.settings import Settings

NAME = "mcp-compliance-rules"

TARGET, SPEC_VERSION, HEADERS, AUTH, ENV, CWD = (
    *("mcp_target", "mcp_spec_version", "mcp_header", "mcp_auth", "mcp_env", "mcp_cwd"),
)
ONLY, SKIP, TIMEOUT, RETRIES, SAFE, REQUIRED_ONLY = (
    *("mcp_only", "mcp_skip", "mcp_timeout", "mcp_retries", "mcp_safe", "mcp_required_only"),
)
_LISTS = {
    HEADERS: (
        "'NAME: VALUE'",
        "send this header with every request to a URL; ${NAME} is filled in from the environment",
    ),
    ENV: ("KEY=VALUE", "set an environment variable of the command"),
    ONLY: ("NAMES", "run only these categories or rules"),
    SKIP: ("NAMES", "leave out these categories or rules"),
}
_TEXTS = {
    TARGET: ("URL_OR_COMMAND", "grade this MCP server: one test for each rule of the specification"),
    SPEC_VERSION: ("VERSION", "MCP revision to grade (default: auto, the newest that the server speaks)"),
    AUTH: ("VALUE", "value of the Authorization header; ${NAME} is filled in from the environment"),
    CWD: ("DIR", "start the command in this directory"),
    TIMEOUT: ("MS", "longest wait for one answer (default: 15000)"),
    RETRIES: ("N", "repeat a failed rule up to N times (default: 0)"),
}
_FLAGS = {
    SAFE: "call only tools that declare readOnlyHint: true",
    REQUIRED_ONLY: "only required rules can fail; optional ones that do are reported as xfailed",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Each option also as a setting of the ini file: ``mcp_target = ...``, lists with one entry a line."""
    group = parser.getgroup("mcp-compliance", "compliance of an MCP server with its specification")
    for name, (metavar, text) in _TEXTS.items():
        group.addoption(_option(name), dest=name, metavar=metavar, default=None, help=text)
        parser.addini(name, text, default="")
    for name, (metavar, text) in _LISTS.items():
        group.addoption(
            _option(name), dest=name, metavar=metavar, action="append", default=None, help=f"{text} (repeatable)"
        )
        parser.addini(name, text, type="linelist", default=[])
    for name, text in _FLAGS.items():
        group.addoption(_option(name), dest=name, action="store_true", default=None, help=text)
        parser.addini(name, text, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    if not (config.getoption(TARGET) or config.getini(TARGET)):
        return
    from mcp_compliance.pytest_plugin.rules import Rules

    config.pluginmanager.register(Rules(config, _settings(config)), NAME)


def _settings(config: pytest.Config) -> Settings:
    from mcp_compliance.pytest_plugin.settings import Settings

    named = bool(config.getoption(TARGET))
    values = {name: _value(config, name) for name in (*_TEXTS, *_LISTS, *_FLAGS)}
    return Settings.of(values, on_command_line=named, folder=config.invocation_params.dir if named else config.rootpath)


def _value(config: pytest.Config, name: str) -> object:
    given: object = config.getoption(name)
    return config.getini(name) if given is None else given


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
