"""The report as one HTML page: nothing is loaded from anywhere, and what a server said can never become markup.

The page works without JavaScript; with it, results can be filtered and evidence copied. Its content security policy
allows exactly the style sheet and the script that it carries.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from mcp_compliance.model.result import Report
from mcp_compliance.reporters.html_page import page
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import inert, visible

LONGEST = 4000
"""Characters of one text; a server can answer with any number of them."""
_VARIABLE = re.compile(r"\$[A-Z_][A-Z0-9_]*")
_CODE = re.compile(r"`([^`\n]+)`")


def render(report: Report, style: Style) -> str:
    """A whole document, ending in a line feed. ``style`` is not asked: the reader's browser knows better."""
    css, script = _asset("report.css"), _asset("report.js")
    return _template().render(
        page=page(report),
        report=report,
        css=Markup(css),
        script=Markup(script),
        policy=f"default-src 'none'; style-src {_hash(css)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'",
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"prose": _prose, "command": _command, "breakable": _breakable, "variables": _variables}
    return environment.get_template("report.html.j2")


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _printed(value: object) -> object:
    """What each expression of the template goes through, before it is escaped."""
    return visible(_cut(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text) - LONGEST:,} more characters)"


def _prose(text: str) -> Markup:
    """Text of a rule: line feeds stay, and what stands between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(inert(visible(_cut(text.strip()), lines=True))))))


def _command(text: str) -> Markup:
    """A command line to copy: never shortened, and its line feeds stay."""
    return Markup(escape(inert(visible(text, lines=True))))


def _variables(command: str) -> list[str]:
    """The shell variables of a command line, which the reader has to set; each once."""
    return list(dict.fromkeys(_VARIABLE.findall(command)))


def _breakable(text: str) -> Markup:
    """An address that may go on in the next line behind a slash, and elsewhere only when it has to."""
    return Markup(re.sub(r"(?<=[^/])/(?=[^/])", "/<wbr>", str(escape(visible(_cut(text))))))
