"""Peak memory and time of the tool under servers that send without measure, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASES = [
    ("gzip-bomb", "unparsable", "32 MiB"),
    ("sse-bomb", "unparsable", "64 MiB"),
    ("burst-of-bombs", "unparsable", "MiB"),
    ("endless-body", "unparsable", "32 MiB"),
    ("endless-event", "unparsable", "64 MiB"),
    ("endless-events", "unparsable", "10000 events"),
    ("deep-json", "unparsable", "128 levels"),
    ("wide-body", "answered", None),
    ("long-line", "answered", None),
    ("endless-line", "dropped", "32 MiB"),
    ("endless-lines", "dropped", "100000 lines"),
    ("wide-line", "answered", None),
    ("many-values", "answered", None),
    ("endless-stderr", "answered", None),
]


@pytest.mark.parametrize(("scenario", "outcome", "word"), CASES, ids=[case[0] for case in CASES])
def test_peak(scenario: str, outcome: str, word: str | None) -> None:
    command = [sys.executable, "-m", "tests.wire.peak", scenario]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    cost = json.loads(done.stdout)
    assert list(cost["outcomes"]) == [outcome]
    assert word is None or word in cost["problem"]
    assert cost["mib"] < 400, cost
    assert cost["seconds"] < 30, cost
