"""Reads what every run of the checker needs, once: in the process that runs are forked from (see forked.py)."""

from __future__ import annotations

import gc

import mcp_compliance.cli.test
import mcp_compliance.suite.run  # noqa: F401
from mcp_compliance.catalog.index import load_index
from mcp_compliance.catalog.kept import kept_revision, kept_rules, stamp_of
from mcp_compliance.catalog.load import known_folders

for revision, folder in known_folders(None).items():
    stamp = stamp_of(folder)
    kept_revision(folder, stamp)
    for transport in ("http", "stdio"):
        ids = tuple(entry.id for entry in load_index(revision, None).entries if transport in entry.transports)
        kept_rules(folder, stamp, ids)

# What is here stays for as long as the process lives: no run has to go through it, or copy its pages, to find garbage.
gc.collect()
gc.freeze()
