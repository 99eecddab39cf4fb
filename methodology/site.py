"""Builds the static site of this folder: ``python methodology/site.py [--out DIR]``.

Needs the extra ``site`` (``pip install '.[site]'``) and no network, neither now nor when the site is read. The site can
be opened as files or served by any web server. Every link inside it is followed; exit code 1, with a line for each,
when one leads nowhere, 2 when it could not be built.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from site_build import BuildError, build
from site_links import dead_links
from site_stage import stage

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "build" / "site"
INDEX = "index.html"


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code as above."""
    parser = argparse.ArgumentParser(description="Build the static site.")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help="where to write it (default: build/site)")
    out: Path = parser.parse_args(argv).out.resolve()
    if out.exists() and any(out.iterdir()) and not (out / INDEX).exists():
        print(f"site: {out} holds something else than a site; name an empty folder", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        stage(folder / "docs")
        try:
            made = build(folder)
        except BuildError as error:
            print(f"site: {error}", file=sys.stderr)
            return 2
        dead = dead_links(made)
        for link in dead:
            print(f"site: {link}", file=sys.stderr)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out)
    print(f"{len(list(out.rglob('*.html')))} pages in {out}; open {out / INDEX}")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
