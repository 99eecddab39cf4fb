"""The tables of adjudicated verdicts: ``expected/<revision>/<server>-<transport>.yaml``.

A table lists every rule that does not pass, and some that do, each with the reason: what the specification asks
and what the server was seen to send. Rules that it does not list have to pass. ``warnings`` lists the rules that
end with a warning, whatever their verdict, and ``notices`` the warnings about the run as a whole, in order.
``detected`` is why a run that is not pinned chooses this revision, null where it chooses another.

    detected: "server/discover: JSON-RPC error -32601, legacy"
    notices:
      - "Tools passed over: share (a safer one was taken)."
    verdicts:
      - rules: [transport-session-invalid]
        verdict: fail
        force: MUST
        because: After DELETE the id is answered with 400, and only 404 tells a client to start over.
      - rules: [tools-list]
        verdict: skip
        cause: lifecycle-discover      # the rule that says why, if there is one
        because: ...
    warnings:
      - rules: [tools-call-unknown]
        because: ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

FOLDER = Path(__file__).parent / "expected"
VERDICTS = ("fail", "skip", "not-evaluable", "pass")
FORCES = ("MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "REQUIRED", "none")


class TableError(Exception):
    """A table that says too little, or something twice. The text names file and rule."""


@dataclass(frozen=True)
class Judgement:
    """One rule, judged by a person. ``force`` is that of the sentence that a failure violates, else None; ``cause``
    the rule that one which measured nothing points to, if any.
    """

    rule: str
    verdict: str
    force: str | None
    cause: str | None
    because: str


@dataclass(frozen=True)
class Table:
    judgements: Mapping[str, Judgement]
    warnings: Mapping[str, str]
    """Why each rule that warns does so."""
    notices: tuple[str, ...]
    detected: str | None

    def verdict(self, rule: str) -> str:
        return self.judgements[rule].verdict if rule in self.judgements else "pass"

    def force(self, rule: str) -> str | None:
        return self.judgements[rule].force if rule in self.judgements else None

    def cause(self, rule: str) -> str | None:
        return self.judgements[rule].cause if rule in self.judgements else None


def revisions() -> list[str]:
    return sorted(path.name for path in FOLDER.iterdir())


def servers(revision: str) -> list[str]:
    """The ids of the servers that have a table for this revision."""
    return sorted(path.stem for path in (FOLDER / revision).iterdir())


def load(revision: str, server_id: str, folder: Path = FOLDER) -> Table:
    """Read one table. Raises `TableError`."""
    path = folder / revision / f"{server_id}.yaml"
    document = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    _keys(document, {"detected", "notices", "verdicts", "warnings"}, path.name)
    rows = [judgement for row in document["verdicts"] for judgement in _judgements(row, path.name)]
    said = [(rule, _reason(row, path.name)) for row in document["warnings"] for rule in row["rules"]]
    for names in ([row.rule for row in rows], [rule for rule, _ in said]):
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise TableError(f"{path.name}: {twice[0]} is listed twice")
    return Table({row.rule: row for row in rows}, dict(said), tuple(document["notices"]), document["detected"])


def _judgements(row: Mapping[str, Any], where: str) -> list[Judgement]:
    verdict = row.get("verdict")
    if verdict not in VERDICTS:
        raise TableError(f"{where}: {row.get('rules')}: verdict is {verdict!r}, not one of {', '.join(VERDICTS)}")
    failed = verdict == "fail"
    pointing = verdict in ("skip", "not-evaluable") and "cause" in row
    _keys(row, {"rules", "verdict", "because", *(["force"] if failed else []), *(["cause"] if pointing else [])}, where)
    force = row["force"] if failed else None
    if failed and force not in FORCES:
        raise TableError(f"{where}: {row['rules']}: force is {force!r}, not one of {', '.join(FORCES)}")
    cause = row["cause"] if pointing else None
    return [Judgement(rule, verdict, force, cause, _reason(row, where)) for rule in row["rules"]]


def _reason(row: Mapping[str, Any], where: str) -> str:
    reason = row.get("because")
    if not isinstance(reason, str) or len(reason.split()) < 5:
        raise TableError(f"{where}: {row.get('rules')}: no reason; write a sentence after `because:`")
    return reason.strip()


def _keys(row: Mapping[str, Any], wanted: set[str], where: str) -> None:
    if set(row) != wanted:
        raise TableError(f"{where}: {row.get('rules', 'the table')} has {sorted(row)}, and needs {sorted(wanted)}")
