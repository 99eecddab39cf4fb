"""A case of the replay corpus as frozen data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .player.message import Json

DEFAULT_CAP_S = 60.0


@dataclass(frozen=True)
class Demand:
    """One demand beyond the verdicts of single rules: the name of a check and its argument (None if bare)."""

    name: str
    argument: Json = None


@dataclass(frozen=True)
class Expect:
    """Rule ids by what is expected of them; `flag` maps an id to the patterns a remark has to match."""

    fail: tuple[str, ...] = ()
    any_fail: tuple[str, ...] = ()
    flag: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    passed: tuple[str, ...] = ()
    not_fail: tuple[str, ...] = ()
    not_pass: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    demands: tuple[Demand, ...] = ()

    @property
    def named(self) -> frozenset[str]:
        """Every id with an expectation of its own, including the free ones."""
        judged = (*self.fail, *self.any_fail, *self.flag, *self.passed, *self.not_fail, *self.not_pass)
        return frozenset((*judged, *self.skip, *self.may))


@dataclass(frozen=True)
class Run:
    """How the checker is started: the revision asked for where that is not the folder's, extra options, another target,
    variables, patience.
    """

    revision: str | None = None
    options: tuple[str, ...] = ()
    target: str | None = None
    command: tuple[str, ...] | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    tls: bool = False
    cap_s: float = DEFAULT_CAP_S


@dataclass(frozen=True)
class Case:
    """One case. `server` and `baseline` are script entries as the player reads them."""

    id: str
    revision: str
    transport: str
    expect: Expect
    baseline: Sequence[Mapping[str, Json]]
    server: Sequence[Mapping[str, Json]] = ()
    sessions: bool = True
    run: Run = Run()

    @property
    def name(self) -> str:
        return f"{self.revision}-{self.id}"

    @property
    def script(self) -> dict[str, Json]:
        """What Script.from_json reads."""
        return {
            "case": [dict(entry) for entry in self.server],
            "baseline": [dict(entry) for entry in self.baseline],
            "sessions": self.sessions,
        }
