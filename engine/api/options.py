"""What a caller may ask of a run, checked before anything is connected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TypedDict

from mcp_compliance.api.definitions import revision_of
from mcp_compliance.api.target import Header, headers_of, target_of, variables, with_more
from mcp_compliance.model.options import Network, Options, RunOptions, Target, ToolConsent
from mcp_compliance.wire.network import check_network

AUTO = "auto"


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(Options):
    """Options of a run from a program. Every one has a default; times are in milliseconds.

    ``spec_version`` may also be ``"auto"``, which is the same as None. What belongs to a target (``headers``,
    ``auth``, ``env``, ``cwd``) comes on top of what the target has already.
    """

    headers: Mapping[str, str] | Sequence[Header] = field(default=(), repr=False)
    """For a URL: they go with every request."""
    auth: str | None = field(default=None, repr=False)
    """For a URL: value of the Authorization header, ``"Bearer ..."``."""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    """For a command: variables beside those of this process."""
    cwd: str | Path | None = None
    """For a command: the directory that it is started in."""


class SuiteKeywords(TypedDict, total=False):
    """The fields of ``SuiteOptions``, as keywords of the functions that start a run."""

    spec_version: str | None
    timeout: int
    startup_timeout: int | None
    preflight_timeout: int | None
    retries: int
    only: Sequence[str]
    skip: Sequence[str]
    concurrency: int
    seed: int | None
    tools: ToolConsent
    network: Network
    auth_command: tuple[str, ...]
    keep_exchanges: bool
    headers: Mapping[str, str] | Sequence[Header]
    auth: str | None
    env: Mapping[str, str]
    cwd: str | Path | None


def run_options(
    given: str | Sequence[str] | Target,
    options: SuiteOptions | None,
    keywords: SuiteKeywords,
    *,
    forward_stderr: bool,
) -> RunOptions:
    """Everything checked and put together; keywords win over ``options``. Raises ``ValueError`` and ``TypeError``."""
    if options is not None and not isinstance(options, SuiteOptions):
        raise TypeError(f"options: expected SuiteOptions, not {type(options).__name__}")
    known = {each.name for each in fields(SuiteOptions)}
    for name in keywords:
        if name not in known:
            raise TypeError(f"unknown option {name}; the options are {', '.join(sorted(known))}")
    asked = replace(options or SuiteOptions(), **keywords)
    _check_numbers(asked)
    for name, kind in (("tools", ToolConsent), ("network", Network), ("env", Mapping)):
        if not isinstance(getattr(asked, name), kind):
            raise TypeError(f"{name}: expected {kind.__name__}, not {type(getattr(asked, name)).__name__}")
    target = with_more(
        target_of(given),
        headers_of(asked.headers, asked.auth),
        variables(asked.env),
        None if asked.cwd is None else Path(asked.cwd),
        asked.network,
        asked.auth_command,
    )
    check_network(asked.network)
    settings = {each.name: getattr(asked, each.name) for each in fields(Options)}
    return RunOptions(
        **{
            **settings,
            "target": target,
            "spec_version": None if asked.spec_version in (None, AUTO) else revision_of(asked.spec_version),
            "only": _names("only", asked.only),
            "skip": _names("skip", asked.skip),
            "auth_command": _names("auth_command", asked.auth_command),
            "forward_stderr": forward_stderr,
        }
    )


_LEAST = {"timeout": 1, "startup_timeout": 1, "preflight_timeout": 1, "retries": 0, "concurrency": 1, "seed": 0}
_MAY_BE_NONE = frozenset({"startup_timeout", "preflight_timeout", "seed"})


def _check_numbers(asked: SuiteOptions) -> None:
    for name, least in _LEAST.items():
        value = getattr(asked, name)
        if value is None and name in _MAY_BE_NONE:
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name}: expected a whole number, not {value!r}")
        if value < least:
            raise ValueError(f"{name}: {value} is less than {least}")


def _names(option: str, given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, (Sequence, frozenset, set)) or not all(isinstance(name, str) for name in given):
        raise TypeError(f"{option}: expected texts, not {_kinds(given)}")  # the words of a command may be secret
    return tuple(given)


def _kinds(given: object) -> str:
    if not isinstance(given, (Sequence, frozenset, set)):
        return type(given).__name__
    return f"one of {', '.join(sorted({type(item).__name__ for item in given if not isinstance(item, str)}))}"
