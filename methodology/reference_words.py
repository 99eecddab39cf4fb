"""Tables from everything else that has a single source: functions, primitives, codes, views, what ships."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeVar, get_args

from reference_markdown import bullets, code, codes, plain, table
from reference_schema import SchemaTables, members

from mcp_compliance.attribution.credit import OUTCOMES as CREDIT_OUTCOMES
from mcp_compliance.attribution.credit import Attribution, CreditOutcome
from mcp_compliance.catalog.functions.declare import Example, Function
from mcp_compliance.catalog.functions.table import SHELVES
from mcp_compliance.catalog.load import known_folders, load_revision
from mcp_compliance.catalog.revision import Fixture, Revision
from mcp_compliance.exchange.exchange import OUTCOMES, Event, Exchange, Http, Outcome, Process
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter import view_words
from mcp_compliance.interpreter.picks import FITS, MEANINGS, UNMIRRORED
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import HttpTarget, RunOptions
from mcp_compliance.model.result import VERDICTS, Verdict
from mcp_compliance.primitives import PRIMITIVES, Primitive
from mcp_compliance.rulecheck.codes import CODES
from mcp_compliance.rulecheck.references import FIXED_BUDGETS
from mcp_compliance.rulecheck.shapes import root_shapes
from mcp_compliance.suite.plan import READS, may_run_beside

MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 110
FUNCTION_WORDS = {
    "presence": "Is it there?",
    "text": "Texts",
    "numbers": "Numbers",
    "lists": "Lists and objects",
    "documents": "Documents and schemas",
    "protocol": "MCP, JSON-RPC and HTTP",
    "formats": "Formats",
    "built in": "Those of JMESPath itself",
}


class MissingWordsError(Exception):
    """A table lacks words, or has words for what there is no more. One line."""


Word = TypeVar("Word", bound=str)


def worded(keys: Iterable[str], words: Mapping[Word, str], head: tuple[str, str]) -> str:
    """A table of keys and their meaning, in the order of the keys."""
    wanted = list(keys)
    meanings: dict[str, str] = dict(words.items())
    if set(wanted) != set(meanings):
        raise MissingWordsError(f"{head[0]}: {sorted(set(wanted) ^ set(meanings))} have no words, or are no more")
    return table(head, [[code(key), meanings[key]] for key in wanted])


def verdicts() -> str:
    return worded(get_args(Verdict), VERDICTS, ("verdict", "meaning"))


def outcomes() -> str:
    return worded(get_args(Outcome), OUTCOMES, ("outcome", "meaning"))


def credit_outcomes() -> str:
    return worded(
        get_args(CreditOutcome), CREDIT_OUTCOMES, ("`credit.outcome`", "meaning, and what becomes of the rule")
    )


def pick_words() -> str:
    return worded([*FITS, UNMIRRORED, "named x", "mentions x"], MEANINGS, ("word", "holds when"))


def codes_table() -> str:
    return table(["code", "about", "what it demands"], [[name, item.title, item.text] for name, item in CODES.items()])


def roots() -> str:
    rows = []
    for name, shape in root_shapes().items():
        words = view_words.ROOTS.get(name, {})
        if set(shape or ()) != set(words):
            raise MissingWordsError(f"root name {name}: its keys and their words differ")
        rows += [[code(f"{name}.{key}"), words[key]] for key in words]
    return table(["name", "holds"], rows)


def view(part: str) -> str:
    """The keys of one part of what expressions see."""
    keys, words = _views()[part]
    return worded(keys, words, ("key", "holds"))


@cache
def _views() -> dict[str, tuple[list[str], view_words.Words]]:
    exchange = Exchange(Sending("", 0.0), "answered").view
    recorder = Recorder()
    sent = recorder.sent(Sending("", 0.0))
    item = recorder.received({}, "", peer="", during=sent)
    return {
        "exchange": (list(exchange), view_words.EXCHANGE),
        "sent": (list(members(exchange["sent"])), view_words.SENT),
        "http": (list(Http(200, "", ()).view()), view_words.HTTP),
        "process": (list(Process(True).view()), view_words.PROCESS),
        "event": (list(Event(None, None, "").view()), view_words.EVENT),
        "credit": (list(Attribution("served").view()), view_words.CREDIT),
        "received": (list(item), view_words.RECEIVED),
        "sent-item": (list(sent.view()), view_words.SENT_ITEM),
    }


def functions() -> str:
    parts = []
    for shelf in SHELVES:
        parts.append(f"### {FUNCTION_WORDS[shelf.group]}")
        parts.append("\n".join(_function(function) for function in shelf.functions.values()))
    return "\n\n".join(parts)


def _function(function: Function) -> str:
    if not function.purpose or not function.examples:
        raise MissingWordsError(f"the function {function.name} has no purpose or no examples")
    takes = ", ".join(argument.words for argument in function.arguments)
    head = f"- {code(function.signature)} ({takes}) gives {function.returns}. {function.purpose}"
    shown = [example_text(function, example) for example in function.examples]
    short = [text for text in shown if len(text) <= LONGEST_EXAMPLE][:MOST_EXAMPLES] or shown[:1]
    return f"{head}<br>{' · '.join(short)}"


def example_text(function: Function, example: Example) -> str:
    """An example as the language writes it: the call, and what it gives."""
    return f"{code(example_call(function, example))} = {code(_json(example.value))}"


def example_call(function: Function, example: Example) -> str:
    written = []
    for index, value in enumerate(example.args):
        argument = function.argument_at(index)
        is_expression = argument is not None and argument.types == ("expression",)
        written.append(str(value) if is_expression else _literal(value))
    return f"{function.name}({', '.join(written)})"


def _literal(value: JSON) -> str:
    if isinstance(value, str) and value.isprintable() and not set("'\\") & set(value):
        return f"'{value}'"
    return "`{}`".format(_json(value).replace("`", "\\`"))


def _json(value: JSON) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def primitives(tables: SchemaTables) -> str:
    return "\n\n".join(_primitive(primitive, tables) for primitive in PRIMITIVES.values())


def _primitive(primitive: Primitive, tables: SchemaTables) -> str:
    parts = [f"### {code('run: ' + primitive.name)}", plain(inspect.getdoc(primitive.run) or "")]
    touches = codes(sorted(primitive.touches)) if primitive.touches else "nothing"
    parts.append(f"A rule that runs it declares in `touches`: {touches}.")
    parts.append(table(["`with:`", "needed", "takes", "meaning"], _described(primitive.arguments, tables)))
    result = [[name, kind, words] for name, _, kind, words in _described(primitive.result, tables)]
    parts.append(table(["result", "is", "meaning"], result))
    return "\n\n".join(parts)


def _described(schema: JSONObject, tables: SchemaTables) -> list[list[str]]:
    """Rows of a schema's members, inner ones too; what has the members of another is not gone through again."""
    rows: list[list[str]] = []
    seen: list[JSON] = []

    def walk(holder: JSONObject, prefix: str) -> None:
        properties = holder.get("properties")
        if properties is None or properties in seen:
            return
        seen.append(properties)
        required = holder.get("required")
        for name, node in members(properties).items():
            inner = members(node)
            needed = "yes" if isinstance(required, list) and name in required else ""
            rows.append([code(f"{prefix}{name}"), needed, tables.type_words(inner), tables.meaning("rule", inner)])
            walk(inner, f"{prefix}{name}.")
            walk(members(inner.get("items")), f"{prefix}{name}[].")

    walk(schema, "")
    return rows


@cache
def revisions() -> tuple[Revision, ...]:
    return tuple(load_revision(folder) for folder in known_folders().values())


def _for_each_revision(render: Mapping[str, str]) -> str:
    return "\n\n".join(f"Revision {name}:\n\n{text}" for name, text in render.items())


def fixtures() -> str:
    return _for_each_revision({revision.revision: _fixtures(revision) for revision in revisions()})


def _fixtures(revision: Revision) -> str:
    rows = [
        [code(fixture.name), code(fixture.call), _notes(fixture, revision), code(fixture.rule) if fixture.rule else ""]
        for fixture in revision.fixtures.values()
    ]
    return table(["fixture", "request", "notes", "judged by"], rows)


def _notes(fixture: Fixture, revision: Revision) -> str:
    notes = []
    if fixture.capability is not None:
        notes.append(f"only where {code(fixture.capability)} is declared")
    if fixture.pages:
        notes.append("all pages")
    if fixture.share == "session":
        notes.append("once for each session")
    if revision.sessions is not None and fixture.name == revision.sessions.open:
        notes.append("the handshake")
    if fixture.credentials != "configured":
        notes.append(f"credentials {code(fixture.credentials)}")
    return "; ".join(notes)


def budgets() -> str:
    return _for_each_revision({revision.revision: _budgets(revision) for revision in revisions()})


def _budgets(revision: Revision) -> str:
    options = RunOptions(HttpTarget(""))
    fixed = {
        "request": ("`--timeout`", options.request_seconds),
        "startup": ("`--startup-timeout`", options.startup_seconds),
        "preflight": ("`--preflight-timeout`", options.preflight_seconds),
    }
    if set(fixed) != set(FIXED_BUDGETS):
        raise MissingWordsError("the budgets that options set have changed")
    rows = [[code(name), words, f"{seconds:g} s"] for name, (words, seconds) in fixed.items()]
    for name, budget in revision.budgets.items():
        if name in fixed:
            continue
        seconds, words = options.request_seconds, []
        if budget.at_least is not None:
            seconds = max(seconds, budget.at_least)
            words.append(f"at least {budget.at_least:g} s")
        if budget.at_most is not None:
            seconds = min(seconds, budget.at_most)
            words.append(f"at most {budget.at_most:g} s")
        rows.append([code(name), f"`--timeout`, {' and '.join(words)}", f"{seconds:g} s"])
    return table(["budget", "set by", "by default"], rows)


def conflicts() -> str:
    return _for_each_revision({revision.revision: _conflicts(revision) for revision in revisions()})


def _conflicts(revision: Revision) -> str:
    words = list(revision.conflicts)
    rows = []
    for word in words:
        mine = frozenset() if word == READS else frozenset({word})
        never = [
            other
            for other in words
            if not may_run_beside(mine, [frozenset() if other == READS else frozenset({other})], revision.conflicts)
        ]
        shown = "(nothing declared)" if word == READS else code(word)
        others = ["nothing declared" if other == READS else code(other) for other in never]
        rows.append([shown, "everything" if len(never) == len(words) else ", ".join(others) or "nothing"])
    return table(["`touches`", "never at the same time as"], rows)


def pattern_sets() -> str:
    sets = {name: item for revision in revisions() for name, item in revision.library.patterns.items()}
    return table(["set", "finds"], [[code(name), item.about] for name, item in sets.items()])


def payload_sets() -> str:
    sets = {name: item for revision in revisions() for name, item in revision.payloads.items() if name != "format"}
    return table(["set", "about"], [[code(name), str(members(item).get("about"))] for name, item in sets.items()])


def credit_defaults() -> str:
    lines = []
    for revision in revisions():
        credit = revision.credit
        default = credit.default
        lines.append(
            f"Revision {revision.revision}: `mode: {default.mode}`, `twin: {default.twin}`, "
            f"`unattributed: {default.unattributed}`, `no_answer: {default.no_answer}`, `drop: {default.drop}`; the "
            f"setup is {code(credit.setup)}, `pre_rpc` looks at {', '.join(map(str, credit.before_rpc))}."
        )
    return bullets(lines)
