"""Words that options of several commands choose from, and the headings under which the help shows them."""

from __future__ import annotations

AUTO = "auto"
TRANSPORTS = ("http", "stdio")
# Written out: the modules that these words come from would be loaded for --help.
GRADES = ("A", "B", "C", "D", "F")
FAIL_ON = ("must", "required", "any")

TARGET, NETWORK, WHAT, CALLS = "Target", "Network", "What runs", "Tool calls"
TIME, SHOWN = "Time and repetition", "Report and exit code"
FLAG = " "  # as metavar: a flag has no value to show
