"""The step of ``action.yml`` that runs the tool: from the inputs, which are in the environment, to the outputs.

Ends with 0 whatever is found; the exit code of the tool is an output. Runs in the environment that the tool is in.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SERIOUS = 2
"""Exit code of the tool when the job could not be done."""


class InputError(Exception):
    """An input that cannot be meant; the text is one line."""


def read(name: str) -> str:
    return os.environ.get(f"INPUT_{name}", "").strip()


def flag(name: str) -> bool:
    value = read(name).lower()
    if value not in ("true", "false", ""):
        raise InputError(f"{name.lower()}: expected true or false, got {value}")
    return value == "true"


def options() -> list[str]:
    """The inputs as options of the tool, the target at the end."""
    found = []
    for name, option in (("FORMAT", "--format"), ("MIN_GRADE", "--min-grade"), ("SPEC_VERSION", "--spec-version")):
        if read(name):
            found += [option, read(name)]
    if flag("STRICT"):
        found.append("--strict")
    try:
        # no backslash is an escape: on Windows they are parts of paths
        words = shlex.shlex(read("ARGS"), posix=True, punctuation_chars=False)
        words.whitespace_split, words.commenters, words.escape = True, "", ""
        found += list(words)
    except ValueError as error:
        raise InputError(f"args cannot be taken apart: {error}") from error
    return found


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="mcp-compliance-", dir=os.environ.get("RUNNER_TEMP")))
    report, summary, sarif = folder / "report.json", folder / "report.md", read("SARIF")
    code = SERIOUS
    try:
        words = [*options(), "--report", f"json={report}"]
        if flag("SUMMARY"):
            words += ["--report", f"markdown={summary}"]
        if sarif:
            words += ["--report", f"sarif={sarif}"]
        target = ["--", read("TARGET")] if read("TARGET") else []
        tool = Path(sys.executable).with_name("mcp-compliance" + (".exe" if os.name == "nt" else ""))
        code = subprocess.run([str(tool), "test", *words, *target], check=False).returncode
    except InputError as error:
        print(f"::error title=mcp-compliance::{error}", flush=True)
    outputs = {"exit-code": str(code), **of_the_report(report)}
    if sarif and Path(sarif).is_file():
        outputs["sarif"] = str(Path(sarif).absolute())  # whoever uploads it starts elsewhere
    append("GITHUB_OUTPUT", "".join(f"{name}={value}\n" for name, value in outputs.items()))
    if summary.is_file():
        append("GITHUB_STEP_SUMMARY", summary.read_text(encoding="utf-8"))
    return 0


def of_the_report(file: Path) -> dict[str, str]:
    """What the report says, for those who only look at the outputs; empty without a report."""
    if not file.is_file():
        return {}
    found = json.loads(file.read_text(encoding="utf-8"))
    return {
        "grade": str(found["grade"]),
        "score": str(found["score"]),
        "overall": str(found["overall"]),
        "spec-version": str(found["specVersion"]),
        "report": str(file),
    }


def append(variable: str, text: str) -> None:
    """To the file that the runner reads; without one, as when this is run by hand, nothing is written."""
    name = os.environ.get(variable)
    if name:
        with open(name, "a", encoding="utf-8") as stream:
            stream.write(text)


if __name__ == "__main__":
    sys.exit(main())
