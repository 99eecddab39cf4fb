"""These tests look at processes through /proc and end them by signals."""

from __future__ import annotations

import sys

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("needs /proc", allow_module_level=True)
