"""Reads what every run of the checker needs, once: in the process that runs are forked from (see forked.py)."""

from __future__ import annotations

import gc
import importlib
import pkgutil

from mcp_compliance import cli, interpreter, primitives, reporters
from mcp_compliance.catalog.expressions import Expression
from mcp_compliance.catalog.functions.schemas import warm_up
from mcp_compliance.catalog.index import load_index
from mcp_compliance.catalog.kept import kept_revision, kept_rules, stamp_of
from mcp_compliance.catalog.load import known_folders

# What is imported only where it is used, every run would import again.
PACKAGES = (cli, interpreter, primitives, reporters)
MODULES = [
    "mcp_compliance.suite.run",
    "httpcore._async",
    "httpcore._backends.trio",
    "encodings.idna",
    *(found.name for package in PACKAGES for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")),
]

for module in MODULES:
    importlib.import_module(module)
warm_up()
for revision, folder in known_folders(None).items():
    stamp = stamp_of(folder)
    kept_revision(folder, stamp)
    for transport in ("http", "stdio"):
        ids = tuple(entry.id for entry in load_index(revision, None).entries if transport in entry.transports)
        kept_rules(folder, stamp, ids)
ready = [thing.program for thing in gc.get_objects() if isinstance(thing, Expression)]

# What is here stays for as long as the process lives: no run has to go through it, or copy its pages, to find garbage.
gc.collect()
gc.freeze()
