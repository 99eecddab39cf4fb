"""Reads the files of the replay corpus; everything in them is described in corpus/FORM.md."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from .corpus_case import DEFAULT_CAP_S, Case, Demand, Expect, Run
from .player.message import Json

CORPUS = Path(__file__).parent / "corpus"
BASELINE = "baseline.yaml"
TEXTS = frozenset({"seen", "right", "trap", "spec"})
CASE_KEYS = TEXTS | {"id", "transport", "base", "sessions", "run", "server", "expect"}
_PART = re.compile(r"\{\{part:([^{}]+)\}\}")


def load_cases(corpus: Path = CORPUS) -> list[Case]:
    """Every case of every revision, in the order of the files. Raises ValueError for a form that is wrong."""
    cases = [
        read_case(document, folder.name, corpus)
        for folder in sorted(path for path in corpus.iterdir() if path.is_dir())
        for file in sorted(folder.glob("*.yaml"))
        if file.name != BASELINE
        for document in _load(file)["cases"]
    ]
    names = [case.name for case in cases]
    if len(set(names)) != len(names):
        raise ValueError(f"ids that occur twice: {sorted({name for name in names if names.count(name) > 1})}")
    return cases


def baseline_case(revision: str, transport: str, corpus: Path = CORPUS) -> Case:
    """The unchanged baseline as a case of its own."""
    return read_case(
        {"id": f"baseline-{transport}", "transport": transport, "server": [], "expect": {}}, revision, corpus
    )


def read_case(document: dict[str, Any], revision: str, corpus: Path = CORPUS) -> Case:
    """One case of the folder of `revision`."""
    unknown = document.keys() - CASE_KEYS
    if unknown:
        raise ValueError(f"{document.get('id')}: unknown keys {sorted(unknown)}")
    base = str(document.get("base", revision))
    transport = document["transport"]
    parts = _load(corpus / base / BASELINE).get("parts", {})
    return Case(
        id=document["id"],
        revision=revision,
        transport=transport,
        expect=_expect(document["expect"]),
        baseline=_baseline(base, transport, corpus),
        server=[_with_parts(entry, parts) for entry in document["server"]],
        # YAML 1.2 reads `off` as a word.
        sessions=document.get("sessions") != "off",
        run=_run(document.get("run", {})),
    )


@cache
def _load(file: Path) -> dict[str, Any]:
    document = YAML(typ="safe").load(file.read_text("utf-8"))
    assert isinstance(document, dict)
    return document


def _baseline(base: str, transport: str, corpus: Path) -> list[dict[str, Json]]:
    document = _load(corpus / base / BASELINE)
    return [
        _with_parts({key: value for key, value in entry.items() if key != "only"}, document.get("parts", {}))
        for entry in document["server"]
        if entry.get("only", transport) == transport
    ]


def _with_parts(value: Any, parts: dict[str, Json]) -> Any:
    if isinstance(value, dict):
        return {key: _with_parts(member, parts) for key, member in value.items()}
    if isinstance(value, list):
        return [_with_parts(member, parts) for member in value]
    named = _PART.fullmatch(value) if isinstance(value, str) else None
    return _with_parts(parts[named[1]], parts) if named else value


def _expect(document: dict[str, Any]) -> Expect:
    lists = {key: tuple(value) for key, value in document.items() if key not in ("flag", "demand", "pass")}
    return Expect(
        **lists,
        passed=tuple(document.get("pass", [])),
        flag={rule: tuple(patterns) for rule, patterns in document.get("flag", {}).items()},
        demands=tuple(_demand(item) for item in document.get("demand", [])),
    )


def _demand(item: Any) -> Demand:
    if isinstance(item, str):
        return Demand(item)
    ((name, argument),) = item.items()
    return Demand(name, argument)


def _run(document: dict[str, Any]) -> Run:
    command = document.get("command")
    return Run(
        **{
            **document,
            "options": tuple(document.get("options", [])),
            "command": tuple(command) if command is not None else None,
            "cap_s": float(document.get("cap_s", DEFAULT_CAP_S)),
        }
    )
