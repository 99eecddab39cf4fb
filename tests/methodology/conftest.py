"""The generator is a script beside its page, so its modules are found there."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "methodology"))
