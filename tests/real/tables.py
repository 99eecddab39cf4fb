"""The tables of adjudicated verdicts: ``expected/<server>-<transport>.yaml``.

A table lists every rule that does not pass, and some that do, each with the reason: what the specification asks
and what the server was seen to send. Rules that it does not list have to pass. ``warnings`` lists the rules that
end with a warning, whatever their verdict.

    verdicts:
      - rules: [transport-session-invalid]
        verdict: fail
        force: MUST
        because: After DELETE the id is answered with 400, and only 404 tells a client to start over.
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
    """One rule, judged by a person. ``force`` is that of the sentence that a failure violates, else None."""

    rule: str
    verdict: str
    force: str | None
    because: str


@dataclass(frozen=True)
class Table:
    judgements: Mapping[str, Judgement]
    warnings: Mapping[str, str]
    """Why each rule that warns does so."""

    def verdict(self, rule: str) -> str:
        return self.judgements[rule].verdict if rule in self.judgements else "pass"

    def force(self, rule: str) -> str | None:
        return self.judgements[rule].force if rule in self.judgements else None


def load(server_id: str, folder: Path = FOLDER) -> Table:
    """Read one table. Raises `TableError`."""
    path = folder / f"{server_id}.yaml"
    document = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    _keys(document, {"verdicts", "warnings"}, path.name)
    rows = [judgement for row in document["verdicts"] for judgement in _judgements(row, path.name)]
    said = [(rule, _reason(row, path.name)) for row in document["warnings"] for rule in row["rules"]]
    for names in ([row.rule for row in rows], [rule for rule, _ in said]):
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise TableError(f"{path.name}: {twice[0]} is listed twice")
    return Table({row.rule: row for row in rows}, dict(said))


def _judgements(row: Mapping[str, Any], where: str) -> list[Judgement]:
    verdict = row.get("verdict")
    if verdict not in VERDICTS:
        raise TableError(f"{where}: {row.get('rules')}: verdict is {verdict!r}, not one of {', '.join(VERDICTS)}")
    failed = verdict == "fail"
    _keys(row, {"rules", "verdict", "because", *(["force"] if failed else [])}, where)
    force = row["force"] if failed else None
    if failed and force not in FORCES:
        raise TableError(f"{where}: {row['rules']}: force is {force!r}, not one of {', '.join(FORCES)}")
    return [Judgement(rule, verdict, force, _reason(row, where)) for rule in row["rules"]]


def _reason(row: Mapping[str, Any], where: str) -> str:
    reason = row.get("because")
    if not isinstance(reason, str) or len(reason.split()) < 5:
        raise TableError(f"{where}: {row.get('rules')}: no reason; write a sentence after `because:`")
    return reason.strip()


def _keys(row: Mapping[str, Any], wanted: set[str], where: str) -> None:
    if set(row) != wanted:
        raise TableError(f"{where}: {row.get('rules', 'the table')} has {sorted(row)}, and needs {sorted(wanted)}")
