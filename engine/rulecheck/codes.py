"""The codes of findings: what each is about, and what to do. ``rulecheck explain`` and the reference print these."""

from __future__ import annotations

from dataclasses import dataclass

PAGE = "methodology/rule-language.md#what-rulecheck-demands"
"""Where all codes are explained, below the project's own address."""


@dataclass(frozen=True)
class Code:
    title: str
    text: str


CODES: dict[str, Code] = {
    "R1": Code(
        "The file is a document of the language",
        "YAML 1.2 in UTF-8 with the types that JSON has: no dates, no octal numbers, no tags, no key twice in one "
        "mapping, one document. Quote what YAML would read as something else, such as revisions. A rule takes at most "
        "150 lines, not counting its cases; a longer one is two rules, or waits for a primitive.",
    ),
    "R2": Code(
        "The document fits the schema of its format",
        "Every mapping is closed, so a misspelt or misplaced key is an error and never ignored; keys that begin with "
        "x- are yours. The verb of a step and the kind of a check decide what else may stand there.",
    ),
    "R3": Code(
        "Names, files and the specification agree",
        "The file is named after its id and lies in the folder of its category; the revision's catalogue lists each "
        "rule once and each file has its place in it; titles differ. Sentences that `spec` cites and ids in "
        "`requirements` stand in `_anchors.yaml` and `_requirements.yaml` of the revision.",
    ),
    "R4": Code(
        "Expressions and patterns mean what they say",
        "Every expression parses, calls functions that exist with the arguments they take, and avoids what JMESPath "
        "reads differently from people: a bare true, `!a.b`, a number used as a condition, a comment behind an "
        "unquoted expression. Patterns compile and cannot run away on hostile text.",
    ),
    "R5": Code(
        "Every name is known where it is used",
        "A name at the beginning of an expression is a root name (server, session, target, run, recording), a fixture "
        "from `uses` or `judges`, an earlier step, a `let` or an `as`. Keys of exchanges are checked too. What is "
        "named and never read is reported, as it is usually a slip.",
    ),
    "R6": Code(
        "Primitives get and give what they declare",
        "`run:` names a primitive, `with:` fits its arguments, paths into its result exist, `touches` covers what it "
        "disturbs, and the results that cases supply fit its schema.",
    ),
    "R7": Code(
        "The rule can fail, and for the right reason",
        "Some check can make it fail. A step whose refusal is hoped for says in `credit:` when that refusal is the "
        "server's own (`credit: off` is an answer too). A rule that can become required fails on MUST sentences only. "
        "A pass was measured: an exit with `stop: pass` comes after a check.",
    ),
    "R8": Code(
        "Every case gives what it says",
        "Each case is played against a scripted server and gets its verdict, its words, its warning and its requests. "
        "`rulecheck play <id> --case <name> -v` shows every exchange and every check's value.",
    ),
    "R9": Code(
        "Every check is proven",
        "One case passes, one fails or is not evaluable, and every check and exit decides at least one case. A check "
        "that no case can reach says why: `untested: <reason>`.",
    ),
    "R10": Code(
        "Messages are whole in every case",
        "No text is printed with an expression that could not be evaluated, and no brace is left over.",
    ),
}
