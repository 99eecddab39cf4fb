"""Writes ``rule-language.md``, the reference of the rule language: ``python methodology/reference.py [--check]``.

The prose stands in ``templates/rule-language.md``. A comment ``<!-- insert NAME ARGUMENTS -->`` in it is replaced by a
table that is made from the very source that the engine reads, so that the page says nothing else than the code. Every
key of the documents has to be in some table. With ``--check`` nothing is written; the exit code is 1 when the page is
not as it would be written.
"""

from __future__ import annotations

import sys

from reference_page import main

if __name__ == "__main__":
    sys.exit(main())
