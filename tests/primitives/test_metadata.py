"""Where protected-resource metadata is looked for, what is left alone, and what counts as the document."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
import trio

from mcp_compliance.catalog.functions.schemas import schema_violations
from mcp_compliance.exchange.exchange import Exchange, Http, Outcome
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.metadata import METADATA

HOST = "https://server.example"
ENDPOINT = f"{HOST}/public/mcp"
PATH = f"{HOST}/.well-known/oauth-protected-resource/public/mcp"
ROOT = f"{HOST}/.well-known/oauth-protected-resource"
OLDER = f"{HOST}/.well-known/oauth-authorization-server"
DOCUMENT = '{"resource": "https://server.example/public/mcp", "authorization_servers": ["https://login.example"]}'
OF_SERVER = '{"issuer": "https://server.example", "token_endpoint": "https://server.example/token"}'


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: str = ""
    media_type: str | None = "application/json"
    location: str | None = None
    outcome: Outcome = "answered"


@dataclass
class Site:
    """Answers GETs by URL, 404 for the rest, and remembers what was asked."""

    replies: dict[str, Reply]
    endpoint: str | None = ENDPOINT
    asked: list[str] = field(default_factory=list)

    transport = "http"
    local = False
    random = random.Random(1)

    async def get(self, url: str) -> Exchange:
        self.asked.append(url)
        reply = self.replies.get(url, Reply(404, "", None))
        sending = Sending("look", 5.0, http_method="GET", url=url, answers="none")
        if reply.outcome != "answered":
            return Exchange(sending, reply.outcome, problem="no answer within 5 s")
        headers = [("Content-Type", reply.media_type), ("Location", reply.location)]
        sent = tuple((name, value) for name, value in headers if value is not None)
        return Exchange(sending, "answered", http=Http(reply.status, url, sent, reply.body))


def look(replies: dict[str, Reply], advertised: JSON = None, endpoint: str = ENDPOINT) -> tuple[JSONObject, Site]:
    site = Site(replies, endpoint)

    async def run() -> JSON:
        # a site has what this primitive needs of a context
        return await METADATA.run(site, {"advertised": advertised})  # type: ignore[arg-type]

    result = trio.run(run)
    assert schema_violations(result, METADATA.result) == []
    assert isinstance(result, dict)
    return result, site


def places(result: JSONObject) -> list[JSONObject]:
    listed = result["places"]
    assert isinstance(listed, list)
    return [place for place in listed if isinstance(place, dict)]


def found(result: JSONObject) -> JSONObject:
    assert isinstance(result["found"], dict)
    return result["found"]


def test_the_path_is_tried_before_the_root_and_the_search_ends_there() -> None:
    result, site = look({PATH: Reply(body=DOCUMENT), ROOT: Reply(body=DOCUMENT)})
    assert site.asked == [PATH]
    assert found(result) == {
        "url": PATH,
        "how": "path",
        "asked": True,
        "status": 200,
        "media_type": "application/json",
        "site": None,
        "document": {"resource": ENDPOINT, "authorization_servers": ["https://login.example"]},
        "problem": None,
    }


def test_the_root_is_tried_after_the_path() -> None:
    result, site = look({ROOT: Reply(body=DOCUMENT)})
    assert site.asked == [PATH, ROOT]
    assert (found(result)["how"], found(result)["site"]) == ("root", HOST)
    assert places(result)[0]["problem"] == "HTTP 404"


@pytest.mark.parametrize("endpoint", [HOST, f"{HOST}/"])
def test_an_endpoint_at_the_root_has_one_place(endpoint: str) -> None:
    _, site = look({ROOT: Reply(body=DOCUMENT)}, endpoint=endpoint)
    assert site.asked == [ROOT]


def test_a_slash_at_the_end_and_a_user_in_the_address_are_left_out() -> None:
    _, site = look({PATH: Reply(body=DOCUMENT)}, endpoint="https://me:secret@server.example/public/mcp/?a=b")
    assert site.asked == [PATH]


def test_the_advertised_address_comes_first() -> None:
    elsewhere = f"{HOST}/metadata.json"
    result, site = look({elsewhere: Reply(body=DOCUMENT)}, elsewhere)
    assert site.asked == [elsewhere]
    assert (found(result)["how"], found(result)["site"]) == ("advertised", None)


def test_an_advertised_address_of_the_well_known_form_is_asked_once() -> None:
    result, site = look({}, PATH)
    assert site.asked == [PATH, ROOT, OLDER]
    assert [place["how"] for place in places(result)] == ["advertised", "root"]


def test_after_a_broken_advertisement_the_other_places_are_looked_at() -> None:
    result, _ = look({f"{HOST}/gone": Reply(410), PATH: Reply(body=DOCUMENT)}, f"{HOST}/gone")
    assert [(place["how"], place["problem"]) for place in places(result)] == [
        ("advertised", "HTTP 410"),
        ("path", None),
    ]


def test_public_https_is_asked_on_another_host() -> None:
    other = "https://metadata.example/mcp"
    result, site = look({other: Reply(body=DOCUMENT)}, other)
    assert site.asked == [other]
    assert found(result)["asked"] is True


@pytest.mark.parametrize(
    "address",
    [
        "http://metadata.example/mcp",
        "http://127.0.0.1:9/latest",
        "https://127.0.0.1/mcp",
        "https://localhost/mcp",
        "https://10.1.2.3/mcp",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/mcp",
        "/.well-known/oauth-protected-resource",
        "server.example/mcp",
        "file:///etc/passwd",
        "https://",
        "http://[broken",
        "http://localhost:port/",
    ],
)
def test_other_addresses_are_left_alone(address: str) -> None:
    result, site = look({PATH: Reply(body=DOCUMENT)}, address)
    assert site.asked == [PATH]
    first = places(result)[0]
    assert (first["asked"], first["status"], first["document"]) == (False, None, None)
    assert first["problem"]
    assert found(result)["how"] == "path"


def test_another_port_of_the_same_host_is_asked() -> None:
    other = "http://127.0.0.1:9001/metadata"
    _, site = look({other: Reply(body=DOCUMENT)}, other, "http://127.0.0.1:9000/mcp")
    assert site.asked == [other]


def test_another_name_of_loopback_is_asked_on_the_same_port() -> None:
    result, site = look({}, "http://localhost:9000/metadata", "http://127.0.0.1:9000/mcp")
    assert (site.asked[0], places(result)[0]["asked"]) == ("http://localhost:9000/metadata", True)
    result, _ = look({}, "http://localhost:9001/metadata", "http://127.0.0.1:9000/mcp")
    assert places(result)[0]["asked"] is False


@pytest.mark.parametrize(
    ("address", "endpoint", "site"),
    [
        (f"{ROOT}", ENDPOINT, HOST),
        (f"{ROOT}/", ENDPOINT, HOST),
        (ROOT, "https://server.example:443/public/mcp", HOST),
        (PATH, ENDPOINT, None),
        (f"{HOST}/metadata", ENDPOINT, None),
        ("https://other.example/.well-known/oauth-protected-resource", ENDPOINT, None),
        ("https://server.example:8443/.well-known/oauth-protected-resource", ENDPOINT, None),
        ("http://server.example/.well-known/oauth-protected-resource", ENDPOINT, None),
        ("http://localhost:90/.well-known/oauth-protected-resource", "http://127.0.0.1:90/mcp", "http://localhost:90"),
        ("http://localhost:91/.well-known/oauth-protected-resource", "http://127.0.0.1:90/mcp", None),
        ("http://localhost:x/.well-known/oauth-protected-resource", "http://127.0.0.1:90/mcp", None),
    ],
)
def test_the_well_known_address_of_the_whole_origin_is_marked(address: str, endpoint: str, site: str | None) -> None:
    result, _ = look({}, address, endpoint)
    assert places(result)[0]["site"] == site


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply(404), "HTTP 404"),
        (Reply(401), "HTTP 401"),
        (Reply(502, "<html>"), "HTTP 502"),
        (Reply(outcome="timeout"), "no answer within 5 s"),
        (Reply(outcome="unreachable"), "no answer within 5 s"),
        (Reply(outcome="dropped"), "no answer within 5 s"),
        (Reply(body="<!doctype html>", media_type="text/html"), "the body is not JSON (text/html)"),
        (Reply(body="", media_type=None), "the body is not JSON (no Content-Type)"),
        (Reply(body='{"resource": NaN}'), "the body is not JSON (application/json)"),
        (Reply(body="[]"), "the body is JSON, but no object with resource or authorization_servers"),
        (Reply(body='{"error": "x"}'), "the body is JSON, but no object with resource or authorization_servers"),
        (Reply(302), "HTTP 302"),
    ],
)
def test_what_is_no_document_has_a_problem(reply: Reply, problem: str) -> None:
    result, _ = look({ROOT: reply}, endpoint=HOST)
    assert [place["problem"] for place in places(result)] == [problem]
    assert result["found"] is None


@pytest.mark.parametrize("body", ['{"resource": 7}', '{"authorization_servers": []}'])
def test_a_document_with_mistakes_is_found(body: str) -> None:
    """Whether its members are right is for the rule to judge."""
    result, site = look({PATH: Reply(body=body), ROOT: Reply(body=DOCUMENT)})
    assert (site.asked, found(result)["how"]) == ([PATH], "path")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed(status: int) -> None:
    result, site = look(
        {ROOT: Reply(status, location="/metadata"), f"{HOST}/metadata": Reply(body=DOCUMENT)}, None, HOST
    )
    assert site.asked == [ROOT, f"{HOST}/metadata"]
    assert (found(result)["url"], found(result)["status"]) == (ROOT, 200)


def test_redirects_are_followed_twice() -> None:
    hops = {ROOT: "/a", f"{HOST}/a": "/b", f"{HOST}/b": "/c"}
    result, site = look({url: Reply(302, location=to) for url, to in hops.items()}, endpoint=HOST)
    assert site.asked == [*hops, OLDER]
    assert places(result)[0]["problem"] == "it redirects more than 2 times"


@pytest.mark.parametrize("target", ["http://10.0.0.1/", "http://other.example/", "https://[broken"])
def test_a_redirect_to_a_forbidden_address_is_not_followed(target: str) -> None:
    result, site = look({ROOT: Reply(302, location=target)}, endpoint=HOST)
    assert site.asked == [ROOT, OLDER]
    place = places(result)[0]
    assert (place["asked"], place["status"]) == (True, 302)
    assert str(place["problem"]).startswith(f"it redirects to {target}, which ")


@pytest.mark.parametrize(
    ("body", "older"),
    [(OF_SERVER, OLDER), ('{"issuer": "https://server.example"}', None), ("<html>", None)],
)
def test_the_older_document_is_mentioned_when_nothing_else_is_there(body: str, older: str | None) -> None:
    result, site = look({OLDER: Reply(body=body)})
    assert site.asked == [PATH, ROOT, OLDER]
    assert (result["found"], result["older"]) == (None, older)


def test_arguments_are_declared() -> None:
    assert schema_violations({"advertised": None}, METADATA.arguments) == []
    assert schema_violations({"advertised": 7}, METADATA.arguments) != []
    assert METADATA.touches == frozenset()
