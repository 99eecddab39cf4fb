"""What readers are told of a rule: the shipped catalogues, both at once or one."""

from __future__ import annotations

import pytest

from mcp_compliance.catalog.explanation import Explained, ExplainedCategory, UnknownRuleError, explain
from mcp_compliance.catalog.explanation_text import as_document, as_text
from mcp_compliance.catalog.index import known_revisions, load_index
from mcp_compliance.reporters.style import Style

OLD, NEW = known_revisions()
SITE = "https://modelcontextprotocol.io/specification"


def one(name: str, revision: str | None = None) -> Explained:
    found = explain(name, revision)
    assert isinstance(found, Explained)
    return found


def test_an_id_of_both_revisions_is_explained_once_for_each() -> None:
    """As the product description has it: stdio-framing is required in the older catalogue and optional in the newer."""
    found = one("stdio-framing")
    assert [(each.revision, each.required) for each in found.explanations] == [(OLD, "required"), (NEW, "optional")]
    assert found.notes == (
        f"MCP {OLD} and {NEW} share this id, each with criteria of its own. "
        f"They differ in level: required in {OLD}, optional in {NEW}.",
    )
    (old, new) = found.explanations
    assert (old.category, old.transports) == ("transport", ("stdio",))
    assert old.spec[0].url == f"{SITE}/{OLD}/basic/transports#stdio"
    assert new.spec[0].url.startswith(f"{SITE}/{NEW}/")
    assert old.why
    assert "\n" not in old.why + old.fix


def test_one_that_does_not_differ() -> None:
    assert one("security-auth-malformed").notes == (
        f"MCP {OLD} and {NEW} share this id, each with criteria of its own; "
        "level, category and transports are the same.",
    )


def test_an_id_that_only_one_revision_has() -> None:
    assert one("lifecycle-init").notes == (f"Only MCP {OLD} has this test; MCP {NEW} has none.",)
    assert one("lifecycle-init", OLD).notes == ()
    assert one("stdio-framing", OLD).notes == (f"MCP {NEW} has a test of this id, too; it may judge otherwise.",)


@pytest.mark.parametrize(
    ("name", "revision", "message"),
    [
        ("lifecycle-init", NEW, f"lifecycle-init is no test of MCP {NEW}, but of MCP {OLD}"),
        ("tools-cal", None, f"tools-cal is no test of MCP {OLD} or {NEW}; did you mean tools-call?"),
        ("securty", OLD, f"securty is no test of MCP {OLD}; did you mean security?"),
        ("zzz", OLD, f"zzz is no test of MCP {OLD}; mcp-compliance test --list shows all"),
    ],
)
def test_what_is_no_test(name: str, revision: str | None, message: str) -> None:
    with pytest.raises(UnknownRuleError) as refused:
        explain(name, revision)
    assert str(refused.value) == message


def test_a_category_lists_its_tests() -> None:
    found = explain("tools")
    assert isinstance(found, ExplainedCategory)
    assert [revision for revision, _ in found.rules] == [OLD, NEW]
    text = as_text(found, Style())
    assert text.startswith("tools is a category of tests; one of these ids explains one of them:\n")
    assert f"MCP {OLD}  4 tests" in text
    assert {"specVersion": NEW, "id": "tools-call", "name": "A call of a listed tool gets a well-formed result"} in (
        as_document(found)["tests"]  # type: ignore[operator]
    )


@pytest.mark.parametrize(
    ("name", "revision", "lines"),
    [
        (
            "security-auth-malformed",
            OLD,
            (
                "initialize (asked once for all tests that need it)",
                "ping (asked once for all tests that need it)",
                "ping, with a credential that nobody issued",
                "ping, with a credential outside the grammar",
            ),
        ),
        ("lifecycle-init", OLD, ("initialize (asked once for all tests that need it)",)),
        ("error-id-echo", NEW, ("nothing of its own: it looks through everything that was received",)),
    ],
)
def test_what_is_sent(name: str, revision: str, lines: tuple[str, ...]) -> None:
    assert one(name, revision).explanations[0].sends == lines


@pytest.mark.parametrize("category", ["transport", "errors"])
def test_every_explanation_is_complete_and_fits(category: str) -> None:
    for revision in (OLD, NEW):
        for entry in load_index(revision).entries:
            if entry.category == category:
                (found,) = one(entry.id, revision).explanations
                assert all((found.title, found.why, found.fix, found.sends, found.spec))
                text = as_text(Explained(entry.id, (found,), ()), Style(80))
                assert all(len(line) <= 80 or "https://" in line for line in text.splitlines())
                assert all(line.strip() for line in found.sends)
