"""The files of the corpus have the form that corpus/FORM.md gives them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from .corpus_case import Case
from .corpus_files import CORPUS, TEXTS, load_cases, read_case
from .demands import DEMANDS
from .player.matching import CONDITIONS, NOT_CONDITIONS

CASES = load_cases()
FORM = (CORPUS / "FORM.md").read_text("utf-8")
ANSWERS = frozenset({"result", "error", "id", "text", "status", "headers", "stream", "keep_open", "every_ms"})
REPLIES = ANSWERS | {"hang", "drop", "write", "stderr", "exit", "flood", "stay", "base"}
CHANGES = frozenset({"without", "strip_headers", "id_as", "members", "sse", "lead", "cut", "pause_ms"})


def _texts(file: Path) -> list[dict[str, str]]:
    return list(YAML(typ="safe").load(file.read_text("utf-8"))["cases"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_entries_use_known_keys(case: Case) -> None:
    for entry in (*case.server, *case.baseline):
        when, reply = entry["when"], entry["reply"]
        assert isinstance(when, dict)
        assert isinstance(reply, dict)
        assert when.keys() <= CONDITIONS.keys() | NOT_CONDITIONS
        assert reply.keys() <= REPLIES
        change = reply.get("base", {})
        assert isinstance(change, dict)
        assert change.keys() <= CHANGES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_demands_exist_and_every_case_expects_something(case: Case) -> None:
    assert {demand.name for demand in case.expect.demands} <= DEMANDS.keys()
    assert case.expect.named or case.expect.demands


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*/*.yaml")), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_cases_say_what_was_seen_and_what_is_right(file: Path) -> None:
    if file.name == "baseline.yaml":
        return
    for case in _texts(file):
        assert case["seen"].endswith((".", "!")), case["id"]
        assert case["right"].endswith("."), case["id"]
        for page in case.get("spec", []):
            assert re.fullmatch(r"\d{4}-\d\d-\d\d/[\w/-]+(#[\w-]+)?", page), page


def test_every_demand_is_used() -> None:
    assert {demand.name for case in CASES for demand in case.expect.demands} == DEMANDS.keys()


def test_form_describes_every_key() -> None:
    for key in (*CONDITIONS, *NOT_CONDITIONS, *REPLIES, *CHANGES, *TEXTS):
        assert f"`{key}" in FORM, key


def test_later_and_the_corpus_do_not_overlap() -> None:
    later = YAML(typ="safe").load((CORPUS / "later.yaml").read_text("utf-8"))
    here = {case.id for case in CASES if case.revision == later["revision"]}
    assert here.isdisjoint(entry["id"] for entry in later["left_out"])
    assert here >= {entry["id"] for entry in later["held_in_part"]}


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(ValueError, match="expects"):
        read_case({"id": "x", "transport": "http", "server": [], "expects": {}}, "2025-11-25")
