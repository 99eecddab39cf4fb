"""Named checks for what a case demands beyond the verdicts of single rules.

Each takes the stage after its run and the argument from the corpus, and raises AssertionError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..corpus_case import Demand
from ..stage import Stage
from . import formats, printed, processes, requests, texts

DEMANDS: dict[str, Callable[[Stage, Any], None]] = {
    **texts.DEMANDS,
    **requests.DEMANDS,
    **processes.DEMANDS,
    **printed.DEMANDS,
    **formats.DEMANDS,
}


def meet(demand: Demand, stage: Stage) -> None:
    """Check one demand. Raises KeyError for a name that no check has."""
    DEMANDS[demand.name](stage, demand.argument)
