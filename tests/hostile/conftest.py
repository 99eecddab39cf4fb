"""These tests look at processes through /proc and end them by signals."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.reference.http_client import serving

if not sys.platform.startswith("linux"):
    pytest.skip("needs /proc", allow_module_level=True)


@pytest.fixture(scope="package")
def reference() -> Iterator[int]:
    """The port of a conforming server of both revisions that asks for no credential."""
    with serving() as port:
        yield port
