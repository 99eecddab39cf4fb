"""Every state that the page of a report can be in, and a page taken apart."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from mcp_compliance.model.result import Detection, EvidenceLine, Listing, Report, ServerInfo
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.style import Style

from . import samples

MARKUP = (
    "</script></style></title></textarea>-->]]><script>alert(1)</script><img src=x onerror=alert(2)>"
    "\" onmouseover=\"alert(3)\" ' onfocus='alert(4)' &lt;b&gt; {{ 7 * 7 }} {% raw %} javascript:alert(5)"
    " \u202egnp.exe\u2066 \u200b \ud800 \x00 \x1b[31m \u2028 \n"
)
CAVEAT = "The server asks for a credential, so the grade below is not meaningful."
CURL = "curl -isS http://127.0.0.1:3001/mcp -H \"Authorization: $TOKEN\" --data-binary '[{}]'"


def filled(text: str) -> Report:
    """A report that says ``text`` wherever a server, or somebody's file of rules, can say something."""
    result = replace(
        samples.BATCH,
        name=text,
        message=text,
        why=text,
        fix=text,
        spec_ref=text,
        origin=text,
        expected=True,
        expected_because=text,
        requirements=(text,),
        evidence=(EvidenceLine(text, text, text, text), EvidenceLine(text, text, text)),
    )
    return replace(
        samples.MIXED,
        url=text,
        results=(
            result,
            replace(result, id="follows", cause=result.id, message=f"{text} again"),
            replace(result, id="elsewhere", cause=text, evidence=()),
            replace(result, id="skip", verdict="skip", cause=None),
            replace(result, id="broken", verdict="broken", cause=None),
            replace(result, id="pass", verdict="pass", cause=None),
        ),
        warnings=(text,),
        caveats=(text,),
        server=ServerInfo(text, text, text, {}),
        tools=Listing(2, (text, text)),
        error=text,
        detection=Detection("detected", text),
    )


_BATCH = replace(samples.BATCH, evidence=tuple(replace(line, curl=CURL) for line in samples.BATCH.evidence))
_EXPECTED = replace(samples.GATEWAY, expected=True, expected_because="the gateway of the staging network, until March")
FULL = replace(
    samples.MIXED,
    results=tuple(
        {samples.BATCH.id: _BATCH, samples.GATEWAY.id: _EXPECTED}.get(result.id, result)
        for result in samples.MIXED.results
    ),
    caveats=(CAVEAT,),
    warnings=(CAVEAT, *samples.MIXED.warnings),
)
"""The mixed report with all that it may have beside: caveats, curl lines, a failure that was expected."""

STATES: dict[str, Report] = {
    "mixed": FULL,
    "clean": samples.CLEAN,
    "all-skipped": samples.ALL_SKIPPED,
    "nothing-ran": samples.NOTHING,
    "unreachable": samples.UNREACHABLE,
    "not-startable": samples.NOT_STARTABLE,
    "hostile": filled(MARKUP),
    "long": filled("a<b>" * 25_000),
}


def render(report: Report) -> str:
    return REPORTERS["html"](report, Style())


@dataclass
class Parsed(HTMLParser):
    """Elements in order with their attributes, and the text of the page without style and script."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    text: str = ""
    raw: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is not None:
            self.raw[self.cdata_elem] = self.raw.get(self.cdata_elem, "") + data
        else:
            self.text += data

    @property
    def attributes(self) -> list[tuple[str, str]]:
        return [item for _, attributes in self.elements for item in attributes.items()]

    def values(self, attribute: str) -> list[str]:
        return [value for name, value in self.attributes if name == attribute]

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def parse(report: Report) -> Parsed:
    parsed = Parsed()
    parsed.feed(render(report))
    parsed.close()
    return parsed
