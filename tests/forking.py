"""One process beside each test process, to fork from: the tool, its rules and the reference server are in its memory.

Loading them takes most of the time of a short run, and the tests make more than a thousand of them.
"""

from __future__ import annotations

import multiprocessing

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.replay.preloaded", "tests.replay.forked", "tests.reference.quick"])
