"""What the names and keys mean that expressions see; the reference of the language prints these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Words: TypeAlias = Mapping[str, str]

ROOTS: Mapping[str, Words] = {
    "server": {
        "capabilities": "the capabilities that the server declared",
        "versions": "the revisions that it says it speaks",
        "info": "its name and version",
    },
    "session": {
        "id": "id of the run's session; null where the server hands out none, and on stdio",
        "version": "the revision agreed on",
        "open": "whether the handshake was served",
    },
    "target": {
        "transport": "`http` or `stdio`",
        "url": "address of the endpoint: `text`, `scheme`, `host`, `port`, `path`, `origin`, `loopback`; null on stdio",
        "local": "whether the server runs on this machine or in a private network, by its address as written",
        "credentials": "`configured` when the user gave a header that carries a credential, else `none`",
        "auth_scheme": "scheme of the configured Authorization header in lower case; null without one",
    },
    "run": {
        "version": "version of the tool",
        "seed": "what all values of the run's own making are drawn from",
        "pinned": "whether the user named the revision",
        "insecure": "whether certificates were left unchecked",
        "client_capabilities": "what the tool declares as a client: an empty object",
        "rules": "ids of the rules in this run",
    },
    "recording": {
        "received": "everything that arrived in the run, in order",
        "sent": "everything that was sent, in order",
        "other": "what arrived for steps marked `era:`, which `received` leaves out",
    },
}
"""The root names that exist before any step, with their keys."""

EXCHANGE: Words = {
    "outcome": "how it ended, in one word (below)",
    "message": "the JSON-RPC response, as received; null when none came",
    "result": "the member `result` of the response",
    "error": "the member `error` of the response",
    "messages": "everything that arrived for this request, in order, the response too: items as in the recording",
    "sent": "what was sent (below)",
    "item": "the value of this round, in `for_each`",
    "http": "the HTTP answer (below); null on stdio, and when none came",
    "events": "the server-sent events of the answer, where it was a stream",
    "process": "the stdio server (below); null over HTTP",
    "session": "the session that it went out in: `id`, `version`, `open`",
    "credit": "whose refusal it was (see credit); null without `credit:`",
    "pages": "the exchange of every page, of a fixture with pages",
    "items": "the items of all pages",
    "circle": "a cursor that came back, where the pages lead in a circle; else null",
    "cut": "whether the walk over the pages stopped at its bound",
    "after": "the exchange of `then_alive`",
    "ms": "milliseconds from sending to the answer",
    "problem": "why there is no answer, in words; else null",
    "unusable": "why there is no result, as a sentence; null when there is one",
    "unserved": "the same without the server's own words, where those are another rule's to show",
}

SENT: Words = {
    "id": "id of the message",
    "method": "method of the message, or of a bare HTTP request",
    "params": "params of the message",
    "meta": "`params._meta`, with the names on the wire",
    "headers": "all headers, with names in lower case; empty on stdio",
}

HTTP: Words = {
    "status": "the status",
    "url": "the address that answered",
    "headers": "headers with names in lower case; repeated ones joined with a comma",
    "header_list": "headers as `[name, value]`, in order and letter case",
    "media_type": "type and subtype of Content-Type, in lower case",
    "body": "the beginning of the body as text",
    "bytes": "length of the body, decoded",
    "redirects": "addresses that were gone on to",
    "truncated": "whether the body went beyond a bound",
    "problem": "why the body could not be read whole; else null",
}

PROCESS: Words = {
    "alive": "whether it runs",
    "exit_code": "its exit code",
    "signal": "number of the signal that ended it",
    "stderr_tail": "the end of what it wrote to stderr",
}

EVENT: Words = {
    "event": "the event field; null where it was absent",
    "id": "the id field",
    "data": "the data field, its lines joined",
    "retry": "the retry field",
}

CREDIT: Words = {
    "outcome": "the reading, in one word",
    "reason": "why the answer cannot be credited, as a sentence; else null",
    "warning": "what is odd about a refusal that counts; else null",
    "twin": "the exchange of the twin, if one was sent",
}

RECEIVED: Words = {
    "seq": "a number that rises over all that is sent and received",
    "kind": "`request`, `notification`, `response`, `error`, `batch`, or `stray` for what is no JSON-RPC message",
    "payload": "the JSON; null when it was none",
    "raw": "the beginning of its text",
    "status": "HTTP status of the answer that it came in",
    "era": "the revision of a step marked `era:`; else null",
    "peer": "name of the peer that it came to; `main` is the run's own session",
    "problem": "why it is no JSON; else null",
    "request": "the sent item whose id it names",
    "owner": "the sent item that it answers, also when its id is of no use",
    "in_flight": "the latest sent item that was still open when it arrived",
}
"""An item of ``recording.received``, ``recording.other`` and ``messages``."""

SENT_ITEM: Words = {
    "seq": "a number that rises over all that is sent and received",
    "step": "name of the step, fixture or twin",
    "peer": "name of the peer",
    "era": "the revision of a step marked `era:`; else null",
    "id": "id of the message",
    "method": "method of the message",
    "params": "params of the message",
    "meta": "`params._meta`",
    "raw": "whether it went out as the rule wrote it (`raw`, `bytes`, bare HTTP), whatever it parses as",
    "media_type": "what its body was labelled as, in lower case and without parameters; null on stdio",
}
"""An item of ``recording.sent``, and what ``request``, ``owner`` and ``in_flight`` hold."""
